//! `make soak`: random programs, each checked label by label.
//!
//! Takes a number of programs (and optionally the first seed); csmith writes them, every global is a symbolic input.
//! The instrumented program must compute the plain one's checksum, and each label's term must give the value the program
//! computed. Prints a line for each failure and a summary.
#![allow(clippy::disallowed_macros)] // a test bench prints

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use tarka_campaign::{Mismatch, SelfCheck, SelfCheckRequest, self_check};
use tarka_source::{SourceRequest, analyse, find_clang};

#[path = "../../instrument/tests/support/csmith.rs"]
mod csmith;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let count = numbers.next().transpose()?.unwrap_or(300);
    let first = numbers.next().transpose()?.unwrap_or(1);
    let clang = find_clang()?;
    let (mut values, mut decisions, mut failures) = (0, 0, 0);
    for seed in first..first + count {
        match check(seed, &clang) {
            Ok(found) => {
                values += found.compared;
                decisions += found.decisions;
                for mismatch in &found.mismatches {
                    println!("seed {seed}, run {}: {}", mismatch.run, mismatch.text);
                }
                failures += u64::from(!found.mismatches.is_empty());
            }
            Err(error) => {
                println!("seed {seed}: {error}");
                failures += 1;
            }
        }
    }
    println!(
        "{count} programs, {values} values and {decisions} decisions compared, {failures} programs with a mismatch"
    );
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One program. A program that runs too long is stopped; what it did until then is compared all the same.
fn check(seed: u64, clang: &Path) -> Result<SelfCheck, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let text = csmith::generate(seed, folder.path())?;
    let file = folder.path().join("random.c");
    std::fs::write(&file, &text)?;
    let flags: Vec<String> = csmith::flags(seed).into_iter().map(str::to_string).collect();
    let model = analyse(&SourceRequest { file: &file, flags: &flags, clang })?;
    let (function, _) = model.function_named(csmith::UNIT).ok_or("csmith wrote no `main`")?;
    let mut found = self_check(&SelfCheckRequest {
        model: &model,
        function,
        runs: 1,
        seed,
        globals_as_inputs: true,
        time_limit: Duration::from_secs(5),
        clang,
        work_dir: folder.path(),
        promises_kept: false,
    })?;
    let plain = csmith::plain_checksum(&text, &csmith::flags(seed), folder.path(), clang)?;
    if let (Some(plain), Ok(ours)) = (plain, found.first_result.as_slice().try_into().map(u32::from_le_bytes))
        && plain != ours
    {
        let text = format!("the checksum is {ours:x}, of the plain program {plain:x}");
        found.mismatches.push(Mismatch { run: 1, text });
    }
    Ok(found)
}
