//! Ways to the failing sides of called functions, once the unit's own goals are covered.
//!
//! Takes the candidates of each run; gives those that lead to a side which nobody took, or to where one may follow: a failing
//! assertion in a callee is no goal of the unit's coverage, and what makes it fail may take several decisions together.
//! Never: without an end. What is left then is told.

use std::collections::VecDeque;

use tarka_trace::EventKind;

use crate::SiteTable;
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::PathTree;
use crate::relevance::FailingSides;

/// Choices in all, and without a new side taken.
const MOST: u32 = 512;
const MOST_IN_VAIN: u32 = 192;

/// Candidates kept at a time.
const MOST_KEPT: usize = 4096;

/// Candidates that may lead to a failing side.
#[derive(Default)]
pub(crate) struct FaultGoals {
    /// Those that take one.
    direct: VecDeque<CandidateId>,
    /// Those behind which one may follow.
    others: VecDeque<CandidateId>,
    /// Those that were handed out, or that had no answer when it was their turn.
    asked: Vec<CandidateId>,
    chosen: u32,
    in_vain: u32,
    open: usize,
}

impl FaultGoals {
    pub(crate) fn absorb(
        &mut self,
        tree: &PathTree,
        sites: &SiteTable,
        failing: &FailingSides,
        new: &[CandidateId],
    ) {
        if failing.open() < self.open {
            self.in_vain = 0;
        }
        self.open = failing.open();
        if failing.open() == 0 {
            return;
        }
        for &id in new {
            let branch = branch_of(tree, sites, id);
            if branch.is_some_and(|branch| failing.is_one(branch)) {
                self.direct.push_back(id);
            } else if failing.may_follow(branch.or(tree.node_of(id).branch_before())) {
                self.others.push_back(id);
            }
        }
        self.direct.truncate(MOST_KEPT);
        self.others.truncate(MOST_KEPT);
    }

    /// Forgets candidates, but not how many were chosen.
    pub(crate) fn restart(&mut self) {
        self.direct.clear();
        self.others.clear();
        self.asked.clear();
    }

    /// Whether more would be tried if there were more to try.
    pub(crate) fn has_patience(&self) -> bool {
        self.chosen < MOST && self.in_vain < MOST_IN_VAIN
    }

    /// A candidate that takes a failing side; else, by turns, the newest and the oldest behind which one may follow.
    pub(crate) fn choose(
        &mut self,
        tree: &PathTree,
        sites: &SiteTable,
        failing: &FailingSides,
    ) -> Option<CandidateId> {
        while failing.open() > 0 && self.has_patience() {
            let next = match self.direct.pop_front() {
                Some(next) => next,
                None if self.chosen.is_multiple_of(2) => self.others.pop_back()?,
                None => self.others.pop_front()?,
            };
            self.asked.push(next);
            if is_untried(tree, next) && leads_there(tree, sites, failing, next) {
                self.chosen += 1;
                self.in_vain += 1;
                return Some(next);
            }
        }
        None
    }

    /// How many ways are left that may lead to a side which nobody took: not asked about, or without an answer.
    pub(crate) fn left(&self, tree: &PathTree, sites: &SiteTable, failing: &FailingSides) -> usize {
        let all = self.direct.iter().chain(&self.others).chain(&self.asked);
        let is_left = |id| is_untried(tree, id) || tree.candidate(id).state == CandidateState::Unknown;
        all.filter(|&&id| is_left(id) && leads_there(tree, sites, failing, id)).count()
    }
}

fn is_untried(tree: &PathTree, id: CandidateId) -> bool {
    matches!(tree.candidate(id).state, CandidateState::Open | CandidateState::Irrelevant)
}

/// Whether a candidate takes a failing side, or one may follow it.
pub(crate) fn leads_there(
    tree: &PathTree,
    sites: &SiteTable,
    failing: &FailingSides,
    id: CandidateId,
) -> bool {
    let branch = branch_of(tree, sites, id);
    branch.is_some_and(|branch| failing.is_one(branch))
        || failing.may_follow(branch.or(tree.node_of(id).branch_before()))
}

/// The branch of the source that a candidate leads to.
fn branch_of(tree: &PathTree, sites: &SiteTable, id: CandidateId) -> Option<u32> {
    let (node, outcome) = (tree.node_of(id), tree.candidate(id).outcome);
    let is_source = matches!(node.kind, EventKind::Condition | EventKind::Switch);
    sites.coverage_index(node.site, u32::try_from(outcome).ok()?).filter(|_| is_source)
}
