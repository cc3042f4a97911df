//! Proofs that hold: the traps of `examples/trust/proofs`. Every branch side of every function there has a row, written by
//! hand, that says whether it can happen and what Tarka says of it. What can happen is never called infeasible.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::judges::{options_of, output, report, root, tarka, text};
use tarka_campaign::{Options, run_file};
use tarka_events::{Goal, UnitLog, UnitResult, Verdict};
use tarka_source::{FunctionId, LibraryInput, SourceRequest};

/// The tables: the first was written from the C standard alone, without a look at the engine.
const TABLES: [&str; 2] = ["standard.tsv", "kinds.tsv"];

/// Runs of a unit: enough for what the tables say, and the same on every machine.
const RUNS: u64 = 400;

/// And time: most take hundredths of a second, two have questions for the solver that last for minutes.
const TIME: Duration = Duration::from_secs(6);

/// A side: file, function, text without blanks, outcome.
type Side = (String, String, String, String);

/// What a person says of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    is_possible: bool,
    /// `covered`, `unknown` or `infeasible`.
    says: String,
}

fn folder() -> PathBuf {
    root().join("examples/trust/proofs")
}

fn rows(table: &str) -> BTreeMap<Side, Row> {
    let lines = fs::read_to_string(folder().join(table)).expect("a table");
    let mut rows = BTreeMap::new();
    for line in lines.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [file, function, text, outcome, truth, says] = cells[..] else { panic!("six cells in: {line}") };
        let is_possible = match truth {
            "possible" => true,
            "impossible" => false,
            other => panic!("possible or impossible, not {other}: {line}"),
        };
        let is_consistent = if is_possible { says != "infeasible" } else { says != "covered" };
        assert!(is_consistent, "the table contradicts itself: {line}");
        let outcomes: &[&str] = match (outcome, text.starts_with("switch(")) {
            ("both", true) => &["taken", "not-taken"],
            ("both", false) => &["true", "false"],
            _ => &[outcome],
        };
        for outcome in outcomes {
            let side = [file, function, text, outcome].map(str::to_string);
            let known = rows.insert(side.into(), Row { is_possible, says: says.to_string() });
            assert!(known.is_none(), "two rows for one side: {line}");
        }
    }
    rows
}

fn all_rows() -> BTreeMap<Side, Row> {
    TABLES.into_iter().flat_map(rows).collect()
}

/// What is said of a side.
struct Told {
    side: Side,
    status: String,
    reason: String,
    attacks: u64,
    refutations: u64,
}

/// What the search and the attack say of a file's sides: covered is what a run has covered.
fn searched(file: &str) -> Vec<Told> {
    let source = folder().join(file);
    let clang = tarka_source::find_clang().expect("clang 19 is installed");
    let request = SourceRequest { file: &source, flags: &[], clang: &clang };
    let model = tarka_source::analyse(&request).unwrap_or_else(|error| panic!("{file}: {error}"));
    let is_asked = !options_of(&source).is_empty();
    let options = Options {
        runs: Some(RUNS),
        time: Some(TIME),
        library_inputs: if is_asked { LibraryInput::ALL.to_vec() } else { Vec::new() },
        ..Options::default()
    };
    let units: Vec<FunctionId> = (0..model.functions.len() as u32).map(FunctionId).collect();
    let scratch = tempfile::tempdir().expect("scratch folder");
    let results = run_file(&model, &units, &options, &clang, scratch.path(), &|_| {});
    let results = results.unwrap_or_else(|error| panic!("{file}: {error}"));
    let results: Vec<UnitResult> = results.into_iter().map(UnitLog::into_result).collect();
    let told = |function: &str, goal: &Goal| {
        let (status, reason) = match &goal.verdict {
            Verdict::Covered { .. } => ("covered", String::new()),
            Verdict::Infeasible { reason, .. } => ("infeasible", reason.clone()),
            Verdict::Unknown { reason, .. } => ("unknown", reason.clone()),
        };
        let outcome = tarka_suite::outcome_words(goal);
        let side = [file, function, &goal.text.replace(' ', ""), outcome].map(str::to_string).into();
        let (attacks, refutations) = (goal.attacks.into(), goal.refutations.into());
        Told { side, status: status.to_string(), reason, attacks, refutations }
    };
    let goals = results.iter().flat_map(|result| result.goals.iter().map(|goal| (&result.function, goal)));
    goals
        .filter(|(_, goal)| is_own(goal.callee.as_deref()))
        .map(|(function, goal)| told(function, goal))
        .collect()
}

/// The rows speak of a function's own sides; one without any has those of its callees, which have rows of their own.
fn is_own(callee: Option<&str>) -> bool {
    callee.is_none()
}

