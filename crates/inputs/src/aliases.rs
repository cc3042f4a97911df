//! Pointers that may share an object: when that is worth a question, and which pointers must then stay as they are.
//!
//! Takes a question and the input it is asked about. What a path says about the bytes behind a pointer only holds while
//! the pointer leads there, so a pointer through which the path has looked into its object is *pinned*: another one must
//! move. Pointers that a clause orders or subtracts from each other belong into one object.
//!
//! Never: asking the solver, the domains of pointers.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use tarka_terms::{Assignment, BinaryOp, Evaluator, Node, Parts, Support, Term, Terms};
use tarka_trace::ARENA_BASE;

use crate::depends::depends_on;
use crate::shape::{DomainWidth, InputBytes, Shape};

/// Addresses that a clause is tried on.
const MOST_TRIED: usize = 256;

/// An address that nothing has: what a pointer is compared with to see whether a clause asks for more than null.
const NOBODYS: u64 = 0x5555_0000_1000;

/// Remembers which pointers terms mention; good for one shape.
#[derive(Default)]
pub struct Aliases {
    /// By what a term depends on: the clauses of a long loop share these sets, and sets share their parts.
    pointers: HashMap<Support, Box<[u32]>>,
    ordered: HashMap<Term, Vec<(u32, u32)>>,
}

impl Aliases {
    /// True if a question that has no answer with pointers to objects of their own may have one with aliases: one of
    /// its clauses relates two pointers, or one pointer with something that has a name, or speaks of a pointer that is
    /// an alias already, or that a union also sees as something else.
    pub fn may_help(
        &mut self,
        terms: &mut Terms,
        evaluator: &mut Evaluator,
        shape: &Shape,
        current: &InputBytes,
        (prefix, flipped): (&[Term], Term),
    ) -> bool {
        let all = || prefix.iter().copied().chain([flipped]);
        if all().all(|clause| self.pointers(terms, shape, clause).is_empty()) {
            return false;
        }
        let mut slice = depends_on(terms, prefix, flipped);
        slice.push(flipped);
        slice.into_iter().any(|clause| {
            let pointers = self.pointers(terms, shape, clause).to_vec();
            // Asked anew each time: what a pointer may share grows with the objects that exist.
            if !pointers.iter().any(|&slot| shape.has_aliases(slot)) {
                return false;
            }
            let [slot] = pointers[..] else { return true };
            shape.is_shared(slot)
                || is_alias(terms, evaluator, shape, current, slot)
                || asks_for_alias(terms, evaluator, shape, current, slot, clause)
        })
    }

    /// The pairs of pointers that a clause orders or subtracts from each other.
    pub fn ordered(&mut self, terms: &Terms, shape: &Shape, clause: Term) -> &[(u32, u32)] {
        if !self.ordered.contains_key(&clause) {
            let pairs = if self.pointers(terms, shape, clause).len() > 1 {
                self.find_ordered(terms, shape, clause)
            } else {
                Vec::new()
            };
            self.ordered.insert(clause, pairs);
        }
        &self.ordered[&clause]
    }

    /// The differences of two pointers that a clause computes: `end - position` as these two.
    pub fn differences(&mut self, terms: &Terms, shape: &Shape, clause: Term) -> Vec<(Term, Term)> {
        if self.pointers(terms, shape, clause).len() < 2 {
            return Vec::new();
        }
        let mut found = Vec::new();
        let (mut open, mut seen) = (vec![clause], HashSet::from([clause]));
        while let Some(term) = open.pop() {
            let node = terms.node(term);
            if let Node::Binary(BinaryOp::Sub, a, b) = *node
                && [a, b].into_iter().all(|side| self.pointers(terms, shape, side).len() == 1)
            {
                found.push((a, b));
            }
            node.for_each_operand(|operand| {
                if self.pointers(terms, shape, operand).len() > 1 && seen.insert(operand) {
                    open.push(operand);
                }
            });
        }
        found
    }

    fn find_ordered(&mut self, terms: &Terms, shape: &Shape, clause: Term) -> Vec<(u32, u32)> {
        let mut pairs = BTreeSet::new();
        let (mut open, mut seen) = (vec![clause], HashSet::from([clause]));
        while let Some(term) = open.pop() {
            let node = terms.node(term);
            if let Node::Binary(op, a, b) = *node
                && matches!(op, BinaryOp::Sub | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle)
                && terms.width(a) == 64
                && let ([one], &[other]) =
                    (&self.pointers(terms, shape, a).to_vec()[..], self.pointers(terms, shape, b))
                && *one != other
            {
                pairs.insert((*one.min(&other), *one.max(&other)));
            }
            node.for_each_operand(|operand| {
                if self.pointers(terms, shape, operand).len() > 1 && seen.insert(operand) {
                    open.push(operand);
                }
            });
        }
        pairs.into_iter().collect()
    }

