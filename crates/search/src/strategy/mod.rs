//! Strategies: which way to try next.
//!
//! A strategy sees every run's new candidates, is asked for one, and is told what became of it. It keeps its own
//! index, so that a choice costs next to nothing however many candidates there are; candidates that were settled
//! meanwhile are skipped when they come up. A strategy never sees candidates that only make a check fail: those are
//! handed out by [`crate::Search`] after coverage.
//!
//! To add one: a file here, a line in [`REGISTER`].

mod auto;
mod bfs;
mod carfast;
mod cfg;
mod cgs;
mod counts;
mod dfs;
mod expectation;
mod fifo;
mod fitness;
mod generational;
mod interleave;
mod kinds;
mod knn;
mod portfolio;
mod pps;
mod random_branch;
mod random_path;
mod residual;
mod restart;
mod rp_md2u;
mod tabu;
mod uncovered;
mod uniform_random;

use crate::goals::coverage::{Gain, Goals, Scope};
use crate::goals::explored::Explored;
use crate::objects::Objects;
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::{NodeId, PathTree};
use crate::relevance::{Filter, Passed, Relevance};
use crate::rng::Rng;
use crate::sites::SiteTable;
use tarka_source::cfg::Icfg;
use tarka_source::{FunctionId, SourceModel};
use tarka_terms::{Assignment, Terms};
use tarka_trace::EventKind;

pub use auto::Auto;
pub use bfs::BreadthFirst;
pub use carfast::CarFast;
pub use cfg::CfgDirected;
pub use cgs::ContextGuided;
pub use counts::Counts;
pub use dfs::DepthFirst;
pub use expectation::Expectation;
pub use fifo::FirstInFirstOut;
pub use fitness::Fitness;
pub use generational::Generational;
pub use interleave::Interleave;
pub use knn::NearestNeighbours;
pub use pps::PredictivePath;
pub use random_branch::RandomBranch;
pub use residual::Residual;
pub use restart::Restart;
pub use tabu::Tabu;
pub use uniform_random::UniformRandom;

/// What a strategy may look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// All paths so far.
    pub tree: &'a PathTree,
    /// The unit's goals.
    pub goals: &'a Goals,
    /// The source sites.
    pub sites: &'a SiteTable,
    /// What lies behind each branch.
    pub filter: &'a Filter,
    /// What lies before candidates of runs that did not end well.
    pub(crate) passed: &'a Passed,
    /// The objects of the latest run's input.
    pub(crate) objects: &'a Objects,
    /// Which branches of the program runs have taken.
    pub(crate) explored: &'a Explored,
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

    /// True if taking that branch covers an open goal.
    pub fn wants_open_goal(&self, candidate: CandidateId) -> bool {
        self.gain(candidate, Scope::Open) == Gain::Covers
    }

    /// True if taking that branch covers a goal that only runs which ended badly have covered.
    pub fn wants_goal_again(&self, candidate: CandidateId) -> bool {
        self.goals.wanted_again().next().is_some() && self.gain(candidate, Scope::Wanted) == Gain::Covers
    }

    /// How the candidate relates to the goals that are open or wanted again. What is irrelevant stays so, and
    /// [`crate::Search`] drops it when it is chosen.
    pub fn relevance(&self, candidate: CandidateId) -> Relevance {
        self.relevance_to(candidate, Scope::Wanted)
    }

    pub(crate) fn relevance_to(&self, candidate: CandidateId, scope: Scope) -> Relevance {
        match self.gain(candidate, scope) {
            Gain::Covers => return Relevance::Must,
            Gain::May => return Relevance::May,
            Gain::Nothing => {}
        }
        let node = self.tree.node_of(candidate);
        let may_reach = match (self.source_branch(candidate), node.branch_before()) {
            (Some(branch), _) => self.filter.reaches(branch, scope),
            // Not a branch of the source: what lies behind it lies behind the branch before it as well.
            (None, Some(before)) => self.filter.reaches(before, scope),
            (None, None) => self.filter.start_reaches(scope),
        };
        let is_relevant = may_reach || self.passed.before(node).any(|goal| self.goals.is_wanted(goal, scope));
        if is_relevant { Relevance::May } else { Relevance::Irrelevant }
    }

    /// The branch of the source that a candidate wants to take, by its index in the coverage map.
    pub(crate) fn source_branch(&self, candidate: CandidateId) -> Option<u32> {
        let (site, outcome) = self.branch(candidate);
        let is_source = matches!(self.tree.node_of(candidate).kind, EventKind::Condition | EventKind::Switch);
        if is_source { self.sites.coverage_index(site, u32::try_from(outcome).ok()?) } else { None }
    }

    /// What the candidate's branch covers by itself.
    fn gain(&self, candidate: CandidateId, scope: Scope) -> Gain {
        let Some(branch) = self.source_branch(candidate) else { return Gain::Nothing };
        let (site, outcome) = self.branch(candidate);
        if self.goals.is_wanted_outcome(site, outcome as u32, scope)
            || self.filter.leads_to_wanted_statement(branch, scope)
        {
            return Gain::Covers;
        }
        let Some(evaluating) = &self.tree.node_of(candidate).evaluating else { return Gain::Nothing };
        let (id, position) = (evaluating.decision, evaluating.position);
        match self.goals.gain((id, &evaluating.before), position, outcome != 0, scope) {
            // Where evaluations are not told apart well enough, because they nest or their log has gaps, nothing is
            // dropped.
            Gain::Nothing
                if (self.filter.is_recursive || !evaluating.is_certain)
                    && self.goals.wants_of_decision(id, scope) =>
            {
                Gain::May
            }
            gain => gain,
        }
    }
}

