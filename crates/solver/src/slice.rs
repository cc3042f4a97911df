//! The slice: only clauses that share input bytes with the flipped one, directly or through others, can matter.
//!
//! The other clauses hold on the current input and keep the bytes they speak of, so the slice has a model exactly if
//! the whole query has one. Clauses are grouped by a union-find over their shared sets of inputs; a set that many
//! clauses share is looked at once, so a query costs time linear in its prefix. The domains of all bytes of the slice
//! are added to it.

use crate::Answer;
use crate::layer::{Layer, Question};
use rustc_hash::FxHashSet;
use tarka_terms::{Parts, Support, Term, Terms};

/// The slicing layer.
#[derive(Default)]
pub(crate) struct Slice {
    groups: Groups,
}

impl Layer for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }

    fn ask(&mut self, terms: &mut Terms, question: &mut Question) -> Option<Answer> {
        question.prefix = self.groups.slice(terms, question);
        None
    }
}

/// A union-find over input bytes and sets of them. Tables are kept between queries and told apart by round.
#[derive(Default)]
pub(crate) struct Groups {
    round: u32,
    /// For each input byte and each set the round in which it was entered, and its parent there.
    inputs: Vec<(u32, u32)>,
    sets: Vec<(u32, u32)>,
    /// The forest; a root is its own parent.
    parents: Vec<u32>,
    /// Input bytes that were entered, with their node.
    entered: Vec<(u32, u32)>,
    open: Vec<(Support, u32)>,
}

impl Groups {
    /// The clauses of the prefix in the flipped clause's group, and the domains of its bytes.
    fn slice(&mut self, terms: &mut Terms, question: &Question) -> Vec<Term> {
        self.restart();
        let flipped = self.enter(terms, terms.support(question.flipped));
        let nodes: Vec<u32> =
            question.prefix.iter().map(|clause| self.enter(terms, terms.support(*clause))).collect();
        let domains = self.add_domains(terms, question, flipped);
        let root = self.root(flipped);
        let mut seen = FxHashSet::default();
        let clauses = question.prefix.iter().zip(&nodes).filter(|(_, node)| self.root(**node) == root);
        let clauses: Vec<Term> = clauses.map(|(clause, _)| *clause).collect();
        clauses.into_iter().chain(domains).filter(|clause| seen.insert(*clause)).collect()
    }

    /// For each of these clauses the number of its group: the same for clauses that share bytes, through others too.
    pub(crate) fn of_clauses(&mut self, terms: &Terms, clauses: impl Iterator<Item = Term>) -> Vec<u32> {
        self.restart();
        let nodes: Vec<u32> = clauses.map(|clause| self.enter(terms, terms.support(clause))).collect();
        nodes.into_iter().map(|node| self.root(node)).collect()
    }

    /// Domain clauses of every byte of the group; one that reaches further bytes makes the group larger.
    fn add_domains(&mut self, terms: &mut Terms, question: &Question, flipped: u32) -> Vec<Term> {
        let mut domains = Vec::new();
        let mut asked = FxHashSet::default();
        loop {
            let root = self.root(flipped);
            let mut fresh = Vec::new();
            for position in 0..self.entered.len() {
                let (input, node) = self.entered[position];
                if self.root(node) == root && asked.insert(input) {
                    fresh.push(input);
                }
            }
            if fresh.is_empty() {
                return domains;
            }
            fresh.sort_unstable();
            for input in fresh {
                if let Some(clause) = (question.domain)(terms, input) {
                    let node = self.enter(terms, terms.support(clause));
                    self.join(node, flipped);
                    domains.push(clause);
                }
            }
        }
    }

