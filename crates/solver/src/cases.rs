//! A part of the input that may have a few values, such as a pointer that may lead to two objects: each case on its own.
//!
//! Takes a question; puts in each value in turn and asks the layers that simplify and narrow. A case with a model answers it,
//! and so do all cases if none has one. With the value in place, sums of a pointer and an index become sums of an index and
//! a number, of which ranges and differences say much.

use crate::Answer;
use crate::few::Few;
use crate::intervals::{Intervals, SharedAnalysis};
use crate::layer::{Layer, Question};
use crate::simplify::Simplify;
use crate::slots::{self, Slot};
use std::cmp::Reverse;
use tarka_terms::{Evaluator, Substitution, Terms};

/// So many cases are looked at, of one part or of several together.
const MAX_CASES: usize = 4;
/// Longer questions are passed on.
const MAX_CLAUSES: usize = 500;

/// The layer that looks at cases.
#[derive(Default)]
pub(crate) struct Cases {
    evaluator: Evaluator,
}

impl Cases {
    /// An answer, if so many cases give one. The first that has none ends it: to look on would mostly be in vain.
    fn by_case(&mut self, terms: &mut Terms, question: &Question, most: usize) -> Option<Answer> {
        let (slot, values) = self.slot(terms, question, most)?;
        let most_of_each = most / values.len().max(1);
        for value in values {
            let bytes = slot.bytes.iter().copied().zip(value);
            let mut substitution = Substitution::new(bytes.clone());
            let prefix = question.prefix.iter().map(|clause| substitution.apply(terms, *clause)).collect();
            let flipped = substitution.apply(terms, question.flipped);
            let mut case = Question { prefix, flipped, core: None, left: Vec::new(), ..*question };
            match self.simply(terms, &mut case, most_of_each)? {
                Answer::Sat(mut model) => {
                    model.bytes.extend(bytes);
                    model.bytes.sort_unstable();
                    return Some(Answer::Sat(model));
                }
                Answer::Unsat => {}
                _ => return None,
            }
        }
        Some(Answer::Unsat)
    }

    /// What the simple layers answer, perhaps by cases of another part.
    fn simply(&mut self, terms: &mut Terms, case: &mut Question, most: usize) -> Option<Answer> {
        let analysis = SharedAnalysis::default();
        let mut simplify = Simplify::with(analysis.clone());
        if let Some(answer) = simplify.ask(terms, case) {
            return Some(answer);
        }
        let answer = Intervals::with(analysis).ask(terms, case).or_else(|| Few::little().ask(terms, case));
        let mut answer = answer.or_else(|| self.by_case(terms, case, most))?;
        simplify.answered(terms, case, &mut answer);
        Some(answer)
    }

    /// The part that most clauses speak of, among those with a few values, and the values that it may have.
    fn slot(&mut self, terms: &Terms, question: &Question, most: usize) -> Option<(Slot, Vec<Vec<u8>>)> {
        if most < 2 {
            return None;
        }
        let mut found = slots::of_question(terms, question);
        found.retain(|slot| slot.complete && slot.values.len() > 1);
        let mentions = |slot: &Slot| question.clauses().filter(|clause| slot.is_in(terms, *clause)).count();
        found.sort_by_cached_key(|slot| Reverse(mentions(slot)));
        found.into_iter().find_map(|slot| {
            let values: Vec<Vec<u8>> = slot.possible(terms, question, &mut self.evaluator).cloned().collect();
            (values.len() <= most).then_some((slot, values))
        })
    }
}

impl Layer for Cases {
    fn name(&self) -> &'static str {
        "cases"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        if question.prefix.len() > MAX_CLAUSES {
            return None;
        }
        self.by_case(terms, question, MAX_CASES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::layer::testing::question;
    use tarka_terms::{BinaryOp, Term};

    /// A pointer to one of two objects of 16 bytes, an index behind it, and where they lead.
    fn place(terms: &mut Terms) -> (Term, Term, Term) {
        let bytes: Vec<Term> = (0..4).map(|byte| terms.input(byte)).collect();
        let (pointer, index) = (terms.concat(bytes[1], bytes[0]), terms.concat(bytes[3], bytes[2]));
        let [one, other] = [0x1000, 0x2000].map(|address| {
            let address = terms.constant(16, address);
            terms.binary(BinaryOp::Eq, pointer, address)
        });
        (terms.binary(BinaryOp::Or, one, other), index, terms.binary(BinaryOp::Add, pointer, index))
    }

    fn with(terms: &mut Terms, op: BinaryOp, a: Term, number: u128) -> Term {
        let number = terms.constant(terms.width(a), number);
        terms.binary(op, a, number)
    }

    #[test]
    fn a_contradiction_in_every_case_is_one() {
        let mut t = Terms::new();
        let (domain, index, place) = place(&mut t);
        let length = {
            let (low, high) = (t.input(4), t.input(5));
            t.concat(high, low)
        };
        let from = t.constant(16, 0x1000);
        let at = t.binary(BinaryOp::Sub, place, from);
        let next = with(&mut t, BinaryOp::Add, index, 1);
        let second = with(&mut t, BinaryOp::Add, index, 2);
        let prefix = [
            domain,
            with(&mut t, BinaryOp::Ult, at, 16),
            t.binary(BinaryOp::Ult, next, length),
            t.binary(BinaryOp::Ule, length, second),
        ];
        let same = t.binary(BinaryOp::Eq, length, second);
        let flipped = t.not(same);
        let answer = Cases::default().ask(&mut t, &mut question(&prefix, flipped));
        // With the second pointer the index wraps round, and the sums with it do not.
        assert_eq!(answer, Some(Answer::Unsat));
    }

    #[test]
    fn a_model_has_the_value_of_its_case() {
        let mut t = Terms::new();
        let (domain, index, place) = place(&mut t);
        let small = with(&mut t, BinaryOp::Ult, index, 16);
        let flipped = with(&mut t, BinaryOp::Eq, place, 0x2007);
        let expected = Answer::Sat(Model { bytes: vec![(0, 0), (1, 0x20), (2, 7), (3, 0)] });
        assert_eq!(Cases::default().ask(&mut t, &mut question(&[domain, small], flipped)), Some(expected));
    }

    #[test]
    fn a_case_that_stays_open_leaves_the_question_open() {
        let mut t = Terms::new();
        let (domain, index, place) = place(&mut t);
        let other = {
            let (low, high) = (t.input(6), t.input(7));
            t.concat(high, low)
        };
        let product = t.binary(BinaryOp::Mul, index, other);
        let flipped = t.binary(BinaryOp::Eq, product, place);
        let bound = with(&mut t, BinaryOp::Ult, other, 0x7777);
        let odd = with(&mut t, BinaryOp::Eq, product, 0x4321);
        let answer = Cases::default().ask(&mut t, &mut question(&[domain, bound, odd], flipped));
        assert!(!matches!(answer, Some(Answer::Unsat)), "{answer:?}");
    }
}
