//! Inputs as real libraries have them: cursors and ends, headers in front of strings, records around links, callbacks that
//! fill what they are given, tagged unions, lengths in structs,
//! texts with an end behind their length, stacks with a top, words that are read into a buffer, buffers
//! that are written to, places in arguments that functions give.
//!
//! For each C file of `examples/shapes/`: `tarka gen` reaches every side that `examples/shapes/expected.tsv` calls
//! reachable, by hand, with tests that pass; `llvm-cov` sees the same; and no bug is told, because there is none.

use std::collections::BTreeMap;
use std::fs;

use crate::judges::example::{c_files, generate};
use crate::judges::{agreement, flags_of, root};

const FOLDER: &str = "examples/shapes";

/// Sides, sides that must be reached and bugs, by function.
fn expected(file: &str) -> BTreeMap<String, [u64; 3]> {
    let text = fs::read_to_string(root().join(FOLDER).join("expected.tsv")).expect("expected.tsv");
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert!(matches!(cells.len(), 5 | 6), "five or six cells in: {line}");
        let number = |index: usize| cells[index].parse().unwrap_or_else(|_| panic!("a number in: {line}"));
        let last = cells.len() - 1;
        assert!(number(last - 1) <= number(3) && number(3) <= number(2), "in order: {line}");
        (cells[0].to_string(), cells[1].to_string(), [number(2), number(last - 1), number(last)])
    });
    rows.filter(|(of, ..)| of == file).map(|(_, function, numbers)| (function, numbers)).collect()
}

fn check(file: &str) {
    let source = root().join(FOLDER).join(file);
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = scratch.path().join("out");
    let report = generate(&source, &out, &["--time", "20"]);
    let units = report["units"].as_array().expect("units");
    let seen: BTreeMap<String, [u64; 3]> = units
        .iter()
        .map(|unit| {
            let name = unit["function"].as_str().expect("name").to_string();
            let of = |what: &str| unit["goals"][what].as_u64().expect("a count");
            let faults = unit["faults"].as_array().expect("faults");
            let bugs = faults.iter().filter(|fault| fault["class"] == "bug").count() as u64;
            (name, [of("total"), of("covered"), bugs])
        })
        .collect();
    assert_eq!(seen, expected(file), "sides, reached and bugs of {file}");
    let judged = agreement::judge_file(&report, &source, &flags_of(&source), &out, scratch.path());
    assert!(judged.wrong.is_empty(), "{}", judged.wrong.join("\n"));
}

/// One test for each file, so that they run side by side.
macro_rules! shapes {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(concat!(stringify!($name), ".c")); })*

        /// A new file without a test would go unnoticed.
        #[test]
        fn every_file_has_a_test() {
            assert_eq!(c_files(FOLDER), [$(concat!(stringify!($name), ".c")),*]);
        }
    };
}

shapes! {
    allocators buffers callbacks cursors headers options places readers rings stacks tables texts trees variants words writers
}

#[test]
fn every_line_is_about_a_file_that_is_there() {
    let text = fs::read_to_string(root().join(FOLDER).join("expected.tsv")).expect("expected.tsv");
    let files = c_files(FOLDER);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let count = lines.clone().count();
    assert!(lines.clone().all(|line| files.iter().any(|file| line.starts_with(file.as_str()))));
    assert!(count >= 40, "{count} units");
}
