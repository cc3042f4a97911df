//! The model check: no model leaves the solver that does not satisfy the sliced query when it is evaluated.
//!
//! Z3 may differ from the target where a result is not specified (the bits of a NaN), and a mistake in a translation
//! must not become a wrong test.

use crate::{Answer, Figures, Query, Reason, Solver};
use tarka_terms::{Evaluator, Terms};

/// The checking layer.
pub(crate) struct Check<S> {
    inner: S,
    evaluator: Evaluator,
    wrong_models: u64,
}

impl<S> Check<S> {
    pub(crate) fn new(inner: S) -> Self {
        Check { inner, evaluator: Evaluator::new(), wrong_models: 0 }
    }
}

impl<S: Solver> Solver for Check<S> {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        let answer = self.inner.solve(terms, query);
        if let Answer::Sat(model) = &answer {
            let clauses = query.prefix.iter().copied().chain([query.flipped]);
            if self.evaluator.first_false(terms, clauses, &model.over(query.current)).is_some() {
                self.wrong_models += 1;
                return Answer::Unknown(Reason::WrongModel);
            }
        }
        answer
    }

    fn figures(&self) -> Figures {
        Figures { wrong_models: self.wrong_models, ..self.inner.figures() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::testing::{Recorder, query};
    use tarka_terms::BinaryOp;

    #[test]
    fn a_model_that_breaks_a_clause_is_not_given() {
        let mut terms = Terms::new();
        let (input, five) = (terms.input(0), terms.constant(8, 5));
        let (below, above) =
            (terms.binary(BinaryOp::Ult, input, five), terms.binary(BinaryOp::Ult, five, input));
        let answer = |value| Answer::Sat(Model { bytes: vec![(0, value)] });
        let mut check = Check::new(Recorder::new(answer(9)));
        assert_eq!(check.solve(&mut terms, &query(&[], above)), answer(9));
        assert_eq!(check.solve(&mut terms, &query(&[below], above)), Answer::Unknown(Reason::WrongModel));
        assert_eq!(check.figures().wrong_models, 1);
    }
}