    fn restart(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.inputs.clear();
            self.sets.clear();
            self.round = 1;
        }
        self.parents.clear();
        self.entered.clear();
    }

    /// The node of a set, joined with the nodes of everything in it.
    fn enter(&mut self, terms: &Terms, set: Support) -> u32 {
        if self.sets.len() < terms.support_count() {
            self.sets.resize(terms.support_count(), (0, 0));
        }
        let (node, known) = self.set_node(set);
        if known {
            return node;
        }
        self.open.push((set, node));
        while let Some((set, node)) = self.open.pop() {
            match terms.support_parts(set) {
                Parts::Inputs(inputs) => {
                    for input in inputs {
                        let input_node = self.input_node(*input);
                        self.join(node, input_node);
                    }
                }
                Parts::Union(left, right) => {
                    for part in [left, right] {
                        let (part_node, known) = self.set_node(part);
                        self.join(node, part_node);
                        if !known {
                            self.open.push((part, part_node));
                        }
                    }
                }
            }
        }
        node
    }

    /// The node of a set and whether it was there before.
    fn set_node(&mut self, set: Support) -> (u32, bool) {
        let (round, node) = self.sets[set.index()];
        if round == self.round {
            return (node, true);
        }
        let node = self.new_node();
        self.sets[set.index()] = (self.round, node);
        (node, false)
    }

    fn input_node(&mut self, input: u32) -> u32 {
        let position = input as usize;
        if self.inputs.len() <= position {
            self.inputs.resize(position + 1, (0, 0));
        }
        let (round, node) = self.inputs[position];
        if round == self.round {
            return node;
        }
        let node = self.new_node();
        self.inputs[position] = (self.round, node);
        self.entered.push((input, node));
        node
    }

    fn new_node(&mut self) -> u32 {
        let node = self.parents.len() as u32;
        self.parents.push(node);
        node
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            let above = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = above;
            node = above;
        }
        node
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        // The older node stays the root: clauses come in path order, so trees stay shallow.
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::testing::question;
    use std::time::Instant;
    use tarka_terms::BinaryOp;

    fn less(terms: &mut Terms, a: u32, b: u32) -> Term {
        let (a, b) = (terms.input(a), terms.input(b));
        terms.binary(BinaryOp::Ult, a, b)
    }

    fn sliced(terms: &mut Terms, mut question: Question) -> Vec<Term> {
        assert_eq!(Slice::default().ask(terms, &mut question), None);
        question.prefix
    }

    #[test]
    fn clauses_are_kept_that_share_inputs_through_others() {
        let mut terms = Terms::new();
        let t = &mut terms;
        let clauses = [less(t, 0, 1), less(t, 5, 6), less(t, 1, 2), less(t, 7, 7 + 1), less(t, 2, 3)];
        let flipped = less(t, 3, 4);
        assert_eq!(sliced(t, question(&clauses, flipped)), [clauses[0], clauses[2], clauses[4]]);
        let flipped = less(t, 6, 9);
        assert_eq!(sliced(t, question(&clauses, flipped)), [clauses[1]]);
    }

    #[test]
    fn a_clause_is_kept_once() {
        let mut terms = Terms::new();
        let (clause, flipped) = (less(&mut terms, 0, 1), less(&mut terms, 1, 0));
        assert_eq!(sliced(&mut terms, question(&[clause, clause], flipped)), [clause]);
    }

    #[test]
    fn domains_of_reached_bytes_are_added_and_reach_further() {
        let mut terms = Terms::new();
        let t = &mut terms;
        let (on_two, flipped, elsewhere) = (less(t, 2, 3), less(t, 0, 1), less(t, 8, 9));
        let pair = less(t, 1, 2);
        let single = less(t, 9, 10);
        let domain = move |_: &mut Terms, input: u32| match input {
            1 | 2 => Some(pair),
            9 | 10 => Some(single),
            _ => None,
        };
        let prefix = [on_two, elsewhere];
        let asked = Question { domain: &domain, ..question(&prefix, flipped) };
        assert_eq!(sliced(t, asked), [on_two, pair]);
    }

    #[test]
    fn ten_thousand_clauses_over_a_running_sum_are_sliced_in_linear_time() {
        let mut terms = Terms::new();
        let mut sum = terms.constant(8, 0);
        let mut prefix = Vec::new();
        for input in 0..10_000 {
            let next = terms.input(input);
            sum = terms.binary(BinaryOp::Add, sum, next);
            let limit = terms.constant(8, 100);
            prefix.push(terms.binary(BinaryOp::Ult, sum, limit));
        }
        let (flipped, prefix) = prefix.split_last().unwrap();
        let mut slice = Slice::default();
        let mut kept = 0;
        let start = Instant::now();
        for _ in 0..10 {
            let mut asked = question(prefix, *flipped);
            slice.ask(&mut terms, &mut asked);
            kept = asked.prefix.len();
        }
        let each = start.elapsed() / 10;
        assert_eq!(kept, 9_999);
        // About 1 ms here; a quadratic slice would take seconds.
        assert!(each.as_millis() < 100, "{each:?}");
    }
}
