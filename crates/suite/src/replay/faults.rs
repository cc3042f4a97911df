//! Fault files: one small program for each fault, seen to fail on the plain program.
//!
//! Takes the faults of a unit; gives a file each and whether the plain program showed the fault again.
//! Never drops a fault: one that does not show again is kept and says so.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_events::{
    Correction, Fault, FaultClass, FaultKind, KeptRun, RunEnd, Settled, UnitLog, UnitResult, WrittenFault,
    WrittenTest,
};
use tarka_source::{Evidence, Place};

use crate::SuiteError;
use crate::choose::choice::shown_by;
use crate::format::Sources;
use crate::format::program::{FaultRun, Program, fault_program};
use crate::render::test::{Ended, test};
use crate::render::tree::Test;
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
    let mut written: Vec<WrittenFault> = Vec::new();
    let (mut replayed, mut contracts) = (0, 0);
    for (index, fault) in unit.faults.iter().enumerate() {
        let is_contract = fault.class == FaultClass::Contract;
        let not_replayed = match &fault.reported_by {
            Some(reporter) if !reaches_more(index) => Some(format!("no file: reported for {reporter}()")),
            _ if fault.kind == FaultKind::OutsideEffect => {
                Some("no file: a program that shows it would do it wherever it is run".to_string())
            }
            _ if fault.class == FaultClass::Limit => Some("no file: it is a limit of the search".to_string()),
            _ if context.options.is_interrupted() => Some("not replayed: Tarka was interrupted".to_string()),
            _ if replayed >= MOST_REPLAYED || is_contract && contracts >= MOST_CONTRACTS => {
                Some(format!("not replayed: {replayed} faults of this function come first"))
            }
            _ => None,
        };
        if let Some(shown) = not_replayed {
            written.push(WrittenFault { shown, ..WrittenFault::default() });
            continue;
        }
        replayed += 1;
        contracts += usize::from(is_contract);
        let name = format!("fault_{}_{}", unit.function, index + 1);
        written.push(match test(context.model, context.function, unit, &fault.executed, Ended::Somehow) {
            Ok(test) => write_fault(context, fault, &name, &test)?,
            Err(unspellable) => {
                WrittenFault { shown: format!("no file: {unspellable}"), ..WrittenFault::default() }
            }
        });
    }
    Ok(written)
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
    context: &mut ReplayContext,
    fault: &Fault,
    name: &str,
    test: &Test,
) -> Result<WrittenFault, SuiteError> {
    let path = context.folder.join(format!("{name}.c"));
    let file = FaultFile { fault, name, test, path };
    let sources = Sources::of_program(&file.path);
    file.write(context, &file.unwatched(context))?;
    let program = context.scratch.join(name);
    let clang = context.options.compilers.clang.clone();
    let mut compiled = context.compiler(&clang).build(&sources, &["-g"], &program);
    while compiled.as_ref().is_err_and(|error| context.can_retry(error)) {
        file.write(context, &file.unwatched(context))?;
        compiled = context.compiler(&clang).build(&sources, &["-g"], &program);
    }
    let (run, confirmed) = match compiled {
        Ok(compiled) => {
            context.ignore(&compiled.warnings, true);
            if let Some(cc) = context.options.compilers.cc.clone()
                && let Ok(warnings) = context.compiler(&cc).warnings(&file.path, &["-g"])
            {
                context.ignore(&warnings, false);
            }
            replay_fault(context, &file, &program)?
        }
        Err(error) => {
            let expectation = format!("NOT CONFIRMED: this file does not compile: {error}");
            (FaultRun { expectation, ..file.unwatched(context) }, false)
        }
    };
    let written = file.write(context, &run)?;
    let mut evidence = Evidence::default();
    if confirmed {
        let folder = context.fresh_folder()?;
        let probed = context.probed(&written.text, &written.unit, &sources, UninitialisedFill::Anything)?;
        evidence = probed.run(&[], folder.path(), FAULT_LIMIT)?;
    }
    let covers = shown_by(context.model, &context.goals, &context.pairs, &evidence).alone;
    let relative = format!("{}/{name}.c", context.options.folder);
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
    name: &'f str,
    test: &'f Test,
    path: PathBuf,
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

    fn write(&self, context: &ReplayContext, run: &FaultRun) -> Result<Program, SuiteError> {
        let file_stubs = context.file_stubs(self.test.scripts.iter());
        let program = fault_program(self.name, &context.preamble(&file_stubs), self.fault, self.test, run);
        context.write_program(&self.path, &program)?;
        Ok(program)
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
    program: &Path,
) -> Result<(FaultRun, bool), SuiteError> {
    let kind = file.fault.kind;
    let sources = Sources::of_program(&file.path);
    let outcome = context.run_in_scratch(program, &[])?;
    let crash = outcome.signal().filter(|signal| showing::signals(kind).contains(signal));
    let mut reason = String::new();
    for goes_on in [false, true] {
        let sanitizers = showing::sanitizers(kind, goes_on);
        if sanitizers.is_empty() {
            break;
        }
        let run = file.watched(context, sanitizers, goes_on);
        file.write(context, &run)?;
        let sanitized = context.scratch.join("sanitized");
        let flags: Vec<&str> = std::iter::once("-g").chain(sanitizers.iter().copied()).collect();
        if let Err(error) =
            context.compiler(&context.options.compilers.clang).build(&sources, &flags, &sanitized)
        {
            reason = format!("it does not compile with {}: {error}", sanitizers[0]);
            break;
        }
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
    let end = match (outcome.signal(), outcome.status) {
        (Some(signal), _) => format!("ended with {}", signal_name(signal)),
        (None, Some(status)) => format!("ended with status {}", status.code().unwrap_or(0)),
        (None, None) => "did not end".to_string(),
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
