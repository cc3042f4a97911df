//! The wrapper `restart`: lets a strategy that gets nowhere give up its position.
//!
//! Takes any strategy. When [`PATIENCE`] choices in a row have covered nothing new, the strategy is told to
//! [move on](Strategy::move_on): a walk starts elsewhere, a list of forbidden moves is cleared. No candidate is lost, and
//! a strategy without a position goes on as before. On the command line it is the word `restart:` before
//! the strategy's name.

use super::{Flip, RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Choices without a new goal after which the strategy has to move on.
pub const PATIENCE: u64 = 100;

/// A strategy that moves on when it gets nowhere.
pub struct Restart {
    name: String,
    inner: Box<dyn Strategy>,
    patience: u64,
    choices_in_vain: u64,
}

impl Restart {
    /// Around this strategy, with the default patience.
    pub fn around(inner: Box<dyn Strategy>) -> Restart {
        Restart::with_patience(inner, PATIENCE)
    }

    /// Around this strategy, moving on after so many choices that covered nothing.
    pub fn with_patience(inner: Box<dyn Strategy>, patience: u64) -> Restart {
        let name = format!("restart:{}", inner.name());
        Restart { name, inner, patience, choices_in_vain: 0 }
    }
}

impl Strategy for Restart {
    fn name(&self) -> &str {
        &self.name
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.inner.prepare(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        if !run.new_goals.is_empty() {
            self.choices_in_vain = 0;
        }
        self.inner.absorb(view, new, run);
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        if self.choices_in_vain >= self.patience {
            self.move_on();
        }
        self.choices_in_vain += 1;
        self.inner.choose(view, rng)
    }

    fn flips_along(&mut self) -> Vec<Flip> {
        self.inner.flips_along()
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        self.inner.learn(view, candidate, state);
    }

    fn move_on(&mut self) {
        self.choices_in_vain = 0;
        self.inner.move_on();
    }

    fn restart(&mut self) {
        self.choices_in_vain = 0;
        self.inner.restart();
    }
}
