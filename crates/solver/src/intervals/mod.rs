//! Intervals and equalities: what ranges, certain bits and sets of byte values say without any search.
//!
//! Takes a question; answers it if the values its clauses allow contradict each other, or how far they are apart; if values at the ends of the
//! ranges, nearest to the current ones first, satisfy it (perhaps when other bytes keep their current value), or if so few
//! are left that all can be tried. A contradiction is told with the clauses that took part.

mod analysis;
mod backward;
mod bytes;
mod differences;
mod few;
mod forward;
mod keep;
mod picks;
mod range;
mod relations;
#[cfg(test)]
mod tests;

pub(crate) use analysis::{Analysis, Outcome};

use crate::Answer;
use crate::layer::{Layer, Question};
use tarka_terms::{Evaluator, Term, Terms};

/// The layer of intervals.
#[derive(Default)]
pub(crate) struct Intervals {
    analysis: Analysis,
    evaluator: Evaluator,
}

impl Intervals {
    /// An answer from the values that are left.
    fn narrowed(&mut self, terms: &Terms, question: &Question) -> Option<Answer> {
        let values = self.analysis.values(terms);
        let model = picks::model(terms, question, &self.analysis, &mut self.evaluator);
        if model.is_some() {
            return model;
        }
        for kept in keep::kept(terms, question, &self.analysis) {
            let outcome = self.analysis.run_keeping(terms, question, &|byte| kept.contains(&byte));
            if matches!(outcome, Outcome::Narrowed) {
                let model = picks::model(terms, question, &self.analysis, &mut self.evaluator);
                if model.is_some() {
                    return model;
                }
            }
        }
        few::answer(terms, question, &values, &mut self.evaluator)
    }
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
                    let clauses: Vec<Term> = question.clauses().collect();
                    match differences::contradiction(terms, &clauses, &self.analysis) {
                        Some(core) => core,
                        None => return self.narrowed(terms, question),
                    }
                }
                Outcome::Contradiction(core) => core,
            },
        };
        question.core = Some(core);
        Some(Answer::Unsat)
    }
}
