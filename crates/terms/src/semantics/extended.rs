//! The 80-bit floats of the x87 unit (`long double`), which no Rust type computes: in software, bit for bit as the
//! hardware does it.
//!
//! Takes and gives the 80-bit pattern: sign, 15 bits of exponent, and a fraction of 64 bits whose highest is the integer
//! bit that other formats leave out. Patterns in which that bit is 0 though the exponent is not are refused by the
//! hardware: they count as no number. With it set and exponent 0 the value is that of exponent 1.

use crate::op::{BinaryOp, UnaryOp};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// Bits of an extended float.
pub const WIDTH: u16 = 80;

const INTEGER_BIT: u128 = 1 << 63;
const QUIET_BIT: u128 = 1 << 62;
const FRACTION: u128 = INTEGER_BIT - 1;
const SIGN: u128 = 1 << 79;
const EXPONENT: u128 = 0x7fff << 64;
const INFINITY: u128 = EXPONENT | INTEGER_BIT;
/// What an operation gives that has no result.
const INDEFINITE: u128 = SIGN | INFINITY | QUIET_BIT;

/// Whether the pattern is one that the hardware itself makes: the integer bit is set exactly if the exponent is not 0.
pub const fn is_canonical(bits: u128) -> bool {
    (bits & INTEGER_BIT != 0) == (bits & EXPONENT != 0)
}

/// The pattern with the same value that the hardware itself makes.
pub const fn canonical(bits: u128) -> u128 {
    if is_canonical(bits) {
        bits
    } else if bits & EXPONENT == 0 {
        bits | 1 << 64
    } else {
        INDEFINITE
    }
}

fn is_nan(bits: u128) -> bool {
    bits & EXPONENT == EXPONENT && bits & FRACTION != 0
}

fn value(bits: u128) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(bits)
}

fn bits_of(value: X87DoubleExtended) -> u128 {
    if value.is_nan() { INDEFINITE } else { value.to_bits() }
}

/// What an operation on these operands gives where one of them is no number: of quiet ones that with the larger fraction,
/// then the positive one; quiet ones come before signalling ones, which are quieted.
fn not_a_number(operands: &[u128]) -> Option<u128> {
    let rank = |bits: &u128| (bits & QUIET_BIT, bits & FRACTION, !bits & SIGN);
    let refused = operands.iter().any(|bits| canonical(*bits) != *bits && bits & EXPONENT != 0);
    if refused {
        return Some(INDEFINITE);
    }
    operands.iter().copied().filter(|bits| is_nan(*bits)).max_by_key(rank).map(|bits| bits | QUIET_BIT)
}

pub(super) fn unary(op: UnaryOp, a: u128) -> u128 {
    if let Some(none) = not_a_number(&[a]) {
        return none;
    }
    let mode = match op {
        UnaryOp::FSqrt => return square_root(canonical(a)),
        UnaryOp::FFloor => Round::TowardNegative,
        UnaryOp::FCeil => Round::TowardPositive,
        UnaryOp::FTrunc => Round::TowardZero,
        UnaryOp::FRint => Round::NearestTiesToEven,
        UnaryOp::FRound => Round::NearestTiesToAway,
        _ => unreachable!("{op:?} looks at no fraction"),
    };
    bits_of(value(canonical(a)).round_to_integral(mode).value)
}

pub(super) fn binary(op: BinaryOp, a: u128, b: u128) -> u128 {
    if let Some(none) = not_a_number(&[a, b]) {
        return none;
    }
    let (a, b) = (value(canonical(a)), value(canonical(b)));
    bits_of(match op {
        BinaryOp::FAdd => (a + b).value,
        BinaryOp::FSub => (a - b).value,
        BinaryOp::FMul => (a * b).value,
        BinaryOp::FDiv => (a / b).value,
        BinaryOp::FRem => return remainder(a, b),
        _ => unreachable!("{op:?} looks at no fraction"),
    })
}

pub(super) fn fma(a: u128, b: u128, c: u128) -> u128 {
    if let Some(none) = not_a_number(&[a, b, c]) {
        return none;
    }
    let [a, b, c] = [a, b, c].map(|bits| value(canonical(bits)));
    bits_of(a.mul_add(b, c).value)
}

pub(super) fn compare(a: u128, b: u128) -> Option<Ordering> {
    let [a, b] = [a, b].map(|bits| value(canonical(bits)));
    a.partial_cmp(&b)
}

