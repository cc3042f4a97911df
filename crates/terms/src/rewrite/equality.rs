//! Equality. A constant, if there is one, stands right.

use super::{Law2, Rule, rules};
use crate::node::{Node, Term};
use crate::op::{BinaryOp, UnaryOp};
use crate::semantics::{extract, mask, sext};
use crate::store::Terms;

pub(super) const EQ: &[Rule<Law2>] = rules!(
    "eq",
    eq_same,
    eq_of_one_bit,
    eq_zext_constant,
    eq_zexts,
    eq_sext_constant,
    eq_sexts,
    eq_concat_constant,
    eq_sum_constant,
    eq_difference_zero,
    eq_constant_minus,
    eq_xor_constant,
    eq_complement_constant,
    eq_neg_constant,
    eq_single_bit,
    eq_choice_constant,
    eq_shared_summand,
    eq_read_constant
);

/// `a == a`
fn eq_same(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| terms.truth(true))
}

/// In one bit: `a == 1 = a`, `a == 0 = !a`, `a == !a = 0`
fn eq_of_one_bit(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if terms.width(a) != 1 {
        return None;
    }
    match terms.as_constant(b) {
        Some(1) => Some(a),
        Some(_) => Some(terms.not(a)),
        None => (terms.as_not(a) == Some(b) || terms.as_not(b) == Some(a)).then(|| terms.truth(false)),
    }
}

/// `zext(a) == c` is `a == c` where `c` fits, otherwise false
fn eq_zext_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (inner, constant) = (terms.as_zext(a)?, terms.as_constant(b)?);
    if constant > mask(terms.width(inner)) {
        return Some(terms.truth(false));
    }
    let constant = terms.constant(terms.width(inner), constant);
    Some(terms.binary(BinaryOp::Eq, inner, constant))
}

/// `zext(a) == zext(b)` is decided in the wider of the two
fn eq_zexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (terms.as_zext(a)?, terms.as_zext(b)?);
    let width = terms.width(left).max(terms.width(right));
    let (left, right) = (terms.zext(left, width), terms.zext(right, width));
    Some(terms.binary(BinaryOp::Eq, left, right))
}

/// `sext(a) == c` is `a == c` where `c` fits, otherwise false
fn eq_sext_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (inner, constant) = (terms.as_sext(a)?, terms.as_constant(b)?);
    let inner_width = terms.width(inner);
    let low = constant & mask(inner_width);
    if sext(inner_width, terms.width(a), low) != constant {
        return Some(terms.truth(false));
    }
    let low = terms.constant(inner_width, low);
    Some(terms.binary(BinaryOp::Eq, inner, low))
}

/// `sext(a) == sext(b)` is decided in the wider of the two
fn eq_sexts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (terms.as_sext(a)?, terms.as_sext(b)?);
    let width = terms.width(left).max(terms.width(right));
    let (left, right) = (terms.sext(left, width), terms.sext(right, width));
    Some(terms.binary(BinaryOp::Eq, left, right))
}

/// `concat(a, b) == cd` is `a == c & b == d`
fn eq_concat_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let Node::Concat(high, low) = *terms.node(a) else { return None };
    let (high_width, low_width) = (terms.width(high), terms.width(low));
    let high_constant = terms.constant(high_width, extract(low_width, high_width, constant));
    let low_constant = terms.constant(low_width, constant);
    let highs = terms.binary(BinaryOp::Eq, high, high_constant);
    let lows = terms.binary(BinaryOp::Eq, low, low_constant);
    Some(terms.binary(BinaryOp::And, highs, lows))
}

/// `a + c == d` is `a == d - c`
fn eq_sum_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let (inner, added) = terms.as_binary_constant(BinaryOp::Add, a)?;
    let constant = terms.constant(terms.width(a), constant.wrapping_sub(added));
    Some(terms.binary(BinaryOp::Eq, inner, constant))
}

/// `a - b == 0` and `a ^ b == 0` are `a == b`
fn eq_difference_zero(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if !terms.is_zero(b) {
        return None;
    }
    let (left, right) = terms.as_binary(BinaryOp::Sub, a).or_else(|| terms.as_binary(BinaryOp::Xor, a))?;
    Some(terms.binary(BinaryOp::Eq, left, right))
}

/// `c - a == d` is `a == c - d`
fn eq_constant_minus(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let (left, right) = terms.as_binary(BinaryOp::Sub, a)?;
    let from = terms.as_constant(left)?;
    let constant = terms.constant(terms.width(a), from.wrapping_sub(constant));
    Some(terms.binary(BinaryOp::Eq, right, constant))
}

