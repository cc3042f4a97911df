//! The search of one unit: tree, goals, strategy and fault candidates together.
//!
//! Takes runs and what became of candidates, gives the next candidate and its constraint.

use std::collections::HashMap;

use tarka_source::cfg::{Icfg, PointId};
use tarka_source::{Criterion, Evidence, FunctionId, GoalKind, SiteId, SourceModel};
use tarka_terms::{Term, Terms};
use tarka_trace::EventKind;

use crate::RunTrace;
use crate::faults::checks;
use crate::faults::close_by::close_by;
use crate::faults::deeper::Deeper;
use crate::faults::fault_goals::{FaultGoals, leads_there};
use crate::faults::fault_queue::CheckPlace;
use crate::faults::fault_queue::FaultQueue;
use crate::faults::unexplored::Unexplored;
use crate::goals::construct::Construction;
use crate::goals::coverage::{Coverage, Goals, HowEnded, Scope};
use crate::goals::explored::Explored;
use crate::objects::Objects;
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::{Absorbed, NodeId, PathTree};
use crate::relevance::{FailingSides, Filter, Passed, Relevance, WaysLeft, ways_left};
use crate::rng::Rng;
use crate::sites::SiteTable;
use crate::strategy::{RunSummary, Strategy, UnitFacts, View};

/// While goals are open, one choice in so many goes to a fault candidate: a unit that never runs out of coverage
/// candidates would otherwise never be tried for faults.
const FAULT_TURN: u64 = 8;

/// One choice in so many goes to the strategy before any construction: what is wanted may be infeasible on every path
/// there is.
const STRATEGY_TURN: u64 = 4;

/// Choices spent on a goal that a run has covered, but none that ended well, once nothing else wants them.
const MOST_RETRIES: u64 = 64;

/// A view of a search, borrowing only what it shows: the strategy stays free to be changed.
macro_rules! view {
    ($search:expr) => {
        View {
            tree: &$search.tree,
            goals: &$search.goals,
            sites: &$search.sites,
            filter: &$search.relevance,
            passed: &$search.passed,
            objects: &$search.objects,
            explored: &$search.explored,
        }
    };
}

/// The search of one unit.
pub struct Search {
    tree: PathTree,
    goals: Goals,
    sites: SiteTable,
    relevance: Filter,
    passed: Passed,
    objects: Objects,
    explored: Explored,
    construction: Construction,
    strategy: Box<dyn Strategy>,
    faults: FaultQueue,
    /// Checks that were made candidates.
    checks: checks::Known,
    /// Faults are also looked for where no goal and no check is.
    beyond_goals: bool,
    deeper: Deeper,
    unexplored: Unexplored,
    /// Sides of called functions behind which every run fails, and the ways there.
    failing: FailingSides,
    fault_goals: FaultGoals,
    rng: Rng,
    choices: u64,
    /// Choices that only served goals which are wanted again, and after how many each is given up.
    retries: u64,
    retries_until: HashMap<usize, u64>,
    filter: bool,
    /// A run was absorbed that no precondition ended.
    any_counts: bool,
    figures: FilterFigures,
}

/// What a run brought.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// To the tree.
    pub path: Absorbed,
    /// To the goals.
    pub coverage: Coverage,
}

/// What the filter did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FilterFigures {
    /// Candidates that were looked at because a strategy chose them.
    pub looked_at: u64,
    /// Those of them that were dropped.
    pub dropped: u64,
    /// Candidates constructed to complete a pair.
    pub constructed: u64,
}

