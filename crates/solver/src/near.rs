//! Keeps what need not change: parts of a model that may as well have their current value get it back, and what must
//! change gets a small value.
//!
//! Z3 fills bytes as it happens to find them. A test is easier to read, and the next run closer to the last one, when
//! only the bytes differ that must, and those are no arbitrary numbers. Whole numbers are tried first, then single bytes,
//! high ones before low ones: of a little-endian number the small value remains. A part that may only have a few values
//! gets the first of them that will do.

use crate::Answer;
use crate::layer::{Layer, Question};
use crate::slots::{self, bytes_of_word};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use tarka_terms::semantics::{mask, signed};
use tarka_terms::{Evaluator, Node, Term, Terms};

/// Most terms that are evaluated for a model, all evaluations together: some 20 ms.
const MAX_TERM_EVALUATIONS: usize = 1_000_000;
/// Terms that are looked through for numbers.
const MAX_TERMS: usize = 20_000;

/// The restoring layer.
#[derive(Default)]
pub(crate) struct Near {
    evaluator: Evaluator,
}

impl Layer for Near {
    fn name(&self) -> &'static str {
        "near"
    }

    fn ask(&mut self, _: &mut Terms, _: &mut Question) -> Option<Answer> {
        None
    }

    fn answered(&mut self, terms: &mut Terms, question: &Question, answer: &mut Answer) {
        if let Answer::Sat(model) = answer {
            let evaluations = MAX_TERM_EVALUATIONS / question.size(terms, MAX_TERM_EVALUATIONS);
            let values = model.bytes.iter().copied().collect();
            let mut nearer = Nearer { terms, question, evaluator: &mut self.evaluator, evaluations, values };
            nearer.run();
            model.bytes = nearer.values.into_iter().collect();
        }
    }
}

/// One model on its way to the current input.
struct Nearer<'a> {
    terms: &'a Terms,
    question: &'a Question<'a>,
    evaluator: &'a mut Evaluator,
    /// How often all clauses may still be evaluated.
    evaluations: usize,
    values: BTreeMap<u32, u8>,
}

impl Nearer<'_> {
    fn run(&mut self) {
        let slots = slots::of_question(self.terms, self.question);
        let words = words(self.terms, self.question);
        for bytes in slots.iter().map(|slot| &slot.bytes).chain(&words) {
            let current = self.current(bytes);
            self.attempt(bytes, &current);
        }
        let bytes: Vec<u32> = self.values.keys().rev().copied().collect();
        for byte in bytes {
            self.attempt(&[byte], &[self.question.current.byte(byte)]);
        }
        for slot in slots.iter().filter(|slot| self.differs(&slot.bytes)).collect::<Vec<_>>() {
            slot.values.iter().any(|value| self.attempt(&slot.bytes, value));
        }
        for word in words {
            if self.differs(&word) && !slots.iter().any(|slot| slot.bytes.contains(&word[0])) {
                self.shrink(&word);
            }
        }
    }

    /// The smallest number of the sign it has, as far as a binary search finds it.
    fn shrink(&mut self, word: &[u32]) {
        let width = 8 * word.len() as u16;
        let number = self.number(word);
        let attempt = |nearer: &mut Self, value: i128| {
            let bytes = (value as u128 & mask(width)).to_le_bytes();
            nearer.attempt(word, &bytes[..word.len()])
        };
        if attempt(self, 0) || attempt(self, number.signum()) {
            return;
        }
        // The magnitude fails at `low` and holds at `high`.
        let (mut low, mut high) = (1, number.unsigned_abs());
        let mut step = 2;
        while step < high && !attempt(self, number.signum().wrapping_mul(step as i128)) {
            low = step;
            step *= 2;
        }
        high = high.min(step);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if attempt(self, number.signum().wrapping_mul(middle as i128)) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    fn current(&self, bytes: &[u32]) -> Vec<u8> {
        bytes.iter().map(|byte| self.question.current.byte(*byte)).collect()
    }

    fn value(&self, bytes: &[u32]) -> Vec<u8> {
        let value = |byte: &u32| self.values.get(byte).copied();
        bytes.iter().map(|byte| value(byte).unwrap_or_else(|| self.question.current.byte(*byte))).collect()
    }

    fn number(&self, word: &[u32]) -> i128 {
        let bits = self.value(word).iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
        signed(8 * word.len() as u16, bits)
    }

    fn differs(&self, bytes: &[u32]) -> bool {
        self.value(bytes) != self.current(bytes)
    }

    /// Gives bytes these values if every clause still holds then; says whether they have them.
    fn attempt(&mut self, bytes: &[u32], values: &[u8]) -> bool {
        let before = self.value(bytes);
        if before == values {
            return true;
        }
        let Some(left) = self.evaluations.checked_sub(1) else { return false };
        self.evaluations = left;
        self.values.extend(bytes.iter().copied().zip(values.iter().copied()));
        let (question, now) = (self.question, &self.values);
        let assignment =
            |input: u32| now.get(&input).copied().unwrap_or_else(|| question.current.byte(input));
        let holds = self.evaluator.first_false(self.terms, question.clauses(), &assignment).is_none();
        if !holds {
            self.values.extend(bytes.iter().copied().zip(before));
        }
        holds
    }
}

