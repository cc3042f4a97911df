//! Whole random programs: instrumented and plain must agree, and every label must have the value the program has.
//!
//! Every global is a symbolic input that keeps its initial value, so nearly every instruction of the program works on
//! labels. `TARKA_CSMITH=300` runs that many programs, `TARKA_CSMITH_FIRST=7` starts at that seed.

use crate::support::csmith::{UNIT, flags, generate, plain_checksum};
use crate::support::{Input, Options, clang, program};
use tarka_runner::End;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What went wrong with one seed, if anything; `None` also if the program was skipped.
fn check(seed: u64, compared: &mut usize) -> Result<bool, String> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let text = generate(seed, folder.path())?;
    let Some(expected) = plain_checksum(&text, &flags(seed), folder.path(), &clang())? else {
        return Ok(false);
    };
    let options = Options { self_check: true, globals_as_inputs: true, flags: &flags(seed) };
    let outcome = program(&text, UNIT, options).run(&Input::default());
    if outcome.end == End::Timeout {
        return Ok(false);
    }
    if outcome.end != End::Returned {
        return Err(format!("ended with {:?}", outcome.end));
    }
    let is_uninitialised =
        |fault: &&tarka_trace::FaultRecord| fault.kind == tarka_trace::FaultKind::Uninitialised as u32;
    if let Some(alarm) = outcome.faults.iter().find(is_uninitialised) {
        return Err(format!("csmith writes everything before it reads it: {alarm:?}"));
    }
    let found = outcome.result_i32() as u32;
    if found != expected {
        return Err(format!("checksum {found:X}, plain program {expected:X}"));
    }
    let wrong = outcome.mismatches();
    *compared += outcome.compared();
    match wrong.first() {
        None => Ok(true),
        Some(first) => Err(format!("{} labels differ, first: {first}", wrong.len())),
    }
}

#[test]
fn random_programs_agree_with_their_plain_build_and_their_labels() {
    let (first, count) = (number("TARKA_CSMITH_FIRST", 1), number("TARKA_CSMITH", 10));
    let (mut ran, mut compared, mut failures) = (0, 0, Vec::new());
    for seed in first..first + count {
        match check(seed, &mut compared) {
            Ok(true) => ran += 1,
            Ok(false) => {}
            Err(reason) => failures.push(format!("seed {seed}: {reason}")),
        }
    }
    assert!(failures.is_empty(), "{} of {count} programs disagree:\n{}", failures.len(), failures.join("\n"));
    assert!(ran * 2 >= count, "only {ran} of {count} programs could be compared");
    assert!(compared > 1000, "only {compared} labelled results were compared");
}
