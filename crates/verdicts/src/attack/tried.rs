//! What the runs of a unit were given: the first of them, and a fair sample of the others.
//!
//! Takes every run, keeps a bounded number. Never: what a run did.

use tarka_inputs::ReplayInput;
use tarka_search::Rng;

/// Runs that are kept whatever comes later: they show the most.
const FIRST: usize = 200;

/// Room for those after them.
const SAMPLED: usize = 200;

/// Inputs of runs, over all sizes of inputs.
pub struct Tried<'a> {
    first: Vec<ReplayInput<'a>>,
    sampled: Vec<ReplayInput<'a>>,
    /// Runs that were offered to the sample.
    offered: usize,
    rng: Rng,
}

impl<'a> Tried<'a> {
    /// Nothing yet.
    pub fn new(seed: u64) -> Tried<'a> {
        Tried { first: Vec::new(), sampled: Vec::new(), offered: 0, rng: Rng::new(!seed) }
    }

    /// Takes a run.
    pub fn add(&mut self, given: impl FnOnce() -> ReplayInput<'a>) {
        if self.first.len() < FIRST {
            return self.first.push(given());
        }
        self.offered += 1;
        if self.sampled.len() < SAMPLED {
            return self.sampled.push(given());
        }
        let place = self.rng.below(self.offered);
        if place < SAMPLED {
            self.sampled[place] = given();
        }
    }

    /// What is kept, but for runs that took all the time or memory they had.
    pub fn kept(&self) -> impl Iterator<Item = &ReplayInput<'a>> {
        self.first.iter().chain(&self.sampled).filter(|given| !given.is_slow)
    }
}
