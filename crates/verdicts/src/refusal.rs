//! Was it the program or our own bounds on inputs that made a branch impossible?
//!
//! Takes a candidate without an input; notes a loss if the constraints it depends on mention a pointer that is only
//! tried as null, or a check that keeps an index inside an object of guessed size.

use std::collections::{HashMap, HashSet};

use tarka_search::{NodeId, PathTree};
use tarka_terms::{Term, Terms};

use crate::losses::Losses;
use crate::since::Since;
use tarka_inputs::{OnlyNull, Shape, depends_on};

/// A candidate without an input.
pub struct Refused<'a> {
    /// Where it stands in the tree.
    pub tree: &'a PathTree,
    /// The node that it is a way out of.
    pub node: NodeId,
    /// What the path before it says.
    pub prefix: &'a [Term],
    /// What it takes.
    pub flipped: Term,
    /// What lies behind it is not explored.
    pub since: Since,
}

/// Remembers which terms mention a bounded pointer; good for one shape.
#[derive(Default)]
pub struct Refusals {
    bounded: HashMap<Term, Option<OnlyNull>>,
}

impl Refusals {
    /// Notes which bounds have a part in it.
    pub fn note(&mut self, losses: &mut Losses, terms: &Terms, shape: &Shape, refused: &Refused) {
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
