//! Choices.

use super::{Rule, rules};
use crate::node::{Node, Term};
use crate::op::BinaryOp;
use crate::semantics::mask;
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
    repeated_condition,
    arm_at_known_value,
    arms_one_apart
);

/// Terms whose value a condition tells, at most: the bytes of a word.
const MAX_KNOWN: usize = 8;
/// Parts of an arm that are looked through for such terms.
const MAX_PARTS: u32 = 40;

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

/// `ite(x = k, f(x), a) = ite(x = k, f(k), a)`, and the same where the condition tells of several parts of `f`: what is read
/// at a known index is no read any more
fn arm_at_known_value(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let mut known = Vec::new();
    let mut open = vec![condition];
    while let Some(part) = open.pop() {
        match terms.as_binary(BinaryOp::And, part) {
            Some((a, b)) => open.extend([a, b]),
            None => known.extend(terms.as_binary_constant(BinaryOp::Eq, part)),
        }
        if known.len() + open.len() > MAX_KNOWN {
            return None;
        }
    }
    if known.is_empty() {
        return None;
    }
    let known = with_values(terms, yes, &known, &mut { MAX_PARTS })?;
    Some(terms.ite(condition, known, no))
}

/// A term with values in the place of other terms, as far as so many of its parts are looked at; `None` if none occurs there.
fn with_values(terms: &mut Terms, term: Term, known: &[(Term, u128)], parts: &mut u32) -> Option<Term> {
    *parts = parts.checked_sub(1)?;
    let width = terms.width(term);
    if let Some((_, value)) = known.iter().find(|(known, _)| *known == term) {
        return Some(terms.constant(width, *value));
    }
    let mut pair = |terms: &mut Terms, a: Term, b: Term| {
        let [new_a, new_b] = [a, b].map(|operand| with_values(terms, operand, known, parts));
        (new_a.is_some() || new_b.is_some()).then(|| (new_a.unwrap_or(a), new_b.unwrap_or(b)))
    };
    Some(match *terms.node(term) {
        Node::Read(table, index) => {
            let index = with_values(terms, index, known, parts)?;
            terms.read(table, index)
        }
        Node::Concat(high, low) => {
            let (high, low) = pair(terms, high, low)?;
            terms.concat(high, low)
        }
        Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let (a, b) = pair(terms, a, b)?;
            terms.binary(op, a, b)
        }
        Node::Extract(a, low) => {
            let a = with_values(terms, a, known, parts)?;
            terms.extract(a, low, width)
        }
        Node::ZExt(a) => {
            let a = with_values(terms, a, known, parts)?;
            terms.zext(a, width)
        }
        Node::SExt(a) => {
            let a = with_values(terms, a, known, parts)?;
            terms.sext(a, width)
        }
        _ => return None,
    })
}

/// `ite(c, a + 1, a) = a + zext(c)`, `ite(c, a, a + 1) = a + zext(!c)`: a count of what holds
fn arms_one_apart(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let width = terms.width(yes);
    if width == 1 {
        return None;
    }
    let (base_of_yes, more_of_yes) = terms.as_sum(yes);
    let (base_of_no, more_of_no) = terms.as_sum(no);
    if base_of_yes != base_of_no {
        return None;
    }
    let apart = more_of_yes.wrapping_sub(more_of_no) & mask(width);
    let (least, more) = if apart == 1 {
        (no, condition)
    } else if apart == mask(width) {
        (yes, terms.not(condition))
    } else {
        return None;
    };
    let more = terms.zext(more, width);
    Some(terms.binary(BinaryOp::Add, least, more))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{same, two, word};
    use crate::BinaryOp::*;

    #[test]
    fn what_is_read_at_a_known_index_is_the_entry() {
        let (mut t, x, y) = two(16);
        let index = word(&mut t, 40, 8);
        let seven = t.constant(8, 7);
        let bytes = [t.extract(x, 0, 8), t.extract(x, 8, 8)];
        let [low, high] = bytes.map(|byte| {
            let entries = (0..10).map(|entry| if entry == 7 { byte } else { index }).collect();
            let table = t.table(entries);
            t.read(table, index)
        });
        let (found, is_seven) = (t.concat(high, low), t.binary(Eq, index, seven));
        let (actual, expected) = (t.ite(is_seven, found, y), t.ite(is_seven, x, y));
        same(&t, actual, expected);
        let (actual, expected) = (t.ite(is_seven, y, found), t.concat(high, low));
        assert_ne!(actual, expected, "nothing is known of it in the other arm");
    }

    #[test]
    fn a_word_that_is_known_byte_by_byte_is_a_known_index() {
        let (mut t, x, y) = two(16);
        let entries = (0..10).map(|entry| t.extract(y, entry % 3, 8)).collect();
        let (table, four) = (t.table(entries), t.constant(16, 4));
        let (read, is_four) = (t.read(table, x), t.binary(Eq, x, four));
        let (wide, other) = (t.zext(read, 16), t.binary(Mul, x, y));
        let (actual, entry) = (t.ite(is_four, wide, other), t.extract(y, 1, 8));
        let entry = t.zext(entry, 16);
        let expected = t.ite(is_four, entry, other);
        same(&t, actual, expected);
    }

    #[test]
    fn counting_what_holds_is_a_sum() {
        let (mut t, x, y) = two(16);
        let (holds, one) = (t.binary(Ult, x, y), t.constant(16, 1));
        let product = t.binary(Mul, x, y);
        let (more, truth) = (t.binary(Add, product, one), t.zext(holds, 16));
        let (actual, expected) = (t.ite(holds, more, product), t.binary(Add, product, truth));
        same(&t, actual, expected);
        let not = t.not(holds);
        let truth = t.zext(not, 16);
        let (actual, expected) = (t.ite(holds, product, more), t.binary(Add, product, truth));
        same(&t, actual, expected);
    }

    #[test]
    fn a_histogram_at_symbolic_places_is_sums_of_what_holds() {
        let (mut t, ..) = two(16);
        let zero = t.constant(8, 0);
        let (mut counts, mut expected) = (vec![zero; 4], vec![zero; 4]);
        for input in 0..3 {
            let place = t.input(input);
            let table = t.table(counts.clone());
            let (read, one) = (t.read(table, place), t.constant(8, 1));
            let more = t.binary(Add, read, one);
            for (value, (count, expected)) in counts.iter_mut().zip(&mut expected).enumerate() {
                let value = t.constant(8, value as u128);
                let here = t.binary(Eq, place, value);
                *count = t.ite(here, more, *count);
                let here = t.zext(here, 8);
                *expected = t.binary(Add, *expected, here);
            }
        }
        assert_eq!(counts, expected);
    }

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
