//! From the results of all trials to what is compared: coverage at certain runs, runs to a certain coverage, who covered
//! what, and whether a difference to the best strategy may be chance.

use std::cmp::Ordering;

use tarka_events::{Goal, Status, UnitResult, Verdict};
use tarka_suite::outcome_words;

use super::json::*;
use super::mann_whitney;

/// Version of the structure.
const VERSION: u32 = 1;

/// Runs after which the covered goals are told, as far as the trials go.
const AT_RUNS: [u64; 3] = [100, 1_000, 4_000];

/// Parts of what the best trial covered, in percent.
const PARTS: [u64; 3] = [50, 90, 100];

/// Below this a difference is not taken for chance.
const SIGNIFICANT: f64 = 0.05;

/// What holds for all units.
pub struct CompareRun<'a> {
    /// `tarka 0.1.0`.
    pub tool: &'a str,
    /// The command.
    pub command: &'a str,
    /// Coverage criterion.
    pub criterion: &'a str,
    /// The strategies.
    pub strategies: &'a [String],
    /// Seed of the first trial.
    pub seed: u64,
    /// Trials of each strategy.
    pub repeat: usize,
    /// Runs of each trial.
    pub runs: u64,
    /// Seconds of each trial, if limited.
    pub seconds: Option<f64>,
    /// Write every time as 0, so that the same seed gives the same bytes.
    pub without_times: bool,
}

/// Compares. For each unit, the results of all trials: those of the first strategy in the order of their seeds, then those
/// of the next.
pub fn compare(run: &CompareRun, units: &[Vec<UnitResult>]) -> Comparison {
    let units: Vec<ComparedUnit> =
        units.iter().filter(|results| !results.is_empty()).map(|results| unit(run, results)).collect();
    let total = (0..run.strategies.len()).map(|strategy| total(run, &units, strategy)).collect();
    Comparison {
        version: VERSION,
        tool: run.tool.to_string(),
        command: run.command.to_string(),
        criterion: run.criterion.to_string(),
        seed: run.seed,
        repeat: run.repeat as u64,
        runs: run.runs,
        seconds: run.seconds,
        strategies: run.strategies.to_vec(),
        units,
        total,
    }
}

fn unit(run: &CompareRun, results: &[UnitResult]) -> ComparedUnit {
    let message = results.iter().find_map(|result| match &result.status {
        Status::Skipped(message) | Status::Error(message) => Some(message.clone()),
        Status::Complete | Status::Budget => None,
    });
    let mut unit = ComparedUnit {
        file: results[0].file.clone(),
        function: results[0].function.clone(),
        message: message.unwrap_or_default(),
        goals: results[0].goals.len() as u64,
        infeasible: 0,
        common: 0,
        most: 0,
        best: String::new(),
        timed_out: 0,
        strategies: Vec::new(),
        goal_list: Vec::new(),
    };
    if !unit.message.is_empty() {
        return unit;
    }
    let covered = || results.iter().map(|result| first_runs(result).len() as u64);
    unit.common = covered().min().unwrap_or(0);
    unit.most = covered().max().unwrap_or(0);
    unit.timed_out = results.iter().filter(|result| is_timed_out(run, result)).count() as u64;
    let of_strategies: Vec<&[UnitResult]> = results.chunks(run.repeat).collect();
    unit.goal_list = (0..results[0].goals.len()).map(|goal| compared_goal(&of_strategies, goal)).collect();
    let is_proved = |goal: usize| {
        results.iter().any(|result| matches!(result.goals[goal].verdict, Verdict::Infeasible { .. }))
    };
    unit.infeasible = (0..results[0].goals.len()).filter(|goal| is_proved(*goal)).count() as u64;
    unit.strategies = of_strategies
        .iter()
        .zip(run.strategies)
        .enumerate()
        .map(|(index, (trials, strategy))| {
            let mut figures = figures(run, &unit, trials, strategy);
            (figures.only, figures.missed) = differences(&unit.goal_list, index);
            figures
        })
        .collect();
    let best = best(&unit.strategies);
    unit.best = run.strategies[best].clone();
    for (index, figures) in unit.strategies.iter_mut().enumerate().filter(|(index, _)| *index != best) {
        let p = |measure: &dyn Fn(&UnitResult) -> f64| {
            let of = |index: usize| of_strategies[index].iter().map(measure).collect::<Vec<f64>>();
            mann_whitney(&of(index), &of(best)).map(|test| test.p)
        };
        figures.covered_p = p(&|result| first_runs(result).len() as f64);
        figures.runs_p =
            p(&|result| runs_to(&first_runs(result), unit.common).map_or(f64::INFINITY, |runs| runs as f64));
    }
    unit
}

