//! Numbers as bit patterns of their kind: the ones to try, and their order, in which neighbours differ by one.

use tarka_terms::semantics::{self, extended, mask, sign_bit, signed};
use tarka_terms::{BinaryOp, ConvertOp};

/// What a bit pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A float of 32, 64 or 80 bits.
    Float(u16),
    /// A signed integer of so many bits.
    Integer(u16),
    /// An unsigned integer of so many bits.
    Unsigned(u16),
}

/// A pattern of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number {
    pub(super) kind: Kind,
    pub(super) bits: u128,
}

/// Values worth a try in any query, plain ones first.
const PLAIN: [f64; 10] = [0.0, 1.0, -1.0, 2.0, 10.0, 100.0, 1000.0, 0.5, -0.5, -0.0];

/// Where floats of 32, 64 and 80 bits end to hold every whole number: the next one is lost.
const LAST_EXACT: [(u16, f64); 3] =
    [(32, (1u64 << 24) as f64), (64, (1u64 << 53) as f64), (80, (1u128 << 64) as f64)];

impl Number {
    pub(super) fn double(value: f64) -> Number {
        Number { kind: Kind::Float(64), bits: value.to_bits().into() }
    }

    /// The sum with a small number, in its own kind.
    fn plus(self, more: f64) -> Number {
        let bits = match self.kind {
            Kind::Integer(width) | Kind::Unsigned(width) => {
                self.bits.wrapping_add(more as i128 as u128) & mask(width)
            }
            Kind::Float(width) => {
                let more = semantics::convert(ConvertOp::FToF, 64, width, more.to_bits().into());
                semantics::binary(BinaryOp::FAdd, width, self.bits, more)
            }
        };
        Number { bits, ..self }
    }

    fn half(self) -> Number {
        let bits = match self.kind {
            Kind::Unsigned(_) => self.bits / 2,
            Kind::Integer(width) => (signed(width, self.bits) / 2) as u128 & mask(width),
            Kind::Float(width) => {
                let two = semantics::convert(ConvertOp::SiToF, 8, width, 2);
                semantics::binary(BinaryOp::FDiv, width, self.bits, two)
            }
        };
        Number { bits, ..self }
    }

    fn twice(self) -> Number {
        let bits = match self.kind {
            Kind::Integer(width) | Kind::Unsigned(width) => self.bits << 1 & mask(width),
            Kind::Float(width) => semantics::binary(BinaryOp::FAdd, width, self.bits, self.bits),
        };
        Number { bits, ..self }
    }

    fn negated(self) -> Number {
        let bits = match self.kind {
            Kind::Integer(width) | Kind::Unsigned(width) => self.bits.wrapping_neg() & mask(width),
            Kind::Float(width) => self.bits ^ sign_bit(width),
        };
        Number { bits, ..self }
    }
}

impl Kind {
    pub(super) fn width(self) -> u16 {
        match self {
            Kind::Float(width) | Kind::Integer(width) | Kind::Unsigned(width) => width,
        }
    }

    /// The pattern of a number, rounded or cut; nothing for what an integer cannot be.
    pub(super) fn bits(self, number: Number) -> Option<u128> {
        Some(match (number.kind, self) {
            (Kind::Float(from), Kind::Float(to)) => {
                semantics::convert(ConvertOp::FToF, from, to, number.bits)
            }
            (Kind::Float(from), Kind::Integer(to) | Kind::Unsigned(to)) => {
                let (position, infinity) = number.kind.position(number.bits)?;
                if position.abs() == infinity {
                    return None;
                }
                semantics::convert(ConvertOp::FToSi, from, 128, number.bits) & mask(to)
            }
            (Kind::Integer(from), Kind::Float(to)) => {
                semantics::convert(ConvertOp::SiToF, from, to, number.bits)
            }
            (Kind::Unsigned(from), Kind::Float(to)) => {
                semantics::convert(ConvertOp::UiToF, from, to, number.bits)
            }
            (Kind::Integer(from), _) => signed(from, number.bits) as u128 & mask(self.width()),
            (Kind::Unsigned(_), _) => number.bits & mask(self.width()),
        })
    }

