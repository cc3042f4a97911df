//! Fault files: one small program for each fault, seen to fail on the plain program.
//!
//! Takes the faults of a unit; gives a file each and whether the plain program showed the fault again.
//! Never drops a fault: one that does not show again is kept and says so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_events::{
    Correction, Fault, FaultClass, FaultKind, KeptRun, RunEnd, Settled, UnitLog, UnitResult, WrittenFault,
    WrittenTest,
};
use tarka_source::{Evidence, Place, file_name};

use crate::SuiteError;
use crate::choose::choice::shown_by;
use crate::format::program::{FaultRun, fault_program};
use crate::render::test::{Ended, test};
use crate::render::tree::Test;
use crate::replay::builds::{Built, Executable, Wanted, Way};
use crate::replay::context::ReplayContext;
use crate::replay::probe::UninitialisedFill;
use crate::replay::sanitize::{SanitizerReport, trailing_arrays};
use crate::replay::showing;

/// How long a replayed fault may take; a file for an endless loop ends itself after five seconds.
const FAULT_LIMIT: Duration = Duration::from_secs(15);

/// Most faults of a unit that are replayed, in order of rank: each takes several builds.
const MOST_REPLAYED: usize = 24;

/// Most contracts among them.
const MOST_CONTRACTS: usize = 6;

/// Writes and replays a file for each fault that this unit tells, or that reaches a goal which no test does.
pub(crate) fn write_faults(
    context: &mut ReplayContext,
    unit: &UnitResult,
    tests: &[WrittenTest],
) -> Result<Vec<WrittenFault>, SuiteError> {
    let by_tests: BTreeSet<u32> = tests.iter().flat_map(|test| test.covers.iter().copied()).collect();
    let reaches_more = |fault: usize| {
        let ends_here = |kept: &&KeptRun| kept.end == RunEnd::Fault(fault as u32);
        unit.kept_runs
            .iter()
            .filter(ends_here)
            .any(|kept| kept.covers.iter().any(|goal| !by_tests.contains(goal)))
    };
    let mut made: Vec<Result<FaultFile, String>> = Vec::new();
    let (mut replayed, mut contracts) = (0, 0);
    for (index, fault) in unit.faults.iter().enumerate() {
        let is_contract = fault.class == FaultClass::Contract;
        let not_replayed = match &fault.reported_by {
            Some(reporter) if !reaches_more(index) => Some(format!("no file: reported for {reporter}()")),
            _ if fault.kind == FaultKind::OutsideEffect => {
                Some("no file: a program that shows it would do it wherever it is run".to_string())
            }
            _ if fault.class == FaultClass::Limit => Some("no file: it is a limit of the search".to_string()),
            _ if replayed >= MOST_REPLAYED || is_contract && contracts >= MOST_CONTRACTS => {
                Some(format!("not replayed: {replayed} faults of this function come first"))
            }
            _ => None,
        };
        if let Some(shown) = not_replayed {
            made.push(Err(shown));
            continue;
        }
        replayed += 1;
        contracts += usize::from(is_contract);
        let name = format!("fault_{}_{}", file_name(&unit.function), index + 1);
        let test = test(context.model, context.function, unit, &fault.executed, Ended::Somehow);
        let path = context.folder.join(format!("{name}.c"));
        made.push(match test {
            Ok(test) => Ok(FaultFile { fault, name, test, path, has_company: false }),
            Err(unspellable) => Err(format!("no file: {unspellable}")),
        });
    }
    let has_company = made.iter().flatten().count() > 1;
    made.iter_mut().flatten().for_each(|file| file.has_company = has_company);
    let files: Vec<&FaultFile> = made.iter().flatten().collect();
    let mut built = build(context, &files)?.into_iter();
    let write = |file: Result<FaultFile, String>| match (file, context.options.is_interrupted()) {
        (Ok(file), false) => {
            let built = built.next().unwrap_or_else(|| unreachable!("one build for each file"));
            write_fault(context, &file, built)
        }
        (Ok(file), true) => {
            let _ = std::fs::remove_file(&file.path);
            Ok(unwritten("not replayed: Tarka was interrupted".to_string()))
        }
        (Err(shown), _) => Ok(unwritten(shown)),
    };
    made.into_iter().map(write).collect()
}

fn unwritten(shown: String) -> WrittenFault {
    WrittenFault { shown, ..WrittenFault::default() }
}

/// The programs of a fault file: as it is, watched by the sanitizers that can show it, and around the probed text.
struct FaultPrograms {
    plain: Result<Built, SuiteError>,
    watched: Option<Result<Built, SuiteError>>,
    probed: Result<Built, SuiteError>,
}

