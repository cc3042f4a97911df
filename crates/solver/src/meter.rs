//! Counts questions, answers and time. Changes nothing.

use crate::{Answer, Figures, Query, Solver};
use std::time::Instant;
use tarka_terms::Terms;

/// The counting layer.
pub(crate) struct Meter<S> {
    inner: S,
    figures: Figures,
}

impl<S> Meter<S> {
    pub(crate) fn new(inner: S) -> Self {
        Meter { inner, figures: Figures::default() }
    }
}

impl<S: Solver> Solver for Meter<S> {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        let start = Instant::now();
        let answer = self.inner.solve(terms, query);
        self.figures.time += start.elapsed();
        self.figures.queries += 1;
        match answer {
            Answer::Sat(_) => self.figures.sat += 1,
            Answer::Unsat => self.figures.unsat += 1,
            Answer::Unknown(_) => self.figures.unknown += 1,
        }
        answer
    }

    fn figures(&self) -> Figures {
        let Figures { cached, direct, wrong_models, .. } = self.inner.figures();
        Figures { cached, direct, wrong_models, ..self.figures }
    }
}
