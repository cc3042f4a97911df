//! Ways on into loops, for what cannot go wrong in their first rounds.
//!
//! Takes the candidates of each run; gives, once nothing else is worth a try, those that make a loop go on which the path has
//! been through before: a sum overflows in its second round at the earliest, and an index that counts rounds leaves its array
//! after enough of them. Never: more than a few.

use std::collections::VecDeque;

use tarka_trace::EventKind;

use crate::candidate::{CandidateId, CandidateState};
use crate::tree::PathTree;

/// Choices in all. Whoever wants to go deeper has goals to cover there.
const MOST: u32 = 16;

/// Candidates kept, and new candidates of a run that are looked at, from its end.
const MOST_KEPT: usize = 64;

/// Decisions above a candidate that are looked at.
const REACH: usize = 64;

/// Candidates that go on in a loop.
#[derive(Default)]
pub(crate) struct Deeper {
    kept: VecDeque<CandidateId>,
    chosen: u32,
}

impl Deeper {
    pub(crate) fn absorb(&mut self, tree: &PathTree, new: &[CandidateId]) {
        if self.chosen >= MOST {
            return;
        }
        let last = &new[new.len().saturating_sub(MOST_KEPT)..];
        self.kept.extend(last.iter().copied().filter(|&id| is_in_a_loop(tree, id)));
        let surplus = self.kept.len().saturating_sub(MOST_KEPT);
        // The oldest and the newest are the ones that are asked for.
        let middle = (self.kept.len() - surplus) / 2;
        self.kept.drain(middle..middle + surplus);
    }

    /// Forgets candidates, but not how many were chosen.
    pub(crate) fn restart(&mut self) {
        self.kept.clear();
    }

    /// By turns the newest, which goes on where the last one went, and the oldest.
    pub(crate) fn choose(&mut self, tree: &PathTree) -> Option<CandidateId> {
        let untried = |&id: &CandidateId| {
            matches!(tree.candidate(id).state, CandidateState::Open | CandidateState::Irrelevant)
        };
        while self.chosen < MOST {
            let takes_newest = self.chosen % 4 != 3;
            let next = if takes_newest { self.kept.pop_back() } else { self.kept.pop_front() }?;
            if untried(&next) {
                self.chosen += 1;
                return Some(next);
            }
        }
        None
    }
}

fn is_in_a_loop(tree: &PathTree, id: CandidateId) -> bool {
    let node = tree.node_of(id);
    let mut above = std::iter::successors(tree.above(node), |at| tree.above(at)).take(REACH);
    node.kind != EventKind::Check && above.any(|at| at.site == node.site)
}
