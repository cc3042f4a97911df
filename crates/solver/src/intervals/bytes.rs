//! Sets of values of one byte, and which values a clause about one byte allows.
//!
//! Takes clauses with one input byte; gives the values under which they hold, found by evaluating all 256. Each clause
//! is evaluated once in the life of a store.

use super::range::Range;
use rustc_hash::FxHashMap;
use tarka_terms::{Evaluator, Term, Terms};

/// Clauses whose values are remembered; beyond that all are forgotten.
const CAPACITY: usize = 50_000;

/// Some of the 256 values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ByteSet([u128; 2]);

impl ByteSet {
    pub(crate) const ALL: ByteSet = ByteSet([u128::MAX; 2]);
    pub(crate) const NONE: ByteSet = ByteSet([0; 2]);

    pub(crate) fn contains(self, value: u8) -> bool {
        self.0[usize::from(value >> 7)] >> (value & 127) & 1 == 1
    }

    fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 7)] |= 1 << (value & 127);
    }

    pub(crate) fn meet(self, other: ByteSet) -> ByteSet {
        ByteSet([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    pub(crate) fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    pub(crate) fn values(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |value| self.contains(*value))
    }

    /// The values of a range.
    pub(crate) fn of_range(range: &Range) -> ByteSet {
        let mut set = ByteSet::NONE;
        (0..=u8::MAX).filter(|value| range.contains((*value).into())).for_each(|value| set.insert(value));
        set
    }

    /// The range of the values; `None` if there are none.
    pub(crate) fn range(self) -> Option<Range> {
        self.values().map(|value| Range::point(8, value.into())).reduce(|all, value| all.join(&value))
    }

    /// The value of the set nearest to this one.
    pub(crate) fn nearest(self, value: u8) -> Option<u8> {
        self.values().min_by_key(|other| (other.abs_diff(value), *other))
    }
}

/// What clauses about one byte allow.
#[derive(Default)]
pub(super) struct OneByteClauses {
    allowed: FxHashMap<Term, ByteSet>,
    evaluator: Evaluator,
}

impl OneByteClauses {
    pub(super) fn clear(&mut self) {
        self.allowed.clear();
    }

    /// The byte of a clause that speaks of one, and the values it allows.
    pub(super) fn allowed(&mut self, terms: &Terms, clause: Term) -> Option<(u32, ByteSet)> {
        let &[input] = terms.inputs(clause) else { return None };
        if self.allowed.len() >= CAPACITY {
            self.allowed.clear();
        }
        let evaluator = &mut self.evaluator;
        let set = *self.allowed.entry(clause).or_insert_with(|| {
            let mut set = ByteSet::NONE;
            let holds = |value: &u8| evaluator.eval(terms, clause, &|_: u32| *value) == 1;
            (0..=u8::MAX).filter(holds).for_each(|value| set.insert(value));
            set
        });
        Some((input, set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_terms::BinaryOp;

    #[test]
    fn a_clause_about_one_byte_is_the_set_of_its_values() {
        let mut terms = Terms::new();
        let (a, b, c) = (terms.input(7), terms.input(8), terms.constant(8, 250));
        let (above, two) = (terms.binary(BinaryOp::Ult, c, a), terms.binary(BinaryOp::Ult, b, a));
        let mut clauses = OneByteClauses::default();
        let (byte, set) = clauses.allowed(&terms, above).unwrap();
        assert_eq!((byte, set.len(), set.nearest(3)), (7, 5, Some(251)));
        assert_eq!(set.range(), Some(Range::between(8, 251, 255)));
        assert_eq!(clauses.allowed(&terms, two), None);
    }
}
