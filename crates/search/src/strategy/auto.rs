//! `auto`: first the candidates whose own branch is still uncovered, shortest first; then, in turn, breadth-first and
//! a random branch.
//!
//! An infeasible branch in a loop owns a candidate for each iteration of each path. A branch that has disappointed
//! [`PATIENCE`] times therefore only gets every second turn, and among uncovered branches those with fewer
//! disappointments go first. A branch that is only wanted again, for a run that ends well, counts as one that has
//! disappointed so often. For the rest, breadth-first is sure to come by every short path and a random branch gets
//! deep into loops: on `examples/tokenizer.c` the two together need a twentieth of the runs of breadth-first alone.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::{BreadthFirst, RandomBranch, RunSummary, Strategy, View};
use crate::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Failed attempts after which an uncovered branch shares its turns with the rest.
const PATIENCE: u32 = 3;

/// Uncovered branches first, then short paths and random branches in turn.
#[derive(Default)]
pub struct Auto {
    /// Keyed by the branch's failed attempts when it was pushed, then depth.
    uncovered: BinaryHeap<Reverse<(u32, u32, CandidateId)>>,
    shallow: BreadthFirst,
    random: RandomBranch,
    failed: HashMap<(u32, u64), u32>,
    turn: u64,
    others: u64,
}

impl Auto {
    /// How often the candidate's branch has disappointed; `None` if it covers nothing that is wanted.
    fn failures(&self, view: View, candidate: CandidateId) -> Option<u32> {
        let handicap = if view.wants_open_goal(candidate) {
            0
        } else if view.wants_goal_again(candidate) {
            PATIENCE
        } else {
            return None;
        };
        Some(handicap + self.failed.get(&view.branch(candidate)).copied().unwrap_or(0))
    }

    /// The best candidate for an uncovered branch, left in the heap, with its branch's failures.
    fn best_uncovered(&mut self, view: View) -> Option<(u32, CandidateId)> {
        while let Some(&Reverse((failures, depth, candidate))) = self.uncovered.peek() {
            let now = if view.is_open(candidate) { self.failures(view, candidate) } else { None };
            if now == Some(failures) {
                return Some((failures, candidate));
            }
            self.uncovered.pop();
            self.uncovered.extend(now.map(|now| Reverse((now, depth, candidate))));
        }
        None
    }
}

impl Strategy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        // Every candidate is with the other two as well, so one whose branch gets covered elsewhere is not lost.
        self.shallow.absorb(view, new, run);
        self.random.absorb(view, new, run);
        for &candidate in new {
            let Some(failures) = self.failures(view, candidate) else { continue };
            self.uncovered.push(Reverse((failures, view.tree.node_of(candidate).depth, candidate)));
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.turn += 1;
        let best = self.best_uncovered(view);
        let share = best.is_some_and(|(failures, _)| failures >= PATIENCE) && self.turn.is_multiple_of(2);
        if let (Some((_, candidate)), false) = (best, share) {
            self.uncovered.pop();
            return Some(candidate);
        }
        self.others += 1;
        // Both know every candidate and skip what is settled, so when one has none left neither has the other.
        if self.others.is_multiple_of(2) {
            self.random.choose(view, rng)
        } else {
            self.shallow.choose(view, rng)
        }
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        if !matches!(state, CandidateState::Done | CandidateState::Running | CandidateState::Open) {
            *self.failed.entry(view.branch(candidate)).or_default() += 1;
        }
    }

    fn restart(&mut self) {
        *self = Auto::default();
    }
}
