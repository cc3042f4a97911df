//! Remembers answers: the same clauses in any order have the same answer.
//!
//! An answer does not depend on the current input: models of the layers below name every byte that matters. An
//! unknown answer counts only for questions with no more time than the one that was asked.

use crate::{Answer, Figures, Query, Solver};
use rustc_hash::FxHashMap;
use std::time::Duration;
use tarka_terms::{Term, Terms};

/// Answers that are remembered at most; beyond that the cache starts anew.
const CAPACITY: usize = 100_000;

/// The remembering layer.
pub(crate) struct Cache<S> {
    inner: S,
    /// Whose terms the keys are.
    store: u64,
    answers: FxHashMap<Box<[Term]>, (Answer, Duration)>,
    cached: u64,
}

impl<S> Cache<S> {
    pub(crate) fn new(inner: S) -> Self {
        Cache { inner, store: 0, answers: FxHashMap::default(), cached: 0 }
    }
}

impl<S: Solver> Solver for Cache<S> {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        if self.store != terms.identity() || self.answers.len() >= CAPACITY {
            self.answers.clear();
            self.store = terms.identity();
        }
        let mut key: Vec<Term> = query.prefix.iter().copied().chain([query.flipped]).collect();
        key.sort_unstable();
        if let Some((answer, time)) = self.answers.get(key.as_slice())
            && (!matches!(answer, Answer::Unknown(_)) || query.time_limit <= *time)
        {
            self.cached += 1;
            return answer.clone();
        }
        let answer = self.inner.solve(terms, query);
        self.answers.insert(key.into_boxed_slice(), (answer.clone(), query.time_limit));
        answer
    }

    fn figures(&self) -> Figures {
        Figures { cached: self.cached, ..self.inner.figures() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;
    use crate::testing::{Recorder, query};

    fn bits(terms: &mut Terms) -> (Term, Term) {
        let input = terms.input(0);
        (terms.extract(input, 0, 1), terms.extract(input, 1, 1))
    }

    #[test]
    fn the_same_clauses_are_asked_once() {
        let mut terms = Terms::new();
        let (a, b) = bits(&mut terms);
        let mut cache = Cache::new(Recorder::new(Answer::Unsat));
        cache.solve(&mut terms, &query(&[a], b));
        cache.solve(&mut terms, &query(&[b], a));
        assert_eq!((cache.inner.seen.len(), cache.figures().cached), (1, 1));
    }

    #[test]
    fn another_store_has_other_terms() {
        let (mut one, mut two) = (Terms::new(), Terms::new());
        let (a, _) = bits(&mut one);
        bits(&mut two);
        let mut cache = Cache::new(Recorder::new(Answer::Unsat));
        cache.solve(&mut one, &query(&[], a));
        cache.solve(&mut two, &query(&[], a));
        assert_eq!(cache.inner.seen.len(), 2);
    }

    #[test]
    fn more_time_is_another_try() {
        let mut terms = Terms::new();
        let (a, _) = bits(&mut terms);
        let mut cache = Cache::new(Recorder::new(Answer::Unknown(Reason::TimeLimit)));
        let question = query(&[], a);
        let longer = Query { time_limit: question.time_limit * 2, ..question };
        for asked in [question, question, longer, question] {
            cache.solve(&mut terms, &asked);
        }
        assert_eq!(cache.inner.seen.len(), 2);
    }
}
