//! The search of one unit: tree, goals, strategy and fault candidates together.
//!
//! Takes runs and what became of candidates, gives the next candidate and its constraint.

use tarka_source::{FunctionId, SiteId, SourceModel};
use tarka_terms::{Term, Terms};

use crate::RunTrace;
use crate::candidate::{CandidateId, CandidateState};
use crate::coverage::{BranchGoals, Coverage};
use crate::fault_queue::FaultQueue;
use crate::rng::Rng;
use crate::sites::SiteTable;
use crate::strategy::{RunSummary, Strategy, View};
use crate::tree::{Absorbed, NodeId, PathTree};

/// While goals are open, one choice in so many goes to a fault candidate: a unit that never runs out of coverage
/// candidates would otherwise never be tried for faults.
const FAULT_TURN: u64 = 8;

/// The search of one unit.
pub struct Search {
    tree: PathTree,
    goals: BranchGoals,
    sites: SiteTable,
    strategy: Box<dyn Strategy>,
    faults: FaultQueue,
    rng: Rng,
    choices: u64,
    filter: bool,
    /// A run was absorbed that no precondition ended.
    any_counts: bool,
}

/// What a run brought.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// To the tree.
    pub path: Absorbed,
    /// To the goals.
    pub coverage: Coverage,
}

/// Why there is no next candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finished {
    /// Every goal is covered and nothing else is worth a try.
    AllCovered,
    /// Every way not taken has been tried.
    Exhausted,
}

impl Search {
    /// A search for the branches of `function`.
    pub fn new(model: &SourceModel, function: FunctionId, strategy: Box<dyn Strategy>, seed: u64) -> Search {
        let sites = SiteTable::new(model);
        Search {
            tree: PathTree::new(),
            goals: BranchGoals::new(model, &sites, function),
            sites,
            strategy,
            faults: FaultQueue::default(),
            rng: Rng::new(seed),
            choices: 0,
            filter: true,
            any_counts: false,
        }
    }

    /// Goes on until every path is explored, also when all goals are covered.
    pub fn without_filter(mut self) -> Search {
        self.filter = false;
        self
    }

    /// Begins again without any path, because inputs may now be what they could not be before. What is covered, which
    /// checks have failed and where the random sequence stands is kept. Candidates handed out before are void.
    pub fn restart(&mut self) {
        self.tree = PathTree::new();
        self.faults.restart();
        self.strategy.restart();
    }

    /// Gives up a goal: no run that counts can take this outcome, because a precondition rules it out.
    pub fn exclude(&mut self, site: SiteId, outcome: u32) {
        self.goals.exclude(&self.sites, site, outcome);
    }

    /// All paths so far.
    pub fn tree(&self) -> &PathTree {
        &self.tree
    }

    /// The goals.
    pub fn goals(&self) -> &BranchGoals {
        &self.goals
    }

    /// The source sites.
    pub fn sites(&self) -> &SiteTable {
        &self.sites
    }

    /// The strategy's name.
    pub fn strategy_name(&self) -> &'static str {
        self.strategy.name()
    }

    /// Takes run number `run` (from 1): its trace and its coverage map.
    pub fn absorb(
        &mut self,
        terms: &mut Terms,
        trace: &RunTrace,
        coverage_map: &[u8],
        run: u64,
    ) -> RunOutcome {
        self.any_counts = true;
        let coverage = self.goals.absorb(coverage_map, run);
        self.absorb_path(terms, trace, coverage, run)
    }

    /// Takes run number `run`, which a precondition of the unit ended: where it went is known now, but it is no test and
    /// covers nothing.
    pub fn absorb_refused(&mut self, terms: &mut Terms, trace: &RunTrace, run: u64) -> RunOutcome {
        self.absorb_path(terms, trace, Coverage::default(), run)
    }

    fn absorb_path(
        &mut self,
        terms: &mut Terms,
        trace: &RunTrace,
        coverage: Coverage,
        run: u64,
    ) -> RunOutcome {
        let path = self.tree.absorb(terms, &self.sites, trace, run);
        let mut ordinary = Vec::with_capacity(path.new_candidates.len());
        for id in path.new_candidates.clone().map(CandidateId) {
            if self.tree.candidate(id).is_fault {
                self.faults.push(self.tree.node_of(id).site, id);
            } else {
                ordinary.push(id);
            }
        }
        path.failed_checks.iter().for_each(|&site| self.faults.site_failed(site));
        let summary = RunSummary { run, new_goals: coverage.new.len() as u32, depth: path.depth };
        let view = View { tree: &self.tree, goals: &self.goals, sites: &self.sites };
        self.strategy.absorb(view, &ordinary, summary);
        RunOutcome { path, coverage }
    }

    /// The next candidate, which counts as running from now on. Once all goals are covered only fault candidates
    /// are handed out, unless the filter is off. Also a unit without goals needs one run that counts.
    pub fn choose(&mut self) -> Result<CandidateId, Finished> {
        self.choices += 1;
        let all_covered = self.goals.open() == 0 && self.any_counts;
        let chosen = if all_covered && self.filter {
            self.faults.choose(&self.tree)
        } else if self.choices.is_multiple_of(FAULT_TURN) {
            self.faults.choose(&self.tree).or_else(|| self.ask_strategy())
        } else {
            self.ask_strategy().or_else(|| self.faults.choose(&self.tree))
        };
        let Some(candidate) = chosen else {
            return Err(if all_covered { Finished::AllCovered } else { Finished::Exhausted });
        };
        self.tree.set_state(candidate, CandidateState::Running);
        Ok(candidate)
    }

    /// Takes a chosen candidate back untried, because a budget ran out.
    pub fn give_back(&mut self, candidate: CandidateId) {
        self.tree.set_state(candidate, CandidateState::Open);
    }

    fn ask_strategy(&mut self) -> Option<CandidateId> {
        let view = View { tree: &self.tree, goals: &self.goals, sites: &self.sites };
        self.strategy.choose(view, &mut self.rng)
    }

    /// The node at which a candidate leaves the known paths.
    pub fn node_of(&self, candidate: CandidateId) -> NodeId {
        self.tree.candidate(candidate).node
    }

    /// What an input for the candidate must satisfy: the decisions above, and the flipped one.
    pub fn constraints(&self, terms: &mut Terms, candidate: CandidateId) -> (Vec<Term>, Term) {
        let flipped = self.tree.flipped(terms, &self.sites, candidate);
        (self.tree.prefix(self.node_of(candidate)), flipped)
    }

    /// Takes the end of an attempt. After a run for the candidate, `Done` is corrected to `Diverged` if no run went
    /// its way; gives the state that holds.
    pub fn learn(&mut self, candidate: CandidateId, state: CandidateState) -> CandidateState {
        let taken = self.tree.candidate(candidate).state == CandidateState::Done;
        let state = match (state, taken) {
            (_, true) => CandidateState::Done,
            (CandidateState::Done, false) => CandidateState::Diverged,
            (other, false) => other,
        };
        self.tree.set_state(candidate, state);
        let view = View { tree: &self.tree, goals: &self.goals, sites: &self.sites };
        self.strategy.learn(view, candidate, state);
        state
    }
}
