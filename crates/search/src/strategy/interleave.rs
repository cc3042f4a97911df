//! Two strategies in turn, on the same candidates. Both see every run and every answer, and what one has settled the
//! other skips.

use super::{RunSummary, Strategy, UnitFacts, View};
use crate::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Two strategies in turn.
pub struct Interleave {
    name: String,
    strategies: [Box<dyn Strategy>; 2],
    turn: usize,
}

impl Interleave {
    /// The first choice is the first strategy's.
    pub fn new(first: Box<dyn Strategy>, second: Box<dyn Strategy>) -> Interleave {
        let name = format!("{}+{}", first.name(), second.name());
        Interleave { name, strategies: [first, second], turn: 0 }
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

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let turn = self.turn;
        self.turn = 1 - turn;
        self.strategies[turn].choose(view, rng).or_else(|| self.strategies[1 - turn].choose(view, rng))
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
