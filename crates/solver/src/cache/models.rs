//! Tries the models of earlier questions: what satisfied one often satisfies another that differs from it in a clause.
//!
//! Models are found through the clause they made true, and through a byte of that clause; those of late are tried first.
//! Whatever is tried is evaluated on the whole question, so it does not matter why it should hold.

use super::trial::Trial;
use crate::layer::{Layer, Question};
use crate::{Answer, Model};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tarka_terms::{Evaluator, Term, Terms};

/// Bytes of all remembered models together; beyond that the layer starts anew.
const CAPACITY: usize = 4_000_000;
/// Models that are remembered of one clause, and of one byte.
const MOST_OF_A_KEY: usize = 6;
/// Values of terms that may be computed for a question.
const EVALUATIONS: u64 = 10_000;

/// The layer of known models.
#[derive(Default)]
pub(crate) struct Models {
    /// Whose terms the clauses are.
    store: u64,
    models: Vec<Model>,
    /// Bytes of all models.
    size: usize,
    /// Positions of the models that made a clause true, and of those whose clause spoke of a byte; newest first.
    of_clause: FxHashMap<Term, VecDeque<usize>>,
    of_byte: FxHashMap<u32, VecDeque<usize>>,
    evaluator: Evaluator,
}

impl Models {
    /// Positions of the models to try, each once.
    fn candidates(&self, terms: &Terms, flipped: Term) -> Vec<usize> {
        let of_clause = self.of_clause.get(&flipped).into_iter().flatten();
        let of_byte = key_byte(terms, flipped).and_then(|byte| self.of_byte.get(&byte)).into_iter().flatten();
        let mut candidates: Vec<usize> = Vec::with_capacity(2 * MOST_OF_A_KEY);
        for position in of_clause.chain(of_byte) {
            if !candidates.contains(position) {
                candidates.push(*position);
            }
        }
        candidates
    }
}

/// The byte through which the models of a clause are found.
fn key_byte(terms: &Terms, clause: Term) -> Option<u32> {
    terms.inputs(clause).first().copied()
}

fn remember(positions: &mut VecDeque<usize>, position: usize) {
    positions.push_front(position);
    positions.truncate(MOST_OF_A_KEY);
}

impl Layer for Models {
    fn name(&self) -> &'static str {
        "models"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        if self.store != terms.identity() || self.size >= CAPACITY {
            *self = Models { store: terms.identity(), ..Models::default() };
        }
        let candidates = self.candidates(terms, question.flipped);
        let mut trial = Trial::new(terms, question, &mut self.evaluator, EVALUATIONS);
        for position in candidates {
            let model = &self.models[position];
            let answer = trial.attempt(&|input| model.get(input));
            if answer.is_some() || trial.is_used_up() {
                return answer;
            }
        }
        None
    }

    fn answered(&mut self, terms: &mut Terms, question: &Question, answer: &mut Answer) {
        let Answer::Sat(model) = answer else { return };
        let position = self.models.len();
        self.size += model.bytes.len();
        self.models.push(model.clone());
        remember(self.of_clause.entry(question.flipped).or_default(), position);
        if let Some(byte) = key_byte(terms, question.flipped) {
            remember(self.of_byte.entry(byte).or_default(), position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;
    use tarka_terms::BinaryOp;

    fn less(terms: &mut Terms, a: u32, limit: u128) -> Term {
        let (a, limit) = (terms.input(a), terms.constant(8, limit));
        terms.binary(BinaryOp::Ult, limit, a)
    }

    fn sat(bytes: &[(u32, u8)]) -> Answer {
        Answer::Sat(Model { bytes: bytes.to_vec() })
    }

    fn tell(models: &mut Models, terms: &mut Terms, asked: Question, bytes: &[(u32, u8)]) {
        models.answered(terms, &asked, &mut sat(bytes));
    }

    #[test]
    fn a_model_is_tried_where_the_same_clause_or_byte_is_asked_for() {
        let mut terms = Terms::new();
        let t = &mut terms;
        let (above_5, above_6, above_20) = (less(t, 0, 5), less(t, 0, 6), less(t, 0, 20));
        let mut models = Models::default();
        assert_eq!(models.ask(t, &mut question(&[], above_5)), None);
        tell(&mut models, t, question(&[], above_5), &[(0, 9)]);
        assert_eq!(models.ask(t, &mut question(&[], above_5)), Some(sat(&[(0, 9)])));
        assert_eq!(models.ask(t, &mut question(&[], above_6)), Some(sat(&[(0, 9)])));
        assert_eq!(models.ask(t, &mut question(&[], above_20)), None);
    }

    #[test]
    fn bytes_that_need_not_change_are_current_and_named() {
        let mut terms = Terms::new();
        let t = &mut terms;
        let (above, small) = (less(t, 0, 5), less(t, 1, 100));
        let small = t.not(small);
        let mut models = Models::default();
        models.ask(t, &mut question(&[], above));
        tell(&mut models, t, question(&[], above), &[(0, 9), (1, 50)]);
        assert_eq!(models.ask(t, &mut question(&[small], above)), Some(sat(&[(0, 9), (1, 0)])));
    }

    #[test]
    fn all_bytes_of_a_model_are_taken_where_that_is_needed() {
        let mut terms = Terms::new();
        let t = &mut terms;
        let (a, b) = (t.input(0), t.input(1));
        let (above, equal) = (less(t, 0, 5), t.binary(BinaryOp::Eq, a, b));
        let mut models = Models::default();
        models.ask(t, &mut question(&[], above));
        tell(&mut models, t, question(&[], above), &[(0, 9), (1, 9)]);
        assert_eq!(models.ask(t, &mut question(&[equal], above)), Some(sat(&[(0, 9), (1, 9)])));
    }
}
