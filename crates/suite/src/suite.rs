//! The suite of one unit: choose, write, replay, and choose again until every promise was seen on the plain program.
//!
//! Takes a unit's log; writes the files and records what they are, and corrections of the verdicts of goals that no passing test
//! shows.
//! Never believes the instrumented program: what counts is what the plain one did.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tarka_confine::Allow;
use tarka_events::{
    Choice, Correction, FaultSet, RunEnd, Status, UnitLog, UnitResult, UnitSuite, WrittenTest,
};
use tarka_source::{Function, FunctionId, SourceModel};

use crate::choose::select::TestCoverage;
use crate::render::test::{Ended, test};
use crate::replay::builds::Builds;
use crate::replay::context::{BuildFindings, ReplayContext};
use crate::replay::emitted::{emitted, figures};
use crate::replay::test_candidate::{Exclusion, TestCandidate};
use crate::replay::truth::truth_tables;
use crate::replay::verdicts::{CorrectedVerdicts, nothing_written};
use crate::replay::{demote, faults, refuted, verdicts};
use crate::{SuiteError, paths};

/// Where and with what to write and replay.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// The output folder.
    pub out: PathBuf,
    /// Name of the unit's own folder in it.
    pub folder: String,
    /// The kinds of fault that are looked for.
    pub faults: FaultSet,
    /// What emitted programs may do beyond their own work.
    pub allow: Allow,
    /// Set from outside when the work is to end early.
    pub interrupt: Arc<AtomicBool>,
}

impl SuiteOptions {
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// The tests of a unit once they are written: what the files of its faults go on from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TestsWritten {
    tests: Vec<WrittenTest>,
    choice: Choice,
    /// Why there are none, if something went wrong.
    failure: Option<String>,
    /// Runs that gave no test, with the reason.
    lost: Vec<(u64, String)>,
    notes: Vec<String>,
    learned: BuildFindings,
}

/// Writes and replays the tests of one unit. Runs that the sanitizers stop become faults. Nothing is written for a unit that was
/// not searched.
pub fn write_tests(
    model: &SourceModel,
    log: &mut UnitLog,
    (options, builds): (&SuiteOptions, &Builds),
) -> Result<TestsWritten, SuiteError> {
    let unit = log.result();
    let Some((_, function)) = is_written(model, unit) else { return Ok(TestsWritten::default()) };
    let scratch = scratch()?;
    let folder = paths::prepare_folder(&options.out, &options.folder)?;
    let learned = BuildFindings::at_first(unit, builds);
    let mut context =
        ReplayContext::open((model, function), unit, (options, builds), (folder, scratch.path()), learned);
    let mut candidates = context.candidates(unit);
    let settled = loop {
        let settled = context.settle(log.result(), &mut candidates);
        if !demote::demote(&mut context, log, &candidates, settled.is_ok()) {
            break settled;
        }
    };
    if settled.is_err() {
        context.remove_tests();
    }
    let ((tests, smallest), failure) = match settled {
        Ok(settled) => (settled, None),
        // The faults may still be shown.
        Err(error @ (SuiteError::Compile { .. } | SuiteError::Unsettled { .. })) => {
            ((Vec::new(), false), Some(error.to_string()))
        }
        Err(error) => return Err(error),
    };
    let runs = candidates.iter().filter(|candidate| candidate.excluded.is_none()).count() as u64;
    let lost = context.lost_runs(&candidates);
    let learned = context.learned();
    let choice = Choice { runs, smallest };
    Ok(TestsWritten { tests, choice, failure, lost, notes: context.notes, learned })
}