    /// The pointers that a clause mentions, each once.
    pub fn pointers(&mut self, terms: &Terms, shape: &Shape, clause: Term) -> &[u32] {
        let set = terms.support(clause);
        self.find_pointers(terms, shape, set);
        &self.pointers[&set]
    }

    fn find_pointers(&mut self, terms: &Terms, shape: &Shape, set: Support) {
        if self.pointers.contains_key(&set) {
            return;
        }
        let slots: BTreeSet<u32> = match terms.support_parts(set) {
            Parts::Inputs(bytes) => bytes.iter().filter_map(|&byte| shape.pointer_slot(byte)).collect(),
            Parts::Union(one, other) => {
                self.find_pointers(terms, shape, one);
                self.find_pointers(terms, shape, other);
                self.pointers[&one].iter().chain(&self.pointers[&other]).copied().collect()
            }
        };
        self.pointers.insert(set, slots.into_iter().collect());
    }

    /// The pointers among those that a question mentions whose object it also looks into; of `followed`, if it is known
    /// through which pointers the path has looked.
    pub fn pinned(
        &mut self,
        terms: &Terms,
        shape: &Shape,
        current: &InputBytes,
        (prefix, flipped): (&[Term], Term),
        followed: Option<&BTreeSet<u32>>,
    ) -> BTreeSet<u32> {
        let all = || prefix.iter().copied().chain([flipped]);
        let mut slots = BTreeSet::new();
        for clause in all() {
            slots.extend(self.pointers(terms, shape, clause));
        }
        if slots.is_empty() {
            return slots;
        }
        // A path asks about the same bytes again and again.
        let sets: BTreeSet<Support> = all().map(|clause| terms.support(clause)).collect();
        let bytes: Vec<&[u32]> = sets.into_iter().map(|set| terms.members(set)).collect();
        let is_mentioned = |object: Range<u32>| {
            let is_in = |bytes: &&[u32]| {
                let first = bytes.partition_point(|&byte| byte < object.start);
                bytes.get(first).is_some_and(|&byte| byte < object.end)
            };
            bytes.iter().any(is_in)
        };
        let objects = shape.objects(current);
        let looks_into = |&slot: &u32| {
            let target = current.word(slot).checked_sub(ARENA_BASE).and_then(|at| u32::try_from(at).ok());
            let Some(target) = target else { return false };
            let mut objects = objects.iter().map(|object| object.offset..object.offset + object.size);
            let object = objects.find(|object| object.contains(&target));
            object.is_some_and(is_mentioned)
        };
        let is_followed = |slot: &u32| followed.is_none_or(|followed| followed.contains(slot));
        slots.into_iter().filter(is_followed).filter(looks_into).collect()
    }
}

/// "The pointer keeps its value".
pub fn stays(terms: &mut Terms, current: &InputBytes, slot: u32) -> Term {
    let mut all = terms.constant(1, 1);
    for byte in slot..slot + 8 {
        let (input, value) = (terms.input(byte), terms.constant(8, current.byte(byte).into()));
        let same = terms.binary(BinaryOp::Eq, input, value);
        all = terms.binary(BinaryOp::And, all, same);
    }
    all
}

/// True if the pointer leads to something else than an object of its own.
fn is_alias(
    terms: &mut Terms,
    evaluator: &mut Evaluator,
    shape: &Shape,
    current: &InputBytes,
    slot: u32,
) -> bool {
    // Narrow domains always hold the current value, so the question is asked about the default input.
    let own = shape.domain(terms, slot, &shape.default_input(), DomainWidth::Narrow);
    own.is_some_and(|own| evaluator.eval(terms, own, current) == 0)
}

/// True if the clause tells something that the pointer may share from any other address: `p == &table[3]`.
fn asks_for_alias(
    terms: &Terms,
    evaluator: &mut Evaluator,
    shape: &Shape,
    current: &InputBytes,
    slot: u32,
    clause: Term,
) -> bool {
    let mut value_at = |address: u64| {
        let bytes = address.to_le_bytes();
        let assignment = |byte: u32| match byte.checked_sub(slot) {
            Some(position @ 0..8) => bytes[position as usize],
            _ => current.byte(byte),
        };
        evaluator.eval(terms, clause, &assignment)
    };
    let elsewhere = value_at(NOBODYS);
    shape.shared_addresses(slot).into_iter().take(MOST_TRIED).any(|address| value_at(address) != elsewhere)
}