/// `a ^ c == d` is `a == c ^ d`
fn eq_xor_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let (inner, mixed) = terms.as_binary_constant(BinaryOp::Xor, a)?;
    let constant = terms.constant(terms.width(a), constant ^ mixed);
    Some(terms.binary(BinaryOp::Eq, inner, constant))
}

/// `!a == c` is `a == !c`
fn eq_complement_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let inner = terms.as_not(a)?;
    let constant = terms.constant(terms.width(a), !constant);
    Some(terms.binary(BinaryOp::Eq, inner, constant))
}

/// `-a == c` is `a == -c`
fn eq_neg_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let Node::Unary(UnaryOp::Neg, inner) = *terms.node(a) else { return None };
    let constant = terms.constant(terms.width(a), constant.wrapping_neg());
    Some(terms.binary(BinaryOp::Eq, inner, constant))
}

/// `a & 2^k == 0` asks for one bit, and so does `a & 2^k == 2^k`
fn eq_single_bit(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let (inner, masked) = terms.as_binary_constant(BinaryOp::And, a)?;
    if !masked.is_power_of_two() {
        return None;
    }
    let bit = terms.extract(inner, masked.trailing_zeros() as u16, 1);
    match constant {
        0 => Some(terms.not(bit)),
        _ if constant == masked => Some(bit),
        _ => Some(terms.truth(false)),
    }
}

/// `ite(c, 5, a) == 5` is `c | a == 5`, `ite(c, 5, a) == 6` is `!c & a == 6`, and the same for the other arm
fn eq_choice_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let Node::Ite(condition, yes, no) = *terms.node(a) else { return None };
    let (chosen, known, other) = match (terms.as_constant(yes), terms.as_constant(no)) {
        (Some(known), _) => (condition, known, no),
        (_, Some(known)) => (terms.not(condition), known, yes),
        _ => return None,
    };
    let other_equal = terms.binary(BinaryOp::Eq, other, b);
    Some(if known == constant {
        terms.binary(BinaryOp::Or, chosen, other_equal)
    } else {
        let not_chosen = terms.not(chosen);
        terms.binary(BinaryOp::And, not_chosen, other_equal)
    })
}

/// `t[i] == c` where all entries are numbers is false if none is `c`, and `i == k` if only the one at `k` is
fn eq_read_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let constant = terms.as_constant(b)?;
    let Node::Read(table, index) = *terms.node(a) else { return None };
    let (width, most) = (terms.width(index), terms.upper_bound(index));
    let entries = terms.table_entries(table);
    if constant == 0 && most >= entries.len() as u128 {
        return None;
    }
    let mut found = None;
    for (place, entry) in entries.iter().enumerate().take_while(|(place, _)| *place as u128 <= most) {
        if terms.as_constant(*entry)? == constant && found.replace(place).is_some() {
            return None;
        }
    }
    Some(match found {
        None => terms.truth(false),
        Some(place) => {
            let place = terms.constant(width, place as u128);
            terms.binary(BinaryOp::Eq, index, place)
        }
    })
}

