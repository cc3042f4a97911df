//! Fault files: one small program for each fault, seen to fail on the plain program.
//!
//! Takes the faults of a unit; gives a file each and whether the plain program showed the fault again.
//! Never drops a fault: one that does not show again is kept and says so.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_events::{Fault, FaultKind, UnitResult};
use tarka_source::Evidence;

use crate::SuiteError;
use crate::candidate::shown_by;
use crate::emit::{FaultRun, TestCase, fault_file};
use crate::sanitize::{NO_RECOVERY, Objection, SANITIZERS, objections};
use crate::scene::Scene;
use crate::stubs::Sheet;
use crate::suite::Workshop;
use crate::written::WrittenFault;

/// How long a replayed fault may take; a file for an endless loop ends itself after five seconds.
const FAULT_LIMIT: Duration = Duration::from_secs(15);

/// Writes and replays a file for each fault.
pub(crate) fn write_faults(shop: &mut Workshop, unit: &UnitResult) -> Result<Vec<WrittenFault>, SuiteError> {
    let mut written = Vec::new();
    for (index, fault) in unit.faults.iter().enumerate() {
        let name = format!("fault_{}_{}", unit.function, index + 1);
        let case = Scene::of_unit(shop.model, shop.function, unit, &fault.input)
            .and_then(|mut scene| TestCase::new(shop.model, &mut scene, None, None));
        written.push(match case {
            Ok(case) => write_fault(shop, fault, &name, &case)?,
            Err(unspellable) => {
                WrittenFault { shown: format!("no file: {unspellable}"), ..WrittenFault::default() }
            }
        });
    }
    Ok(written)
}

fn write_fault(
    shop: &mut Workshop,
    fault: &Fault,
    name: &str,
    case: &TestCase,
) -> Result<WrittenFault, SuiteError> {
    let path = shop.folder.join(format!("{name}.c"));
    let write = |shop: &Workshop, run: &FaultRun| {
        let sheet = Sheet::new(shop.model, &shop.stubs, &shop.variables, case.scripts.iter());
        let (text, unit_part) = fault_file(name, &shop.unit_text, &shop.ignored, &sheet, fault, case, run);
        std::fs::write(&path, &text).map_err(|source| SuiteError::Write { path: path.clone(), source })?;
        Ok::<_, SuiteError>((text, unit_part))
    };
    write(shop, &FaultRun::default())?;
    let program = shop.scratch.join(name);
    let clang = shop.options.compilers.clang.clone();
    let mut compiled = shop.compiler(&clang).build(&path, &["-g"], &program);
    while compiled.as_ref().is_err_and(|error| shop.can_mend(error)) {
        write(shop, &FaultRun::default())?;
        compiled = shop.compiler(&clang).build(&path, &["-g"], &program);
    }
    let (run, confirmed) = match compiled {
        Ok(compiled) => {
            shop.ignore(&compiled.warnings, true);
            if let Some(cc) = shop.options.compilers.cc.clone() {
                let other = shop.scratch.join("fault-cc");
                if let Ok(compiled) = shop.compiler(&cc).build(&path, &["-g"], &other) {
                    shop.ignore(&compiled.warnings, false);
                }
            }
            replay_fault(shop, fault, &path, &program)?
        }
        Err(error) => {
            (FaultRun { sanitizers: &[], expectation: format!("It does not compile: {error}") }, false)
        }
    };
    let (text, unit_part) = write(shop, &run)?;
    let mut evidence = Evidence::default();
    if confirmed {
        let folder = shop.fresh_folder()?;
        evidence = shop.probed(&text, &unit_part)?.run(&[], folder.path(), FAULT_LIMIT)?;
    }
    let covers = shown_by(shop.model, &shop.goals, &shop.pairs, &evidence).alone;
    let relative = format!("{}/{name}.c", shop.options.folder);
    Ok(WrittenFault {
        path: Some(relative),
        confirmed,
        shown: run.expectation,
        covers: covers.into_iter().collect(),
        evidence,
        sanitizer: !run.sanitizers.is_empty(),
    })
}

/// Whether what the sanitizers object to is this fault: they may first report something else on the way.
fn shows(objection: &Objection, fault: &Fault) -> bool {
    let harmless_alone = [
        FaultKind::SignedOverflow,
        FaultKind::Shift,
        FaultKind::Misaligned,
        FaultKind::FloatConversion,
        FaultKind::PointerArithmetic,
        FaultKind::Undefined,
    ];
    let is_certain = !harmless_alone.contains(&objection.kind);
    is_certain || objection.kind == fault.kind || objection.line == fault.place.line
}

/// First as it is, then with the sanitizers for faults that do not always crash.
fn replay_fault(
    shop: &Workshop,
    fault: &Fault,
    path: &Path,
    program: &Path,
) -> Result<(FaultRun, bool), SuiteError> {
    let outcome = shop.run_in_scratch(program, &[])?;
    if let Some(signal) = outcome.signal().filter(|signal| expected(fault.kind).contains(signal)) {
        let expectation = format!("Tarka saw it end with {}.", signal_name(signal));
        return Ok((FaultRun { sanitizers: &[], expectation }, true));
    }
    let compilers = &shop.options.compilers;
    // If something harmless is reported on the way, the program must go on after it.
    let ways: [&'static [&'static str]; 2] = [&[SANITIZERS, NO_RECOVERY], &[SANITIZERS]];
    for sanitizers in ways {
        let builds = [Some(&compilers.clang), compilers.cc.as_ref()];
        let sanitized = shop.scratch.join("sanitized");
        let flags: Vec<&str> = std::iter::once("-g").chain(sanitizers.iter().copied()).collect();
        let is_built = |compiler: &&Path| shop.compiler(compiler).build(path, &flags, &sanitized).is_ok();
        if !builds.into_iter().flatten().map(PathBuf::as_path).any(|compiler| is_built(&compiler)) {
            break;
        }
        let found = objections(&shop.run_sanitized(&sanitized, &[])?.output);
        if found.iter().any(|objection| shows(objection, fault)) {
            let expectation = "Tarka saw the sanitizers report it.".to_string();
            return Ok((FaultRun { sanitizers, expectation }, true));
        }
        if found.is_empty() {
            break;
        }
    }
    let expectation = format!(
        "NOT CONFIRMED: it was seen in the instrumented program, but the plain one {}.",
        match (outcome.signal(), outcome.status) {
            (Some(signal), _) => format!("ended with {}", signal_name(signal)),
            (None, Some(status)) => format!("ended with status {}", status.code().unwrap_or(0)),
            (None, None) => "did not end".to_string(),
        }
    );
    Ok((FaultRun { sanitizers: &[], expectation }, false))
}

/// The signals that confirm a kind of fault.
fn expected(kind: FaultKind) -> &'static [i32] {
    match kind {
        FaultKind::NullDereference | FaultKind::WildDereference | FaultKind::StackOverflow => {
            &[libc::SIGSEGV, libc::SIGBUS]
        }
        FaultKind::DivisionByZero | FaultKind::DivisionOverflow => &[libc::SIGFPE],
        FaultKind::Assertion | FaultKind::Abort => &[libc::SIGABRT],
        FaultKind::Timeout => &[libc::SIGALRM],
        _ => &[
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGABRT,
            libc::SIGFPE,
            libc::SIGILL,
            libc::SIGTRAP,
            libc::SIGKILL,
        ],
    }
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
