//! The structure of `report.json`. Scripts rely on it: fields may be added, never renamed.

use serde::{Deserialize, Serialize};
use tarka_events::PathSketch;

use crate::baseline::Compared;
use crate::fault::{Fault, Precondition};

/// Version of the structure.
pub const VERSION: u32 = 1;

/// The status of a goal that is proved infeasible.
pub const INFEASIBLE: &str = "infeasible";

/// The status of a goal of another function that no call through the unit reaches, as is proved.
pub const INFEASIBLE_FROM_UNIT: &str = "infeasible-from-unit";

/// The whole file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`VERSION`].
    pub version: u32,
    /// `tarka 0.1.0`.
    pub tool: String,
    /// The seed.
    pub seed: u64,
    /// What fingerprints of faults are made of.
    #[serde(default)]
    pub fingerprints: String,
    /// The command, without the output folder and the number of workers: they do not change the result.
    pub command: String,
    /// The folder the flags are meant from, relative to the report.
    pub directory: String,
    /// The `coverage` of all units together, every function once: by the tests of all units that have its goals.
    #[serde(default)]
    pub coverage: Coverage,
    /// Every goal once, covered if the tests of any unit cover it; left out where every unit has goals of its own only, which
    /// are then the sums of the units' `goals`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<GoalCounts>,
    /// What the attacks on proofs came to.
    #[serde(default)]
    pub proofs: Proofs,
    /// How the faults compare with those of `--baseline`; left out without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Compared>,
    /// One entry for each function.
    pub units: Vec<Unit>,
}

/// One function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The C file.
    pub file: String,
    /// Its name.
    pub function: String,
    /// Coverage criterion.
    pub criterion: String,
    /// Whose goals were asked for: `file` or `program` (`--goals`), or `callees` for a function without a branch of its own, which
    /// has those of `file`; left out where it is the function's own. `goals` and `coverage` then speak of all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals_scope: Option<String>,
    /// Strategy.
    pub strategy: String,
    /// Seed.
    pub seed: u64,
    /// Runs made.
    pub runs: u64,
    /// Tests written.
    pub tests: u64,
    /// Solver figures.
    pub solver: Solver,
    /// Time spent running the function.
    pub execute_ms: u64,
    /// Time in all.
    pub total_ms: u64,
    /// `complete`, `budget` or `error`.
    pub status: String,
    /// Why the status is `error`; empty otherwise.
    pub message: String,
    /// The function was not tested because of its signature; `message` says why.
    pub skipped: bool,
    /// Counts of goals.
    pub goals: GoalCounts,
    /// What the passing tests cover under every criterion, whichever was asked for.
    pub coverage: Coverage,
    /// How the tests were chosen.
    #[serde(default)]
    pub suite: Suite,
    /// Which goals were asked for, in words, if not all; only these are counted and listed, while `coverage` speaks of the
    /// whole function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aim: Option<String>,
    /// Every goal.
    pub goal_list: Vec<Goal>,
    /// How many goals were covered after so many runs, a line for each run that covered one first; with `goals_scope`. Elsewhere
    /// `first_run` of the goals says the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_by_run: Option<Vec<CoveredByRun>>,
    /// Every decision whose conditions MC/DC asks for, with the ways in which tests and shown faults evaluate it.
    #[serde(default)]
    pub decisions: Vec<Decision>,
    /// Every fault that this unit tells, one for each root cause, by rank.
    pub faults: Vec<Fault>,
    /// What its contracts need of callers, each once.
    #[serde(default)]
    pub preconditions: Vec<Precondition>,
    /// All of them together as lines of `tarka.toml`; empty if none can be said there.
    #[serde(default)]
    pub tarka_toml: String,
    /// What the attack on its proofs came to.
    #[serde(default)]
    pub proofs: Proofs,
    /// Proofs that an input refuted.
    #[serde(default)]
    pub refuted: Vec<Refuted>,
    /// Where values became concrete.
    pub concretisations: Vec<Concretisation>,
    /// Every test.
    pub tests_list: Vec<Test>,
    /// Runs that did not take the branch they were made for.
    pub divergences: u64,
    /// Limits of the input that were met.
    pub limits: Vec<String>,
    /// Checks and tests that the replay took back.
    pub notes: Vec<String>,
    /// The user's compiler flags.
    pub flags: Vec<String>,
    /// The other files of the program that its tests are linked with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<Linked>,
    /// The functions with a body here that it may call, by name.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Its paths, for the picture on the page; too long to be read anywhere else.
    #[serde(skip)]
    pub paths: PathSketch,
}

