//! What a user may ask of a campaign, and how asking can fail.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tarka_confine::Allow;
use tarka_settings::Settings;
use tarka_solver::Solver;
use tarka_source::{Criterion, GoalScope, LibraryInput};
use tarka_trace::FaultSet;

use crate::Aim;

/// What a user may ask for.
#[derive(Clone, Debug)]
pub struct Options {
    /// What counts as covered.
    pub criterion: Criterion,
    /// Whose goals are asked for.
    pub scope: GoalScope,
    /// Name of the search strategy.
    pub strategy: String,
    /// Time per unit; `None`: until done.
    pub time: Option<Duration>,
    /// Runs per unit; `None`: until done.
    pub runs: Option<u64>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Once all goals are covered, only try for faults; without it, explore every path.
    pub filter: bool,
    /// Stop once no goal is open: no faults are looked for, and no runs are kept for tests.
    pub goals_only: bool,
    /// Units tested at the same time.
    pub jobs: usize,
    /// After this time a run counts as hanging.
    pub run_time_limit: Duration,
    /// Bytes a run may allocate.
    pub memory_limit: u64,
    /// Bytes that the search of a unit may keep itself: paths, terms and inputs.
    pub search_memory: u64,
    /// What answers the questions of a unit.
    pub solver: fn() -> Box<dyn Solver + Send>,
    /// The kinds of fault that are looked for.
    pub faults: FaultSet,
    /// Inputs with which the proofs of a unit are attacked; 0: proofs are told as they are.
    pub attacks: u32,
    /// How long a unit is attacked at most: where a run takes long, there are fewer of them.
    pub attack_time: Duration,
    /// Where a question has no answer, try an input made for the flipped branch alone.
    pub optimistic: bool,
    /// The goals asked for; `None`: all.
    pub aim: Option<Aim>,
    /// Preconditions and bounds.
    pub settings: Settings,
    /// Answers of the library that are inputs.
    pub library_inputs: Vec<LibraryInput>,
    /// What the paths of the files begin with in which the units' questions to the solver are written down, if
    /// anywhere; `.FUNCTION.smt2` comes after it.
    pub dump_queries: Option<PathBuf>,
    /// What the target may do beyond its own work.
    pub allow: Allow,
    /// Defects put back, for tests of what finds them.
    pub defects: Defects,
    /// Set from outside when the work is to end early.
    pub interrupt: Interrupt,
}

/// Whether the work is to end early.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(pub Arc<AtomicBool>);

impl Interrupt {
    /// True once it is.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Options {
    /// Everything that a unit's result depends on, as text. How many work side by side has no part in it, nor where questions are written
    /// down, and which solver answers is not for users to choose.
    pub fn key(&self) -> String {
        // Every field by name: a new one does not compile until somebody has asked whether a result depends on it.
        let Options {
            criterion,
            scope,
            strategy,
            time,
            runs,
            seed,
            filter,
            goals_only,
            jobs: _,
            run_time_limit,
            memory_limit,
            search_memory,
            solver: _,
            faults,
            attacks,
            attack_time,
            optimistic,
            aim,
            settings,
            library_inputs,
            dump_queries: _,
            allow,
            defects,
            interrupt: _,
        } = self;
        let search = (criterion, scope, strategy, time, runs, seed, filter, goals_only, optimistic);
        let limits = (run_time_limit, memory_limit, search_memory, attacks, attack_time);
        format!("{search:?} {limits:?} {:?}", (faults, aim, settings, library_inputs, allow, defects))
    }
}

/// Defects that were fixed, and that tests put back: proofs that become wrong must not get past the attack on them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defects {
    /// The optimiser believes what functions promise (`pure`, `const` …) and loses labels.
    pub promises_kept: bool,
    /// Pointers that are subtracted or ordered never lead into one object, nobody asks whether a branch is refused for that
    /// alone, and no other way to share objects is missed.
    pub ranges_apart: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            criterion: Criterion::Branch,
            scope: GoalScope::Unit,
            strategy: "auto".to_string(),
            time: Some(Duration::from_secs(10)),
            runs: None,
            seed: 1,
            filter: true,
            goals_only: false,
            jobs: 1,
            run_time_limit: Duration::from_secs(1),
            memory_limit: 1 << 30,
            search_memory: 1 << 30,
            solver: tarka_solver::standard,
            faults: FaultSet::default(),
            attacks: 600,
            attack_time: Duration::from_millis(250),
            optimistic: false,
            aim: None,
            settings: Settings::default(),
            library_inputs: Vec::new(),
            dump_queries: None,
            allow: Allow::default(),
            defects: Defects::default(),
            interrupt: Interrupt::default(),
        }
    }
}

/// Why a campaign could not be run at all. What goes wrong with one unit is in that unit's result instead.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The strategy's name is not usable.
    #[error(transparent)]
    Strategy(#[from] tarka_search::strategy::StrategyError),
    /// The target could not be built.
    #[error("{file} could not be built for testing: {source}")]
    Build {
        /// The C file.
        file: String,
        /// What the instrumenter said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The target could not be run (only where there is no result to put it in).
    #[error("{file} was built but could not be run: {source}")]
    Run {
        /// The C file.
        file: String,
        /// What the runner said.
        source: tarka_runner::RunnerError,
    },
}
