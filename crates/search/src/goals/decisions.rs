//! What is known of one decision with several conditions: how it was evaluated, which conditions were shown to decide it
//! on their own, and which evaluations would show another.
//!
//! Takes evaluations with the runs that made them. Never: how to get a wanted evaluation.

use std::collections::{BTreeSet, HashMap};

use tarka_source::{BoolShape, Decision, DecisionId, EvaluationKey, EvaluationStep};

use crate::goals::coverage::Scope;
use crate::goals::vector::Vector;

/// Different evaluations of one decision that are kept. Beyond, only those are that show something new; a pair of two
/// that are not kept goes unnoticed, so that nothing is proved about such a decision.
const MOST_EVALUATIONS: usize = 4096;

/// Wanted evaluations listed for one condition; a strategy still comes by the others, because no candidate is dropped for
/// not being on the list.
const MOST_WANTED: usize = 32;

/// Known evaluations, the latest, that are looked at for what they want.
const MOST_PARTNERS: usize = 256;

/// Steps spent on listing what one known evaluation wants.
const MOST_STEPS: u32 = 4096;

/// One decision of the unit with at least two conditions.
#[derive(Clone, Debug)]
pub(crate) struct DecisionState {
    pub(crate) id: DecisionId,
    pub(crate) shape: BoolShape,
    pub(crate) conditions: u32,
    /// The goal of result false; that of true follows.
    pub(crate) first_result: usize,
    /// The goal of the first condition's independence, if the criterion asks for it.
    pub(crate) first_independence: Option<usize>,
    /// With the run that made each first.
    evaluations: Vec<(EvaluationKey, u64)>,
    /// Place of each among `evaluations`.
    known: HashMap<EvaluationKey, usize>,
    /// Whether a run that ended well made each.
    made_well: Vec<bool>,
    /// Evaluations were not kept.
    is_incomplete: bool,
    pairs: Vec<Option<(usize, usize)>>,
    /// Evaluations that would show an open condition together with a known one.
    wanted: Vec<Vector>,
    /// The same for conditions that are wanted again.
    wanted_again: Vec<Vector>,
}

/// What an evaluation brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Added {
    /// Conditions that it shows first.
    pub(crate) shown: Vec<u32>,
    /// Conditions that it shows together with another evaluation, both from runs that ended well.
    pub(crate) shown_well: Vec<u32>,
}

impl DecisionState {
    pub(crate) fn new(
        decision: &Decision,
        first_result: usize,
        first_independence: Option<usize>,
    ) -> DecisionState {
        DecisionState {
            id: decision.id,
            shape: decision.shape.clone(),
            conditions: decision.conditions.len() as u32,
            first_result,
            first_independence,
            evaluations: Vec::new(),
            known: HashMap::new(),
            made_well: Vec::new(),
            is_incomplete: false,
            pairs: vec![None; decision.conditions.len()],
            wanted: Vec::new(),
            wanted_again: Vec::new(),
        }
    }

    /// Takes an evaluation; gives what it shows, or nothing if there is nothing new about it.
    pub(crate) fn add(&mut self, evaluation: &EvaluationKey, run: u64, ended_well: bool) -> Option<Added> {
        let known = self.known.get(evaluation).copied();
        if known.is_some_and(|known| self.made_well[known] || !ended_well) {
            return None;
        }
        let index = known.unwrap_or(self.evaluations.len());
        let mut added = Added::default();
        for (other, (known, _)) in self.evaluations.iter().enumerate() {
            let Some(position) = known.shows(evaluation) else { continue };
            if let Some(pair @ None) = self.pairs.get_mut(position as usize) {
                *pair = Some(if known.result { (other, index) } else { (index, other) });
                added.shown.push(position);
            }
            if ended_well && self.made_well[other] && !added.shown_well.contains(&position) {
                added.shown_well.push(position);
            }
        }
        if let Some(known) = known {
            self.made_well[known] = true;
            return Some(added);
        }
        if added.shown.is_empty() && index >= MOST_EVALUATIONS {
            self.is_incomplete = true;
            return (!added.shown_well.is_empty()).then_some(added);
        }
        self.known.insert(evaluation.clone(), index);
        self.evaluations.push((evaluation.clone(), run));
        self.made_well.push(ended_well);
        Some(added)
    }

