//! Addition, subtraction, multiplication and division.

use super::slice::join_disjoint;
use super::{Law1, Law2, Rule, rules};
use crate::node::{Node, Term};
use crate::op::{BinaryOp, UnaryOp};
use crate::semantics::{mask, sign_bit};
use crate::store::Terms;

pub(super) const NEG: &[Rule<Law1>] = rules!("neg", neg_neg, neg_difference);

pub(super) const ADD: &[Rule<Law2>] = rules!(
    "add",
    add_zero,
    add_constants,
    add_to_constant_minus,
    add_negated,
    add_back_subtracted,
    join_disjoint
);

pub(super) const SUB: &[Rule<Law2>] = rules!(
    "sub",
    sub_same,
    sub_constant,
    sub_from_zero,
    sub_added,
    sub_of_sums_with_constants,
    sub_from_constant,
    sub_negated
);

pub(super) const MUL: &[Rule<Law2>] =
    rules!("mul", mul_zero, mul_one, mul_minus_one, mul_constants, mul_power_of_two);
pub(super) const UDIV: &[Rule<Law2>] = rules!("udiv", div_by_one, udiv_power_of_two, udiv_of_extension);
pub(super) const UREM: &[Rule<Law2>] = rules!("urem", urem_power_of_two, urem_of_extension);
pub(super) const SDIV: &[Rule<Law2>] = rules!("sdiv", div_by_one, sdiv_of_non_negative);
pub(super) const SREM: &[Rule<Law2>] = rules!("srem", srem_of_non_negative);

/// The sum of a term and a number.
fn plus(terms: &mut Terms, a: Term, number: u128) -> Term {
    let number = terms.constant(terms.width(a), number);
    terms.binary(BinaryOp::Add, a, number)
}

fn as_neg(terms: &Terms, a: Term) -> Option<Term> {
    match *terms.node(a) {
        Node::Unary(UnaryOp::Neg, inner) => Some(inner),
        _ => None,
    }
}

/// `-(-a) = a`
fn neg_neg(terms: &mut Terms, a: Term) -> Option<Term> {
    as_neg(terms, a)
}

/// `-(a - b) = b - a`
fn neg_difference(terms: &mut Terms, a: Term) -> Option<Term> {
    let (left, right) = terms.as_binary(BinaryOp::Sub, a)?;
    Some(terms.binary(BinaryOp::Sub, right, left))
}

/// `a + 0 = a`
fn add_zero(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_zero(b).then_some(a)
}

/// `(a + c) + d = a + (c + d)`
fn add_constants(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let outer = terms.as_constant(b)?;
    let (inner, constant) = terms.as_binary_constant(BinaryOp::Add, a)?;
    Some(plus(terms, inner, constant.wrapping_add(outer)))
}

/// `(c - a) + d = (c + d) - a`
fn add_to_constant_minus(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let outer = terms.as_constant(b)?;
    let (left, right) = terms.as_binary(BinaryOp::Sub, a)?;
    let constant = terms.as_constant(left)?;
    let merged = terms.constant(terms.width(a), constant.wrapping_add(outer));
    Some(terms.binary(BinaryOp::Sub, merged, right))
}

/// `a + (-b) = a - b`
fn add_negated(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if let Some(inner) = as_neg(terms, b) {
        return Some(terms.binary(BinaryOp::Sub, a, inner));
    }
    let inner = as_neg(terms, a)?;
    Some(terms.binary(BinaryOp::Sub, b, inner))
}

/// `(a - b) + b = a`
fn add_back_subtracted(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    [(a, b), (b, a)].into_iter().find_map(|(difference, added)| {
        let (left, right) = terms.as_binary(BinaryOp::Sub, difference)?;
        (right == added).then_some(left)
    })
}

/// `a - a = 0`
fn sub_same(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| terms.constant(terms.width(a), 0))
}

/// `a - c = a + (-c)`
fn sub_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    Some(plus(terms, a, constant.wrapping_neg()))
}

/// `0 - a = -a`
fn sub_from_zero(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_zero(a).then(|| terms.unary(UnaryOp::Neg, b))
}

/// `(a + b) - a = b`, and `a - (a + b) = -b`
fn sub_added(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let other = |sum: Term, taken: Term| {
        let (left, right) = terms.as_binary(BinaryOp::Add, sum)?;
        if left == taken { Some(right) } else { (right == taken).then_some(left) }
    };
    if let Some(rest) = other(a, b) {
        return Some(rest);
    }
    let rest = other(b, a)?;
    Some(terms.unary(UnaryOp::Neg, rest))
}

/// `(a + c) - (b + d) = (a - b) + (c - d)`
fn sub_of_sums_with_constants(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (left, c) = terms.as_binary_constant(BinaryOp::Add, a)?;
    let (right, d) = terms.as_binary_constant(BinaryOp::Add, b)?;
    let difference = terms.binary(BinaryOp::Sub, left, right);
    Some(plus(terms, difference, c.wrapping_sub(d)))
}

