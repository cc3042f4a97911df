//! Slicing: which clauses of a path have to do with a clause (paper 4, §4.1).
//!
//! Two clauses depend on each other if they read the same object of the input, or each depends on a third. What a struct
//! or an array holds may be tied together by rules that no clause mentions, so its bytes are one object; a parameter that
//! is a number is one by itself. Takes the clauses of one path from the top; objects that depend on each other are kept as
//! one component together with the fingerprint of its clauses, so a slice's fingerprint is there when it is asked for, and
//! a path costs time nearly linear in its length.

use tarka_terms::{Parts, Support, Terms};

use super::fingerprint::{Bits, Fingerprint};
use crate::objects::Objects;

/// The components of the path so far.
#[derive(Default)]
pub(super) struct Slices {
    of_object: Marks,
    of_support: Marks,
    components: Vec<Component>,
}

/// Components by number, for one path at a time.
#[derive(Default)]
struct Marks {
    path: u32,
    /// The path that set it, and the component.
    marks: Vec<(u32, u32)>,
}

impl Marks {
    /// Forgets everything.
    fn clear(&mut self) {
        self.path = self.path.wrapping_add(1);
        if self.path == 0 {
            self.marks.clear();
        }
    }

    /// The component of a number; if it has none, that is this one from now on.
    fn get_or_set(&mut self, number: usize, fresh: usize) -> usize {
        if self.marks.len() <= number {
            self.marks.resize(number + 1, (self.path.wrapping_sub(1), 0));
        }
        let mark = &mut self.marks[number];
        if mark.0 != self.path {
            *mark = (self.path, fresh as u32);
        }
        mark.1 as usize
    }
}

struct Component {
    /// Itself for a component that was not joined to another.
    joined_to: usize,
    print: Fingerprint,
}

/// A slice of the path so far.
#[derive(Clone, Copy)]
pub(super) struct Slice(usize);

impl Slices {
    /// Begins a new path.
    pub(super) fn clear(&mut self) {
        self.of_object.clear();
        self.of_support.clear();
        self.components.clear();
    }

    /// The slice that belongs to a clause which reads these bytes; `None` for no bytes. Clauses before it that read them,
    /// too, are joined to one.
    pub(super) fn of(&mut self, terms: &Terms, objects: &Objects, support: Support) -> Option<Slice> {
        if support == Support::EMPTY {
            return None;
        }
        if let Parts::Inputs(&[byte]) = terms.support_parts(support) {
            let component = self.object(objects.holding(byte));
            return Some(Slice(self.root(component)));
        }
        let (start, is_new) = self.entry(support);
        let mut open = if is_new { vec![(support, start)] } else { Vec::new() };
        while let Some((set, component)) = open.pop() {
            match terms.support_parts(set) {
                Parts::Inputs(bytes) => bytes.iter().for_each(|&byte| {
                    let known = self.object(objects.holding(byte));
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
        Some(Slice(self.root(start)))
    }

    /// The fingerprint of a slice with one more clause.
    pub(super) fn with_clause(&self, slice: Option<Slice>, clause: Bits) -> Fingerprint {
        let mut print = slice.map_or_else(Fingerprint::default, |Slice(root)| self.components[root].print);
        print.add(clause);
        print
    }

    /// Takes the next clause of the path, which belongs to this slice.
    pub(super) fn add(&mut self, slice: Option<Slice>, clause: Bits) {
        if let Some(Slice(root)) = slice {
            self.components[root].print.add(clause);
        }
    }

    fn object(&mut self, object: usize) -> usize {
        let fresh = self.components.len();
        let known = self.of_object.get_or_set(object, fresh);
        if known == fresh {
            self.push();
        }
        known
    }

    fn entry(&mut self, support: Support) -> (usize, bool) {
        let fresh = self.components.len();
        let known = self.of_support.get_or_set(support.index(), fresh);
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
    use super::super::fingerprint::Clause;
    use super::*;

    fn clause(number: u64) -> Bits {
        Clause { shape: number << 20 | number, whole: number }.bits()
    }

    /// The fingerprint of the slice of the last clause, where clauses with these numbers read these bytes.
    fn slice_of_last(objects: &Objects, path: &[(u64, &[u32])]) -> Fingerprint {
        let (mut terms, mut slices) = (Terms::new(), Slices::default());
        let mut slice = None;
        for (position, &(number, bytes)) in path.iter().enumerate() {
            let read = bytes.iter().map(|&byte| terms.input(byte)).collect::<Vec<_>>();
            let sum = read.into_iter().reduce(|a, b| terms.binary(tarka_terms::BinaryOp::Add, a, b));
            slice = slices.of(&terms, objects, terms.support(sum.expect("a clause reads something")));
            if position + 1 < path.len() {
                slices.add(slice, clause(number));
            }
        }
        slices.with_clause(slice, clause(path.last().expect("a path has a last clause").0))
    }

    fn objects_at<const N: usize>(starts: [u32; N]) -> Objects {
        let mut objects = Objects::default();
        objects.set(starts);
        objects
    }

    fn of_clauses(numbers: &[u64]) -> Fingerprint {
        let mut print = Fingerprint::default();
        numbers.iter().for_each(|&number| print.add(clause(number)));
        print
    }

    #[test]
    fn paper_4_figure_3_keeps_what_is_joined_by_a_third_clause() {
        let [a, b, c] = [0, 1, 2];
        // b > 1000, a > 0, c + b > 0, c > 0; then b <= 500.
        let path: [(u64, &[u32]); 5] = [(1, &[b]), (2, &[a]), (3, &[c, b]), (4, &[c]), (5, &[b])];
        assert_eq!(slice_of_last(&Objects::default(), &path), of_clauses(&[1, 3, 4, 5]));
    }

    #[test]
    fn what_belongs_to_one_object_depends_on_each_other() {
        let (first, second) = (0, 8);
        // second.c < 0, first.b > 0; then first.a > 0, as in paper 4.
        let path: [(u64, &[u32]); 3] = [(1, &[second]), (2, &[first + 4]), (3, &[first])];
        assert_eq!(slice_of_last(&objects_at([first, second]), &path), of_clauses(&[2, 3]));
        assert_eq!(slice_of_last(&Objects::default(), &path), of_clauses(&[3]));
    }

    #[test]
    fn objects_are_joined_by_a_clause_about_both() {
        let objects = objects_at([0, 8, 16]);
        let path: [(u64, &[u32]); 4] = [(1, &[1]), (2, &[9]), (3, &[2, 10]), (4, &[8])];
        assert_eq!(slice_of_last(&objects, &path), of_clauses(&[1, 2, 3, 4]));
        let path: [(u64, &[u32]); 4] = [(1, &[1]), (2, &[9]), (3, &[2, 10]), (4, &[17])];
        assert_eq!(slice_of_last(&objects, &path), of_clauses(&[4]));
    }
}
