//! The solver on functions that are hard for it, against an older Tarka: `TARKA_OLD=FILE` names its program.
//!
//! Takes real code of `scripts/subjects` and a number of runs for each function; prints goals and solving time of both. The
//! older one gets these runs. This one gets a quarter of them, then half and so on up to twice as many, until it covers as many
//! goals: what the same goals take. Without `TARKA_OLD` it prints its own figures for these runs alone.
//!
//! Never judges answers: `solving.rs` and the tests do.

use std::path::Path;
use std::process::Command;

use tarka_campaign::Options;
use tarka_events::{UnitResult, Verdict};
use tarka_trace::FaultSet;

use super::subjects::{Subject, real_code};
use super::{Outcome, Place};

/// Functions that spend most of their time in the solver, and so many runs of each that this takes some seconds.
const UNITS: [(&str, u64); 2] = [("inflate_table", 600), ("parse_number", 800)];

/// Quarters of the older one's runs that this one gets at most.
const MOST_QUARTERS: u64 = 8;

/// What a search came to.
struct Reached {
    runs: u64,
    covered: usize,
    solver_ms: u64,
    unanswered: u64,
}

/// Prints the table.
pub(super) fn print(place: &Place) -> Outcome<()> {
    let old = std::env::var_os("TARKA_OLD");
    println!(
        "solver on hard functions (auto, branch, seed 1): solving time to cover as many goals, against TARKA_OLD"
    );
    for (unit, runs) in UNITS {
        for subject in real_code(&place.root, |name| name == unit)? {
            let Some(old) = &old else {
                line(&format!("{unit}, this one"), &this_one(&subject, runs, place)?);
                continue;
            };
            let before = older(Path::new(old), &subject, unit, runs, place)?;
            line(&format!("{unit}, the older"), &before);
            let same = of_same_goals(&before, &subject, place)?;
            line(&format!("{unit}, this one"), &same);
            let ratio = same.solver_ms as f64 / before.solver_ms.max(1) as f64;
            let is_met = ratio <= 0.5 && same.covered >= before.covered;
            let verdict = if is_met { "" } else { "  <-- MISSED" };
            println!("    solving time, of the older  {ratio:6.3} (asked: at most 0.5){verdict}");
        }
    }
    Ok(())
}

fn line(name: &str, Reached { runs, covered, solver_ms, unanswered }: &Reached) {
    println!(
        "  {name:<30} {runs:>5} runs {covered:>4} goals {solver_ms:>7} ms solving {unanswered:>4} not answered"
    );
}

/// The search with the fewest runs, of those tried, that covers as many goals as the older one did; else the longest.
fn of_same_goals(before: &Reached, subject: &Subject, place: &Place) -> Outcome<Reached> {
    let quarters = (1..=MOST_QUARTERS).map(|quarters| before.runs * quarters / 4);
    let mut reached = this_one(subject, before.runs / 4, place)?;
    for runs in quarters.skip(1) {
        if reached.covered >= before.covered {
            break;
        }
        reached = this_one(subject, runs, place)?;
    }
    Ok(reached)
}

fn this_one(subject: &Subject, runs: u64, place: &Place) -> Outcome<Reached> {
    let options = Options {
        time: None,
        runs: Some(runs),
        goals_only: true,
        faults: FaultSet::NONE,
        attacks: 0,
        ..Options::default()
    };
    let results = subject.run(place, &options, "hard")?;
    let unit: &UnitResult = results.first().ok_or("no result")?;
    let is_covered = |verdict: &Verdict| matches!(verdict, Verdict::Covered { .. });
    Ok(Reached {
        runs: unit.runs,
        covered: unit.goals.iter().filter(|goal| is_covered(&goal.verdict)).count(),
        solver_ms: unit.solver.ms,
        unanswered: unit.solver.unknown,
    })
}

/// The older program with the same runs, by its report.
fn older(program: &Path, subject: &Subject, unit: &str, runs: u64, place: &Place) -> Outcome<Reached> {
    let out = place.scratch.join(format!("older-{unit}"));
    let status = Command::new(program)
        .arg("gen")
        .arg(&subject.file)
        .args(["-f", unit, "-t", "0", "-j", "1", "--faults", "none", "-n", &runs.to_string(), "-o"])
        .arg(&out)
        .arg("--")
        .args(&subject.flags)
        .output()?
        .status;
    let text = std::fs::read_to_string(out.join("report.json"))
        .map_err(|error| format!("{} left no report ({status}): {error}", program.display()))?;
    let report: serde_json::Value = serde_json::from_str(&text)?;
    let unit = &report["units"][0];
    let number = |value: &serde_json::Value| value.as_u64().ok_or("a report without figures");
    Ok(Reached {
        runs: number(&unit["runs"])?,
        covered: number(&unit["goals"]["covered"])? as usize,
        solver_ms: number(&unit["solver"]["ms"])?,
        unanswered: number(&unit["solver"]["unknown"])?,
    })
}
