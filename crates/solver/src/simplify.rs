//! Makes the sliced query smaller: conjunctions are split, clauses that hold anyway are dropped, and bytes that a
//! clause fixes to one value are put in everywhere. A clause that becomes false answers the query.

use crate::layer::{Layer, Question};
use crate::slots;
use crate::{Answer, Model};
use std::collections::BTreeMap;
use tarka_terms::{BinaryOp, Node, Substitution, Term, Terms};

/// Values are put into queries of at most this many clauses: a longer query is not rebuilt.
const MAX_CLAUSES: usize = 2_000;

/// The simplifying layer.
#[derive(Default)]
pub(crate) struct Simplify {
    /// Bytes that were put in.
    fixed: BTreeMap<u32, u8>,
}

impl Layer for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        self.fixed.clear();
        loop {
            let Some(clauses) = flattened(terms, &question.prefix) else { return Some(Answer::Unsat) };
            question.prefix = clauses;
            if terms.as_constant(question.flipped) == Some(0) {
                return Some(Answer::Unsat);
            }
            if question.prefix.len() > MAX_CLAUSES {
                break;
            }
            let fresh = fixed_bytes(terms, question.clauses());
            if fresh.is_empty() {
                break;
            }
            let mut substitution = Substitution::new(fresh.iter().map(|(input, value)| (*input, *value)));
            for clause in question.prefix.iter_mut().chain([&mut question.flipped]) {
                *clause = substitution.apply(terms, *clause);
            }
            self.fixed.extend(fresh);
        }
        // Remainders are hard for whoever decides: domains are spelt out.
        for clause in &mut question.prefix {
            *clause = slots::spelt_out(terms, *clause).unwrap_or(*clause);
        }
        // Clauses that became equal are one.
        question.prefix.sort_unstable();
        question.prefix.dedup();
        None
    }

    fn answered(&mut self, _: &mut Terms, _: &Question, answer: &mut Answer) {
        if let Answer::Sat(Model { bytes }) = answer {
            self.fixed.extend(bytes.iter().copied());
            *bytes = std::mem::take(&mut self.fixed).into_iter().collect();
        }
    }
}

/// The clauses with conjunctions split and true ones left out; `None` if one is false.
fn flattened(terms: &Terms, clauses: &[Term]) -> Option<Vec<Term>> {
    let mut flat = Vec::with_capacity(clauses.len());
    let mut open: Vec<Term> = clauses.iter().rev().copied().collect();
    while let Some(clause) = open.pop() {
        match *terms.node(clause) {
            Node::Const(0) => return None,
            Node::Const(_) => {}
            Node::Binary(BinaryOp::And, a, b) => open.extend([b, a]),
            _ => flat.push(clause),
        }
    }
    Some(flat)
}

/// Bytes that a clause says have one value. Of two values for a byte either will do: the other clause becomes false.
fn fixed_bytes(terms: &Terms, clauses: impl Iterator<Item = Term>) -> BTreeMap<u32, u8> {
    let mut fixed = BTreeMap::new();
    let mut open: Vec<Term> = clauses.collect();
    while let Some(clause) = open.pop() {
        let Node::Binary(op, a, b) = *terms.node(clause) else { continue };
        match (op, terms.node(a), terms.as_constant(b)) {
            (BinaryOp::And, ..) => open.extend([a, b]),
            (BinaryOp::Eq, Node::Input(byte), Some(value)) => {
                fixed.insert(*byte, value as u8);
            }
            _ => {}
        }
    }
    fixed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;

    fn eq(terms: &mut Terms, a: Term, value: u128) -> Term {
        let constant = terms.constant(terms.width(a), value);
        terms.binary(BinaryOp::Eq, a, constant)
    }

    #[test]
    fn fixed_bytes_are_put_in_and_come_back_in_the_model() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let product = t.binary(BinaryOp::Mul, a, b);
        let (fixed, flipped) = (eq(&mut t, a, 3), t.binary(BinaryOp::Ult, product, c));
        let (mut simplify, mut asked) = (Simplify::default(), question(&[fixed], flipped));
        assert_eq!(simplify.ask(&mut t, &mut asked), None);
        let mut answer = Answer::Sat(Model { bytes: vec![(2, 9)] });
        simplify.answered(&mut t, &asked, &mut answer);
        assert_eq!(answer, Answer::Sat(Model { bytes: vec![(0, 3), (2, 9)] }));
        let three = t.constant(8, 3);
        let product = t.binary(BinaryOp::Mul, b, three);
        let expected = t.binary(BinaryOp::Ult, product, c);
        assert_eq!((asked.prefix, asked.flipped), (vec![], expected));
    }

    #[test]
    fn values_found_by_putting_in_values_are_put_in_too() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let sum = t.binary(BinaryOp::Add, a, b);
        let (fixed, follows, flipped) =
            (eq(&mut t, a, 3), eq(&mut t, sum, 10), t.binary(BinaryOp::Ult, b, c));
        let mut asked = question(&[fixed, follows], flipped);
        Simplify::default().ask(&mut t, &mut asked);
        let seven = t.constant(8, 7);
        let expected = t.binary(BinaryOp::Ult, seven, c);
        assert_eq!((asked.prefix, asked.flipped), (vec![], expected));
    }

    #[test]
    fn contradictions_need_no_solver() {
        let mut t = Terms::new();
        let a = t.input(0);
        let (three, four) = (eq(&mut t, a, 3), eq(&mut t, a, 4));
        assert_eq!(Simplify::default().ask(&mut t, &mut question(&[three], four)), Some(Answer::Unsat));
    }
}
