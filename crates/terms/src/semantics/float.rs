//! Floating operations on IEEE bit patterns, computed by the hardware the target runs on too.

use super::{mask, sign_bit, signed};
use crate::op::{BinaryOp, ConvertOp, UnaryOp, predicate};

/// A bit pattern as a float of the two widths there are.
#[derive(Clone, Copy)]
enum Float {
    Single(f32),
    Double(f64),
}

impl Float {
    fn of(width: u16, bits: u128) -> Float {
        match width {
            32 => Float::Single(f32::from_bits(bits as u32)),
            64 => Float::Double(f64::from_bits(bits as u64)),
            _ => panic!("a float has 32 or 64 bits, not {width}"),
        }
    }

    fn bits(self) -> u128 {
        match self {
            Float::Single(value) => value.to_bits().into(),
            Float::Double(value) => value.to_bits().into(),
        }
    }

    /// Exact: every single is a double.
    fn as_double(self) -> f64 {
        match self {
            Float::Single(value) => value.into(),
            Float::Double(value) => value,
        }
    }
}

/// The same expression on whichever width the operands have.
macro_rules! on_floats {
    ($width:expr, |$($name:ident),+| $body:expr) => {
        match $width {
            32 => { $(let $name = f32::from_bits($name as u32);)+ u128::from(f32::to_bits($body)) }
            64 => { $(let $name = f64::from_bits($name as u64);)+ u128::from(f64::to_bits($body)) }
            width => panic!("a float has 32 or 64 bits, not {width}"),
        }
    };
}

pub(super) fn unary(op: UnaryOp, width: u16, a: u128) -> u128 {
    match op {
        UnaryOp::FNeg => a ^ sign_bit(width),
        UnaryOp::FAbs => a & !sign_bit(width),
        UnaryOp::FSqrt => on_floats!(width, |a| a.sqrt()),
        UnaryOp::FFloor => on_floats!(width, |a| a.floor()),
        UnaryOp::FCeil => on_floats!(width, |a| a.ceil()),
        UnaryOp::FTrunc => on_floats!(width, |a| a.trunc()),
        UnaryOp::FRint => on_floats!(width, |a| a.round_ties_even()),
        UnaryOp::FRound => on_floats!(width, |a| a.round()),
        _ => unreachable!("{op:?} is an integer operation"),
    }
}

pub(super) fn binary(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    match op {
        BinaryOp::FAdd => on_floats!(width, |a, b| a + b),
        BinaryOp::FSub => on_floats!(width, |a, b| a - b),
        BinaryOp::FMul => on_floats!(width, |a, b| a * b),
        BinaryOp::FDiv => on_floats!(width, |a, b| a / b),
        BinaryOp::FRem => on_floats!(width, |a, b| a % b),
        BinaryOp::FCopySign => a & !sign_bit(width) | b & sign_bit(width),
        BinaryOp::FMin => pick(width, a, b, predicate::LESS),
        BinaryOp::FMax => pick(width, a, b, predicate::GREATER),
        _ => unreachable!("{op:?} is an integer operation"),
    }
}

/// The one that is a number, otherwise the first if it is in this relation to the second.
fn pick(width: u16, a: u128, b: u128, relation: u8) -> u128 {
    if fcmp(predicate::UNORDERED, width, a, a) {
        b
    } else if fcmp(predicate::UNORDERED, width, b, b) || fcmp(relation, width, a, b) {
        a
    } else {
        b
    }
}

pub(super) fn fma(width: u16, a: u128, b: u128, c: u128) -> u128 {
    on_floats!(width, |a, b, c| a.mul_add(b, c))
}

/// LLVM's floating comparison of two bit patterns.
pub fn fcmp(predicate: u8, width: u16, a: u128, b: u128) -> bool {
    let relation = match Float::of(width, a).as_double().partial_cmp(&Float::of(width, b).as_double()) {
        Some(std::cmp::Ordering::Equal) => predicate::EQUAL,
        Some(std::cmp::Ordering::Greater) => predicate::GREATER,
        Some(std::cmp::Ordering::Less) => predicate::LESS,
        None => predicate::UNORDERED,
    };
    predicate & relation != 0
}