/// `c - (a + d) = (c - d) - a`, and `c - (d - a) = a + (c - d)`
fn sub_from_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let outer = terms.as_constant(a)?;
    if let Some((inner, constant)) = terms.as_binary_constant(BinaryOp::Add, b) {
        let merged = terms.constant(terms.width(a), outer.wrapping_sub(constant));
        return Some(terms.binary(BinaryOp::Sub, merged, inner));
    }
    let (left, right) = terms.as_binary(BinaryOp::Sub, b)?;
    let constant = terms.as_constant(left)?;
    Some(plus(terms, right, outer.wrapping_sub(constant)))
}

/// `a - (-b) = a + b`
fn sub_negated(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let inner = as_neg(terms, b)?;
    Some(terms.binary(BinaryOp::Add, a, inner))
}

/// `a * 0 = 0`
fn mul_zero(terms: &mut Terms, _: Term, b: Term) -> Option<Term> {
    terms.is_zero(b).then_some(b)
}

/// `a * 1 = a`
fn mul_one(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_value(b, 1).then_some(a)
}

/// `a * -1 = -a`
fn mul_minus_one(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_ones(b).then(|| terms.unary(UnaryOp::Neg, a))
}

/// `a * 2^k = a << k`
fn mul_power_of_two(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let exponent = exponent(terms, b)?;
    let amount = terms.constant(terms.width(a), exponent.into());
    Some(terms.binary(BinaryOp::Shl, a, amount))
}

/// `(a * c) * d = a * (c * d)`
fn mul_constants(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let outer = terms.as_constant(b)?;
    let (inner, constant) = terms.as_binary_constant(BinaryOp::Mul, a)?;
    let merged = terms.constant(terms.width(a), constant.wrapping_mul(outer));
    Some(terms.binary(BinaryOp::Mul, inner, merged))
}

fn exponent(terms: &Terms, b: Term) -> Option<u16> {
    let constant = terms.as_constant(b)?;
    constant.is_power_of_two().then(|| constant.trailing_zeros() as u16)
}

/// `a / 1 = a` (in one bit, signed, the divisor 1 is -1, and `a / -1 = a` there too)
fn div_by_one(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_value(b, 1).then_some(a)
}

/// `a / 2^k = a >> k`, unsigned
fn udiv_power_of_two(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let exponent = exponent(terms, b)?;
    let amount = terms.constant(terms.width(a), exponent.into());
    Some(terms.binary(BinaryOp::LShr, a, amount))
}

/// `zext(a) / c = zext(a / c)`, or 0 where `c` is too large for `a`; `c` is not 0
fn udiv_of_extension(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (inner, divisor) = (terms.as_zext(a)?, terms.as_constant(b)?);
    let (width, inner_width) = (terms.width(a), terms.width(inner));
    match divisor {
        0 => None,
        _ if divisor > mask(inner_width) => Some(terms.constant(width, 0)),
        _ => {
            let divisor = terms.constant(inner_width, divisor);
            let quotient = terms.binary(BinaryOp::UDiv, inner, divisor);
            Some(terms.zext(quotient, width))
        }
    }
}

/// `a % 2^k = a & (2^k - 1)`, unsigned
fn urem_power_of_two(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let exponent = exponent(terms, b)?;
    let kept = terms.constant(terms.width(a), mask(exponent));
    Some(terms.binary(BinaryOp::And, a, kept))
}

/// `zext(a) % c = zext(a % c)`, or `zext(a)` where `c` is too large for `a`; `c` is not 0
fn urem_of_extension(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (inner, divisor) = (terms.as_zext(a)?, terms.as_constant(b)?);
    let (width, inner_width) = (terms.width(a), terms.width(inner));
    match divisor {
        0 => None,
        _ if divisor > mask(inner_width) => Some(a),
        _ => {
            let divisor = terms.constant(inner_width, divisor);
            let remainder = terms.binary(BinaryOp::URem, inner, divisor);
            Some(terms.zext(remainder, width))
        }
    }
}

/// `zext(a) / c` is the same signed and unsigned where `c` is positive
fn sdiv_of_non_negative(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    non_negative_by_positive(terms, a, b)?;
    Some(terms.binary(BinaryOp::UDiv, a, b))
}

/// `zext(a) % c` is the same signed and unsigned where `c` is positive
fn srem_of_non_negative(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    non_negative_by_positive(terms, a, b)?;
    Some(terms.binary(BinaryOp::URem, a, b))
}

