//! The outside judges: gcc, clang and llvm-cov look at what Tarka wrote. Nothing here believes Tarka's own figures.

pub mod agreement;
pub mod example;
pub mod llvm_cov;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("repository root")
}

/// The `tarka` under test.
pub fn tarka() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tarka"))
}

/// Runs a command and gives its output; a command that cannot start is a failed test.
pub fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?} did not start: {error}"))
}

/// Runs `tarka` in a folder; gives exit status and everything it said.
pub fn tarka_in(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = output(tarka().current_dir(folder).args(args));
    (output.status.code(), text(&output))
}

/// The report of an output folder.
pub fn report(out: &Path) -> Value {
    let text = std::fs::read_to_string(out.join("report.json")).expect("report.json");
    serde_json::from_str(&text).expect("valid JSON")
}

/// Both streams of an output as text, for messages.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The compiler flags an example asks for in its `tarka-flags:` comment.
pub fn flags_of(source: &Path) -> Vec<String> {
    asked(source, "tarka-flags:")
}

/// The options of `tarka gen` an example asks for in its `tarka-options:` comment.
pub fn options_of(source: &Path) -> Vec<String> {
    asked(source, "tarka-options:")
}

fn asked(source: &Path, mark: &str) -> Vec<String> {
    let source = std::fs::read_to_string(source).expect("readable example");
    let Some(rest) = source.split(mark).nth(1) else { return Vec::new() };
    let line = rest.split("*/").next().unwrap_or("");
    line.split_whitespace().map(str::to_owned).collect()
}

/// Compiles a file with warnings as errors and gives the program.
pub fn compile(compiler: &str, file: &Path, flags: &[String], extra: &[&str], program: &Path) {
    let mut command = Command::new(compiler);
    command
        .args(["-Wall", "-Wextra", "-Werror"])
        .args(extra)
        .args(flags)
        .arg(file)
        .arg("-o")
        .arg(program)
        .arg("-lm");
    let result = output(&mut command);
    assert!(result.status.success(), "{compiler} refuses {}:\n{}", file.display(), text(&result));
}
