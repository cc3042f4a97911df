//! `cfg`: control-flow directed search with backtracking, the baseline of papers 2 and 3 as CREST has it.
//!
//! The search stands on one run. It flips the decision from whose other side the fewest branches lead to something open,
//! then the next nearest, in random order among equals. A run that covers something new is where it stands from then on. A
//! run that covers nothing is followed down: only flips behind the flipped decision that are nearer than that one was, a
//! few of them, and so on a few times; then it goes back to where it came from. When a run has no flip left that leads
//! anywhere, or too many were in vain, the search begins again from a candidate drawn from all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::NodeId;
use crate::rng::Rng;
use crate::statics::Ground;
use crate::statics::distance::{Distances, FAR};
use crate::statics::goals::Change;

/// Runs from one stand before it is given up.
const ATTEMPTS: u32 = 250;

/// Runs from one run that is being followed down.
const ATTEMPTS_BELOW: u32 = 5;

/// How often a run is followed down in a row.
const DESCENTS: usize = 5;

/// A run with its flips, the nearest first.
struct Stand {
    flips: BinaryHeap<Reverse<(u32, u64, CandidateId)>>,
    attempts: u32,
}

/// Flips of the latest run, to be shuffled at the next choice.
struct Arrival {
    flips: Vec<CandidateId>,
    /// Only those nearer than this count.
    below: u32,
    attempts: u32,
}

/// Control-flow directed search.
#[derive(Default)]
pub struct CfgDirected {
    ground: Ground,
    distances: Distances,
    stands: Vec<Stand>,
    arrival: Option<Arrival>,
    /// Candidates that were handed out, with their distance then.
    aimed: Vec<(CandidateId, u32)>,
    all: Vec<CandidateId>,
}

impl CfgDirected {
    fn distance(&self, view: View, candidate: CandidateId) -> u32 {
        let before = view.tree.node_of(candidate).branch_before();
        let branch = view.source_branch(candidate).or(before).unwrap_or(self.ground.graph.start());
        self.distances.of_branch(&self.ground.graph, branch)
    }

    fn settle_down(&mut self, view: View, rng: &mut Rng) {
        let Some(Arrival { flips, below, attempts }) = self.arrival.take() else { return };
        let near = |candidate: CandidateId| (self.distance(view, candidate), candidate);
        let near = flips.into_iter().map(near).filter(|&(distance, _)| distance < below);
        let flips = near.map(|(distance, candidate)| Reverse((distance, rng.bits(), candidate))).collect();
        self.stands.push(Stand { flips, attempts });
    }

    /// The nearest flip of the run it stands on; goes back when there is none.
    fn nearest(&mut self, view: View) -> Option<(CandidateId, u32)> {
        while let Some(stand) = self.stands.last_mut() {
            let flip = if stand.attempts == 0 { None } else { stand.flips.pop() };
            let Some(Reverse((distance, order, candidate))) = flip else {
                self.stands.pop();
                continue;
            };
            if !view.is_open(candidate) {
                continue;
            }
            let now = self.distance(view, candidate);
            if now == distance {
                return Some((candidate, distance));
            }
            if now != FAR
                && let Some(stand) = self.stands.last_mut()
            {
                stand.flips.push(Reverse((now, order, candidate)));
            }
        }
        None
    }

    fn begin_anywhere(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        while !self.all.is_empty() {
            let candidate = self.all.swap_remove(rng.below(self.all.len()));
            if view.is_open(candidate) {
                return Some(candidate);
            }
        }
        None
    }
}

impl Strategy for CfgDirected {
    fn name(&self) -> &'static str {
        "cfg"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.ground = Ground::new(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        match self.ground.update(view, run) {
            Change::Everything => self.distances = Distances::new(&self.ground.graph, &self.ground.goals),
            Change::Closed { occurrences, .. } => {
                self.distances.close(&self.ground.graph, &occurrences);
            }
        }
        self.all.extend(new);
        let is_done = |&(candidate, _): &(CandidateId, u32)| {
            view.tree.candidate(candidate).state == CandidateState::Done
        };
        let arrived = self.aimed.iter().copied().find(is_done);
        if let (Some(_), Some(stand)) = (arrived, self.stands.last_mut()) {
            stand.attempts = stand.attempts.saturating_sub(1);
        }
        if !run.new_goals.is_empty() || self.stands.is_empty() {
            self.stands.clear();
            let flips = flips_along(view, run.last);
            self.arrival = Some(Arrival { flips, below: FAR, attempts: ATTEMPTS });
        } else if let Some((_, below)) = arrived
            && self.stands.len() <= DESCENTS
        {
            self.arrival = Some(Arrival { flips: new.to_vec(), below, attempts: ATTEMPTS_BELOW });
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.settle_down(view, rng);
        let near = self.nearest(view);
        let (candidate, distance) = match near {
            Some(near) => near,
            None => (self.begin_anywhere(view, rng)?, FAR),
        };
        self.aimed.push((candidate, distance));
        Some(candidate)
    }

    fn learn(&mut self, _view: View, candidate: CandidateId, _state: CandidateState) {
        self.aimed.retain(|(aimed, _)| *aimed != candidate);
    }

    fn restart(&mut self) {
        let (ground, distances) = (std::mem::take(&mut self.ground), std::mem::take(&mut self.distances));
        *self = CfgDirected { ground, distances, ..CfgDirected::default() };
    }
}

/// The open candidates along the path that ends here.
fn flips_along(view: View, last: Option<NodeId>) -> Vec<CandidateId> {
    let parent = |&node: &NodeId| view.tree.node(node).parent.map(|(parent, _)| parent);
    let path = std::iter::successors(last, parent);
    let of_node = |node| view.tree.node(node).candidates.clone().map(CandidateId);
    let is_flip = |&id: &CandidateId| view.is_open(id) && !view.tree.candidate(id).is_fault;
    path.flat_map(of_node).filter(is_flip).collect()
}
