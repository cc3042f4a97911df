//! The conditions of a decision as far as they are evaluated: one value or none for each.
//!
//! Takes values by position; gives whether two evaluations agree, and the key of a whole one. Never: what a decision is made of.

use tarka_source::{DecisionId, EvaluationKey};

/// Values of some conditions of one decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Vector {
    values: Vec<u32>,
    evaluated: Vec<u32>,
}

impl Vector {
    /// Nothing evaluated yet of so many conditions.
    pub(crate) fn new(conditions: u32) -> Vector {
        let words = conditions.div_ceil(32) as usize;
        Vector { values: vec![0; words], evaluated: vec![0; words] }
    }

    pub(crate) fn get(&self, position: u32) -> Option<bool> {
        let (word, bit) = (position as usize / 32, position % 32);
        let is_evaluated = self.evaluated.get(word).is_some_and(|word| word >> bit & 1 == 1);
        is_evaluated.then(|| self.values[word] >> bit & 1 == 1)
    }

    pub(crate) fn set(&mut self, position: u32, value: bool) {
        let (word, bit) = (position as usize / 32, position % 32);
        if let (Some(values), Some(evaluated)) = (self.values.get_mut(word), self.evaluated.get_mut(word)) {
            *evaluated |= 1 << bit;
            *values = *values & !(1 << bit) | u32::from(value) << bit;
        }
    }

    pub(crate) fn unset(&mut self, position: u32) {
        let (word, bit) = (position as usize / 32, position % 32);
        if let (Some(values), Some(evaluated)) = (self.values.get_mut(word), self.evaluated.get_mut(word)) {
            *evaluated &= !(1 << bit);
            *values &= !(1 << bit);
        }
    }

    /// True if no condition has a value in both and not the same.
    pub(crate) fn agrees(&self, other: &Vector) -> bool {
        let words = self.values.iter().zip(&other.values).zip(self.evaluated.iter().zip(&other.evaluated));
        words.map(|((a, b), (in_a, in_b))| (a ^ b) & in_a & in_b).all(|differing| differing == 0)
    }

    /// The evaluation with this result.
    pub(crate) fn key(&self, decision: DecisionId, result: bool) -> EvaluationKey {
        EvaluationKey::new(decision, &self.values, &self.evaluated, result)
    }
}
