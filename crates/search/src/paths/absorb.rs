//! How a run enters the path tree: compare along what is known, import what is new.
//!
//! Takes the tree, a trace and the sites; gives what was new in it. Never: goals, strategies.

use std::hash::{BuildHasherDefault, Hasher};

use tarka_terms::{Term, Terms};
use tarka_trace::{CHECK_OF_GUESS, CHECK_OF_NULL, EventKind, Op, TraceEvent, node_index};

use crate::faults::fault_queue::CheckPlace;
use crate::import::Importer;
use crate::paths::constraint::{OTHER_VALUE, Outcome, constraint, outcome_of};
use crate::paths::evaluating::{Evaluating, Tracker};
use crate::paths::path::failed_check_events;
use crate::paths::tree::{Absorbed, LastBranch, MAX_DEPTH, MAX_TREE, NodeId, PathNode, PathTree, PlaceInRun};
use crate::{RunTrace, SiteTable};

/// Different continuations kept after one and the same prefix. More than one means that something untracked decides
/// (a concretised value, a library call); their number must not grow with the runs.
const MAX_VARIANTS: usize = 8;

pub(crate) fn absorb(
    tree: &mut PathTree,
    terms: &mut Terms,
    sites: &SiteTable,
    trace: &RunTrace,
    run: u64,
) -> Absorbed {
    let first_candidate = tree.candidates.len() as u32;
    let place = |event: &TraceEvent| CheckPlace { site: event.site, of_null: event.aux == CHECK_OF_NULL };
    let failed_checks = failed_check_events(trace.events).map(place).collect();
    let mut absorbed = Absorbed { failed_checks, ..Absorbed::default() };
    let known = Walk::along_known_path(tree, terms, sites, trace);
    absorbed.depth = known.depth;
    absorbed.last = known.edge.map(|(node, _)| node);
    absorbed.end = known.edge;
    absorbed.known_events = known.next_event as u32;
    absorbed.differs = known.differs;
    if known.next_event < trace.events.len() {
        if known.variants < MAX_VARIANTS {
            add_rest(tree, terms, sites, trace, run, known, &mut absorbed);
        } else {
            absorbed.cut = true;
        }
    }
    absorbed.new_candidates = first_candidate..tree.candidates.len() as u32;
    absorbed
}

/// How far a run follows paths that are already in the tree.
struct Walk {
    /// The last edge taken (`None`: at the start).
    edge: Option<(NodeId, u32)>,
    /// Decisions passed.
    depth: u32,
    /// First event that is not part of the known path.
    next_event: usize,
    /// The tree goes on after the last edge, but the run went on differently.
    differs: bool,
    /// In how many ways the tree goes on there.
    variants: usize,
}

impl Walk {
    fn along_known_path(tree: &mut PathTree, terms: &mut Terms, sites: &SiteTable, trace: &RunTrace) -> Walk {
        let mut walk = Walk { edge: None, depth: 0, next_event: 0, differs: false, variants: 0 };
        let mut since_parent = 0;
        let mut index = 0;
        let mut ahead = tree.first_after(None);
        while let Some(first) = ahead {
            let Some(event) = trace.events.get(index) else { break };
            let matching = find_variant(tree, first, trace, event, index, since_parent);
            index += 1;
            let Some(node) = matching else {
                since_parent = mix_event(since_parent, event);
                if passed_all(tree, first, index) {
                    break;
                }
                continue;
            };
            let outcome = outcome_of(event, tree.node(node).kind);
            let Some(edge) = tree.edge_for(terms, sites, node, outcome) else { break };
            walk = Walk { edge: Some((node, edge)), depth: walk.depth + 1, next_event: index, ..walk };
            since_parent = 0;
            ahead = tree.first_after(walk.edge);
        }
        walk.variants = variants(tree, ahead).count();
        walk.differs = walk.variants > 0;
        walk
    }
}

fn variants(tree: &PathTree, first: Option<NodeId>) -> impl Iterator<Item = NodeId> {
    std::iter::successors(first, |&node| tree.node(node).next_variant)
}

fn passed_all(tree: &PathTree, first: NodeId, index: usize) -> bool {
    variants(tree, Some(first)).all(|node| (tree.node(node).place.event as usize) < index)
}

