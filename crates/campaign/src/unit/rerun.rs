//! Kept runs and faults once more, on the simplest input that goes the same way.
//!
//! What the clauses of a path allow is tried on the target: only a run that covers at least the same goals, evaluates
//! decisions at least in the same ways where pairs are wanted, and ends the same way takes the place of the first one.
//! Before anything else, unions get what the tags beside them say: no program has others.
//! These runs are not counted and cover nothing for the first time.

use std::collections::BTreeSet;

use tarka_events::RunEnd;
use tarka_faults::{believed, end_of, ended};
use tarka_inputs::{Change, InputBytes, Path, ReplayInput, simplify};
use tarka_scenario::Executed;
use tarka_search::{RunTrace, path_clauses, sums};
use tarka_source::{EvaluationKey, Evidence};
use tarka_terms::Term;

use super::UnitLoop;
use crate::clock::Until;
use crate::evidence;
use crate::target::snapshots;

/// Runs that may be spent on one input.
const MOST_RERUNS: u32 = 16;

/// Longer paths are left as they are.
const LONGEST_PATH: usize = 20_000;

/// Operations of a run that are looked at for pointers that something is added to.
const MOST_NODES: usize = 20_000;

/// What a run must still do.
struct Required {
    covers: Vec<u32>,
    /// Evaluations that a pair may need.
    evaluations: BTreeSet<EvaluationKey>,
    end: RunEnd,
}

/// What a repeated run did.
struct Repeated {
    covers: Vec<u32>,
    evidence: Evidence,
    executed: Executed,
    path: Option<TakenPath>,
}

/// What is known of the path of a run.
struct TakenPath {
    clauses: Vec<Term>,
    /// Pointers that something was added to.
    moved: BTreeSet<u32>,
}

