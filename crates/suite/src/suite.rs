//! The suite of one unit: choose, write, replay, and choose again until every promise was seen on the plain program.
//!
//! Takes a unit's log; writes the files and records what they are, and corrections of the verdicts of goals that no passing test
//! shows.
//! Never believes the instrumented program: what counts is what the plain one did.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tarka_events::{
    Choice, Correction, FaultKind, FaultSet, Goal, RunEnd, Status, UnitLog, UnitResult, UnitSuite,
    WrittenTest,
};
use tarka_source::{Function, FunctionId, GoalKind, SourceModel, Stub, plan_undefined};

use crate::candidate::{Candidate, Exclusion, choose, new_goals, shown_by};
use crate::compile::{Compiler, Compilers, Warning};
use crate::emit::{Ignored, TestCase, TestText, UnitPart, UnitText, test_file};
use crate::library::Library;
use crate::probe::{Emitted, Probed, Unwritten};
use crate::process::{Outcome, run_target};
use crate::sanitize::{
    BUT_FOR_HARMLESS, NO_RECOVERY, Objection, SANITIZERS, asks_for_sanitizers, objections,
};
use crate::scene::Scene;
use crate::select::{Pairs, Shown};
use crate::shown::{figures, showings};
use crate::smallest::Smallest;
use crate::stubs::Sheet;
use crate::truth::truth_tables;
use crate::verdicts::Corrected;
use crate::{SuiteError, demote, faults, paths, refuted, verdicts};

/// How long one replayed test may take. The emitted file ends a test after ten seconds by itself.
const TEST_LIMIT: Duration = Duration::from_secs(15);
/// Most rounds of replay; each one removes at least one untrue promise.
const MOST_ROUNDS: usize = 40;

/// Where and with what to write and replay.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// The output folder.
    pub out: PathBuf,
    /// Name of the unit's own folder in it.
    pub folder: String,
    /// The compilers.
    pub compilers: Compilers,
    /// The folder the user's flags are meant from.
    pub flags_folder: PathBuf,
    /// The kinds of fault that are looked for.
    pub faults: FaultSet,
    /// Set from outside when the work is to end early.
    pub interrupt: Arc<AtomicBool>,
}

impl SuiteOptions {
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// Everything needed while one unit's files are written.
pub(crate) struct Workshop<'a> {
    pub model: &'a SourceModel,
    pub function: &'a Function,
    pub options: &'a SuiteOptions,
    pub unit_text: UnitText,
    pub ignored: Ignored,
    pub folder: PathBuf,
    pub scratch: PathBuf,
    pub notes: Vec<String>,
    /// The goals, and those of them that take a pair.
    pub goals: Vec<GoalKind>,
    pub pairs: Pairs,
    /// What the stopped runs show that became faults.
    pub demoted: Vec<Shown>,
    /// Variables that the unit uses and inline functions that the linker does not find.
    pub missing: BTreeSet<String>,
    /// The stubs of the build, then those for functions that only other parts of the file call.
    pub stubs: Vec<Stub>,
    /// Runs whose input has no text in C, with the reason.
    unwritten: Vec<(u64, String)>,
    cc_works: bool,
    sanitizers_work: bool,
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
    learned: Learned,
}

/// What the compilers have taught about how files of a unit must be written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Learned {
    one_by_one: bool,
    ignored: Ignored,
    missing: BTreeSet<String>,
    stubs: Vec<Stub>,
    without_cc: bool,
    without_sanitizers: bool,
}

