//! Which goals can still be led to, and from where: the other side of the filter.
//!
//! The filter asks whether anything open lies behind a branch; here the question is whether one goal does. Takes the
//! same graph, never less careful: where the graph is silent, everything leads everywhere.

use std::collections::BTreeMap;

use tarka_source::GoalKind;
use tarka_source::cfg::PointId;

use super::{Filter, has};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::strategy::View;

/// How many ways that could lead to a goal were not followed to the end.
///
/// Counted are the plain candidates of the present tree, by what became of them. A candidate that the filter dropped
/// counts nowhere: nothing that was open *then* could be covered by it. For a goal that is still open, that settles the
/// candidate as well as a run would. For a goal that was closed at that time (covered, given up, excluded by a
/// precondition or not asked for) it says nothing, so for such a goal these numbers prove nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaysLeft {
    /// Nobody has tried them, or an attempt was not finished.
    pub open: u64,
    /// The solver could not tell.
    pub unknown: u64,
    /// There was an input, but its run went elsewhere.
    pub diverged: u64,
}

impl WaysLeft {
    fn add(&mut self, more: WaysLeft) {
        self.open += more.open;
        self.unknown += more.unknown;
        self.diverged += more.diverged;
    }

    fn of(state: CandidateState) -> Option<WaysLeft> {
        let none = WaysLeft::default();
        match state {
            CandidateState::Open | CandidateState::Running => Some(WaysLeft { open: 1, ..none }),
            CandidateState::Unknown => Some(WaysLeft { unknown: 1, ..none }),
            CandidateState::Diverged => Some(WaysLeft { diverged: 1, ..none }),
            CandidateState::Infeasible | CandidateState::Done | CandidateState::Irrelevant => None,
        }
    }
}

/// Where a candidate leads from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum From {
    Start,
    /// A branch that the run before it took.
    Behind {
        branch: u32,
    },
    /// The branch that it takes itself.
    Taking {
        site: u32,
        branch: u32,
    },
}

/// Counts, for every goal, the candidates that could lead to it.
pub(crate) fn ways_left(view: View) -> Vec<WaysLeft> {
    let mut groups: BTreeMap<From, WaysLeft> = BTreeMap::new();
    for id in (0..view.tree.candidate_count() as u32).map(CandidateId) {
        let candidate = view.tree.candidate(id);
        if let (true, Some(way)) = (candidate.is_plain(), WaysLeft::of(candidate.state)) {
            groups.entry(from(view, id)).or_default().add(way);
        }
    }
    let goals = 0..view.goals.goals().len();
    let mut left: Vec<WaysLeft> = goals
        .map(|goal| {
            let mut left = WaysLeft::default();
            let leading = groups.iter().filter(|&(&from, _)| leads_to(view, from, goal));
            leading.for_each(|(_, &ways)| left.add(ways));
            left
        })
        .collect();
    add_passed(view, &mut left);
    left
}

/// Adds the candidates that pass a goal on the way of a run that did not settle it.
fn add_passed(view: View, left: &mut [WaysLeft]) {
    for id in (0..view.tree.candidate_count() as u32).map(CandidateId) {
        let candidate = view.tree.candidate(id);
        let (true, Some(way)) = (candidate.is_plain(), WaysLeft::of(candidate.state)) else { continue };
        let passed = view.passed.before(view.tree.node_of(id));
        for goal in passed.filter(|&goal| !leads_to(view, from(view, id), goal)) {
            left[goal].add(way);
        }
    }
}

fn from(view: View, candidate: CandidateId) -> From {
    let node = view.tree.node_of(candidate);
    match (view.source_branch(candidate), node.branch_before()) {
        (Some(branch), _) => From::Taking { site: node.site, branch },
        (None, Some(branch)) => From::Behind { branch },
        (None, None) => From::Start,
    }
}

fn leads_to(view: View, from: From, goal: usize) -> bool {
    match from {
        From::Start => view.filter.start_leads_to(goal),
        From::Behind { branch } => view.filter.branch_leads_to(branch, goal),
        From::Taking { site, branch } => {
            view.filter.branch_leads_to(branch, goal) || may_complete(view, site, goal)
        }
    }
}

/// True if a condition is part of the goal's decision: an outcome of it may complete an evaluation.
fn may_complete(view: View, site: u32, goal: usize) -> bool {
    let decision = match view.goals.goals()[goal] {
        GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => decision,
        GoalKind::Outcome { .. } | GoalKind::Statement(_) => return false,
    };
    view.sites.condition(site).is_some_and(|(slot, _)| view.sites.decisions()[slot].id == decision)
}

impl Filter {
    /// True if a goal may be covered once a way has been taken that leaves a point of the graph under an outcome (0 for
    /// points with a single way on), by what is executed on that way or behind it.
    pub fn may_follow(&self, (point, outcome): (PointId, u32), goal: usize) -> bool {
        let ways = self.behind_ways.get(point.0 as usize);
        // A point where the graph says that the unit never comes: whoever asks knows better.
        let set = ways.and_then(|ways| ways.get(outcome as usize).copied());
        self.set_leads_to(set, goal)
    }

    /// True if a goal may be covered by a branch, given by its index in the coverage map, or behind it. For goals of a
    /// decision, the branch's own condition does not count.
    fn branch_leads_to(&self, branch: u32, goal: usize) -> bool {
        self.set_leads_to(self.behind.get(branch as usize).copied().flatten(), goal)
    }

    fn start_leads_to(&self, goal: usize) -> bool {
        self.is_anywhere(goal) || self.behind_start.is_none_or(|set| self.is_in(set, goal))
    }

    fn set_leads_to(&self, set: Option<u32>, goal: usize) -> bool {
        let begins_again = self.comes_again || self.several_calls;
        self.is_anywhere(goal)
            || set.is_none_or(|set| self.is_in(set, goal))
            || begins_again && self.start_leads_to(goal)
    }

    fn is_in(&self, set: u32, goal: usize) -> bool {
        self.places_of_goal[goal].iter().any(|&place| has(&self.sets[set as usize], place as usize))
    }

    /// The graph does not know the unit, or not where the goal is.
    fn is_anywhere(&self, goal: usize) -> bool {
        self.is_blind || self.is_unplaced[goal] || self.places_of_goal[goal].is_empty()
    }
}
