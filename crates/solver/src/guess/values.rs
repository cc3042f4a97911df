//! Numbers as bit patterns of their kind: the ones to try, and their order, in which neighbours differ by one.

/// What a bit pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A float of 32 bits.
    Single,
    /// A float of 64 bits.
    Double,
    /// A signed integer of so many bits, at most 64.
    Integer(u16),
}

/// Values worth a try in any query, plain ones first.
const PLAIN: [f64; 10] = [0.0, 1.0, -1.0, 2.0, 10.0, 100.0, 1000.0, 0.5, -0.5, -0.0];

impl Kind {
    /// The number a pattern stands for.
    pub(super) fn value(self, bits: u64) -> f64 {
        match self {
            Kind::Single => f32::from_bits(bits as u32).into(),
            Kind::Double => f64::from_bits(bits),
            Kind::Integer(width) => sign_extended(width, bits) as f64,
        }
    }

    /// The pattern of a number, rounded; nothing for what an integer cannot be.
    fn bits(self, value: f64) -> Option<u64> {
        match self {
            Kind::Single => Some((value as f32).to_bits().into()),
            Kind::Double => Some(value.to_bits()),
            Kind::Integer(width) => {
                value.is_finite().then(|| (value as i128) as u64 & (u64::MAX >> (64 - width)))
            }
        }
    }

    /// The position of a pattern in the order of its kind, and the greatest position; nothing for what is no number.
    pub(super) fn position(self, bits: u64) -> Option<(i128, i128)> {
        let (sign, infinity) = match self {
            Kind::Single => (1 << 31, f32::INFINITY.to_bits().into()),
            Kind::Double => (1 << 63, f64::INFINITY.to_bits()),
            Kind::Integer(width) => {
                return Some((sign_extended(width, bits).into(), (1 << (width - 1)) - 1));
            }
        };
        let magnitude = i128::from(bits & (sign - 1));
        let position = if bits & sign == 0 { magnitude } else { -magnitude };
        (magnitude <= infinity.into()).then_some((position, infinity.into()))
    }

    /// The pattern at a position.
    pub(super) fn at(self, position: i128) -> u64 {
        let magnitude = position.unsigned_abs() as u64;
        match self {
            Kind::Single if position < 0 => 1 << 31 | magnitude,
            Kind::Double if position < 0 => 1 << 63 | magnitude,
            Kind::Single | Kind::Double => magnitude,
            Kind::Integer(width) => position as u64 & (u64::MAX >> (64 - width)),
        }
    }

    /// The pattern so many positions further, if there is one.
    pub(super) fn moved(self, bits: u64, by: i128) -> Option<u64> {
        let (position, most) = self.position(bits)?;
        let position = position + by;
        (position.abs() <= most).then(|| self.at(position))
    }

    /// The smallest number above 0, the ends of the range, and what is no number.
    fn extremes(self) -> Vec<u64> {
        match self {
            Kind::Single => {
                let values = [f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
                [1].into_iter().chain(values.map(|value| value.to_bits().into())).collect()
            }
            Kind::Double => {
                let values = [f64::MAX, f64::MIN, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
                [1].into_iter().chain(values.map(f64::to_bits)).collect()
            }
            Kind::Integer(width) => vec![(1 << (width - 1)) - 1, 1 << (width - 1)],
        }
    }
}

fn sign_extended(width: u16, bits: u64) -> i64 {
    (bits << (64 - width)) as i64 >> (64 - width)
}

/// Patterns to try for an input of a query with these constants, likeliest first, each once.
pub(super) fn to_try(kind: Kind, constants: &[f64]) -> Vec<u64> {
    let mut patterns = Vec::new();
    let mut add = |pattern: Option<u64>| {
        if let Some(pattern) = pattern.filter(|pattern| !patterns.contains(pattern)) {
            patterns.push(pattern);
        }
    };
    for constant in constants {
        for value in [*constant, constant + 1.0, constant - 1.0] {
            add(kind.bits(value));
        }
    }
    for value in PLAIN {
        add(kind.bits(value));
    }
    for constant in constants {
        for step in [1, -1] {
            add(kind.bits(*constant).and_then(|pattern| kind.moved(pattern, step)));
        }
        for value in [constant / 2.0, constant * 2.0, -constant] {
            add(kind.bits(value));
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
        let next = |value: f32, by| Kind::Single.moved(value.to_bits().into(), by).map(|bits| bits as u32);
        assert_eq!(next(1.5, 1), Some(1.5f32.next_up().to_bits()));
        assert_eq!(next(-1.5, 1), Some((-1.5f32).next_up().to_bits()));
        assert_eq!(next(f32::from_bits(1), -2), Some((-f32::from_bits(1)).to_bits()));
        assert_eq!(next(f32::INFINITY, 1), None);
        assert_eq!(next(f32::NAN, 1), None);
        assert_eq!(Kind::Integer(8).moved(0xff, 1), Some(0));
        assert_eq!(Kind::Integer(8).moved(0x7f, 1), None);
    }

    #[test]
    fn values_start_from_the_constants_of_the_query() {
        let values = to_try(Kind::Double, &[100.0]);
        let start: Vec<f64> = values.iter().take(5).map(|bits| f64::from_bits(*bits)).collect();
        assert_eq!(start, [100.0, 101.0, 99.0, 0.0, 1.0]);
        assert!(values.contains(&100f64.next_down().to_bits()));
        assert!(values.iter().any(|bits| f64::from_bits(*bits).is_nan()));
        assert!(to_try(Kind::Integer(16), &[f64::NAN, -3.0]).contains(&0xfffd));
    }
}
