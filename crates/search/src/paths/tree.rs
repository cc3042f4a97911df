//! The path tree: every path seen so far, each shared prefix once.
//!
//! Takes runs, gives candidates: places where a run could have gone another way. A tree node stands for one symbolic
//! decision (a condition, a switch, a check that depends on the input); its edges are the outcomes that runs have
//! taken. Decisions that the path above already settles make no node. A check that decides nothing is a leaf beside the
//! path: a candidate for its failing.
//!
//! Absorbing a run costs time linear in its path log. The common prefix is only compared; labels are turned into
//! terms from the first new decision on. Prefixes are stored once, through parent links.
//!
//! Never: which candidate to try next (that is a strategy's choice), the solver, the input's meaning.

use std::num::NonZeroU32;
use std::ops::Range;

use tarka_terms::{Term, Terms};
use tarka_trace::EventKind;

use crate::faults::fault_queue::CheckPlace;
use crate::import::Imports;
use crate::paths::candidate::{Candidate, CandidateId, CandidateState};
use crate::paths::constraint::{OTHER_VALUE, Outcome, constraint, none_of};
use crate::paths::evaluating::Evaluating;
use crate::{RunTrace, SiteTable};

/// Decisions of one path that are kept; what follows is left out and the path counts as cut. Hanging runs log
/// millions of decisions, and no strategy gets that far down in any budget; a scan of 64 KiB and what follows it fit twice.
pub const MAX_DEPTH: u32 = 1 << 17;

/// Decisions kept over all paths, for the same reason.
pub const MAX_TREE: usize = 1 << 23;

/// What strategies keep of a candidate, all together: an upper estimate for `auto`, in bytes.
const CHOOSING: usize = 16;

/// A node of the tree, by index; one more than that, so that having none takes no room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The node at this index.
    pub fn new(index: usize) -> NodeId {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        NodeId(number.expect("a tree has fewer than 2^32 nodes"))
    }

    /// Its index.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// One symbolic decision at the end of one particular prefix.
#[derive(Clone, Debug)]
pub struct PathNode {
    /// The site's number.
    pub site: u32,
    /// What kind of decision.
    pub kind: EventKind,
    /// The condition (one bit) or the operand of the switch.
    pub operand: Term,
    /// Number of decisions above it.
    pub depth: u32,
    /// The run that found it: its input leads here.
    pub run: u64,
    /// For a check: it guards the size we guessed for an input object, not a size the program fixed.
    pub guards_guess: bool,
    /// For a check: it is about a pointer being null.
    pub asks_for_null: bool,
    /// The last source branch that the run took before, by its index in the coverage map.
    pub(crate) last_branch: LastBranch,
    /// For a condition of a followed decision: how far that decision was evaluated.
    pub(crate) evaluating: Option<Box<Evaluating>>,
    pub(crate) parent: Option<(NodeId, u32)>,
    pub(crate) place: PlaceInRun,
    pub(crate) next_variant: Option<NodeId>,
    pub(crate) edges: Edges,
    pub(crate) candidates: Range<u32>,
}

/// Where in a run a node's event stands, and what the run looked like since the node before. Two runs that agree on
/// it after the same prefix behave the same there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlaceInRun {
    pub event: u32,
    /// Of the events since the parent and of the operand, in one number.
    pub looks: u64,
}

/// An index in the coverage map, or none; one more than the index, so that having none takes no room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastBranch(Option<NonZeroU32>);

impl LastBranch {
    pub(crate) fn new(branch: Option<u32>) -> LastBranch {
        LastBranch(branch.and_then(|branch| NonZeroU32::new(branch + 1)))
    }

    fn get(self) -> Option<u32> {
        self.0.map(|number| number.get() - 1)
    }
}

/// An outcome that a run has taken.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub outcome: Outcome,
    pub constraint: Term,
    pub child: Option<NodeId>,
}

/// The edges of a node: nearly always one or two, so the first needs no allocation.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    first: Edge,
    more: Option<Box<MoreEdges>>,
}

/// All but the first edge of a node. Behind a box of its own: most nodes have none, and a vector takes three times the room.
#[derive(Clone, Debug, Default)]
struct MoreEdges(Vec<Edge>);

