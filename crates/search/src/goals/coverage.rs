//! The goals of one unit under one criterion, its own and perhaps those of functions that it calls, and which of them were
//! covered.
//!
//! Takes the source model and the evidence of runs, gives what is covered, by which run, and what is still open. What
//! counts as covered is `tarka_source::goals`'s to say; here it is kept up to date run by run. A condition is shown to
//! decide its decision by evaluations of two runs, so all different evaluations are kept.
//!
//! A run that ends in a fault covers its goals as well as any other, but makes no passing test. What only such runs have
//! covered is *wanted again* until a run that ends well covers it or it is given up.
//!
//! Never: how a run came to be.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tarka_source::{
    Criterion, DecisionId, EvaluationKey, EvaluationStep, Evidence, FunctionId, GoalKind, SiteId, SiteKind,
    SourceModel, goals_of,
};

use crate::SiteTable;
use crate::goals::decisions::DecisionState;
use crate::goals::vector::Vector;

/// The goals of one unit.
#[derive(Clone, Debug)]
pub struct Goals {
    criterion: Criterion,
    goals: Vec<GoalKind>,
    /// Run that covered each goal first, counted from 1.
    first_run: Vec<Option<u64>>,
    /// Goals that a precondition rules out and no run has covered.
    excluded: Vec<bool>,
    /// Goals that nobody asked for.
    unasked: Vec<bool>,
    open: usize,
    /// Goals that only runs that ended badly have covered, and that are not given up.
    again: BTreeSet<u32>,
    /// Those of them that were given up.
    given_up: BTreeSet<u32>,
    sites: Vec<GoalSite>,
    /// The place in `sites` of a source site.
    site_index: FxHashMap<u32, usize>,
    /// The statements that are goals, each with its goal.
    statements: Vec<(usize, u32)>,
    decisions: Vec<DecisionState>,
    decision_index: FxHashMap<DecisionId, usize>,
}

/// A site with goals, with its place in the coverage map and in the goal list.
#[derive(Clone, Debug)]
struct GoalSite {
    coverage_base: u32,
    outcomes: u32,
    is_switch: bool,
    first_goal: usize,
}

/// What one run covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All goals that it covers on its own.
    pub covers: Vec<u32>,
    /// Goals asked for that no earlier run had covered, also those it covers together with earlier runs.
    pub new: Vec<u32>,
    /// It evaluated a decision with goals in a way that no earlier run had, or none that ended well.
    pub new_evaluations: bool,
}

/// How a run ended, as far as its goals are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HowEnded {
    /// The unit returned or ended the process by itself: a test that does the same passes.
    Well,
    /// In a fault, or it was stopped.
    Badly,
    /// A precondition of the unit ended it: it is no test and covers nothing.
    Refused,
}

/// Which goals a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// Those that no run has covered.
    Open,
    /// Also those that are wanted again.
    Wanted,
}

/// What taking one branch would bring by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gain {
    /// It covers an open goal, or leads on to one that only needs the evaluation begun.
    Covers,
    /// It may help to cover one later.
    May,
    /// Nothing.
    Nothing,
}

impl Goals {
    /// The goals of these functions, one function after the other, each in the order of [`goals_of`].
    pub fn new(
        model: &SourceModel,
        sites: &SiteTable,
        functions: &[FunctionId],
        criterion: Criterion,
    ) -> Goals {
        let goals: Vec<GoalKind> =
            functions.iter().flat_map(|&function| goals_of(model, function, criterion)).collect();
        let position = |wanted: GoalKind| goals.iter().position(|&goal| goal == wanted);
        let mut goal_sites: Vec<GoalSite> = Vec::new();
        let mut site_index = FxHashMap::default();
        for (index, goal) in goals.iter().enumerate() {
            let &GoalKind::Outcome { site, outcome: 0, taken: true } = goal else { continue };
            site_index.insert(site.0, goal_sites.len());
            goal_sites.push(GoalSite {
                coverage_base: sites.coverage_index(site.0, 0).unwrap_or(0),
                outcomes: model.site(site).outcomes(),
                is_switch: matches!(model.site(site).kind, SiteKind::Switch { .. }),
                first_goal: index,
            });
        }
        let mut decisions = Vec::new();
        for decision in functions.iter().flat_map(|&function| model.decisions_of(function)) {
            let Some(result) = position(GoalKind::Decision { decision: decision.id, outcome: false }) else {
                continue;
            };
            let first = position(GoalKind::Independence { decision: decision.id, position: 0 });
            decisions.push(DecisionState::new(decision, result, first));
        }
        let of_statement = |(goal, kind): (usize, &GoalKind)| match *kind {
            GoalKind::Statement(number) => Some((number as usize, goal as u32)),
            _ => None,
        };
        let statements = goals.iter().enumerate().filter_map(of_statement).collect();
        Goals {
            criterion,
            first_run: vec![None; goals.len()],
            excluded: vec![false; goals.len()],
            unasked: vec![false; goals.len()],
            open: goals.len(),
            again: BTreeSet::new(),
            given_up: BTreeSet::new(),
            sites: goal_sites,
            site_index,
            statements,
            decision_index: decisions.iter().enumerate().map(|(index, state)| (state.id, index)).collect(),
            decisions,
            goals,
        }
    }

