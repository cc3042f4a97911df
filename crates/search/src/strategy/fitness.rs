//! `fitness`: fitness-guided search (Xie, Tillmann, de Halleux, Schulte 2009; the partner of `pps` in paper 2, §V.D).
//!
//! For a branch that is hard to take directly, such as a comparison of a counter that earlier branches move. A *target* is
//! an open branch that runs have come by. A run is as fit as it came near to a target; flipping a branch has a gain, the
//! mean of how much nearer the runs it led to came. The next flip is one in the fittest run whose branch gains most.
//!
//! Candidates that take an open branch themselves come first, the nearest first, until a branch has failed a few times.
//! Targets take turns when they make no progress; without any, the search goes breadth first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use tarka_terms::Evaluator;
use tarka_trace::EventKind;

use super::{BreadthFirst, RunSummary, Strategy, View};
use crate::branch_distance::Ruler;
use crate::candidate::{CandidateId, CandidateState};
use crate::coverage::Scope;
use crate::rng::Rng;
use crate::tree::{NodeId, PathNode};

/// Failed attempts after which a branch is only tried directly at every second turn.
const PATIENCE: u32 = 3;

/// Choices for one target that bring no run nearer to it, before the next target's turn.
const TARGET_TURN: u32 = 16;

/// Runs of a target that one choice compares, at most.
const COMPARED_RUNS: u32 = 8;

/// A branch: site and outcome.
type Branch = (u32, u64);

/// A distance on a logarithmic scale, in thousandths: far away, only the order of magnitude counts.
type Unfitness = i64;

/// Fitness-guided search.
#[derive(Default)]
pub struct Fitness {
    targets: Vec<Target>,
    target_of: FxHashMap<Branch, usize>,
    /// Whose turn it is.
    current: usize,
    /// The open candidates that each run brought, as far as anybody looked.
    runs: Vec<Vec<CandidateId>>,
    slot_of_run: FxHashMap<u64, usize>,
    /// Candidates that take an open branch themselves.
    direct: BinaryHeap<Reverse<(Unfitness, u32, CandidateId)>>,
    failed: FxHashMap<Branch, u32>,
    turn: u64,
    rest: BreadthFirst,
    evaluator: Evaluator,
}

/// An open branch that runs have come by.
struct Target {
    branch: Branch,
    /// By run.
    unfitness: FxHashMap<usize, Unfitness>,
    /// Runs by unfitness less the gain of their best flip, as it was when they were last looked at.
    runs: BinaryHeap<Reverse<(Unfitness, usize)>>,
    /// Sum and number of the gains of flipping a branch.
    gains: FxHashMap<Branch, (Unfitness, i64)>,
    best: Unfitness,
    in_vain: u32,
}

impl Target {
    fn new(branch: Branch) -> Target {
        Target {
            branch,
            unfitness: FxHashMap::default(),
            runs: BinaryHeap::new(),
            gains: FxHashMap::default(),
            best: Unfitness::MAX,
            in_vain: 0,
        }
    }

    fn gain(&self, branch: Branch) -> Unfitness {
        self.gains.get(&branch).map_or(0, |(sum, count)| sum / count)
    }

    /// The flip of a run that gains most, the first on the path among equals: more of the run lies behind it.
    fn best_flip(&self, view: View, run: &[CandidateId]) -> Option<(Unfitness, CandidateId)> {
        let indirect = run.iter().copied().filter(|&id| view.branch(id) != self.branch);
        let gains = indirect.map(|id| (self.gain(view.branch(id)), id));
        gains.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// The best flip for this target.
    fn choose(&mut self, view: View, runs: &mut [Vec<CandidateId>]) -> Option<CandidateId> {
        let mut compared = 0;
        while let Some(Reverse((_, slot))) = self.runs.pop() {
            runs[slot].retain(|&id| view.is_open(id));
            let Some((gain, candidate)) = self.best_flip(view, &runs[slot]) else { continue };
            let now = self.unfitness[&slot] - gain;
            let next = self.runs.peek().map(|&Reverse((expected, _))| expected);
            self.runs.push(Reverse((now, slot)));
            compared += 1;
            if compared == COMPARED_RUNS || next.is_none_or(|next| now <= next) {
                self.in_vain += 1;
                return Some(candidate);
            }
        }
        None
    }

    fn take(&mut self, slot: usize, unfitness: Unfitness) {
        self.unfitness.insert(slot, unfitness);
        self.runs.push(Reverse((unfitness, slot)));
        if unfitness < self.best {
            self.best = unfitness;
            self.in_vain = 0;
        }
    }
}

fn is_open_branch(view: View, (site, outcome): Branch) -> bool {
    let Ok(outcome) = u32::try_from(outcome) else { return false };
    let branch = view.sites.coverage_index(site, outcome);
    view.goals.is_open_outcome(site, outcome)
        || branch.is_some_and(|branch| view.filter.leads_to_wanted_statement(branch, Scope::Open))
}

fn measure(ruler: &mut Ruler, view: View, node: &PathNode, outcome: u64) -> Option<Unfitness> {
    let distance = ruler.outcome_distance(view.sites, node, outcome)?;
    // Floating operands may be infinitely far apart.
    Some(((1.0 + distance).log2() * 1000.0).min(1e6) as Unfitness)
}

impl Fitness {
    /// How near the run came to every open branch on its path.
    fn measure_path(&mut self, view: View, run: RunSummary) -> Vec<(Branch, Unfitness)> {
        let mut nearest: FxHashMap<Branch, Unfitness> = FxHashMap::default();
        let mut ruler = Ruler::new(&mut self.evaluator, run.terms, run.input);
        for id in path_up(view, run.last) {
            let node = view.tree.node(id);
            if !matches!(node.kind, EventKind::Condition | EventKind::Switch) {
                continue;
            }
            for outcome in 0..view.sites.outcomes(node.site) as u64 {
                let branch = (node.site, outcome);
                if !is_open_branch(view, branch) {
                    continue;
                }
                if let Some(unfitness) = measure(&mut ruler, view, node, outcome) {
                    let known = nearest.entry(branch).or_insert(unfitness);
                    *known = unfitness.min(*known);
                }
            }
        }
        let mut nearest: Vec<_> = nearest.into_iter().collect();
        nearest.sort_unstable();
        nearest
    }