impl UnitLoop<'_> {
    /// Simplifies the inputs of all kept runs and faults, within a share of the unit's time.
    pub(super) fn simplify_kept(&mut self) {
        let until = self.budget.simplify_until();
        for index in 0..self.findings.kept_inputs.len() {
            let kept = &self.findings.kept_runs.kept[index];
            let must = Required {
                covers: kept.covers.clone(),
                evaluations: self.findings.kept_runs.of_pairs(&kept.evidence).cloned().collect(),
                end: kept.end.clone(),
            };
            let given = self.findings.kept_inputs[index].clone();
            if let Some(again) = self.simplest(given, &must, until.as_ref()) {
                let kept = &mut self.findings.kept_runs.kept[index];
                (kept.executed, kept.covers, kept.evidence) = (again.executed, again.covers, again.evidence);
            }
        }
        for index in 0..self.findings.fault_inputs.len() {
            let end = RunEnd::Fault(index as u32);
            let must = Required { covers: Vec::new(), evaluations: BTreeSet::new(), end };
            let given = self.findings.fault_inputs[index].clone();
            if let Some(again) = self.simplest(given, &must, until.as_ref()) {
                self.findings.faults.faults[index].executed = again.executed;
            }
        }
    }

    /// The run on the simplest input found; `None` if the input stays as it is.
    fn simplest(
        &mut self,
        mut given: ReplayInput,
        must: &Required,
        until: Option<&Until>,
    ) -> Option<Repeated> {
        let in_time = || until.is_none_or(|until| !until.is_over());
        // A run that hangs takes its whole time again, every time.
        if given.is_slow || !in_time() {
            return None;
        }
        let mut best = self.with_meant_members(&mut given, must, in_time);
        let path = self.again(&given, &given.input, must, true).and_then(|again| again.path);
        let Some(TakenPath { clauses, moved }) = path else { return best };
        let path = Path { shape: &given.shape, input: &given.input, clauses: &clauses, moved: &moved };
        let changes = simplify(&mut self.explorer.terms, &mut self.explorer.evaluator, &path, in_time);
        let mut input = given.input.clone();
        let mut misled = given.shape.misled(&input).len();
        let mut reruns = 0;
        let mut open: Vec<&[Change]> = vec![&changes];
        while let Some(chunk) = open.pop().filter(|_| reruns < MOST_RERUNS && in_time()) {
            if chunk.is_empty() {
                continue;
            }
            let trial = given.shape.reachable(&input.with(&chunk.concat()));
            // Some changes of many may leave a tag alone with what its union no longer holds.
            let still_misled = given.shape.misled(&trial).len();
            reruns += u32::from(still_misled <= misled);
            let again = if still_misled > misled { None } else { self.again(&given, &trial, must, false) };
            match again {
                Some(again) => (input, best, misled) = (trial, Some(again), still_misled),
                None if chunk.len() > 1 => {
                    let (first, second) = chunk.split_at(chunk.len() / 2);
                    open.extend([second, first]);
                }
                None => {}
            }
        }
        best
    }

    /// Lets the pointers of unions lead to what their tags say, one by one where the run stays the same; gives the last such
    /// run.
    fn with_meant_members(
        &mut self,
        given: &mut ReplayInput,
        must: &Required,
        in_time: impl Fn() -> bool,
    ) -> Option<Repeated> {
        let (mut best, mut tried, mut reruns) = (None, BTreeSet::new(), 0);
        let next = |given: &ReplayInput, tried: &mut BTreeSet<u32>| {
            given.shape.misled(&given.input).into_iter().find(|misled| tried.insert(misled.at))
        };
        while let Some(misled) = next(given, &mut tried) {
            for trial in given.shape.as_meant(&given.input, &misled) {
                if reruns >= MOST_RERUNS || !in_time() {
                    return best;
                }
                reruns += 1;
                if let Some(again) = self.again(given, &trial, must, false) {
                    (given.input, best) = (trial, Some(again));
                    break;
                }
            }
        }
        best
    }

    /// Runs once more; `None` if the run does not do what it must.
    fn again(
        &mut self,
        given: &ReplayInput,
        input: &InputBytes,
        must: &Required,
        with_path: bool,
    ) -> Option<Repeated> {
        let objects = given.shape.objects(input);
        let limit = self.budget.run_limit();
        let run = self.executor.target.run(&objects, input, given.calls, limit).ok()?;
        self.budget.count_run(run.used());
        let evidence = evidence::of_run(self.job.model, &run);
        let covers = self.explorer.search.goals().covers(&evidence);
        let stack = self.executor.stacks.of_end(&run);
        if self.records.preconditions.refusal(run.end(), &stack, run.events()).is_some() {
            return None;
        }
        let end = end_of(&run, &given.shape, &objects, input);
        let believed = believed(self.job.options.faults, &objects, input);
        let limits = (limit, self.budget.longest_run());
        let ended = ended(self.job.subject(), &self.executor.stacks, (&run, end, believed), stack, limits);
        let known = self.findings.faults.known(&ended)?;
        let same_end = match must.end {
            RunEnd::Fault(index) => known.faults.contains(&index),
            _ => known.end == must.end,
        };
        let same_goals = must.covers.iter().all(|goal| covers.binary_search(goal).is_ok());
        if !same_end || !same_goals || !must.evaluations.is_subset(&evidence.evaluations) {
            return None;
        }
        let path = if with_path {
            let tables = snapshots(&run);
            let trace = RunTrace { events: run.events(), nodes: run.nodes(), tables: &tables, input };
            let terms = &mut self.explorer.terms;
            let clauses = path_clauses(terms, self.explorer.search.sites(), &trace, LONGEST_PATH);
            let sums = sums(terms, &trace, MOST_NODES);
            let evaluator = &mut self.explorer.evaluator;
            let moved = given.shape.moved_pointers(terms, evaluator, &sums, input);
            clauses.map(|clauses| TakenPath { clauses, moved })
        } else {
            None
        };
        let executed = given.shape.record(&objects, input, &run);
        Some(Repeated { covers, evidence, executed, path })
    }
}
