//! `knn`: learned feasibility (Modonato 2020: paper 4, §4).
//!
//! Candidates whose formulas look like those the solver found feasible go first. A formula is sliced to what depends on
//! the flipped clause, made a fingerprint of, and judged by its three nearest neighbours among the formulas that were
//! answered. The judgement puts it into one of four sets; a set is drawn with 50, 30, 15 or 5 %, then a candidate of it
//! with a probability in proportion to its similarity to the neighbours.
//!
//! Candidates with one and the same fingerprint are judged together. The paper judges all at once, and again when the
//! training set has grown by a threshold; here a choice makes a few judgements, first those of candidates that have
//! none, drawn evenly from the runs, and renews that of whoever is drawn.

mod classifier;
mod clauses;
mod decisions;
mod fingerprint;
mod roulette;
mod slices;
mod waiting;

use rustc_hash::FxHashMap;
use tarka_terms::Support;

use self::classifier::{Classifier, Formula, Set};
use self::clauses::ClauseHasher;
use self::decisions::PathDecisions;
use self::fingerprint::Bits;
use self::roulette::Roulette;
use self::slices::Slices;
use self::waiting::Waiting;
use super::{RunSummary, Strategy, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::NodeId;
use crate::rng::Rng;

/// Growth of the training set after which judgements are out of date.
const THRESHOLD: u64 = 8;

/// Judgements per choice, beside that of the candidate drawn: more while there are few groups and each is near at hand.
const JUDGED: usize = 2;
const JUDGED_EARLY: usize = 24;
const FEW_GROUPS: usize = 1 << 9;

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
    slices: Slices,
    groups: Vec<Group>,
    /// Groups by the hash of their formulas: two with one hash would be taken for one.
    by_print: FxHashMap<u64, u32>,
    unjudged: Waiting,
    steps: PathDecisions,
    /// The path of the latest run, from the bottom: each decision, what it reads, and the clause that it went as it did
    /// (not needed of the last).
    path: Vec<(NodeId, Support, Option<Bits>)>,
    /// By candidate: its group and the next candidate of the group.
    places: Vec<Place>,
    /// Groups with candidates, by set.
    wheels: [Roulette; 4],
    /// The next group to renew the judgement of.
    next_renewed: usize,
}

/// Where a candidate is kept.
#[derive(Clone, Copy)]
struct Place {
    group: u32,
    next: Option<CandidateId>,
}

/// Candidates that look the same.
struct Group {
    formula: Formula,
    /// The latest candidate, and how many there are.
    first: Option<CandidateId>,
    count: u64,
    set: Set,
    similarity: u64,
    /// How far the training set had grown, in thresholds.
    judged_at: u64,
}

impl NearestNeighbours {
    fn now(&self) -> u64 {
        self.classifier.taken() / THRESHOLD
    }

    fn group_with(&mut self, formula: Formula) -> usize {
        let next = self.groups.len() as u32;
        let index = *self.by_print.entry(formula.print.hash() ^ formula.flipped).or_insert(next);
        if index != next {
            return index as usize;
        }
        let verdict = self.classifier.classify(&formula);
        let (set, similarity, judged_at) = (verdict.set, verdict.similarity, self.now());
        self.groups.push(Group { formula, first: None, count: 0, set, similarity, judged_at });
        next as usize
    }

    /// Puts a group's present weight on its wheel.
    fn weigh(&mut self, index: usize) {
        let group = &self.groups[index];
        // Also what is like nothing known must be drawn some time.
        let weight = (1 + group.similarity) * group.count;
        self.wheels[group.set as usize].set(index, weight);
    }

    /// Judges a group again if the training set has grown; true if it belongs to another set now.
    fn renew(&mut self, index: usize) -> bool {
        let now = self.now();
        let group = &mut self.groups[index];
        if group.judged_at == now || group.count == 0 {
            return false;
        }
        let verdict = self.classifier.classify(&group.formula);
        let before = std::mem::replace(&mut group.set, verdict.set);
        (group.similarity, group.judged_at) = (verdict.similarity, now);
        if before != verdict.set {
            self.wheels[before as usize].set(index, 0);
        }
        self.weigh(index);
        before != verdict.set
    }

