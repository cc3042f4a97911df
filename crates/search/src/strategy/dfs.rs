//! `dfs`: always the deepest way not taken of the latest run, as the first concolic testers did.
//!
//! A loop on symbolic data would keep pure depth-first search in its last iterations for ever, so candidates below a
//! depth bound wait, shallowest runs first, until everything above the bound is settled. Nothing is dropped.

use std::collections::VecDeque;

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Decisions on a path below which candidates wait.
pub const DEFAULT_BOUND: u32 = 1000;

/// Depth-first search with a bound.
pub struct DepthFirst {
    bound: u32,
    stack: Vec<CandidateId>,
    waiting: VecDeque<CandidateId>,
}

impl DepthFirst {
    /// With another bound than the default.
    pub fn with_bound(bound: u32) -> DepthFirst {
        DepthFirst { bound, stack: Vec::new(), waiting: VecDeque::new() }
    }
}

impl Default for DepthFirst {
    fn default() -> DepthFirst {
        DepthFirst::with_bound(DEFAULT_BOUND)
    }
}

impl Strategy for DepthFirst {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], _run: RunSummary) {
        for &candidate in new {
            if view.tree.node_of(candidate).depth < self.bound {
                self.stack.push(candidate);
            } else {
                self.waiting.push_back(candidate);
            }
        }
    }

    fn choose(&mut self, view: View, _rng: &mut Rng) -> Option<CandidateId> {
        while let Some(candidate) = self.stack.pop() {
            if view.is_open(candidate) {
                return Some(candidate);
            }
        }
        while let Some(candidate) = self.waiting.pop_front() {
            if view.is_open(candidate) {
                return Some(candidate);
            }
        }
        None
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        *self = DepthFirst::with_bound(self.bound);
    }
}
