//! Intervals and equalities: what ranges, certain bits and sets of byte values say without any search.
//!
//! Takes a question; answers it if the values its clauses allow contradict each other, if so few are left that all can
//! be tried, or if values at the ends of the ranges, nearest to the current ones first, satisfy it. A contradiction is
//! told with the clauses that took part.

mod analysis;
mod backward;
mod bytes;
mod few;
mod forward;
mod picks;
mod range;
mod relations;
#[cfg(test)]
mod tests;

use crate::Answer;
use crate::layer::{Layer, Question};
pub(crate) use analysis::{Analysis, Outcome};
use tarka_terms::{Evaluator, Terms};

/// The layer of intervals.
#[derive(Default)]
pub(crate) struct Intervals {
    analysis: Analysis,
    evaluator: Evaluator,
}

impl Layer for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        let core = match relations::contradiction(terms, question.clauses()) {
            Some(core) => core,
            None => match self.analysis.run(terms, question) {
                Outcome::PassedOn => return None,
                Outcome::Narrowed => {
                    return picks::answer(terms, question, &self.analysis, &mut self.evaluator);
                }
                Outcome::Contradiction(core) => core,
            },
        };
        question.core = Some(core);
        Some(Answer::Unsat)
    }
}
