//! One C file of a folder of examples: what a person's table says of it against `report.json`, then the judges unit by
//! unit.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use tarka_source::SourceModel;

use super::{agreement, compile, flags_of, options_of, output, root, tarka, text};

/// What a person says about one function: branch sides, those that must be reached, faults.
#[derive(Debug, PartialEq, Eq)]
struct Expected {
    /// Branch sides as `llvm-cov` counts them.
    sides: u64,
    /// Sides that must be reached.
    reached: u64,
    /// Distinct faults.
    faults: u64,
}

/// A person's lines about one file, by function.
type Table = BTreeMap<String, Expected>;

/// The compilers and flags that the emitted tests must pass under without a warning. Fault files are compiled with the
/// plain ones only.
const PLAIN: &[(&str, &[&str])] = &[("gcc", &[]), ("clang-19", &[])];
/// With the sanitizers: a test is not a fault.
const SANITIZED: &[(&str, &[&str])] = &[
    ("gcc", &["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]),
    ("clang-19", &["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]),
];

/// What is asked for unless a test wants something else.
pub const FULL: [&str; 4] = ["--time", "120", "--runs", "1500"];

/// Runs `tarka gen` on an example and gives its report.
pub fn generate(source: &Path, out: &Path, options: &[&str]) -> Value {
    generate_by(tarka(), source, out, options)
}

/// The same with a command that was prepared for it.
pub fn generate_by(mut command: Command, source: &Path, out: &Path, options: &[&str]) -> Value {
    command
        .args(["gen", "--seed", "1"])
        .args(options)
        .args(options_of(source))
        .arg("-o")
        .arg(out)
        .arg(source)
        .arg("--")
        .args(flags_of(source));
    let result = output(&mut command);
    let (code, file) = (result.status.code(), source.display());
    assert!(code == Some(0) || code == Some(1), "tarka gen {file} gave {code:?}:\n{}", text(&result));
    let report = fs::read_to_string(out.join("report.json")).expect("report.json");
    let report: Value = serde_json::from_str(&report).expect("valid JSON");
    let faults =
        report["units"].as_array().expect("units").iter().filter_map(|unit| unit["faults"].as_array());
    let has_bugs = faults.flatten().any(|fault| fault["class"] == "bug");
    assert_eq!(code == Some(1), has_bugs, "the exit status says whether there are bugs");
    report
}

/// The C files of a unit's folder whose names begin like this.
pub fn emitted(out: &Path, function: &str, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(out.join(function)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("entry").path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
    files.sort();
    files
}

fn check_unit(
    unit: &Value,
    model: &SourceModel,
    out: &Path,
    flags: &[String],
    expected: &Expected,
    scratch: &Path,
) {
    let function = unit["function"].as_str().expect("function name");
    let goals = &unit["goals"];
    let seen = Expected {
        sides: goals["total"].as_u64().expect("total"),
        reached: goals["covered"].as_u64().expect("covered"),
        faults: unit["faults"].as_array().expect("faults").len() as u64,
    };
    assert_eq!(&seen, expected, "{function}: {:#} {:#}", unit["goal_list"], unit["faults"]);

    let tests = emitted(out, function, "test_");
    let faults = emitted(out, function, "fault_");
    // A fault that a caller tells may have a file here as well, if only it reaches a goal.
    assert!(faults.len() as u64 >= seen.faults, "{function}: one file per fault");
    let mut flags = flags.to_vec();
    if !flags.iter().any(|flag| flag.starts_with("-std=")) {
        flags.push("-std=gnu11".to_owned());
    }
    let scratch = scratch.join(function);
    fs::create_dir_all(&scratch).expect("scratch");
    let program = scratch.join("program");
    for (compiler, extra) in PLAIN.iter().chain(SANITIZED) {
        for file in &tests {
            compile(compiler, file, &flags, extra, &program);
            let result = output(Command::new(&program).current_dir(&scratch));
            assert!(result.status.success(), "{function} under {compiler} {extra:?}:\n{}", text(&result));
        }
    }
    for file in &faults {
        check_fault(file, &flags, &scratch);
    }
    let programs = agreement::programs(unit, out);
    let mut differences = agreement::contradictions(unit);
    if programs.is_empty() {
        differences.extend(agreement::claims(unit));
    } else {
        let judged = agreement::see(unit, model, (&programs, &flags), &scratch);
        differences.extend(agreement::differences(unit, model, &judged));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A fault file shows its fault when it is built as it says: by a signal on the plain program, or with the sanitizers.
fn check_fault(file: &Path, flags: &[String], scratch: &Path) {
    let program = scratch.join("program");
    let said = fs::read_to_string(file).expect("fault file");
    let needs_sanitizers = said.split("*/").next().is_some_and(|comment| comment.contains("-fsanitize="));
    for (compiler, extra) in if needs_sanitizers { &SANITIZED[1..] } else { PLAIN } {
        compile(compiler, file, flags, extra, &program);
        let result = output(Command::new(&program).current_dir(scratch));
        let shows =
            if needs_sanitizers { !result.status.success() } else { result.status.signal().is_some() };
        assert!(shows, "{} shows no fault under {compiler}", file.display());
    }
}

/// One file: the report against the table, then the judges unit by unit.
pub fn check(folder: &str, file: &str) {
    let expected = expected(folder, file);
    let source = root().join(folder).join(file);
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = scratch.path().join("out");
    let report = generate(&source, &out, &FULL);
    let units = report["units"].as_array().expect("units");
    let names: Vec<&str> = units.iter().map(|unit| unit["function"].as_str().expect("name")).collect();
    assert_eq!(names.len(), expected.len(), "functions of {file}: {names:?}");
    let flags = flags_of(&source);
    let model = agreement::model_of(&source, &flags);
    for unit in units {
        let name = unit["function"].as_str().expect("name");
        let expected = expected.get(name).unwrap_or_else(|| panic!("{name} has no line in expected.tsv"));
        check_unit(unit, &model, &out, &flags, expected, scratch.path());
    }
}

/// What a folder's `expected.tsv` says about a file. A line holds file, function, sides, sides that some input reaches,
/// sides that must be reached (only where these are fewer today), faults.
fn expected(folder: &str, file: &str) -> Table {
    let text = fs::read_to_string(root().join(folder).join("expected.tsv")).expect("expected.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut table = Table::new();
    for line in lines {
        let cells: Vec<&str> = line.split_whitespace().collect();
        if cells[0] != file {
            continue;
        }
        assert!(matches!(cells.len(), 5 | 6), "five or six cells in: {line}");
        let number = |index: usize| cells[index].parse().unwrap_or_else(|_| panic!("a number in: {line}"));
        let last = cells.len() - 1;
        let row = Expected { sides: number(2), reached: number(last - 1), faults: number(last) };
        assert!(row.reached <= number(3) && number(3) <= row.sides, "in order: {line}");
        table.insert(cells[1].to_owned(), row);
    }
    assert!(!table.is_empty(), "{file} has no line in {folder}/expected.tsv");
    table
}

/// The C files of a folder, sorted.
pub fn c_files(folder: &str) -> Vec<String> {
    let mut files: Vec<String> = fs::read_dir(root().join(folder))
        .expect("a folder of examples")
        .map(|entry| entry.expect("entry").file_name().into_string().expect("a plain name"))
        .filter(|name| name.ends_with(".c"))
        .collect();
    files.sort();
    files
}

/// One test for each C file of a folder, and one that no file is without.
macro_rules! examples {
    ($folder:expr; $($name:ident)*) => {
        $(#[test] fn $name() {
            $crate::judges::example::check($folder, concat!(stringify!($name), ".c"));
        })*

        /// A new file without a test would go unnoticed.
        #[test]
        fn every_file_has_a_test() {
            let mut tested = vec![$(concat!(stringify!($name), ".c")),*];
            tested.sort_unstable();
            assert_eq!($crate::judges::example::c_files($folder), tested);
        }
    };
}
pub(crate) use examples;