fn find_variant(
    tree: &PathTree,
    first: NodeId,
    trace: &RunTrace,
    event: &TraceEvent,
    index: usize,
    since_parent: u64,
) -> Option<NodeId> {
    let mut looks = None;
    variants(tree, Some(first)).find(|&id| {
        let node = tree.node(id);
        node.place.event as usize == index
            && (node.site, node.kind as u16) == (event.site, event.kind)
            && event.label != 0
            && node.place.looks == *looks.get_or_insert_with(|| looks_of(trace, event.label, since_parent))
    })
}

/// Adds every decision from the first unknown event on.
fn add_rest(
    tree: &mut PathTree,
    terms: &mut Terms,
    sites: &SiteTable,
    trace: &RunTrace,
    run: u64,
    known: Walk,
    absorbed: &mut Absorbed,
) {
    let mut settled = settled_above(tree, known.edge);
    let mut importer = Importer::after(std::mem::take(&mut tree.imports), terms, trace);
    let mut edge = known.edge;
    let mut since_parent = 0;
    let (before, rest) = trace.events.split_at(known.next_event);
    let mut after = before.iter().rev().find_map(|event| branch_of(sites, event));
    let mut tracker = Tracker::new(sites);
    if tracker.is_needed() {
        before.iter().enumerate().for_each(|(index, event)| _ = tracker.step(event, index as u32));
    }
    for (index, event) in (known.next_event..).zip(rest) {
        let evaluating = tracker.step(event, index as u32);
        let last_branch = LastBranch::new(after);
        after = branch_of(sites, event).or(after);
        let decision =
            if event.label == 0 { None } else { Decision::new(terms, sites, &mut importer, event) };
        absorbed.cut |= event.label != 0 && decision.is_none();
        let mut is_new = |taken| terms.as_constant(taken).is_none() && settled.insert(taken);
        let Some(decision) = decision.filter(|decision| is_new(decision.taken)) else {
            since_parent = mix_event(since_parent, event);
            continue;
        };
        if absorbed.depth >= MAX_DEPTH || tree.len() >= MAX_TREE {
            absorbed.cut = true;
            break;
        }
        let place = PlaceInRun { event: index as u32, looks: looks_of(trace, event.label, since_parent) };
        let evaluating = evaluating.map(|evaluating| Box::new(with_anchor(tree, edge, evaluating)));
        let node = tree.add_node(edge, |older| PathNode {
            site: event.site,
            kind: decision.kind,
            operand: decision.operand,
            depth: absorbed.depth,
            run,
            guards_guess: decision.kind == EventKind::Check && event.aux == CHECK_OF_GUESS,
            asks_for_null: decision.kind == EventKind::Check && event.aux == CHECK_OF_NULL,
            last_branch,
            evaluating,
            parent: edge,
            place,
            next_variant: older,
            edges: PathTree::edges_with(decision.outcome, decision.taken),
            candidates: 0..0,
        });
        add_candidates(tree, sites, node, &decision, event);
        absorbed.depth += 1;
        absorbed.last = Some(node);
        absorbed.new_nodes += 1;
        edge = Some((node, 0));
        absorbed.end = edge;
        since_parent = 0;
    }
    tree.imports = importer.into_imports();
}

/// The branch of a source site that an event records, by its index in the coverage map.
pub(crate) fn branch_of(sites: &SiteTable, event: &TraceEvent) -> Option<u32> {
    let is_source = event.kind == EventKind::Condition as u16 || event.kind == EventKind::Switch as u16;
    if is_source { sites.coverage_index(event.site, event.outcome as u32) } else { None }
}

/// Finds the first node of an evaluation for the node that is about to be added after `edge`.
fn with_anchor(tree: &PathTree, edge: Option<(NodeId, u32)>, evaluating: Evaluating) -> Evaluating {
    let mut at = edge;
    while let Some((id, _)) = at {
        let node = tree.node(id);
        if node.place.event < evaluating.start {
            break;
        }
        let same =
            |above: &&Evaluating| (above.decision, above.start) == (evaluating.decision, evaluating.start);
        if let Some(above) = node.evaluating.as_deref().filter(same) {
            return Evaluating { anchor: above.anchor, ..evaluating };
        }
        at = node.parent;
    }
    Evaluating { anchor: NodeId::new(tree.len()), ..evaluating }
}

