//! `tarka compare`: the same functions under several strategies and seeds; a table, `compare.json` and `compare.html`.
//!
//! Takes a checked request; gives how it ended. Never: figures, which `report` computes.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use tarka_campaign::{CampaignError, Options, untested};
use tarka_events::{Event, Status, UnitResult};
use tarka_jobs::Output;
use tarka_report::compare::{
    CompareRun, ComparedUnit, Comparison, Table, compare_page, difference_words, headline, total_table,
    unit_table,
};
use tarka_source::{FunctionId, goals_of};

use crate::commands::generate::{self, Analysed, Work};
use crate::failure::{Failure, Finished};
use crate::output::progress::Live;
use crate::request::compare_plan::ComparePlan;
use crate::request::preconditions;

/// Most goals named one by one under a table.
const GOALS_SHOWN: usize = 8;

/// Runs the whole command.
pub fn compare(plan: ComparePlan) -> Result<Finished, Failure> {
    let clang = tarka_source::find_clang()?;
    generate::say_what_is_in_force(&plan.base);
    generate::check_output(&plan.base.out)?;
    let live = Live::new();
    let Analysed { files, models, mut unusable } = generate::analyse_files(&plan.base, &clang, &live)?;
    if models.is_empty() {
        live.clear();
        return Ok(Finished::Unusable);
    }
    preconditions::check_functions(&plan.base.options.settings, &models)?;
    let programs = generate::as_programs(models, &live);
    let mut works = generate::choose_functions(&plan.base, programs, &clang, &live)?;
    keep_those_with_goals(&plan, &mut works, &live)?;
    let output = Output::open(&plan.base.out, &files, false)?;
    let mut results = Vec::new();
    for work in &works {
        results.extend(run_trials(&plan, work, &clang, &live)?);
    }
    live.clear();
    let comparison = compared(&plan, &results);
    write(&plan, &output, &comparison)?;
    eprint!("{}", words(&plan, &comparison));
    let is_error = |result: &UnitResult| matches!(result.status, Status::Error(_));
    unusable |= results.iter().flatten().any(is_error);
    let nothing = comparison.units.iter().all(|unit| !unit.message.is_empty());
    Ok(if unusable || nothing { Finished::Unusable } else { Finished::Clean })
}

/// Leaves out functions without goals, which all strategies cover alike. One that was asked for by name is refused.
fn keep_those_with_goals(plan: &ComparePlan, works: &mut Vec<Work>, live: &Live) -> Result<(), Failure> {
    let criterion = plan.base.options.criterion;
    let nothing = |what: String| {
        Failure::Usage(format!(
            "{what} no goals of the criterion `{}`, so there is nothing to compare\n  name another function with -f, \
             or ask for more with -c statement",
            criterion.name()
        ))
    };
    let mut left_out = 0;
    for work in works.iter_mut() {
        let model = &work.model;
        let scope = plan.base.options.scope;
        let has_goals = |unit: &FunctionId| {
            let mut functions = model.goal_functions(*unit, scope).into_iter();
            functions.any(|function| !goals_of(model, function, criterion).is_empty())
        };
        let without: Vec<&str> = work
            .units
            .iter()
            .filter(|unit| !has_goals(unit))
            .map(|unit| model.function(*unit).name.as_str())
            .collect();
        if let Some(name) = without.iter().find(|_| !plan.base.functions.is_empty()) {
            return Err(nothing(format!("`{name}` has")));
        }
        left_out += without.len();
        work.units.retain(has_goals);
    }
    works.retain(|work| !work.units.is_empty());
    if works.is_empty() {
        return Err(nothing("the functions have".to_string()));
    }
    if left_out > 0 {
        live.print(&format!("tarka: left out because they have no goals: {left_out} of the functions"));
    }
    Ok(())
}

