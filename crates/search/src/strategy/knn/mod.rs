//! `knn`: learned feasibility (Modonato 2020: paper 4, §4).
//!
//! Candidates whose formulas look like those the solver found feasible go first. A formula is sliced to what depends on
//! the flipped clause, made a fingerprint of, and judged by its three nearest neighbours among the formulas that were
//! answered. The judgement puts it into one of four sets; a set is drawn with 50, 30, 15 or 5 %, then a candidate of it
//! with a probability in proportion to its similarity to the neighbours.
//!
//! Candidates with one and the same fingerprint are judged together. Each is judged when it comes, and again when
//! the training set has grown by [`THRESHOLD`]: a few per choice, and whoever is drawn. Not in the paper: dependence between
//! fields of one object, which terms do not show.

mod classifier;
mod clauses;
mod fingerprint;
mod roulette;
mod slices;

use std::collections::HashMap;

use self::classifier::{Classifier, Set};
use self::clauses::ClauseHasher;
use self::fingerprint::Fingerprint;
use self::roulette::Roulette;
use self::slices::Slices;
use super::{RunSummary, Strategy, View};
use crate::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Growth of the training set after which judgements are out of date.
const THRESHOLD: u64 = 8;

/// Judgements renewed per choice, at most, beside that of the candidate drawn.
const RENEWED: usize = 8;

/// Draws after which a candidate is taken although its judgement has just changed.
const MOST_DRAWS: u32 = 4;

/// Percentage up to which each set is drawn.
const DRAWN_UP_TO: [usize; 4] = [50, 80, 95, 100];

/// No group: the candidate is not ours to choose.
const NO_GROUP: u32 = u32::MAX;

/// Learned feasibility.
#[derive(Default)]
pub struct NearestNeighbours {
    classifier: Classifier,
    hasher: ClauseHasher,
    groups: Vec<Group>,
    by_print: HashMap<Fingerprint, u32>,
    /// By candidate.
    group_of: Vec<u32>,
    /// Groups with candidates, by set.
    wheels: [Roulette; 4],
    /// The next group to renew the judgement of.
    next_renewed: usize,
}

/// Candidates that look the same.
struct Group {
    print: Fingerprint,
    candidates: Vec<CandidateId>,
    set: Set,
    similarity: u64,
    /// How far the training set had grown, in thresholds.
    judged_at: u64,
}

impl NearestNeighbours {
    fn now(&self) -> u64 {
        self.classifier.taken() / THRESHOLD
    }

    fn group_with(&mut self, print: Fingerprint) -> usize {
        let next = self.groups.len() as u32;
        let index = *self.by_print.entry(print).or_insert(next);
        if index == next {
            let verdict = self.classifier.classify(&print);
            self.groups.push(Group {
                print,
                candidates: Vec::new(),
                set: verdict.set,
                similarity: verdict.similarity,
                judged_at: self.now(),
            });
        }
        index as usize
    }

    /// Puts a group's present weight on its wheel.
    fn weigh(&mut self, index: usize) {
        let group = &self.groups[index];
        // Also what is like nothing known must be drawn some time.
        let weight = (1 + group.similarity) * group.candidates.len() as u64;
        self.wheels[group.set as usize].set(index, weight);
    }

    /// Judges a group again if the training set has grown; true if it belongs to another set now.
    fn renew(&mut self, index: usize) -> bool {
        let now = self.now();
        let group = &mut self.groups[index];
        if group.judged_at == now || group.candidates.is_empty() {
            return false;
        }
        let verdict = self.classifier.classify(&group.print);
        let before = std::mem::replace(&mut group.set, verdict.set);
        (group.similarity, group.judged_at) = (verdict.similarity, now);
        if before != verdict.set {
            self.wheels[before as usize].set(index, 0);
        }
        self.weigh(index);
        before != verdict.set
    }

    fn renew_some(&mut self) {
        for _ in 0..RENEWED.min(self.groups.len()) {
            self.next_renewed = (self.next_renewed + 1) % self.groups.len();
            self.renew(self.next_renewed);
        }
    }

