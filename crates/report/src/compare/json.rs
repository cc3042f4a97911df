//! The structure of `compare.json`. Scripts rely on it: fields may be added, never renamed.

use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of the structure.
    pub version: u32,
    /// `tarka 0.1.0`.
    pub tool: String,
    /// The command, without the output folder and the number of workers.
    pub command: String,
    /// Coverage criterion.
    pub criterion: String,
    /// Seed of the first trial of every strategy; the others count up from it.
    pub seed: u64,
    /// Trials of each strategy.
    pub repeat: u64,
    /// Runs each trial may make.
    pub runs: u64,
    /// Seconds each trial may take; `null`: as many as it needs.
    pub seconds: Option<f64>,
    /// The strategies, in the order asked for.
    pub strategies: Vec<String>,
    /// One entry for each function.
    pub units: Vec<ComparedUnit>,
    /// Sums over all functions that were compared, in the order of `strategies`.
    pub total: Vec<Total>,
}

/// One function under all strategies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComparedUnit {
    /// The C file.
    pub file: String,
    /// Its name.
    pub function: String,
    /// Why it could not be compared; empty if it was.
    pub message: String,
    /// Number of goals.
    pub goals: u64,
    /// Goals that some trial proved infeasible.
    pub infeasible: u64,
    /// The common coverage: goals that even the worst trial covered.
    pub common: u64,
    /// Goals that the best trial covered.
    pub most: u64,
    /// The strategy with the highest mean of covered goals; among equals the one with the fewest runs to the last
    /// of them.
    pub best: String,
    /// Trials that the time limit ended before runs or goals did: their figures depend on the machine.
    pub timed_out: u64,
    /// Figures of each strategy, in the order asked for.
    pub strategies: Vec<Figures>,
    /// Every goal with who covered it.
    pub goal_list: Vec<ComparedGoal>,
}

/// One strategy on one function. Means are over its trials, deviations are those of a sample.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// Its name.
    pub strategy: String,
    /// Goals covered at the end.
    pub covered: Spread,
    /// Mann-Whitney p of the covered goals against those of the best strategy; `null` for the best itself.
    pub covered_p: Option<f64>,
    /// Goals covered after so many runs.
    pub goals_at: Vec<GoalsAt>,
    /// Runs to reach a coverage: `common`, and 50, 90 and 100 % of what the best trial covered.
    pub runs_to: Vec<RunsTo>,
    /// Runs to the last goal that was covered at all.
    pub runs_to_last: Spread,
    /// Mann-Whitney p of the runs to the common coverage against those of the best strategy; `null` for the best itself.
    pub runs_p: Option<f64>,
    /// Runs made.
    pub runs: Spread,
    /// Questions to the solver.
    pub queries: Spread,
    /// Milliseconds.
    pub ms: Spread,
    /// Faults met on the way; they are not looked for.
    pub faults: Spread,
    /// Goals that no other strategy covered in any trial, by name.
    pub only: Vec<String>,
    /// Goals that another strategy covered and this one in no trial, by name.
    pub missed: Vec<String>,
    /// Mean number of covered goals after each run at which it changes: `[run, goals]`.
    pub curve: Vec<(u64, f64)>,
    /// Each trial.
    pub trials: Vec<TrialFigures>,
}

/// Mean and spread of a figure over trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Deviation of a sample; `null` with less than two values.
    pub deviation: Option<f64>,
    /// Least.
    pub least: f64,
    /// Most.
    pub most: f64,
}

/// Goals covered after so many runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GoalsAt {
    /// The runs.
    pub runs: u64,
    /// The goals.
    pub goals: Spread,
}

/// Runs to reach a coverage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunsTo {
    /// `common`, `50%`, `90%` or `100%`.
    pub name: String,
    /// The coverage, in goals.
    pub goals: u64,
    /// How many trials reached it.
    pub reached: u64,
    /// Their runs; `null` if none reached it.
    pub runs: Option<Spread>,
}

/// One trial.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrialFigures {
    /// Seed.
    pub seed: u64,
    /// `complete` (every goal covered or proved infeasible) or `budget`.
    pub status: String,
    /// Runs made.
    pub runs: u64,
    /// Goals covered.
    pub covered: u64,
    /// The run at which each of them was covered first, in order.
    pub covered_at: Vec<u64>,
    /// Questions to the solver.
    pub queries: u64,
    /// Milliseconds.
    pub ms: u64,
    /// Faults met on the way.
    pub faults: u64,
}

/// A goal and who covered it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComparedGoal {
    /// Stable name.
    pub id: String,
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Source text.
    pub text: String,
    /// `executed`, `true`, `false`, `taken`, `not-taken` or `independent`.
    pub outcome: String,
    /// In how many trials each strategy covered it, in the order asked for.
    pub covered: Vec<u64>,
    /// Questions to the solver before the run that covered it first: for each strategy, each trial; `null` if none did.
    pub queries: Vec<Vec<Option<u64>>>,
}

/// One strategy on all functions: sums of the means.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Total {
    /// Its name.
    pub strategy: String,
    /// Goals covered at the end.
    pub covered: f64,
    /// Goals covered after so many runs: `[runs, goals]`.
    pub goals_at: Vec<(u64, f64)>,
    /// Runs to the common coverage of each function.
    pub runs_to_common: f64,
    /// Questions to the solver.
    pub queries: f64,
    /// Milliseconds.
    pub ms: f64,
    /// Functions on which no strategy covers more in the mean.
    pub first_on: u64,
    /// Functions on which it covers fewer goals than the best strategy, with p below 0.05.
    pub behind_on: u64,
}