/// Writes and replays a file for each fault of the unit, in the order in which they stand now, and records what all of its files show.
pub fn write_faults(
    model: &SourceModel,
    log: &mut UnitLog,
    (options, builds): (&SuiteOptions, &Builds),
    written: TestsWritten,
) -> Result<(), SuiteError> {
    let Some((id, function)) = is_written(model, log.result()) else {
        if let Some((id, _)) = model.function_named(&log.result().function) {
            let nothing = nothing_written(model, id, log.result().scope);
            log.record(Correction::Written(Box::new(nothing)));
        }
        return Ok(());
    };
    let scratch = scratch()?;
    let folder = paths::unit_folder(&options.out, &options.folder)?;
    paths::remove(&folder, &["fault_", "refuted_"])?;
    let TestsWritten { tests, choice, failure, lost, notes, learned } = written;
    let mut context = ReplayContext::open(
        (model, function),
        log.result(),
        (options, builds),
        (folder, scratch.path()),
        learned,
    );
    context.notes = notes;
    let faults = faults::write_faults(&mut context, log.result(), &tests)?;
    faults::settle_timeouts(log, &faults);
    let refuted = refuted::write_refuted(&mut context, log.result())?;
    let emitted = emitted(&tests, &faults, log.result().faults.iter().map(|fault| fault.run));
    context.notes.extend(verdicts::wrong_proofs(log.result(), emitted.all()));
    let CorrectedVerdicts { shown_by, pairs, by_faults_only } = verdicts::correct(log, &emitted, &lost);
    let functions = model.goal_functions(id, log.result().scope);
    let coverage = figures(model, &functions, emitted.tests());
    let decisions = truth_tables(model, &functions, &emitted);
    if let Some(failure) = failure {
        log.record(Correction::StatusChanged(Status::Error(failure)));
    }
    if context.folder.read_dir().is_ok_and(|mut entries| entries.next().is_none()) {
        let _ = std::fs::remove_dir(&context.folder);
    }
    let notes = context.notes;
    let suite = UnitSuite {
        tests,
        faults,
        refuted,
        notes,
        coverage,
        pairs,
        shown_by,
        by_faults_only,
        decisions,
        choice,
    };
    log.record(Correction::Written(Box::new(suite)));
    Ok(())
}

/// The function of a unit for which files are written.
fn is_written<'m>(model: &'m SourceModel, unit: &UnitResult) -> Option<(FunctionId, &'m Function)> {
    model.function_named(&unit.function).filter(|_| !matches!(unit.status, Status::Skipped(_)))
}

fn scratch() -> Result<tempfile::TempDir, SuiteError> {
    tempfile::tempdir().map_err(|source| SuiteError::Write { path: std::env::temp_dir(), source })
}

impl ReplayContext<'_> {
    /// Every run that ended well, as a test.
    fn candidates(&mut self, unit: &UnitResult) -> Vec<TestCandidate> {
        let mut candidates = Vec::new();
        for kept in &unit.kept_runs {
            let ended = match kept.end {
                RunEnd::Returned => Ended::Returned(&kept.executed.observation.result),
                RunEnd::Exited(status) => Ended::Exited(status),
                RunEnd::Fault(_) | RunEnd::InputBound | RunEnd::Precondition | RunEnd::NotLookedFor => {
                    continue;
                }
            };
            match test(self.model, self.function, unit, &kept.executed, ended) {
                Ok(test) => candidates.push(TestCandidate {
                    test,
                    run: kept.run,
                    shown: TestCoverage {
                        alone: kept.covers.iter().copied().collect(),
                        evaluations: self.pairs.relevant(&kept.evidence.evaluations),
                    },
                    probed: None,
                    sanitized: false,
                    excluded: None,
                }),
                Err(unspellable) => {
                    self.notes.push(format!("run {} gives no test: {unspellable}", kept.run));
                    self.unspellable_runs.push((kept.run, unspellable.to_string()));
                }
            }
        }
        candidates
    }

    /// Runs that gave no test, with the reason.
    fn lost_runs(&self, candidates: &[TestCandidate]) -> Vec<(u64, String)> {
        let excluded = candidates.iter().filter_map(|candidate| {
            let Exclusion { reason, sanitizer_report } = candidate.excluded.as_ref()?;
            let seen = if sanitizer_report.is_some() {
                "reached, but"
            } else {
                "seen only in the instrumented program:"
            };
            Some((candidate.run, format!("{seen} {reason}")))
        });
        let unspellable_runs = self
            .unspellable_runs
            .iter()
            .map(|(run, reason)| (*run, format!("reached, but no test can show it: {reason}")));
        excluded.chain(unspellable_runs).collect()
    }
}
