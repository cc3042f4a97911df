//! The loop of one unit: run, absorb, choose, solve, and again.
//!
//! Takes a built target and a unit (`job`), gives the unit's result. This is where the pipeline bends back. The state of the
//! loop has four parts, each with what it needs and no other: the `explorer` knows the tree and asks the solver, the `executor`
//! runs what its `input_pool` holds, the `records` keep what verdicts rest on, the `findings` keeps faults and tests.
//!
//! `run` hands each of them its part of a run. `questions` asks the solver for the `next` input, `fault_free_retry` for one that goes a faulty
//! run's way without its faults, `proofs` for branches without any, which `attack` holds to the plain program; `epoch` begins anew
//! with other inputs, `rerun` makes the inputs of kept runs simple, `longer_texts` tries texts that a copy has no room for, `dictionary`
//! those that the program compares with, `finish` writes the result, with a `sketch` of the paths.

mod attack;
mod dictionary;
mod epoch;
mod executor;
mod explorer;
mod fault_free_retry;
mod findings;
mod finish;
mod input_pool;
mod job;
mod longer_texts;
mod next;
mod proofs;
mod questions;
mod records;
mod rerun;
mod run;
mod sketch;
#[cfg(test)]
mod tests;

use std::time::Instant;

use tarka_events::{Event, Goal, UnitResult, Verdict};
use tarka_inputs::InputBytes;
use tarka_instrument::Frame;
use tarka_runner::RunnerError;
use tarka_search::Search;
use tarka_verdicts::Ending;

use crate::budget::Budget;
use crate::dump::Dump;
use crate::target::Target;
use executor::Executor;
use explorer::Explorer;
use findings::Findings;
use next::{Aliasing, Next};
use questions::Within;
use records::RunRecords;

pub(crate) use job::Job;

/// The part of a unit's time in which is found out what its proofs rest on.
const SETTLE_AT_THE_END: u32 = 5;

/// Why a unit's loop stopped short.
pub(crate) enum Failure {
    Runner(RunnerError),
    BeforeUnit,
    /// Its questions could not be written down.
    Dump(String),
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Failure {
        Failure::Runner(error)
    }
}

/// What a unit's loop came to.
pub(crate) struct Explored {
    pub result: UnitResult,
    /// A condition always went the same way, and no input decided it.
    pub one_sided: bool,
}

/// The state of one unit's loop.
pub(crate) struct UnitLoop<'a> {
    job: Job<'a>,
    sink: &'a (dyn Fn(Event) + Sync),
    budget: Budget,
    explorer: Explorer,
    executor: Executor<'a>,
    records: RunRecords<'a>,
    findings: Findings<'a>,
    last_progress: Instant,
}

