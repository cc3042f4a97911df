//! Orders. With a constant only the strict ones remain: `a <= 4` is `a < 5`.

use super::slice::above_constant;
use super::{Law2, Rule, rules};
use crate::node::{Node, Term};
use crate::op::BinaryOp;
use crate::semantics::{extract, mask, sext, sign_bit, signed};
use crate::store::Terms;

pub(super) const ULT: &[Rule<Law2>] = rules!(
    "ult",
    less_same,
    ult_extremes,
    ult_bounds,
    ult_of_zexts,
    ult_of_sexts,
    ult_above_low_bits,
    ult_choice
);
pub(super) const ULE: &[Rule<Law2>] =
    rules!("ule", less_equal_same, ule_constant, ule_of_zexts, ule_of_sexts);
pub(super) const SLT: &[Rule<Law2>] = rules!(
    "slt",
    less_same,
    slt_extremes,
    slt_of_one_bit,
    slt_of_non_negatives,
    slt_of_sexts,
    slt_sext_constant,
    slt_choice
);
pub(super) const SLE: &[Rule<Law2>] =
    rules!("sle", less_equal_same, sle_constant, sle_of_non_negatives, sle_of_sexts);

/// `a < a` is false
fn less_same(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| terms.truth(false))
}

/// `a <= a` is true
fn less_equal_same(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| terms.truth(true))
}

/// Unsigned `a < 0` and `max < a` are false, `a < 1` is `a == 0`, `0 < a` is `a != 0`, `a < max` is `a != max`, and
/// `max - 1 < a` is `a == max`
fn ult_extremes(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (width, most) = (terms.width(a), mask(terms.width(a)));
    extremes(terms, a, b, Extremes { least: 0, most, after_least: 1, before_most: most - 1, width })
}

/// Signed `a < min` and `max < a` are false, `a < min + 1` is `a == min`, and so on
fn slt_extremes(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    if width == 1 {
        return None;
    }
    let (least, most) = (sign_bit(width), mask(width) >> 1);
    extremes(terms, a, b, Extremes { least, most, after_least: least + 1, before_most: most - 1, width })
}

/// The ends of an order.
struct Extremes {
    least: u128,
    most: u128,
    after_least: u128,
    before_most: u128,
    width: u16,
}

fn extremes(terms: &mut Terms, a: Term, b: Term, ends: Extremes) -> Option<Term> {
    let (other, constant, constant_is_right) = match (terms.as_constant(a), terms.as_constant(b)) {
        (_, Some(constant)) => (a, constant, true),
        (Some(constant), _) => (b, constant, false),
        _ => return None,
    };
    let (impossible, only, all_but) = if constant_is_right {
        (ends.least, (ends.after_least, ends.least), ends.most)
    } else {
        (ends.most, (ends.before_most, ends.most), ends.least)
    };
    if constant == impossible {
        return Some(terms.truth(false));
    }
    if constant == only.0 {
        let value = terms.constant(ends.width, only.1);
        return Some(terms.binary(BinaryOp::Eq, other, value));
    }
    (constant == all_but).then(|| {
        let value = terms.constant(ends.width, all_but);
        terms.binary(BinaryOp::Ne, other, value)
    })
}

/// `zext(a) < c` is true and `c < zext(a)` false where `c` is beyond what `a` can hold, otherwise decided in `a`'s width
fn ult_bounds(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if let (Some(inner), Some(constant)) = (terms.as_zext(a), terms.as_constant(b)) {
        let width = terms.width(inner);
        if constant > mask(width) {
            return Some(terms.truth(true));
        }
        let constant = terms.constant(width, constant);
        return Some(terms.binary(BinaryOp::Ult, inner, constant));
    }
    let (constant, inner) = (terms.as_constant(a)?, terms.as_zext(b)?);
    let width = terms.width(inner);
    if constant >= mask(width) {
        return Some(terms.truth(false));
    }
    let constant = terms.constant(width, constant);
    Some(terms.binary(BinaryOp::Ult, constant, inner))
}

/// `zext(a) < zext(b)` is decided in the wider of the two
fn ult_of_zexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_zexts(terms, BinaryOp::Ult, a, b)
}