    /// The criterion they belong to.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// All goals.
    pub fn goals(&self) -> &[GoalKind] {
        &self.goals
    }

    /// Number of goals asked for that nobody has covered yet, those left out that a precondition rules out.
    pub fn open(&self) -> usize {
        self.open
    }

    /// Number of goals covered, of those asked for.
    pub fn covered(&self) -> usize {
        self.first_run
            .iter()
            .zip(&self.unasked)
            .filter(|(first, unasked)| first.is_some() && !**unasked)
            .count()
    }

    /// True if a goal is asked for, not ruled out, and no run has covered it.
    pub fn is_open(&self, goal: usize) -> bool {
        self.first_run[goal].is_none() && !self.excluded[goal] && !self.unasked[goal]
    }

    /// Goals that only runs that ended badly have covered and that are not given up, in order.
    pub fn wanted_again(&self) -> impl Iterator<Item = usize> {
        self.again.iter().map(|&goal| goal as usize)
    }

    /// True if a goal is one of those that a question is about.
    pub(crate) fn is_wanted(&self, goal: usize, scope: Scope) -> bool {
        self.is_open(goal) || scope == Scope::Wanted && self.again.contains(&(goal as u32))
    }

    /// No longer wants a goal again.
    pub(crate) fn give_up(&mut self, goal: usize) {
        if self.again.remove(&(goal as u32)) {
            self.given_up.insert(goal as u32);
            self.list_wanted();
        }
    }

    /// Wants again what was given up; gives these goals.
    pub(crate) fn take_up(&mut self) -> Vec<usize> {
        let goals = std::mem::take(&mut self.given_up);
        self.again.extend(&goals);
        self.list_wanted();
        goals.into_iter().map(|goal| goal as usize).collect()
    }

    /// True if a goal asked for has no run that ended well.
    pub fn lack_a_test(&self) -> bool {
        self.open > 0 || !self.again.is_empty() || !self.given_up.is_empty()
    }

    /// True if a precondition rules a goal out.
    pub fn is_excluded(&self, goal: usize) -> bool {
        self.excluded[goal]
    }

    /// False if a goal counts as covered because nobody asked for it.
    pub fn is_asked(&self, goal: usize) -> bool {
        !self.unasked[goal]
    }

    /// Number of goals asked for.
    pub fn asked(&self) -> usize {
        self.unasked.iter().filter(|unasked| !**unasked).count()
    }

    /// Asks only for the goals that are wanted: the others count as covered from now on.
    pub fn aim(&mut self, wanted: impl Fn(usize, &GoalKind) -> bool) {
        for (index, goal) in self.goals.iter().enumerate() {
            self.unasked[index] = !wanted(index, goal);
        }
        self.open = (0..self.goals.len()).filter(|&goal| self.is_open(goal)).count();
        self.again.retain(|&goal| !self.unasked[goal as usize]);
        self.given_up.retain(|&goal| !self.unasked[goal as usize]);
        self.list_wanted();
    }

    /// Gives up the goal of taking this outcome, unless a run has taken it; gives its number.
    pub fn exclude(&mut self, site: SiteId, outcome: u32) -> Option<usize> {
        let wanted = GoalKind::Outcome { site, outcome, taken: true };
        let goal = self.goals.iter().position(|goal| *goal == wanted)?;
        if self.first_run[goal].is_some() || self.excluded[goal] {
            return None;
        }
        self.open -= usize::from(self.is_open(goal));
        self.excluded[goal] = true;
        Some(goal)
    }

    /// The run that covered a goal first; for a pair, the run that completed it.
    pub fn first_run(&self, goal: usize) -> Option<u64> {
        self.first_run[goal]
    }

    /// The two evaluations that cover a goal of independence, each with the first run that made it; the one with result
    /// true first.
    pub fn pair(&self, goal: usize) -> Option<((EvaluationKey, u64), (EvaluationKey, u64))> {
        let &GoalKind::Independence { decision, position } = self.goals.get(goal)? else { return None };
        let [held, failed] = self.decision(decision)?.pair(position)?;
        Some((held.clone(), failed.clone()))
    }

    /// The different evaluations of a decision with goals, each with the first run that made it, in that order.
    pub fn evaluations(&self, decision: DecisionId) -> &[(EvaluationKey, u64)] {
        self.decision(decision).map_or(&[], |state| state.evaluations())
    }