/// Builds all files at once. What one build teaches about how they must be written holds for all.
fn build(context: &mut ReplayContext, files: &[&FaultFile]) -> Result<Vec<FaultPrograms>, SuiteError> {
    let mut done: BTreeMap<usize, FaultPrograms> = BTreeMap::new();
    let has_cc = context.builds.compilers().cc.is_some();
    loop {
        let open: Vec<usize> = (0..files.len()).filter(|number| !done.contains_key(number)).collect();
        if open.is_empty() || context.options.is_interrupted() {
            return Ok(done.into_values().collect());
        }
        let mut requests = Vec::new();
        for number in &open {
            let file = files[*number];
            let sanitizers = showing::sanitizers(file.fault.kind, false);
            let wanted = file.wanted(context, &file.watched(context, sanitizers, false))?;
            let watched = (!sanitizers.is_empty()).then(|| with_debug(sanitizers));
            let read = has_cc.then(|| Way::CcWarnings(vec!["-g"]));
            let probed = Way::Probed(UninitialisedFill::Anything);
            let ways = [with_debug(&[]), probed].into_iter().chain(watched).chain(read);
            requests.extend(ways.map(|way| (way, wanted.clone())));
        }
        let mut built = context.builds.build_all(requests).into_iter();
        let mut next = || built.next().unwrap_or_else(|| unreachable!("one answer for each"));
        for number in open {
            let (plain, probed) = (next(), next());
            let is_watched = !showing::sanitizers(files[number].fault.kind, false).is_empty();
            let watched = is_watched.then(&mut next);
            let read = has_cc.then(&mut next);
            if plain.as_ref().is_err_and(|error| context.can_retry(error)) {
                continue;
            }
            if let Ok(plain) = &plain {
                context.ignore(&plain.warnings, true);
            }
            if let Some(Ok(read)) = read {
                context.ignore(&read.warnings, false);
            }
            done.insert(number, FaultPrograms { plain, watched, probed });
        }
    }
}

fn with_debug(flags: &[&'static str]) -> Way {
    Way::Clang(std::iter::once("-g").chain(flags.iter().copied()).collect())
}

/// The plain program is many times as fast as the instrumented one: a loop that ends there was long, not endless.
pub(crate) fn settle_timeouts(log: &mut UnitLog, written: &[WrittenFault]) {
    for (index, written) in written.iter().enumerate() {
        let fault = &log.result().faults[index];
        let was_tried = written.path.is_some() && !written.confirmed;
        if fault.kind == FaultKind::Timeout && was_tried && fault.class != FaultClass::Limit {
            let why = "nothing shows that it goes on for ever".to_string();
            let settled = Settled { class: FaultClass::Limit, need: None, why, ..Settled::of(fault) };
            log.record(Correction::FaultSettled { fault: index as u32, settled: Box::new(settled) });
        }
    }
}

fn write_fault(
    context: &ReplayContext,
    file: &FaultFile,
    programs: FaultPrograms,
) -> Result<WrittenFault, SuiteError> {
    let FaultPrograms { plain, watched, probed } = programs;
    let (run, confirmed) = match plain {
        Ok(plain) => replay_fault(context, file, &plain.program, watched)?,
        Err(error) => {
            let expectation = format!("NOT CONFIRMED: this file does not compile: {error}");
            (FaultRun { expectation, ..file.unwatched(context) }, false)
        }
    };
    file.wanted(context, &run)?;
    let mut evidence = Evidence::default();
    if confirmed {
        let folder = context.fresh_folder()?;
        let probed = context.probed(probed?.program, UninitialisedFill::Anything);
        evidence = probed.run(&[], folder.path(), FAULT_LIMIT)?;
    }
    let covers = shown_by(context.model, &context.goals, &context.pairs, &evidence).alone;
    let relative = format!("{}/{}.c", context.options.folder, file.name);
    Ok(WrittenFault {
        path: Some(relative),
        confirmed,
        shown: run.expectation,
        covers: covers.into_iter().collect(),
        evidence,
        sanitizer: !run.flags.is_empty(),
    })
}

/// A fault file while it is being made.
struct FaultFile<'f> {
    fault: &'f Fault,
    name: String,
    test: Test,
    path: PathBuf,
    /// The unit has further faults.
    has_company: bool,
}

