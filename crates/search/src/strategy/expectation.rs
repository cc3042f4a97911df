//! `expectation`: paper 5 ("A search strategy guided by uncovered branches for concolic testing"), with the global pool
//! that its conclusion asks for.
//!
//! A candidate weighs what its branch does: the number of open branches that a run is expected to come by from there (see
//! [`crate::statics::expectation`]). The n-th candidate of a branch weighs an n-th of it, whichever they are: a branch in a
//! loop owns many, and the paper numbers them at random. A candidate that proves infeasible weighs nothing and is gone; the
//! others of its branch have already moved back. Under criteria that look at whole decisions, candidates of one branch can
//! differ in what they cover: among equal weights, those that cover something go first.

use super::kinds::{KindFacts, Kinds, Pick};
use super::{RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;
use crate::statics::Ground;
use crate::statics::expectation::Weights;
use crate::statics::goals::Change;

/// A weight that can be ordered.
#[derive(Clone, Copy, Debug)]
struct Weight(f64);

impl Ord for Weight {
    fn cmp(&self, other: &Weight) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Weight) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Weight {
    fn eq(&self, other: &Weight) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Weight {}

/// Expectation of open branches.
pub struct Expectation {
    ground: Ground,
    weights: Weights,
    pool: Kinds<(Weight, bool)>,
}

impl Default for Expectation {
    fn default() -> Expectation {
        Expectation { ground: Ground::default(), weights: Weights::default(), pool: Kinds::new(Pick::Random) }
    }
}

fn value(view: View, ground: &Ground, weights: &Weights, kind: KindFacts) -> Option<(Weight, bool)> {
    let branch = kind.branch.unwrap_or(ground.graph.start());
    let weight = weights.of_branch(&ground.graph, branch) / f64::from(kind.handed_out + 1);
    Some((Weight(weight), view.wants_open_goal(kind.sample)))
}

impl Strategy for Expectation {
    fn name(&self) -> &'static str {
        "expectation"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.ground = Ground::new(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        let Expectation { ground, weights, pool } = self;
        match ground.update(view, run) {
            Change::Everything => {
                *weights = Weights::new(&ground.graph, &ground.goals);
                pool.revalue_all(|kind| value(view, ground, weights, kind));
            }
            Change::Closed { occurrences, .. } => {
                let changed = weights.close(&ground.graph, &ground.goals, &occurrences);
                pool.revalue_branches(changed, |kind| value(view, ground, weights, kind));
            }
        }
        pool.revalue_decisions(view, |kind| value(view, ground, weights, kind));
        pool.absorb(view, new.iter().copied(), |kind| value(view, ground, weights, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let Expectation { ground, weights, pool } = self;
        pool.choose(view, rng, |kind| value(view, ground, weights, kind))
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        self.pool.clear();
    }
}
