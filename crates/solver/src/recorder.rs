//! Tells every sliced question as SMT-LIB text, with the answer that came out, equal questions once.
//!
//! Takes what goes through the chain; gives blocks of text (see `smtlib`) to whoever asked for them. Never changes a
//! question or an answer.

use crate::layer::{Layer, Question};
use crate::smtlib::{self, Asked};
use crate::{Answer, Reason};
use rustc_hash::FxHashSet;
use tarka_terms::{Term, Terms};

/// Questions with more terms are only mentioned: their text would be megabytes.
const MOST_TERMS: usize = 50_000;

/// The recording layer.
pub(crate) struct Recorder {
    unit: String,
    tell: Box<dyn FnMut(&str) + Send>,
    /// Whose terms are remembered.
    store: u64,
    told: FxHashSet<Box<[Term]>>,
    /// The question that was passed on: its prefix, and its flipped clause last.
    clauses: Vec<Term>,
    number: u64,
}

impl Recorder {
    pub(crate) fn new(unit: &str, tell: Box<dyn FnMut(&str) + Send>) -> Self {
        let (told, clauses) = (FxHashSet::default(), Vec::new());
        Recorder { unit: unit.to_string(), tell, store: 0, told, clauses, number: 0 }
    }
}

impl Layer for Recorder {
    fn name(&self) -> &'static str {
        "recorder"
    }

    fn ask(&mut self, _: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.clauses.clear();
        self.clauses.extend(question.prefix.iter().chain([&question.flipped]));
        None
    }

    fn answered(&mut self, terms: &mut Terms, question: &Question, answer: &mut Answer) {
        if self.store != terms.identity() {
            self.told.clear();
            self.store = terms.identity();
        }
        let mut key = self.clauses.clone();
        key.sort_unstable();
        key.dedup();
        if !self.told.insert(key.into_boxed_slice()) {
            return;
        }
        self.number += 1;
        let Some((&flipped, prefix)) = self.clauses.split_last() else { return };
        let mut source = format!("{}, question {}", self.unit, self.number);
        // A model that is wrong says nothing about the question, and the reason is worth knowing.
        if let Answer::Unknown(reason @ (Reason::WrongModel | Reason::Incomplete(_))) = answer {
            source += &format!(", {reason}");
        }
        let status = smtlib::Status::from(&*answer);
        let asked = Asked { source: &source, prefix, flipped, current: question.current, status };
        match smtlib::write(terms, &asked, MOST_TERMS) {
            Some(text) => (self.tell)(&text),
            None => (self.tell)(&format!("; {source}: left out, more than {MOST_TERMS} terms\n")),
        }
    }
}
