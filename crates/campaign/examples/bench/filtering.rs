//! What path filtering saves: the same search with it and without it, over the examples and real code.
//!
//! Same strategy, seed, inputs and number of runs for both. *Tests* are inputs that were made and run, *constraints* are
//! questions to the solver. They are counted twice. *Whole search*: without the filter a search ends when every path is
//! explored or its runs are spent, as dynamic symbolic execution traditionally does; with it, when nothing that is left
//! can cover anything. *Until covered*: both stop at the run that covered the last goal, if all are covered then. A unit
//! on which both ways spend all their runs has equal numbers of tests by that; it counts all the same.

use tarka_campaign::Options;
use tarka_events::{Goal, Status, UnitResult, Verdict};

use super::subjects::{Subject, examples, real_code};
use super::{Outcome, Place};

/// Runs of a unit.
const RUNS: u64 = 300;

/// Units that `scripts/subjects` names and that are left out: their questions take a solver minutes. All others are in
/// the table.
const SLOW_UNITS: [&str; 8] = [
    "parse_number",
    "parse_string",
    "jsmn_parse",
    "jsmn_parse_string",
    "csv_parse",
    "BZ2_hbMakeCodeLengths",
    "BZ2_hbAssignCodes",
    "http_parser_parse_url",
];

/// What one way of searching a unit took.
#[derive(Clone, Copy)]
struct Figures {
    settled: u64,
    tests: u64,
    constraints: u64,
    tests_until_covered: u64,
    constraints_until_covered: u64,
}

/// Both ways, side by side.
struct Compared {
    name: String,
    goals: u64,
    with: Figures,
    without: Figures,
    /// Goals that are settled without the filter and not with it.
    lost: Vec<String>,
}

/// Prints the table.
pub(super) fn print(place: &Place) -> Outcome<()> {
    println!("path filtering on / off (dfs, branch, seed 1, at most {RUNS} runs of each unit)");
    println!("  {:<50} {:^25}   {:^25}", "", "whole search", "until all is covered");
    println!(
        "  {:<34} {:>5} {:>9} {:>11} {:>13}   {:>11} {:>13}",
        "unit", "goals", "settled", "tests", "constraints", "tests", "constraints"
    );
    let mut compared = Vec::new();
    let real_code = real_code(&place.root, |unit| !SLOW_UNITS.contains(&unit))?;
    for subject in examples(&place.root)?.into_iter().chain(real_code) {
        for unit in compare(&subject, place)? {
            let pair = |of: fn(&Figures) -> u64| format!("{} / {}", of(&unit.with), of(&unit.without));
            println!(
                "  {:<34} {:>5} {:>9} {:>11} {:>13}   {:>11} {:>13}",
                unit.name,
                unit.goals,
                pair(|figures| figures.settled),
                pair(|figures| figures.tests),
                pair(|figures| figures.constraints),
                pair(|figures| figures.tests_until_covered),
                pair(|figures| figures.constraints_until_covered),
            );
            compared.push(unit);
        }
    }
    summary(&compared);
    Ok(())
}

fn summary(compared: &[Compared]) {
    let line = |what: &str, of: fn(&Figures) -> u64, asked: &str| {
        let with: u64 = compared.iter().map(|unit| of(&unit.with)).sum();
        let without: u64 = compared.iter().map(|unit| of(&unit.without)).sum();
        let saved = 100.0 * (1.0 - with as f64 / without.max(1) as f64);
        println!("  {what:<34} {with:>6} instead of {without:>6}: {saved:5.1} % fewer{asked}");
    };
    println!("  in all, {} units:", compared.len());
    line("tests, whole search", |figures| figures.tests, " (asked: at least 25 %)");
    line("constraints, whole search", |figures| figures.constraints, " (asked: at least 36 %)");
    line("tests until all is covered", |figures| figures.tests_until_covered, "");
    line("constraints until all is covered", |figures| figures.constraints_until_covered, "");
    let lost: Vec<&String> = compared.iter().flat_map(|unit| &unit.lost).collect();
    println!("  goals lost (settled without the filter and not with it): {} (asked: 0)", lost.len());
    lost.iter().for_each(|goal| println!("    {goal}"));
}

/// Every unit of a file, searched both ways.
fn compare(subject: &Subject, place: &Place) -> Outcome<Vec<Compared>> {
    let search = |filter: bool| {
        let strategy = "dfs".to_owned();
        let options = Options { strategy, time: None, runs: Some(RUNS), filter, ..Options::default() };
        subject.run(place, &options, if filter { "filtered" } else { "unfiltered" })
    };
    let (with, without) = (search(true)?, search(false)?);
    let is_tested = |unit: &UnitResult| !matches!(unit.status, Status::Skipped(_) | Status::Error(_));
    let both = with.iter().zip(&without).filter(|(with, without)| is_tested(with) && is_tested(without));
    Ok(both.map(|(with, without)| side_by_side(&subject.stem(), with, without)).collect())
}

fn side_by_side(stem: &str, with: &UnitResult, without: &UnitResult) -> Compared {
    let pairs = with.goals.iter().zip(&without.goals);
    let lost = pairs.filter(|(with, without)| is_settled(without) && !is_settled(with));
    Compared {
        name: format!("{stem}: {}", with.function),
        goals: with.goals.len() as u64,
        with: figures(with),
        without: figures(without),
        lost: lost.map(|(goal, _)| format!("{stem}: {}", goal.id)).collect(),
    }
}

fn is_settled(goal: &Goal) -> bool {
    matches!(goal.verdict, Verdict::Covered { .. } | Verdict::Infeasible { .. })
}

fn figures(unit: &UnitResult) -> Figures {
    let covering_runs: Option<Vec<u64>> = unit
        .goals
        .iter()
        .map(|goal| match goal.verdict {
            Verdict::Covered { run, .. } => Some(run),
            _ => None,
        })
        .collect();
    let (tests, constraints) = (unit.runs, unit.solver.queries);
    let (tests_until_covered, constraints_until_covered) = match covering_runs {
        Some(runs) => (runs.into_iter().max().unwrap_or(1), unit.solver.before_last_goal()),
        None => (tests, constraints),
    };
    Figures {
        settled: unit.goals.iter().filter(|goal| is_settled(goal)).count() as u64,
        tests,
        constraints,
        tests_until_covered,
        constraints_until_covered,
    }
}
