//! The table and the lines after it that tell a person what came of it all.

use std::collections::BTreeMap;
use std::path::Path;

use tarka_events::{FaultClass, Goal, Status, UnitResult, Verdict};
use tarka_report::Report;
use tarka_suite::UnitSuite;

use crate::fault_lines::fault_lines;

/// Most paths printed one by one.
const PATHS_SHOWN: usize = 8;

/// A finished unit.
pub struct Done {
    /// Its result.
    pub result: UnitResult,
    /// Its files.
    pub suite: UnitSuite,
}

/// The whole summary as text.
pub fn summary(units: &[Done], report: &Report, out: &Path, verbose: bool) -> String {
    let mut text = table(units) + &sums(units);
    // A file that cannot be built fails all its functions with one message: said once.
    for alike in units.chunk_by(|one, other| one.result.status == other.result.status) {
        let names: Vec<&str> = alike.iter().map(|unit| unit.result.function.as_str()).collect();
        let names = names.join(", ");
        match &alike[0].result.status {
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

fn paths(units: &[Done], out: &Path) -> String {
    let files: Vec<String> = units
        .iter()
        .filter_map(|unit| unit.suite.tests.first())
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

/// One line with the verdicts on all goals: covered, proved infeasible, and open with the causes, the most frequent first.
fn sums(units: &[Done]) -> String {
    let goals: Vec<&Goal> = units.iter().flat_map(|unit| &unit.result.goals).collect();
    let Some(criterion) = units.first().map(|unit| &unit.result.criterion).filter(|_| !goals.is_empty())
    else {
        return String::new();
    };
    let (mut covered, mut infeasible) = (0, 0);
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    for goal in &goals {
        match &goal.verdict {
            Verdict::Covered { .. } => covered += 1,
            Verdict::Infeasible { .. } => infeasible += 1,
            Verdict::Unknown { cause, .. } => *causes.entry(cause.name()).or_default() += 1,
        }
    }
    let mut text = format!("{criterion}: {covered} of {} goals covered", goals.len());
    if infeasible > 0 {
        text += &format!(", {infeasible} proved infeasible");
    }
    let open: usize = causes.values().sum();
    if open > 0 {
        let mut causes: Vec<(&str, usize)> = causes.into_iter().collect();
        causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let causes: Vec<String> = causes.iter().map(|(cause, count)| format!("{cause} {count}")).collect();
        text += &format!(", {open} open ({})", causes.join(", "));
    }
    text + "\n"
}

fn table(units: &[Done]) -> String {
    let header =
        ["function", "goals", "covered", "tests", "runs", "time", "faults", "contracts"].map(String::from);
    let mut rows: Vec<Vec<String>> =
        std::iter::once(header).chain(units.iter().map(row)).map(Vec::from).collect();
    if units.iter().all(|unit| contracts(&unit.result) == 0) {
        rows.iter_mut().for_each(|row| row.truncate(7));
    }
    let mut widths = [0; 8];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(|row| line(row) + "\n").collect()
}

fn contracts(result: &UnitResult) -> usize {
    result.faults.iter().filter(|fault| fault.class == FaultClass::Contract).count()
}

fn row(unit: &Done) -> [String; 8] {
    let result = &unit.result;
    if matches!(result.status, Status::Skipped(_)) {
        let dash = || "-".to_string();
        return [result.function.clone(), dash(), dash(), dash(), dash(), dash(), dash(), dash()];
    }
    let count =
        |wanted: fn(&Verdict) -> bool| result.goals.iter().filter(|goal| wanted(&goal.verdict)).count();
    let covered = count(|verdict| matches!(verdict, Verdict::Covered { .. }));
    let infeasible = count(|verdict| matches!(verdict, Verdict::Infeasible { .. }));
    let covered =
        if infeasible == 0 { covered.to_string() } else { format!("{covered} (+{infeasible} infeasible)") };
    [
        result.function.clone(),
        result.goals.len().to_string(),
        covered,
        unit.suite.tests.len().to_string(),
        result.runs.to_string(),
        format!("{:.2} s", result.total_ms as f64 / 1000.0),
        (result.faults.len() - contracts(result)).to_string(),
        contracts(result).to_string(),
    ]
}
