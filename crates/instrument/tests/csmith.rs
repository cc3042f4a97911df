//! Whole random programs: instrumented and plain must agree, and every label must have the value the program has.
//!
//! Every global is a symbolic input that keeps its initial value, so nearly every instruction of the program works on
//! labels. `TARKA_CSMITH=300` runs that many programs, `TARKA_CSMITH_FIRST=7` starts at that seed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Input, Options, clang, program};
use tarka_runner::End;

const INCLUDE: &str = "-I/usr/include/csmith";
/// A program that needs longer than this without instrumentation is not worth waiting for.
const PATIENCE: Duration = Duration::from_secs(3);

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The random program of a seed; different seeds lean on different features.
fn generate(seed: u64, folder: &Path) -> Option<String> {
    let mut command = Command::new("csmith");
    // It leaves a `platform.info` where it runs.
    command.current_dir(folder);
    command.args([
        "--seed",
        &seed.to_string(),
        "--no-argc",
        "--concise",
        "--max-funcs",
        "4",
        "--max-block-depth",
        "3",
    ]);
    if seed.is_multiple_of(3) {
        command.arg("--float");
    }
    if seed % 4 == 1 {
        command.args(["--packed-struct", "--bitfields"]);
    }
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    // The checksum is the program's whole output: hand it over as a return value.
    Some(format!("{text}\nunsigned checksum(void) {{ main(); return crc32_context ^ 0xFFFFFFFFu; }}\n"))
}

/// What the plain program prints as its checksum; `None` if it runs too long.
fn plain_checksum(text: &str, folder: &Path) -> Option<u32> {
    let (source, exe) = (folder.join("plain.c"), folder.join("plain"));
    std::fs::write(&source, text).expect("the source can be written");
    let compiled = Command::new(clang())
        .args(["-w", "-O0", "-fwrapv", INCLUDE])
        .arg(&source)
        .arg("-o")
        .arg(&exe)
        .args(["-lm"])
        .status()
        .expect("clang runs");
    assert!(compiled.success(), "the plain program compiles");
    let mut child = Command::new(&exe).stdout(Stdio::piped()).spawn().expect("the plain program runs");
    let start = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().expect("it can be ended");
            child.wait().expect("it ends");
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("its output can be read");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let hex = text.trim().strip_prefix("checksum = ")?.to_owned();
    u32::from_str_radix(&hex, 16).ok()
}

/// What went wrong with one seed, if anything; `None` also if the program was skipped.
fn check(seed: u64, compared: &mut usize) -> Result<bool, String> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let text = generate(seed, folder.path()).ok_or("csmith gave no program")?;
    let Some(expected) = plain_checksum(&text, folder.path()) else { return Ok(false) };
    let options = Options { self_check: true, globals_as_inputs: true, flags: &[INCLUDE, "-w"] };
    let outcome = program(&text, "checksum", options).run(&Input::default());
    if outcome.end == End::Timeout {
        return Ok(false);
    }
    if outcome.end != End::Returned {
        return Err(format!("ended with {:?}", outcome.end));
    }
    let is_unwritten =
        |fault: &&tarka_trace::FaultRecord| fault.kind == tarka_trace::FaultKind::Uninitialised as u32;
    if let Some(alarm) = outcome.faults.iter().find(is_unwritten) {
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