    /// True if an evaluation was made, by a run that ended well where goals are wanted again.
    pub(crate) fn knows(&self, evaluation: &EvaluationKey, scope: Scope) -> bool {
        let known = self.known.get(evaluation);
        known.is_some_and(|&known| scope == Scope::Open || self.made_well[known])
    }

    /// Every evaluation kept, with the run that made it first.
    pub(crate) fn evaluations(&self) -> &[(EvaluationKey, u64)] {
        &self.evaluations
    }

    /// True if evaluations were made that are not kept.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// The two evaluations that show a condition, result true first.
    pub(crate) fn pair(&self, position: u32) -> Option<[&(EvaluationKey, u64); 2]> {
        let (held, failed) = (*self.pairs.get(position as usize)?)?;
        Some([&self.evaluations[held], &self.evaluations[failed]])
    }

    /// True if this evaluation would show a condition for which `is_open` holds.
    pub(crate) fn would_show(&self, evaluation: &EvaluationKey, is_open: impl Fn(u32) -> bool) -> bool {
        self.evaluations.iter().any(|(known, _)| known.shows(evaluation).is_some_and(&is_open))
    }

    /// Evaluations that would show a wanted condition together with a known one, as last listed; those for open
    /// conditions first.
    pub(crate) fn wanted(&self, scope: Scope) -> impl Iterator<Item = &Vector> {
        let again = if scope == Scope::Wanted { self.wanted_again.as_slice() } else { &[] };
        self.wanted.iter().chain(again)
    }

    /// Lists the wanted evaluations anew, for conditions that are open and for those wanted again.
    pub(crate) fn list_wanted(&mut self, open: &[bool], again: &[bool]) {
        self.wanted = self.showing(open);
        self.wanted_again = self.showing(again);
    }

    /// Evaluations that would show one of these conditions together with a known one.
    fn showing(&self, conditions: &[bool]) -> Vec<Vector> {
        let mut wanted = BTreeSet::new();
        let partners = &self.evaluations[self.evaluations.len().saturating_sub(MOST_PARTNERS)..];
        for position in (0..self.conditions).filter(|&position| conditions[position as usize]) {
            let before = wanted.len();
            for (known, _) in partners {
                if wanted.len() >= before + MOST_WANTED {
                    break;
                }
                self.add_wanted(known, position, &mut wanted);
            }
        }
        wanted.into_iter().collect()
    }

    /// The evaluations that differ from `known` in this condition and in the result. Up to the condition they go the
    /// same way; behind it, what `known` did not evaluate is free.
    fn add_wanted(&self, known: &EvaluationKey, position: u32, wanted: &mut BTreeSet<Vector>) {
        let Some(value) = known.value(position) else { return };
        let fixed = |at: u32| if at == position { Some(!value) } else { known.value(at) };
        let mut vector = Vector::new(self.conditions);
        // Free conditions in the order they were reached, and whether the second value is being tried.
        let mut free: Vec<(u32, bool)> = Vec::new();
        let mut order: Vec<u32> = Vec::new();
        let most = wanted.len() + MOST_WANTED;
        for _ in 0..MOST_STEPS {
            match self.shape.step(&|at| vector.get(at)) {
                EvaluationStep::Needs(at) => {
                    order.push(at);
                    vector.set(at, fixed(at).unwrap_or(false));
                    if fixed(at).is_none() {
                        free.push((at, false));
                    }
                    continue;
                }
                EvaluationStep::Result(result)
                    if result != known.result && vector.get(position).is_some() =>
                {
                    wanted.insert(vector.clone());
                }
                EvaluationStep::Result(_) => {}
            }
            // Back to the last free condition that has another value left.
            while free.last().is_some_and(|&(_, second)| second) {
                free.pop();
            }
            let Some((at, second)) = free.last_mut().filter(|_| wanted.len() < most) else { return };
            *second = true;
            let at = *at;
            while order.last().is_some_and(|&last| last != at) {
                vector.unset(order.pop().expect("it has a last one"));
            }
            vector.set(at, true);
        }
    }
}