/// A number that is not 0 as its sign, a fraction with the highest of 64 bits set, and the power of two of its lowest bit.
fn normalized(bits: u128) -> (u128, u64, i32) {
    let exponent = ((bits & EXPONENT) >> 64) as i32;
    let fraction = bits as u64;
    let shift = fraction.leading_zeros();
    (bits & SIGN, fraction << shift, exponent.max(1) - 16_383 - 63 - shift as i32)
}

fn square_root(bits: u128) -> u128 {
    if bits & !SIGN == 0 || bits == INFINITY {
        return bits;
    }
    if bits & SIGN != 0 {
        return INDEFINITE;
    }
    let (_, fraction, power) = normalized(bits);
    // The square has an even power and 127 or 128 bits, so that the root has 64.
    let shift = if power % 2 == 0 { 64 } else { 63 };
    let square = u128::from(fraction) << shift;
    let root = square.isqrt();
    // Halfway between two roots lies no square of a whole number, so there are no ties; and the result is never rounded
    // up to 2^64, because the largest square is less than that of 2^64 - 1/2.
    let rounded = root + u128::from(square - root * root > root);
    let exponent = (power - shift) / 2 + 63 + 16_383;
    (exponent as u128) << 64 | rounded
}

/// C's `fmod`, exact: the remainder of the fractions shifted by the difference of the powers, bit by bit.
fn remainder(a: X87DoubleExtended, b: X87DoubleExtended) -> u128 {
    if a.is_infinite() || b.is_zero() {
        return INDEFINITE;
    }
    if b.is_infinite() || a.is_zero() {
        return a.to_bits();
    }
    let (sign, fraction, power) = normalized(a.to_bits());
    let (_, divisor, divisor_power) = normalized(b.to_bits());
    let Ok(steps) = u32::try_from(power - divisor_power) else { return a.to_bits() };
    let mut rest = u128::from(fraction % divisor);
    for _ in 0..steps {
        rest = (rest << 1) % u128::from(divisor);
    }
    // It fits: it is a multiple of the divisor's lowest bit and less than the divisor.
    sign | from_parts(rest as u64, divisor_power)
}

/// The number `fraction * 2^power`, which is one without rounding.
fn from_parts(fraction: u64, power: i32) -> u128 {
    if fraction == 0 {
        return 0;
    }
    let wanted = fraction.leading_zeros() as i32;
    let exponent = power + 16_383 + 63 - wanted;
    if exponent >= 1 {
        return (exponent as u128) << 64 | u128::from(fraction << wanted);
    }
    let shift = power - (1 - 16_383 - 63);
    u128::from(if shift >= 0 { fraction << shift } else { fraction >> -shift })
}

/// The whole number towards 0; nothing if there is none or it needs more than 127 bits and a sign.
pub(super) fn truncated(bits: u128) -> Option<i128> {
    let status = value(canonical(bits)).to_i128_r(128, Round::TowardZero, &mut false);
    (!status.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(status.value)
}

pub(super) fn to_unsigned_128(bits: u128) -> u128 {
    value(canonical(bits)).to_u128_r(128, Round::TowardZero, &mut false).value
}

pub(super) fn from_signed(number: i128) -> u128 {
    X87DoubleExtended::from_i128(number).value.to_bits()
}

pub(super) fn from_unsigned(number: u128) -> u128 {
    X87DoubleExtended::from_u128(number).value.to_bits()
}

/// From a float of 32 or 64 bits; nothing is lost, but a signalling one that is no number is quieted.
pub(super) fn widened(from: u16, bits: u128) -> u128 {
    let (fraction_bits, exponent_bits) = if from == 32 { (23, 8) } else { (52, 11) };
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    if exponent == (1 << exponent_bits) - 1 && fraction != 0 {
        let sign = bits >> (from - 1) << 79;
        return sign | INFINITY | QUIET_BIT | fraction << (63 - fraction_bits);
    }
    let wide: X87DoubleExtended = match from {
        32 => Single::from_bits(bits).convert(&mut false).value,
        _ => Double::from_bits(bits).convert(&mut false).value,
    };
    wide.to_bits()
}

/// To a float of 32 or 64 bits, rounded to nearest.
pub(super) fn narrowed(to: u16, bits: u128) -> u128 {
    let fraction_bits = if to == 32 { 23 } else { 52 };
    if let Some(none) = not_a_number(&[bits]) {
        let exponent = if to == 32 { 0xff << 23 } else { 0x7ff << 52 };
        return none >> 79 << (to - 1) | exponent | (none & FRACTION) >> (63 - fraction_bits);
    }
    let wide = value(canonical(bits));
    match to {
        32 => FloatConvert::<Single>::convert(wide, &mut false).value.to_bits(),
        _ => FloatConvert::<Double>::convert(wide, &mut false).value.to_bits(),
    }
}
