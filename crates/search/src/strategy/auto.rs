//! `auto`: first the candidates whose own branch is still uncovered, shortest first; then, in turn, breadth-first and
//! a random branch.
//!
//! An infeasible branch in a loop owns a candidate for each iteration of each path. A branch that has disappointed
//! [`PATIENCE`] times therefore only gets every second turn, and among uncovered branches those with fewer
//! disappointments go first. A branch that is only wanted again, for a run that ends well, counts as one that has
//! disappointed so often. For the rest, breadth-first is sure to come by every short path and a random branch gets
//! deep into loops: on `examples/tokenizer.c` the two together need a twentieth of the runs of breadth-first alone.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::kinds::{KindFacts, Kinds, Pick};
use super::{BreadthFirst, RandomBranch, RunSummary, Strategy, View};
use crate::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Failed attempts after which an uncovered branch shares its turns with the rest.
const PATIENCE: u32 = 3;

/// Uncovered branches first, then short paths and random branches in turn.
pub struct Auto {
    /// Valued by the branch's failed attempts.
    uncovered: Kinds<Reverse<u32>>,
    shallow: BreadthFirst,
    random: RandomBranch,
    failed: HashMap<(u32, u64), u32>,
    turn: u64,
    others: u64,
}

impl Default for Auto {
    fn default() -> Auto {
        Auto {
            uncovered: Kinds::new(Pick::Shortest),
            shallow: BreadthFirst::default(),
            random: RandomBranch::default(),
            failed: HashMap::new(),
            turn: 0,
            others: 0,
        }
    }
}

/// Fewer failures of the branch are better; nothing if the branch covers nothing that is wanted.
fn value(view: View, failed: &HashMap<(u32, u64), u32>, kind: KindFacts) -> Option<Reverse<u32>> {
    let handicap = if view.wants_open_goal(kind.sample) {
        0
    } else if view.wants_goal_again(kind.sample) {
        PATIENCE
    } else {
        return None;
    };
    Some(Reverse(handicap + failed.get(&view.branch(kind.sample)).copied().unwrap_or(0)))
}

impl Strategy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        // Every candidate is with the other two as well, so one whose branch gets covered elsewhere is not lost.
        self.shallow.absorb(view, new, run);
        self.random.absorb(view, new, run);
        self.uncovered.revalue_decisions(view, |kind| value(view, &self.failed, kind));
        self.uncovered.absorb(view, new.iter().copied(), |kind| value(view, &self.failed, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.turn += 1;
        let value = |kind: KindFacts| value(view, &self.failed, kind);
        let best = self.uncovered.best(view, rng, value);
        let share = best.is_some_and(|Reverse(failures)| failures >= PATIENCE) && self.turn.is_multiple_of(2);
        if best.is_some() && !share {
            return self.uncovered.choose(view, rng, value);
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
            let branch = view.source_branch(candidate);
            self.uncovered.revalue_branches(branch, |kind| value(view, &self.failed, kind));
        }
    }

    fn restart(&mut self) {
        *self = Auto::default();
    }
}
