//! `rp-md2u`: the baseline of paper 2 (§V.A): random path and minimal distance to what is uncovered, in turn.
//!
//! Minimal distance takes a candidate from whose branch the fewest branches lead to an open goal, any of those; among
//! branches at the same distance the one that was asked least.

use std::cmp::Reverse;

use super::interleave::Interleave;
use super::kinds::{KindFacts, Kinds, Pick};
use super::random_path::RandomPath;
use super::{RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;
use crate::statics::Ground;
use crate::statics::distance::Distances;
use crate::statics::goals::Change;

/// Random path and minimal distance in turn.
pub fn rp_md2u() -> Interleave {
    let in_turn =
        Interleave::new(vec![Box::new(RandomPath::default()), Box::new(MinimalDistance::default())]);
    in_turn.named("rp-md2u")
}

/// Minimal distance to what is uncovered.
pub struct MinimalDistance {
    ground: Ground,
    distances: Distances,
    pool: Kinds<Reverse<u32>>,
}

impl Default for MinimalDistance {
    fn default() -> MinimalDistance {
        MinimalDistance {
            ground: Ground::default(),
            distances: Distances::default(),
            pool: Kinds::new(Pick::Random),
        }
    }
}

fn value(ground: &Ground, distances: &Distances, kind: KindFacts) -> Option<Reverse<u32>> {
    let branch = kind.branch.unwrap_or(ground.graph.start());
    Some(Reverse(distances.of_branch(&ground.graph, branch)))
}

impl Strategy for MinimalDistance {
    fn name(&self) -> &'static str {
        "md2u"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.ground = Ground::new(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        let MinimalDistance { ground, distances, pool } = self;
        match ground.update(view, run) {
            Change::Everything => {
                *distances = Distances::new(&ground.graph, &ground.goals);
                pool.revalue_all(|kind| value(ground, distances, kind));
            }
            Change::Closed { occurrences, .. } => {
                let changed = distances.close(&ground.graph, &occurrences);
                pool.revalue_branches(changed, |kind| value(ground, distances, kind));
            }
        }
        pool.absorb(view, new.iter().copied(), |kind| value(ground, distances, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let MinimalDistance { ground, distances, pool } = self;
        pool.choose(view, rng, |kind| value(ground, distances, kind))
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        self.pool.clear();
    }
}
