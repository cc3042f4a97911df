//! Ways to branches that no run has taken, for faults that lie behind them.
//!
//! Takes the candidates of each run; gives, once no goal and no check is worth a try, those that lead to a branch of a
//! called function which nobody took. It is no goal of the unit, but an `abort` or a bad `free` may stand there.
//! Never: more than a few for each branch.

use std::collections::{HashMap, VecDeque};

use tarka_trace::EventKind;

use crate::SiteTable;
use crate::candidate::{CandidateId, CandidateState};
use crate::explored::Explored;
use crate::tree::PathTree;

/// Choices for one branch, and in all.
const MOST_FOR_A_BRANCH: u32 = 6;
const MOST: u32 = 96;

/// Candidates that wait for one branch at a time.
const MOST_WAITING: usize = 12;

/// Candidates by the branch they lead to.
#[derive(Default)]
pub(crate) struct Unexplored {
    /// In the order in which the branches were first seen.
    branches: Vec<u32>,
    waiting: HashMap<u32, VecDeque<CandidateId>>,
    chosen: HashMap<u32, u32>,
    total: u32,
}

impl Unexplored {
    pub(crate) fn absorb(
        &mut self,
        tree: &PathTree,
        sites: &SiteTable,
        explored: &Explored,
        new: &[CandidateId],
    ) {
        for &id in new {
            let Some(branch) = branch_of(tree, sites, id).filter(|&branch| !explored.is_taken(branch)) else {
                continue;
            };
            let waiting = self.waiting.entry(branch).or_insert_with(|| {
                self.branches.push(branch);
                VecDeque::new()
            });
            if waiting.len() < MOST_WAITING {
                waiting.push_back(id);
            }
        }
    }

    /// Forgets candidates, but not how many were chosen.
    pub(crate) fn restart(&mut self) {
        self.branches.clear();
        self.waiting.clear();
    }

    pub(crate) fn choose(&mut self, tree: &PathTree, explored: &Explored) -> Option<CandidateId> {
        let untried = |id: CandidateId| {
            matches!(tree.candidate(id).state, CandidateState::Open | CandidateState::Irrelevant)
        };
        if self.total >= MOST {
            return None;
        }
        for &branch in self.branches.iter().filter(|&&branch| !explored.is_taken(branch)) {
            let chosen = self.chosen.entry(branch).or_default();
            let Some(waiting) = self.waiting.get_mut(&branch).filter(|_| *chosen < MOST_FOR_A_BRANCH) else {
                continue;
            };
            while let Some(id) = waiting.pop_front() {
                if untried(id) {
                    *chosen += 1;
                    self.total += 1;
                    return Some(id);
                }
            }
        }
        None
    }
}

/// The branch of the source that a candidate leads to.
fn branch_of(tree: &PathTree, sites: &SiteTable, id: CandidateId) -> Option<u32> {
    let (node, outcome) = (tree.node_of(id), tree.candidate(id).outcome);
    let is_source = matches!(node.kind, EventKind::Condition | EventKind::Switch);
    sites.coverage_index(node.site, u32::try_from(outcome).ok()?).filter(|_| is_source)
}