    /// How many bits the position of a number has, its sign left out.
    pub(super) fn position_bits(self) -> u16 {
        match self {
            Kind::Float(extended::WIDTH) => 78,
            Kind::Float(width) | Kind::Integer(width) => width - 1,
            Kind::Unsigned(width) => width.min(127),
        }
    }

    /// The position of a pattern in the order of its kind, and the greatest position; nothing for what is no number.
    pub(super) fn position(self, bits: u128) -> Option<(i128, i128)> {
        let (magnitude, infinity) = match self {
            Kind::Integer(width) => return Some((signed(width, bits), (mask(width) >> 1) as i128)),
            // Of the widest numbers the upper half has no position.
            Kind::Unsigned(width) => {
                let most = i128::try_from(mask(width)).unwrap_or(i128::MAX);
                return Some((i128::try_from(bits).ok()?, most));
            }
            Kind::Float(32) => (bits & (mask(32) >> 1), u128::from(f32::INFINITY.to_bits())),
            Kind::Float(64) => (bits & (mask(64) >> 1), u128::from(f64::INFINITY.to_bits())),
            // The integer bit follows from the exponent, and does not count.
            Kind::Float(_) => {
                let bits = extended::canonical(bits);
                ((bits >> 64 & 0x7fff) << 63 | bits & mask(63), 0x7fff << 63)
            }
        };
        let position = magnitude as i128;
        let position = if bits & sign_bit(self.width()) == 0 { position } else { -position };
        (magnitude <= infinity).then_some((position, infinity as i128))
    }

    /// The pattern at a position.
    pub(super) fn at(self, position: i128) -> u128 {
        let magnitude = position.unsigned_abs();
        let (sign, magnitude) = match self {
            Kind::Integer(width) | Kind::Unsigned(width) => return position as u128 & mask(width),
            Kind::Float(extended::WIDTH) => {
                let (exponent, fraction) = (magnitude >> 63, magnitude & mask(63));
                (sign_bit(extended::WIDTH), exponent << 64 | u128::from(exponent != 0) << 63 | fraction)
            }
            Kind::Float(width) => (sign_bit(width), magnitude),
        };
        if position < 0 { sign | magnitude } else { magnitude }
    }

    /// The pattern so many positions further, if there is one.
    pub(super) fn moved(self, bits: u128, by: i128) -> Option<u128> {
        let (position, most) = self.position(bits)?;
        let position = position.checked_add(by)?;
        let least = if matches!(self, Kind::Unsigned(_)) { 0 } else { -most };
        (position <= most && position >= least).then(|| self.at(position))
    }

    /// The least and the greatest value there is.
    pub(super) fn ends(self) -> (u128, u128) {
        match self {
            Kind::Integer(width) => (sign_bit(width), mask(width) >> 1),
            Kind::Unsigned(width) => (0, mask(width)),
            Kind::Float(_) => {
                let infinity = self.bits(Number::double(f64::INFINITY)).unwrap_or(0);
                (infinity | sign_bit(self.width()), infinity)
            }
        }
    }

    /// How many values lie between two, as a part of all there are; 1 for what is no number.
    pub(super) fn gap(self, a: u128, b: u128) -> f64 {
        let all = self.position_bits().max(63) + 2;
        match (self.position(a), self.position(b)) {
            (Some((a, _)), Some((b, _))) => (a.abs_diff(b) as f64 + 1.0) / 2f64.powi(all.into()),
            _ => 1.0,
        }
    }

    /// The smallest number above 0, the ends of the range, what is no number, and where a float of this or a smaller kind
    /// no longer changes when 1 is added.
    fn extremes(self) -> Vec<u128> {
        let (least, greatest) = self.ends();
        if !matches!(self, Kind::Float(_)) {
            return vec![greatest, least];
        }
        let infinity = self.bits(Number::double(f64::INFINITY)).and_then(|bits| self.position(bits));
        let most = infinity.map_or(0, |(position, _)| position);
        let numbers = [1, -1, most - 1, 1 - most, most, -most].map(|position| self.at(position));
        let exact = LAST_EXACT.iter().filter(|(width, _)| *width <= self.width());
        let rounded = exact.filter_map(|(_, number)| self.bits(Number::double(*number)));
        numbers.into_iter().chain(self.bits(Number::double(f64::NAN))).chain(rounded).collect()
    }
}