impl Edges {
    fn new(first: Edge) -> Edges {
        Edges { first, more: None }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Edge> {
        std::iter::once(&self.first).chain(self.more.iter().flat_map(|more| more.0.iter()))
    }

    fn position(&self, outcome: Outcome) -> Option<u32> {
        self.iter().position(|edge| edge.outcome == outcome).map(|index| index as u32)
    }

    fn push(&mut self, edge: Edge) -> u32 {
        let MoreEdges(more) = &mut **self.more.get_or_insert_default();
        more.push(edge);
        more.len() as u32
    }

    fn get(&self, index: u32) -> &Edge {
        let more = self.more.as_deref().map_or(&[][..], |more| &more.0);
        if index == 0 { &self.first } else { &more[index as usize - 1] }
    }

    fn get_mut(&mut self, index: u32) -> &mut Edge {
        let more = self.more.as_deref_mut().map_or(&mut [][..], |more| &mut more.0);
        if index == 0 { &mut self.first } else { &mut more[index as usize - 1] }
    }
}

/// What a run brought.
#[derive(Clone, Debug, Default)]
pub struct Absorbed {
    /// Candidates made, by number.
    pub new_candidates: Range<u32>,
    /// Number of new tree nodes.
    pub new_nodes: u32,
    /// Number of checks that decide nothing and became candidates.
    pub new_checks: u32,
    /// Number of decisions on the path.
    pub depth: u32,
    /// The last decision of the path that the tree has.
    pub last: Option<NodeId>,
    /// The outcome that was taken there.
    pub(crate) end: Option<(NodeId, u32)>,
    /// Number of events before the part of the path that was new.
    pub(crate) known_events: u32,
    /// The run did something else than an earlier run with the same decisions before it: something that is not
    /// tracked decides too.
    pub differs: bool,
    /// Part of the path is missing: it was too long, or a label made no sense.
    pub cut: bool,
    /// Checks that failed, but for those on a size that was guessed.
    pub(crate) failed_checks: Vec<CheckPlace>,
}

/// All paths seen so far.
#[derive(Default)]
pub struct PathTree {
    pub(crate) nodes: Vec<PathNode>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) roots: Option<NodeId>,
    pub(crate) open_candidates: usize,
    /// Edges beside the first of their node, and evaluations.
    more_edges: usize,
    evaluations: usize,
    /// The terms of the run before, for the next.
    pub(crate) imports: Imports,
}

impl PathNode {
    /// The last source branch that the run took before, by its index in the coverage map.
    pub fn branch_before(&self) -> Option<u32> {
        self.last_branch.get()
    }
}