    /// True if a decision was evaluated in more ways than are kept: two of those left out may have been a pair, so a
    /// condition that was not shown to decide it may have been all the same.
    pub fn forgot_evaluations(&self, decision: DecisionId) -> bool {
        self.decision(decision).is_some_and(DecisionState::is_incomplete)
    }

    /// Every goal that one run's evidence covers, in order.
    pub fn covers(&self, evidence: &Evidence) -> Vec<u32> {
        let mut covered = Vec::new();
        for site in &self.sites {
            site.covered_by(&evidence.outcomes, &mut covered);
        }
        let is_executed =
            |statement: usize| evidence.statements.get(statement).is_some_and(|&byte| byte != 0);
        let executed = self.statements.iter().filter(|(statement, _)| is_executed(*statement));
        covered.extend(executed.map(|&(_, goal)| goal));
        for state in &self.decisions {
            covered.extend(shown_by(state, evidence));
        }
        covered.sort_unstable();
        covered
    }

    /// Takes the evidence of run number `run`; gives every goal it covers, the new ones and those completed by it told
    /// apart.
    pub fn absorb(&mut self, evidence: &Evidence, run: u64, ended: HowEnded) -> Coverage {
        if ended == HowEnded::Refused {
            return Coverage::default();
        }
        let ended_well = ended == HowEnded::Well;
        let covers = self.covers(evidence);
        let mut coverage = Coverage { new: Vec::new(), covers, new_evaluations: false };
        for goal in coverage.covers.clone() {
            self.cover(goal as usize, run, ended_well, &mut coverage.new);
        }
        for index in 0..self.decisions.len() {
            let id = self.decisions[index].id;
            for evaluation in evidence.evaluations_of(id) {
                let Some(added) = self.decisions[index].add(evaluation, run, ended_well) else { continue };
                coverage.new_evaluations = true;
                let Some(first) = self.decisions[index].first_independence else { continue };
                for at in added.shown {
                    self.cover(first + at as usize, run, false, &mut coverage.new);
                }
                for at in added.shown_well {
                    self.cover(first + at as usize, run, true, &mut coverage.new);
                }
            }
        }
        if coverage.new_evaluations {
            self.list_wanted();
        }
        coverage.new.sort_unstable();
        coverage
    }

    fn cover(&mut self, goal: usize, run: u64, ended_well: bool, new: &mut Vec<u32>) {
        if ended_well {
            self.again.remove(&(goal as u32));
            self.given_up.remove(&(goal as u32));
        }
        if self.first_run[goal].is_some() {
            return;
        }
        self.open -= usize::from(self.is_open(goal));
        self.first_run[goal] = Some(run);
        self.excluded[goal] = false;
        if !self.unasked[goal] {
            new.push(goal as u32);
            if !ended_well {
                self.again.insert(goal as u32);
            }
        }
    }

    fn list_wanted(&mut self) {
        for index in 0..self.decisions.len() {
            let Some(first) = self.decisions[index].first_independence else { continue };
            let goals = first..first + self.decisions[index].conditions as usize;
            let open: Vec<bool> = goals.clone().map(|goal| self.is_open(goal)).collect();
            let again: Vec<bool> = goals.map(|goal| self.again.contains(&(goal as u32))).collect();
            self.decisions[index].list_wanted(&open, &again);
        }
    }

    pub(crate) fn decision(&self, id: DecisionId) -> Option<&DecisionState> {
        Some(&self.decisions[*self.decision_index.get(&id)?])
    }

    /// Decisions with a condition that is still to be shown.
    pub(crate) fn unshown_decisions(&self) -> impl Iterator<Item = &DecisionState> {
        self.decisions.iter().filter(|state| self.has_unshown(state, Scope::Wanted))
    }

    fn has_unshown(&self, state: &DecisionState, scope: Scope) -> bool {
        let is_wanted =
            |first: usize| (first..first + state.conditions as usize).any(|goal| self.is_wanted(goal, scope));
        state.first_independence.is_some_and(is_wanted)
    }

    /// True if this outcome belongs to the unit and taking it covers an open goal of its site.
    pub fn is_open_outcome(&self, site: u32, outcome: u32) -> bool {
        self.is_wanted_outcome(site, outcome, Scope::Open)
    }

    pub(crate) fn is_wanted_outcome(&self, site: u32, outcome: u32, scope: Scope) -> bool {
        let Some(site) = self.site_index.get(&site).map(|&index| &self.sites[index]) else { return false };
        let is_wanted = |goal| self.is_wanted(goal, scope);
        if !site.is_switch {
            return outcome < site.outcomes && is_wanted(site.first_goal + outcome as usize);
        }
        let taken = |arm: u32| site.first_goal + 2 * arm as usize;
        outcome < site.outcomes
            && (is_wanted(taken(outcome))
                || (0..site.outcomes).any(|arm| arm != outcome && is_wanted(taken(arm) + 1)))
    }

