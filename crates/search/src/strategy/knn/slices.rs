//! Slicing: which clauses of a path have to do with a clause (paper 4, §4.1).
//!
//! Two clauses depend on each other if they share an input byte, or each depends on a third. Takes the clauses of one
//! path from the top; bytes that depend on each other are kept as one component together with the fingerprint of its
//! clauses, so a slice's fingerprint is there when it is asked for, and a path costs time nearly linear in its length.

use rustc_hash::FxHashMap;
use tarka_terms::{Parts, Support, Terms};

use super::fingerprint::{Clause, Fingerprint};

/// The components of the path so far.
#[derive(Default)]
pub(super) struct Slices {
    of_input: FxHashMap<u32, usize>,
    of_support: FxHashMap<usize, usize>,
    components: Vec<Component>,
}

struct Component {
    /// Itself for a component that was not joined to another.
    joined_to: usize,
    print: Fingerprint,
}

impl Slices {
    /// Begins a new path.
    pub(super) fn clear(&mut self) {
        self.of_input.clear();
        self.of_support.clear();
        self.components.clear();
    }

    /// The fingerprint of the slice that belongs to a clause, the clause included.
    pub(super) fn with_clause(&mut self, terms: &Terms, support: Support, clause: Clause) -> Fingerprint {
        let mut print = self
            .component(terms, support)
            .map_or_else(Fingerprint::default, |root| self.components[root].print);
        print.add(clause);
        print
    }

    /// Takes the next clause of the path.
    pub(super) fn add(&mut self, terms: &Terms, support: Support, clause: Clause) {
        if let Some(root) = self.component(terms, support) {
            self.components[root].print.add(clause);
        }
    }

    /// The component of a set of bytes, all joined; `None` for no bytes.
    fn component(&mut self, terms: &Terms, support: Support) -> Option<usize> {
        if support == Support::EMPTY {
            return None;
        }
        if let Parts::Inputs(&[byte]) = terms.support_parts(support) {
            let component = self.input(byte);
            return Some(self.root(component));
        }
        let (start, is_new) = self.entry(support);
        let mut open = if is_new { vec![(support, start)] } else { Vec::new() };
        while let Some((set, component)) = open.pop() {
            match terms.support_parts(set) {
                Parts::Inputs(bytes) => bytes.iter().for_each(|&byte| {
                    let known = self.input(byte);
                    self.join(component, known);
                }),
                Parts::Union(left, right) => {
                    for part in [left, right] {
                        let (known, is_new) = self.entry(part);
                        self.join(component, known);
                        if is_new {
                            open.push((part, known));
                        }
                    }
                }
            }
        }
        Some(self.root(start))
    }

    fn input(&mut self, byte: u32) -> usize {
        let fresh = self.components.len();
        let known = *self.of_input.entry(byte).or_insert(fresh);
        if known == fresh {
            self.push();
        }
        known
    }

    fn entry(&mut self, support: Support) -> (usize, bool) {
        let fresh = self.components.len();
        let known = *self.of_support.entry(support.index()).or_insert(fresh);
        if known == fresh {
            self.push();
        }
        (known, known == fresh)
    }

    fn push(&mut self) {
        let joined_to = self.components.len();
        self.components.push(Component { joined_to, print: Fingerprint::default() });
    }

    fn root(&mut self, component: usize) -> usize {
        let mut at = component;
        while self.components[at].joined_to != at {
            let above = self.components[at].joined_to;
            self.components[at].joined_to = self.components[above].joined_to;
            at = above;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            let print = self.components[b].print;
            self.components[a].print.unite(&print);
            self.components[b].joined_to = a;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paper_4_figure_3_keeps_what_is_joined_by_a_third_clause() {
        let mut terms = Terms::new();
        let (a, b, c) = (terms.input(0), terms.input(1), terms.input(2));
        let sum = terms.binary(tarka_terms::BinaryOp::Add, c, b);
        let clause = |number: u64| Clause { shape: number << 20 | number, whole: number };
        let mut slices = Slices::default();
        // b > 1000, a > 0, c + b > 0, c > 0; then b <= 500.
        for (number, term) in [(1, b), (2, a), (3, sum), (4, c)] {
            slices.add(&terms, terms.support(term), clause(number));
        }
        let slice = slices.with_clause(&terms, terms.support(b), clause(5));
        let mut expected = Fingerprint::default();
        [1, 3, 4, 5].map(clause).into_iter().for_each(|clause| expected.add(clause));
        assert_eq!(slice, expected);
    }
}
