//! The table and the lines after it that tell a person what came of it all.
//!
//! Takes the logs and the report; gives text. Never: figures of its own.

use std::path::Path;

use tarka_events::{FaultClass, Status, UnitLog};
use tarka_report::{Report, Totals, Unit, totals};

use crate::output::fault_lines::fault_lines;

/// Most paths printed one by one.
const PATHS_SHOWN: usize = 8;

/// The whole summary as text.
pub fn summary(units: &[UnitLog], report: &Report, out: &Path, verbose: bool) -> String {
    let mut text = table(units, &report.units) + &sums(report) + &of_callees(report);
    // A file that cannot be built fails all its functions with one message: said once.
    for alike in units.chunk_by(|one, other| one.result().status == other.result().status) {
        let names: Vec<&str> = alike.iter().map(|unit| unit.result().function.as_str()).collect();
        let names = names.join(", ");
        match &alike[0].result().status {
            Status::Skipped(reason) => text.push_str(&format!("\nskipped {names}: {reason}")),
            Status::Error(message) => text.push_str(&format!("\nerror in {names}: {message}")),
            Status::Complete | Status::Budget => {}
        }
    }
    text.push_str(&fault_lines(report, out, verbose));
    text.push_str(&paths(units, out));
    text.push('\n');
    text
}

fn paths(units: &[UnitLog], out: &Path) -> String {
    let files: Vec<String> = units
        .iter()
        .filter_map(|unit| unit.suite().tests.first())
        .map(|test| out.join(&test.path).display().to_string())
        .collect();
    let mut text = String::new();
    match files.len() {
        0 => {}
        1..=PATHS_SHOWN => files.iter().for_each(|file| text.push_str(&format!("\ntests: {file}"))),
        count => text.push_str(&format!("\ntests: {count} files, {}", out.join("*/test_*.c").display())),
    }
    text + &format!("\npage:  {}", out.join("index.html").display())
}

/// One line with the verdicts on all goals, each once: covered by tests, shown only by fault programs, proved infeasible, and open
/// with the causes, the most frequent first.
fn sums(report: &Report) -> String {
    let totals = totals(&report.units);
    let Some(unit) = report.units.first().filter(|_| totals.total > 0) else { return String::new() };
    let Totals { total, covered, by_faults, infeasible, infeasible_from_units, open, shared } = totals;
    let mut text = format!("{}: {covered} of {total} goals covered by tests", unit.criterion);
    if shared {
        text += ", each counted once";
    }
    if by_faults > 0 {
        text += &format!(", {by_faults} only by fault programs");
    }
    if infeasible > 0 {
        text += &format!(", {infeasible} proved infeasible");
    }
    if infeasible_from_units > 0 {
        text += &format!(", {infeasible_from_units} proved infeasible from the functions tested");
    }
    let all: u64 = open.values().sum();
    if all > 0 {
        let mut causes: Vec<(String, u64)> = open.into_iter().collect();
        causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let causes: Vec<String> = causes.iter().map(|(cause, count)| format!("{cause} {count}")).collect();
        text += &format!(", {all} open ({})", causes.join(", "));
    }
    text + "\n"
}

/// The functions without a branch of their own, whose goals are those of the functions they reach.
fn of_callees(report: &Report) -> String {
    let is_one = |unit: &&Unit| unit.goals_scope.as_deref() == Some("callees");
    let names: Vec<&str> = report.units.iter().filter(is_one).map(|unit| unit.function.as_str()).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("goals of its callees (it has no branch of its own): {}\n", names.join(", ")),
    }
}

/// The classes that have a column, the first always.
const CLASSES: [(FaultClass, &str); 3] =
    [(FaultClass::Bug, "bugs"), (FaultClass::Unchecked, "unchecked"), (FaultClass::Contract, "contracts")];

fn table(units: &[UnitLog], reported: &[Unit]) -> String {
    let is_shown = |class: FaultClass| {
        class == FaultClass::Bug || reported.iter().any(|unit| count_class(unit, class) > 0)
    };
    let classes: Vec<(FaultClass, &str)> =
        CLASSES.into_iter().filter(|(class, _)| is_shown(*class)).collect();
    let mut header: Vec<String> =
        ["function", "goals", "covered", "tests", "runs", "time"].map(String::from).to_vec();
    header.extend(classes.iter().map(|(_, name)| name.to_string()));
    let mut rows = vec![header];
    for (unit, reported) in units.iter().zip(reported) {
        let mut row = row(unit, reported);
        let is_skipped = matches!(unit.result().status, Status::Skipped(_));
        row.extend(classes.iter().map(|(class, _)| match is_skipped {
            true => "-".to_string(),
            false => count_class(reported, *class).to_string(),
        }));
        rows.push(row);
    }
    let mut widths = vec![0; rows[0].len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(widths.iter().copied()).enumerate().map(|(column, (cell, width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(|row| line(row) + "\n").collect()
}

fn count_class(unit: &Unit, class: FaultClass) -> usize {
    unit.faults.iter().filter(|fault| fault.counts() && fault.class() == class).count()
}

/// The cells of a unit before those of its faults.
fn row(unit: &UnitLog, reported: &Unit) -> Vec<String> {
    let result = unit.result();
    if matches!(result.status, Status::Skipped(_)) {
        let dashes = std::iter::repeat_n("-".to_string(), 5);
        return std::iter::once(result.function.clone()).chain(dashes).collect();
    }
    let goals = &reported.goals;
    let from_unit = goals.infeasible_from_unit;
    let from = format!("infeasible from {}()", result.function);
    let beside: Vec<String> = [
        (goals.infeasible - from_unit, "infeasible"),
        (from_unit, &from),
        (goals.covered_by_faults_only, "by faults"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("+{count} {what}"))
    .collect();
    let covered = goals.covered;
    let covered =
        if beside.is_empty() { covered.to_string() } else { format!("{covered} ({})", beside.join(", ")) };
    vec![
        result.function.clone(),
        goals.total.to_string(),
        covered,
        unit.suite().tests.len().to_string(),
        result.runs.to_string(),
        format!("{:.2} s", result.total_ms as f64 / 1000.0),
    ]
}