/// The runs that covered each goal first, in ascending order.
fn first_runs(result: &UnitResult) -> Vec<u64> {
    let mut runs: Vec<u64> = result.goals.iter().filter_map(first_run).collect();
    runs.sort_unstable();
    runs
}

fn first_run(goal: &Goal) -> Option<u64> {
    match goal.verdict {
        Verdict::Covered { run, .. } => Some(run),
        Verdict::Infeasible { .. } | Verdict::Unknown { .. } => None,
    }
}

/// The runs it takes to cover so many goals; `None` if that was not reached.
fn runs_to(first_runs: &[u64], goals: u64) -> Option<u64> {
    match goals {
        0 => Some(0),
        goals => first_runs.get(goals as usize - 1).copied(),
    }
}

/// True if a trial had goals and runs left when its time was up.
fn is_timed_out(run: &CompareRun, result: &UnitResult) -> bool {
    let has_open = result.goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown { .. }));
    let took = result.total_ms as f64 / 1000.0;
    has_open && result.runs < run.runs && run.seconds.is_some_and(|seconds| took >= seconds)
}

fn figures(run: &CompareRun, unit: &ComparedUnit, trials: &[UnitResult], strategy: &str) -> Figures {
    let covered: Vec<Vec<u64>> = trials.iter().map(first_runs).collect();
    let of = |figure: &dyn Fn(&UnitResult) -> u64| spread(&trials.iter().map(figure).collect::<Vec<u64>>());
    let ms = |result: &UnitResult| if run.without_times { 0 } else { result.total_ms };
    let at = |limit: u64| {
        let counts = covered.iter().map(|runs| runs.partition_point(|&run| run <= limit) as u64);
        spread(&counts.collect::<Vec<u64>>())
    };
    let reach = |name: String, goals: u64| {
        let runs: Vec<u64> = covered.iter().filter_map(|runs| runs_to(runs, goals)).collect();
        RunsTo { name, goals, reached: runs.len() as u64, runs: (!runs.is_empty()).then(|| spread(&runs)) }
    };
    let parts = PARTS.iter().map(|part| (format!("{part}%"), (unit.most * part).div_ceil(100)));
    let targets = std::iter::once(("common".to_string(), unit.common)).chain(parts);
    let mut changes: Vec<u64> = covered.iter().flatten().copied().collect();
    changes.sort_unstable();
    changes.dedup();
    Figures {
        strategy: strategy.to_string(),
        covered: at(u64::MAX),
        covered_p: None,
        goals_at: AT_RUNS
            .into_iter()
            .filter(|runs| *runs <= run.runs)
            .map(|runs| GoalsAt { runs, goals: at(runs) })
            .collect(),
        runs_to: targets.map(|(name, goals)| reach(name, goals)).collect(),
        runs_to_last: spread(
            &covered.iter().map(|runs| runs.last().copied().unwrap_or(0)).collect::<Vec<u64>>(),
        ),
        runs_p: None,
        runs: of(&|result| result.runs),
        queries: of(&|result| result.solver.queries),
        ms: of(&ms),
        faults: of(&|result| result.faults.len() as u64),
        only: Vec::new(),
        missed: Vec::new(),
        curve: changes.iter().map(|&run| (run, at(run).mean)).collect(),
        trials: trials
            .iter()
            .map(|result| TrialFigures {
                seed: result.seed,
                status: if result.status == Status::Complete { "complete" } else { "budget" }.to_string(),
                runs: result.runs,
                covered: first_runs(result).len() as u64,
                covered_at: first_runs(result),
                queries: result.solver.queries,
                ms: ms(result),
                faults: result.faults.len() as u64,
            })
            .collect(),
    }
}

