//! Was it the program or our own bounds on inputs that made a branch impossible?
//!
//! Takes a candidate without an input; says whether aliases of pointers could help it, and notes a loss if the
//! constraints it depends on mention a pointer that is only tried as null, or a check that keeps an index inside an
//! object of guessed size.

use std::collections::{BTreeSet, HashMap, HashSet};

use tarka_search::{NodeId, PathTree};
use tarka_terms::{Assignment, Evaluator, Term, Terms};

use crate::losses::Losses;
use crate::shape::{DomainWidth, InputBytes, OnlyNull, Shape};

/// Prefixes longer than this are not sliced; every bound on them counts.
const LONGEST_SLICED: usize = 2000;

/// Addresses that a clause is tried on.
const MOST_TRIED: usize = 256;

/// An address that nothing has: what a pointer is compared with to see whether a clause asks for more than null.
const NOBODYS: u64 = 0x5555_0000_1000;

/// A candidate without an input.
pub(crate) struct Refused<'a> {
    pub tree: &'a PathTree,
    pub node: NodeId,
    pub prefix: &'a [Term],
    pub flipped: Term,
}

/// Remembers what terms mention; good for one shape.
#[derive(Default)]
pub(crate) struct Refusals {
    bounded: HashMap<Term, Option<OnlyNull>>,
    /// Pointers that a clause mentions.
    pointers: HashMap<Term, Vec<u32>>,
}

impl Refusals {
    pub(crate) fn note(&mut self, losses: &mut Losses, terms: &Terms, shape: &Shape, refused: &Refused) {
        let Refused { tree, node, prefix, flipped } = *refused;
        let guesses: HashSet<Term> = tree
            .ancestors(node)
            .into_iter()
            .filter(|&(ancestor, _)| tree.node(ancestor).guards_guess)
            .map(|(_, constraint)| constraint)
            .collect();
        let mut bound_in_prefix = false;
        for &clause in prefix {
            bound_in_prefix |= self.bounded_pointer(terms, shape, clause).is_some();
        }
        if let Some(why) = self.bounded_pointer(terms, shape, flipped) {
            *losses.only_null.entry(why).or_default() += 1;
        }
        if guesses.is_empty() && !bound_in_prefix {
            return;
        }
        for clause in depends_on(terms, prefix, flipped) {
            if let Some(why) = self.bounded_pointer(terms, shape, clause) {
                *losses.only_null.entry(why).or_default() += 1;
            }
            losses.guessed_size += u64::from(guesses.contains(&clause));
        }
    }

    fn bounded_pointer(&mut self, terms: &Terms, shape: &Shape, clause: Term) -> Option<OnlyNull> {
        let find = || terms.inputs(clause).iter().find_map(|&byte| shape.only_null(byte));
        *self.bounded.entry(clause).or_insert_with(find)
    }

    /// True if a question that has no answer with pointers to objects of their own may have one with aliases: one of
    /// its clauses relates two pointers, or one pointer with something that has a name, or speaks of a pointer that is
    /// an alias already, or that a union also sees as something else.
    pub(crate) fn aliases_may_help(
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

    /// The pointers that a clause mentions, each once.
    fn pointers(&mut self, terms: &Terms, shape: &Shape, clause: Term) -> &[u32] {
        self.pointers.entry(clause).or_insert_with(|| {
            let bytes = terms.inputs(clause).iter();
            let slots: BTreeSet<u32> = bytes.filter_map(|&byte| shape.pointer_slot(byte)).collect();
            slots.into_iter().collect()
        })
    }
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

/// The clauses of a prefix that share input bytes with the flipped one, directly or through others.
fn depends_on(terms: &Terms, prefix: &[Term], flipped: Term) -> Vec<Term> {
    if prefix.len() > LONGEST_SLICED {
        return prefix.to_vec();
    }
    let mut bytes: HashSet<u32> = terms.inputs(flipped).iter().copied().collect();
    let mut outside: Vec<Term> = prefix.to_vec();
    let mut inside = Vec::new();
    loop {
        let touches = |clause: &Term| terms.inputs(*clause).iter().any(|byte| bytes.contains(byte));
        let (more, rest): (Vec<Term>, Vec<Term>) = outside.into_iter().partition(touches);
        if more.is_empty() {
            return inside;
        }
        for clause in &more {
            bytes.extend(terms.inputs(*clause));
        }
        inside.extend(more);
        outside = rest;
    }
}
