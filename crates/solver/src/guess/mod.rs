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

use crate::layer::{Layer, Question};
use crate::{Answer, Model};
use climb::Climb;
use tarka_terms::{Evaluator, Terms};
use variables::Findings;

/// Most evaluations of a query.
const MAX_EVALUATIONS: usize = 4_000;
/// Most terms that are evaluated for a query, all its evaluations together: some 20 ms.
const MAX_TERM_EVALUATIONS: usize = 1_000_000;

/// The layer for hard arithmetic.
#[derive(Default)]
pub(crate) struct Guess {
    evaluator: Evaluator,
}

impl Guess {
    fn guess(&mut self, terms: &Terms, question: &Question) -> Option<Model> {
        let findings = Findings::of(terms, question, MAX_TERM_EVALUATIONS / 100)?;
        let most = if findings.has_floats { MAX_TERM_EVALUATIONS } else { MAX_TERM_EVALUATIONS / 4 };
        let evaluations = MAX_EVALUATIONS.min(most / findings.terms);
        let climb = Climb::new(terms, question, &findings, &mut self.evaluator, evaluations);
        let bytes = climb.run()?;
        Some(Model::of_question(terms, question, &|input| bytes.get(&input).copied().unwrap_or_default()))
    }
}

impl Layer for Guess {
    fn name(&self) -> &'static str {
        "guess"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.guess(terms, question).map(Answer::Sat)
    }
}

#[cfg(test)]
mod tests;
