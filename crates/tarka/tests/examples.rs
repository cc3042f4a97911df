//! Every example, end to end, before the outside judges.
//!
//! For each C file of `examples/`: `tarka gen` finds what `examples/expected.tsv` says by hand; every emitted test
//! compiles without a warning under gcc and clang, passes under both, and covers in `llvm-cov`'s eyes exactly what
//! `report.json` claims; every fault file shows its fault.

mod judges;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What a person says about one function: branch sides, those reached today, faults.
#[derive(Debug, PartialEq, Eq)]
struct Expected {
    sides: u64,
    reached: u64,
    faults: u64,
}

/// `examples/expected.tsv` by file and function.
fn expected() -> BTreeMap<String, BTreeMap<String, Expected>> {
    let mut table: BTreeMap<String, BTreeMap<String, Expected>> = BTreeMap::new();
    let text = fs::read_to_string(judges::root().join("examples/expected.tsv")).expect("expected.tsv");
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| cells[index].parse().unwrap_or_else(|_| panic!("a number in: {line}"));
        let row = Expected { sides: number(2), reached: number(4), faults: number(5) };
        assert!(row.reached <= number(3) && number(3) <= row.sides, "in order: {line}");
        table.entry(cells[0].to_owned()).or_default().insert(cells[1].to_owned(), row);
    }
    table
}

/// Runs `tarka gen` on an example and gives its report.
fn generate(file: &str, out: &Path) -> Value {
    let source = judges::root().join("examples").join(file);
    let mut command = judges::tarka();
    command
        .args(["gen", "--seed", "1", "--time", "120", "--runs", "1500", "-o"])
        .arg(out)
        .arg(&source)
        .arg("--")
        .args(judges::flags_of(&source));
    let result = judges::output(&mut command);
    let code = result.status.code();
    assert!(code == Some(0) || code == Some(1), "tarka gen {file} gave {code:?}:\n{}", judges::text(&result));
    let report = fs::read_to_string(out.join("report.json")).expect("report.json");
    let report: Value = serde_json::from_str(&report).expect("valid JSON");
    let faults = report["units"]
        .as_array()
        .expect("units")
        .iter()
        .map(|unit| unit["faults"].as_array().map_or(0, Vec::len));
    assert_eq!(code == Some(1), faults.sum::<usize>() > 0, "the exit status says whether there are faults");
    report
}

/// The C files of a unit's folder whose names begin like this.
fn emitted(out: &Path, function: &str, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(out.join(function)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("entry").path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
    files.sort();
    files
}

fn check_unit(unit: &Value, out: &Path, flags: &[String], expected: &Expected, scratch: &Path) {
    let function = unit["function"].as_str().expect("function name");
    let goals = &unit["goals"];
    let seen = Expected {
        sides: goals["total"].as_u64().expect("total"),
        reached: goals["covered"].as_u64().expect("covered"),
        faults: unit["faults"].as_array().expect("faults").len() as u64,
    };
    assert_eq!(&seen, expected, "{function}: {:#}", unit["goal_list"]);

    let tests = emitted(out, function, "test_");
    let faults = emitted(out, function, "fault_");
    assert_eq!(faults.len() as u64, seen.faults, "{function}: one file per fault");
    let mut flags = flags.to_vec();
    if !flags.iter().any(|flag| flag.starts_with("-std=")) {
        flags.push("-std=gnu11".to_owned());
    }
    let scratch = scratch.join(function);
    fs::create_dir_all(&scratch).expect("scratch");
    for compiler in ["gcc", "clang-19"] {
        for file in &tests {
            let program = scratch.join(compiler);
            judges::compile(compiler, file, &flags, &[], &program);
            let result = judges::output(Command::new(&program).current_dir(&scratch));
            assert!(result.status.success(), "{function} under {compiler}:\n{}", judges::text(&result));
        }
        for file in &faults {
            let program = scratch.join(compiler);
            judges::compile(compiler, file, &flags, &[], &program);
            let result = judges::output(Command::new(&program).current_dir(&scratch));
            assert!(result.status.signal().is_some(), "{} shows no fault under {compiler}", file.display());
        }
    }
    let programs: Vec<PathBuf> = tests.into_iter().chain(faults).collect();
    let judged = judges::llvm_cov_branches(function, &programs, &flags, &scratch);
    assert_eq!(judged, (seen.sides, seen.reached), "{function}: llvm-cov disagrees with report.json");
}

/// One example: the report against the table, then the judges unit by unit.
fn check_example(file: &str) {
    let table = expected();
    let expected = table.get(file).unwrap_or_else(|| panic!("{file} has no line in expected.tsv"));
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = scratch.path().join("out");
    let report = generate(file, &out);
    let units = report["units"].as_array().expect("units");
    let names: Vec<&str> = units.iter().map(|unit| unit["function"].as_str().expect("name")).collect();
    assert_eq!(names.len(), expected.len(), "functions of {file}: {names:?}");
    let flags = judges::flags_of(&judges::root().join("examples").join(file));
    for unit in units {
        let name = unit["function"].as_str().expect("name");
        let expected = expected.get(name).unwrap_or_else(|| panic!("{name} has no line in expected.tsv"));
        check_unit(unit, &out, &flags, expected, scratch.path());
    }
}

macro_rules! examples {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check_example(concat!(stringify!($name), ".c")); })*

        /// A new example without a test would go unnoticed.
        #[test]
        fn every_example_has_a_test() {
            let mut files: Vec<String> = fs::read_dir(judges::root().join("examples"))
                .expect("examples/")
                .map(|entry| entry.expect("entry").file_name().into_string().expect("a plain name"))
                .filter(|name| name.ends_with(".c"))
                .collect();
            files.sort();
            let mut tested = vec![$(concat!(stringify!($name), ".c")),*];
            tested.sort_unstable();
            assert_eq!(files, tested);
        }
    };
}

examples! {
    bubble bucket calendar control delete_from_table list loop_count packet samples search tokenizer triangle vending
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    for file in ["delete_from_table.c", "tokenizer.c"] {
        let listings: Vec<BTreeMap<PathBuf, Vec<u8>>> = ["1", "2"]
            .into_iter()
            .map(|run| {
                // The same folder name in both, because the command line is part of the report.
                let out = scratch.path().join("same");
                generate(file, &out);
                let kept = scratch.path().join(format!("{file}.{run}"));
                fs::rename(&out, &kept).expect("rename");
                listing(&kept, &kept)
            })
            .collect();
        assert!(listings[0].len() >= 3, "{file}: {:?}", listings[0].keys());
        assert_eq!(listings[0].keys().collect::<Vec<_>>(), listings[1].keys().collect::<Vec<_>>());
        for (name, bytes) in &listings[0] {
            assert!(listings[1][name] == *bytes, "{file}: {} differs between two runs", name.display());
        }
    }
}

/// Every file below a folder with its content, by relative path.
fn listing(folder: &Path, base: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            found.extend(listing(&path, base));
        } else {
            let content = fs::read(&path).expect("file");
            found.insert(path.strip_prefix(base).expect("below the base").to_path_buf(), content);
        }
    }
    found
}
