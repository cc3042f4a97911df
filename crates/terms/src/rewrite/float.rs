//! Floating comparisons and conversions. Arithmetic is left alone: almost no law of numbers holds for it.

use super::{Rule, rules};
use crate::node::{Node, Term};
use crate::op::{ConvertOp, predicate};
use crate::semantics;
use crate::store::Terms;

/// A law about a floating comparison.
type FcmpLaw = fn(&mut Terms, u8, Term, Term) -> Option<Term>;

pub(super) const FCMP: &[Rule<FcmpLaw>] = rules!(
    "fcmp",
    constant_predicate,
    compare_with_itself,
    greater_is_swapped_less,
    compare_widened,
    compare_widened_with_constant
);

/// A law about a conversion to a width.
type ConvertLaw = fn(&mut Terms, ConvertOp, Term, u16) -> Option<Term>;

pub(super) const CONVERT: &[Rule<ConvertLaw>] = rules!("convert", integer_there_and_back);

/// `fcmp(false, a, b) = 0`, `fcmp(true, a, b) = 1`
fn constant_predicate(terms: &mut Terms, found: u8, _: Term, _: Term) -> Option<Term> {
    matches!(found, 0 | predicate::ALWAYS).then(|| terms.truth(found != 0))
}

/// `fcmp(p, a, a)` asks only whether `a` is a number
fn compare_with_itself(terms: &mut Terms, found: u8, a: Term, b: Term) -> Option<Term> {
    if a != b {
        return None;
    }
    let relevant = match found & (predicate::EQUAL | predicate::UNORDERED) {
        predicate::EQUAL => predicate::ALWAYS ^ predicate::UNORDERED,
        predicate::UNORDERED => predicate::UNORDERED,
        0 => 0,
        _ => predicate::ALWAYS,
    };
    (relevant != found).then(|| terms.fcmp(relevant, a, a))
}

/// `a > b = b < a`; of symmetric predicates the older operand stands left
fn greater_is_swapped_less(terms: &mut Terms, found: u8, a: Term, b: Term) -> Option<Term> {
    let directions = found & (predicate::GREATER | predicate::LESS);
    let symmetric = directions == 0 || directions == predicate::GREATER | predicate::LESS;
    (directions == predicate::GREATER || (symmetric && b < a))
        .then(|| terms.fcmp(predicate::swapped(found), b, a))
}

fn as_widened(terms: &Terms, a: Term) -> Option<Term> {
    match *terms.node(a) {
        Node::Convert(ConvertOp::FToF, inner) if terms.width(inner) < terms.width(a) => Some(inner),
        _ => None,
    }
}

/// `fcmp(p, (double) a, (double) b) = fcmp(p, a, b)`, in the wider of the two where they differ
fn compare_widened(terms: &mut Terms, found: u8, a: Term, b: Term) -> Option<Term> {
    let (left, right) = (as_widened(terms, a)?, as_widened(terms, b)?);
    let width = terms.width(left).max(terms.width(right));
    let (left, right) =
        (terms.convert(ConvertOp::FToF, left, width), terms.convert(ConvertOp::FToF, right, width));
    Some(terms.fcmp(found, left, right))
}

/// `fcmp(p, (double) a, c) = fcmp(p, a, (float) c)` where the float has exactly the value of `c`
fn compare_widened_with_constant(terms: &mut Terms, found: u8, a: Term, b: Term) -> Option<Term> {
    if let Some(inner) = as_widened(terms, a) {
        let narrow = narrowed(terms, b, terms.width(inner))?;
        return Some(terms.fcmp(found, inner, narrow));
    }
    let inner = as_widened(terms, b)?;
    let narrow = narrowed(terms, a, terms.width(inner))?;
    Some(terms.fcmp(found, narrow, inner))
}

fn narrowed(terms: &mut Terms, constant: Term, to: u16) -> Option<Term> {
    let (value, from) = (terms.as_constant(constant)?, terms.width(constant));
    let narrow = semantics::convert(ConvertOp::FToF, from, to, value);
    let back = semantics::convert(ConvertOp::FToF, to, from, narrow);
    (back == value).then(|| terms.constant(to, narrow))
}

