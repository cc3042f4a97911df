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

    pub(crate) fn is_none(self) -> bool {
        self == ByteSet::NONE
    }

    pub(crate) fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    pub(crate) fn values(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |value| self.contains(*value))
    }

    /// The values below this one.
    fn below(end: u16) -> ByteSet {
        let half = |end: u16| if end >= 128 { u128::MAX } else { (1 << end) - 1 };
        ByteSet([half(end), half(end.saturating_sub(128))])
    }

    /// The values with this bit.
    fn with_bit(bit: u32) -> ByteSet {
        if bit == 7 {
            return ByteSet([0, u128::MAX]);
        }
        // Runs of as many values without the bit and with it, in turn.
        let run = 1 << bit;
        let pattern =
            (0..128 / (2 * run)).fold(0, |pattern, _| pattern << (2 * run) | ((1 << run) - 1) << run);
        ByteSet([pattern; 2])
    }

    pub(super) fn complement(self) -> ByteSet {
        ByteSet([!self.0[0], !self.0[1]])
    }

    /// The values of a range of one byte.
    pub(crate) fn of_range(range: &Range) -> ByteSet {
        let between = |low: u16, high: u16| ByteSet::below(high + 1).meet(ByteSet::below(low).complement());
        let byte = |number: i128| u16::from(number as u8);
        let (signed_low, signed_high) = (byte(range.signed_low), byte(range.signed_high));
        let by_sign = if signed_low <= signed_high {
            between(signed_low, signed_high)
        } else {
            // Not negative up to one end, and negative from the other on.
            between(signed_high + 1, signed_low - 1).complement()
        };
        let mut set = between(range.low as u16, range.high as u16).meet(by_sign);
        for bit in 0..8 {
            if range.ones >> bit & 1 == 1 {
                set = set.meet(ByteSet::with_bit(bit));
            }
            if range.zeros >> bit & 1 == 1 {
                set = set.meet(ByteSet::with_bit(bit).complement());
            }
        }
        set
    }

    /// The range of the values; `None` if there are none.
    pub(crate) fn range(self) -> Option<Range> {
        let (low, high) = ends(self.0)?;
        // Negative values come first when they are read with sign.
        let (signed_low, signed_high) = ends([self.0[1], self.0[0]])?;
        let (mut zeros, mut ones) = (0, 0);
        for bit in 0..8 {
            let with = ByteSet::with_bit(bit);
            ones |= u128::from(self.meet(with) == self) << bit;
            zeros |= u128::from(self.meet(with.complement()) == self) << bit;
        }
        let by_sign = Range::signed_between(8, i128::from(signed_low) - 128, i128::from(signed_high) - 128);
        Range::bits(8, zeros, ones).meet(&Range::between(8, low.into(), high.into()))?.meet(&by_sign)
    }

    /// The value of the set nearest to this one.
    pub(crate) fn nearest(self, value: u8) -> Option<u8> {
        self.values().min_by_key(|other| (other.abs_diff(value), *other))
    }
}

/// The positions of the first and the last bit that is set.
fn ends(halves: [u128; 2]) -> Option<(u32, u32)> {
    let first = match halves {
        [0, 0] => return None,
        [0, upper] => 128 + upper.trailing_zeros(),
        [lower, _] => lower.trailing_zeros(),
    };
    let last = match halves {
        [lower, 0] => 127 - lower.leading_zeros(),
        [_, upper] => 255 - upper.leading_zeros(),
    };
    Some((first, last))
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
    fn ranges_and_sets_of_values_say_the_same() {
        let mut ranges = vec![Range::full(8), Range::between(8, 3, 200), Range::signed_between(8, -5, 7)];
        ranges.extend([Range::bits(8, 0x41, 0x12), Range::point(8, 0x80), Range::between(8, 127, 128)]);
        let mixed = ranges[1].meet(&ranges[2]).unwrap().meet(&Range::bits(8, 1, 0));
        ranges.extend(mixed);
        for range in ranges {
            let set = ByteSet::of_range(&range);
            for value in 0..=u8::MAX {
                assert_eq!(set.contains(value), range.contains(value.into()), "{value} of {range:?}");
            }
            let hull = set.range().unwrap();
            assert!(set.values().all(|value| hull.contains(value.into())), "{range:?}");
            assert_eq!(hull.meet(&range), Some(hull), "not wider than {range:?}");
        }
        assert_eq!(ByteSet::NONE.range(), None);
    }

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