fn non_negative_by_positive(terms: &Terms, a: Term, b: Term) -> Option<()> {
    terms.as_zext(a)?;
    let divisor = terms.as_constant(b)?;
    (divisor != 0 && divisor < sign_bit(terms.width(a))).then_some(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, two};
    use crate::{BinaryOp::*, UnaryOp::Neg};

    #[test]
    fn sums_and_differences_with_constants_merge() {
        let (mut t, x, y) = two(32);
        let (three, five) = (t.constant(32, 3), t.constant(32, 5));
        let plus_three = t.binary(Add, x, three);
        let (actual, eight) = (t.binary(Add, five, plus_three), t.constant(32, 8));
        let expected = t.binary(Add, x, eight);
        same(&t, actual, expected);
        let (actual, minus_two) = (t.binary(Sub, plus_three, five), t.constant(32, (-2i128) as u128));
        let expected = t.binary(Add, x, minus_two);
        same(&t, actual, expected);
        let from_three = t.binary(Sub, three, x);
        let (actual, expected) = (t.binary(Add, from_three, five), t.binary(Sub, eight, x));
        same(&t, actual, expected);
        let actual = t.binary(Sub, eight, from_three);
        let expected = t.binary(Add, x, five);
        same(&t, actual, expected);
        let (actual, expected) = (t.binary(Sub, eight, plus_three), t.binary(Sub, five, x));
        same(&t, actual, expected);
        let (y_five, difference) = (t.binary(Add, y, five), t.binary(Sub, x, y));
        let (actual, expected) = (t.binary(Sub, plus_three, y_five), t.binary(Add, difference, minus_two));
        same(&t, actual, expected);
    }

    #[test]
    fn what_was_added_can_be_taken_away() {
        let (mut t, x, y) = two(32);
        let (zero, sum, difference) = (t.constant(32, 0), t.binary(Add, x, y), t.binary(Sub, x, y));
        let minus_y = t.unary(Neg, y);
        for (op, a, b, expected) in [
            (Sub, sum, x, y),
            (Sub, sum, y, x),
            (Sub, x, sum, minus_y),
            (Add, difference, y, x),
            (Add, x, zero, x),
            (Sub, x, x, zero),
            (Sub, zero, y, minus_y),
            (Add, x, minus_y, difference),
            (Add, minus_y, x, difference),
            (Sub, x, minus_y, sum),
        ] {
            let actual = t.binary(op, a, b);
            same(&t, actual, expected);
        }
        let (back, turned, swapped) = (t.unary(Neg, minus_y), t.unary(Neg, difference), t.binary(Sub, y, x));
        same(&t, back, y);
        same(&t, turned, swapped);
    }

    #[test]
    fn multiplication_by_special_numbers() {
        let (mut t, x, _) = two(32);
        let constants: Vec<_> = [0, 1, 8, 0xffff_ffff, 3, 24].map(|value| t.constant(32, value)).into();
        let (minus_x, amount) = (t.unary(Neg, x), t.constant(32, 3));
        let shifted = t.binary(Shl, x, amount);
        for (factor, expected) in [(0, constants[0]), (1, x), (2, shifted), (3, minus_x)] {
            let actual = t.binary(Mul, constants[factor], x);
            same(&t, actual, expected);
        }
        let inner = t.binary(Mul, x, constants[4]);
        let (actual, expected) = (t.binary(Mul, inner, constants[2]), t.binary(Mul, x, constants[5]));
        same(&t, actual, expected);
    }

    #[test]
    fn unsigned_division_by_powers_of_two_is_a_slice() {
        let (mut t, x, _) = two(32);
        let (eight, three, seven, one) =
            (t.constant(32, 8), t.constant(32, 3), t.constant(32, 7), t.constant(32, 1));
        let (quotient, shifted) = (t.binary(UDiv, x, eight), t.binary(LShr, x, three));
        same(&t, quotient, shifted);
        let (remainder, masked) = (t.binary(URem, x, eight), t.binary(And, x, seven));
        same(&t, remainder, masked);
        let (unsigned, signed) = (t.binary(UDiv, x, one), t.binary(SDiv, x, one));
        same(&t, unsigned, x);
        same(&t, signed, x);
    }

    #[test]
    fn division_of_an_extended_value_happens_in_its_own_width() {
        let (mut t, x, _) = two(8);
        let (wide, ten, wide_ten, large) =
            (t.zext(x, 32), t.constant(8, 10), t.constant(32, 10), t.constant(32, 999));
        for (signed, unsigned) in [(SDiv, UDiv), (SRem, URem)] {
            let narrow = t.binary(unsigned, x, ten);
            let expected = t.zext(narrow, 32);
            let (a, b) = (t.binary(unsigned, wide, wide_ten), t.binary(signed, wide, wide_ten));
            same(&t, a, expected);
            same(&t, b, expected);
        }
        let (quotient, remainder) = (t.binary(UDiv, wide, large), t.binary(URem, wide, large));
        is(&t, quotient, 0);
        same(&t, remainder, wide);
    }
}