/// One event with its terms.
struct Decision {
    kind: EventKind,
    operand: Term,
    outcome: Outcome,
    /// The constraint of the outcome the run took.
    taken: Term,
}

impl Decision {
    fn new(
        terms: &mut Terms,
        sites: &SiteTable,
        importer: &mut Importer,
        event: &TraceEvent,
    ) -> Option<Decision> {
        let kind = EventKind::from_u16(event.kind)?;
        let operand = importer.import(terms, event.label)?;
        let outcome = outcome_of(event, kind);
        let taken = constraint(terms, sites, (kind, event.site), operand, outcome)?;
        Some(Decision { kind, operand, outcome, taken })
    }
}

/// The ways a new node did not go.
fn add_candidates(
    tree: &mut PathTree,
    sites: &SiteTable,
    node: NodeId,
    decision: &Decision,
    event: &TraceEvent,
) {
    let first = tree.candidates.len() as u32;
    let taken = decision.outcome;
    match decision.kind {
        EventKind::Condition | EventKind::Internal => tree.add_candidate(node, 1 - taken.min(1), false),
        EventKind::Switch => {
            let others = (0..sites.outcomes(event.site) as u64).filter(|&arm| arm != taken);
            others.for_each(|arm| tree.add_candidate(node, arm, false));
        }
        EventKind::InternalSwitch => tree.add_candidate(node, OTHER_VALUE, false),
        // A check that failed is flipped like a condition: beyond it lies the rest of the unit.
        EventKind::Check if taken == 0 => tree.add_candidate(node, 1, false),
        // Leaving an object whose size was our own guess proves nothing.
        EventKind::Check if event.aux == CHECK_OF_GUESS => {}
        EventKind::Check => tree.add_candidate(node, 0, true),
        // No part of a path: `checks` took them out.
        EventKind::Undefined => {}
    }
    tree.nodes[node.index()].candidates = first..tree.candidates.len() as u32;
}

/// Everything that holds on the path down to an edge, so that a repeated condition is recognised.
fn settled_above(tree: &PathTree, edge: Option<(NodeId, u32)>) -> TermSet {
    let mut settled = TermSet::default();
    let mut at = edge;
    while let Some((node, edge)) = at {
        let node = tree.node(node);
        settled.extend(node.edges.iter().nth(edge as usize).map(|edge| edge.constraint));
        at = node.parent;
    }
    settled
}

type TermSet = std::collections::HashSet<Term, BuildHasherDefault<TermHasher>>;

/// Terms are small consecutive numbers: one multiplication spreads them, and the order never depends on chance.
#[derive(Default)]
struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mix(self.0, byte as u64));
    }
    fn write_u32(&mut self, number: u32) {
        self.0 = mix(self.0, number as u64);
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn mix_event(hash: u64, event: &TraceEvent) -> u64 {
    let what = (event.site as u64) << 20 | (event.kind as u64) << 17 | (event.outcome as u64) << 1;
    mix(hash, what | u64::from(event.label != 0))
}

/// A summary of the events since the decision before and of the top of an operand, constants included. It tells apart two
/// checks against different objects and two comparisons with different concretised values; labels themselves would not,
/// as they are only numbers.
fn looks_of(trace: &RunTrace, label: u32, since_parent: u64) -> u64 {
    mix(since_parent, shape(trace, label, 3))
}

fn shape(trace: &RunTrace, label: u32, levels: u32) -> u64 {
    let Some(node) = node_index(label).and_then(|index| trace.nodes.get(index as usize)) else {
        return mix(1, label as u64);
    };
    let own = mix(node.op as u64, node.width as u64);
    match Op::from_u8(node.op) {
        Some(Op::Const) => mix(own, (node.c as u64) << 32 | node.b as u64),
        Some(op) if levels > 0 => {
            let operands = [node.a, node.b, node.c];
            operands[..op.arity() as usize]
                .iter()
                .fold(own, |hash, &operand| mix(hash, shape(trace, operand, levels - 1)))
        }
        _ => own,
    }
}