/// `zext(a) <= zext(b)` is decided in the wider of the two
fn ule_of_zexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_zexts(terms, BinaryOp::Ule, a, b)
}

fn of_zexts(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (terms.as_zext(a)?, terms.as_zext(b)?);
    let width = terms.width(left).max(terms.width(right));
    let (left, right) = (terms.zext(left, width), terms.zext(right, width));
    Some(terms.binary(op, left, right))
}

/// `sext(a) < sext(b)`, also unsigned, is decided in the wider of the two
fn ult_of_sexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_sexts(terms, BinaryOp::Ult, a, b)
}

/// `sext(a) <= sext(b)`, also unsigned, is decided in the wider of the two
fn ule_of_sexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_sexts(terms, BinaryOp::Ule, a, b)
}

/// `sext(a) < sext(b)` is decided in the wider of the two
fn slt_of_sexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_sexts(terms, BinaryOp::Slt, a, b)
}

/// `sext(a) <= sext(b)` is decided in the wider of the two
fn sle_of_sexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_sexts(terms, BinaryOp::Sle, a, b)
}

fn of_sexts(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (terms.as_sext(a)?, terms.as_sext(b)?);
    let width = terms.width(left).max(terms.width(right));
    let (left, right) = (terms.sext(left, width), terms.sext(right, width));
    Some(terms.binary(op, left, right))
}

/// Unsigned `a <= c` is `a < c + 1`, and `c <= a` is `c - 1 < a`; true where that would wrap
fn ule_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    strict_with_constant(terms, BinaryOp::Ult, a, b, 0, mask(width))
}

/// Signed `a <= c` is `a < c + 1`, and `c <= a` is `c - 1 < a`; true where that would wrap
fn sle_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    strict_with_constant(terms, BinaryOp::Slt, a, b, sign_bit(width), mask(width) >> 1)
}

fn strict_with_constant(
    terms: &mut Terms,
    strict: BinaryOp,
    a: Term,
    b: Term,
    least: u128,
    most: u128,
) -> Option<Term> {
    let width = terms.width(a);
    if let Some(constant) = terms.as_constant(b) {
        if constant == most {
            return Some(terms.truth(true));
        }
        let bound = terms.constant(width, constant.wrapping_add(1));
        return Some(terms.binary(strict, a, bound));
    }
    let constant = terms.as_constant(a)?;
    if constant == least {
        return Some(terms.truth(true));
    }
    let bound = terms.constant(width, constant.wrapping_sub(1));
    Some(terms.binary(strict, bound, b))
}

/// `concat(a, d) < c` is `a < high c`, or `a <= high c` where `d` is below the low bits of `c`; and the same of `c <
/// concat(a, d)`
fn ult_above_low_bits(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (chain, constant, constant_is_right) = match (terms.as_constant(a), terms.as_constant(b)) {
        (_, Some(constant)) => (a, constant, true),
        (Some(constant), _) => (b, constant, false),
        _ => return None,
    };
    let (high, low) = above_constant(terms, chain)?;
    let (low_width, below) = (terms.width(low), terms.as_constant(low)?);
    let limit = terms.constant(terms.width(high), extract(low_width, terms.width(high), constant));
    let limit_below = extract(0, low_width, constant);
    Some(if constant_is_right {
        let op = if below < limit_below { BinaryOp::Ule } else { BinaryOp::Ult };
        terms.binary(op, high, limit)
    } else {
        let op = if limit_below < below { BinaryOp::Ule } else { BinaryOp::Ult };
        terms.binary(op, limit, high)
    })
}

/// `ite(c, 5, a) < 7` is `ite(c, 5 < 7, a < 7)`, for either arm and either side
fn ult_choice(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_choice(terms, BinaryOp::Ult, a, b)
}

/// `ite(c, 5, a) < 7` is `ite(c, 5 < 7, a < 7)`, for either arm and either side
fn slt_choice(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    of_choice(terms, BinaryOp::Slt, a, b)
}

