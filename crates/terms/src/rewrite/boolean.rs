//! Bitwise operations, and with them the truth values.

use super::slice::join_disjoint;
use super::{Law1, Law2, Rule, rules};
use crate::node::{Node, Term};
use crate::op::{BinaryOp, predicate};
use crate::semantics::mask;
use crate::store::Terms;

pub(super) const NOT: &[Rule<Law1>] = rules!("not", not_not, not_comparison, not_float_comparison);

pub(super) const AND: &[Rule<Law2>] = rules!(
    "and",
    and_same,
    and_zero,
    and_ones,
    and_complement,
    and_constants,
    and_low_bits,
    and_within_extension,
    and_of_extensions
);

pub(super) const OR: &[Rule<Law2>] = rules!(
    "or",
    or_same,
    or_zero,
    or_ones,
    or_complement,
    or_constants,
    join_disjoint,
    or_within_extension,
    or_of_extensions
);

pub(super) const XOR: &[Rule<Law2>] = rules!(
    "xor",
    xor_same,
    xor_zero,
    xor_ones,
    xor_constants,
    join_disjoint,
    xor_within_extension,
    xor_of_extensions
);

/// `!!a = a`
fn not_not(terms: &mut Terms, a: Term) -> Option<Term> {
    terms.as_not(a)
}

/// `!(a < b) = b <= a`, and so on for the four orders
fn not_comparison(terms: &mut Terms, a: Term) -> Option<Term> {
    let Node::Binary(op, left, right) = *terms.node(a) else { return None };
    let opposite = match op {
        BinaryOp::Ult => BinaryOp::Ule,
        BinaryOp::Ule => BinaryOp::Ult,
        BinaryOp::Slt => BinaryOp::Sle,
        BinaryOp::Sle => BinaryOp::Slt,
        _ => return None,
    };
    Some(terms.binary(opposite, right, left))
}

/// `!fcmp(p, a, b) = fcmp(every relation not in p, a, b)`
fn not_float_comparison(terms: &mut Terms, a: Term) -> Option<Term> {
    let Node::FCmp(found, left, right) = *terms.node(a) else { return None };
    Some(terms.fcmp(predicate::ALWAYS ^ found, left, right))
}

/// `a & a = a`
fn and_same(_: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then_some(a)
}

/// `a & 0 = 0`
fn and_zero(terms: &mut Terms, _: Term, b: Term) -> Option<Term> {
    terms.is_zero(b).then_some(b)
}

/// `a & 11…1 = a`
fn and_ones(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_ones(b).then_some(a)
}

fn complements(terms: &Terms, a: Term, b: Term) -> bool {
    terms.as_not(a) == Some(b) || terms.as_not(b) == Some(a)
}

/// `a & !a = 0`
fn and_complement(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    complements(terms, a, b).then(|| terms.constant(terms.width(a), 0))
}

/// `(a & c) & d = a & (c & d)`
fn and_constants(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    merge_constants(terms, BinaryOp::And, a, b, |c, d| c & d)
}

/// `a & 0…01…1 = zext(the low bits of a)`
fn and_low_bits(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (bits, width) = (terms.as_constant(b)?, terms.width(a));
    let kept = bits.trailing_ones() as u16;
    if kept == 0 || bits != mask(kept) {
        return None;
    }
    let low = terms.extract(a, 0, kept);
    Some(terms.zext(low, width))
}

/// `zext(a) & c = zext(a & low bits of c)`
fn and_within_extension(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (inner, constant) = (terms.as_zext(a)?, terms.as_constant(b)?);
    let low = terms.constant(terms.width(inner), constant);
    let masked = terms.binary(BinaryOp::And, inner, low);
    Some(terms.zext(masked, terms.width(a)))
}

/// `zext(a) & zext(b) = zext(a & b)`
fn and_of_extensions(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_extensions(terms, BinaryOp::And, a, b)
}

/// `a | a = a`
fn or_same(_: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then_some(a)
}

/// `a | 0 = a`
fn or_zero(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_zero(b).then_some(a)
}

/// `a | 11…1 = 11…1`
fn or_ones(terms: &mut Terms, _: Term, b: Term) -> Option<Term> {
    terms.is_ones(b).then_some(b)
}

/// `a | !a = 11…1`
fn or_complement(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    complements(terms, a, b).then(|| terms.constant(terms.width(a), u128::MAX))
}

/// `(a | c) | d = a | (c | d)`
fn or_constants(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    merge_constants(terms, BinaryOp::Or, a, b, |c, d| c | d)
}

/// `zext(a) | c = zext(a | c)` where `c` fits
fn or_within_extension(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    within_extension(terms, BinaryOp::Or, a, b)
}

/// `zext(a) | zext(b) = zext(a | b)`
fn or_of_extensions(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_extensions(terms, BinaryOp::Or, a, b)
}

/// `a ^ a = 0`
fn xor_same(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| terms.constant(terms.width(a), 0))
}

/// `a ^ 0 = a`
fn xor_zero(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_zero(b).then_some(a)
}

