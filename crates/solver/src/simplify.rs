//! Makes the sliced query smaller: conjunctions are split, clauses that hold anyway are dropped, and bytes that a
//! clause fixes to one value are put in everywhere. A clause that becomes false answers the query.

use crate::{Answer, Figures, Model, Query, Solver};
use std::collections::BTreeMap;
use tarka_terms::{BinaryOp, Node, Substitution, Term, Terms};

/// Values are put into queries of at most this many clauses: a longer query is not rebuilt.
const MAX_CLAUSES: usize = 2_000;

/// The simplifying layer.
pub(crate) struct Simplify<S> {
    inner: S,
}

impl<S> Simplify<S> {
    pub(crate) fn new(inner: S) -> Self {
        Simplify { inner }
    }
}

impl<S: Solver> Solver for Simplify<S> {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        let mut fixed = BTreeMap::new();
        let (mut prefix, mut flipped) = (query.prefix.to_vec(), query.flipped);
        loop {
            let Some(clauses) = flattened(terms, &prefix) else { return Answer::Unsat };
            prefix = clauses;
            if terms.as_constant(flipped) == Some(0) {
                return Answer::Unsat;
            }
            if prefix.len() > MAX_CLAUSES {
                break;
            }
            let fresh = fixed_bytes(terms, prefix.iter().copied().chain([flipped]));
            if fresh.is_empty() {
                break;
            }
            let mut substitution = Substitution::new(fresh.iter().map(|(input, value)| (*input, *value)));
            for clause in prefix.iter_mut().chain([&mut flipped]) {
                *clause = substitution.apply(terms, *clause);
            }
            fixed.extend(fresh);
        }
        // Clauses that became equal are one.
        prefix.sort_unstable();
        prefix.dedup();
        match self.inner.solve(terms, &Query { prefix: &prefix, flipped, ..*query }) {
            Answer::Sat(model) => {
                fixed.extend(model.bytes);
                Answer::Sat(Model { bytes: fixed.into_iter().collect() })
            }
            other => other,
        }
    }

    fn figures(&self) -> Figures {
        self.inner.figures()
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
    use crate::testing::{Recorder, query};

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
        let mut simplify = Simplify::new(Recorder::new(Answer::Sat(Model { bytes: vec![(2, 9)] })));
        let answer = simplify.solve(&mut t, &query(&[fixed], flipped));
        assert_eq!(answer, Answer::Sat(Model { bytes: vec![(0, 3), (2, 9)] }));
        let three = t.constant(8, 3);
        let product = t.binary(BinaryOp::Mul, b, three);
        let expected = t.binary(BinaryOp::Ult, product, c);
        assert_eq!(simplify.inner.seen, [(vec![], expected)]);
    }

    #[test]
    fn values_found_by_putting_in_values_are_put_in_too() {
        let mut t = Terms::new();
        let (a, b, c) = (t.input(0), t.input(1), t.input(2));
        let sum = t.binary(BinaryOp::Add, a, b);
        let (fixed, follows, flipped) =
            (eq(&mut t, a, 3), eq(&mut t, sum, 10), t.binary(BinaryOp::Ult, b, c));
        let mut simplify = Simplify::new(Recorder::new(Answer::Unsat));
        simplify.solve(&mut t, &query(&[fixed, follows], flipped));
        let seven = t.constant(8, 7);
        let expected = t.binary(BinaryOp::Ult, seven, c);
        assert_eq!(simplify.inner.seen, [(vec![], expected)]);
    }

    #[test]
    fn contradictions_need_no_solver() {
        let mut t = Terms::new();
        let a = t.input(0);
        let (three, four) = (eq(&mut t, a, 3), eq(&mut t, a, 4));
        let mut simplify = Simplify::new(Recorder::new(Answer::Unknown(crate::Reason::TimeLimit)));
        assert_eq!(simplify.solve(&mut t, &query(&[three], four)), Answer::Unsat);
    }
}
