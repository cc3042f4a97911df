//! The model check: no model leaves the solver that does not satisfy the sliced question when it is evaluated.
//!
//! Z3 may differ from the target where a result is not specified (the bits of a NaN), and a mistake in a translation
//! must not become a wrong test.

use crate::layer::{Layer, Question};
use crate::{Answer, Reason};
use tarka_terms::{Evaluator, Term, Terms};

/// The checking layer.
#[derive(Default)]
pub(crate) struct Check {
    evaluator: Evaluator,
    /// The clauses of the question, as they are before anyone simplifies them.
    clauses: Vec<Term>,
}

impl Layer for Check {
    fn name(&self) -> &'static str {
        "check"
    }

    fn ask(&mut self, _: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.clauses.clear();
        self.clauses.extend(question.clauses());
        None
    }

    fn answered(&mut self, terms: &mut Terms, question: &Question, answer: &mut Answer) {
        if let Answer::Sat(model) = answer {
            let clauses = self.clauses.iter().copied();
            if self.evaluator.first_false(terms, clauses, &model.over(question.current)).is_some() {
                *answer = Answer::Unknown(Reason::WrongModel);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::layer::testing::question;
    use tarka_terms::BinaryOp;

    #[test]
    fn a_model_that_breaks_a_clause_is_not_given() {
        let mut terms = Terms::new();
        let (input, five) = (terms.input(0), terms.constant(8, 5));
        let (below, above) =
            (terms.binary(BinaryOp::Ult, input, five), terms.binary(BinaryOp::Ult, five, input));
        let nine = Answer::Sat(Model { bytes: vec![(0, 9)] });
        let mut check = Check::default();
        for (prefix, expected) in [(vec![], nine.clone()), (vec![below], Answer::Unknown(Reason::WrongModel))]
        {
            let (mut asked, mut answer) = (question(&prefix, above), nine.clone());
            check.ask(&mut terms, &mut asked);
            // What a later layer makes of the question does not matter.
            asked.prefix.clear();
            check.answered(&mut terms, &asked, &mut answer);
            assert_eq!(answer, expected);
        }
    }
}
