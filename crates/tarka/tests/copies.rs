//! Copies into objects of known size, end to end: in each unit of `examples/trust/faults/copies_*.c` Tarka finds the one fault that
//! `copies.tsv` beside them names by hand, at its line, and confirms it on the plain program; it finds no other, and none in
//! the units that look at lengths. Beside that: what `complete` says about called functions, and numbers read from text.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::judges::{output, report, root, tarka, text};
use serde_json::Value;

/// A line of the table.
struct Row {
    file: String,
    unit: String,
    /// Kind and line; `None` if nothing is wrong.
    fault: Option<(String, u64)>,
}

fn folder() -> PathBuf {
    root().join("examples/trust/faults")
}

fn table() -> Vec<Row> {
    let table = fs::read_to_string(folder().join("copies.tsv")).expect("copies.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [file, unit, kind, at] = cells[..] else { panic!("four cells in: {line}") };
        let fault = (kind != "-").then(|| (kind.to_string(), at.parse().expect("a line")));
        Row { file: file.to_string(), unit: unit.to_string(), fault }
    });
    rows.collect()
}

/// The units of a file as the report has them, with some options.
fn units_of(file: &Path, options: &[&str]) -> Vec<Value> {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let mut command = tarka();
    command.args(["gen", "--seed", "1", "-t", "30", "-o"]).arg(scratch.path()).arg(file).args(options);
    let result = output(&mut command);
    assert!(matches!(result.status.code(), Some(0 | 1)), "{}", text(&result));
    let report = report(scratch.path());
    report["units"].as_array().expect("units").clone()
}

/// The same for a program that is written here.
fn units_of_text(program: &str, options: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("unit.c");
    fs::write(&file, program).expect("a file");
    units_of(&file, options)
}

fn faults(unit: &Value) -> Vec<(String, u64, bool)> {
    let faults = unit["faults"].as_array().expect("faults").iter();
    let one = |fault: &Value| {
        let kind = fault["kind"].as_str().unwrap_or_default().to_string();
        (kind, fault["line"].as_u64().unwrap_or_default(), fault["confirmed"] == true)
    };
    faults.map(one).collect()
}

/// Holds what is found in the units of a file to their rows, and tells all differences at once.
fn check(file: &str) {
    let rows: Vec<Row> = table().into_iter().filter(|row| row.file == file).collect();
    let names: Vec<&str> = rows.iter().flat_map(|row| ["-f", &row.unit]).collect();
    let units = units_of(&folder().join(file), &[&["-n", "400"], names.as_slice()].concat());
    let differences = rows.iter().filter_map(|row| {
        let unit = units.iter().find(|unit| unit["function"] == *row.unit);
        let found = faults(unit.unwrap_or_else(|| panic!("{} is not in the report", row.unit)));
        let expected = row.fault.iter().map(|(kind, line)| (kind.clone(), *line, true)).collect::<Vec<_>>();
        (found != expected).then(|| format!("  {}: {expected:?}, found {found:?}", row.unit))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{file}: kind, line, confirmed\n{}", differences.join("\n"));
}

#[test]
fn strings() {
    check("copies_strings.c");
}

#[test]
fn made_texts() {
    check("copies_prints.c");
}

#[test]
fn words_of_a_line() {
    check("copies_scans.c");
}

#[test]
fn lines_of_any_length() {
    check("copies_lines.c");
}

#[test]
fn blocks_as_long_as_a_string() {
    check("copies_blocks.c");
}

#[test]
fn members_of_records() {
    check("copies_members.c");
}

#[test]
fn called_functions() {
    check("copies_calls.c");
}

/// The table is worth what it covers: every file, and lines that are what they are called.
#[test]
fn the_table_names_every_file_and_every_marked_line() {
    let rows = table();
    let entries = fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let copies = |name: &String| name.starts_with("copies_") && name.ends_with(".c");
    let files: BTreeSet<String> = entries.filter_map(|name| name.into_string().ok()).filter(copies).collect();
    assert_eq!(rows.iter().map(|row| row.file.clone()).collect::<BTreeSet<_>>(), files);
    for file in files {
        let source = fs::read_to_string(folder().join(&file)).expect("a source file");
        let marked = (1..).zip(source.lines()).filter(|(_, line)| line.ends_with("/* fault */"));
        let marked: BTreeSet<u64> = marked.map(|(number, _)| number).collect();
        let listed = rows.iter().filter(|row| row.file == file).filter_map(|row| Some(row.fault.as_ref()?.1));
        assert_eq!(marked, listed.collect(), "{file}");
    }
    let (wrong, right): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.fault.is_some());
    assert!(wrong.len() >= 20 && right.len() >= 10, "{} and {}", wrong.len(), right.len());
}

/// Branch coverage of the unit itself takes two runs; `complete` is said when the assertion of the callee is settled, too.
#[test]
fn complete_means_that_failing_sides_of_called_functions_are_settled() {
    let calls = folder().join("copies_calls.c");
    let settled = units_of(&calls, &["-f", "rest_of"]);
    assert_eq!((&settled[0]["status"], faults(&settled[0])), (&Value::from("complete"), Vec::new()));
    let covered = &settled[0]["goals"];
    assert_eq!(covered["covered"], covered["total"], "{covered}");
    let cut_short = units_of(&calls, &["-f", "rest_of", "-n", "4"]);
    let covered = &cut_short[0]["goals"];
    assert_eq!(covered["covered"], covered["total"], "{covered}");
    assert_eq!(cut_short[0]["status"], "budget", "ways to the assertion were not tried");
    let limits = cut_short[0]["limits"].to_string();
    assert!(limits.contains("not tried for faults"), "{limits}");
}

#[test]
fn numbers_read_from_text_are_solved_for() {
    let program = "#include <stdlib.h>
        int is_seven(const char *s) { if (atoi(s) == 7) return 1; return 0; }
        int is_port(const char *s) { switch (atoi(s)) { case 80: return 1; case 443: return 2; } return 0; }
        int is_long(const char *s) { if (atol(s) == 4000) return 1; return 0; }
        int is_longer(const char *s) { if (atoll(s) == -52) return 1; return 0; }
        int is_half(const char *s) { if (atof(s) == 7.5) return 1; return 0; }
        int is_quarter(const char *s) { if (strtod(s, NULL) == 0.25) return 1; return 0; }";
    for unit in units_of_text(program, &["--assume", "is_seven: s != NULL"]) {
        let goals = &unit["goals"];
        assert_eq!(goals["covered"], goals["total"], "{}: {goals}", unit["function"]);
    }
}

/// Whoever says how long strings are means it: the overflow takes 16 characters, and there are 8 bytes.
#[test]
fn a_bound_of_the_user_holds_for_copies() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("unit.c");
    let program = "#include <string.h>
        int f(const char *s) { char b[16]; if (!s) return 0; strcpy(b, s); return b[0]; }";
    fs::write(&file, program).expect("a file");
    let lines = || faults(&units_of(&file, &[])[0]).into_iter().map(|(_, line, _)| line).collect::<Vec<_>>();
    assert_eq!(lines(), [2]);
    fs::write(folder.path().join("tarka.toml"), "[bounds]\nstring = 8\n").expect("a file");
    assert_eq!(lines(), Vec::<u64>::new());
}