impl<'a> UnitLoop<'a> {
    pub(crate) fn new(
        job: Job<'a>,
        sink: &'a (dyn Fn(Event) + Sync),
        symbols: &'a dyn Fn(u64) -> Vec<Frame>,
        search: Search,
        target: Box<dyn Target + 'a>,
        dump: Option<Dump>,
    ) -> UnitLoop<'a> {
        UnitLoop {
            job,
            sink,
            budget: Budget::new(job.options),
            executor: Executor::new(&job, target, symbols),
            records: RunRecords::new(&job, search.goals().goals().len()),
            findings: Findings::new(job.options.faults, search.goals()),
            explorer: Explorer::new(&job, search, dump),
            last_progress: Instant::now(),
        }
    }

    /// The whole loop.
    pub(crate) fn explore(mut self) -> Explored {
        let goals_only = self.job.options.goals_only;
        let ending = loop {
            if goals_only && !self.is_unfinished() {
                break Ending::NothingLeft;
            }
            let next = match self.next_step() {
                Ok(next) => next,
                Err(ending) => break ending,
            };
            if let Err(failure) = self.run(&next) {
                return Explored { result: self.finish(Err(failure)), one_sided: false };
            }
            if proofs::is_due(self.records.runs) {
                self.prove();
            }
        };
        self.prove();
        let is_proof = |goal: &Goal| matches!(goal.verdict, Verdict::Infeasible { .. });
        if self.judged(&ending).goals.iter().any(is_proof) {
            self.settle_refused(SETTLE_AT_THE_END);
        }
        self.attack(&ending);
        if goals_only {
            self.findings.kept_runs.kept.clear();
        } else {
            self.simplify_kept();
        }
        let written = self.explorer.dump.as_ref().map_or(Ok(()), Dump::finish);
        let one_sided = !self.records.environment.decided(self.job.model, self.job.function()).is_empty();
        Explored { result: self.finish(written.map_err(Failure::Dump).map(|()| ending)), one_sided }
    }

    /// The next input with the candidate it is for, from larger inputs if the present ones have nothing more to give.
    fn next_step(&mut self) -> Result<Next, Ending> {
        loop {
            if let Some(used_up) =
                self.budget.is_full(self.explorer.bytes()).filter(|_| self.records.runs > 0)
            {
                // With other inputs the paths so far are of no use.
                let begins_anew = self.is_unfinished() && self.widen();
                if !begins_anew || self.budget.is_full(self.explorer.bytes()).is_some() {
                    return Err(Ending::Budget(used_up));
                }
            }
            self.give_room(true);
            if let Some(input) = self.next_seed()? {
                let aliasing =
                    if self.executor.input_pool.shared.is_empty() { Aliasing::None } else { Aliasing::Some };
                return Ok(Next::tried(input, aliasing));
            }
            if let Some(next) = self.retry_without_fault().or_else(|| self.worded()) {
                return Ok(next);
            }
            if self.is_unfinished() && self.is_stale() && self.widen() {
                continue;
            }
            if let Some(next) = self.stretched(false) {
                return Ok(next);
            }
            match self.next_input() {
                Ok(next) => return Ok(next),
                Err(Ending::NothingLeft) if self.executor.input_pool.longer_texts.any() => {
                    if let Some(used_up) = self.budget.used_up(self.records.runs) {
                        return Err(Ending::Budget(used_up));
                    }
                    if let Some(next) = self.stretched(true) {
                        return Ok(next);
                    }
                }
                // Only memory is used up, which beginning anew may give back.
                Err(Ending::Budget(_)) if self.budget.used_up(self.records.runs).is_none() => {}
                Err(Ending::NothingLeft)
                    if (self.is_unfinished() || self.explorer.search.wants_failures()) && self.widen() => {}
                Err(ending) => return Err(ending),
            }
        }
    }

    fn next_seed(&mut self) -> Result<Option<InputBytes>, Ending> {
        let Some(seed) = self.executor.input_pool.seeds.pop_front() else { return Ok(None) };
        // A budget of nothing still buys one run, so that there is something to tell.
        match self.budget.used_up(self.records.runs).filter(|_| self.records.runs > 0) {
            Some(used_up) => Err(Ending::Budget(used_up)),
            None => Ok(Some(seed)),
        }
    }

    /// An input that goes the way of the last run without its faults.
    fn retry_without_fault(&mut self) -> Option<Next> {
        let within = Within { input_pool: &self.executor.input_pool, budget: &self.budget };
        self.explorer.retry_without_fault(within, self.records.runs)
    }

    /// An input with a word in it that the program compares with, while goals are open.
    fn worded(&mut self) -> Option<Next> {
        let has_room = self.is_unfinished() && self.budget.used_up(self.records.runs).is_none();
        if has_room { self.executor.input_pool.worded() } else { None }
    }

    /// An input with a longer text, if it is its turn.
    fn stretched(&mut self, is_last_resort: bool) -> Option<Next> {
        let runs = self.records.runs;
        let has_room = self.budget.used_up(runs).is_none();
        if has_room { self.executor.input_pool.stretched(runs, is_last_resort) } else { None }
    }

    /// Nothing new has come for long.
    fn is_stale(&self) -> bool {
        self.executor.input_pool.epochs.is_stale(self.explorer.effort(self.records.runs))
    }

    /// Goals are open, or no run met the preconditions.
    fn is_unfinished(&self) -> bool {
        self.explorer.search.goals().open() > 0 || !self.records.preconditions.any_met()
    }
}