/// The spread of at least one value.
fn spread(values: &[u64]) -> Spread {
    let values: Vec<f64> = values.iter().map(|&value| value as f64).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Spread {
        mean: rounded(mean),
        deviation: (values.len() > 1).then(|| rounded((squares / (count - 1.0)).sqrt())),
        least: values.iter().copied().fold(f64::INFINITY, f64::min),
        most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}

/// To three decimals, which is more than anybody reads.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn compared_goal(of_strategies: &[&[UnitResult]], index: usize) -> ComparedGoal {
    let goal = &of_strategies[0][0].goals[index];
    let count = |trials: &&[UnitResult]| {
        trials.iter().filter(|result| first_run(&result.goals[index]).is_some()).count() as u64
    };
    let queries = |result: &UnitResult| {
        let run = first_run(&result.goals[index])?;
        result.solver.before_runs.iter().find(|(covering, _)| *covering == run).map(|&(_, queries)| queries)
    };
    ComparedGoal {
        id: goal.id.clone(),
        file: goal.place.file.clone(),
        line: goal.place.line,
        column: goal.place.column,
        text: goal.text.clone(),
        outcome: outcome_words(goal).to_string(),
        covered: of_strategies.iter().map(count).collect(),
        queries: of_strategies.iter().map(|trials| trials.iter().map(queries).collect()).collect(),
    }
}

/// The goals only this strategy covered, and those only others did.
fn differences(goals: &[ComparedGoal], strategy: usize) -> (Vec<String>, Vec<String>) {
    let names = |wanted: &dyn Fn(bool, bool) -> bool| {
        let chosen = goals.iter().filter(|goal| {
            let by_others =
                goal.covered.iter().enumerate().any(|(index, count)| index != strategy && *count > 0);
            wanted(goal.covered[strategy] > 0, by_others)
        });
        chosen.map(|goal| goal.id.clone()).collect()
    };
    (names(&|own, others| own && !others), names(&|own, others| !own && others))
}

/// The first of those with the highest coverage and, among these, the fewest runs to their last goal.
fn best(strategies: &[Figures]) -> usize {
    let better = |best: usize, index: usize| match in_order(&strategies[index], &strategies[best]) {
        Ordering::Less => index,
        Ordering::Equal | Ordering::Greater => best,
    };
    (1..strategies.len()).fold(0, better)
}

/// The better one first.
fn in_order(one: &Figures, other: &Figures) -> Ordering {
    let more_goals = other.covered.mean.total_cmp(&one.covered.mean);
    more_goals.then(one.runs_to_last.mean.total_cmp(&other.runs_to_last.mean))
}

/// The strategies of a unit, the best one first.
pub(super) fn ranked(unit: &ComparedUnit) -> Vec<&Figures> {
    let mut strategies: Vec<&Figures> = unit.strategies.iter().collect();
    strategies.sort_by(|one, other| in_order(one, other));
    strategies
}

/// Mean of the runs to the common coverage, which every trial reaches.
fn to_common(figures: &Figures) -> f64 {
    figures.runs_to.first().and_then(|to| to.runs).map_or(0.0, |runs| runs.mean)
}

fn total(run: &CompareRun, units: &[ComparedUnit], strategy: usize) -> Total {
    let compared: Vec<(&Figures, &ComparedUnit)> =
        units.iter().filter_map(|unit| Some((unit.strategies.get(strategy)?, unit))).collect();
    let sum = |figure: &dyn Fn(&Figures) -> f64| {
        rounded(compared.iter().fold(0.0, |sum, (figures, _)| sum + figure(figures)))
    };
    let count = |wanted: &dyn Fn(&Figures, &Figures) -> bool| {
        let best = |unit: &ComparedUnit| unit.strategies.iter().position(|other| other.strategy == unit.best);
        let chosen = compared
            .iter()
            .filter(|(figures, unit)| best(unit).is_some_and(|best| wanted(figures, &unit.strategies[best])));
        chosen.count() as u64
    };
    let at_runs = AT_RUNS.into_iter().filter(|runs| *runs <= run.runs).enumerate();
    Total {
        strategy: run.strategies[strategy].clone(),
        covered: sum(&|figures| figures.covered.mean),
        goals_at: at_runs
            .map(|(index, runs)| (runs, sum(&|figures| figures.goals_at[index].goals.mean)))
            .collect(),
        runs_to_common: sum(&to_common),
        queries: sum(&|figures| figures.queries.mean),
        ms: sum(&|figures| figures.ms.mean),
        first_on: count(&|figures, best| figures.covered.mean >= best.covered.mean),
        behind_on: count(&|figures, best| {
            figures.covered.mean < best.covered.mean && figures.covered_p.is_some_and(|p| p < SIGNIFICANT)
        }),
    }
}
