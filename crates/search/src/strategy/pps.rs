//! `pps`: predictive path search of paper 2 (§IV.C, "Automated coverage-driven test data generation using dynamic
//! symbolic execution").
//!
//! A candidate is worth the number of open goals at the branch it takes and at most [`LEVELS`] branches further down, calls
//! entered and returned from. All that cover something open for sure go before any that only may; ties go to the shorter
//! path. What a goal was worth is taken off when it is covered.

use super::kinds::{KindFacts, Kinds, Pick};
use super::{RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;
use crate::statics::Ground;
use crate::statics::goals::Change;
use crate::statics::nearby::Nearby;

/// How many branches below the flipped one are looked at: the paper's best.
const LEVELS: u32 = 3;

/// Predictive path search.
pub struct PredictivePath {
    ground: Ground,
    nearby: Nearby,
    pool: Kinds<(bool, u32)>,
}

impl Default for PredictivePath {
    fn default() -> PredictivePath {
        PredictivePath {
            ground: Ground::default(),
            nearby: Nearby::default(),
            pool: Kinds::new(Pick::Shortest),
        }
    }
}

/// Whether it covers something for sure, and how much lies near it.
fn value(view: View, ground: &Ground, nearby: &Nearby, kind: KindFacts) -> Option<(bool, u32)> {
    let branch = kind.branch.unwrap_or(ground.graph.start());
    Some((view.wants_open_goal(kind.sample), nearby.of_branch(&ground.graph, branch)))
}

impl Strategy for PredictivePath {
    fn name(&self) -> &'static str {
        "pps"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.ground = Ground::new(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        let PredictivePath { ground, nearby, pool } = self;
        match ground.update(view, run) {
            Change::Everything => {
                *nearby = Nearby::new(&ground.graph, &ground.goals, LEVELS);
                pool.revalue_all(|kind| value(view, ground, nearby, kind));
            }
            Change::Closed { goals, .. } => {
                let changed = nearby.close(&ground.graph, &goals);
                pool.revalue_branches(changed, |kind| value(view, ground, nearby, kind));
            }
        }
        pool.revalue_decisions(view, |kind| value(view, ground, nearby, kind));
        pool.absorb(view, new.iter().copied(), |kind| value(view, ground, nearby, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let PredictivePath { ground, nearby, pool } = self;
        pool.choose(view, rng, |kind| value(view, ground, nearby, kind))
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        self.pool.clear();
    }
}
