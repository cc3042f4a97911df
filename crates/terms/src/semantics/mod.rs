//! What each operation computes on plain values: the one definition that constant folding, the evaluator and the
//! tests of the rewriting share.
//!
//! Takes and gives values whose bits above the width are 0.

pub mod extended;
mod float;
mod integer;
mod library;

pub use float::{fcmp, is_float_width};

use crate::op::{BinaryOp, ConvertOp, UnaryOp};

/// All ones in `width` bits.
pub const fn mask(width: u16) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The sign bit of `width` bits.
pub const fn sign_bit(width: u16) -> u128 {
    1 << (width - 1)
}

/// The value read as a two's complement number.
pub const fn signed(width: u16, value: u128) -> i128 {
    let unused = 128 - width as u32;
    ((value << unused) as i128) >> unused
}

/// The value of an operation on one value of this width.
pub fn unary(op: UnaryOp, width: u16, a: u128) -> u128 {
    if op.is_library() {
        library::unary(op, width, a)
    } else if op.is_float() {
        float::unary(op, width, a)
    } else {
        integer::unary(op, width, a)
    }
}

/// The value of an operation on two values of this width; one bit for predicates.
pub fn binary(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    if op.is_library() {
        library::binary(op, width, a, b)
    } else if op.is_float() {
        float::binary(op, width, a, b)
    } else {
        integer::binary(op, width, a, b)
    }
}

/// The value of a conversion.
pub fn convert(op: ConvertOp, from: u16, to: u16, a: u128) -> u128 {
    float::convert(op, from, to, a) & mask(to)
}

/// `a * b + c` rounded once.
pub fn fma(width: u16, a: u128, b: u128, c: u128) -> u128 {
    float::fma(width, a, b, c)
}

/// The high part above the low part of this width.
pub const fn concat(low_width: u16, high: u128, low: u128) -> u128 {
    high << low_width | low
}

/// `width` bits from bit `low` upwards.
pub const fn extract(low: u16, width: u16, a: u128) -> u128 {
    a >> low & mask(width)
}

/// Sign extension.
pub const fn sext(from: u16, to: u16, a: u128) -> u128 {
    signed(from, a) as u128 & mask(to)
}