impl FaultFile<'_> {
    /// A run in which the sanitizers watch for a kind of fault, and the program `goes_on` after what they report.
    fn watched(&self, context: &ReplayContext, sanitizers: &[&'static str], goes_on: bool) -> FaultRun {
        let bounds = trailing_arrays(&context.model.flags, sanitizers);
        FaultRun {
            flags: sanitizers.iter().copied().chain(bounds).collect(),
            address_options: showing::address_options(self.fault.kind, goes_on),
            expectation: String::new(),
        }
    }

    /// A run in which nobody watches.
    fn unwatched(&self, context: &ReplayContext) -> FaultRun {
        self.watched(context, &[], false)
    }

    /// Writes the file; gives it as it is to be built.
    fn wanted(&self, context: &ReplayContext, run: &FaultRun) -> Result<Wanted, SuiteError> {
        let file_stubs = context.file_stubs(self.test.scripts.iter());
        let program = fault_program(&self.name, &context.preamble(&file_stubs), self.fault, &self.test, run);
        context.write_program(&self.path, program, self.has_company)
    }
}

/// Whether what the sanitizers object to is this fault: they may report something else on the way.
fn shows(context: &ReplayContext, sanitizer_report: &SanitizerReport, fault: &Fault) -> bool {
    if !showing::is_same(sanitizer_report.kind, fault.kind) {
        return false;
    }
    let (file, line) = context.place_in_unit(sanitizer_report);
    if line == 0 || showing::is_placed_elsewhere(fault.kind) {
        return true;
    }
    // An uninitialised value is reported where it first decides something, which may be later.
    let on_stack = |(name, _): &(String, Place)| {
        *name == fault.function || fault.stack.iter().any(|(function, _)| function == name)
    };
    if fault.kind == FaultKind::Uninitialised && sanitizer_report.stack.first().is_some_and(on_stack) {
        return true;
    }
    let same_file = Path::new(file).file_name() == Path::new(&fault.place.file).file_name();
    same_file && context.statement_lines(&fault.place).contains(&line)
}

/// As it is, and with the sanitizers: what they can show, they shall show. If they first report something else, the
/// program goes on after it.
fn replay_fault(
    context: &ReplayContext,
    file: &FaultFile,
    program: &Executable,
    mut watched: Option<Result<Built, SuiteError>>,
) -> Result<(FaultRun, bool), SuiteError> {
    let kind = file.fault.kind;
    let outcome = context.run_in_scratch(program, &[])?;
    let crash = outcome.signal().filter(|signal| showing::signals(kind).contains(signal));
    let mut reason = String::new();
    for goes_on in [false, true] {
        let sanitizers = showing::sanitizers(kind, goes_on);
        if sanitizers.is_empty() {
            break;
        }
        let run = file.watched(context, sanitizers, goes_on);
        let built = match watched.take() {
            Some(built) => built,
            None => context.builds.build(with_debug(sanitizers), &file.wanted(context, &run)?),
        };
        let sanitized = match built {
            Ok(built) => built.program,
            Err(error) => {
                reason = format!("it does not compile with {}: {error}", sanitizers[0]);
                break;
            }
        };
        let found = context.sanitizer_reports(&context.run_sanitized(&sanitized, &[])?.output);
        if found.iter().any(|sanitizer_report| shows(context, sanitizer_report, file.fault)) {
            let alone = crash.map(|signal| format!("; without them it ends with {}", signal_name(signal)));
            let expectation = format!("Tarka saw {}{}.", showing::reporter(kind), alone.unwrap_or_default());
            return Ok((FaultRun { expectation, ..run }, true));
        }
        let Some(first) = found.first() else {
            reason = format!("{} reports nothing", sanitizers[0]);
            break;
        };
        let (what, line) = (&first.message, first.line);
        reason = format!("{} reports something else: {what} (line {line})", sanitizers[0]);
    }
    if let Some(signal) = crash {
        let but = if reason.is_empty() { reason } else { format!(" ({reason})") };
        let expectation = format!("Tarka saw it end with {}{but}.", signal_name(signal));
        return Ok((FaultRun { expectation, ..file.unwatched(context) }, true));
    }
    let end = match (outcome.ended_by_limit(), outcome.signal(), outcome.status) {
        (Some(limit), ..) => limit.to_string(),
        (_, Some(signal), _) => format!("ended with {}", signal_name(signal)),
        (_, None, Some(status)) => format!("ended with status {}", status.code().unwrap_or(0)),
        (_, None, None) => "did not end".to_string(),
    };
    let why = if reason.is_empty() { reason } else { format!(", and {reason}") };
    let expectation =
        format!("NOT CONFIRMED: it was seen in the instrumented program, but the plain one {end}{why}.");
    Ok((FaultRun { expectation, ..file.unwatched(context) }, false))
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGABRT => "SIGABRT",
        libc::SIGALRM => "SIGALRM",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGTRAP => "SIGTRAP",
        _ => return format!("signal {signal}"),
    };
    name.to_string()
}
