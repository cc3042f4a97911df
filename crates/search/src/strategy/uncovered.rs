//! The part of `auto` that goes for what is uncovered itself: candidates whose own branch covers something open, first where
//! they have failed least behind the same branch, then those whose branch has failed least, then the shortest.
//!
//! An infeasible branch in a loop owns a candidate for each iteration of each path: with every failure it falls back
//! behind the others. Where it is met behind another branch than before it gets a new chance, as in context-guided
//! search. A branch that is only wanted again, for a run that ends well, counts as one that has failed [`AGAIN`] times. Not
//! a complete strategy: it hands out nothing when no candidate covers anything by itself.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::kinds::{KindFacts, Kinds, Pick};
use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Failures that a branch which is wanted again is taken to have.
const AGAIN: u32 = 3;

/// Failures after which more of the same is not worth waiting for.
const STUCK: u32 = 2;

/// A branch: site and outcome.
type Branch = (u32, u64);

/// A branch, and the last branch of the source before it.
type Place = (Branch, Option<u32>);

/// Fewer failures are better: at the place, and of the branch anywhere.
type Value = Reverse<(u32, u32)>;

/// Uncovered branches, those with few failures first.
pub(super) struct Uncovered {
    pool: Kinds<Value>,
    failures: Failures,
}

#[derive(Default)]
struct Failures {
    of_branch: FxHashMap<Branch, u32>,
    at: FxHashMap<Place, u32>,
}

impl Default for Uncovered {
    fn default() -> Uncovered {
        Uncovered { pool: Kinds::by_context(Pick::Shortest), failures: Failures::default() }
    }
}

fn place(view: View, candidate: CandidateId) -> Place {
    (view.branch(candidate), view.tree.node_of(candidate).branch_before())
}

/// Nothing if the branch covers nothing that is wanted.
fn value(view: View, failures: &Failures, kind: KindFacts) -> Option<Value> {
    let handicap = if view.wants_open_goal(kind.sample) {
        0
    } else if view.wants_goal_again(kind.sample) {
        AGAIN
    } else {
        return None;
    };
    let at = place(view, kind.sample);
    let failed = |known: Option<&u32>| handicap + known.copied().unwrap_or(0);
    Some(Reverse((failed(failures.at.get(&at)), failed(failures.of_branch.get(&at.0)))))
}

impl Uncovered {
    /// True if a candidate is left that covers something open by itself, at a place where its branch has hardly failed.
    pub(super) fn has_fresh(&mut self, view: View, rng: &mut Rng) -> bool {
        let Uncovered { pool, failures } = self;
        let best = pool.best(view, rng, |kind| value(view, failures, kind));
        best.is_some_and(|Reverse((failed_at, failed))| failed < STUCK || failed_at == 0)
    }

    /// True if the branch of a candidate that covers something open has just failed for the second time, the fourth, the
    /// eighth …
    pub(super) fn is_stuck(&self, view: View, candidate: CandidateId) -> bool {
        let failed = self.failures.of_branch.get(&view.branch(candidate)).copied().unwrap_or(0);
        failed >= STUCK && failed.is_power_of_two() && view.wants_open_goal(candidate)
    }
}

impl Strategy for Uncovered {
    fn name(&self) -> &'static str {
        "uncovered"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], _run: RunSummary) {
        let Uncovered { pool, failures } = self;
        pool.revalue_decisions(view, |kind| value(view, failures, kind));
        pool.absorb(view, new.iter().copied(), |kind| value(view, failures, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let Uncovered { pool, failures } = self;
        pool.choose(view, rng, |kind| value(view, failures, kind))
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        if !matches!(state, CandidateState::Done | CandidateState::Running | CandidateState::Open) {
            let Uncovered { pool, failures } = self;
            let at = place(view, candidate);
            *failures.of_branch.entry(at.0).or_default() += 1;
            *failures.at.entry(at).or_default() += 1;
            pool.revalue_branches(view.source_branch(candidate), |kind| value(view, failures, kind));
        }
    }

    fn restart(&mut self) {
        *self = Uncovered::default();
    }
}
