//! Keeps what need not change: bytes of a model that may as well have their current value get it back.
//!
//! Z3 fills bytes as it happens to find them. A test is easier to read, and the next run closer to the last one, when
//! only the bytes differ that must. High bytes are tried first: of a little-endian number the small value remains.

use crate::{Answer, Figures, Model, Query, Solver};
use tarka_terms::{Evaluator, Terms};

/// Most evaluations of a clause that are spent on one model.
const MAX_EVALUATIONS: usize = 20_000;

/// The restoring layer.
pub(crate) struct Near<S> {
    inner: S,
    evaluator: Evaluator,
}

impl<S> Near<S> {
    pub(crate) fn new(inner: S) -> Self {
        Near { inner, evaluator: Evaluator::new() }
    }

    fn restore(&mut self, terms: &Terms, query: &Query, model: &mut Model) {
        if model.bytes.len() * (query.prefix.len() + 1) > MAX_EVALUATIONS {
            return;
        }
        for position in (0..model.bytes.len()).rev() {
            let (input, value) = model.bytes[position];
            let current = query.current.byte(input);
            if current == value {
                continue;
            }
            model.bytes[position].1 = current;
            let clauses = [query.flipped].into_iter().chain(query.prefix.iter().copied());
            if self.evaluator.first_false(terms, clauses, &model.over(query.current)).is_some() {
                model.bytes[position].1 = value;
            }
        }
    }
}

impl<S: Solver> Solver for Near<S> {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        let mut answer = self.inner.solve(terms, query);
        if let Answer::Sat(model) = &mut answer {
            self.restore(terms, query, model);
        }
        answer
    }

    fn figures(&self) -> Figures {
        self.inner.figures()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Recorder, query};
    use tarka_terms::BinaryOp;

    #[test]
    fn only_what_must_change_changes() {
        let mut terms = Terms::new();
        let (low, high) = (terms.input(0), terms.input(1));
        let (word, limit) = (terms.concat(high, low), terms.constant(16, 20));
        let flipped = terms.binary(BinaryOp::Ult, limit, word);
        let found = Model { bytes: vec![(0, 0x77), (1, 0x9a)] };
        let mut near = Near::new(Recorder::new(Answer::Sat(found)));
        let answer = near.solve(&mut terms, &query(&[], flipped));
        assert_eq!(answer, Answer::Sat(Model { bytes: vec![(0, 0x77), (1, 0)] }));
    }
}
