//! Ways that no run has gone, for faults that lie behind them.
//!
//! Takes the candidates of each run; gives, once no goal and no check is worth a try, those that pass a check which failed
//! whenever a run came there, those that lead to a branch of a called function which nobody took, those that make an
//! allocation fail, and those that take a side of a library function which nobody took. None of them need be a goal of the unit,
//! but an `abort` or a bad `free` may stand there, a second check behind the first, and the result of `atoi` is 0 until
//! it meets a digit. Never: more than a few for each way.

use std::collections::{HashMap, HashSet};

use tarka_trace::{EventKind, TraceEvent};

use crate::SiteTable;
use crate::goals::explored::Explored;
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::{PathNode, PathTree};

/// Choices for one way, and in all.
const MOST_FOR_A_WAY: u32 = 6;
const MOST: u32 = 96;

/// Candidates of one way that are kept at a time.
const MOST_WAITING: usize = 12;

/// Allocations of a path that are told apart: behind a loop they are much the same.
const MOST_ALLOCATIONS: usize = 8;

/// Where candidates lead. Those that come first are tried first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Way {
    /// Past the check of a site.
    Past(u32),
    /// To a branch of the source, by its index in the coverage map.
    Branch(u32),
    /// To another end of an allocation: behind a branch of the source, and with so many allocations before it. Sites would
    /// not tell them apart, as they are in the stubs.
    Allocation { after: Option<u32>, before: usize, outcome: u64 },
    /// To a side of a branch inside a library function.
    Library { site: u32, outcome: u64 },
}

impl Way {
    fn rank(self) -> u32 {
        match self {
            Way::Past(_) => 0,
            Way::Branch(_) => 1,
            Way::Allocation { .. } => 2,
            Way::Library { .. } => 3,
        }
    }
}

/// Candidates by where they lead.
#[derive(Default)]
pub(crate) struct Unexplored {
    /// By rank, and then in the order in which they were first seen.
    ways: Vec<Way>,
    waiting: HashMap<Way, Vec<CandidateId>>,
    chosen: HashMap<Way, u32>,
    total: u32,
    /// Sites of checks that some run has passed.
    passed: HashSet<u32>,
    /// Sites at which an allocation fails or does not.
    allocations: HashSet<u32>,
    /// For each site inside a library function, which of its two sides some run took: a bit each.
    library: Vec<u8>,
}

impl Unexplored {
    /// Says at which sites it is decided whether an allocation fails.
    pub(crate) fn set_allocations(&mut self, sites: HashSet<u32>) {
        self.allocations = sites;
    }

    pub(crate) fn absorb(
        &mut self,
        (tree, sites): (&PathTree, &SiteTable),
        explored: &Explored,
        events: &[TraceEvent],
        new: &[CandidateId],
    ) {
        for event in events {
            if event.kind == EventKind::Check as u16 && event.outcome != 0 {
                self.passed.insert(event.site);
            } else if event.kind == EventKind::Internal as u16 {
                self.note_library(event.site, u64::from(event.outcome));
            }
        }
        for &id in new {
            let Some(way) = self.way_of(tree, sites, id) else { continue };
            if self.is_gone(way, (tree, explored)) {
                continue;
            }
            let waiting = self.waiting.entry(way).or_insert_with(|| {
                let index = self.ways.partition_point(|known| known.rank() <= way.rank());
                self.ways.insert(index, way);
                Vec::new()
            });
            if waiting.len() < MOST_WAITING {
                waiting.push(id);
            }
        }
    }

    fn note_library(&mut self, site: u32, outcome: u64) {
        let site = site as usize;
        if site >= self.library.len() {
            self.library.resize(site + 1, 0);
        }
        self.library[site] |= side(outcome);
    }

    /// Forgets candidates, but not how many were chosen.
    pub(crate) fn restart(&mut self) {
        self.ways.clear();
        self.waiting.clear();
    }

    pub(crate) fn choose(&mut self, tree: &PathTree, explored: &Explored) -> Option<CandidateId> {
        let untried = |id: CandidateId| {
            matches!(tree.candidate(id).state, CandidateState::Open | CandidateState::Irrelevant)
        };
        if self.total >= MOST {
            return None;
        }
        let is_left = |way: &&Way| {
            let chosen = self.chosen.get(way).copied().unwrap_or(0);
            chosen < MOST_FOR_A_WAY && !self.is_gone(**way, (tree, explored))
        };
        let next = |way: &Way| {
            let waiting = self.waiting.get(way)?;
            waiting.iter().copied().find(|&id| untried(id)).map(|id| (*way, id))
        };
        let (way, id) = self.ways.iter().filter(is_left).find_map(next)?;
        *self.chosen.entry(way).or_default() += 1;
        self.total += 1;
        Some(id)
    }

    /// Whether some run has gone a way.
    fn is_gone(&self, way: Way, (tree, explored): (&PathTree, &Explored)) -> bool {
        match way {
            Way::Past(site) => self.passed.contains(&site),
            Way::Branch(branch) => explored.is_taken(branch),
            Way::Library { site, outcome } => {
                self.library.get(site as usize).is_some_and(|sides| sides & side(outcome) != 0)
            }
            Way::Allocation { .. } => {
                let is_done = |id: &CandidateId| tree.candidate(*id).state == CandidateState::Done;
                self.waiting.get(&way).is_some_and(|waiting| waiting.iter().any(is_done))
            }
        }
    }

    fn way_of(&self, tree: &PathTree, sites: &SiteTable, id: CandidateId) -> Option<Way> {
        let (node, outcome) = (tree.node_of(id), tree.candidate(id).outcome);
        let is_allocation = |node: &PathNode| self.allocations.contains(&node.site);
        match node.kind {
            EventKind::Check => (outcome == 1).then_some(Way::Past(node.site)),
            EventKind::Condition | EventKind::Switch => {
                sites.coverage_index(node.site, u32::try_from(outcome).ok()?).map(Way::Branch)
            }
            EventKind::Internal if is_allocation(node) => {
                let above = std::iter::successors(tree.above(node), |at| tree.above(at));
                let before = above.filter(|at| is_allocation(at)).take(MOST_ALLOCATIONS).count();
                Some(Way::Allocation { after: node.branch_before(), before, outcome })
            }
            EventKind::Internal => Some(Way::Library { site: node.site, outcome }),
            _ => None,
        }
    }
}

/// The bit of a side.
fn side(outcome: u64) -> u8 {
    if outcome == 0 { 1 } else { 2 }
}