/// Another file of a unit's program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Linked {
    /// The C file as the user named it.
    pub file: String,
    /// Its compiler flags.
    pub flags: Vec<String>,
    /// It has a `main` of its own.
    #[serde(default)]
    pub has_main: bool,
}

/// Solver figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solver {
    /// Questions asked.
    pub queries: u64,
    /// Answered with a model.
    pub sat: u64,
    /// Answered "impossible".
    pub unsat: u64,
    /// Not answered.
    pub unknown: u64,
    /// Answered without the SMT solver.
    pub cached: u64,
    /// Not answered, but tried with an input made for the flipped condition alone (`--optimistic`).
    #[serde(default)]
    pub optimistic: u64,
    /// How many of these went where they should.
    #[serde(default)]
    pub optimistic_hits: u64,
    /// The older name of `optimistic`.
    #[serde(default)]
    pub hopeful: u64,
    /// The older name of `optimistic_hits`.
    #[serde(default)]
    pub hopes_come_true: u64,
    /// Models that did not satisfy their question and were thrown away: mistakes of the solver.
    #[serde(default)]
    pub wrong_models: u64,
    /// Time.
    pub ms: u64,
    /// What each layer of the solver did, in the order in which they are asked.
    #[serde(default)]
    pub layers: Vec<SolverLayer>,
}

/// What one layer of the solver did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolverLayer {
    /// Its name.
    pub name: String,
    /// Questions that came to it.
    pub asked: u64,
    /// Questions it answered.
    pub hits: u64,
    /// Questions it passed on, or, as the last one, gave up.
    pub misses: u64,
    /// Time it took, in microseconds.
    pub us: u64,
}

/// A point of the curve of coverage over runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredByRun {
    /// Runs made.
    pub runs: u64,
    /// Goals covered by then.
    pub covered: u64,
}

/// Counts of goals; `covered`, `infeasible` and `unknown` add up to `total`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GoalCounts {
    /// All.
    pub total: u64,
    /// Covered by passing tests.
    pub covered: u64,
    /// Proved infeasible.
    pub infeasible: u64,
    /// The rest.
    pub unknown: u64,
    /// How many of the rest fault programs show, alone or together with a test.
    #[serde(default)]
    pub covered_by_faults_only: u64,
    /// How many of the infeasible ones are so from this unit: goals of other functions, which others may reach.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub infeasible_from_unit: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// How the tests of a unit were chosen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Suite {
    /// Runs that can be a test, of those that the search kept.
    pub kept_runs: u64,
    /// Tests chosen of these.
    pub tests: u64,
    /// Proved: no smaller choice of these runs covers as much, by what the runs themselves have shown.
    pub smallest: bool,
}

/// Coverage of the plain program by passing tests, as their replays showed it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Statements executed.
    pub statement: Share,
    /// Outcomes of conditions; switch arms taken and not taken.
    pub branch: Share,
    /// Outcomes of conditions.
    pub condition: Share,
    /// Outcomes of conditions and of decisions; switch arms taken and not taken.
    pub decision: Share,
    /// Conditions shown to decide on their own, as `llvm-cov` counts them.
    pub mcdc: Share,
    /// Functions entered.
    #[serde(default)]
    pub function: Share,
    /// Switch cases jumped to, among them the `default` of every switch, written or not.
    #[serde(default)]
    pub switch: Share,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Covered.
    pub covered: u64,
    /// All.
    pub total: u64,
}

