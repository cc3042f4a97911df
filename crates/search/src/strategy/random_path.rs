//! Random path, one half of `rp-md2u`: a candidate with l decisions before it is drawn with weight 2^-l, as a walk down
//! the path tree would that tosses a coin at every decision.

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Depths below the shallowest candidate that are drawn from. The tree has fewer than 2^23 decisions, so all that is
/// deeper would together be drawn once in 2^40 choices.
const DEPTHS: usize = 64;

/// Random path.
#[derive(Default)]
pub struct RandomPath {
    /// Candidates by their number of decisions before them.
    by_depth: Vec<Vec<CandidateId>>,
    /// No candidates are above this depth.
    shallowest: usize,
}

impl RandomPath {
    /// A depth, drawn by the weight of its candidates.
    fn draw_depth(&self, rng: &mut Rng) -> usize {
        let weight = |(below, bag): (usize, &Vec<CandidateId>)| bag.len() as f64 * 0.5f64.powi(below as i32);
        let depths = || self.by_depth[self.shallowest..].iter().take(DEPTHS).enumerate().map(weight);
        let total: f64 = depths().sum();
        let mut left = rng.bits() as f64 / u64::MAX as f64 * total;
        for (below, weight) in depths().enumerate().filter(|(_, weight)| *weight > 0.0) {
            left -= weight;
            if left < 0.0 {
                return self.shallowest + below;
            }
        }
        self.shallowest
    }
}

impl Strategy for RandomPath {
    fn name(&self) -> &'static str {
        "random-path"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], _run: RunSummary) {
        for &candidate in new {
            let depth = view.tree.node_of(candidate).depth as usize;
            if depth >= self.by_depth.len() {
                self.by_depth.resize(depth + 1, Vec::new());
            }
            self.by_depth[depth].push(candidate);
            self.shallowest = self.shallowest.min(depth);
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        loop {
            while self.by_depth.get(self.shallowest)?.is_empty() {
                self.shallowest += 1;
            }
            let depth = self.draw_depth(rng);
            let bag = &mut self.by_depth[depth];
            // Settled ones are thrown out and the draw is repeated, which leaves the chances of the others as they are.
            let candidate = bag.swap_remove(rng.below(bag.len()));
            if view.is_open(candidate) {
                return Some(candidate);
            }
        }
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        *self = RandomPath::default();
    }
}
