//! Choices.

use super::{Rule, rules};
use crate::node::{Node, Term};
use crate::op::BinaryOp;
use crate::store::Terms;

/// A law about a choice between two terms.
type IteLaw = fn(&mut Terms, Term, Term, Term) -> Option<Term>;

pub(super) const RULES: &[Rule<IteLaw>] = rules!(
    "ite",
    same_arms,
    negated_condition,
    arms_of_one_bit,
    arms_one_and_zero,
    arms_ones_and_zero,
    repeated_condition
);

/// `ite(c, a, a) = a`
fn same_arms(_: &mut Terms, _: Term, yes: Term, no: Term) -> Option<Term> {
    (yes == no).then_some(yes)
}

/// `ite(!c, a, b) = ite(c, b, a)`
fn negated_condition(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let positive = terms.as_not(condition)?;
    Some(terms.ite(positive, no, yes))
}

/// In one bit: `ite(c, 1, a) = c | a`, `ite(c, 0, a) = !c & a`, `ite(c, a, 0) = c & a`, `ite(c, a, 1) = !c | a`
fn arms_of_one_bit(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    if terms.width(yes) != 1 {
        return None;
    }
    let (op, negated, other) = match (terms.as_constant(yes), terms.as_constant(no)) {
        (Some(1), _) => (BinaryOp::Or, false, no),
        (Some(_), _) => (BinaryOp::And, true, no),
        (_, Some(0)) => (BinaryOp::And, false, yes),
        (_, Some(_)) => (BinaryOp::Or, true, yes),
        _ => return None,
    };
    let condition = if negated { terms.not(condition) } else { condition };
    Some(terms.binary(op, condition, other))
}

/// `ite(c, 1, 0) = zext(c)`, `ite(c, 0, 1) = zext(!c)`
fn arms_one_and_zero(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let truth = match (terms.as_constant(yes)?, terms.as_constant(no)?) {
        (1, 0) => condition,
        (0, 1) => terms.not(condition),
        _ => return None,
    };
    Some(terms.zext(truth, terms.width(yes)))
}

/// `ite(c, 11…1, 0) = sext(c)`, `ite(c, 0, 11…1) = sext(!c)`
fn arms_ones_and_zero(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let truth = if terms.is_ones(yes) && terms.is_zero(no) {
        condition
    } else if terms.is_zero(yes) && terms.is_ones(no) {
        terms.not(condition)
    } else {
        return None;
    };
    Some(terms.sext(truth, terms.width(yes)))
}

/// `ite(c, ite(c, a, x), b) = ite(c, a, b) = ite(c, a, ite(c, x, b))`
fn repeated_condition(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    if let Node::Ite(inner, inner_yes, _) = *terms.node(yes)
        && inner == condition
    {
        return Some(terms.ite(condition, inner_yes, no));
    }
    match *terms.node(no) {
        Node::Ite(inner, _, inner_no) if inner == condition => Some(terms.ite(condition, yes, inner_no)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{same, two};
    use crate::BinaryOp::*;

    #[test]
    fn a_choice_between_equals_is_none() {
        let (mut t, x, y) = two(16);
        let less = t.binary(Eq, x, y);
        let choice = t.ite(less, x, x);
        same(&t, choice, x);
    }

    #[test]
    fn conditions_are_positive_and_not_repeated() {
        let (mut t, x, y) = two(16);
        let (equal, product) = (t.binary(Eq, x, y), t.binary(Mul, x, y));
        let (different, choice) = (t.not(equal), t.ite(equal, x, y));
        let negative = t.ite(different, y, x);
        same(&t, negative, choice);
        let (in_yes, expected) = (t.ite(equal, choice, product), t.ite(equal, x, product));
        same(&t, in_yes, expected);
        let (in_no, expected) = (t.ite(equal, product, choice), t.ite(equal, product, y));
        same(&t, in_no, expected);
    }

    #[test]
    fn truth_values_are_not_chosen_but_computed() {
        let (mut t, x, y) = two(16);
        let (equal, other) = (t.binary(Eq, x, y), t.binary(Ult, x, y));
        let (yes, no, not_equal) = (t.truth(true), t.truth(false), t.not(equal));
        for (a, b, op, left) in [
            (yes, other, Or, equal),
            (no, other, And, not_equal),
            (other, no, And, equal),
            (other, yes, Or, not_equal),
        ] {
            let (actual, expected) = (t.ite(equal, a, b), t.binary(op, left, other));
            same(&t, actual, expected);
        }
        let plain = t.ite(equal, yes, no);
        same(&t, plain, equal);
    }

    #[test]
    fn one_and_zero_are_the_extended_condition() {
        let (mut t, x, y) = two(16);
        let equal = t.binary(Eq, x, y);
        let different = t.not(equal);
        let (zero, one, ones) = (t.constant(32, 0), t.constant(32, 1), t.constant(32, u128::MAX));
        let expected = [t.zext(equal, 32), t.zext(different, 32), t.sext(equal, 32), t.sext(different, 32)];
        let actual = [
            t.ite(equal, one, zero),
            t.ite(equal, zero, one),
            t.ite(equal, ones, zero),
            t.ite(equal, zero, ones),
        ];
        for (actual, expected) in actual.into_iter().zip(expected) {
            same(&t, actual, expected);
        }
    }
}