/// All trials of the functions of one file, from one build.
fn run_trials(
    plan: &ComparePlan,
    work: &Work,
    clang: &Path,
    live: &Live,
) -> Result<Vec<Vec<UnitResult>>, Failure> {
    live.say(format!("building {}", work.model.file.display()));
    let scratch = tempfile::tempdir().map_err(Failure::Scratch)?;
    let trials = plan.trials();
    let (done, all) = (AtomicUsize::new(0), trials.len() * work.units.len());
    let sink = |event: Event| {
        if let Event::UnitFinished(result) = event {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            live.say(format!("{}  {done} of {all} trials  {}", work.model.file.display(), result.strategy));
        }
    };
    let (model, options) = (&work.model, &work.options);
    match tarka_campaign::run_trials(model, &work.units, options, &trials, clang, scratch.path(), &sink) {
        Ok(results) => Ok(results),
        // One file that cannot be built does not spoil the others.
        Err(error @ CampaignError::Build { .. }) => {
            let failed = |unit: &FunctionId| {
                let failed = trials.iter().map(|trial| {
                    let strategy = trial.strategy.clone();
                    let options = Options { strategy, seed: trial.seed, ..options.clone() };
                    untested(model, *unit, &options, Status::Error(error.to_string()))
                });
                failed.collect()
            };
            Ok(work.units.iter().map(failed).collect())
        }
        Err(error) => Err(error.into()),
    }
}

fn compared(plan: &ComparePlan, results: &[Vec<UnitResult>]) -> Comparison {
    let run = CompareRun {
        tool: concat!("tarka ", env!("CARGO_PKG_VERSION")),
        command: &plan.base.command,
        criterion: plan.base.options.criterion.name(),
        strategies: &plan.strategies,
        seed: plan.base.options.seed,
        repeat: plan.repeat,
        runs: plan.runs,
        seconds: plan.seconds,
        without_times: plan.base.without_times,
    };
    tarka_report::compare::compare(&run, results)
}

fn write(plan: &ComparePlan, output: &Output, comparison: &Comparison) -> Result<(), Failure> {
    let out = &plan.base.out;
    let failed = |source| Failure::Output { path: out.clone(), source };
    let json = serde_json::to_string_pretty(comparison).map_err(|error| failed(error.into()))? + "\n";
    let reports = [("compare.json", json), ("compare.html", compare_page(comparison))];
    output.without_journal().and_then(|()| output.publish(&reports)).map_err(failed)
}

/// Everything for the terminal.
fn words(plan: &ComparePlan, comparison: &Comparison) -> String {
    let mut text: String = comparison.units.iter().map(|unit| unit_words(comparison, unit)).collect();
    if let Some(total) = total_table(comparison) {
        text += &format!("all functions: sums of the means\n{}\n", lines(&total));
    }
    let timed_out: u64 = comparison.units.iter().map(|unit| unit.timed_out).sum();
    if let Some(seconds) = plan.seconds.filter(|_| timed_out > 0) {
        text += &format!(
            "note: {timed_out} trials were ended by the time limit of {seconds} s, so figures depend on this machine; \
             -t 0 takes it away\n"
        );
    }
    for name in ["compare.json", "compare.html"] {
        text += &format!("{}\n", plan.base.out.join(name).display());
    }
    text
}

fn unit_words(comparison: &Comparison, unit: &ComparedUnit) -> String {
    if !unit.message.is_empty() {
        return format!("{} ({}) was not compared: {}\n\n", unit.function, unit.file, unit.message);
    }
    let mut text = format!("{} ({}): {}\n", unit.function, unit.file, headline(comparison, unit));
    text += &lines(&unit_table(comparison, unit));
    let differences = difference_words(comparison, unit);
    for (goal, who) in differences.iter().take(GOALS_SHOWN) {
        text += &format!("  {goal}: {who}\n");
    }
    if differences.len() > GOALS_SHOWN {
        text += &format!(
            "  and {} more goals that not every strategy covered\n",
            differences.len() - GOALS_SHOWN
        );
    }
    text + "\n"
}

/// The rows under each other, names on the left and figures on the right of their columns.
fn lines(table: &Table) -> String {
    let rows = || std::iter::once(&table.header).chain(&table.rows);
    let width = |column: usize| rows().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.header.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<String>>().join("  ") + "\n"
    };
    rows().map(line).collect()
}
