//! Remembers answers: the same clauses in any order have the same answer.
//!
//! An answer does not depend on the current input: models of the layers below name every byte that matters. An
//! unknown answer counts only for questions with no more time than the one that was asked.

use crate::Answer;
use crate::layer::{Layer, Question};
use rustc_hash::FxHashMap;
use std::time::Duration;
use tarka_terms::{Term, Terms};

/// Clauses of questions and bytes of models that are remembered at most, over all answers; beyond that the cache starts anew.
const CAPACITY: usize = 8_000_000;
/// What an answer counts beside them.
const ANSWER: usize = 40;

/// The remembering layer.
#[derive(Default)]
pub(crate) struct Exact {
    /// Whose terms the keys are.
    store: u64,
    answers: FxHashMap<Box<[Term]>, (Answer, Duration)>,
    /// Clauses and bytes in them.
    size: usize,
    /// The question that was passed on.
    key: Vec<Term>,
}

impl Layer for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        if self.store != terms.identity() || self.size >= CAPACITY {
            self.answers = FxHashMap::default();
            self.size = 0;
            self.store = terms.identity();
        }
        self.key.clear();
        self.key.extend(question.clauses());
        self.key.sort_unstable();
        let (answer, time) = self.answers.get(self.key.as_slice())?;
        let counts = !matches!(answer, Answer::Unknown(_)) || question.time_limit <= *time;
        counts.then(|| answer.clone())
    }

    fn answered(&mut self, _: &mut Terms, question: &Question, answer: &mut Answer) {
        let key = std::mem::take(&mut self.key).into_boxed_slice();
        let model = if let Answer::Sat(model) = answer { model.bytes.len() } else { 0 };
        self.size += ANSWER + key.len() + model;
        self.answers.insert(key, (answer.clone(), question.time_limit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;
    use crate::layer::testing::question;

    fn bits(terms: &mut Terms) -> (Term, Term) {
        let input = terms.input(0);
        (terms.extract(input, 0, 1), terms.extract(input, 1, 1))
    }

    /// Whether the cache answers; if not it hears this answer.
    fn knows(cache: &mut Exact, terms: &mut Terms, mut asked: Question, mut answer: Answer) -> bool {
        let known = cache.ask(terms, &mut asked);
        if known.is_none() {
            cache.answered(terms, &asked, &mut answer);
        }
        known.is_some()
    }

    #[test]
    fn the_same_clauses_are_asked_once() {
        let mut terms = Terms::new();
        let (a, b) = bits(&mut terms);
        let mut cache = Exact::default();
        assert!(!knows(&mut cache, &mut terms, question(&[a], b), Answer::Unsat));
        assert!(knows(&mut cache, &mut terms, question(&[b], a), Answer::Unsat));
    }

    #[test]
    fn another_store_has_other_terms() {
        let (mut one, mut two) = (Terms::new(), Terms::new());
        let (a, _) = bits(&mut one);
        bits(&mut two);
        let mut cache = Exact::default();
        assert!(!knows(&mut cache, &mut one, question(&[], a), Answer::Unsat));
        assert!(!knows(&mut cache, &mut two, question(&[], a), Answer::Unsat));
    }

    #[test]
    fn long_questions_fill_the_memory_sooner() {
        let mut terms = Terms::new();
        let (a, b) = bits(&mut terms);
        let long = vec![a; CAPACITY];
        let mut cache = Exact::default();
        assert!(!knows(&mut cache, &mut terms, question(&[], b), Answer::Unsat));
        assert!(knows(&mut cache, &mut terms, question(&[], b), Answer::Unsat));
        assert!(!knows(&mut cache, &mut terms, question(&long, b), Answer::Unsat));
        assert!(!knows(&mut cache, &mut terms, question(&[], b), Answer::Unsat), "it began anew");
    }

    #[test]
    fn more_time_is_another_try() {
        let mut terms = Terms::new();
        let (a, _) = bits(&mut terms);
        let mut cache = Exact::default();
        let second = Duration::from_secs(1);
        for (time_limit, known) in [(second, false), (second, true), (second * 2, false), (second, true)] {
            let asked = Question { time_limit, ..question(&[], a) };
            let answer = Answer::Unknown(Reason::TimeLimit);
            assert_eq!(knows(&mut cache, &mut terms, asked, answer), known, "{time_limit:?}");
        }
    }
}
