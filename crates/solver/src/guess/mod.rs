//! A cheap try at hard arithmetic: a handful of values for each input of it, clauses solved for one of them, and a short
//! climb from there.
//!
//! Takes a sliced query with floating operations, or divisions of wide integers; gives a model under which every clause holds, or hands the query on.
//! Z3 turns floating arithmetic into circuits of its bits, and one product of doubles may take it seconds; the
//! values that programs ask for are mostly a constant of the query, its neighbour or a simple number.
//!
//! Never answers that there is no model, never looks at a clock, and draws no random numbers: the same query on the
//! same input has the same answer.

mod climb;
mod invert;
mod values;
mod variables;

use crate::{Answer, Figures, Model, Query, Solver};
use climb::Climb;
use tarka_terms::{Evaluator, Terms};
use variables::Findings;

/// Most evaluations of a query.
const MAX_EVALUATIONS: usize = 4_000;
/// Most terms that are evaluated for a query, all its evaluations together: some 20 ms.
const MAX_TERM_EVALUATIONS: usize = 1_000_000;

/// The layer for hard arithmetic.
pub(crate) struct Guess<S> {
    inner: S,
    evaluator: Evaluator,
    guessed: u64,
}

impl<S> Guess<S> {
    pub(crate) fn new(inner: S) -> Self {
        Guess { inner, evaluator: Evaluator::new(), guessed: 0 }
    }

    fn guess(&mut self, terms: &Terms, query: &Query) -> Option<Model> {
        let findings = Findings::of(terms, query, MAX_TERM_EVALUATIONS / 100)?;
        let most = if findings.has_floats { MAX_TERM_EVALUATIONS } else { MAX_TERM_EVALUATIONS / 4 };
        let evaluations = MAX_EVALUATIONS.min(most / findings.terms);
        let climb = Climb::new(terms, query, &findings, &mut self.evaluator, evaluations);
        let bytes = climb.run()?;
        Some(Model::of_query(terms, query, &|input| bytes.get(&input).copied().unwrap_or_default()))
    }
}

impl<S: Solver> Solver for Guess<S> {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        if let Some(model) = self.guess(terms, query) {
            self.guessed += 1;
            return Answer::Sat(model);
        }
        self.inner.solve(terms, query)
    }

    fn figures(&self) -> Figures {
        let inner = self.inner.figures();
        Figures { direct: inner.direct + self.guessed, ..inner }
    }
}

#[cfg(test)]
mod tests;
