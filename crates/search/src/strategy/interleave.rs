//! Strategies in turn, on the same candidates. All see every run and every answer, and what one has settled the others
//! skip. On the command line: their names, joined by `+`.

use super::{Flip, RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Strategies in turn.
pub struct Interleave {
    name: String,
    strategies: Vec<Box<dyn Strategy>>,
    turn: usize,
    /// Who made the latest choice.
    chooser: usize,
}

impl Interleave {
    /// The first choice is the first strategy's.
    pub fn new(strategies: Vec<Box<dyn Strategy>>) -> Interleave {
        let names: Vec<&str> = strategies.iter().map(|strategy| strategy.name()).collect();
        Interleave { name: names.join("+"), strategies, turn: 0, chooser: 0 }
    }

    /// Under a name of its own.
    pub(super) fn named(self, name: &str) -> Interleave {
        Interleave { name: name.to_string(), ..self }
    }
}

impl Strategy for Interleave {
    fn name(&self) -> &str {
        &self.name
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.strategies.iter_mut().for_each(|strategy| strategy.prepare(unit));
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        self.strategies.iter_mut().for_each(|strategy| strategy.absorb(view, new, run));
    }

    /// Whose turn it is, or the next one that has something.
    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let (first, count) = (self.turn, self.strategies.len());
        self.turn = (first + 1) % count;
        for chooser in (first..first + count).map(|turn| turn % count) {
            if let Some(candidate) = self.strategies[chooser].choose(view, rng) {
                self.chooser = chooser;
                return Some(candidate);
            }
        }
        None
    }

    fn flips_along(&mut self) -> Vec<Flip> {
        self.strategies[self.chooser].flips_along()
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        self.strategies.iter_mut().for_each(|strategy| strategy.learn(view, candidate, state));
    }

    fn move_on(&mut self) {
        self.strategies.iter_mut().for_each(|strategy| strategy.move_on());
    }

    fn restart(&mut self) {
        self.strategies.iter_mut().for_each(|strategy| strategy.restart());
        self.turn = 0;
    }
}