/// Writes and replays the tests of one unit. Runs that the sanitizers stop become faults. Nothing is written for a unit that was
/// not searched.
pub fn write_tests(
    model: &SourceModel,
    log: &mut UnitLog,
    options: &SuiteOptions,
) -> Result<TestsWritten, SuiteError> {
    let unit = log.result();
    let Some((_, function)) = is_written(model, unit) else { return Ok(TestsWritten::default()) };
    let scratch = scratch()?;
    let folder = paths::prepare_folder(&options.out, &options.folder)?;
    let learned = Learned {
        stubs: unit.stubs.clone(),
        without_cc: options.compilers.cc.is_none(),
        ..Learned::default()
    };
    let mut shop = Workshop::open((model, function), unit, options, (folder, scratch.path()), learned);
    let mut candidates = shop.candidates(unit);
    let settled = loop {
        let settled = shop.settle(log.result(), &mut candidates);
        if !demote::demote(&mut shop, log, &candidates, settled.is_ok()) {
            break settled;
        }
    };
    if settled.is_err() {
        let _ = std::fs::remove_file(shop.test_path());
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
    let lost = shop.lost_runs(&candidates);
    let learned = shop.learned();
    let choice = Choice { runs, smallest };
    Ok(TestsWritten { tests, choice, failure, lost, notes: shop.notes, learned })
}

/// Writes and replays a file for each fault of the unit, in the order in which they stand now, and records what all of its files show.
pub fn write_faults(
    model: &SourceModel,
    log: &mut UnitLog,
    options: &SuiteOptions,
    written: TestsWritten,
) -> Result<(), SuiteError> {
    let Some((id, function)) = is_written(model, log.result()) else {
        if let Some((id, _)) = model.function_named(&log.result().function) {
            log.record(Correction::Written(Box::new(nothing_written(model, id))));
        }
        return Ok(());
    };
    let scratch = scratch()?;
    let folder = paths::unit_folder(&options.out, &options.folder)?;
    paths::remove(&folder, &["fault_", "refuted_"])?;
    let TestsWritten { tests, choice, failure, lost, notes, learned } = written;
    let mut shop =
        Workshop::open((model, function), log.result(), options, (folder, scratch.path()), learned);
    shop.notes = notes;
    let faults = faults::write_faults(&mut shop, log.result(), &tests)?;
    faults::settle_timeouts(log, &faults);
    let refuted = refuted::write_refuted(&mut shop, log.result())?;
    let showings = showings(&tests, &faults, log.result().faults.iter().map(|fault| fault.run));
    shop.notes.extend(verdicts::wrong_proofs(log.result(), showings.all()));
    let Corrected { shown_by, pairs, by_faults_only } = verdicts::correct(log, &showings, &lost);
    let coverage = figures(model, id, showings.tests());
    let decisions = truth_tables(model, id, &showings);
    if let Some(failure) = failure {
        log.record(Correction::StatusChanged(Status::Error(failure)));
    }
    if shop.folder.read_dir().is_ok_and(|mut entries| entries.next().is_none()) {
        let _ = std::fs::remove_dir(&shop.folder);
    }
    let notes = shop.notes;
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

/// What is known of a function for which there is no test.
pub(crate) fn nothing_written(model: &SourceModel, function: FunctionId) -> UnitSuite {
    let nothing = showings(&[], &[], std::iter::empty());
    let coverage = figures(model, function, nothing.tests());
    let decisions = truth_tables(model, function, &nothing);
    UnitSuite { coverage, decisions, ..UnitSuite::default() }
}

impl<'a> Workshop<'a> {
    fn open(
        (model, function): (&'a SourceModel, &'a Function),
        unit: &UnitResult,
        options: &'a SuiteOptions,
        (folder, scratch): (PathBuf, &Path),
        learned: Learned,
    ) -> Workshop<'a> {
        let library = match learned.one_by_one {
            true => Library::one_by_one(&model.probed_text),
            false => Library::Headers,
        };
        let unit_text = UnitText {
            include: paths::include_path(&folder, &options.flags_folder.join(&model.file)),
            shown_file: model.file.display().to_string(),
            renames_main: model.function_named("main").is_some(),
            flags: model.flags.clone(),
            library,
            criterion: unit.criterion.clone(),
        };
        Workshop {
            model,
            function,
            options,
            unit_text,
            ignored: learned.ignored,
            folder,
            scratch: scratch.to_path_buf(),
            notes: Vec::new(),
            goals: unit.goals.iter().map(|goal| goal.what).collect(),
            pairs: Pairs::of(unit.goals.iter().map(|goal| goal.what)),
            demoted: Vec::new(),
            missing: learned.missing,
            stubs: learned.stubs,
            unwritten: Vec::new(),
            cc_works: !learned.without_cc,
            sanitizers_work: !learned.without_sanitizers,
        }
    }

    fn learned(&self) -> Learned {
        Learned {
            one_by_one: self.unit_text.library != Library::Headers,
            ignored: self.ignored.clone(),
            missing: self.missing.clone(),
            stubs: self.stubs.clone(),
            without_cc: !self.cc_works,
            without_sanitizers: !self.sanitizers_work,
        }
    }

    /// Every run that ended well, as a test.
    fn candidates(&mut self, unit: &UnitResult) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for kept in &unit.kept_runs {
            let (result, exit) = match kept.end {
                RunEnd::Returned => (Some(kept.executed.observation.result.as_slice()), None),
                RunEnd::Exited(status) => (None, Some(status)),
                RunEnd::Fault(_) | RunEnd::InputBound | RunEnd::Precondition | RunEnd::NotLookedFor => {
                    continue;
                }
            };
            let case = Scene::of_unit(self.model, self.function, unit, &kept.executed)
                .and_then(|mut scene| TestCase::new(self.model, &mut scene, result, exit));
            match case {
                Ok(case) => candidates.push(Candidate {
                    case,
                    run: kept.run,
                    shown: Shown {
                        alone: kept.covers.iter().copied().collect(),
                        evaluations: self.pairs.relevant(&kept.evidence.evaluations),
                    },
                    probed: None,
                    sanitized: false,
                    excluded: None,
                }),
                Err(unspellable) => {
                    self.notes.push(format!("run {} gives no test: {unspellable}", kept.run));
                    self.unwritten.push((kept.run, unspellable.to_string()));
                }
            }
        }
        candidates
    }

    /// Runs that gave no test, with the reason.
    fn lost_runs(&self, candidates: &[Candidate]) -> Vec<(u64, String)> {
        let excluded = candidates.iter().filter_map(|candidate| {
            let Exclusion { reason, objection } = candidate.excluded.as_ref()?;
            let seen =
                if objection.is_some() { "reached, but" } else { "seen only in the instrumented program:" };
            Some((candidate.run, format!("{seen} {reason}")))
        });
        let unwritten = self
            .unwritten
            .iter()
            .map(|(run, reason)| (*run, format!("reached, but no test can show it: {reason}")));
        excluded.chain(unwritten).collect()
    }

    fn test_path(&self) -> PathBuf {
        self.folder.join(format!("test_{}.c", self.function.name))
    }

    pub(crate) fn choose(&self, unit: &UnitResult, candidates: &[Candidate]) -> Smallest {
        choose(candidates, &self.demoted, &self.pairs, unit.goals.is_empty())
    }

    /// The tests, and whether no smaller choice shows as much.
    fn settle(
        &mut self,
        unit: &UnitResult,
        candidates: &mut [Candidate],
    ) -> Result<(Vec<WrittenTest>, bool), SuiteError> {
        let path = self.test_path();
        for _ in 0..MOST_ROUNDS {
            if self.options.is_interrupted() {
                return Err(SuiteError::Interrupted);
            }
            let Smallest { tests: chosen, proved } = self.choose(unit, candidates);
            if chosen.is_empty() {
                let _ = std::fs::remove_file(&path);
                return Ok((Vec::new(), proved));
            }
            let new_goals = new_goals(candidates, &self.demoted, &self.pairs, &chosen);
            let cases: Vec<(TestCase, Vec<&Goal>)> = chosen
                .iter()
                .zip(&new_goals)
                .map(|(index, goals)| {
                    let goals = goals.iter().map(|goal| &unit.goals[*goal as usize]).collect();
                    (candidates[*index].case.clone(), goals)
                })
                .collect();
            let scripts = cases.iter().flat_map(|(case, _)| &case.scripts);
            let sheet = Sheet::new(self.model, &self.stubs, &self.missing, scripts);
            let text = test_file(&unit.function, &self.unit_text, &self.ignored, &sheet, &cases);
            std::fs::write(&path, &text.text)
                .map_err(|source| SuiteError::Write { path: path.clone(), source })?;
            if !self.round(unit, candidates, &chosen, &path, &text)? {
                return Ok((self.written(candidates, &chosen, &new_goals, &text), proved));
            }
        }
        Err(SuiteError::Unsettled { function: unit.function.clone() })
    }

    /// One replay of everything; true if something had to change.
    fn round(
        &mut self,
        unit: &UnitResult,
        candidates: &mut [Candidate],
        chosen: &[usize],
        path: &Path,
        text: &TestText,
    ) -> Result<bool, SuiteError> {
        let compilers = self.options.compilers.clone();
        let clang = self.scratch.join("plain-clang");
        let compiled = match self.compiler(&compilers.clang).build(path, &[], &clang) {
            Err(error) if self.can_mend(&error) => return Ok(true),
            compiled => compiled?,
        };
        let mut changed = self.ignore(&compiled.warnings, true);
        // Twice: what differs between two runs of the same program is not worth asserting.
        for _ in 0..2 {
            changed |= self.replay(&clang, candidates, chosen, text)?;
        }
        if let Some(cc) = compilers.cc.as_deref().filter(|_| self.cc_works) {
            let plain = self.scratch.join("plain-cc");
            match self.compiler(cc).build(path, &[], &plain) {
                Ok(compiled) => {
                    changed |= self.ignore(&compiled.warnings, false);
                    changed |= self.replay(&plain, candidates, chosen, text)?;
                }
                Err(error) => {
                    self.cc_works = false;
                    self.notes.push(format!("replayed with clang only: {error}"));
                }
            }
        }
        changed |= self.probe(unit, candidates, chosen, text)?;
        // Last, so that there is one such build for files that need no change.
        if !changed {
            changed = self.sanitize(candidates, chosen, path, text)?;
        }
        Ok(changed)
    }

    /// Whether the file can be written differently, so that this error goes away.
    pub(crate) fn can_mend(&mut self, error: &SuiteError) -> bool {
        let SuiteError::Compile { undefined, .. } = error else { return false };
        let known = |name: &&String| {
            let mut variables = self.model.declared_variables.iter();
            variables.any(|global| global.name == **name) || self.model.function_named(name).is_some()
        };
        let missing: Vec<String> = undefined.iter().filter(known).cloned().collect();
        let before = self.missing.len() + self.stubs.len();
        self.missing.extend(missing);
        for function in self.model.declared_functions.iter().filter(|known| undefined.contains(&known.name)) {
            let is_new = self.stubs.iter().all(|stub| stub.name != function.name);
            self.stubs.extend(plan_undefined(self.model, function).ok().filter(|_| is_new));
        }
        self.missing.len() + self.stubs.len() > before || self.declare_one_by_one()
    }

    /// Leaves out headers that the unit does not include itself; false if that was done before.
    fn declare_one_by_one(&mut self) -> bool {
        let first = self.unit_text.library == Library::Headers;
        if first {
            self.unit_text.library = Library::one_by_one(&self.model.probed_text);
        }
        first
    }

    pub(crate) fn compiler<'c>(&'c self, program: &'c Path) -> Compiler<'c> {
        Compiler { program, flags: &self.model.flags, folder: &self.options.flags_folder }
    }

    /// Switches off what the unit warns of; true if that changes the file.
    pub(crate) fn ignore(&mut self, warnings: &BTreeSet<Warning>, clang: bool) -> bool {
        let mut changed = false;
        for warning in warnings {
            let names = if clang { &mut self.ignored.clang } else { &mut self.ignored.gcc };
            changed |= names.insert(warning.option.clone());
            if warning.ours && !self.ignored.whole_file {
                self.ignored.whole_file = true;
                changed = true;
            }
        }
        changed
    }

    /// Runs each test alone and takes back what did not hold.
    fn replay(
        &mut self,
        program: &Path,
        candidates: &mut [Candidate],
        chosen: &[usize],
        text: &TestText,
    ) -> Result<bool, SuiteError> {
        let mut changed = false;
        for (position, index) in chosen.iter().enumerate() {
            let outcome = self.run_in_scratch(program, std::slice::from_ref(&text.names[position]))?;
            if outcome.success() {
                continue;
            }
            changed |= self.take_back(&mut candidates[*index], &outcome, text, position);
        }
        Ok(changed)
    }

    /// Takes back the checks that failed, or else the whole test; true if there was something to take back.
    fn take_back(
        &mut self,
        candidate: &mut Candidate,
        outcome: &Outcome,
        text: &TestText,
        position: usize,
    ) -> bool {
        let name = &text.names[position];
        let failed: BTreeSet<usize> = failed_lines(&outcome.output)
            .filter_map(|line| text.checks.get(&line))
            .filter(|(test, _)| *test == position)
            .map(|(_, check)| *check)
            .collect();
        let mut removed = false;
        for check in failed {
            let (what, active) = &mut candidate.case.checks[check];
            removed |= *active;
            if std::mem::replace(active, false) {
                self.notes.push(format!("{name}: `{}` did not hold on every replay", what.condition));
            }
        }
        if removed || candidate.excluded.is_some() || already_changed(candidate, text, position) {
            return removed;
        }
        if let Some(objection) = stopping(&outcome.output) {
            self.exclude_stopped(candidate, objection);
        } else {
            let reason = end_in_words(outcome, name);
            self.notes.push(format!("run {} gives no test: its replay {reason}", candidate.run));
            let reason = format!("its replay on the plain program {reason}");
            candidate.excluded = Some(Exclusion { reason, objection: None });
        }
        true
    }

    /// A test that the sanitizers stop is no test.
    fn exclude_stopped(&mut self, candidate: &mut Candidate, objection: Objection) {
        let message = &objection.message;
        self.notes.push(format!("run {} gives no test: the sanitizers stop it: {message}", candidate.run));
        let reason = format!("the sanitizers stop every test that was tried: {message}");
        // What the test itself does wrong is no fault of the unit.
        let objection = Some(objection).filter(|objection| !self.is_ours(objection));
        candidate.excluded = Some(Exclusion { reason, objection });
    }

    /// Runs each new test under the sanitizers.
    fn sanitize(
        &mut self,
        candidates: &mut [Candidate],
        chosen: &[usize],
        path: &Path,
        text: &TestText,
    ) -> Result<bool, SuiteError> {
        if !self.sanitizers_work || chosen.iter().all(|index| candidates[*index].sanitized) {
            return Ok(false);
        }
        let program = self.scratch.join("sanitized-tests");
        let clang = &self.options.compilers.clang;
        let flags = ["-g", SANITIZERS, NO_RECOVERY, BUT_FOR_HARMLESS];
        if let Err(error) = self.compiler(clang).build(path, &flags, &program) {
            self.sanitizers_work = false;
            self.notes.push(format!("not replayed with {SANITIZERS}: {error}"));
            return Ok(false);
        }
        let mut changed = false;
        for (position, index) in chosen.iter().enumerate() {
            let candidate = &mut candidates[*index];
            if std::mem::replace(&mut candidate.sanitized, true) {
                continue;
            }
            let outcome = self.run_sanitized(&program, std::slice::from_ref(&text.names[position]))?;
            // A test that expects an exit status may get it from a sanitizer, so success says nothing.
            if let Some(objection) = stopping(&outcome.output) {
                self.exclude_stopped(candidate, objection);
                changed = true;
            } else if !outcome.success() {
                changed |= self.take_back(candidate, &outcome, text, position);
            }
        }
        Ok(changed)
    }

    /// Records which way each new test goes on the plain program, and takes that for the truth. A test that goes another way
    /// when memory that nobody wrote holds something else is no test: nobody can tell what it will cover.
    fn probe(
        &mut self,
        unit: &UnitResult,
        candidates: &mut [Candidate],
        chosen: &[usize],
        text: &TestText,
    ) -> Result<bool, SuiteError> {
        if chosen.iter().all(|index| candidates[*index].probed.is_some()) {
            return Ok(false);
        }
        let tests = self.probed(&text.text, &text.unit, Unwritten::Zeros)?;
        let others = self.probed(&text.text, &text.unit, Unwritten::Pattern)?;
        let mut changed = false;
        for (position, index) in chosen.iter().enumerate() {
            if candidates[*index].probed.is_some() {
                continue;
            }
            let folder = self.fresh_folder()?;
            let name = std::slice::from_ref(&text.names[position]);
            let evidence = tests.run(name, folder.path(), TEST_LIMIT)?;
            let shown = shown_by(self.model, &self.goals, &self.pairs, &evidence);
            let folder = self.fresh_folder()?;
            let is_same = others.run(name, folder.path(), TEST_LIMIT)? == evidence;
            let candidate = &mut candidates[*index];
            candidate.probed = Some(evidence);
            if !is_same {
                let reason = "its way depends on memory that nobody wrote, or changes from run to run";
                self.notes.push(format!("run {} gives no test: {reason}", candidate.run));
                let reason = format!("of the test that was tried, {reason}");
                candidate.excluded = Some(Exclusion { reason, objection: None });
                changed = true;
                continue;
            }
            let lost = candidate.shown.alone.difference(&shown.alone);
            let lost: Vec<&str> = lost.map(|goal| unit.goals[*goal as usize].id.as_str()).collect();
            if !lost.is_empty() {
                self.notes.push(format!(
                    "run {} does not take {} on the plain program",
                    candidate.run,
                    lost.join(", ")
                ));
            }
            if candidate.shown != shown {
                candidate.shown = shown;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Builds an emitted file around the probed text.
    pub(crate) fn probed(
        &self,
        text: &str,
        unit: &UnitPart,
        unwritten: Unwritten,
    ) -> Result<Probed<'a>, SuiteError> {
        let clang = self.compiler(&self.options.compilers.clang);
        let renames_main = self.unit_text.renames_main;
        let emitted = Emitted { text, unit, folder: &self.folder, renames_main };
        Probed::build(self.model, &clang, &emitted, unwritten, &self.scratch)
    }

    pub(crate) fn run_in_scratch(&self, program: &Path, args: &[String]) -> Result<Outcome, SuiteError> {
        let folder = self.fresh_folder()?;
        let bounded = !asks_for_sanitizers(&self.model.flags);
        run_target(program, args, &[], folder.path(), TEST_LIMIT, bounded)
            .map_err(|source| SuiteError::CannotRun { program: program.to_path_buf(), source })
    }

    /// Runs a program that was built with the sanitizers.
    pub(crate) fn run_sanitized(&self, program: &Path, args: &[String]) -> Result<Outcome, SuiteError> {
        let folder = self.fresh_folder()?;
        // It stands beside the real clang; without it, reports have addresses in place of lines.
        let clang = self.options.compilers.clang.canonicalize().unwrap_or_default();
        let symbolizer = clang.with_file_name("llvm-symbolizer");
        let known = ["ASAN_SYMBOLIZER_PATH", "MSAN_SYMBOLIZER_PATH"].map(|name| (name, symbolizer.as_path()));
        let envs = if symbolizer.exists() { known.as_slice() } else { &[] };
        run_target(program, args, envs, folder.path(), TEST_LIMIT, false)
            .map_err(|source| SuiteError::CannotRun { program: program.to_path_buf(), source })
    }

    pub(crate) fn fresh_folder(&self) -> Result<tempfile::TempDir, SuiteError> {
        tempfile::tempdir_in(&self.scratch)
            .map_err(|source| SuiteError::Write { path: self.scratch.clone(), source })
    }

    fn written(
        &self,
        candidates: &[Candidate],
        chosen: &[usize],
        new_goals: &[Vec<u32>],
        text: &TestText,
    ) -> Vec<WrittenTest> {
        let path = format!("{}/test_{}.c", self.options.folder, self.function.name);
        let tests = chosen.iter().zip(new_goals).zip(text.names.iter().zip(&text.setups));
        tests
            .map(|((index, new_goals), (name, setup))| WrittenTest {
                name: name.clone(),
                path: path.clone(),
                inputs: candidates[*index].case.inputs.clone(),
                setup: setup.clone(),
                run: candidates[*index].run,
                covers: candidates[*index].shown.alone.iter().copied().collect(),
                new_goals: new_goals.clone(),
                evidence: candidates[*index].probed.clone().unwrap_or_default(),
            })
            .collect()
    }
}

/// What the sanitizers stop a test for: a test ends with whatever the unit keeps, so a leak is no reason, nor is what does
/// no harm, and an assertion ends it without them.
fn stopping(output: &str) -> Option<Objection> {
    let is_reason =
        |objection: &Objection| !objection.kind.leaves_a_test() && objection.kind != FaultKind::Assertion;
    objections(output).into_iter().find(is_reason)
}

/// Whether a check of this test was taken back earlier in the same round: the file on disk still has it.
fn already_changed(candidate: &Candidate, text: &TestText, position: usize) -> bool {
    let written = text.checks.values().filter(|(test, _)| *test == position).count();
    candidate.case.checks.iter().filter(|(_, active)| *active).count() < written
}

/// Line numbers in `file:LINE: CHECK failed: …`.
fn failed_lines(output: &str) -> impl Iterator<Item = u32> {
    output.split(": CHECK failed: ").filter_map(|before| before.rsplit(':').next()?.parse().ok())
}

fn end_in_words(outcome: &Outcome, name: &str) -> String {
    if outcome.status.is_none() {
        return format!("did not end within {} s", TEST_LIMIT.as_secs());
    }
    let line = outcome.output.lines().rev().find_map(|line| line.split(&format!("FAILED {name}")).nth(1));
    match line.map(str::trim).filter(|rest| !rest.is_empty()) {
        Some(rest) => format!("ended differently {rest}"),
        None => "did not pass".to_string(),
    }
}
