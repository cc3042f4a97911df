//! A run that covered something and is no test, because something undefined happened on the way: once more, without that.
//!
//! Takes the path of such a run; asks once for an input that goes the same way at every decision and makes none of the checks
//! fail. What the answer is worth shows when it is run.

use tarka_inputs::InputBytes;
use tarka_search::{RunTrace, SiteTable, mended_clauses};
use tarka_solver::Answer;
use tarka_terms::{Term, Terms};

use super::explorer::Explorer;
use super::next::{Next, Sharing};
use super::questions::{Question, Within};

/// Longer paths are not worth a question.
const LONGEST_PATH: usize = 4096;

/// What is asked.
pub(super) struct Mend {
    kept: Vec<Term>,
    mended: Term,
    current: InputBytes,
    sharing: Sharing,
}

impl Mend {
    pub(super) fn of(
        terms: &mut Terms,
        sites: &SiteTable,
        trace: &RunTrace,
        (input, sharing): (&InputBytes, Sharing),
    ) -> Option<Mend> {
        let (kept, mended) = mended_clauses(terms, sites, trace, LONGEST_PATH)?;
        Some(Mend { kept, mended, current: input.clone(), sharing })
    }
}

impl Explorer {
    /// An input that goes the way of the last run without its faults, if there is one to ask for and an answer.
    pub(super) fn mended(&mut self, within: Within, runs: u64) -> Option<Next> {
        let Mend { kept, mended, current, sharing } = self.mend.take()?;
        if within.budget.used_up(runs).is_some() {
            return None;
        }
        let question = Question {
            prefix: &kept,
            flipped: mended,
            current: &current,
            sharing,
            again: false,
            leap: false,
            node: None,
        };
        let (Answer::Sat(model), sharing) = self.answer(within, &question) else { return None };
        let input = within.supply.shape.reachable(&current.with(&model.bytes));
        Some(Next { is_mended: true, ..Next::tried(input, sharing) })
    }
}
