//! Dataflow help for `auto`: goals behind a counter or a flag that earlier branches set.
//!
//! Such a goal has no candidate of its own that is feasible: its condition is concrete in every run, or pinned by the
//! branches before it. What can change it is how often the branches before it go each way. So for each *target*, a site that
//! runs come by and of which an outcome is open, and for each branch that candidates of those runs could take, the runs that
//! took the branch most often are kept, and one more decision of the best is flipped to that branch: first where most of
//! the run lies behind it. A run that comes by the target with one more is the one to go on from. A loop that counts, or
//! that sets a flag unless every element passes, is climbed in as many runs as it has rounds.
//!
//! The climb that was asked least goes on; one that came further is asked more often. Not a complete strategy: it hands out nothing when no climb is left.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tarka_source::GoalKind;

use super::{RunSummary, Strategy, View};
use crate::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// What a choice costs a climb, and what it gets back when a run came further.
const COST: u32 = 4;
const REFUND: u32 = 3;

/// Runs that a climb can go on from, at most.
const MOST_RUNS: usize = 8;

/// Targets of one run that are followed, at most.
const MOST_TARGETS: usize = 32;

/// Climbs towards goals behind counters and flags.
#[derive(Default)]
pub struct Counts {
    /// For each goal of an outcome, the goals of its site: first and last plus one.
    siblings: Vec<(u32, u32)>,
    climbs: Vec<Climb>,
    climb_of: FxHashMap<(u32, u32), u32>,
    /// Climbs by what they have cost; the cheapest goes on.
    by_cost: BTreeSet<(u32, u32)>,
    /// How often a branch was taken on the path at hand, by its index in the coverage map.
    taken: Vec<u32>,
}

/// Towards one target by taking one branch more often.
struct Climb {
    /// The first goal of the target's site.
    target: u32,
    branch: u32,
    /// The most that a run has taken the branch.
    best: u32,
    /// Runs to go on from, the best last: how often each takes the branch, and its candidates from first to last.
    runs: Vec<(u32, CandidateId, CandidateId)>,
    cost: u32,
}

impl Climb {
    /// Takes a run; true if it came further than all before.
    fn take(&mut self, run: (u32, CandidateId, CandidateId)) -> bool {
        let at = self.runs.partition_point(|known| known.0 <= run.0);
        self.runs.insert(at, run);
        if self.runs.len() > MOST_RUNS {
            self.runs.remove(0);
        }
        let is_further = run.0 > self.best;
        self.best = self.best.max(run.0);
        is_further
    }

    /// The first flip of the best run; runs without one are given up.
    fn candidate(&mut self, view: View) -> Option<CandidateId> {
        while let Some(&(_, first, last)) = self.runs.last() {
            let candidates = (first.0..=last.0).map(CandidateId);
            let is_open = |&id: &CandidateId| view.is_open(id) && !view.tree.candidate(id).is_fault;
            let found = candidates.filter(is_open).find(|&id| view.source_branch(id) == Some(self.branch));
            if found.is_some() {
                return found;
            }
            self.runs.pop();
        }
        None
    }
}

impl Counts {
    fn find_siblings(&mut self, view: View) {
        let goals = view.goals.goals();
        let site = |goal: &GoalKind| match goal {
            GoalKind::Outcome { site, .. } => Some(*site),
            _ => None,
        };
        let mut first = 0;
        for chunk in goals.chunk_by(|a, b| site(a).is_some() && site(a) == site(b)) {
            let range = (first, first + chunk.len() as u32);
            self.siblings.extend(chunk.iter().map(|goal| site(goal).map_or((0, 0), |_| range)));
            first = range.1;
        }
    }

    /// The targets that a run came by, as first goals of their sites.
    fn targets(&self, view: View, run: RunSummary) -> Vec<u32> {
        let ranges = run.covers.iter().map(|&goal| self.siblings[goal as usize]);
        let mut targets: Vec<u32> = Vec::new();
        for range in ranges.filter(|&range| is_target(view, range)) {
            if targets.last() != Some(&range.0) && targets.len() < MOST_TARGETS {
                targets.push(range.0);
            }
        }
        targets
    }

    /// Counts the branches of the path that ends here.
    fn count_path(&mut self, view: View, run: RunSummary) {
        self.taken.clear();
        self.taken.resize(view.sites.branch_count(), 0);
        let mut at = run.last.map(|last| (last, 0));
        while let Some((id, edge)) = at {
            let node = view.tree.node(id);
            if let Some(edge) = node.edges.iter().nth(edge as usize)
                && let Ok(outcome) = u32::try_from(edge.outcome)
                && let Some(branch) = view.sites.coverage_index(node.site, outcome)
            {
                self.taken[branch as usize] += 1;
            }
            at = node.parent;
        }
    }

    /// A run came by a target and could have taken a branch.
    fn take(&mut self, (target, branch): (u32, u32), run: (u32, CandidateId, CandidateId)) {
        let fresh = self.climbs.len() as u32;
        let index = *self.climb_of.entry((target, branch)).or_insert(fresh);
        if index == fresh {
            self.climbs.push(Climb { target, branch, best: run.0, runs: Vec::new(), cost: 0 });
        }
        let climb = &mut self.climbs[index as usize];
        let (is_further, before) = (climb.take(run), climb.cost);
        if is_further {
            climb.cost = climb.cost.saturating_sub(REFUND);
            self.by_cost.remove(&(before, index));
        }
        self.by_cost.insert((climb.cost, index));
    }
}

/// True if one of these goals is open.
fn is_target(view: View, (first, end): (u32, u32)) -> bool {
    (first..end).any(|goal| view.goals.is_open(goal as usize))
}

impl Strategy for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        if self.siblings.is_empty() {
            self.find_siblings(view);
        }
        let (Some(&first), Some(&last)) = (new.first(), new.last()) else { return };
        let targets = self.targets(view, run);
        if targets.is_empty() {
            return;
        }
        self.count_path(view, run);
        let mut branches: Vec<u32> = new.iter().filter_map(|&id| view.source_branch(id)).collect();
        branches.sort_unstable();
        branches.dedup();
        for target in targets {
            for &branch in &branches {
                self.take((target, branch), (self.taken[branch as usize], first, last));
            }
        }
    }

    fn choose(&mut self, view: View, _rng: &mut Rng) -> Option<CandidateId> {
        while let Some((_, index)) = self.by_cost.pop_first() {
            let climb = &mut self.climbs[index as usize];
            if !is_target(view, self.siblings[climb.target as usize]) {
                continue;
            }
            // A climb without a run waits for the next one.
            let Some(candidate) = climb.candidate(view) else { continue };
            climb.cost += COST;
            self.by_cost.insert((climb.cost, index));
            return Some(candidate);
        }
        None
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn restart(&mut self) {
        *self = Counts::default();
    }
}
