//! `uniform-random`: uniform random search (Burnim, Sen 2008, CREST; a baseline of paper 3, §2.3.2).
//!
//! Walks down the last path and tosses a coin at each decision: follow it, or try the other way. After a flip the walk
//! goes on below it, on the new path if there is one. At the end of the path it starts anew from a candidate drawn
//! evenly from all, where the original starts from a random input.

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::NodeId;
use crate::rng::Rng;

/// Uniform random search.
#[derive(Default)]
pub struct UniformRandom {
    /// The path walked, from the root.
    path: Vec<NodeId>,
    /// The next decision on it to toss for.
    next: usize,
    /// Where the last flip was.
    flipped: Option<NodeId>,
    /// All candidates, settled ones included until they are drawn.
    pool: Vec<CandidateId>,
}

impl UniformRandom {
    fn walk_to(&mut self, view: View, last: Option<NodeId>) {
        self.path.clear();
        let mut at = last;
        while let Some(node) = at {
            self.path.push(node);
            at = view.tree.node(node).parent.map(|(parent, _)| parent);
        }
        self.path.reverse();
    }

    fn flip(&mut self, view: View, candidate: CandidateId) -> CandidateId {
        self.flipped = Some(view.tree.candidate(candidate).node);
        self.next = view.tree.node_of(candidate).depth as usize + 1;
        candidate
    }
}

impl Strategy for UniformRandom {
    fn name(&self) -> &'static str {
        "uniform-random"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        self.pool.extend_from_slice(new);
        self.walk_to(view, run.last);
        let is_on_path = self
            .flipped
            .is_some_and(|node| self.path.get(view.tree.node(node).depth as usize) == Some(&node));
        if !is_on_path {
            self.next = 0;
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        while let Some(&node) = self.path.get(self.next) {
            self.next += 1;
            if rng.below(2) == 0 {
                continue;
            }
            let ways = view.tree.node(node).candidates.clone().map(CandidateId);
            let is_open = |&id: &CandidateId| view.is_open(id) && !view.tree.candidate(id).is_fault;
            let open: Vec<CandidateId> = ways.filter(is_open).collect();
            if !open.is_empty() {
                let candidate = open[rng.below(open.len())];
                return Some(self.flip(view, candidate));
            }
        }
        while !self.pool.is_empty() {
            let candidate = self.pool.swap_remove(rng.below(self.pool.len()));
            if view.is_open(candidate) {
                self.walk_to(view, Some(view.tree.candidate(candidate).node));
                return Some(self.flip(view, candidate));
            }
        }
        None
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn move_on(&mut self) {
        self.next = self.path.len();
    }

    fn restart(&mut self) {
        *self = UniformRandom::default();
    }
}
