//! Integer operations on plain values.

use super::{mask, sign_bit, signed};
use crate::op::{BinaryOp, UnaryOp};

pub(super) fn unary(op: UnaryOp, width: u16, a: u128) -> u128 {
    let unused = 128 - u32::from(width);
    match op {
        UnaryOp::Not => !a & mask(width),
        UnaryOp::Neg => a.wrapping_neg() & mask(width),
        UnaryOp::CtPop => a.count_ones().into(),
        UnaryOp::Ctlz => (a.leading_zeros() - unused).into(),
        UnaryOp::Cttz => a.trailing_zeros().min(width.into()).into(),
        UnaryOp::BSwap => a.swap_bytes() >> unused,
        _ => unreachable!("{op:?} is a floating operation"),
    }
}

pub(super) fn binary(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    use BinaryOp::*;
    match op {
        Add | Sub | Mul | UDiv | SDiv | URem | SRem => arithmetic(op, width, a, b) & mask(width),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl | LShr | AShr => shift(op, width, a, (b % u128::from(width)) as u32),
        Eq | Ne | Ult | Ule | Slt | Sle => compare(op, width, a, b).into(),
        SAddO | UAddO | SSubO | USubO | SMulO | UMulO => overflows(op, width, a, b).into(),
        _ => unreachable!("{op:?} is a floating operation"),
    }
}

fn arithmetic(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    let (signed_a, signed_b) = (signed(width, a), signed(width, b));
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv if b == 0 => (if signed_a < 0 { 1i128 } else { -1 }) as u128,
        BinaryOp::SDiv => signed_a.wrapping_div(signed_b) as u128,
        BinaryOp::SRem if b == 0 => a,
        _ => signed_a.wrapping_rem(signed_b) as u128,
    }
}

fn shift(op: BinaryOp, width: u16, a: u128, amount: u32) -> u128 {
    match op {
        BinaryOp::Shl => a << amount & mask(width),
        BinaryOp::LShr => a >> amount,
        _ => (signed(width, a) >> amount) as u128 & mask(width),
    }
}

fn compare(op: BinaryOp, width: u16, a: u128, b: u128) -> bool {
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Ult => a < b,
        BinaryOp::Ule => a <= b,
        BinaryOp::Slt => signed(width, a) < signed(width, b),
        _ => signed(width, a) <= signed(width, b),
    }
}

fn overflows(op: BinaryOp, width: u16, a: u128, b: u128) -> bool {
    let (signed_a, signed_b) = (signed(width, a), signed(width, b));
    let (least, most) = (signed(width, sign_bit(width)), (mask(width) >> 1) as i128);
    let fits = |value: i128| (least..=most).contains(&value);
    let signed_misfit = |value: Option<i128>| !value.is_some_and(fits);
    let unsigned_misfit = |value: Option<u128>| value.is_none_or(|value| value > mask(width));
    match op {
        BinaryOp::SAddO => signed_misfit(signed_a.checked_add(signed_b)),
        BinaryOp::SSubO => signed_misfit(signed_a.checked_sub(signed_b)),
        BinaryOp::SMulO => signed_misfit(signed_a.checked_mul(signed_b)),
        BinaryOp::UAddO => unsigned_misfit(a.checked_add(b)),
        BinaryOp::USubO => a < b,
        _ => unsigned_misfit(a.checked_mul(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_follows_smt_lib() {
        assert_eq!(binary(BinaryOp::UDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(BinaryOp::URem, 8, 7, 0), 7);
        assert_eq!(binary(BinaryOp::SDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(BinaryOp::SDiv, 8, 0xf0, 0), 1);
        assert_eq!(binary(BinaryOp::SRem, 8, 0xf0, 0), 0xf0);
    }

    #[test]
    fn signed_division_truncates_and_the_remainder_has_the_dividends_sign() {
        assert_eq!(binary(BinaryOp::SDiv, 8, 0xf9, 2), 0xfd); // -7 / 2 = -3
        assert_eq!(binary(BinaryOp::SRem, 8, 0xf9, 2), 0xff); // -7 % 2 = -1
        assert_eq!(binary(BinaryOp::SDiv, 8, 0x80, 0xff), 0x80);
    }

    #[test]
    fn shift_amounts_count_modulo_the_width() {
        assert_eq!(binary(BinaryOp::Shl, 32, 1, 33), 2);
        assert_eq!(binary(BinaryOp::AShr, 8, 0x80, 9), 0xc0);
        assert_eq!(binary(BinaryOp::LShr, 128, 1 << 127, 127), 1);
    }

    #[test]
    fn overflow_at_the_edges_of_every_width() {
        for width in [1, 2, 8, 64, 127, 128] {
            let (most, least) = (mask(width) >> 1, sign_bit(width));
            assert_eq!(binary(BinaryOp::SAddO, width, most, least), 0, "{width}");
            assert_eq!(binary(BinaryOp::SSubO, width, most, least), 1, "{width}");
            assert_eq!(binary(BinaryOp::SMulO, width, least, mask(width)), 1, "{width}");
            assert_eq!(
                binary(BinaryOp::UMulO, width, mask(width), mask(width)),
                u128::from(width > 1),
                "{width}"
            );
            assert_eq!(binary(BinaryOp::UAddO, width, mask(width), 1), 1, "{width}");
        }
    }

    #[test]
    fn counting_bits() {
        assert_eq!(unary(UnaryOp::Ctlz, 8, 0), 8);
        assert_eq!(unary(UnaryOp::Ctlz, 32, 1), 31);
        assert_eq!(unary(UnaryOp::Cttz, 32, 0), 32);
        assert_eq!(unary(UnaryOp::CtPop, 128, u128::MAX), 128);
        assert_eq!(unary(UnaryOp::BSwap, 32, 0x1122_3344), 0x4433_2211);
    }
}