/// A goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Goal {
    /// Stable name.
    pub id: String,
    /// The function that has it; left out where that is the unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// `statement`, `condition`, `switch-case`, `decision` or `mcdc`.
    pub kind: String,
    /// Source text.
    pub text: String,
    /// `executed`, `true`, `false`, `taken`, `not-taken` or `independent`.
    pub outcome: String,
    /// `covered`, `infeasible` or `unknown`; [`INFEASIBLE_FROM_UNIT`] for a goal of another function of which it is proved that no
    /// call through the unit reaches it.
    pub status: String,
    /// Why not covered; empty if covered.
    pub reason: String,
    /// The same as one word; empty if covered. Infeasible: `exhausted`, `contradiction`, `unreachable` or
    /// `precondition`. Unknown: `budget`, `solver`, `concretisation`, `stub`, `model`, `bound`, `environment`, `sharing`,
    /// `address`, `fault`, `stopped`, `replay`, `refuted` or `error`.
    #[serde(default)]
    pub cause: String,
    /// `file:line:column` of what stands in the way, if that has a place.
    #[serde(default)]
    pub cause_at: Option<String>,
    /// What to change to get further, if something can be.
    #[serde(default)]
    pub advice: Option<String>,
    /// The run that covered it first; null if none.
    pub first_run: Option<u64>,
    /// When; null if not covered.
    pub first_ms: Option<u64>,
    /// The tests and fault files that show it; where it takes two, these two. Empty if nothing shows it.
    #[serde(default)]
    pub tests: Vec<String>,
    /// It is `unknown`, and fault programs show it, alone or together with a test.
    #[serde(default)]
    pub covered_by_faults_only: bool,
    /// For a goal of kind `mcdc` that is shown: the tests (or, if no two tests do, tests and fault files) that show it
    /// together, the one in which the decision is true first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<[String; 2]>,
    /// Inputs that were run on the plain program to refute that it is infeasible; 0 if that was never said.
    #[serde(default)]
    pub attacks: u64,
    /// How many of them took it, as far as they were followed.
    #[serde(default)]
    pub refutations: u64,
}

/// What attacks on proofs came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proofs {
    /// Goals that were called infeasible and attacked.
    pub attacked: u64,
    /// Runs of the plain program.
    pub runs: u64,
    /// Proofs that an input refuted.
    pub refuted: u64,
    /// Time, the build of the plain program included.
    pub ms: u64,
}

/// A proof that turned out to be none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refuted {
    /// Id of the goal.
    pub goal: String,
    /// What would have been told: kind of proof and reason.
    pub proof: String,
    /// The file that runs the input, relative to the report; null if the input has no text in C.
    pub path: Option<String>,
    /// The program was seen to take it when built from that file.
    pub confirmed: bool,
    /// The arguments, as C text.
    pub inputs: Vec<Argument>,
}

/// A decision: conditions joined by `&&` and `||`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Source text.
    pub text: String,
    /// `llvm-cov` has a figure for it, and so it is part of `coverage.mcdc`.
    pub counted: bool,
    /// Its conditions, left to right.
    pub conditions: Vec<DecisionCondition>,
    /// The ways in which it was evaluated, each once; those with result true first.
    pub evaluations: Vec<Evaluation>,
}

/// A condition of a decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DecisionCondition {
    /// Source text.
    pub text: String,
    /// The tests that show together that it decides alone, the one in which the decision is true first; null if none do.
    pub pair: Option<[String; 2]>,
}

/// One way in which a decision was evaluated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evaluation {
    /// A character for each condition: `T`, `F`, or `-` where it was not evaluated.
    pub values: String,
    /// The decision's result.
    pub result: bool,
    /// The tests (or fault files) that evaluate it so.
    pub tests: Vec<String>,
}

/// A concretisation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Concretisation {
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// What, in words.
    pub what: String,
    /// How often.
    pub count: u64,
}

/// A test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Test {
    /// Name.
    pub name: String,
    /// File, relative to the report.
    pub path: String,
    /// The arguments, as C text.
    pub inputs: Vec<Argument>,
    /// The declarations those arguments refer to, as C text.
    pub setup: Vec<String>,
    /// Ids of the goals it adds to the tests before it.
    pub new_goals: Vec<String>,
    /// The run it was made from.
    pub run: u64,
}

/// An argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// Parameter name.
    pub name: String,
    /// C text.
    pub value: String,
}