fn of_choice(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let choice = if terms.as_constant(b).is_some() { a } else { b };
    let number = if choice == a { b } else { a };
    terms.as_constant(number)?;
    let Node::Ite(condition, yes, no) = *terms.node(choice) else { return None };
    if terms.as_constant(yes).is_none() && terms.as_constant(no).is_none() {
        return None;
    }
    let [yes, no] = [yes, no]
        .map(|arm| if choice == a { terms.binary(op, arm, number) } else { terms.binary(op, number, arm) });
    Some(terms.ite(condition, yes, no))
}

/// In one bit, signed `a < b` is unsigned `b < a`: the 1 is -1
fn slt_of_one_bit(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (terms.width(a) == 1).then(|| terms.binary(BinaryOp::Ult, b, a))
}

/// The sign of a term if its outermost operation fixes it: true for negative.
fn known_sign(terms: &Terms, a: Term) -> Option<bool> {
    match terms.as_constant(a) {
        Some(constant) => Some(constant & sign_bit(terms.width(a)) != 0),
        None => terms.as_zext(a).map(|_| false),
    }
}

/// Signed orders of values whose signs are known are unsigned orders, or decided by the signs
fn slt_of_non_negatives(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    by_known_signs(terms, BinaryOp::Ult, a, b)
}

/// Signed orders of values whose signs are known are unsigned orders, or decided by the signs
fn sle_of_non_negatives(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    by_known_signs(terms, BinaryOp::Ule, a, b)
}

fn by_known_signs(terms: &mut Terms, unsigned: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (known_sign(terms, a)?, known_sign(terms, b)?);
    Some(if left == right { terms.binary(unsigned, a, b) } else { terms.truth(left) })
}