impl PathTree {
    /// An empty tree.
    pub fn new() -> PathTree {
        PathTree::default()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True before the first symbolic decision.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes of memory that the tree takes, with what strategies keep of its candidates. Counted from lengths, so the same
    /// paths take the same memory on every machine.
    pub fn bytes(&self) -> usize {
        let candidate = size_of::<Candidate>() + CHOOSING;
        self.nodes.len() * size_of::<PathNode>()
            + self.more_edges * (size_of::<Vec<Edge>>() + 4 * size_of::<Edge>())
            + self.evaluations * size_of::<Evaluating>()
            + self.candidates.len() * candidate
            + self.imports.bytes()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &PathNode {
        &self.nodes[id.index()]
    }

    /// A candidate.
    pub fn candidate(&self, id: CandidateId) -> &Candidate {
        &self.candidates[id.0 as usize]
    }

    /// The node at which a candidate leaves the known paths.
    pub fn node_of(&self, id: CandidateId) -> &PathNode {
        self.node(self.candidate(id).node)
    }

    /// Number of candidates ever made.
    pub fn candidate_count(&self) -> usize {
        self.candidates.len()
    }

    /// Number of candidates that are still open, those for faults included.
    pub fn open_candidates(&self) -> usize {
        self.open_candidates
    }

    /// Moves a candidate on.
    pub fn set_state(&mut self, id: CandidateId, state: CandidateState) {
        let candidate = &mut self.candidates[id.0 as usize];
        let was_open = candidate.state == CandidateState::Open;
        candidate.state = state;
        self.open_candidates -= usize::from(was_open);
        self.open_candidates += usize::from(state == CandidateState::Open);
    }

    /// The decision above a node, if it is not the first.
    pub fn above(&self, node: &PathNode) -> Option<&PathNode> {
        node.parent.map(|(parent, _)| self.node(parent))
    }

    /// The constraints of all decisions above a node, from the root down.
    pub fn prefix(&self, node: NodeId) -> Vec<Term> {
        self.ancestors(node).iter().map(|&(_, constraint)| constraint).collect()
    }

    /// The decisions above a node with their constraints, from the root down.
    pub fn ancestors(&self, node: NodeId) -> Vec<(NodeId, Term)> {
        let mut path = Vec::with_capacity(self.node(node).depth as usize);
        let mut at = self.node(node);
        while let Some((parent, edge)) = at.parent {
            at = self.node(parent);
            path.push((parent, at.edges.get(edge).constraint));
        }
        path.reverse();
        path
    }

    /// What an input must satisfy at the candidate's node to go its way.
    pub fn flipped(&self, terms: &mut Terms, sites: &SiteTable, id: CandidateId) -> Term {
        let candidate = self.candidate(id);
        let node = self.node(candidate.node);
        if candidate.outcome == OTHER_VALUE {
            return none_of(terms, node.operand, node.edges.iter().map(|edge| edge.outcome));
        }
        constraint(terms, sites, (node.kind, node.site), node.operand, candidate.outcome)
            .expect("a candidate is only made for an outcome its site has")
    }

    /// Takes a run: number `run`, counted from 1.
    pub fn absorb(&mut self, terms: &mut Terms, sites: &SiteTable, trace: &RunTrace, run: u64) -> Absorbed {
        crate::paths::absorb::absorb(self, terms, sites, trace, run)
    }

    /// The first node after an edge (`None`: after the start of the unit).
    pub(crate) fn first_after(&self, edge: Option<(NodeId, u32)>) -> Option<NodeId> {
        match edge {
            None => self.roots,
            Some((node, edge)) => self.node(node).edges.get(edge).child,
        }
    }

    /// Adds a node after an edge; the first run's outcome becomes its first edge.
    pub(crate) fn add_node(
        &mut self,
        parent: Option<(NodeId, u32)>,
        make: impl FnOnce(Option<NodeId>) -> PathNode,
    ) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        let older = self.first_after(parent);
        let node = make(older);
        self.evaluations += usize::from(node.evaluating.is_some());
        self.nodes.push(node);
        match parent {
            None => self.roots = Some(id),
            Some((node, edge)) => self.nodes[node.index()].edges.get_mut(edge).child = Some(id),
        }
        id
    }

    pub(crate) fn edges_with(outcome: Outcome, constraint: Term) -> Edges {
        Edges::new(Edge { outcome, constraint, child: None })
    }

    /// The edge of an existing node for this outcome, made if no run took it before.
    pub(crate) fn edge_for(
        &mut self,
        terms: &mut Terms,
        sites: &SiteTable,
        node: NodeId,
        outcome: Outcome,
    ) -> Option<u32> {
        let known = &self.nodes[node.index()];
        if let Some(index) = known.edges.position(outcome) {
            return Some(index);
        }
        let constraint = constraint(terms, sites, (known.kind, known.site), known.operand, outcome)?;
        self.more_edges += 1;
        let index = self.nodes[node.index()].edges.push(Edge { outcome, constraint, child: None });
        self.candidate_was_taken(node, outcome);
        Some(index)
    }

    /// A run went a way that was a candidate until now.
    fn candidate_was_taken(&mut self, node: NodeId, outcome: Outcome) {
        let (range, kind) = (self.node(node).candidates.clone(), self.node(node).kind);
        if kind == EventKind::InternalSwitch {
            if range.is_empty() {
                return;
            }
            // The values not taken yet have shrunk by one: a new candidate stands for the rest.
            self.set_state(CandidateId(range.start), CandidateState::Done);
            let id = self.candidates.len() as u32;
            self.add_candidate(node, OTHER_VALUE, false);
            self.nodes[node.index()].candidates = id..id + 1;
            return;
        }
        let taken = range.map(CandidateId).find(|&id| self.candidate(id).outcome == outcome);
        if let Some(id) = taken {
            self.set_state(id, CandidateState::Done);
        }
    }

    pub(crate) fn add_candidate(&mut self, node: NodeId, outcome: Outcome, is_fault: bool) {
        let is_constructed = false;
        self.candidates.push(Candidate {
            node,
            outcome,
            is_fault,
            is_constructed,
            state: CandidateState::Open,
        });
        self.open_candidates += 1;
    }

    /// Adds a candidate that asks for more than one outcome at its node; it belongs to whoever made it.
    pub(crate) fn add_constructed(&mut self, node: NodeId, outcome: Outcome) -> CandidateId {
        let id = CandidateId(self.candidates.len() as u32);
        self.add_candidate(node, outcome, false);
        self.candidates[id.0 as usize].is_constructed = true;
        id
    }

    /// Adds a check that decides nothing, as a candidate for its failing: a leaf beside the path, behind the edge where the
    /// run stood. No run ever takes it. `None` if the tree is full.
    pub(crate) fn add_check(
        &mut self,
        behind: Option<(NodeId, u32)>,
        (site, operand): (u32, Term),
        run: u64,
    ) -> Option<CandidateId> {
        if self.nodes.len() >= MAX_TREE {
            return None;
        }
        let node = NodeId::new(self.nodes.len());
        let id = CandidateId(self.candidates.len() as u32);
        self.nodes.push(PathNode {
            site,
            kind: EventKind::Undefined,
            operand,
            depth: behind.map_or(0, |(above, _)| self.node(above).depth + 1),
            run,
            guards_guess: false,
            asks_for_null: false,
            last_branch: LastBranch::new(None),
            evaluating: None,
            parent: behind,
            place: PlaceInRun { event: u32::MAX, looks: 0 },
            next_variant: None,
            edges: PathTree::edges_with(1, operand),
            candidates: id.0..id.0 + 1,
        });
        self.add_candidate(node, 0, true);
        Some(id)
    }

    /// The candidate at a node for this outcome, if nobody has settled it.
    pub(crate) fn open_candidate(&self, node: NodeId, outcome: Outcome) -> Option<CandidateId> {
        let mut candidates = self.node(node).candidates.clone().map(CandidateId);
        candidates.find(|&id| {
            let candidate = self.candidate(id);
            candidate.outcome == outcome && candidate.state == CandidateState::Open
        })
    }

    /// The constraint under which a node goes this way.
    pub(crate) fn outcome_constraint(
        &self,
        terms: &mut Terms,
        sites: &SiteTable,
        node: NodeId,
        outcome: Outcome,
    ) -> Option<Term> {
        let node = self.node(node);
        constraint(terms, sites, (node.kind, node.site), node.operand, outcome)
    }
}
