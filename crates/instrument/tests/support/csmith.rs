//! Random programs by csmith, for the test of this crate and for `make soak`.
//!
//! Takes a seed; gives a program whose `checksum` runs all of it, and what the plain program says its checksum is. Never judges.

use std::path::Path;
use std::process::Command;

/// Where Debian's `libcsmith-dev` puts csmith's header.
const INCLUDE: &str = "-I/usr/include/csmith";
/// The compiler flags for the program of a seed; some programs are read as old C.
pub fn flags(seed: u64) -> Vec<&'static str> {
    match seed % 5 {
        2 => vec![INCLUDE, "-std=gnu89"],
        3 => vec![INCLUDE, "-std=c89"],
        _ => vec![INCLUDE],
    }
}

/// The unit: its result is the program's checksum.
pub const UNIT: &str = "checksum";
/// Seconds; a program that needs longer without instrumentation is not worth waiting for.
const PATIENCE: &str = "3";

/// The random program of a seed; different seeds lean on different features.
pub fn generate(seed: u64, folder: &Path) -> Result<String, String> {
    let mut csmith = Command::new("csmith");
    // It leaves a `platform.info` where it runs.
    csmith.current_dir(folder).args(["--seed", &seed.to_string(), "--no-argc", "--concise"]);
    csmith.args(["--max-funcs", "4", "--max-block-depth", "3"]);
    if seed.is_multiple_of(3) {
        csmith.arg("--float");
    }
    if seed % 4 == 1 {
        csmith.args(["--packed-struct", "--bitfields"]);
    }
    let program = csmith.output().map_err(|error| format!("csmith: {error} (apt install csmith)"))?;
    let text = String::from_utf8(program.stdout).map_err(|error| format!("csmith: {error}"))?;
    // `main` calls everything and prints the checksum; the unit hands it over as its result.
    Ok(format!("{text}\nunsigned {UNIT}(void) {{ main(); return crc32_context ^ 0xFFFFFFFFu; }}\n"))
}

/// What the plain program prints as its checksum; `None` if it runs too long.
pub fn plain_checksum(
    text: &str,
    flags: &[&str],
    folder: &Path,
    clang: &Path,
) -> Result<Option<u32>, String> {
    let (source, program) = (folder.join("plain.c"), folder.join("plain"));
    std::fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compile = Command::new(clang);
    compile.args(["-w", "-O0", "-fwrapv"]).args(flags).arg(&source).arg("-lm").arg("-o").arg(&program);
    if !compile.status().is_ok_and(|status| status.success()) {
        return Err("the plain program does not compile".into());
    }
    let ran = Command::new("timeout").arg(PATIENCE).arg(&program).output();
    let ran = ran.map_err(|error| format!("the plain program does not start: {error}"))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    Ok(said.trim().strip_prefix("checksum = ").and_then(|hex| u32::from_str_radix(hex, 16).ok()))
}