/// `sext(a) < c` is `a < c` where `c` fits, otherwise decided by the side `c` is on
fn slt_sext_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (inner, constant, constant_is_right) = match (terms.as_constant(a), terms.as_constant(b)) {
        (_, Some(constant)) => (terms.as_sext(a)?, constant, true),
        (Some(constant), _) => (terms.as_sext(b)?, constant, false),
        _ => return None,
    };
    let (width, inner_width) = (terms.width(a), terms.width(inner));
    let low = constant & mask(inner_width);
    if sext(inner_width, width, low) != constant {
        let constant_is_above = signed(width, constant) > 0;
        return Some(terms.truth(constant_is_above == constant_is_right));
    }
    let low = terms.constant(inner_width, low);
    Some(if constant_is_right {
        terms.binary(BinaryOp::Slt, inner, low)
    } else {
        terms.binary(BinaryOp::Slt, low, inner)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, two};
    use crate::BinaryOp::{self, *};
    use crate::{Term, Terms};

    fn with(t: &mut Terms, op: BinaryOp, a: Term, value: u128) -> Term {
        let constant = t.constant(t.width(a), value);
        t.binary(op, a, constant)
    }

    fn constant_with(t: &mut Terms, op: BinaryOp, value: u128, a: Term) -> Term {
        let constant = t.constant(t.width(a), value);
        t.binary(op, constant, a)
    }

    #[test]
    fn a_value_is_not_less_than_itself() {
        let (mut t, x, _) = two(8);
        for (op, expected) in [(Ult, 0), (Slt, 0), (Ule, 1), (Sle, 1)] {
            let actual = t.binary(op, x, x);
            is(&t, actual, expected);
        }
    }

    #[test]
    fn orders_with_the_ends_of_the_range() {
        let (mut t, x, _) = two(8);
        for (less, least, most) in [(Ult, 0, 0xff), (Slt, 0x80, 0x7f)] {
            let (below, above) = (with(&mut t, less, x, least), constant_with(&mut t, less, most, x));
            is(&t, below, 0);
            is(&t, above, 0);
            let after = (least + 1) & 0xff;
            for (actual, expected) in [
                (with(&mut t, less, x, after), with(&mut t, Eq, x, least)),
                (constant_with(&mut t, less, most - 1, x), with(&mut t, Eq, x, most)),
                (with(&mut t, less, x, most), with(&mut t, Ne, x, most)),
                (constant_with(&mut t, less, least, x), with(&mut t, Ne, x, least)),
            ] {
                same(&t, actual, expected);
            }
        }
    }

    #[test]
    fn weak_orders_with_constants_become_strict() {
        let (mut t, x, _) = two(8);
        for (weak, strict, least, most) in [(Ule, Ult, 0, 0xff), (Sle, Slt, 0x80, 0x7f)] {
            let (actual, expected) = (with(&mut t, weak, x, 4), with(&mut t, strict, x, 5));
            same(&t, actual, expected);
            let (actual, expected) = (constant_with(&mut t, weak, 4, x), constant_with(&mut t, strict, 3, x));
            same(&t, actual, expected);
            let (below, above) = (constant_with(&mut t, weak, least, x), with(&mut t, weak, x, most));
            is(&t, below, 1);
            is(&t, above, 1);
        }
    }

    #[test]
    fn extensions_are_compared_in_their_own_width() {
        let (mut t, x, y) = two(8);
        let (zx, zy, sx, sy) = (t.zext(x, 32), t.zext(y, 32), t.sext(x, 32), t.sext(y, 32));
        for (op, a, b, narrow) in [
            (Ult, zx, zy, Ult),
            (Ule, zx, zy, Ule),
            (Slt, zx, zy, Ult),
            (Sle, zx, zy, Ule),
            (Slt, sx, sy, Slt),
            (Sle, sx, sy, Sle),
            (Ult, sx, sy, Ult),
            (Ule, sx, sy, Ule),
        ] {
            let (actual, expected) = (t.binary(op, a, b), t.binary(narrow, x, y));
            same(&t, actual, expected);
        }
    }

    #[test]
    fn extended_values_and_constants() {
        let (mut t, x, _) = two(8);
        let (zx, sx) = (t.zext(x, 32), t.sext(x, 32));
        let minus_nine = 0xffff_fff7;
        let expected = [
            (with(&mut t, Ult, zx, 9), with(&mut t, Ult, x, 9)),
            (with(&mut t, Slt, zx, 9), with(&mut t, Ult, x, 9)),
            (with(&mut t, Slt, sx, minus_nine), with(&mut t, Slt, x, 0xf7)),
            (constant_with(&mut t, Slt, minus_nine, sx), constant_with(&mut t, Slt, 0xf7, x)),
            (constant_with(&mut t, Ult, 9, zx), constant_with(&mut t, Ult, 9, x)),
        ];
        for (actual, expected) in expected {
            same(&t, actual, expected);
        }
        let decided = [
            (with(&mut t, Ult, zx, 256), 1),
            (constant_with(&mut t, Ult, 255, zx), 0),
            (with(&mut t, Slt, zx, minus_nine), 0),
            (constant_with(&mut t, Slt, minus_nine, zx), 1),
            (with(&mut t, Slt, sx, 128), 1),
            (with(&mut t, Slt, sx, 0xffff_ff00), 0),
            (constant_with(&mut t, Slt, 128, sx), 0),
            (constant_with(&mut t, Slt, 0xffff_ff00, sx), 1),
        ];
        for (actual, expected) in decided {
            is(&t, actual, expected);
        }
    }

    #[test]
    fn one_bit_signed_is_one_bit_unsigned_swapped() {
        let (mut t, x, y) = two(1);
        let (actual, expected) = (t.binary(Slt, x, y), t.binary(Ult, y, x));
        same(&t, actual, expected);
    }

    #[test]
    fn low_bits_that_are_constant_are_not_compared() {
        let (mut t, x, _) = two(16);
        let bit = t.constant(1, 0);
        let doubled = t.concat(x, bit);
        for (limit, expected) in [(0x1f, 0x10), (0x1e, 0xf)] {
            let (limit, expected) = (t.constant(17, limit), t.constant(16, expected));
            let (actual, expected) = (t.binary(Ult, doubled, limit), t.binary(Ult, x, expected));
            same(&t, actual, expected);
        }
    }

    #[test]
    fn a_choice_of_numbers_is_compared_arm_by_arm() {
        let (mut t, x, y) = two(16);
        let equal = t.binary(Eq, x, y);
        let (five, seven, nine) = (t.constant(16, 5), t.constant(16, 7), t.constant(16, 9));
        let choice = t.ite(equal, five, nine);
        for op in [Ult, Slt] {
            let actual = t.binary(op, choice, seven);
            same(&t, actual, equal);
        }
    }
}
