//! `tabu`: tabu search over paths, guided by fault statistics (Ma, Fu, Wang 2022: paper 1, §4).
//!
//! The neighbourhood of the last path is every flip of it with something unexplored behind. A flip is worth the heaviest
//! usage tuple that is unexplored behind it on the control-flow graph (see [`crate::statics::usage`]); the best flip that is
//! not tabu is taken, and all others that it was compared with become tabu for the next steps (the tenure), so that the
//! search stays near for a while. A tabu flip that is worth more than the best one taken so far is taken all the same. The
//! tenure begins near the square root of the path's length, shrinks when every flip is tabu and grows with every new best.
//!
//! Settled here, where the paper is silent: among equals the shallowest flip goes first; the best flip so far is worth what
//! is still unexplored behind it; when the neighbourhood is exhausted the search goes on from the best unexplored candidate of
//! the whole tree, with a new tenure. What has nothing unexplored behind it comes last, the shallowest first: it may
//! lead to an edge by another path than the graph tells.

use super::kinds::{KindFacts, Kinds, Pick};
use super::{RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::NodeId;
use crate::rng::Rng;
use crate::statics::usage::{UsageWeights, Weight};

/// The tenure begins at the square root of the path's length times a number between these.
const FIRST_TENURE: (f64, f64) = (0.9, 1.1);
/// What becomes of it when every flip is tabu.
const SHRINK: f64 = 0.9;
/// What becomes of it with a new best.
const GROW: f64 = 1.05;

/// Tabu search.
pub struct Tabu {
    weights: UsageWeights,
    /// The flips of the current path with something unexplored behind them, in path order.
    neighbours: Vec<Neighbour>,
    path_length: usize,
    /// The step at which each candidate was forbidden, by candidate; 0 if it was not.
    forbidden: Vec<u64>,
    step: u64,
    /// `None` before the first step from a path.
    tenure: Option<f64>,
    /// The best flip taken so far.
    best: Option<CandidateId>,
    /// Every candidate, the best first.
    all: Kinds<Weight>,
}

impl Default for Tabu {
    fn default() -> Tabu {
        Tabu {
            weights: UsageWeights::default(),
            neighbours: Vec::new(),
            path_length: 0,
            forbidden: Vec::new(),
            step: 0,
            tenure: None,
            best: None,
            all: Kinds::new(Pick::Shortest),
        }
    }
}

#[derive(Clone, Copy)]
struct Neighbour {
    candidate: CandidateId,
    worth: Weight,
}

/// What all candidates of a kind are worth.
fn worth_of_kind(weights: &UsageWeights) -> impl Fn(KindFacts) -> Option<Weight> {
    |kind| Some(weights.behind(kind.branch))
}

impl Tabu {
    fn worth(&self, view: View, candidate: CandidateId) -> Weight {
        let branch = view.source_branch(candidate).or(view.tree.node_of(candidate).branch_before());
        self.weights.behind(branch)
    }

    /// Makes the path down to a node the current one.
    fn stand_on(&mut self, view: View, last: Option<NodeId>) {
        self.neighbours.clear();
        self.path_length = 0;
        let mut at = last;
        while let Some(id) = at {
            let node = view.tree.node(id);
            self.path_length += 1;
            for candidate in node.candidates.clone().rev().map(CandidateId) {
                if view.is_open(candidate) && !view.tree.candidate(candidate).is_fault {
                    let worth = self.worth(view, candidate);
                    if worth.is_some() {
                        self.neighbours.push(Neighbour { candidate, worth });
                    }
                }
            }
            at = node.parent.map(|(parent, _)| parent);
        }
        self.neighbours.reverse();
    }

    fn is_tabu(&self, neighbour: Neighbour, tenure: f64) -> bool {
        let since = self.forbidden.get(neighbour.candidate.0 as usize).copied().unwrap_or(0);
        since != 0 && ((self.step - since) as f64) < tenure
    }

    /// What the best flip so far is worth by now: what was explored since counts no more.
    fn best_worth(&self, view: View) -> Option<Weight> {
        self.best.map(|best| self.worth(view, best))
    }

    /// The best neighbour that may be moved to.
    fn best_move(&self, view: View, tenure: f64) -> Option<Neighbour> {
        let best = self.best_worth(view);
        let aspires = |neighbour: Neighbour| best.is_some_and(|best| neighbour.worth > best);
        let may = |&neighbour: &Neighbour| !self.is_tabu(neighbour, tenure) || aspires(neighbour);
        // The first among equals: a maximum would be the last.
        let moves = self.neighbours.iter().copied().filter(may);
        moves.reduce(|best, next| if next.worth > best.worth { next } else { best })
    }

    /// Forbids all neighbours but one that are not forbidden already.
    fn forbid_others(&mut self, view: View, chosen: CandidateId, tenure: f64) {
        self.forbidden.resize(view.tree.candidate_count(), 0);
        for index in 0..self.neighbours.len() {
            let neighbour = self.neighbours[index];
            if neighbour.candidate != chosen && !self.is_tabu(neighbour, tenure) {
                self.forbidden[neighbour.candidate.0 as usize] = self.step;
            }
        }
    }

    fn note_best(&mut self, view: View, candidate: CandidateId) -> bool {
        let is_better = self.best_worth(view).is_none_or(|best| self.worth(view, candidate) > best);
        if is_better {
            self.best = Some(candidate);
        }
        is_better
    }

    /// Goes on from the best unexplored candidate of the whole tree.
    fn jump(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        let candidate = self.all.choose(view, rng, worth_of_kind(&self.weights))?;
        self.stand_on(view, Some(view.tree.candidate(candidate).node));
        self.tenure = None;
        self.note_best(view, candidate);
        Some(candidate)
    }
}

impl Strategy for Tabu {
    fn name(&self) -> &'static str {
        "tabu"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.weights = UsageWeights::new(unit);
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        let changed = self.weights.explore(view.explored.by_last_run());
        self.all.revalue_branches(changed, worth_of_kind(&self.weights));
        self.all.absorb(view, new.iter().copied(), worth_of_kind(&self.weights));
        self.stand_on(view, run.last);
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.step += 1;
        self.neighbours.retain(|neighbour| view.is_open(neighbour.candidate));
        if self.neighbours.is_empty() {
            return self.jump(view, rng);
        }
        let mut tenure = self.tenure.unwrap_or_else(|| {
            let share = rng.below(1 << 20) as f64 / (1 << 20) as f64;
            let factor = FIRST_TENURE.0 + (FIRST_TENURE.1 - FIRST_TENURE.0) * share;
            factor * (self.path_length as f64).sqrt()
        });
        let chosen = loop {
            if let Some(chosen) = self.best_move(view, tenure) {
                break chosen;
            }
            // A step without a move: everything forbidden is a step older.
            tenure *= SHRINK;
            self.step += 1;
        };
        let is_first = self.best.is_none();
        if self.note_best(view, chosen.candidate) && !is_first {
            tenure *= GROW;
        }
        self.tenure = Some(tenure);
        self.forbid_others(view, chosen.candidate, tenure);
        Some(chosen.candidate)
    }

    fn learn(&mut self, _view: View, _candidate: CandidateId, _state: CandidateState) {}

    fn move_on(&mut self) {
        self.neighbours.clear();
        self.forbidden.clear();
    }

    fn restart(&mut self) {
        *self = Tabu { weights: std::mem::take(&mut self.weights), ..Tabu::default() };
    }
}
