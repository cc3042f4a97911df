//! From "beyond a bound" to "just beyond it".
//!
//! Takes the condition under which a bounds check fails; gives a condition that keeps what is compared within a few bytes of
//! the bound. Never: other conditions.

use tarka_terms::{BinaryOp, Node, Term, Terms, UnaryOp};

/// How far beyond a bound still counts as beside it.
const BESIDE: u128 = 16;

/// Bounds below this are no object's: they tell a null pointer from others.
const NULL_PAGE: u128 = 4096;

/// `None` if the condition is no comparison of an address, offset or index with a constant.
pub(crate) fn close_by(terms: &mut Terms, fails: Term) -> Option<Term> {
    let (negated, comparison) = match *terms.node(fails) {
        Node::Unary(UnaryOp::Not, a) => (true, a),
        _ => (false, fails),
    };
    let Node::Binary(op, a, b) = *terms.node(comparison) else { return None };
    let is_signed = match op {
        BinaryOp::Ult | BinaryOp::Ule => false,
        BinaryOp::Slt | BinaryOp::Sle => true,
        _ => return None,
    };
    // Below or above the bound, whichever way it is written.
    let (value, bound, is_above) = match (terms.as_constant(a), terms.as_constant(b)) {
        (None, Some(bound)) => (a, bound, negated),
        (Some(bound), None) => (b, bound, !negated),
        _ => return None,
    };
    let width = terms.width(value);
    if !(16..=64).contains(&width) || (!is_above && bound <= NULL_PAGE && !is_signed) {
        return None;
    }
    let largest = (1 << width) - 1;
    let (lowest, highest) = if is_above {
        (bound, (bound + BESIDE) & largest)
    } else {
        (bound.wrapping_sub(BESIDE) & largest, bound)
    };
    let near = within(terms, value, lowest, highest);
    if is_above && !is_signed {
        // An offset from the start of an object is also beyond its end when it is before its start.
        let before = within(terms, value, largest + 1 - BESIDE, largest);
        return Some(terms.binary(BinaryOp::Or, near, before));
    }
    Some(near)
}

/// `value - lowest <= highest - lowest`, which holds for a range that wraps around as well.
fn within(terms: &mut Terms, value: Term, lowest: u128, highest: u128) -> Term {
    let width = terms.width(value);
    let span = highest.wrapping_sub(lowest) & ((1 << width) - 1);
    let (lowest, span) = (terms.constant(width, lowest), terms.constant(width, span));
    let offset = terms.binary(BinaryOp::Sub, value, lowest);
    terms.binary(BinaryOp::Ule, offset, span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_terms::Evaluator;

    /// Which of the values fulfil both the failing condition and nearness.
    fn close(make: impl Fn(&mut Terms, Term) -> Term, values: &[u64]) -> Option<Vec<u64>> {
        let mut terms = Terms::new();
        let value = terms.word(0, 8);
        let fails = make(&mut terms, value);
        let near = close_by(&mut terms, fails)?;
        let mut evaluator = Evaluator::new();
        let mut holds = |term, value: u64| {
            evaluator.eval(&terms, term, &|byte: u32| value.to_le_bytes()[byte as usize]) == 1
        };
        Some(values.iter().copied().filter(|&value| holds(fails, value) && holds(near, value)).collect())
    }

    #[test]
    fn an_offset_beyond_the_end_stays_beside_the_object_on_either_side() {
        let beyond = |terms: &mut Terms, value| {
            let last = terms.constant(64, 36);
            let inside = terms.binary(BinaryOp::Ule, value, last);
            terms.not(inside)
        };
        let values = [0, 36, 37, 40, 52, 53, 1 << 40, u64::MAX - 15, u64::MAX, u64::MAX - 16];
        assert_eq!(close(beyond, &values), Some(vec![37, 40, 52, u64::MAX - 15, u64::MAX]));
    }

    #[test]
    fn an_address_below_its_object_stays_beside_it() {
        let below = |terms: &mut Terms, value| {
            let first = terms.constant(64, 0x10_0000);
            terms.binary(BinaryOp::Ult, value, first)
        };
        assert_eq!(
            close(below, &[0, 0xf_ffef, 0xf_fff0, 0xf_ffff, 0x10_0000]),
            Some(vec![0xf_fff0, 0xf_ffff])
        );
    }

    #[test]
    fn a_null_pointer_is_beside_nothing() {
        let null = |terms: &mut Terms, value| {
            let page = terms.constant(64, 4096);
            terms.binary(BinaryOp::Ult, value, page)
        };
        assert_eq!(close(null, &[0]), None);
    }
}
