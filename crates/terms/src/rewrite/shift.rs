//! Shifts: by a constant amount they are slices.

use super::{Law2, Rule, rules};
use crate::node::Term;
use crate::store::Terms;

pub(super) const SHL: &[Rule<Law2>] = rules!("shl", shift_of_zero, shl_by_constant);
pub(super) const LSHR: &[Rule<Law2>] = rules!("lshr", shift_of_zero, lshr_by_constant);
pub(super) const ASHR: &[Rule<Law2>] = rules!("ashr", shift_of_zero, ashr_by_constant);

/// `0 << a = 0`, and so on for the three shifts
fn shift_of_zero(terms: &mut Terms, a: Term, _: Term) -> Option<Term> {
    terms.is_zero(a).then_some(a)
}

/// `a << k = concat(low bits of a, k zeros)`
fn shl_by_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (amount, width) = (amount(terms, b)?, terms.width(a));
    if amount == 0 {
        return Some(a);
    }
    let (kept, zeros) = (terms.extract(a, 0, width - amount), terms.constant(amount, 0));
    Some(terms.concat(kept, zeros))
}

/// `a >> k = zext(high bits of a)`
fn lshr_by_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (amount, width) = (amount(terms, b)?, terms.width(a));
    let kept = terms.extract(a, amount, width - amount);
    Some(terms.zext(kept, width))
}

/// `a >> k = sext(high bits of a)`, arithmetic
fn ashr_by_constant(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (amount, width) = (amount(terms, b)?, terms.width(a));
    let kept = terms.extract(a, amount, width - amount);
    Some(terms.sext(kept, width))
}

fn amount(terms: &Terms, b: Term) -> Option<u16> {
    Some((terms.as_constant(b)? % u128::from(terms.width(b))) as u16)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{is, same, two};
    use crate::BinaryOp::*;

    #[test]
    fn by_constants() {
        let (mut t, x, _) = two(32);
        let (eight, wrapped, zero) = (t.constant(32, 8), t.constant(32, 40), t.constant(32, 0));
        let (low, high, zeros) = (t.extract(x, 0, 24), t.extract(x, 8, 24), t.constant(8, 0));
        let (left, right, arithmetic) = (t.concat(low, zeros), t.zext(high, 32), t.sext(high, 32));
        for (op, expected) in [(Shl, left), (LShr, right), (AShr, arithmetic)] {
            for (amount, expected) in [(eight, expected), (wrapped, expected), (zero, x)] {
                let actual = t.binary(op, x, amount);
                same(&t, actual, expected);
            }
            let of_zero = t.binary(op, zero, x);
            is(&t, of_zero, 0);
        }
    }
}