/// What `tarka gen` reports of a file's sides: covered is what an emitted test covers on the plain program.
fn reported(file: &str) -> Vec<Told> {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let source = folder().join(file);
    let mut command = tarka();
    command.args(["gen", "--seed", "1", "--time", "60", "--runs", &RUNS.to_string(), "-o"]);
    let result = output(command.arg(scratch.path()).args(options_of(&source)).arg(&source));
    assert!(matches!(result.status.code(), Some(0 | 1)), "{file}: {}", text(&result));
    let report = report(scratch.path());
    let mut sides = Vec::new();
    for unit in report["units"].as_array().expect("units") {
        let goals = unit["goal_list"].as_array().expect("goals").iter();
        for goal in goals.filter(|goal| is_own(goal["function"].as_str())) {
            let word = |name: &str| goal[name].as_str().unwrap_or_default().to_string();
            let function = unit["function"].as_str().expect("a name").to_string();
            sides.push(Told {
                side: (file.to_string(), function, word("text").replace(' ', ""), word("outcome")),
                status: word("status"),
                reason: word("reason"),
                attacks: goal["attacks"].as_u64().unwrap_or(0),
                refutations: goal["refutations"].as_u64().unwrap_or(0),
            });
        }
    }
    sides
}

/// Holds what is said of a file to its rows.
fn check(file: &str, told: Vec<Told>) {
    let mut left: BTreeMap<Side, Row> = all_rows().into_iter().filter(|(side, _)| side.0 == file).collect();
    let mut wrong = Vec::new();
    for Told { side, status, reason, attacks, refutations } in told {
        let Some(row) = left.remove(&side) else {
            wrong.push(format!("no row for {side:?}"));
            continue;
        };
        let is_right = match (row.is_possible, row.says.as_str()) {
            (true, "covered") => status == "covered",
            (true, _) => status != "infeasible",
            (false, "infeasible") => status == "infeasible",
            (false, _) => status != "covered",
        };
        if !is_right {
            wrong.push(format!("{side:?} is {row:?}, and Tarka says {status}: {reason}"));
        }
        assert!(status == "covered" || !reason.is_empty(), "no reason: {side:?}");
        assert!(status != "infeasible" || attacks > 0 && refutations == 0, "not attacked: {side:?}");
    }
    wrong.extend(left.keys().map(|side| format!("no such side: {side:?}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! files {
    ($($test:ident $file:literal),* $(,)?) => {
        const FILES: &[&str] = &[$($file),*];
        $(#[test] fn $test() { check($file, searched($file)); })*
    };
}

files! {
    addresses "addresses.c",
    doubt "doubt.c",
    environment "environment.c",
    faults "faults.c",
    impossible "impossible.c",
    labels "labels.c",
    overflow "overflow.c",
    ranges "ranges.c",
    sharing "sharing.c",
    standard_arithmetic "standard_arithmetic.c",
    standard_control "standard_control.c",
    standard_conversions "standard_conversions.c",
    standard_floating "standard_floating.c",
    standard_library "standard_library.c",
    standard_objects "standard_objects.c",
    standard_pointers "standard_pointers.c",
    standard_state "standard_state.c",
    state "state.c",
}

/// The same with suites that are written, compiled and replayed: a part of `make soak`.
#[test]
#[ignore = "takes minutes"]
fn the_reports_say_the_same() {
    FILES.iter().for_each(|file| check(file, reported(file)));
}

/// Functions with a side that can happen, outside of the file of those that cannot.
fn traps(rows: &BTreeMap<Side, Row>) -> BTreeSet<(&str, &str)> {
    let traps = rows.iter().filter(|((file, ..), row)| row.is_possible && file != "impossible.c");
    traps.map(|((file, function, ..), _)| (file.as_str(), function.as_str())).collect()
}

#[test]
fn there_are_enough_traps_and_nearly_all_that_cannot_happen_is_proved() {
    let (standard, kinds) = (rows(TABLES[0]), rows(TABLES[1]));
    assert!(traps(&standard).len() >= 20, "{}", traps(&standard).len());
    assert!(traps(&standard).len() + traps(&kinds).len() >= 60);
    let impossible: Vec<&Row> =
        standard.values().chain(kinds.values()).filter(|row| !row.is_possible).collect();
    let proved = impossible.iter().filter(|row| row.says == "infeasible").count();
    assert!(impossible.len() >= 25, "{}", impossible.len());
    assert!(proved * 25 >= impossible.len() * 22, "{proved} of {}", impossible.len());
    for file in standard.keys().chain(kinds.keys()).map(|side| &side.0) {
        assert!(FILES.contains(&file.as_str()), "{file} has rows and no test");
    }
}
