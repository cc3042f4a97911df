//! `bfs`: the candidate with the fewest decisions before it, the oldest first among equals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Breadth-first search.
#[derive(Default)]
pub struct BreadthFirst {
    heap: BinaryHeap<Reverse<(u32, CandidateId)>>,
}

impl Strategy for BreadthFirst {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], _run: RunSummary) {
        let with_depth = |&candidate| Reverse((view.tree.node_of(candidate).depth, candidate));
        self.heap.extend(new.iter().map(with_depth));
    }

    fn choose(&mut self, view: View, _rng: &mut Rng) -> Option<CandidateId> {
        while let Some(Reverse((_, candidate))) = self.heap.pop() {
            if view.is_open(candidate) {
                return Some(candidate);
            }
        }
        None
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        *self = BreadthFirst::default();
    }
}
