//! `generational`: generational search as in SAGE (Godefroid, Levin, Molnar 2008; a baseline of paper 3, §2.3.5).
//!
//! All ways not taken of one run form a generation and are tried in path order. Then comes the generation of the run
//! that covered most when it was made, the oldest among equals. A run owns only the candidates below the place where it
//! left the known paths, so no way is tried twice.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Generational search.
#[derive(Default)]
pub struct Generational {
    /// The generation being tried, the next one last.
    current: Vec<CandidateId>,
    /// Runs that wait: goals they covered first, their order, and where their candidates are.
    waiting: BinaryHeap<(usize, Reverse<usize>)>,
    generations: Vec<Vec<CandidateId>>,
}

impl Generational {
    fn wait(&mut self, score: usize, generation: Vec<CandidateId>) {
        self.waiting.push((score, Reverse(self.generations.len())));
        self.generations.push(generation);
    }
}

impl Strategy for Generational {
    fn name(&self) -> &'static str {
        "generational"
    }

    fn absorb(&mut self, _view: View, new: &[CandidateId], run: RunSummary) {
        if !new.is_empty() {
            self.wait(run.new_goals.len(), new.iter().rev().copied().collect());
        }
    }

    fn choose(&mut self, view: View, _rng: &mut Rng) -> Option<CandidateId> {
        loop {
            while let Some(candidate) = self.current.pop() {
                if view.is_open(candidate) {
                    return Some(candidate);
                }
            }
            let (_, Reverse(best)) = self.waiting.pop()?;
            self.current = std::mem::take(&mut self.generations[best]);
        }
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn move_on(&mut self) {
        let rest = std::mem::take(&mut self.current);
        if !rest.is_empty() {
            self.wait(0, rest);
        }
    }

    fn restart(&mut self) {
        *self = Generational::default();
    }
}
