//! Tries the inputs the target ran on: one of them may go the wanted way already, as far as the sliced question tells.
//!
//! Only the bytes of the question are taken from it; the rest of the input stays as it is, so the run is a new one.

use super::trial::Trial;
use crate::layer::{Layer, Question};
use crate::{Answer, RunInput};
use std::collections::VecDeque;
use tarka_terms::{Evaluator, Terms};

/// Inputs that are remembered.
const MOST_INPUTS: usize = 24;
/// Values of terms that may be computed for a question.
const EVALUATIONS: u64 = 10_000;

/// The layer of earlier runs.
#[derive(Default)]
pub(crate) struct Runs {
    /// Newest first; one that helped counts as new.
    inputs: VecDeque<RunInput>,
    evaluator: Evaluator,
}

impl Layer for Runs {
    fn name(&self) -> &'static str {
        "runs"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        let mut trial = Trial::new(terms, question, &mut self.evaluator, EVALUATIONS);
        for position in 0..self.inputs.len() {
            let input = &self.inputs[position];
            let answer = trial.attempt(&|byte| Some(input.byte(byte)));
            if answer.is_some() {
                self.inputs.make_contiguous()[..=position].rotate_right(1);
                return answer;
            }
            if trial.is_used_up() {
                return None;
            }
        }
        None
    }

    fn ran(&mut self, input: &RunInput) {
        self.inputs.push_front(input.clone());
        self.inputs.truncate(MOST_INPUTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::layer::testing::question;
    use std::sync::Arc;
    use tarka_terms::BinaryOp;

    #[test]
    fn an_input_of_an_earlier_run_that_will_do_is_taken() {
        let mut terms = Terms::new();
        let (a, b) = (terms.input(0), terms.input(1));
        let (product, value) = (terms.binary(BinaryOp::Mul, a, b), terms.constant(8, 35));
        let flipped = terms.binary(BinaryOp::Eq, product, value);
        let mut runs = Runs::default();
        assert_eq!(runs.ask(&mut terms, &mut question(&[], flipped)), None);
        for input in [vec![5u8, 7, 1], vec![0, 0, 2]] {
            runs.ran(&(Arc::new(input) as RunInput));
        }
        let expected = Answer::Sat(Model { bytes: vec![(0, 5), (1, 7)] });
        assert_eq!(runs.ask(&mut terms, &mut question(&[], flipped)), Some(expected));
    }

    #[test]
    fn only_so_many_inputs_are_kept() {
        let mut runs = Runs::default();
        for run in 0..100u8 {
            runs.ran(&(Arc::new(vec![run]) as RunInput));
        }
        assert_eq!(runs.inputs.len(), MOST_INPUTS);
        assert_eq!(runs.inputs[0].byte(0), 99);
    }
}
