//! The last layer: a back end decides.
//!
//! Takes a sliced and simplified question; gives the back end's answer. A model of a back end that had to leave something
//! open is evaluated before it counts. Z3 in process (`z3/`) is the back end Tarka uses; [`process::Process`] asks any
//! program that reads SMT-LIB, and is there to check the first one.
//!
//! A back end that left many questions open in a row gets less time for the next ones, until it answers one again: what is left
//! of a unit then is mostly of one kind.
//!
//! A back end keeps to three limits: work (the same on every machine, from the question's time), processor time (last
//! resort, counted from when the question was asked), and memory.

pub mod process;
mod work;

pub(crate) use work::Work;

use crate::chain::Chain;
use crate::layer::{Layer, Question};
use crate::{Answer, Deadline, Model, Reason, Solver};
use std::time::Duration;
use tarka_terms::{Evaluator, Term, Terms};

/// So many questions left open in a row halve the time of the next ones, as often as that.
const OPEN_IN_A_ROW: u32 = 4;
const MOST_HALVINGS: u32 = 3;

/// What all contexts of a back end together may allocate.
const MEMORY_LIMIT: u64 = 1 << 30;

/// What may be spent on a question.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The question's time, for limits that are the same on every machine.
    pub time: Duration,
    /// When the clock ends it.
    pub deadline: Deadline,
    /// Bytes the back end may have allocated.
    pub memory: u64,
}

/// What a back end says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Values of the input bytes that matter, sorted.
    Sat {
        /// Input bytes and their values.
        bytes: Vec<(u32, u8)>,
        /// An operation that was taken to give any value, if there is one: then the model may be none.
        approximated: Option<String>,
    },
    /// There is no model.
    Unsat,
    /// Not found out.
    Unknown(Reason),
}

/// Anything that decides whether clauses can all be true.
pub trait Backend: Send {
    /// What it is called.
    fn name(&self) -> &str;

    /// Decides. Keeps nothing that changes the answer to a later question.
    fn decide(&mut self, terms: &Terms, clauses: &[Term], limits: &Limits) -> Verdict;
}

/// The deciding layer.
pub(crate) struct Smt<B> {
    backend: B,
    evaluator: Evaluator,
    /// Questions that were left open since the last answer.
    open: u32,
}

impl<B: Backend> Smt<B> {
    pub(crate) fn new(backend: B) -> Self {
        Smt { backend, evaluator: Evaluator::new(), open: 0 }
    }
}

impl<B: Backend> Layer for Smt<B> {
    fn name(&self) -> &'static str {
        crate::SMT
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        let time = question.time_limit / (1 << (self.open / OPEN_IN_A_ROW).min(MOST_HALVINGS));
        let limits = Limits { time, deadline: question.deadline, memory: MEMORY_LIMIT };
        let clauses: Vec<Term> = question.clauses().collect();
        let verdict = self.backend.decide(terms, &clauses, &limits);
        self.open = if matches!(verdict, Verdict::Unknown(_)) { self.open + 1 } else { 0 };
        Some(match verdict {
            Verdict::Unsat => Answer::Unsat,
            Verdict::Unknown(reason) => Answer::Unknown(reason),
            Verdict::Sat { bytes, approximated } => {
                let model = Model { bytes };
                match approximated {
                    Some(what)
                        if self
                            .evaluator
                            .first_false(terms, clauses, &model.over(question.current))
                            .is_some() =>
                    {
                        Answer::Unknown(Reason::Incomplete(format!("{what} has no exact translation")))
                    }
                    _ => Answer::Sat(model),
                }
            }
        })
    }
}

/// Nothing but a back end.
pub fn only(backend: impl Backend + 'static) -> impl Solver + Send {
    Chain::new(vec![Box::new(Smt::new(backend))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;
    use std::sync::{Arc, Mutex};

    /// Answers as it is told, and notes the time it got, in milliseconds.
    struct Scripted(Vec<Verdict>, Arc<Mutex<Vec<u128>>>);

    impl Backend for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }

        fn decide(&mut self, _: &Terms, _: &[Term], limits: &Limits) -> Verdict {
            self.1.lock().unwrap().push(limits.time.as_millis());
            self.0.pop().unwrap_or(Verdict::Unknown(Reason::TimeLimit))
        }
    }

    #[test]
    fn who_leaves_all_questions_open_gets_less_time_until_one_is_answered() {
        let times = Arc::default();
        let mut script = vec![Verdict::Unknown(Reason::TimeLimit); 18];
        script[0] = Verdict::Unsat;
        let mut layer = Smt::new(Scripted(script, Arc::clone(&times)));
        let mut terms = Terms::new();
        let flipped = terms.input(0);
        for _ in 0..20 {
            layer.ask(&mut terms, &mut question(&[], flipped));
        }
        let times = times.lock().unwrap().clone();
        assert_eq!(times[..4], [1_000; 4]);
        assert_eq!(times[4..8], [500; 4]);
        assert_eq!(times[8..12], [250; 4]);
        assert_eq!(times[12..18], [125; 6]);
        assert_eq!(times[18..], [1_000; 2], "it answered the eighteenth");
    }
}
