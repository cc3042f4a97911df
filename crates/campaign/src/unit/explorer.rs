//! Where the search has come to: the path tree, its terms, and who answers questions about it.
//!
//! Takes runs and what they were given; gives candidates, and inputs for them (`questions`, `fault_free_retry`). Never: running anything,
//! what a verdict makes of it.

use std::collections::VecDeque;
use std::sync::Arc;

use tarka_inputs::{Aliases, InputBytes, effort};
use tarka_search::{CandidateId, Search};
use tarka_solver::{SMT, Solver};
use tarka_terms::{Evaluator, Terms};
use tarka_verdicts::Refusals;

use super::fault_free_retry::FaultFreeRetry;
use super::input_pool::Added;
use super::job::Job;
use super::next::Aliasing;
use crate::dump::Dump;
use crate::long_loops::LongLoops;

/// What was explored so far.
pub(super) struct Explorer {
    pub search: Search,
    pub terms: Terms,
    pub solver: Box<dyn Solver + Send>,
    /// Where its questions are written down, if anywhere.
    pub dump: Option<Dump>,
    pub evaluator: Evaluator,
    pub aliases: Aliases,
    pub refusals: Refusals,
    /// The input of each run of this epoch that found new decisions, by run number minus 1.
    inputs: Vec<Option<(InputBytes, Aliasing)>>,
    /// What they take.
    input_bytes: usize,
    /// Candidates without an input, of which nobody knows yet whether only our bounds say so.
    pub unsettled: Vec<CandidateId>,
    /// Candidates whose questions were too hard for a short look.
    pub postponed: VecDeque<CandidateId>,
    /// Those of them that were asked again and are about checks.
    pub hard_faults: u32,
    pub long_loops: LongLoops,
    /// A run that covered something and is no test because of its faults.
    pub retry: Option<FaultFreeRetry>,
}

impl Explorer {
    /// Before the first run.
    pub(super) fn new(job: &Job, search: Search, dump: Option<Dump>) -> Explorer {
        Explorer {
            search,
            terms: Terms::new(),
            solver: job.solver(dump.as_ref()),
            dump,
            evaluator: Evaluator::new(),
            aliases: Aliases::default(),
            refusals: Refusals::default(),
            inputs: Vec::new(),
            input_bytes: 0,
            unsettled: Vec::new(),
            postponed: VecDeque::new(),
            hard_faults: 0,
            long_loops: LongLoops::default(),
            retry: None,
        }
    }

    /// Begins anew with other inputs, and with the unit called so many times in a row.
    pub(super) fn begin(&mut self, calls: u32) {
        self.search.restart();
        self.search.set_calls(calls);
        self.unsettled.clear();
        self.postponed.clear();
        self.retry = None;
        self.refusals = Refusals::default();
        self.aliases = Aliases::default();
        self.inputs.iter_mut().for_each(|input| *input = None);
        self.input_bytes = 0;
    }

    /// Remembers what the next run was given, if it found new decisions.
    pub(super) fn remember(&mut self, input: Option<(&InputBytes, Aliasing)>) {
        if let Some((input, _)) = input {
            self.input_bytes += input.bytes_kept();
            self.solver.ran(Arc::new(input.clone()));
        }
        self.inputs.push(input.map(|(input, aliasing)| (input.clone(), aliasing)));
    }

    /// What the run was given that found a candidate; `None` if it was made with other inputs than there are now.
    pub(super) fn input_of(&self, candidate: CandidateId) -> Option<(InputBytes, Aliasing)> {
        let found_by = self.search.tree().node_of(candidate).run as usize;
        self.inputs[found_by - 1].clone()
    }

    /// What the last run has added to a tree of so many nodes.
    pub(super) fn added(&mut self, known: usize) -> Added<'_> {
        Added { aliases: &mut self.aliases, terms: &self.terms, tree: self.search.tree(), known }
    }

    /// Bytes that the search keeps. The caches of the solver have bounds of their own.
    pub(super) fn bytes(&self) -> usize {
        self.search.bytes() + self.terms.bytes() + self.input_bytes
    }

    /// What was spent after so many runs.
    pub(super) fn effort(&self, runs: u64) -> u64 {
        effort(runs, self.solver.figures().layer(SMT).asked)
    }
}