    /// The flip that the run came from, and the run it left.
    fn origin(&self, view: View, run: RunSummary) -> Option<(Branch, usize)> {
        let is_new = |&id: &NodeId| view.tree.node(id).run == run.run;
        let first_new = path_up(view, run.last).take_while(is_new).last()?;
        let (above, edge) = view.tree.node(first_new).parent?;
        let node = view.tree.node(above);
        let outcome = node.edges.iter().nth(edge as usize)?.outcome;
        Some(((node.site, outcome), *self.slot_of_run.get(&node.run)?))
    }

    fn absorb_direct(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        let mut ruler = Ruler::new(&mut self.evaluator, run.terms, run.input);
        for &candidate in new.iter().filter(|&&candidate| view.wants_open_goal(candidate)) {
            let node = view.tree.node_of(candidate);
            let outcome = view.tree.candidate(candidate).outcome;
            let unfitness = measure(&mut ruler, view, node, outcome).unwrap_or(0);
            self.direct.push(Reverse((unfitness, node.depth, candidate)));
        }
    }

    fn choose_direct(&mut self, view: View) -> Option<CandidateId> {
        while let Some(&Reverse((_, _, candidate))) = self.direct.peek() {
            if view.is_open(candidate) && view.wants_open_goal(candidate) {
                let failed = self.failed.get(&view.branch(candidate)).copied().unwrap_or(0);
                if failed >= PATIENCE && !self.turn.is_multiple_of(2) {
                    return None;
                }
                self.direct.pop();
                return Some(candidate);
            }
            self.direct.pop();
        }
        None
    }

    fn choose_for_target(&mut self, view: View) -> Option<CandidateId> {
        let mut left = self.targets.len();
        while left > 0 {
            self.current %= self.targets.len();
            let target = &mut self.targets[self.current];
            if !is_open_branch(view, target.branch) {
                self.forget_target(self.current);
            } else if target.in_vain >= TARGET_TURN {
                target.in_vain = 0;
                self.current += 1;
            } else if let Some(candidate) = target.choose(view, &mut self.runs) {
                return Some(candidate);
            } else {
                self.current += 1;
            }
            left -= 1;
        }
        None
    }

    fn forget_target(&mut self, index: usize) {
        let target = self.targets.swap_remove(index);
        self.target_of.remove(&target.branch);
        if let Some(moved) = self.targets.get(index) {
            self.target_of.insert(moved.branch, index);
        }
    }
}

/// The decisions of a path from its last one up.
fn path_up(view: View<'_>, last: Option<NodeId>) -> impl Iterator<Item = NodeId> {
    std::iter::successors(last, move |&id| view.tree.node(id).parent.map(|(parent, _)| parent))
}

impl Strategy for Fitness {
    fn name(&self) -> &'static str {
        "fitness"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        self.rest.absorb(view, new, run);
        self.absorb_direct(view, new, run);
        let slot = self.runs.len();
        self.runs.push(new.to_vec());
        self.slot_of_run.insert(run.run, slot);
        let origin = self.origin(view, run);
        for (branch, unfitness) in self.measure_path(view, run) {
            let next = self.targets.len();
            let index = *self.target_of.entry(branch).or_insert(next);
            if index == next {
                self.targets.push(Target::new(branch));
            }
            let target = &mut self.targets[index];
            if let Some((flipped, from)) = origin
                && let Some(before) = target.unfitness.get(&from)
            {
                let (sum, count) = target.gains.entry(flipped).or_default();
                (*sum, *count) = (*sum + before - unfitness, *count + 1);
            }
            target.take(slot, unfitness);
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.turn += 1;
        let chosen = self.choose_direct(view).or_else(|| self.choose_for_target(view));
        chosen.or_else(|| self.rest.choose(view, rng))
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        if !matches!(state, CandidateState::Done | CandidateState::Running | CandidateState::Open) {
            *self.failed.entry(view.branch(candidate)).or_default() += 1;
        }
    }

    fn move_on(&mut self) {
        self.current += 1;
    }

    fn restart(&mut self) {
        *self = Fitness::default();
    }
}
