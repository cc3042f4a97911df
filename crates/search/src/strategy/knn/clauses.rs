//! Hashes of clauses: of their shape alone, and with constants and input bytes.
//!
//! Takes a decision of a path and the way it goes. Each term is hashed once per store, so that a run costs time linear
//! in its new terms. The site belongs to the shape: where terms have only numbered input bytes, it is what tells one
//! object's fields from another's.

use tarka_terms::{Node, Term, Terms};

use super::fingerprint::Clause;
use crate::paths::constraint::Outcome;
use crate::paths::tree::PathNode;

/// Hashes of the terms of one store.
#[derive(Default)]
pub(super) struct ClauseHasher {
    store: Option<u64>,
    of_term: Vec<Option<Clause>>,
}

impl ClauseHasher {
    /// The clause that a decision goes this way.
    pub(super) fn clause(&mut self, terms: &Terms, node: &PathNode, outcome: Outcome) -> Clause {
        let operand = self.term(terms, node.operand);
        let way = mix(mix(node.kind as u64, node.site as u64), outcome);
        Clause { shape: mix(way, operand.shape), whole: mix(way, operand.whole) }
    }

    fn term(&mut self, terms: &Terms, term: Term) -> Clause {
        if self.store != Some(terms.identity()) {
            *self = ClauseHasher { store: Some(terms.identity()), of_term: Vec::new() };
        }
        if let Some(&Some(known)) = self.of_term.get(term.index()) {
            return known;
        }
        self.of_term.resize(terms.len(), None);
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.of_term[next.index()].is_none() {
                let known = open.len();
                terms.node(next).for_each_operand(|operand| {
                    if self.of_term[operand.index()].is_none() {
                        open.push(operand);
                    }
                });
                if open.len() > known {
                    continue;
                }
                self.of_term[next.index()] = Some(self.combine(terms, next));
            }
            open.pop();
        }
        self.of_term[term.index()].expect("the loop above has hashed it")
    }

    /// The hash of a term whose operands are hashed.
    fn combine(&self, terms: &Terms, term: Term) -> Clause {
        let width = terms.width(term) as u64;
        // The first number belongs to the shape, the second only to the whole.
        let (kind, number) = match *terms.node(term) {
            Node::Const(value) => (1, value as u64 ^ (value >> 64) as u64),
            Node::Input(byte) => (2, byte as u64),
            Node::Unary(op, _) => (0x100 | op as u64, 0),
            Node::Binary(op, ..) => (0x200 | op as u64, 0),
            Node::Concat(..) => (3, 0),
            Node::Extract(_, low) => (9, low as u64),
            Node::ZExt(_) => (4, 0),
            Node::SExt(_) => (5, 0),
            Node::Ite(..) => (6, 0),
            Node::Read(table, _) => (7, table.index() as u64),
            Node::Convert(op, _) => (0x400 | op as u64, 0),
            Node::FCmp(relations, ..) => (0x500 | relations as u64, 0),
            Node::Fma(..) => (8, 0),
        };
        let shape = mix(kind, width);
        let mut hash = Clause { shape, whole: mix(shape, number) };
        terms.node(term).for_each_operand(|operand| {
            if let Some(below) = self.of_term[operand.index()] {
                hash = Clause { shape: mix(hash.shape, below.shape), whole: mix(hash.whole, below.whole) };
            }
        });
        hash
    }
}

fn mix(hash: u64, number: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}
