//! The outside judges: gcc, clang and llvm-cov look at what Tarka wrote. Nothing here believes Tarka's own figures.
#![allow(dead_code)] // each test file uses the judges it needs

pub mod example;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

/// Branch sides of one function as `llvm-cov` counts them over some programs: (all, covered).
pub fn llvm_cov_branches(
    function: &str,
    programs: &[PathBuf],
    flags: &[String],
    scratch: &Path,
) -> (u64, u64) {
    let mut binaries = Vec::new();
    let mut profiles = Vec::new();
    for (index, source) in programs.iter().enumerate() {
        let folder = scratch.join(format!("cov{index}"));
        std::fs::create_dir_all(&folder).expect("scratch folder");
        let binary = folder.join("program");
        // Continuous mode: counters live in the file, so a program that crashes has its profile all the same.
        let continuous =
            ["-fprofile-instr-generate", "-fcoverage-mapping", "-mllvm", "-runtime-counter-relocation", "-w"];
        compile("clang-19", source, flags, &continuous, &binary);
        let pattern = folder.join("%p%c.profraw");
        // A fault file ends by a signal: its exit status says nothing here.
        output(Command::new(&binary).current_dir(&folder).env("LLVM_PROFILE_FILE", &pattern));
        for entry in std::fs::read_dir(&folder).expect("scratch folder") {
            let path = entry.expect("entry").path();
            if path.extension().is_some_and(|e| e == "profraw") {
                profiles.push(path);
            }
        }
        binaries.push(binary);
    }
    let merged = scratch.join("merged.profdata");
    let result = output(
        Command::new("llvm-profdata-19").args(["merge", "-sparse", "-o"]).arg(&merged).args(&profiles),
    );
    assert!(result.status.success(), "llvm-profdata: {}", text(&result));

    // Every program holds its own copy of the unit: a side is covered if it is covered in any of them.
    let mut sides: Vec<bool> = Vec::new();
    for binary in &binaries {
        let mut command = Command::new("llvm-cov-19");
        command.args(["show", "--show-branches=count", "--show-expansions", "--name-regex"]);
        command.arg(format!("^(.*:)?{function}$")).arg(binary).arg("-instr-profile").arg(&merged);
        let result = output(&mut command);
        assert!(result.status.success(), "llvm-cov: {}", text(&result));
        let shown = branch_lines(&String::from_utf8_lossy(&result.stdout));
        if sides.is_empty() {
            sides = shown;
        } else if !shown.is_empty() {
            assert_eq!(sides.len(), shown.len(), "two builds of {function} have different branches");
            for (side, also) in sides.iter_mut().zip(shown) {
                *side |= also;
            }
        }
    }
    (sides.len() as u64, sides.iter().filter(|side| **side).count() as u64)
}

/// The sides of every `Branch (l:c): [True: n, False: m]` line; folded branches have none.
fn branch_lines(shown: &str) -> Vec<bool> {
    let mut sides = Vec::new();
    for line in shown.lines() {
        let Some(counts) = line.split("[True: ").nth(1) else { continue };
        let Some((taken, rest)) = counts.split_once(", False: ") else { continue };
        sides.push(taken != "0");
        sides.push(!rest.starts_with("0]"));
    }
    sides
}