/// The text of the unit, for what a strategy works out once before the first run.
#[derive(Clone, Copy)]
pub struct UnitFacts<'a> {
    /// The source model.
    pub model: &'a SourceModel,
    /// The inter-procedural control-flow graph.
    pub icfg: &'a Icfg,
    /// The unit.
    pub function: FunctionId,
    /// The functions whose goals are asked for, the unit first.
    pub functions: &'a [FunctionId],
    /// The source sites.
    pub sites: &'a SiteTable,
}

/// What a strategy is told of a run beside its candidates.
#[derive(Clone, Copy)]
pub struct RunSummary<'a> {
    /// Number of the run, from 1.
    pub run: u64,
    /// Goals it covered first.
    pub new_goals: &'a [u32],
    /// All goals it covers.
    pub covers: &'a [u32],
    /// Decisions on its path.
    pub depth: u32,
    /// The last decision of its path that the tree has; the others are its ancestors.
    pub last: Option<NodeId>,
    /// The terms of all constraints.
    pub terms: &'a Terms,
    /// The input it was given.
    pub input: &'a dyn Assignment,
}

/// A decision, and the way it should go.
pub type Flip = (NodeId, u64);

/// A way to choose the next candidate.
pub trait Strategy: Send {
    /// The name on the command line; for a combination, what it is made of.
    fn name(&self) -> &str;
    /// Takes the text of the unit, once, before the first run.
    fn prepare(&mut self, _unit: UnitFacts) {}
    /// Takes the new candidates of a run, in path order.
    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary);
    /// The next candidate to try, an open one; `None` when there is none.
    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId>;
    /// What the run for the candidate it has just chosen should flip as well: decisions behind it on the run that found
    /// it. Asked for all at once, the answer says nothing about the candidate alone, which stays open.
    fn flips_along(&mut self) -> Vec<Flip> {
        Vec::new()
    }
    /// What became of a candidate it chose.
    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState);
    /// Gives up its position in the tree, if it has one, because it gets nowhere; it keeps every candidate.
    fn move_on(&mut self) {}
    /// Forgets all runs: the paths so far are gone, and candidates are numbered anew. What was prepared stays.
    fn restart(&mut self);
}

/// A name on the command line, and the strategy it stands for.
type Registered = (&'static str, fn() -> Box<dyn Strategy>);

/// Every strategy there is: one line each.
const REGISTER: &[Registered] = &[
    ("auto", || Box::new(Auto::default())),
    ("dfs", || Box::new(DepthFirst::default())),
    ("bfs", || Box::new(BreadthFirst::default())),
    ("fifo", || Box::new(FirstInFirstOut::default())),
    ("random-branch", || Box::new(RandomBranch::default())),
    ("pps", || Box::new(PredictivePath::default())),
    ("expectation", || Box::new(Expectation::default())),
    ("cfg", || Box::new(CfgDirected::default())),
    ("rp-md2u", || Box::new(rp_md2u::rp_md2u())),
    ("carfast", || Box::new(CarFast::default())),
    ("residual", || Box::new(Residual::default())),
    ("tabu", || Box::new(Tabu::default())),
    ("cgs", || Box::new(ContextGuided::default())),
    ("knn", || Box::new(NearestNeighbours::default())),
    ("fitness", || Box::new(Fitness::default())),
    ("uniform-random", || Box::new(UniformRandom::default())),
    ("generational", || Box::new(Generational::default())),
];

/// The names of all strategies.
pub const AVAILABLE: &[&str] = &{
    let mut names = [""; REGISTER.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = REGISTER[index].0;
        index += 1;
    }
    names
};

/// Joins the names of strategies that take turns.
const IN_TURN: char = '+';

/// Stands before the name of a strategy that moves on when it gets nowhere.
const RESTARTED: &str = "restart:";

/// A strategy's name was not usable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// Never heard of.
    #[error("there is no strategy `{0}`; available: {list}", list = AVAILABLE.join(", "))]
    Unknown(String),
}

/// The strategy with this name. Names joined by `+` take turns; `restart:` before a name lets that one move on when it
/// gets nowhere.
pub fn by_name(name: &str) -> Result<Box<dyn Strategy>, StrategyError> {
    let mut parts = name.split(IN_TURN).map(part_by_name).collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.len() == 1 { parts.remove(0) } else { Box::new(Interleave::new(parts)) })
}

fn part_by_name(name: &str) -> Result<Box<dyn Strategy>, StrategyError> {
    let plain = name.strip_prefix(RESTARTED).unwrap_or(name);
    match REGISTER.iter().find(|(known, _)| *known == plain) {
        Some((_, make)) if plain == name => Ok(make()),
        Some((_, make)) => Ok(Box::new(Restart::around(make()))),
        None => Err(StrategyError::Unknown(plain.to_string())),
    }
}