pub(super) fn convert(op: ConvertOp, from: u16, to: u16, a: u128) -> u128 {
    match op {
        ConvertOp::FToSi => to_signed(Float::of(from, a), to),
        ConvertOp::FToUi => to_unsigned(Float::of(from, a), to),
        ConvertOp::SiToF => from_integer(to, signed(from, a)),
        ConvertOp::UiToF if a > i128::MAX as u128 => match to {
            32 => Float::Single(a as f32).bits(),
            _ => Float::Double(a as f64).bits(),
        },
        ConvertOp::UiToF => from_integer(to, a as i128),
        ConvertOp::FToF if from == to => a,
        ConvertOp::FToF => match Float::of(from, a) {
            Float::Single(value) => Float::Double(value.into()).bits(),
            Float::Double(value) => Float::Single(value as f32).bits(),
        },
    }
}

fn from_integer(to: u16, value: i128) -> u128 {
    match to {
        32 => Float::Single(value as f32).bits(),
        64 => Float::Double(value as f64).bits(),
        _ => panic!("a float has 32 or 64 bits, not {to}"),
    }
}

/// What `cvttsd2si` and its relatives give: narrow results are cut from the next register size.
fn to_signed(value: Float, to: u16) -> u128 {
    let exact = value.as_double();
    match to {
        ..=32 => truncated(exact, 32),
        33..=64 => truncated(exact, 64),
        _ => exact as i128 as u128,
    }
}

/// What x86-64 code without AVX-512 gives: up to 16 bits through a 32-bit register, up to 32 through a 64-bit one, and
/// 64 bits from two conversions, the second of the value less 2^63.
fn to_unsigned(value: Float, to: u16) -> u128 {
    let exact = value.as_double();
    match to {
        ..=16 => truncated(exact, 32),
        17..=32 => truncated(exact, 64),
        33..=64 => {
            let low = truncated(exact, 64);
            let reduced = match value {
                Float::Single(value) => f64::from(value - TWO_63 as f32),
                Float::Double(value) => value - TWO_63,
            };
            if signed(64, low) < 0 { low | truncated(reduced, 64) } else { low }
        }
        _ => exact as u128,
    }
}

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

fn truncated(value: f64, width: u16) -> u128 {
    let whole = value.trunc();
    let bound = sign_bit(width) as f64;
    if whole >= -bound && whole < bound { whole as i64 as u128 & mask(width) } else { sign_bit(width) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> u128 {
        value.to_bits().into()
    }

    #[test]
    fn conversions_out_of_range_are_those_of_the_hardware() {
        let to = |op, width, value| super::super::convert(op, 64, width, double(value));
        assert_eq!(to(ConvertOp::FToSi, 32, -3.9), 0xffff_fffd);
        assert_eq!(to(ConvertOp::FToSi, 32, 3e9), 0x8000_0000);
        assert_eq!(to(ConvertOp::FToSi, 32, f64::NAN), 0x8000_0000);
        assert_eq!(to(ConvertOp::FToSi, 32, -2_147_483_648.5), 0x8000_0000);
        assert_eq!(to(ConvertOp::FToSi, 16, 70_000.0), 70_000 & 0xffff);
        assert_eq!(to(ConvertOp::FToSi, 64, 1e19), 1 << 63);
        assert_eq!(to(ConvertOp::FToUi, 32, 3e9), 3_000_000_000);
        assert_eq!(to(ConvertOp::FToUi, 32, -1.0), 0xffff_ffff);
        assert_eq!(to(ConvertOp::FToUi, 64, 1e19), 10_000_000_000_000_000_000);
        assert_eq!(to(ConvertOp::FToUi, 64, 1e20), 1 << 63);
    }

    #[test]
    fn predicates_and_numbers_that_are_none() {
        let nan = double(f64::NAN);
        assert!(!fcmp(1, 64, nan, nan) && fcmp(14, 64, nan, nan) && fcmp(8, 64, nan, double(1.0)));
        assert!(fcmp(predicate::EQUAL, 64, double(0.0), double(-0.0)));
        assert_eq!(binary(BinaryOp::FMin, 64, nan, double(2.0)), double(2.0));
        assert_eq!(binary(BinaryOp::FMax, 64, double(1.0), nan), double(1.0));
    }

    #[test]
    fn the_remainder_is_fmod_and_not_the_ieee_one() {
        assert_eq!(binary(BinaryOp::FRem, 64, double(5.0), double(3.0)), double(2.0));
        assert_eq!(binary(BinaryOp::FRem, 64, double(-5.0), double(3.0)), double(-2.0));
    }
}
