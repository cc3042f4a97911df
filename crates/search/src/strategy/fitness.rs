//! `fitness`: fitness-guided search (Xie, Tillmann, de Halleux, Schulte 2009; the partner of `pps` in paper 2, §V.D).
//!
//! For a branch that is hard to take directly, such as a comparison of a counter that earlier branches move. A *target* is
//! an open branch that runs have come by. A run is as fit as it came near to a target; flipping a branch has a gain, the
//! mean of how much nearer the runs it led to came. The next flip is one in the fittest run whose branch gains most.
//!
//! Not in the paper: where each flip of a branch brings a run one step nearer, and several of them lie on the run, as many
//! as are missing are asked for at once. That is tried once for each run, so a joint flip that fails costs one question.
//!
//! Candidates that take an open branch themselves come first, the nearest first; in turn with the others once one of that
//! branch had no solution. Targets take turns when they make no progress; without any, the search goes breadth first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use tarka_terms::Evaluator;
use tarka_trace::EventKind;

use super::{BreadthFirst, Flip, RunSummary, Strategy, View};
use crate::goals::coverage::Scope;
use crate::paths::branch_distance::Ruler;
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::NodeId;
use crate::rng::Rng;

/// Choices for one target that bring no run nearer to it, before the next target's turn.
const TARGET_TURN: u32 = 16;

/// Runs of a target that one choice compares, at most.
const COMPARED_RUNS: u32 = 8;

/// Decisions flipped at once, at most.
const LONGEST_LEAP: usize = 256;

/// A branch: site and outcome.
type Branch = (u32, u64);

/// A distance on a logarithmic scale, in thousandths: far away, only the order of magnitude counts.
type Unfitness = i64;

/// Fitness-guided search.
#[derive(Default)]
pub struct Fitness {
    targets: Vec<OpenBranch>,
    target_of: FxHashMap<Branch, usize>,
    /// Whose turn it is.
    current: usize,
    /// The open candidates that each run brought, as far as anybody looked.
    runs: Vec<Vec<CandidateId>>,
    slot_of_run: FxHashMap<u64, usize>,
    /// Candidates that take an open branch themselves.
    direct: BinaryHeap<Reverse<(Unfitness, u32, CandidateId)>>,
    /// Branches that had no solution somewhere.
    failed: FxHashSet<Branch>,
    /// The latest choice was one of those.
    was_direct: bool,
    /// The choice just made, if it is a joint flip, and what is to be flipped along.
    joint_flip: Option<(CandidateId, Vec<Flip>)>,
    rest: BreadthFirst,
    evaluator: Evaluator,
}

/// An open branch that runs have come by.
struct OpenBranch {
    branch: Branch,
    /// By run.
    distances: FxHashMap<usize, f64>,
    /// Runs by unfitness less the gain of their best flip, as it was when they were last looked at.
    runs: BinaryHeap<Reverse<(Unfitness, usize)>>,
    /// What flipping a branch has brought.
    gains: FxHashMap<Branch, Gains>,
    /// Runs from which a joint flip was tried.
    jumped_from: FxHashSet<usize>,
    best: Unfitness,
    in_vain: u32,
}

/// What the flips of a branch have brought, in sum.
#[derive(Default)]
struct Gains {
    unfitness: Unfitness,
    distance: f64,
    count: u32,
}

impl OpenBranch {
    fn new(branch: Branch) -> OpenBranch {
        OpenBranch {
            branch,
            distances: FxHashMap::default(),
            runs: BinaryHeap::new(),
            gains: FxHashMap::default(),
            jumped_from: FxHashSet::default(),
            best: Unfitness::MAX,
            in_vain: 0,
        }
    }

    fn gain(&self, branch: Branch) -> Unfitness {
        self.gains.get(&branch).map_or(0, |gains| gains.unfitness / i64::from(gains.count))
    }

