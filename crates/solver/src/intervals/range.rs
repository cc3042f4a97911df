//! What is known of a value: its least and greatest value, read without and with sign, and bits that are certain.
//!
//! Takes facts; gives their meet and join, and the facts about sums, shifts and parts of values. Everything holds for
//! all values that are possible, and perhaps for more.

use tarka_terms::semantics::{mask, sign_bit, signed};

/// Values of a width for which all of this holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) width: u16,
    pub(crate) low: u128,
    pub(crate) high: u128,
    pub(crate) signed_low: i128,
    pub(crate) signed_high: i128,
    /// Bits that are 0, and bits that are 1.
    pub(crate) zeros: u128,
    pub(crate) ones: u128,
}

impl Range {
    /// Every value.
    pub(crate) fn full(width: u16) -> Range {
        Range {
            width,
            low: 0,
            high: mask(width),
            signed_low: signed(width, sign_bit(width)),
            signed_high: (mask(width) >> 1) as i128,
            zeros: 0,
            ones: 0,
        }
    }

    /// One value.
    pub(crate) fn point(width: u16, value: u128) -> Range {
        let number = signed(width, value);
        Range {
            width,
            low: value,
            high: value,
            signed_low: number,
            signed_high: number,
            zeros: !value & mask(width),
            ones: value,
        }
    }

    /// The values from `low` to `high`; every value if that is turned round.
    pub(crate) fn between(width: u16, low: u128, high: u128) -> Range {
        Range { low, high, ..Range::full(width) }.reduced().unwrap_or(Range::full(width))
    }

    /// The values from `low` to `high`, read with sign; every value if that is turned round.
    pub(crate) fn signed_between(width: u16, low: i128, high: i128) -> Range {
        let full = Range::full(width);
        let range =
            Range { signed_low: low.max(full.signed_low), signed_high: high.min(full.signed_high), ..full };
        range.reduced().unwrap_or(full)
    }

    /// The values with these bits.
    pub(crate) fn bits(width: u16, zeros: u128, ones: u128) -> Range {
        let (zeros, ones) = (zeros & mask(width), ones & mask(width));
        Range { zeros, ones, ..Range::full(width) }.reduced().unwrap_or(Range::full(width))
    }

