//! Trying known bytes on a question, by evaluation.
//!
//! Takes bytes that once did; gives a model of all bytes of the question if it holds under them. First only the bytes of
//! the flipped clause are taken, because the others then keep values under which the rest of the question holds; then all
//! bytes of the question.

use crate::layer::Question;
use crate::{Answer, Model};
use tarka_terms::{Assignment, Evaluator, Terms};

/// One question, and what may still be spent on it.
pub(super) struct Trial<'a> {
    terms: &'a Terms,
    question: &'a Question<'a>,
    evaluator: &'a mut Evaluator,
    /// Values the evaluator may have computed when the trial ends.
    limit: u64,
}

impl<'a> Trial<'a> {
    /// With this many values of terms to compute.
    pub(super) fn new(
        terms: &'a Terms,
        question: &'a Question<'a>,
        evaluator: &'a mut Evaluator,
        evaluations: u64,
    ) -> Trial<'a> {
        let limit = evaluator.computed() + evaluations;
        Trial { terms, question, evaluator, limit }
    }

    /// Whether nothing more may be tried.
    pub(super) fn is_used_up(&self) -> bool {
        self.evaluator.computed() >= self.limit
    }

    /// A model from these bytes, where there are any.
    pub(super) fn attempt(&mut self, bytes: &dyn Fn(u32) -> Option<u8>) -> Option<Answer> {
        let (terms, current) = (self.terms, self.question.current);
        let flipped = terms.inputs(self.question.flipped);
        let all = |input: u32| bytes(input).unwrap_or_else(|| current.byte(input));
        let near = |input: u32| match flipped.binary_search(&input) {
            Ok(_) => all(input),
            Err(_) => current.byte(input),
        };
        // Under both the flipped clause has the same value.
        if self.evaluator.eval(terms, self.question.flipped, &all) == 0 {
            return None;
        }
        self.model(&near).or_else(|| self.model(&all))
    }

    fn model(&mut self, values: &dyn Assignment) -> Option<Answer> {
        let holds = self.evaluator.first_false(self.terms, self.question.clauses(), values).is_none();
        holds.then(|| Answer::Sat(Model::of_question(self.terms, self.question, values)))
    }
}
