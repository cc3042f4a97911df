//! Strategies: which way to try next.
//!
//! A strategy sees every run's new candidates, is asked for one, and is told what became of it. It keeps its own
//! index, so that a choice costs next to nothing however many candidates there are; candidates that were settled
//! meanwhile are skipped when they come up. A strategy never sees candidates that only make a check fail: those are
//! handed out by [`crate::Search`] after coverage.
//!
//! To add one: a file here, a line in [`by_name`].

mod auto;
mod bfs;
mod dfs;
mod random_branch;

use crate::candidate::{CandidateId, CandidateState};
use crate::coverage::BranchGoals;
use crate::rng::Rng;
use crate::sites::SiteTable;
use crate::tree::PathTree;

pub use auto::Auto;
pub use bfs::BreadthFirst;
pub use dfs::DepthFirst;
pub use random_branch::RandomBranch;

/// What a strategy may look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// All paths so far.
    pub tree: &'a PathTree,
    /// The unit's goals.
    pub goals: &'a BranchGoals,
    /// The source sites.
    pub sites: &'a SiteTable,
}

impl View<'_> {
    /// True if the candidate has not been tried.
    pub fn is_open(&self, candidate: CandidateId) -> bool {
        self.tree.candidate(candidate).state == CandidateState::Open
    }

    /// The branch a candidate wants to take: site and outcome.
    pub fn branch(&self, candidate: CandidateId) -> (u32, u64) {
        (self.tree.node_of(candidate).site, self.tree.candidate(candidate).outcome)
    }

    /// True if that branch is a goal of the unit that no run has covered.
    pub fn wants_open_goal(&self, candidate: CandidateId) -> bool {
        let (site, outcome) = self.branch(candidate);
        outcome <= u32::MAX as u64 && self.goals.is_open_outcome(self.sites, site, outcome as u32)
    }
}

/// What a strategy is told of a run beside its candidates.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunSummary {
    /// Number of the run, from 1.
    pub run: u64,
    /// Goals it covered first.
    pub new_goals: u32,
    /// Decisions on its path.
    pub depth: u32,
}

/// A way to choose the next candidate.
pub trait Strategy: Send {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// Takes the new candidates of a run, in path order.
    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary);
    /// The next candidate to try, an open one; `None` when there is none.
    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId>;
    /// What became of a candidate it chose.
    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState);
    /// Forgets everything: the paths so far are gone, and candidates are numbered anew.
    fn restart(&mut self);
}

/// Every strategy there is, by the name on the command line.
pub const AVAILABLE: &[&str] = &["auto", "dfs", "bfs", "random-branch"];

/// Strategies that the command line promises and that are not built yet.
const LATER: &[&str] = &[
    "tabu",
    "pps",
    "cgs",
    "knn",
    "expectation",
    "fitness",
    "uniform-random",
    "cfg",
    "rp-md2u",
    "generational",
    "carfast",
    "residual",
];

/// A strategy's name was not usable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// Promised, not built.
    #[error("the strategy `{0}` comes later; available: {list}", list = AVAILABLE.join(", "))]
    Later(String),
    /// Never heard of.
    #[error("there is no strategy `{0}`; available: {list}", list = AVAILABLE.join(", "))]
    Unknown(String),
}

/// The strategy with this name.
pub fn by_name(name: &str) -> Result<Box<dyn Strategy>, StrategyError> {
    match name {
        "auto" => Ok(Box::new(Auto::default())),
        "dfs" => Ok(Box::new(DepthFirst::default())),
        "bfs" => Ok(Box::new(BreadthFirst::default())),
        "random-branch" => Ok(Box::new(RandomBranch::default())),
        other if LATER.contains(&other) => Err(StrategyError::Later(other.to_string())),
        other => Err(StrategyError::Unknown(other.to_string())),
    }
}
