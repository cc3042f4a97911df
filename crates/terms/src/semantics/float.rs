//! Floating operations on IEEE bit patterns: of 32 and 64 bits computed by the hardware the target runs on too, of 80
//! bits in `extended.rs`.

use super::{extended, mask, sign_bit, signed};
use crate::op::{BinaryOp, ConvertOp, UnaryOp, predicate};

/// Whether there is a float of this many bits.
pub const fn is_float_width(width: u16) -> bool {
    matches!(width, 32 | 64 | extended::WIDTH)
}

/// The same expression on singles and doubles; another one for extended floats.
macro_rules! on_floats {
    ($width:expr, |$($name:ident),+| $body:expr, $extended:expr) => {
        match $width {
            32 => { $(let $name = f32::from_bits($name as u32);)+ u128::from(f32::to_bits($body)) }
            64 => { $(let $name = f64::from_bits($name as u64);)+ u128::from(f64::to_bits($body)) }
            extended::WIDTH => $extended,
            width => panic!("a float has 32, 64 or 80 bits, not {width}"),
        }
    };
}

pub(super) fn unary(op: UnaryOp, width: u16, a: u128) -> u128 {
    match op {
        UnaryOp::FNeg => a ^ sign_bit(width),
        UnaryOp::FAbs => a & !sign_bit(width),
        UnaryOp::FSqrt => on_floats!(width, |a| a.sqrt(), extended::unary(op, a)),
        UnaryOp::FFloor => on_floats!(width, |a| a.floor(), extended::unary(op, a)),
        UnaryOp::FCeil => on_floats!(width, |a| a.ceil(), extended::unary(op, a)),
        UnaryOp::FTrunc => on_floats!(width, |a| a.trunc(), extended::unary(op, a)),
        UnaryOp::FRint => on_floats!(width, |a| a.round_ties_even(), extended::unary(op, a)),
        UnaryOp::FRound => on_floats!(width, |a| a.round(), extended::unary(op, a)),
        _ => unreachable!("{op:?} is an integer operation"),
    }
}

pub(super) fn binary(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    match op {
        BinaryOp::FAdd => on_floats!(width, |a, b| a + b, extended::binary(op, a, b)),
        BinaryOp::FSub => on_floats!(width, |a, b| a - b, extended::binary(op, a, b)),
        BinaryOp::FMul => on_floats!(width, |a, b| a * b, extended::binary(op, a, b)),
        BinaryOp::FDiv => on_floats!(width, |a, b| a / b, extended::binary(op, a, b)),
        BinaryOp::FRem => on_floats!(width, |a, b| a % b, extended::binary(op, a, b)),
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
    on_floats!(width, |a, b, c| a.mul_add(b, c), extended::fma(a, b, c))
}

/// A single or a double as a double, which is exact.
fn as_double(width: u16, bits: u128) -> f64 {
    if width == 32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits as u64) }
}

/// LLVM's floating comparison of two bit patterns.
pub fn fcmp(predicate: u8, width: u16, a: u128, b: u128) -> bool {
    let order = match width {
        extended::WIDTH => extended::compare(a, b),
        _ => as_double(width, a).partial_cmp(&as_double(width, b)),
    };
    let relation = match order {
        Some(std::cmp::Ordering::Equal) => predicate::EQUAL,
        Some(std::cmp::Ordering::Greater) => predicate::GREATER,
        Some(std::cmp::Ordering::Less) => predicate::LESS,
        None => predicate::UNORDERED,
    };
    predicate & relation != 0
}

pub(super) fn convert(op: ConvertOp, from: u16, to: u16, a: u128) -> u128 {
    match op {
        ConvertOp::FToSi => to_signed(from, a, to),
        ConvertOp::FToUi => to_unsigned(from, a, to),
        ConvertOp::SiToF => from_signed(to, signed(from, a)),
        ConvertOp::UiToF => from_unsigned(to, a),
        ConvertOp::FToF => between_floats(from, to, a),
    }
}

fn between_floats(from: u16, to: u16, a: u128) -> u128 {
    match (from, to) {
        (32, 64) => as_double(32, a).to_bits().into(),
        (64, 32) => (f64::from_bits(a as u64) as f32).to_bits().into(),
        (_, extended::WIDTH) if from != to => extended::widened(from, a),
        (extended::WIDTH, _) if from != to => extended::narrowed(to, a),
        _ => a,
    }
}

fn from_signed(to: u16, value: i128) -> u128 {
    match to {
        32 => (value as f32).to_bits().into(),
        64 => (value as f64).to_bits().into(),
        _ => extended::from_signed(value),
    }
}

fn from_unsigned(to: u16, value: u128) -> u128 {
    match to {
        32 => (value as f32).to_bits().into(),
        64 => (value as f64).to_bits().into(),
        _ => extended::from_unsigned(value),
    }
}

/// What `cvttsd2si` and its relatives give: narrow results are cut from the next register size. The x87 unit stores 16
/// bits too.
fn to_signed(from: u16, a: u128, to: u16) -> u128 {
    match to {
        ..=16 if from == extended::WIDTH => truncated(from, a, 16),
        ..=32 => truncated(from, a, 32),
        33..=64 => truncated(from, a, 64),
        _ => whole(from, a).unwrap_or_else(|| beyond(from, a, i128::MAX, i128::MIN)) as u128,
    }
}

/// What x86-64 code without AVX-512 gives: up to 16 bits through a 32-bit register, up to 32 through a 64-bit one, and
/// 64 bits from two conversions, the second of the value less 2^63. For the x87 unit a comparison chooses which of the two
/// is made, and 8 bits are cut from 16.
fn to_unsigned(from: u16, a: u128, to: u16) -> u128 {
    match to {
        ..=8 if from == extended::WIDTH => truncated(from, a, 16),
        ..=16 => truncated(from, a, 32),
        17..=32 => truncated(from, a, 64),
        33..=64 => {
            let two_63 = from_unsigned(from, sign_bit(64));
            let reduced = truncated(from, binary(BinaryOp::FSub, from, a, two_63), 64);
            let low = truncated(from, a, 64);
            if from == extended::WIDTH {
                let is_small = fcmp(predicate::LESS, from, a, two_63);
                if is_small { low } else { reduced ^ sign_bit(64) }
            } else if signed(64, low) < 0 {
                low | reduced
            } else {
                low
            }
        }
        _ if from == extended::WIDTH => extended::to_unsigned_128(a),
        _ => as_double(from, a) as u128,
    }
}

/// The whole number towards 0, if there is one and 128 bits hold it.
fn whole(from: u16, a: u128) -> Option<i128> {
    if from == extended::WIDTH {
        return extended::truncated(a);
    }
    let value = as_double(from, a);
    let bound = sign_bit(127) as f64 * 2.0;
    (value >= -bound && value < bound).then_some(value as i128)
}

/// For what 128 bits do not hold: 0 for no number, otherwise the end of the range on its side.
fn beyond(from: u16, a: u128, most: i128, least: i128) -> i128 {
    let zero = from_unsigned(from, 0);
    let is = |relation| fcmp(relation, from, a, zero);
    if is(predicate::GREATER) {
        most
    } else if is(predicate::LESS) {
        least
    } else {
        0
    }
}

fn truncated(from: u16, a: u128, width: u16) -> u128 {
    let bound = sign_bit(width) as i128;
    match whole(from, a) {
        Some(whole) if (-bound..bound).contains(&whole) => whole as u128 & mask(width),
        _ => sign_bit(width),
    }
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