/// `a ^ 11…1 = !a`
fn xor_ones(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    terms.is_ones(b).then(|| terms.not(a))
}

/// `(a ^ c) ^ d = a ^ (c ^ d)`
fn xor_constants(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    merge_constants(terms, BinaryOp::Xor, a, b, |c, d| c ^ d)
}

/// `zext(a) ^ c = zext(a ^ c)` where `c` fits
fn xor_within_extension(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    within_extension(terms, BinaryOp::Xor, a, b)
}

/// `zext(a) ^ zext(b) = zext(a ^ b)`
fn xor_of_extensions(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_extensions(terms, BinaryOp::Xor, a, b)
}

fn merge_constants(
    terms: &mut Terms,
    op: BinaryOp,
    a: Term,
    b: Term,
    both: fn(u128, u128) -> u128,
) -> Option<Term> {
    let outer = terms.as_constant(b)?;
    let (inner, constant) = terms.as_binary_constant(op, a)?;
    let merged = terms.constant(terms.width(a), both(constant, outer));
    Some(terms.binary(op, inner, merged))
}

fn within_extension(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let (inner, constant) = (terms.as_zext(a)?, terms.as_constant(b)?);
    if constant > mask(terms.width(inner)) {
        return None;
    }
    let low = terms.constant(terms.width(inner), constant);
    let combined = terms.binary(op, inner, low);
    Some(terms.zext(combined, terms.width(a)))
}

fn of_extensions(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (terms.as_zext(a)?, terms.as_zext(b)?);
    if terms.width(left) != terms.width(right) {
        return None;
    }
    let combined = terms.binary(op, left, right);
    Some(terms.zext(combined, terms.width(a)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, two};
    use crate::{BinaryOp::*, Terms, predicate};

    #[test]
    fn negations_cancel() {
        let (mut t, x, _) = two(16);
        let not = t.not(x);
        let back = t.not(not);
        same(&t, back, x);
    }

    #[test]
    fn a_negated_order_is_the_opposite_order() {
        let (mut t, x, y) = two(16);
        for (op, opposite) in [(Ult, Ule), (Ule, Ult), (Slt, Sle), (Sle, Slt)] {
            let order = t.binary(op, x, y);
            let (negated, expected) = (t.not(order), t.binary(opposite, y, x));
            same(&t, negated, expected);
        }
        let (mut t, x, y) = two(64);
        let less = t.fcmp(predicate::LESS, x, y);
        let negated = t.not(less);
        let expected = t.fcmp(predicate::ALWAYS ^ predicate::LESS, x, y);
        same(&t, negated, expected);
    }

    #[test]
    fn neutral_and_absorbing_values() {
        let (mut t, x, _) = two(16);
        let (zero, ones, not) = (t.constant(16, 0), t.constant(16, 0xffff), t.not(x));
        for (op, with_zero, with_ones, with_itself) in
            [(And, zero, x, x), (Or, x, ones, x), (Xor, x, not, zero)]
        {
            for (operand, expected) in [(zero, with_zero), (ones, with_ones), (x, with_itself)] {
                let actual = t.binary(op, operand, x);
                same(&t, actual, expected);
            }
        }
        let (and, or) = (t.binary(And, x, not), t.binary(Or, not, x));
        is(&t, and, 0);
        is(&t, or, 0xffff);
    }

    #[test]
    fn constants_of_a_chain_merge() {
        let (mut t, x, _) = two(16);
        let (c, d) = (t.constant(16, 0x0ff0), t.constant(16, 0x3c3c));
        for (op, merged) in [(And, 0x0c30), (Or, 0x3ffc), (Xor, 0x33cc)] {
            let inner = t.binary(op, x, c);
            let (chain, merged) = (t.binary(op, inner, d), t.constant(16, merged));
            let expected = t.binary(op, x, merged);
            same(&t, chain, expected);
        }
    }

    #[test]
    fn masking_low_bits_is_an_extraction() {
        let (mut t, x, _) = two(32);
        let mask = t.constant(32, 0xff);
        let (masked, byte) = (t.binary(And, x, mask), t.input(0));
        let expected = t.zext(byte, 32);
        same(&t, masked, expected);
    }

    #[test]
    fn bitwise_operations_move_into_an_extension() {
        let mut t = Terms::new();
        let (a, b) = (t.input(0), t.input(1));
        let (wide_a, wide_b) = (t.zext(a, 32), t.zext(b, 32));
        for op in [And, Or, Xor] {
            let narrow = t.binary(op, a, b);
            let (actual, expected) = (t.binary(op, wide_a, wide_b), t.zext(narrow, 32));
            same(&t, actual, expected);
            let (c, wide_c) = (t.constant(8, 0x5a), t.constant(32, 0x5a));
            let narrow = t.binary(op, a, c);
            let (actual, expected) = (t.binary(op, wide_a, wide_c), t.zext(narrow, 32));
            same(&t, actual, expected);
        }
    }
}
