//! MC/DC by construction: asks for the evaluation that completes a pair instead of hoping for it.
//!
//! Takes the path tree and the wanted evaluations of each decision; gives a node at which a known path leaves a wanted
//! evaluation, and what the conditions behind that node must be as well. The conditions before the node stay as they are.
//! Behind it the terms are those that another path had in the same evaluation; where none had, nothing is asked and the
//! next run shows more. Every node is tried once for each wanted evaluation and number of terms known, so this ends.
//!
//! Never: the solver.

use std::collections::{HashMap, HashSet, VecDeque};

use tarka_source::DecisionId;
use tarka_terms::{BinaryOp, Term, Terms};

use crate::SiteTable;
use crate::goals::coverage::{Goals, Scope};
use crate::goals::vector::Vector;
use crate::paths::candidate::CandidateId;
use crate::paths::constraint::Outcome;
use crate::paths::tree::{NodeId, PathTree};

/// Nodes of one decision that are considered: those found first. The strategy has the others all the same.
const MOST_NODES: usize = 512;

/// What is known of the decisions along the paths.
#[derive(Default)]
pub(crate) struct Construction {
    /// Nodes of each decision with ways not taken.
    nodes: HashMap<DecisionId, Vec<NodeId>>,
    /// A node for each condition within one evaluation, by the evaluation's first node.
    known: HashMap<NodeId, HashMap<u32, NodeId>>,
    tried: HashSet<(NodeId, Vector, u32)>,
    queue: VecDeque<Attempt>,
    /// Something was learnt since the queue was made.
    is_stale: bool,
    /// Further clauses of the candidates that were made here.
    clauses: HashMap<CandidateId, Vec<(NodeId, Outcome)>>,
}

/// One attempt: the node, which way to go there, and what to ask of the conditions behind it.
#[derive(Clone)]
struct Attempt {
    node: NodeId,
    outcome: bool,
    behind: Vec<(NodeId, bool)>,
    wanted: Vector,
    is_again: bool,
}

/// A candidate to complete a pair.
pub(crate) struct Constructed {
    pub(crate) candidate: CandidateId,
    /// Only for a pair that runs which ended badly have shown.
    pub(crate) is_again: bool,
}

impl Construction {
    /// Takes the nodes that a run has added.
    pub(crate) fn absorb(&mut self, tree: &PathTree, goals: &Goals, first_new: usize) {
        for index in first_new..tree.len() {
            let id = NodeId::new(index);
            let Some(evaluating) = &tree.node(id).evaluating else { continue };
            let nodes = self.nodes.entry(evaluating.decision).or_default();
            if nodes.len() >= MOST_NODES || !goals.wants_of_decision(evaluating.decision, Scope::Wanted) {
                continue;
            }
            nodes.push(id);
            self.known.entry(evaluating.anchor).or_default().entry(evaluating.position).or_insert(id);
            self.is_stale = true;
        }
    }

    /// Evaluations were seen that change what is wanted.
    pub(crate) fn evaluations_changed(&mut self) {
        self.is_stale = true;
    }

    /// The next candidate to ask for: one of the tree's own where nothing can be said of the conditions behind it.
    pub(crate) fn choose(&mut self, tree: &mut PathTree, goals: &Goals) -> Option<Constructed> {
        if std::mem::take(&mut self.is_stale) {
            self.fill_queue(tree, goals);
        }
        while let Some(step) = self.queue.pop_front() {
            let outcome = u64::from(step.outcome);
            let Some(plain) = tree.open_candidate(step.node, outcome) else { continue };
            if !self.tried.insert((step.node, step.wanted, step.behind.len() as u32)) {
                continue;
            }
            if step.behind.is_empty() {
                return Some(Constructed { candidate: plain, is_again: step.is_again });
            }
            let behind = step.behind.iter().map(|&(node, value)| (node, u64::from(value))).collect();
            let candidate = self.ask_at_once(tree, plain, behind);
            return Some(Constructed { candidate, is_again: step.is_again });
        }
        None
    }

    /// A candidate that asks for another one and for outcomes of further decisions at once.
    pub(crate) fn ask_at_once(
        &mut self,
        tree: &mut PathTree,
        plain: CandidateId,
        behind: Vec<(NodeId, Outcome)>,
    ) -> CandidateId {
        let (node, outcome) = (tree.candidate(plain).node, tree.candidate(plain).outcome);
        let candidate = tree.add_constructed(node, outcome);
        self.clauses.insert(candidate, behind);
        candidate
    }

    /// What a constructed candidate asks for beside its own outcome.
    pub(crate) fn clauses_behind(
        &self,
        terms: &mut Terms,
        (tree, sites): (&PathTree, &SiteTable),
        candidate: CandidateId,
        own: Term,
    ) -> Term {
        let mut all = own;
        for &(node, outcome) in self.clauses.get(&candidate).into_iter().flatten() {
            let clause = tree.outcome_constraint(terms, sites, node, outcome);
            if let Some(clause) = clause {
                all = terms.binary(BinaryOp::And, all, clause);
            }
        }
        all
    }

    fn fill_queue(&mut self, tree: &PathTree, goals: &Goals) {
        self.queue.clear();
        for state in goals.unshown_decisions() {
            let Some(nodes) = self.nodes.get_mut(&state.id) else { continue };
            // A node that was left both ways has nothing more to give.
            nodes.retain(|&node| (0..2).any(|outcome| tree.open_candidate(node, outcome).is_some()));
            let open = state.wanted(Scope::Open).count();
            for (index, wanted) in state.wanted(Scope::Wanted).enumerate() {
                for &node in nodes.iter() {
                    let Some(mut all) = step(tree, &self.known, node, wanted) else { continue };
                    all.is_again = index >= open;
                    let alone =
                        (!all.behind.is_empty()).then(|| Attempt { behind: Vec::new(), ..all.clone() });
                    let is_new = |step: &Attempt| {
                        let key = (step.node, step.wanted.clone(), step.behind.len() as u32);
                        !self.tried.contains(&key)
                    };
                    self.queue.extend([Some(all), alone].into_iter().flatten().filter(is_new));
                }
            }
        }
        // Open conditions first, then all conditions at once before one by one.
        let order = |step: &Attempt| (step.is_again, std::cmp::Reverse(step.behind.len()), step.node);
        self.queue.make_contiguous().sort_by_key(order);
    }
}

/// How a node can be left towards a wanted evaluation; `None` if the paths there are already apart from it.
fn step(
    tree: &PathTree,
    known: &HashMap<NodeId, HashMap<u32, NodeId>>,
    node: NodeId,
    wanted: &Vector,
) -> Option<Attempt> {
    let evaluating = tree.node(node).evaluating.as_ref()?;
    let outcome = wanted.get(evaluating.position)?;
    tree.open_candidate(node, u64::from(outcome))?;
    if !evaluating.before.agrees(wanted) {
        return None;
    }
    let mut behind: Vec<(u32, NodeId, bool)> = known
        .get(&evaluating.anchor)
        .into_iter()
        .flatten()
        .filter(|&(&position, _)| position > evaluating.position)
        .filter_map(|(&position, &node)| Some((position, node, wanted.get(position)?)))
        .collect();
    behind.sort_unstable();
    let behind = behind.into_iter().map(|(_, node, value)| (node, value)).collect();
    Some(Attempt { node, outcome, behind, wanted: wanted.clone(), is_again: false })
}