/// What was not tried for faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FaultGoalsLeft {
    /// Checks that nobody has seen fail and that still have their turn.
    pub checks: usize,
    /// Ways that may lead to a failing side of a called function which nobody took.
    pub ways: usize,
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
    /// A search for the goals of some functions under a criterion: of the unit, which is the first of them, and of others that
    /// it reaches. The graph says what lies behind a branch; a graph that does not know the unit leaves every candidate
    /// relevant.
    pub fn new(
        model: &SourceModel,
        icfg: &Icfg,
        (functions, criterion): (&[FunctionId], Criterion),
        mut strategy: Box<dyn Strategy>,
        seed: u64,
    ) -> Search {
        let mut sites = SiteTable::new(model);
        if criterion.needs_evaluations() {
            sites = sites.following(model, functions);
        }
        let goals = Goals::new(model, &sites, functions, criterion);
        let failing = FailingSides::new(model, icfg, functions, &sites);
        strategy.prepare(UnitFacts { model, icfg, function: functions[0], functions, sites: &sites });
        Search {
            tree: PathTree::new(),
            relevance: Filter::new(model, icfg, functions, &sites, &goals),
            passed: Passed::new(model, &sites, &goals),
            objects: Objects::default(),
            explored: Explored::default(),
            goals,
            sites,
            construction: Construction::default(),
            strategy,
            faults: FaultQueue::default(),
            checks: checks::Known::default(),
            beyond_goals: false,
            deeper: Deeper::default(),
            unexplored: Unexplored::default(),
            failing,
            fault_goals: FaultGoals::default(),
            rng: Rng::new(seed),
            choices: 0,
            retries: 0,
            retries_until: HashMap::new(),
            filter: true,
            any_counts: false,
            figures: FilterFigures::default(),
        }
    }

    /// Asks only for the goals that are wanted: the others count as covered, and the filter does the rest.
    pub fn aim(&mut self, wanted: impl Fn(usize, &GoalKind) -> bool) {
        self.goals.aim(wanted);
        self.relevance.update(&self.goals, 0..self.goals.goals().len());
    }

    /// Says how often the unit is called in one run from now on: behind one call lies the next.
    pub fn set_calls(&mut self, calls: u32) {
        self.relevance.set_calls(calls);
    }

    /// Says where the objects of the next run's input start: what one of them holds belongs together.
    pub fn set_objects(&mut self, starts: impl IntoIterator<Item = u32>) {
        self.objects.set(starts);
    }

    /// Goes on until every path is explored, also when all goals are covered and where no goal can be reached.
    pub fn without_filter(mut self) -> Search {
        self.filter = false;
        self
    }

    /// Looks for faults where no goal and no check is, too, once nothing else is left: behind checks that always failed,
    /// branches of called functions that nobody took and allocations that fail (at these sites it is decided whether one
    /// does), and in later rounds of loops.
    pub fn beyond_goals(mut self, allocations: impl IntoIterator<Item = u32>) -> Search {
        self.beyond_goals = true;
        self.unexplored.set_allocations(allocations.into_iter().collect());
        self
    }

    /// Begins again without any path, because inputs may now be what they could not be before. What is covered, which
    /// checks have failed and where the random sequence stands is kept. Candidates handed out before are void.
    pub fn restart(&mut self) {
        self.tree = PathTree::new();
        self.construction = Construction::default();
        self.passed.restart();
        self.checks.clear();
        self.deeper.restart();
        self.unexplored.restart();
        self.fault_goals.restart();
        self.faults.restart();
        self.strategy.restart();
    }

    /// Inputs may now end well where others failed: goals that were given up because only failing runs covered them are
    /// wanted once more.
    pub fn take_up(&mut self) {
        let goals = self.goals.take_up();
        self.relevance.update(&self.goals, goals.iter().copied());
        goals.into_iter().for_each(|goal| self.want_again(goal));
    }

    /// Gives up a goal: no run that counts can take this outcome, because a precondition rules it out.
    pub fn exclude(&mut self, site: SiteId, outcome: u32) {
        let excluded = self.goals.exclude(site, outcome);
        self.relevance.update(&self.goals, excluded);
    }

    /// All paths so far.
    pub fn tree(&self) -> &PathTree {
        &self.tree
    }

    /// Bytes of memory that the paths take, counted from lengths.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// The goals.
    pub fn goals(&self) -> &Goals {
        &self.goals
    }

    /// The source sites.
    pub fn sites(&self) -> &SiteTable {
        &self.sites
    }

    /// The strategy's name.
    pub fn strategy_name(&self) -> &str {
        self.strategy.name()
    }

    /// True if the strategy has drawn anything at random: otherwise another seed gives the same search.
    pub fn has_drawn(&self) -> bool {
        self.rng.has_drawn()
    }

    /// What the filter and the construction did so far.
    pub fn filter_figures(&self) -> FilterFigures {
        self.figures
    }

    /// What strategies look at.
    pub fn view(&self) -> View<'_> {
        view!(self)
    }

    /// For every goal, by its number in [`Goals::goals`], the ways that could lead to it and were not followed to the end.
    /// Looks at every candidate of the present tree: for the end of a search. What the numbers prove is said at
    /// [`WaysLeft`].
    pub fn ways_left(&self) -> Vec<WaysLeft> {
        ways_left(self.view())
    }

    /// True if a goal may be covered once a way has been taken that leaves a point of the graph under an outcome, as
    /// [`Icfg::statements`] names ways. Where the graph is silent, it may.
    pub fn may_follow(&self, way: (PointId, u32), goal: usize) -> bool {
        self.relevance.may_follow(way, goal)
    }

    /// Takes run number `run` (from 1): its trace, what it has shown, and how it ended. Where a run went that a
    /// precondition ended is known from now on, but it is no test and covers nothing.
    pub fn absorb(
        &mut self,
        terms: &mut Terms,
        trace: &RunTrace,
        evidence: &Evidence,
        (run, ended): (u64, HowEnded),
    ) -> RunOutcome {
        self.any_counts |= ended != HowEnded::Refused;
        let wanted_before: Vec<usize> = self.goals.wanted_again().collect();
        let coverage = self.goals.absorb(evidence, run, ended);
        self.explored.absorb(if ended == HowEnded::Refused { &[] } else { &evidence.outcomes });
        let new = coverage.new.iter().map(|&goal| goal as usize);
        self.relevance.update(&self.goals, new.clone().chain(wanted_before));
        if ended != HowEnded::Well {
            new.for_each(|goal| self.want_again(goal));
            self.passed.absorb((&self.goals, &self.sites), trace.events, evidence, run);
        }
        if coverage.new_evaluations {
            self.construction.evaluations_changed();
        }
        self.absorb_path(terms, trace, coverage, run)
    }

    /// A run that ended badly has covered a goal first.
    fn want_again(&mut self, goal: usize) {
        if self.relevance.may_end_well(goal) {
            self.retries_until.insert(goal, self.retries + MOST_RETRIES);
        } else {
            self.give_up(goal);
        }
    }

    fn give_up(&mut self, goal: usize) {
        self.goals.give_up(goal);
        self.relevance.update(&self.goals, [goal]);
        self.construction.evaluations_changed();
    }

    /// A choice only serves goals that are wanted again.
    fn count_retry(&mut self) {
        self.retries += 1;
        let is_due = |goal: &usize| self.retries_until.get(goal).is_some_and(|&until| self.retries >= until);
        let due: Vec<usize> = self.goals.wanted_again().filter(is_due).collect();
        due.into_iter().for_each(|goal| self.give_up(goal));
    }

    fn absorb_path(
        &mut self,
        terms: &mut Terms,
        trace: &RunTrace,
        coverage: Coverage,
        run: u64,
    ) -> RunOutcome {
        let known_nodes = self.tree.len();
        let (events, checks) = checks::split(trace.events);
        let trace = &RunTrace { events: &events, ..*trace };
        let mut path = self.tree.absorb(terms, &self.sites, trace, run);
        if self.goals.criterion() == Criterion::Mcdc {
            self.construction.absorb(&self.tree, &self.goals, known_nodes);
        }
        let mut ordinary = Vec::with_capacity(path.new_candidates.len());
        for id in path.new_candidates.clone().map(CandidateId) {
            if self.tree.candidate(id).is_fault {
                self.faults.push(self.check_place(id), id);
            } else {
                ordinary.push(id);
            }
        }
        path.failed_checks.iter().for_each(|&place| self.faults.site_failed(place));
        checks::failed(&checks).for_each(|site| self.site_failed(site));
        if self.beyond_goals {
            self.deeper.absorb(&self.tree, &ordinary);
            let context = (&self.tree, &self.sites);
            self.unexplored.absorb(context, &self.explored, trace.events, &ordinary);
            self.failing.update(&self.explored);
            self.fault_goals.absorb(&self.tree, &self.sites, &self.failing, &ordinary);
        }
        path.new_checks = self.absorb_checks(terms, trace, (run, &path), &checks);
        let (depth, last, input) = (path.depth, path.last, trace.input);
        let summary =
            RunSummary { run, new_goals: &coverage.new, covers: &coverage.covers, depth, last, terms, input };
        let view = view!(self);
        self.strategy.absorb(view, &ordinary, summary);
        RunOutcome { path, coverage }
    }

    /// Takes the checks beside a path; gives how many became candidates.
    fn absorb_checks(
        &mut self,
        terms: &mut Terms,
        trace: &RunTrace,
        run: (u64, &Absorbed),
        checks: &[checks::Passed],
    ) -> u32 {
        let (faults, known) = (&self.faults, &mut self.checks);
        let wants = |site| faults.wants(CheckPlace { site, of_null: false });
        let new = checks::add_candidates((&mut self.tree, terms), trace, run, (checks, known), wants);
        for &id in &new {
            self.faults.push(self.check_place(id), id);
        }
        new.len() as u32
    }

    /// A run has shown that the check of a site fails, with or without a symbolic condition.
    pub fn site_failed(&mut self, site: u32) {
        self.faults.site_failed(CheckPlace { site, of_null: false });
    }

    /// Which checks a candidate is one of.
    fn check_place(&self, candidate: CandidateId) -> CheckPlace {
        let node = self.tree.node_of(candidate);
        CheckPlace { site: node.site, of_null: node.asks_for_null }
    }

    /// The next candidate, which counts as running from now on. Once all goals are covered and none is wanted again only
    /// fault candidates are handed out, unless the filter is off. Also a unit without goals needs one run that counts.
    pub fn choose(&mut self) -> Result<CandidateId, Finished> {
        self.choices += 1;
        let all_covered = self.goals.open() == 0 && self.any_counts;
        let chosen = if all_covered && self.filter && self.goals.wanted_again().next().is_none() {
            self.look_for_faults()
        } else if self.choices.is_multiple_of(FAULT_TURN) {
            self.faults.choose(&self.tree).or_else(|| self.ask_for_coverage())
        } else {
            self.ask_for_coverage().or_else(|| self.look_for_faults())
        };
        let Some(candidate) = chosen else {
            return Err(if all_covered { Finished::AllCovered } else { Finished::Exhausted });
        };
        self.tree.set_state(candidate, CandidateState::Running);
        Ok(candidate)
    }

    /// A check that may fail; else a way that nobody went; else a loop that goes on; else a way to where a called function
    /// fails.
    fn look_for_faults(&mut self) -> Option<CandidateId> {
        let check = self.faults.choose(&self.tree);
        if check.is_some() || !self.beyond_goals {
            return check;
        }
        let way = self.unexplored.choose(&self.tree, &self.explored);
        let deeper = way.or_else(|| self.deeper.choose(&self.tree));
        deeper.or_else(|| self.fault_goals.choose(&self.tree, &self.sites, &self.failing))
    }

    /// True if larger inputs are worth a try for a failing side of a called function alone.
    pub fn wants_failures(&self) -> bool {
        self.beyond_goals && self.failing.open() > 0 && self.fault_goals.has_patience()
    }

    /// True if what may fail is a reason to ask about a candidate: it breaks a check, or a failing side of a called function that
    /// nobody took may follow it.
    pub fn may_fail(&self, candidate: CandidateId) -> bool {
        let leads_there = || leads_there(&self.tree, &self.sites, &self.failing, candidate);
        self.tree.candidate(candidate).is_fault || self.beyond_goals && leads_there()
    }

    /// The fault goals that are neither shown nor settled.
    pub fn fault_goals_left(&self) -> FaultGoalsLeft {
        if !self.beyond_goals {
            return FaultGoalsLeft::default();
        }
        FaultGoalsLeft {
            checks: self.faults.waiting(&self.tree),
            ways: self.fault_goals.left(&self.tree, &self.sites, &self.failing),
        }
    }

    /// Takes a chosen candidate back untried, because a budget ran out.
    pub fn give_back(&mut self, candidate: CandidateId) {
        self.tree.set_state(candidate, CandidateState::Open);
    }

    fn ask_for_coverage(&mut self) -> Option<CandidateId> {
        if self.choices.is_multiple_of(STRATEGY_TURN) {
            return self.ask_strategy().or_else(|| self.construct());
        }
        self.construct().or_else(|| self.ask_strategy())
    }

    /// A candidate that would complete a pair of evaluations.
    fn construct(&mut self) -> Option<CandidateId> {
        let constructed = self.construction.choose(&mut self.tree, &self.goals)?;
        self.figures.constructed += 1;
        if constructed.is_again {
            self.count_retry();
        }
        Some(constructed.candidate)
    }

    /// The strategy's choice. Irrelevant candidates are dropped as they come up: each once, so that a run costs no look
    /// at the whole pool.
    fn ask_strategy(&mut self) -> Option<CandidateId> {
        loop {
            let view = view!(self);
            let candidate = self.strategy.choose(view, &mut self.rng)?;
            self.figures.looked_at += 1;
            // Before any run has met the preconditions, nothing is known to be of no use.
            let is_asked = !self.filter || !self.any_counts;
            if is_asked || view.relevance_to(candidate, Scope::Open) != Relevance::Irrelevant {
                return Some(self.with_flips_along(candidate));
            }
            if view.relevance_to(candidate, Scope::Wanted) != Relevance::Irrelevant {
                self.count_retry();
                return Some(self.with_flips_along(candidate));
            }
            self.figures.dropped += 1;
            self.tree.set_state(candidate, CandidateState::Irrelevant);
        }
    }

    /// The strategy's choice with what it wants to be flipped along.
    fn with_flips_along(&mut self, chosen: CandidateId) -> CandidateId {
        let along = self.strategy.flips_along();
        if along.is_empty() { chosen } else { self.construction.ask_at_once(&mut self.tree, chosen, along) }
    }

    /// The node at which a candidate leaves the known paths.
    pub fn node_of(&self, candidate: CandidateId) -> NodeId {
        self.tree.candidate(candidate).node
    }

    /// What an input for the candidate must satisfy: the decisions above, and the flipped one.
    pub fn constraints(&self, terms: &mut Terms, candidate: CandidateId) -> (Vec<Term>, Term) {
        let flipped = self.tree.flipped(terms, &self.sites, candidate);
        let context = (&self.tree, &self.sites);
        let flipped = self.construction.clauses_behind(terms, context, candidate, flipped);
        (self.tree.prefix(self.node_of(candidate)), flipped)
    }

    /// What keeps a fault close to the bound that it breaks, if it breaks one: a sanitizer sees an access beside an object,
    /// and far away may be anything.
    pub fn close_by(&self, terms: &mut Terms, candidate: CandidateId, flipped: Term) -> Option<Term> {
        if self.tree.candidate(candidate).is_fault { close_by(terms, flipped) } else { None }
    }

    /// Takes the end of an attempt. After a run for the candidate, `Done` is corrected to `Diverged` if no run went
    /// its way; gives the state that holds.
    pub fn learn(&mut self, candidate: CandidateId, state: CandidateState) -> CandidateState {
        let (is_fault, site) = (self.tree.candidate(candidate).is_fault, self.check_place(candidate));
        if is_fault && state == CandidateState::Infeasible {
            self.faults.refused(site);
        }
        if self.tree.node_of(candidate).kind == EventKind::Undefined {
            let is_missed = state == CandidateState::Done && !self.faults.has_failed(site);
            let state = if is_missed { CandidateState::Diverged } else { state };
            self.tree.set_state(candidate, state);
            return state;
        }
        if self.tree.candidate(candidate).is_constructed {
            // It asked for more than one branch: what a run made of it shows in the goals.
            self.tree.set_state(candidate, state);
            return state;
        }
        let taken = self.tree.candidate(candidate).state == CandidateState::Done;
        let state = match (state, taken) {
            (_, true) => CandidateState::Done,
            (CandidateState::Done, false) => CandidateState::Diverged,
            (other, false) => other,
        };
        self.tree.set_state(candidate, state);
        let view = view!(self);
        self.strategy.learn(view, candidate, state);
        state
    }
}