    fn judge_some(&mut self, view: View, rng: &mut Rng) {
        let most = if self.groups.len() < FEW_GROUPS { JUDGED_EARLY } else { JUDGED };
        let mut judged = 0;
        while judged < most && !self.unjudged.is_empty() {
            let (candidate, formula) = self.unjudged.draw(rng);
            if view.is_open(candidate) {
                self.group(candidate, formula);
                judged += 1;
            }
        }
        for _ in judged..most.min(self.groups.len()) {
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

    /// The latest open candidate of a group; settled ones are dropped on the way.
    fn take_from(&mut self, view: View, index: usize) -> Option<CandidateId> {
        let group = &mut self.groups[index];
        let mut taken = None;
        while taken.is_none()
            && let Some(candidate) = group.first
        {
            group.first = self.places[candidate.0 as usize].next;
            group.count -= 1;
            taken = Some(candidate).filter(|&candidate| view.is_open(candidate));
        }
        self.weigh(index);
        taken
    }

    /// Takes the new candidates of a run with their fingerprints.
    fn take_path(&mut self, view: View, run: RunSummary, new: &[CandidateId]) {
        let (Some(&first), Some(first_node)) =
            (new.first(), new.iter().map(|&candidate| view.tree.candidate(candidate).node).min())
        else {
            return;
        };
        self.path.clear();
        let mut at = run.last.map(|last| (last, None));
        while let Some((id, taken)) = at {
            let step = self.steps.of(view, run.terms, &mut self.hasher, id);
            self.path.push((id, step.support, taken));
            at = step.before.map(|(before, clause)| (before, Some(clause)));
        }
        self.slices.clear();
        for &(id, support, taken) in self.path.iter().rev() {
            let slice = self.slices.of(run.terms, view.objects, support);
            // Also a decision that an earlier run found may have got a new way to go, but none above the first.
            if id >= first_node {
                let node = view.tree.node(id);
                for candidate in node.candidates.clone().map(CandidateId) {
                    let flipped = view.tree.candidate(candidate);
                    if candidate >= first && !flipped.is_fault {
                        let clause = self.hasher.clause(run.terms, node, flipped.outcome);
                        let print = self.slices.with_clause(slice, clause.bits());
                        self.unjudged.push(candidate, &Formula { flipped: clause.shape, print });
                    }
                }
            }
            if let Some(clause) = taken {
                self.slices.add(slice, clause);
            }
        }
        self.unjudged.end_run();
    }

    fn group(&mut self, candidate: CandidateId, formula: Formula) {
        let index = self.group_with(formula);
        let group = &mut self.groups[index];
        let next = group.first.replace(candidate);
        group.count += 1;
        self.places[candidate.0 as usize] = Place { group: index as u32, next };
        // One more or less of many makes little difference: the wheel learns of it when the group is next looked at.
        if next.is_none() {
            self.weigh(index);
        }
    }
}

impl Strategy for NearestNeighbours {
    fn name(&self) -> &'static str {
        "knn"
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        self.take_path(view, run, new);
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.places.resize(view.tree.candidate_count(), Place { group: NO_GROUP, next: None });
        self.judge_some(view, rng);
        let mut draws = 0;
        loop {
            let Some(set) = self.draw_set(rng) else {
                if self.unjudged.is_empty() {
                    return None;
                }
                self.judge_some(view, rng);
                continue;
            };
            let index = self.wheels[set].draw(rng);
            draws += 1;
            if self.renew(index) && draws < MOST_DRAWS {
                continue;
            }
            if let Some(candidate) = self.take_from(view, index) {
                return Some(candidate);
            }
        }
    }

    fn learn(&mut self, _view: View, candidate: CandidateId, state: CandidateState) {
        let is_feasible = match state {
            CandidateState::Done => true,
            // No test came of it, for whatever reason.
            CandidateState::Infeasible | CandidateState::Unknown | CandidateState::Diverged => false,
            CandidateState::Open | CandidateState::Running | CandidateState::Irrelevant => return,
        };
        let place = self.places.get(candidate.0 as usize).filter(|place| place.group != NO_GROUP);
        if let Some(place) = place {
            self.classifier.learn(self.groups[place.group as usize].formula, is_feasible);
        }
    }

    fn restart(&mut self) {
        *self = NearestNeighbours::default();
    }
}
