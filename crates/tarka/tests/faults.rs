//! Faults behind guards, end to end: in each unit of `examples/faults/` Tarka finds the one fault that
//! `examples/faults/expected.tsv` names by hand, at its line, and confirms it on the plain program; it finds no other, and
//! none at all in the twins, where the fault is guarded against.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::judges::{output, report, root, tarka, text};
use rayon::prelude::*;
use serde_json::Value;

/// A line of the table.
struct Row {
    /// Relative to the folder.
    file: String,
    function: String,
    /// Kind and line; `None` for a twin.
    fault: Option<(String, u64)>,
}

fn folder() -> PathBuf {
    root().join("examples/faults")
}

fn table() -> Vec<Row> {
    let table = fs::read_to_string(folder().join("expected.tsv")).expect("expected.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [file, function, kind, at] = cells[..] else { panic!("four cells in: {line}") };
        let fault = (kind != "-").then(|| (kind.to_string(), at.parse().expect("a line")));
        Row { file: file.to_string(), function: function.to_string(), fault }
    });
    rows.collect()
}

/// Tests the functions of the rows, half of them beside the other half, and gives the units of the reports.
fn generate(rows: &[Row]) -> Vec<Value> {
    rows.par_chunks(rows.len().div_ceil(2)).flat_map(generate_in_one_go).collect()
}

fn generate_in_one_go(rows: &[Row]) -> Vec<Value> {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let mut command = tarka();
    command.current_dir(folder()).args(["gen", "--seed", "1", "-n", "400", "-t", "4", "-o"]);
    command.arg(scratch.path());
    for row in rows {
        command.arg(&row.file).args(["-f", &row.function]);
    }
    let result = output(&mut command);
    assert!(matches!(result.status.code(), Some(0 | 1)), "{}", text(&result));
    let report = report(scratch.path());
    report["units"].as_array().expect("units").clone()
}

/// What the report has for a row.
fn unit_of<'a>(units: &'a [Value], row: &Row) -> &'a Value {
    let mut of_row =
        units.iter().filter(|unit| unit["file"] == *row.file && unit["function"] == *row.function);
    let unit = of_row.next().unwrap_or_else(|| panic!("{} is not in the report", row.file));
    assert_eq!(unit["skipped"], false, "{unit:#}");
    unit
}

fn faults(unit: &Value) -> Vec<&Value> {
    unit["faults"].as_array().expect("faults").iter().collect()
}

/// How a unit's search ended and what became of each of its faults, for whoever has to find out what went wrong.
fn story(unit: &Value) -> String {
    let told = faults(unit).into_iter().map(|fault| {
        let [kind, class, shown] =
            ["kind", "class", "shown"].map(|field| fault[field].as_str().unwrap_or_default());
        format!("{kind}, {class}: {shown}")
    });
    let told: Vec<String> = told.collect();
    let (status, runs, ms) = (&unit["status"], &unit["runs"], &unit["total_ms"]);
    format!("{status} {} after {runs} runs and {ms} ms; {}", unit["message"], told.join("; "))
}

/// Kind, line and whether it is confirmed, in words.
fn words(faults: &[&Value]) -> String {
    let of = |fault: &&Value| {
        let confirmed = if fault["confirmed"] == true { "" } else { " (not confirmed)" };
        let kind = fault["kind"].as_str().unwrap_or_default();
        format!("{kind} in line {}{confirmed}", fault["line"])
    };
    let list: Vec<String> = faults.iter().map(of).collect();
    if list.is_empty() { "nothing".to_string() } else { list.join(", ") }
}

fn assert_nothing_differs(differences: &[String], units: usize) {
    let count = differences.len();
    assert!(count == 0, "{count} of {units} units are not as the table says:\n{}", differences.join("\n"));
}

#[test]
fn the_fault_of_each_unit_is_found_at_its_line_and_confirmed_and_is_the_only_one() {
    let rows: Vec<Row> = table().into_iter().filter(|row| row.fault.is_some()).collect();
    let units = generate(&rows);
    let differences = rows.iter().filter_map(|row| {
        let (kind, line) = row.fault.as_ref()?;
        let unit = unit_of(&units, row);
        let mut found = faults(unit);
        let is_it =
            |fault: &Value| fault["kind"] == *kind && fault["line"] == *line && fault["confirmed"] == true;
        // What a module keeps in its own structs is a contract, and may be the fault as well.
        found.retain(|fault| fault["class"] != "contract" || is_it(fault));
        let agrees = matches!(found[..], [fault] if is_it(fault));
        let differs =
            || format!("  {}: {kind} in line {line}, found {} ({})", row.file, words(&found), story(unit));
        (!agrees).then(differs)
    });
    assert_nothing_differs(&differences.collect::<Vec<_>>(), rows.len());
}

#[test]
fn nothing_is_reported_in_the_twins() {
    let rows: Vec<Row> = table().into_iter().filter(|row| row.fault.is_none()).collect();
    let units = generate(&rows);
    let differences = rows.iter().filter_map(|row| {
        let found = faults(unit_of(&units, row));
        (!found.is_empty()).then(|| format!("  {}: found {}", row.file, words(&found)))
    });
    assert_nothing_differs(&differences.collect::<Vec<_>>(), rows.len());
}

/// The table is worth what it covers: every file, every kind, and lines that are what they are called.
#[test]
fn the_table_names_every_file_and_every_kind_of_fault() {
    let rows = table();
    let listed: BTreeSet<PathBuf> = rows.iter().map(|row| folder().join(&row.file)).collect();
    let mut files = BTreeSet::new();
    for folder in [folder(), folder().join("twins")] {
        let entries = fs::read_dir(folder).expect("folder").map(|entry| entry.expect("entry").path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "c")));
    }
    assert_eq!(listed, files);

    let (faulty, twins): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.fault.is_some());
    assert!(faulty.len() >= 40 && twins.len() >= 20, "{} and {}", faulty.len(), twins.len());
    for row in &rows {
        let source = fs::read_to_string(folder().join(&row.file)).expect("an example");
        let marked = (1..).zip(source.lines()).filter(|(_, line)| line.ends_with("/* fault */"));
        let marked: Vec<u64> = marked.map(|(number, _)| number).collect();
        assert_eq!(marked, row.fault.iter().map(|fault| fault.1).collect::<Vec<_>>(), "{}", row.file);
    }

    let kinds: BTreeSet<&str> =
        faulty.iter().filter_map(|row| Some(row.fault.as_ref()?.0.as_str())).collect();
    let usual = "null-dereference wild-dereference misaligned out-of-bounds use-after-free double-free invalid-free \
                 use-after-return uninitialised-read signed-overflow shift division-by-zero division-overflow \
                 float-conversion pointer-arithmetic assertion abort stack-overflow leak timeout";
    assert_eq!(kinds, usual.split_whitespace().collect());
}

#[test]
fn no_compiler_warns_of_any_unit() {
    let clang = tarka_source::find_clang().expect("clang");
    for compiler in ["gcc".into(), clang] {
        let mut command = Command::new(compiler);
        command.current_dir(folder()).args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]);
        let result = output(command.args(table().iter().map(|row| &row.file)));
        assert!(result.status.success(), "{}", text(&result));
    }
}