    /// A set at random; for an empty one the next that is not.
    fn draw_set(&self, rng: &mut Rng) -> Option<usize> {
        let share = rng.below(100);
        let first = DRAWN_UP_TO.iter().position(|&up_to| share < up_to)?;
        (first..4).chain((0..first).rev()).find(|&set| !self.wheels[set].is_empty())
    }

    /// An open candidate of a group at random; settled ones are dropped on the way.
    fn take_from(&mut self, view: View, index: usize, rng: &mut Rng) -> Option<CandidateId> {
        let candidates = &mut self.groups[index].candidates;
        let mut taken = None;
        while taken.is_none() && !candidates.is_empty() {
            let candidate = candidates.swap_remove(rng.below(candidates.len()));
            taken = Some(candidate).filter(|&candidate| view.is_open(candidate));
        }
        self.weigh(index);
        taken
    }

    /// The fingerprints of a run's candidates from a number on, sorted by candidate.
    fn fingerprints(
        &mut self,
        view: View,
        run: RunSummary,
        first: CandidateId,
    ) -> Vec<(CandidateId, Fingerprint)> {
        let mut path = Vec::with_capacity(run.depth as usize);
        let mut at = run.last.map(|last| (last, 0));
        while let Some((id, edge)) = at {
            path.push((id, edge));
            at = view.tree.node(id).parent;
        }
        let (mut slices, mut prints) = (Slices::default(), Vec::new());
        for (id, edge) in path.into_iter().rev() {
            let node = view.tree.node(id);
            let support = run.terms.support(node.operand);
            for candidate in node.candidates.clone().map(CandidateId).filter(|&candidate| candidate >= first)
            {
                let flipped = self.hasher.clause(run.terms, node, view.tree.candidate(candidate).outcome);
                prints.push((candidate, slices.with_clause(run.terms, support, flipped)));
            }
            if let Some(taken) = node.edges.iter().nth(edge as usize) {
                slices.add(run.terms, support, self.hasher.clause(run.terms, node, taken.outcome));
            }
        }
        prints.sort_unstable_by_key(|&(candidate, _)| candidate);
        prints
    }
}

impl Strategy for NearestNeighbours {
    fn name(&self) -> &'static str {
        "knn"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        let Some(&first) = new.first() else { return };
        let prints = self.fingerprints(view, run, first);
        self.group_of.resize(view.tree.candidate_count(), NO_GROUP);
        for &candidate in new {
            let place = prints.binary_search_by_key(&candidate, |&(candidate, _)| candidate);
            let index =
                self.group_with(place.map_or_else(|_| Fingerprint::default(), |place| prints[place].1));
            self.groups[index].candidates.push(candidate);
            self.group_of[candidate.0 as usize] = index as u32;
            self.weigh(index);
        }
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.renew_some();
        let mut draws = 0;
        while let Some(set) = self.draw_set(rng) {
            let index = self.wheels[set].draw(rng);
            draws += 1;
            if self.renew(index) && draws < MOST_DRAWS {
                continue;
            }
            if let Some(candidate) = self.take_from(view, index, rng) {
                return Some(candidate);
            }
        }
        None
    }

    fn learn(&mut self, _view: View, candidate: CandidateId, state: CandidateState) {
        let is_feasible = match state {
            CandidateState::Done => true,
            // No test came of it, for whatever reason.
            CandidateState::Infeasible | CandidateState::Unknown | CandidateState::Diverged => false,
            CandidateState::Open | CandidateState::Running | CandidateState::Irrelevant => return,
        };
        let group = self.group_of.get(candidate.0 as usize).copied().filter(|&group| group != NO_GROUP);
        if let Some(group) = group {
            self.classifier.learn(self.groups[group as usize].print, is_feasible);
        }
    }

    fn restart(&mut self) {
        *self = NearestNeighbours::default();
    }
}
