//! Terms with some input bytes, or other terms, replaced by their values.
//!
//! Takes values of input bytes and of terms; gives the terms rebuilt (and so rewritten) with them. Parts that do not depend
//! on those bytes are kept as they are.

use crate::node::{Node, TableId, Term};
use crate::store::Terms;
use crate::support::{Parts, Support};
use rustc_hash::{FxHashMap, FxHashSet};

/// Known values of input bytes, and what was rebuilt with them so far. Belongs to one store.
#[derive(Debug, Default)]
pub struct Substitution {
    values: FxHashMap<u32, u8>,
    /// What stands for other terms.
    known: FxHashMap<Term, Term>,
    /// Of each of those an input byte: what has the term in it has that byte, too.
    marks: FxHashSet<u32>,
    touched: FxHashMap<Support, bool>,
    rebuilt: FxHashMap<Term, Term>,
    tables: FxHashMap<TableId, TableId>,
}

impl Substitution {
    /// With these values.
    pub fn new(values: impl IntoIterator<Item = (u32, u8)>) -> Self {
        Substitution { values: values.into_iter().collect(), ..Self::default() }
    }

    /// With these values of terms.
    pub fn of_terms(terms: &mut Terms, values: impl IntoIterator<Item = (Term, u128)>) -> Self {
        let mut substitution = Self::default();
        for (term, value) in values {
            let constant = terms.constant(terms.width(term), value);
            substitution.known.insert(term, constant);
            substitution.marks.extend(terms.inputs(term).first());
        }
        substitution
    }

    /// How much is kept of what was rebuilt.
    pub fn size(&self) -> usize {
        self.touched.len() + self.rebuilt.len() + self.tables.len()
    }

    /// The term with the values in place of its parts, but never of itself.
    pub fn apply_inside(&mut self, terms: &mut Terms, term: Term) -> Term {
        let Some(value) = self.known.remove(&term) else { return self.apply(terms, term) };
        let inside = self.apply(terms, term);
        self.rebuilt.remove(&term);
        self.known.insert(term, value);
        inside
    }