    /// What the decision gains when its condition at `position` takes `value` after the conditions in `before`.
    pub(crate) fn gain(
        &self,
        (id, before): (DecisionId, &Vector),
        position: u32,
        value: bool,
        scope: Scope,
    ) -> Gain {
        let Some(state) = self.decision(id) else { return Gain::Nothing };
        let wants_shown = self.has_unshown(state, scope);
        let wants_result = |result: bool| self.is_wanted(state.first_result + usize::from(result), scope);
        if !wants_shown && !wants_result(false) && !wants_result(true) {
            return Gain::Nothing;
        }
        let mut vector = before.clone();
        vector.set(position, value);
        match state.shape.step(&|at| vector.get(at)) {
            EvaluationStep::Result(result) if wants_result(result) => Gain::Covers,
            EvaluationStep::Result(_) if !wants_shown => Gain::Nothing,
            EvaluationStep::Result(result) => {
                let evaluation = vector.key(id, result);
                let first = state.first_independence.unwrap_or(0);
                if state.knows(&evaluation, scope) {
                    Gain::Nothing
                } else if state.would_show(&evaluation, |at| self.is_wanted(first + at as usize, scope)) {
                    Gain::Covers
                } else {
                    Gain::May
                }
            }
            // Conditions before this one are missing from the log: nothing can be told.
            EvaluationStep::Needs(at) if at < position => Gain::May,
            EvaluationStep::Needs(_)
                if wants_shown && state.wanted(scope).any(|wanted| wanted.agrees(&vector)) =>
            {
                Gain::Covers
            }
            // The conditions to come are reached: that is for the graph to say.
            EvaluationStep::Needs(_) => Gain::Nothing,
        }
    }

    /// True if a decision has any goal that is wanted.
    pub(crate) fn wants_of_decision(&self, id: DecisionId, scope: Scope) -> bool {
        self.decision(id).is_some_and(|state| {
            let mut results = state.first_result..state.first_result + 2;
            self.has_unshown(state, scope) || results.any(|result| self.is_wanted(result, scope))
        })
    }

    /// Goals of decisions that a run with this evidence evaluated, whether or not it covers them.
    pub(crate) fn goals_of_evaluated(&self, evidence: &Evidence) -> impl Iterator<Item = usize> {
        let evaluated =
            self.decisions.iter().filter(|state| evidence.evaluations_of(state.id).next().is_some());
        evaluated.flat_map(|state| {
            let first = state.first_independence.unwrap_or(0);
            let conditions = if state.first_independence.is_some() { state.conditions as usize } else { 0 };
            (state.first_result..state.first_result + 2).chain(first..first + conditions)
        })
    }
}

impl GoalSite {
    fn covered_by(&self, map: &[u8], covered: &mut Vec<u32>) {
        let base = self.coverage_base as usize;
        let Some(outcomes) = map.get(base..base + self.outcomes as usize) else { return };
        let taken = outcomes.iter().filter(|&&seen| seen != 0).count();
        if taken == 0 {
            return;
        }
        for (outcome, &seen) in outcomes.iter().enumerate() {
            if !self.is_switch {
                covered.extend((seen != 0).then_some((self.first_goal + outcome) as u32));
                continue;
            }
            let goal = (self.first_goal + 2 * outcome) as u32;
            covered.extend((seen != 0).then_some(goal));
            covered.extend((taken > usize::from(seen != 0)).then_some(goal + 1));
        }
    }
}

/// Goals of a decision that the evaluations of one run cover.
fn shown_by(state: &DecisionState, evidence: &Evidence) -> Vec<u32> {
    let (held, failed): (Vec<_>, Vec<_>) =
        evidence.evaluations_of(state.id).partition(|evaluation| evaluation.result);
    let mut covered = Vec::new();
    covered.extend((!failed.is_empty()).then_some(state.first_result as u32));
    covered.extend((!held.is_empty()).then_some(state.first_result as u32 + 1));
    let Some(first) = state.first_independence else { return covered };
    let mut shown = vec![false; state.conditions as usize];
    let mut left = shown.len();
    for (one, other) in held.iter().flat_map(|one| failed.iter().map(move |other| (one, other))) {
        let Some(shown) = one.shows(other).and_then(|position| shown.get_mut(position as usize)) else {
            continue;
        };
        left -= usize::from(!std::mem::replace(shown, true));
        if left == 0 {
            break;
        }
    }
    covered.extend((0..shown.len()).filter(|&at| shown[at]).map(|at| (first + at) as u32));
    covered
}
