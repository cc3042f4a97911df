//! Intervals and equalities: what ranges, certain bits and sets of byte values say without any search.
//!
//! Takes a question; answers it if the values its clauses allow contradict each other, or how far they are apart; if values at the ends of the
//! ranges, nearest to the current ones first, satisfy it (perhaps when other bytes keep their current value). A contradiction
//! is told with the clauses that took part, and else the values that are left to each byte.

mod analysis;
mod backward;
mod bytes;
mod differences;
mod forward;
mod keep;
mod picks;
mod range;
mod relations;
#[cfg(test)]
mod tests;

pub(crate) use analysis::{Analysis, Outcome, SharedAnalysis};
pub(crate) use bytes::ByteSet;

use crate::Answer;
use crate::layer::{Layer, Question};
use tarka_terms::{Evaluator, Term, Terms};

/// The layer of intervals.
#[derive(Default)]
pub(crate) struct Intervals {
    analysis: SharedAnalysis,
    evaluator: Evaluator,
}

impl Intervals {
    /// With the analysis of the layer that asked for it before.
    pub(crate) fn with(analysis: SharedAnalysis) -> Intervals {
        Intervals { analysis, ..Intervals::default() }
    }

    /// An answer from the values that are left.
    fn narrowed(
        evaluator: &mut Evaluator,
        analysis: &mut Analysis,
        terms: &Terms,
        question: &mut Question,
    ) -> Option<Answer> {
        question.left = analysis.values(terms);
        let model = picks::model(terms, question, analysis, evaluator);
        if model.is_some() {
            return model;
        }
        for kept in keep::kept(terms, question, analysis) {
            let outcome = analysis.run_keeping(terms, question, &|byte| kept.contains(&byte));
            if matches!(outcome, Outcome::Narrowed) {
                let model = picks::model(terms, question, analysis, evaluator);
                if model.is_some() {
                    return model;
                }
            }
        }
        None
    }
}

impl Layer for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        let analysis = &mut *self.analysis.lock();
        let core = match relations::contradiction(terms, question.clauses()) {
            Some(core) => core,
            None => match analysis.run(terms, question) {
                Outcome::PassedOn => return None,
                Outcome::Narrowed => {
                    let clauses: Vec<Term> = question.clauses().collect();
                    match differences::contradiction(terms, &clauses, analysis) {
                        Some(core) => core,
                        None => return Self::narrowed(&mut self.evaluator, analysis, terms, question),
                    }
                }
                Outcome::Contradiction(core) => core,
            },
        };
        question.core = Some(core);
        Some(Answer::Unsat)
    }
}