/// The numbers a query computes with, as their bytes, lowest first: larger ones before the parts of them. None if it
/// computes with floats, whose bits are no such numbers.
fn words(terms: &Terms, question: &Question) -> Vec<Vec<u32>> {
    let mut words: Vec<Vec<u32>> = Vec::new();
    let mut taken = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut open: Vec<Term> = question.clauses().collect();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        let is_float = match node {
            Node::Unary(op, _) => op.is_float(),
            Node::Binary(op, ..) => op.is_float(),
            Node::Convert(..) | Node::FCmp(..) | Node::Fma(..) => true,
            _ => false,
        };
        if is_float || seen.len() > MAX_TERMS {
            return Vec::new();
        }
        if let Some(bytes) = bytes_of_word(terms, term) {
            words.push(bytes);
        } else {
            node.for_each_operand(|operand| open.push(operand));
        }
        if let Node::Read(table, _) = *node {
            open.extend(terms.table_entries(table));
        }
    }
    words.sort_by_key(|word| (usize::MAX - word.len(), word[0]));
    words.retain(|word| {
        let free = word.iter().all(|byte| !taken.contains(byte));
        taken.extend(word.iter().copied());
        free
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::layer::testing::question;
    use tarka_terms::BinaryOp;

    fn nearest(terms: &mut Terms, prefix: &[Term], flipped: Term, found: &[(u32, u8)]) -> Vec<(u32, u8)> {
        let mut answer = Answer::Sat(Model { bytes: found.to_vec() });
        Near::default().answered(terms, &question(prefix, flipped), &mut answer);
        match answer {
            Answer::Sat(model) => model.bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_must_change_becomes_small() {
        let mut terms = Terms::new();
        let (low, high) = (terms.input(0), terms.input(1));
        let (word, limit) = (terms.concat(high, low), terms.constant(16, 20));
        let flipped = terms.binary(BinaryOp::Ult, limit, word);
        assert_eq!(nearest(&mut terms, &[], flipped, &[(0, 0x77), (1, 0x9a)]), [(0, 21), (1, 0)]);
        let least = terms.constant(16, -300i16 as u16 as u128);
        let flipped = terms.binary(BinaryOp::Slt, word, least);
        let [low, high] = (-301i16).to_le_bytes();
        assert_eq!(nearest(&mut terms, &[], flipped, &[(0, 0x12), (1, 0x80)]), [(0, low), (1, high)]);
    }

    #[test]
    fn what_need_not_change_keeps_its_value() {
        let mut terms = Terms::new();
        let (a, b, five) = (terms.input(0), terms.input(1), terms.constant(8, 5));
        let sum = terms.binary(BinaryOp::Add, a, b);
        let flipped = terms.binary(BinaryOp::Eq, sum, five);
        let found = nearest(&mut terms, &[], flipped, &[(0, 5), (1, 0), (9, 77)]);
        assert_eq!(found, [(0, 5), (1, 0), (9, 0)]);
    }

    #[test]
    fn of_a_few_values_the_first_that_will_do_is_taken() {
        let mut terms = Terms::new();
        let (a, b) = (terms.input(0), terms.input(1));
        let domain = [0, 70, 10, 30].into_iter().fold(terms.constant(1, 0), |any, value| {
            let value = terms.constant(8, value);
            let equal = terms.binary(BinaryOp::Eq, a, value);
            terms.binary(BinaryOp::Or, any, equal)
        });
        let (product, zero) = (terms.binary(BinaryOp::Mul, a, b), terms.constant(8, 0));
        let flipped = terms.binary(BinaryOp::Ult, zero, product);
        assert_eq!(nearest(&mut terms, &[domain], flipped, &[(0, 30), (1, 99)]), [(0, 70), (1, 1)]);
    }
}