    /// The term with the values in place.
    pub fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut open = vec![term];
        while let Some(next) = open.last().copied() {
            if self.done(terms, next).is_some() {
                open.pop();
                continue;
            }
            let waiting = open.len();
            terms.node(next).for_each_operand(|operand| self.queue(terms, operand, &mut open));
            if let Node::Read(table, _) = *terms.node(next)
                && !self.tables.contains_key(&table)
            {
                for entry in terms.table_entries(table) {
                    self.queue(terms, *entry, &mut open);
                }
            }
            if open.len() == waiting {
                let rebuilt = self.rebuild(terms, next);
                self.rebuilt.insert(next, rebuilt);
                open.pop();
            }
        }
        self.done(terms, term).unwrap_or(term)
    }

    /// What became of a term, if that is known.
    fn done(&mut self, terms: &Terms, term: Term) -> Option<Term> {
        if !self.touches(terms, terms.support(term)) {
            return Some(term);
        }
        if let Some(known) = self.known.get(&term) {
            return Some(*known);
        }
        self.rebuilt.get(&term).copied()
    }

    fn queue(&mut self, terms: &Terms, term: Term, open: &mut Vec<Term>) {
        if self.done(terms, term).is_none() {
            open.push(term);
        }
    }

    /// Whether a set has a byte with a known value.
    fn touches(&mut self, terms: &Terms, set: Support) -> bool {
        let mut open = vec![set];
        while let Some(next) = open.last().copied() {
            let verdict = match terms.support_parts(next) {
                _ if self.touched.contains_key(&next) => {
                    open.pop();
                    continue;
                }
                Parts::Inputs(inputs) => {
                    let matters = |input| self.values.contains_key(input) || self.marks.contains(input);
                    Some(inputs.iter().any(matters))
                }
                Parts::Union(left, right) => match (self.touched.get(&left), self.touched.get(&right)) {
                    (Some(left), Some(right)) => Some(*left || *right),
                    _ => {
                        open.extend([left, right]);
                        None
                    }
                },
            };
            if let Some(verdict) = verdict {
                self.touched.insert(next, verdict);
                open.pop();
            }
        }
        self.touched[&set]
    }

    /// The term of a node whose operands are rebuilt.
    fn rebuild(&mut self, terms: &mut Terms, term: Term) -> Term {
        let width = terms.width(term);
        let node = *terms.node(term);
        let mut now = |terms: &Terms, operand: Term| self.done(terms, operand).unwrap_or(operand);
        match node {
            Node::Const(_) => term,
            Node::Input(byte) => match self.values.get(&byte) {
                Some(value) => terms.constant(8, (*value).into()),
                None => term,
            },
            Node::Unary(op, a) => {
                let a = now(terms, a);
                terms.unary(op, a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (now(terms, a), now(terms, b));
                terms.binary(op, a, b)
            }
            Node::Concat(high, low) => {
                let (high, low) = (now(terms, high), now(terms, low));
                terms.concat(high, low)
            }
            Node::Extract(a, low) => {
                let a = now(terms, a);
                terms.extract(a, low, width)
            }
            Node::ZExt(a) => {
                let a = now(terms, a);
                terms.zext(a, width)
            }
            Node::SExt(a) => {
                let a = now(terms, a);
                terms.sext(a, width)
            }
            Node::Ite(condition, yes, no) => {
                let (condition, yes, no) = (now(terms, condition), now(terms, yes), now(terms, no));
                terms.ite(condition, yes, no)
            }
            Node::Convert(op, a) => {
                let a = now(terms, a);
                terms.convert(op, a, width)
            }
            Node::FCmp(predicate, a, b) => {
                let (a, b) = (now(terms, a), now(terms, b));
                terms.fcmp(predicate, a, b)
            }
            Node::Fma(a, b, c) => {
                let (a, b, c) = (now(terms, a), now(terms, b), now(terms, c));
                terms.fma(a, b, c)
            }
            Node::Read(table, index) => {
                let index = now(terms, index);
                let table = self.rebuilt_table(terms, table);
                terms.read(table, index)
            }
        }
    }

    fn rebuilt_table(&mut self, terms: &mut Terms, table: TableId) -> TableId {
        if let Some(known) = self.tables.get(&table) {
            return *known;
        }
        let entries = terms.table_entries(table).to_vec();
        let entries = entries.into_iter().map(|entry| self.done(terms, entry).unwrap_or(entry)).collect();
        let rebuilt = terms.table(entries);
        self.tables.insert(table, rebuilt);
        rebuilt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BinaryOp;

    #[test]
    fn a_known_byte_folds_what_depends_on_it() {
        let mut terms = Terms::new();
        let (a, b, c) = (terms.input(0), terms.input(1), terms.input(2));
        let product = terms.binary(BinaryOp::Mul, a, b);
        let less = terms.binary(BinaryOp::Ult, product, c);
        let mut substitution = Substitution::new([(0, 3), (1, 4)]);
        let (twelve, actual) = (terms.constant(8, 12), substitution.apply(&mut terms, less));
        assert_eq!(actual, terms.binary(BinaryOp::Ult, twelve, c));
        assert_eq!(substitution.apply(&mut terms, c), c);
    }

    #[test]
    fn entries_of_tables_are_replaced_too() {
        let mut terms = Terms::new();
        let (entry, index) = (terms.input(0), terms.input(1));
        let other = terms.input(2);
        let table = terms.table(vec![other, entry, entry]);
        let read = terms.read(table, index);
        let seven = terms.constant(8, 7);
        let expected = terms.table(vec![other, seven, seven]);
        let expected = terms.read(expected, index);
        assert_eq!(Substitution::new([(0, 7)]).apply(&mut terms, read), expected);
        assert_eq!(Substitution::new([(0, 7), (1, 2)]).apply(&mut terms, read), seven);
    }

    #[test]
    fn a_known_term_is_replaced_wherever_it_occurs() {
        let mut terms = Terms::new();
        let (a, b, c) = (terms.input(0), terms.input(1), terms.input(2));
        let sum = terms.binary(BinaryOp::Mul, a, b);
        let whole = terms.binary(BinaryOp::Xor, sum, c);
        let table = terms.table(vec![a, c, sum]);
        let read = terms.read(table, sum);
        let mut substitution = Substitution::of_terms(&mut terms, [(sum, 1)]);
        let one = terms.constant(8, 1);
        let expected = terms.binary(BinaryOp::Xor, one, c);
        assert_eq!(substitution.apply(&mut terms, whole), expected);
        assert_eq!(substitution.apply(&mut terms, read), c);
        assert_eq!(substitution.apply(&mut terms, a), a, "its parts stay");
        assert_eq!(substitution.apply(&mut terms, sum), one);
        assert_eq!(substitution.apply_inside(&mut terms, sum), sum);
    }

    #[test]
    fn inside_a_known_term_others_are_replaced() {
        let mut terms = Terms::new();
        let (a, b, c) = (terms.input(0), terms.input(1), terms.input(2));
        let product = terms.binary(BinaryOp::Mul, a, b);
        let outer = terms.binary(BinaryOp::UDiv, product, c);
        let both = terms.binary(BinaryOp::And, outer, product);
        let mut substitution = Substitution::of_terms(&mut terms, [(product, 6), (outer, 3)]);
        let six = terms.constant(8, 6);
        let expected = terms.binary(BinaryOp::UDiv, six, c);
        assert_eq!(substitution.apply_inside(&mut terms, outer), expected);
        let both = substitution.apply(&mut terms, both);
        assert_eq!(terms.as_constant(both), Some(2));
    }

    #[test]
    fn deep_terms_are_rebuilt_without_recursion() {
        let mut terms = Terms::new();
        let (a, b) = (terms.input(0), terms.input(1));
        let mut term = a;
        for _ in 0..200_000 {
            term = terms.binary(BinaryOp::Mul, term, b);
            term = terms.binary(BinaryOp::Xor, term, a);
        }
        let folded = Substitution::new([(0, 3), (1, 5)]).apply(&mut terms, term);
        let value = crate::Evaluator::new().eval(&terms, term, &[3, 5].as_slice());
        assert_eq!(terms.as_constant(folded), Some(value));
    }
}
