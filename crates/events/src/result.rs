//! Goals, tests, faults and verdicts of one unit, and the events that tell of them as they happen.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tarka_scenario::Executed;
use tarka_source::{Evidence, GoalKind, GoalScope, Place, Stub};

use crate::{Cause, Fault, NamedAddress, PathSketch, Proof};

/// Something the listener may want to know at once.
#[derive(Clone, Debug)]
pub enum Event {
    /// Work on a unit begins.
    UnitStarted {
        /// Function name.
        function: String,
        /// Number of goals.
        goals: u32,
    },
    /// Progress of the running unit (at most a few per second).
    Progress {
        /// Function name.
        function: String,
        /// Goals covered so far.
        covered: u32,
        /// Goals in all.
        goals: u32,
        /// Runs so far.
        runs: u64,
        /// Distinct faults so far.
        faults: u32,
    },
    /// The unit is finished.
    UnitFinished(Box<UnitResult>),
}

/// Everything about one finished unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitResult {
    /// The C file.
    pub file: String,
    /// Function name.
    pub function: String,
    /// Coverage criterion.
    pub criterion: String,
    /// Whose goals were asked for.
    pub scope: GoalScope,
    /// Strategy name.
    pub strategy: String,
    /// Seed.
    pub seed: u64,
    /// True if anything was drawn at random: otherwise another seed gives the same result.
    pub has_drawn: bool,
    /// Verdict on the unit.
    pub status: Status,
    /// Number of runs.
    pub runs: u64,
    /// Runs that did not take the branch they were made for.
    pub divergences: u64,
    /// Solver figures.
    pub solver: SolverFigures,
    /// Time spent running the target.
    pub execute_ms: u64,
    /// Time in all.
    pub total_ms: u64,
    /// Goals with their verdicts.
    pub goals: Vec<Goal>,
    /// Runs worth keeping: each covered a goal first or may be half of a pair. The suite picks from these.
    pub kept_runs: Vec<KeptRun>,
    /// Faults, one per kind, place and call stack; those for which the caller had to do least wrong first.
    pub faults: Vec<Fault>,
    /// Places where a symbolic value became concrete.
    pub concretisations: Vec<Concretisation>,
    /// Limits of the input that were met, in words (objects too small, depth reached, members kept null).
    pub limits: Vec<String>,
    /// The attack on its proofs.
    pub attack: AttackFigures,
    /// Proofs that an input refuted.
    pub refuted: Vec<Refuted>,
    /// The stubs of the build, in the order inputs number them.
    pub stubs: Vec<Stub>,
    /// Functions, stubs and globals that pointers of inputs may point to.
    pub named_addresses: Vec<NamedAddress>,
    /// The functions with a body here that it may call, by name.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Its paths, as far as people can look at them.
    #[serde(default)]
    pub paths: PathSketch,
}

/// Verdict on a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Every goal is covered or proved infeasible.
    Complete,
    /// A budget ran out, or nothing was left to try but some goal is open.
    Budget,
    /// Not tested, with the reason and the next step.
    Skipped(String),
    /// Something went wrong, with the message.
    Error(String),
}

/// Solver figures.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SolverFigures {
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
    /// Not answered, but tried with a model of the flipped clause alone.
    pub optimistic: u64,
    /// How many of these went where they should.
    pub optimistic_hits: u64,
    /// Models that did not satisfy their question: mistakes of the solver, which nobody got to see.
    pub wrong_models: u64,
    /// What each layer of the solver did, in the order in which they are asked.
    pub layers: Vec<SolverLayer>,
    /// Each run that covered a goal first, and how many were asked before it.
    pub before_runs: Vec<(u64, u64)>,
    /// Time.
    pub ms: u64,
}

/// What one layer of the solver did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SolverLayer {
    /// Its name.
    pub name: String,
    /// Questions that came to it.
    pub asked: u64,
    /// Questions it answered itself; the others it passed on, or, as the last one, gave up.
    pub answered: u64,
    /// Time it took, in microseconds.
    pub us: u64,
}

