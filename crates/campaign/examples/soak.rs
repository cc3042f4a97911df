//! `make soak`: random programs, each checked label by label.
//!
//! Takes a number of programs (and optionally the first seed); csmith writes them, every global is a symbolic input.
//! The instrumented program must compute the plain one's checksum, and each label's term must give the value the program
//! computed. Prints a line for each failure and a summary.
#![allow(clippy::disallowed_macros)] // a test bench prints

use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use tarka_campaign::{Mismatch, SelfCheck, SelfCheckRequest, self_check};
use tarka_source::{SourceRequest, analyse, find_clang};

/// Where Debian's `libcsmith-dev` puts csmith's header.
const INCLUDE: &str = "-I/usr/include/csmith";

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
    let file = folder.path().join("random.c");
    let seed_text = seed.to_string();
    let mut csmith = Command::new("csmith");
    csmith.args([
        "--seed",
        &seed_text,
        "--no-argc",
        "--concise",
        "--max-funcs",
        "4",
        "--max-block-depth",
        "3",
    ]);
    if seed.is_multiple_of(3) {
        csmith.arg("--float");
    }
    if seed % 4 == 1 {
        csmith.args(["--packed-struct", "--bitfields"]);
    }
    let program = csmith.output().map_err(|error| format!("csmith: {error} (apt install csmith)"))?;
    let text = String::from_utf8(program.stdout)?;
    // `main` calls everything and prints the checksum; the unit hands it over as its result.
    let unit = "unsigned everything(void) { main(); return crc32_context ^ 0xFFFFFFFFu; }";
    std::fs::write(&file, format!("{text}\n{unit}\n"))?;
    let model = analyse(&SourceRequest { file: &file, flags: &[INCLUDE.to_string()], clang })?;
    let (function, _) = model.function_named("everything").ok_or("csmith wrote no `main`")?;
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
    let plain = plain_checksum(&file, folder.path(), clang)?;
    if let (Some(plain), Ok(ours)) = (plain, found.first_result.as_slice().try_into().map(u32::from_le_bytes))
        && plain != ours
    {
        let text = format!("the checksum is {ours:x}, of the plain program {plain:x}");
        found.mismatches.push(Mismatch { run: 1, text });
    }
    Ok(found)
}

/// What the plain program prints as its checksum; `None` if it does not end in time.
fn plain_checksum(file: &Path, folder: &Path, clang: &Path) -> Result<Option<u32>, Box<dyn Error>> {
    let program = folder.join("plain");
    let mut compile = Command::new(clang);
    let compile =
        compile.args(["-w", "-O0", "-fwrapv", INCLUDE]).arg(file).arg("-lm").arg("-o").arg(&program);
    if !compile.status()?.success() {
        return Err("the plain program does not compile".into());
    }
    let output = Command::new("timeout").arg("5").arg(&program).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(hex) = text.trim().strip_prefix("checksum = ") else { return Ok(None) };
    Ok(Some(u32::from_str_radix(hex, 16)?))
}
