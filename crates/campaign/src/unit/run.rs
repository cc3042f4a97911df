//! One run: the executor makes it, and explorer, pool of inputs, records and findings take in what it did, each its part.
//!
//! Takes the next input; leaves everything as it is after the run. Never: which input comes next.

use std::time::{Duration, Instant};

use tarka_events::{Event, FaultKind};
use tarka_faults::{Explaining, believed, end_of, ended, ends_well, failed_sites, is_slow};
use tarka_inputs::ReplayInput;
use tarka_runner::End;
use tarka_search::{Coverage, HowEnded, RunTrace};
use tarka_verdicts::{looked_at, note_losses};

use super::fault_free_retry::FaultFreeRetry;
use super::next::Next;
use super::{Failure, UnitLoop};
use crate::evidence;
use crate::kept_runs::Offer;
use crate::target::snapshots;

/// Least time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

impl UnitLoop<'_> {
    /// Runs the unit once, as often in a row as this epoch calls it, and takes in what it did.
    pub(super) fn run(&mut self, next: &Next) -> Result<(), Failure> {
        self.run_calls(next, self.executor.input_pool.epochs.limits().calls)
    }

    pub(super) fn run_calls(&mut self, next: &Next, calls: u32) -> Result<(), Failure> {
        let Next { input, aliasing, is_retry, .. } = next;
        // The run lies in the target's memory, so the target cannot be used while it is looked at.
        let (explorer, records, findings) = (&mut self.explorer, &mut self.records, &mut self.findings);
        let (input_pool, stacks) = (&mut self.executor.input_pool, &self.executor.stacks);
        let (job, options) = (self.job, self.job.options);
        let objects = input_pool.shape.objects(input);
        let limit = self.budget.run_limit();
        let started = Instant::now();
        let run = self.executor.target.run(&objects, input, calls, limit)?;
        // Who waits uses nothing, and the time is gone all the same.
        self.budget.count_run(if run.waited() { started.elapsed() } else { run.used() });
        if run.end() == End::BeforeUnit {
            return Err(Failure::BeforeUnit);
        }
        match run.end() {
            End::Returned | End::Exited(_) => self.budget.ended_after(run.used()),
            End::Timeout if !run.asked_in_vain() => self.budget.count_hang(),
            _ => {}
        }
        let number = records.count_run();
        let end = end_of(&run, &input_pool.shape, &objects, input);
        let stack = stacks.of_end(&run);
        let refusal = records.preconditions.refusal(run.end(), &stack, run.events());
        let tables = snapshots(&run);
        let trace = RunTrace { events: run.events(), nodes: run.nodes(), tables: &tables, input };
        let counted = if refusal.is_none() { run.coverage() } else { &[] };
        let shown = evidence::of_run(job.model, &run);
        let believed = believed(options.faults, &objects, input);
        let how_ended = match refusal {
            Some(_) => HowEnded::Refused,
            None if ends_well(&run, end, believed) => HowEnded::Well,
            None => HowEnded::Badly,
        };
        explorer.search.set_objects(objects.iter().map(|object| object.offset));
        let known_nodes = explorer.search.tree().len();
        let path = RunTrace { events: looked_at(&run), ..trace };
        let outcome = explorer.search.absorb(&mut explorer.terms, &path, &shown, (number, how_ended));
        let mut added = explorer.added(known_nodes);
        // An attack begins nothing anew.
        if records.attacked.goals.is_empty() && input_pool.join(&mut added) {
            // No caller gives pointers into different objects: what such a run shows is worth nothing.
            explorer.remember(None);
            self.begin_joined();
            return Ok(());
        }
        input_pool.follow(&mut added);
        if matches!(end, End::Signal { .. } | End::Fault(_)) {
            input_pool.note_needed(&mut added, run.events(), input);
        }
        input_pool.try_other_members(&mut added, input);
        failed_sites(&run).for_each(|site| explorer.search.site_failed(site));
        let has_news = outcome.path.new_nodes + outcome.path.new_checks > 0;
        input_pool.absorb((&objects, input), (&run, end, how_ended == HowEnded::Well), has_news);
        if options.faults.has(FaultKind::OutOfBounds) && !options.goals_only {
            input_pool.longer_texts.note(run.long_texts(), input, *aliasing);
        }
        input_pool.dictionary.note(run.compared_words(), input, *aliasing);
        let is_slow = is_slow(&run, end);
        let given = || ReplayInput { shape: input_pool.shape.clone(), input: input.clone(), calls, is_slow };
        if job.plain_program.is_some() {
            records.tried.add(given);
        }
        explorer.remember(has_news.then_some((input, *aliasing)));
        records.environment.absorb(run.events(), counted);
        if calls == 1 {
            records.stable.absorb(&mut explorer.terms, explorer.search.sites(), &trace, &run);
        }
        records.note_figures(&outcome.coverage.new, self.budget.elapsed_ms(), run.concretised());
        records.note_aim(&mut explorer.search, next, path.events.len() == trace.events.len());
        records.losses.differing += u64::from(outcome.path.differs && next.is_alone());
        note_losses(&mut records.losses, job.model, (&run, end), &outcome.path, &objects);
        if let Some(refusal) = refusal {
            let reached = explorer.search.goals().covers(&shown);
            if let Some((site, outcome)) = records.preconditions.refused(refusal, &reached, run.events()) {
                explorer.search.exclude(site, outcome);
            }
        } else {
            records.preconditions.met();
            let limits = (limit, self.budget.longest_run());
            let ended = ended(job.subject(), stacks, (&run, end, believed), stack, limits);
            let record = || input_pool.shape.record(&objects, input, &run);
            let mut explaining = Explaining {
                subject: job.subject(),
                shape: &input_pool.shape,
                terms: &mut explorer.terms,
                solver: &mut *explorer.solver,
                trace: &trace,
                input,
                waited: run.waited(),
                exhausted: run.stub_exhausted().map(|stub| (stub, run.stub_exhausted_events())),
            };
            let entered = findings.enter((&ended, number), &mut explaining, given, record);
            let is_news = how_ended == HowEnded::Badly && !outcome.coverage.new.is_empty();
            if is_news && !is_retry && matches!(end, End::Returned | End::Exited(_)) {
                let from = (input, *aliasing);
                explorer.retry =
                    FaultFreeRetry::of(&mut explorer.terms, explorer.search.sites(), &trace, from);
            }
            let offer = Offer { run: number, coverage: &outcome.coverage, evidence: &shown, end: entered };
            findings.offer(offer, given, record);
        }
        if !outcome.coverage.new.is_empty() {
            records.queries_before_runs.push((number, explorer.solver.figures().queries));
        }
        if !outcome.coverage.new.is_empty() || number == 1 {
            input_pool.epochs.news(explorer.effort(number));
        }
        self.report_progress(&outcome.coverage);
        Ok(())
    }

    fn report_progress(&mut self, coverage: &Coverage) {
        let runs = self.records.runs;
        if self.last_progress.elapsed() < PROGRESS_INTERVAL && (coverage.new.is_empty() || runs > 1) {
            return;
        }
        self.last_progress = Instant::now();
        (self.sink)(Event::Progress {
            function: self.job.name().to_string(),
            covered: self.explorer.search.goals().covered() as u32,
            goals: self.explorer.search.goals().asked() as u32,
            runs,
            faults: self.findings.faults.faults.len() as u32,
        });
    }
}