    /// The flip of a run that gains most, the first on the path among equals: more of the run lies behind it.
    fn best_flip(&self, view: View, run: &[CandidateId]) -> Option<(Unfitness, CandidateId)> {
        let indirect = run.iter().copied().filter(|&id| view.branch(id) != self.branch);
        let gains = indirect.map(|id| (self.gain(view.branch(id)), id));
        gains.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// The best flip for this target, and what should be flipped along.
    fn choose(&mut self, view: View, runs: &mut [Vec<CandidateId>]) -> Option<(CandidateId, Vec<Flip>)> {
        let mut compared = 0;
        while let Some(Reverse((_, slot))) = self.runs.pop() {
            runs[slot].retain(|&id| view.is_open(id));
            let Some((gain, candidate)) = self.best_flip(view, &runs[slot]) else { continue };
            let now = unfitness(self.distances[&slot]) - gain;
            let next = self.runs.peek().map(|&Reverse((expected, _))| expected);
            self.runs.push(Reverse((now, slot)));
            compared += 1;
            if compared == COMPARED_RUNS || next.is_none_or(|next| now <= next) {
                self.in_vain += 1;
                return Some((candidate, self.joint_flip(view, slot, &runs[slot], candidate)));
            }
        }
        None
    }

    /// The flips of the same branch behind a candidate that its run is short of, if their number is known.
    fn joint_flip(
        &mut self,
        view: View,
        slot: usize,
        run: &[CandidateId],
        candidate: CandidateId,
    ) -> Vec<Flip> {
        let branch = view.branch(candidate);
        let step = self.gains.get(&branch).map_or(0.0, |gains| gains.distance / f64::from(gains.count));
        if step <= 0.0 || !self.jumped_from.insert(slot) {
            return Vec::new();
        }
        let missing = (self.distances[&slot] / step).round() as usize;
        let behind = run.iter().filter(|&&id| id > candidate && view.branch(id) == branch);
        let flips = behind.map(|&id| (view.tree.candidate(id).node, branch.1));
        flips.take(missing.saturating_sub(1).min(LONGEST_LEAP)).collect()
    }

    fn take(&mut self, slot: usize, distance: f64) {
        let unfitness = unfitness(distance);
        self.distances.insert(slot, distance);
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

fn unfitness(distance: f64) -> Unfitness {
    // Floating operands may be infinitely far apart.
    ((1.0 + distance).log2() * 1000.0).min(1e6) as Unfitness
}

impl Fitness {
    /// How near the run came to every open branch on its path.
    fn measure_path(&mut self, view: View, run: RunSummary) -> Vec<(Branch, f64)> {
        let mut nearest: BTreeMap<Branch, f64> = BTreeMap::new();
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
                if let Some(distance) = ruler.outcome_distance(view.sites, node, outcome) {
                    let known = nearest.entry(branch).or_insert(distance);
                    *known = distance.min(*known);
                }
            }
        }
        nearest.into_iter().collect()
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
            let distance = ruler.outcome_distance(view.sites, node, outcome).unwrap_or(0.0);
            self.direct.push(Reverse((unfitness(distance), node.depth, candidate)));
        }
    }

    fn choose_direct(&mut self, view: View) -> Option<CandidateId> {
        while let Some(&Reverse((_, _, candidate))) = self.direct.peek() {
            if view.is_open(candidate) && view.wants_open_goal(candidate) {
                if self.was_direct && self.failed.contains(&view.branch(candidate)) {
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
            } else if let Some((candidate, along)) = target.choose(view, &mut self.runs) {
                self.joint_flip = (!along.is_empty()).then_some((candidate, along));
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
        // What several flips have brought together says nothing of one.
        let is_done = |(id, _): (CandidateId, _)| view.tree.candidate(id).state == CandidateState::Done;
        let is_joint_flip = self.joint_flip.take().is_some_and(is_done);
        let origin = if is_joint_flip { None } else { self.origin(view, run) };
        for (branch, distance) in self.measure_path(view, run) {
            let next = self.targets.len();
            let index = *self.target_of.entry(branch).or_insert(next);
            if index == next {
                self.targets.push(OpenBranch::new(branch));
            }
            let target = &mut self.targets[index];
            if let Some((flipped, from)) = origin
                && let Some(&before) = target.distances.get(&from)
            {
                let gains = target.gains.entry(flipped).or_default();
                gains.unfitness += unfitness(before) - unfitness(distance);
                gains.distance += before - distance;
                gains.count += 1;
            }
            target.take(slot, distance);
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.joint_flip = None;
        let direct = self.choose_direct(view);
        self.was_direct = direct.is_some();
        let chosen = direct.or_else(|| self.choose_for_target(view));
        chosen.or_else(|| self.rest.choose(view, rng))
    }

    fn flips_along(&mut self) -> Vec<Flip> {
        self.joint_flip.as_ref().map_or_else(Vec::new, |(_, along)| along.clone())
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        if !matches!(state, CandidateState::Done | CandidateState::Running | CandidateState::Open) {
            self.failed.insert(view.branch(candidate));
        }
    }

    fn move_on(&mut self) {
        self.current += 1;
    }

    fn restart(&mut self) {
        *self = Fitness::default();
    }
}