    /// The value, if there is one only.
    pub(crate) fn value(&self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    pub(crate) fn contains(&self, value: u128) -> bool {
        let number = signed(self.width, value);
        (self.low..=self.high).contains(&value)
            && (self.signed_low..=self.signed_high).contains(&number)
            && value & self.zeros == 0
            && value & self.ones == self.ones
    }

    /// What both say; `None` if no value is left.
    pub(crate) fn meet(&self, other: &Range) -> Option<Range> {
        Range {
            width: self.width,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            signed_low: self.signed_low.max(other.signed_low),
            signed_high: self.signed_high.min(other.signed_high),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        }
        .reduced()
    }

    /// What holds in both cases.
    pub(crate) fn join(&self, other: &Range) -> Range {
        Range {
            width: self.width,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            signed_low: self.signed_low.min(other.signed_low),
            signed_high: self.signed_high.max(other.signed_high),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// Each part made to say what follows from the others; `None` if no value is left.
    fn reduced(mut self) -> Option<Range> {
        loop {
            let before = self;
            self.low = self.low.max(self.ones);
            self.high = self.high.min(mask(self.width) & !self.zeros);
            self.order_by_sign();
            if self.low > self.high || self.signed_low > self.signed_high || self.zeros & self.ones != 0 {
                return None;
            }
            // The bits above the first in which the ends differ are those of both.
            let differing = 128 - (self.low ^ self.high).leading_zeros();
            let common = if differing >= 128 { 0 } else { mask(self.width) & (u128::MAX << differing) };
            self.ones |= self.low & common;
            self.zeros |= !self.low & common;
            if self == before {
                return Some(self);
            }
        }
    }

    /// What the order with sign says of the one without, and the other way round.
    fn order_by_sign(&mut self) {
        let bits = mask(self.width);
        let (first_negative, most) = (sign_bit(self.width), (bits >> 1) as i128);
        let unsigned = |number: i128| number as u128 & bits;
        if self.signed_low >= 0 || self.signed_high < 0 {
            self.low = self.low.max(unsigned(self.signed_low));
            self.high = self.high.min(unsigned(self.signed_high));
        } else {
            // Not negative up to one end, or negative from the other on.
            if self.low > unsigned(self.signed_high) {
                self.low = self.low.max(unsigned(self.signed_low));
            }
            if self.high < unsigned(self.signed_low) {
                self.high = self.high.min(unsigned(self.signed_high));
            }
        }
        let (low, high) = (signed(self.width, self.low), signed(self.width, self.high));
        if self.high < first_negative || self.low >= first_negative {
            self.signed_low = self.signed_low.max(low);
            self.signed_high = self.signed_high.min(high);
        } else if self.low <= self.high {
            // From `low` to the most, or from the least to `high`.
            debug_assert!(low >= 0 && low <= most && high < 0);
            if self.signed_low > high {
                self.signed_low = self.signed_low.max(low);
            }
            if self.signed_high < low {
                self.signed_high = self.signed_high.min(high);
            }
        }
    }

    /// `self + other`, wrapping.
    pub(crate) fn plus(&self, other: &Range) -> Range {
        let width = self.width;
        let bits = mask(width);
        let mut sum = Range::full(width);
        // Without sign: neither end wraps, or both do.
        let (low, low_wraps) = wrapping_add(self.low, other.low, width);
        let (high, high_wraps) = wrapping_add(self.high, other.high, width);
        if low_wraps == high_wraps {
            (sum.low, sum.high) = (low, high);
        }
        if let (Some(low), Some(high)) =
            (self.signed_low.checked_add(other.signed_low), self.signed_high.checked_add(other.signed_high))
        {
            set_signed(&mut sum, low, high);
        }
        let known = (self.zeros | self.ones) & (other.zeros | other.ones);
        let certain = mask_of_low_ones(known) & bits;
        let value = self.ones.wrapping_add(other.ones) & certain;
        (sum.ones, sum.zeros) = (value, !value & certain);
        sum.reduced().unwrap_or(Range::full(width))
    }

    /// `-self`, wrapping.
    pub(crate) fn negated(&self) -> Range {
        self.flipped().plus(&Range::point(self.width, 1))
    }

    /// `self - other`, wrapping.
    pub(crate) fn minus(&self, other: &Range) -> Range {
        let width = self.width;
        let mut difference = Range::full(width);
        let (low_wraps, high_wraps) = (self.low < other.high, self.high < other.low);
        if low_wraps == high_wraps {
            difference.low = self.low.wrapping_sub(other.high) & mask(width);
            difference.high = self.high.wrapping_sub(other.low) & mask(width);
        }
        if let (Some(low), Some(high)) =
            (self.signed_low.checked_sub(other.signed_high), self.signed_high.checked_sub(other.signed_low))
        {
            set_signed(&mut difference, low, high);
        }
        let known = (self.zeros | self.ones) & (other.zeros | other.ones);
        let certain = mask_of_low_ones(known) & mask(width);
        let value = self.ones.wrapping_sub(other.ones) & certain;
        (difference.ones, difference.zeros) = (value, !value & certain);
        difference.reduced().unwrap_or(Range::full(width))
    }

    /// `!self`
    pub(crate) fn flipped(&self) -> Range {
        let bits = mask(self.width);
        Range {
            width: self.width,
            low: bits - self.high,
            high: bits - self.low,
            signed_low: -1 - self.signed_high,
            signed_high: -1 - self.signed_low,
            zeros: self.ones,
            ones: self.zeros,
        }
    }

    /// `width` bits from `start` upwards.
    pub(crate) fn part(&self, start: u16, width: u16) -> Range {
        let bits = mask(width);
        let mut part = Range::bits(width, self.zeros >> start, self.ones >> start);
        let above = |value: u128| value.checked_shr(u32::from(start + width)).unwrap_or(0);
        if above(self.low) == above(self.high) {
            let ends = Range::between(width, self.low >> start & bits, self.high >> start & bits);
            part = part.meet(&ends).unwrap_or(part);
        }
        if start == 0
            && self.signed_low >= signed(width, sign_bit(width))
            && self.signed_high <= (bits >> 1) as i128
        {
            let ends = Range::signed_between(width, self.signed_low, self.signed_high);
            part = part.meet(&ends).unwrap_or(part);
        }
        part
    }

    /// `self` above `below`.
    pub(crate) fn above(&self, below: &Range) -> Range {
        let width = self.width + below.width;
        let both = |high: u128, low: u128| high << below.width | low;
        Range {
            width,
            low: both(self.low, below.low),
            high: both(self.high, below.high),
            signed_low: (self.signed_low << below.width) | below.low as i128,
            signed_high: (self.signed_high << below.width) | below.high as i128,
            zeros: both(self.zeros, below.zeros),
            ones: both(self.ones, below.ones),
        }
    }

    /// Zeros above.
    pub(crate) fn zero_extended(&self, width: u16) -> Range {
        let zeros = self.zeros | mask(width) & !mask(self.width);
        let range = Range { low: self.low, high: self.high, zeros, ones: self.ones, ..Range::full(width) };
        range.reduced().unwrap_or(Range::full(width))
    }

    /// Copies of the sign above.
    pub(crate) fn sign_extended(&self, width: u16) -> Range {
        let own = mask(self.width) >> 1;
        let mut range = Range::signed_between(width, self.signed_low, self.signed_high);
        (range.zeros, range.ones) = (range.zeros | self.zeros & own, range.ones | self.ones & own);
        range.reduced().unwrap_or(Range::full(width))
    }

    /// What a value must be that has this part, from `start` upwards, in `width` bits.
    pub(crate) fn whole(&self, start: u16, width: u16) -> Range {
        let range = Range::bits(width, self.zeros << start, self.ones << start);
        if start + self.width < width {
            return range;
        }
        let ends = Range::between(width, self.low << start, self.high << start | mask(start));
        range.meet(&ends).unwrap_or(range)
    }
}

/// The sum in this width, and whether it wraps.
fn wrapping_add(a: u128, b: u128, width: u16) -> (u128, bool) {
    let (sum, carries) = a.overflowing_add(b);
    (sum & mask(width), carries || sum > mask(width))
}

/// Sets the ends read with sign where neither wraps.
fn set_signed(range: &mut Range, low: i128, high: i128) {
    if low >= range.signed_low && high <= range.signed_high {
        (range.signed_low, range.signed_high) = (low, high);
    }
}

/// The lowest bits, as far as they are all set.
fn mask_of_low_ones(bits: u128) -> u128 {
    match bits.trailing_ones() {
        128 => u128::MAX,
        count => (1 << count) - 1,
    }
}