/// Patterns to try for an input of a query with these constants, likeliest first, each once.
pub(super) fn to_try(kind: Kind, constants: &[Number]) -> Vec<u128> {
    let mut patterns = Vec::new();
    let mut add = |pattern: Option<u128>| {
        if let Some(pattern) = pattern.filter(|pattern| !patterns.contains(pattern)) {
            patterns.push(pattern);
        }
    };
    let constants: Vec<Number> =
        constants.iter().filter_map(|constant| Some(Number { kind, bits: kind.bits(*constant)? })).collect();
    for constant in &constants {
        for value in [*constant, constant.plus(1.0), constant.plus(-1.0)] {
            add(Some(value.bits));
        }
    }
    for value in PLAIN {
        add(kind.bits(Number::double(value)));
    }
    for constant in &constants {
        for value in [constant.plus(0.5), constant.plus(-0.5)] {
            add(Some(value.bits));
        }
        for step in [1, -1] {
            add(kind.moved(constant.bits, step));
        }
        for value in [constant.half(), constant.twice(), constant.negated()] {
            add(Some(value.bits));
        }
    }
    for pattern in kind.extremes() {
        add(Some(pattern));
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_position_apart_across_zero() {
        let single = Kind::Float(32);
        let next = |value: f32, by| single.moved(value.to_bits().into(), by).map(|bits| bits as u32);
        assert_eq!(next(1.5, 1), Some(1.5f32.next_up().to_bits()));
        assert_eq!(next(-1.5, 1), Some((-1.5f32).next_up().to_bits()));
        assert_eq!(next(f32::from_bits(1), -2), Some((-f32::from_bits(1)).to_bits()));
        assert_eq!(next(f32::INFINITY, 1), None);
        assert_eq!(next(f32::NAN, 1), None);
        assert_eq!(Kind::Integer(8).moved(0xff, 1), Some(0));
        assert_eq!(Kind::Integer(8).moved(0x7f, 1), None);
        assert_eq!(Kind::Integer(128).moved(u128::MAX >> 1, 1), None);
    }

    #[test]
    fn neighbours_of_extended_floats_keep_their_integer_bit() {
        let kind = Kind::Float(80);
        let one = kind.bits(Number::double(1.0)).unwrap();
        assert_eq!(one, 0x3fff << 64 | 1 << 63);
        assert_eq!(kind.moved(one, -1), Some(0x3ffe << 64 | u128::from(u64::MAX)));
        assert_eq!(kind.moved(0, 1), Some(1));
        assert_eq!(kind.moved(mask(63), 1), Some(1 << 64 | 1 << 63), "from the largest subnormal");
        let values = to_try(kind, &[Number { kind, bits: one }]);
        assert!(values.iter().all(|bits| extended::is_canonical(*bits)), "{values:x?}");
    }

    #[test]
    fn values_start_from_the_constants_of_the_query() {
        let values = to_try(Kind::Float(64), &[Number::double(100.0)]);
        let start: Vec<f64> = values.iter().take(5).map(|bits| f64::from_bits(*bits as u64)).collect();
        assert_eq!(start, [100.0, 101.0, 99.0, 0.0, 1.0]);
        assert!(values.contains(&100f64.next_down().to_bits().into()));
        assert!(values.iter().any(|bits| f64::from_bits(*bits as u64).is_nan()));
        assert!(
            values
                .iter()
                .map(|bits| f64::from_bits(*bits as u64))
                .any(|value| value + 1.0 == value && value < 1e16)
        );
        let constants = [f64::NAN, -3.0].map(Number::double);
        assert!(to_try(Kind::Integer(16), &constants).contains(&0xfffd));
    }
}
