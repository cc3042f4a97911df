//! Was it the program or our own bounds on inputs that made a branch impossible?
//!
//! Takes a candidate without an input; notes a loss if the constraints it depends on mention a pointer that is only
//! tried as null, or a check that keeps an index inside an object of guessed size.

use std::collections::{HashMap, HashSet};

use tarka_search::{NodeId, PathTree};
use tarka_terms::{Term, Terms};

use crate::losses::Losses;
use crate::shape::{OnlyNull, Shape};
use crate::since::Since;

/// Prefixes longer than this are not sliced; every bound on them counts.
const LONGEST_SLICED: usize = 2000;

/// A candidate without an input.
pub(crate) struct Refused<'a> {
    pub tree: &'a PathTree,
    pub node: NodeId,
    pub prefix: &'a [Term],
    pub flipped: Term,
    /// What lies behind it is not explored.
    pub since: Since,
}

/// Remembers which terms mention a bounded pointer; good for one shape.
#[derive(Default)]
pub(crate) struct Refusals {
    bounded: HashMap<Term, Option<OnlyNull>>,
}

impl Refusals {
    pub(crate) fn note(&mut self, losses: &mut Losses, terms: &Terms, shape: &Shape, refused: &Refused) {
        let Refused { tree, node, prefix, flipped, since } = *refused;
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
        let mut cut_off = |why| *losses.only_null.entry(why).or_default().entry(since).or_default() += 1;
        if let Some(why) = self.bounded_pointer(terms, shape, flipped) {
            cut_off(why);
        }
        if guesses.is_empty() && !bound_in_prefix {
            return;
        }
        for clause in depends_on(terms, prefix, flipped) {
            if let Some(why) = self.bounded_pointer(terms, shape, clause) {
                cut_off(why);
            }
            if guesses.contains(&clause) {
                *losses.guessed_size.entry(since).or_default() += 1;
            }
        }
    }

    fn bounded_pointer(&mut self, terms: &Terms, shape: &Shape, clause: Term) -> Option<OnlyNull> {
        let find = || terms.inputs(clause).iter().find_map(|&byte| shape.only_null(byte));
        *self.bounded.entry(clause).or_insert_with(find)
    }
}

/// The clauses of a prefix that share input bytes with the flipped one, directly or through others.
pub(crate) fn depends_on(terms: &Terms, prefix: &[Term], flipped: Term) -> Vec<Term> {
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