impl SolverFigures {
    /// Asked before the last goal was covered.
    pub fn before_last_goal(&self) -> u64 {
        self.before_runs.last().map_or(0, |&(_, queries)| queries)
    }
}

/// One coverage goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Goal {
    /// Stable name: `function:site ordinal:outcome`, `function:sN` for a statement, `function:dN:outcome` for a decision,
    /// `function:dN:cM` for a condition of one.
    pub id: String,
    /// What is asked for.
    pub what: GoalKind,
    /// The function that has it, if that is another one than the unit: what is proved of such a goal is proved of calls through
    /// the unit.
    pub callee: Option<String>,
    /// Where.
    pub place: Place,
    /// `statement`, `condition`, `switch-case`, `decision` or `mcdc`.
    pub kind: Cow<'static, str>,
    /// Source text.
    pub text: String,
    /// What was found out.
    pub verdict: Verdict,
    /// Inputs that were run on the plain program to refute that it is infeasible; 0 if that was never said, or there is no
    /// plain program.
    pub attacks: u32,
    /// How many of them took it, as far as they were followed.
    pub refutations: u32,
}

/// What was found out about a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Covered first by this run.
    Covered {
        /// Run number, from 1.
        run: u64,
        /// Milliseconds since the unit began.
        ms: u64,
        /// For a condition that is to decide alone: the two runs that show it together, which may be one and the same.
        pair: Option<[u64; 2]>,
    },
    /// Proved infeasible within the stated bounds.
    Infeasible {
        /// What kind of proof.
        proof: Proof,
        /// The proof in words.
        reason: String,
        /// What to change to make it feasible, if the user's own settings rule it out.
        advice: Option<String>,
    },
    /// Not covered, and nothing is proved.
    Unknown {
        /// What stood in the way.
        cause: Cause,
        /// Where that is, if it has a place.
        place: Option<Place>,
        /// What stood in the way, in words.
        reason: String,
        /// What to change to get further.
        advice: Option<String>,
    },
}

/// What the attack on a unit's proofs took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackFigures {
    /// Runs of the plain program.
    pub runs: u64,
    /// Time in all, the plain program's build included where this unit was the first of its file to need one.
    pub ms: u64,
}

/// A proof that turned out to be none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refuted {
    /// [`Goal::id`] of what was called infeasible.
    pub goal: String,
    /// The proof, as it would have been told.
    pub claim: String,
    /// Name of the file that runs the input.
    pub file: String,
    /// The input, and what the instrumented target did with it.
    pub run: KeptRun,
}

/// A run that covered something first, or evaluated a decision in a way that a pair may need.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptRun {
    /// Run number, from 1.
    pub run: u64,
    /// What it was given and what it left.
    pub executed: Executed,
    /// Indices into [`UnitResult::goals`] of every goal this run covers on its own.
    pub covers: Vec<u32>,
    /// What it has shown.
    pub evidence: Evidence,
    /// How it ended.
    pub end: RunEnd,
}

/// How a run ended, in the words of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEnd {
    /// The unit returned.
    Returned,
    /// The unit ended the process.
    Exited(i32),
    /// A fault; index into [`UnitResult::faults`].
    Fault(u32),
    /// An input bound was met: no verdict on what follows.
    InputBound,
    /// The input does not meet a precondition: the run does not count.
    Precondition,
    /// A fault of a kind that is not looked for: neither a test nor reported.
    NotLookedFor,
}

impl RunEnd {
    /// After faults were put into another order: `order` gives the old number of each.
    pub fn renumber(&mut self, order: &[usize]) {
        if let RunEnd::Fault(index) = self {
            let position = order.iter().position(|&old| old == *index as usize);
            *index = position.unwrap_or(0) as u32;
        }
    }
}

/// A place where symbolic values became concrete.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Concretisation {
    /// Where.
    pub place: Place,
    /// What was concretised, in words.
    pub what: String,
    /// How often, over all runs.
    pub count: u64,
}