/// `(int) (double) a = a`, extended to the width asked for, where the float holds every value of `a`
fn integer_there_and_back(terms: &mut Terms, op: ConvertOp, a: Term, width: u16) -> Option<Term> {
    let Node::Convert(from_integer, integer) = *terms.node(a) else { return None };
    let digits = match terms.width(a) {
        32 => 24,
        64 => 53,
        _ => 64,
    };
    let bits = terms.width(integer);
    match (op, from_integer) {
        (ConvertOp::FToSi, ConvertOp::SiToF) if bits <= digits && bits <= width => {
            Some(terms.sext(integer, width))
        }
        (ConvertOp::FToSi, ConvertOp::UiToF) if bits <= digits && bits < width => {
            Some(terms.zext(integer, width))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, two};
    use crate::{ConvertOp, predicate};

    fn bits(value: f64) -> u128 {
        value.to_bits().into()
    }

    #[test]
    fn predicates_that_do_not_look() {
        let (mut t, x, y) = two(64);
        let (never, always) = (t.fcmp(0, x, y), t.fcmp(15, x, y));
        is(&t, never, 0);
        is(&t, always, 1);
    }

    #[test]
    fn a_float_compared_with_itself() {
        let (mut t, x, _) = two(64);
        let (equal, ordered) = (t.fcmp(predicate::EQUAL, x, x), t.fcmp(7, x, x));
        same(&t, equal, ordered);
        let (different, unordered) = (t.fcmp(14, x, x), t.fcmp(predicate::UNORDERED, x, x));
        same(&t, different, unordered);
        let (less, either) = (t.fcmp(predicate::LESS, x, x), t.fcmp(9, x, x));
        is(&t, less, 0);
        is(&t, either, 1);
    }

    #[test]
    fn greater_is_less_swapped() {
        let (mut t, x, y) = two(64);
        let (greater, less) = (t.fcmp(predicate::GREATER, x, y), t.fcmp(predicate::LESS, y, x));
        same(&t, greater, less);
        let (equal, swapped) = (t.fcmp(predicate::EQUAL, x, y), t.fcmp(predicate::EQUAL, y, x));
        same(&t, equal, swapped);
    }

    #[test]
    fn floats_widened_only_to_be_compared() {
        let (mut t, x, y) = two(32);
        let (wide_x, wide_y) = (t.convert(ConvertOp::FToF, x, 64), t.convert(ConvertOp::FToF, y, 64));
        let (actual, expected) = (t.fcmp(predicate::LESS, wide_x, wide_y), t.fcmp(predicate::LESS, x, y));
        same(&t, actual, expected);
        let (half, single_half) = (t.constant(64, bits(0.5)), t.constant(32, 0.5f32.to_bits().into()));
        let (actual, expected) =
            (t.fcmp(predicate::LESS, wide_x, half), t.fcmp(predicate::LESS, x, single_half));
        same(&t, actual, expected);
        let (actual, expected) =
            (t.fcmp(predicate::LESS, half, wide_x), t.fcmp(predicate::LESS, single_half, x));
        same(&t, actual, expected);
        let tenth = t.constant(64, bits(0.1));
        let inexact = t.fcmp(predicate::LESS, wide_x, tenth);
        assert!(t.display(inexact).to_string().contains("ftof"), "0.1 is no single");
    }

    #[test]
    fn integers_that_a_float_holds_come_back_as_they_were() {
        let (mut t, x, y) = two(32);
        let double = t.convert(ConvertOp::SiToF, x, 64);
        let back = t.convert(ConvertOp::FToSi, double, 32);
        same(&t, back, x);
        let (wide, expected) = (t.convert(ConvertOp::FToSi, double, 64), t.sext(x, 64));
        same(&t, wide, expected);
        let (unsigned, long) = (t.convert(ConvertOp::UiToF, y, 64), t.zext(y, 64));
        let back = t.convert(ConvertOp::FToSi, unsigned, 64);
        same(&t, back, long);
        let cut = t.convert(ConvertOp::FToSi, unsigned, 32);
        assert!(t.display(cut).to_string().contains("ftosi"), "what is beyond the signed ones does not");
        let single = t.convert(ConvertOp::SiToF, x, 32);
        let rounded = t.convert(ConvertOp::FToSi, single, 32);
        assert!(t.display(rounded).to_string().contains("ftosi"), "a single does not hold 32 bits");
    }
}