/// `a + c == b + d` is `a == b + (d - c)`, and `a + b == a` is `b == 0`
fn eq_shared_summand(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if let (Some((left, c)), Some((right, d))) =
        (terms.as_binary_constant(BinaryOp::Add, a), terms.as_binary_constant(BinaryOp::Add, b))
    {
        let difference = terms.constant(terms.width(a), d.wrapping_sub(c));
        let right = terms.binary(BinaryOp::Add, right, difference);
        return Some(terms.binary(BinaryOp::Eq, left, right));
    }
    [(a, b), (b, a)].into_iter().find_map(|(sum, other)| {
        let (left, right) = terms.as_binary(BinaryOp::Add, sum)?;
        let rest = if left == other { right } else { (right == other).then_some(left)? };
        let zero = terms.constant(terms.width(a), 0);
        Some(terms.binary(BinaryOp::Eq, rest, zero))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, two};
    use crate::{BinaryOp::*, Term, Terms, UnaryOp::Neg};

    fn eq(t: &mut Terms, a: Term, value: u128) -> Term {
        let constant = t.constant(t.width(a), value);
        t.binary(Eq, constant, a)
    }

    #[test]
    fn a_truth_value_compared_with_a_constant() {
        let (mut t, x, y) = two(32);
        let less = t.binary(Ult, x, y);
        let (not_less, wide) = (t.not(less), t.zext(less, 32));
        let (one, zero) = (eq(&mut t, wide, 1), eq(&mut t, wide, 0));
        same(&t, one, less);
        same(&t, zero, not_less);
        let wide_zero = t.constant(32, 0);
        let nonzero = t.binary(Ne, wide, wide_zero);
        same(&t, nonzero, less);
        let (itself, opposite) = (t.binary(Eq, less, less), t.binary(Eq, x, y));
        is(&t, itself, 1);
        let unequal = t.not(opposite);
        let never = t.binary(Eq, opposite, unequal);
        is(&t, never, 0);
    }

    #[test]
    fn extensions_are_compared_in_their_own_width() {
        let (mut t, x, y) = two(8);
        let (zx, zy, sx, sy) = (t.zext(x, 32), t.zext(y, 32), t.sext(x, 32), t.sext(y, 32));
        let narrow = t.binary(Eq, x, y);
        for (a, b) in [(zx, zy), (sx, sy)] {
            let wide = t.binary(Eq, a, b);
            same(&t, wide, narrow);
        }
        let (low, high) = (eq(&mut t, x, 0x85), eq(&mut t, zx, 0x185));
        is(&t, high, 0);
        let (unsigned, signed) = (eq(&mut t, zx, 0x85), eq(&mut t, sx, 0xffff_ff85));
        same(&t, unsigned, low);
        same(&t, signed, low);
        let misfit = eq(&mut t, sx, 0x85);
        is(&t, misfit, 0);
        let nibble = t.extract(y, 0, 4);
        let (wide_nibble, z8) = (t.zext(nibble, 32), t.zext(nibble, 8));
        let (wide, expected) = (t.binary(Eq, zx, wide_nibble), t.binary(Eq, x, z8));
        same(&t, wide, expected);
    }

    #[test]
    fn a_word_equals_a_constant_byte_by_byte() {
        let mut t = Terms::new();
        let (low, high) = (t.input(0), t.input(1));
        let word = t.concat(high, low);
        let (actual, highs, lows) = (eq(&mut t, word, 0x1234), eq(&mut t, high, 0x12), eq(&mut t, low, 0x34));
        let expected = t.binary(And, highs, lows);
        same(&t, actual, expected);
    }

    #[test]
    fn constants_move_to_the_other_side() {
        let (mut t, x, y) = two(8);
        let product = t.binary(Mul, x, y);
        let (c, expected) = (t.constant(8, 0x70), eq(&mut t, product, 5));
        let sum = t.binary(Add, product, c);
        let from = t.binary(Sub, c, product);
        let mixed = t.binary(Xor, product, c);
        let (complement, negated) = (t.not(product), t.unary(Neg, product));
        for (term, value) in [(sum, 0x75), (from, 0x6b), (mixed, 0x75), (complement, 0xfa), (negated, 0xfb)] {
            let actual = eq(&mut t, term, value);
            same(&t, actual, expected);
        }
    }

    #[test]
    fn no_difference_is_equality() {
        let (mut t, x, y) = two(8);
        let (difference, mixed, equal) = (t.binary(Sub, x, y), t.binary(Xor, x, y), t.binary(Eq, x, y));
        for term in [difference, mixed] {
            let actual = eq(&mut t, term, 0);
            same(&t, actual, equal);
        }
    }

    #[test]
    fn one_masked_bit_is_that_bit() {
        let (mut t, x, _) = two(8);
        let mask = t.constant(8, 8);
        let (masked, bit) = (t.binary(And, x, mask), t.extract(x, 3, 1));
        let not_bit = t.not(bit);
        let (zero, set, never) = (eq(&mut t, masked, 0), eq(&mut t, masked, 8), eq(&mut t, masked, 4));
        same(&t, zero, not_bit);
        same(&t, set, bit);
        is(&t, never, 0);
    }

    #[test]
    fn a_choice_with_a_constant_arm() {
        let (mut t, x, y) = two(8);
        let (condition, five) = (t.binary(Ult, x, y), t.constant(8, 5));
        let not_condition = t.not(condition);
        let (first, second) = (t.ite(condition, five, y), t.ite(condition, y, five));
        let (y_five, y_six) = (eq(&mut t, y, 5), eq(&mut t, y, 6));
        for (choice, value, op, left, right) in [
            (first, 5, Or, condition, y_five),
            (first, 6, And, not_condition, y_six),
            (second, 5, Or, not_condition, y_five),
            (second, 6, And, condition, y_six),
        ] {
            let (actual, expected) = (eq(&mut t, choice, value), t.binary(op, left, right));
            same(&t, actual, expected);
        }
    }

    #[test]
    fn shared_summands_cancel() {
        let (mut t, x, y) = two(8);
        let (three, five, two) = (t.constant(8, 3), t.constant(8, 5), t.constant(8, 2));
        let (left, right, sum) = (t.binary(Add, x, three), t.binary(Add, y, five), t.binary(Add, x, y));
        let y_two = t.binary(Add, y, two);
        let (actual, expected) = (t.binary(Eq, left, right), t.binary(Eq, x, y_two));
        same(&t, actual, expected);
        let (actual, expected) = (t.binary(Eq, sum, x), eq(&mut t, y, 0));
        same(&t, actual, expected);
    }
}
