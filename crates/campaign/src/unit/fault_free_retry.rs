//! A run that covered something and is no test, because something undefined happened on the way: once more, without that.
//!
//! Takes the path of such a run; asks once for an input that goes the same way at every decision and makes none of the checks
//! fail. What the answer is worth shows when it is run.

use tarka_inputs::InputBytes;
use tarka_search::{RunTrace, SiteTable, fault_free_clauses};
use tarka_solver::Answer;
use tarka_terms::{Term, Terms};

use super::explorer::Explorer;
use super::next::{Aliasing, Next};
use super::questions::{Question, Within};

/// Longer paths are not worth a question.
const LONGEST_PATH: usize = 4096;

/// What is asked.
pub(super) struct FaultFreeRetry {
    kept: Vec<Term>,
    checks_hold: Term,
    current: InputBytes,
    aliasing: Aliasing,
}

impl FaultFreeRetry {
    pub(super) fn of(
        terms: &mut Terms,
        sites: &SiteTable,
        trace: &RunTrace,
        (input, aliasing): (&InputBytes, Aliasing),
    ) -> Option<FaultFreeRetry> {
        let (kept, checks_hold) = fault_free_clauses(terms, sites, trace, LONGEST_PATH)?;
        Some(FaultFreeRetry { kept, checks_hold, current: input.clone(), aliasing })
    }
}

impl Explorer {
    /// An input that goes the way of the last run without its faults, if there is one to ask for and an answer.
    pub(super) fn retry_without_fault(&mut self, within: Within, runs: u64) -> Option<Next> {
        let FaultFreeRetry { kept, checks_hold, current, aliasing } = self.retry.take()?;
        if within.budget.used_up(runs).is_some() {
            return None;
        }
        let question = Question {
            prefix: &kept,
            flipped: checks_hold,
            current: &current,
            aliasing,
            again: false,
            doubles_loop: false,
            node: None,
        };
        let (Answer::Sat(model), aliasing) = self.answer(within, &question) else { return None };
        let input = within.input_pool.shape.reachable(&current.with(&model.bytes));
        Some(Next { is_retry: true, ..Next::tried(input, aliasing) })
    }
}
