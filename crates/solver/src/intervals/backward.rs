//! What is known of the operands of a term from what is known of the term.
//!
//! Takes a term, its range and those of its operands; gives ranges that its operands must be in as well.

use super::forward::{MAX_ENTRIES, decided};
use super::range::Range;
use tarka_terms::semantics::mask;
use tarka_terms::{BinaryOp, Node, TableId, Term, Terms, UnaryOp};

/// Calls `must` with an operand and a range it must be in. `None` if there is no value for an operand, or none for the
/// term that goes with its operands.
pub(super) fn backward(
    terms: &Terms,
    term: Term,
    range: &Range,
    of: &impl Fn(Term) -> Range,
    must: &mut impl FnMut(Term, Range) -> Option<()>,
) -> Option<()> {
    match *terms.node(term) {
        Node::Unary(UnaryOp::Not, a) => must(a, range.flipped()),
        Node::Unary(UnaryOp::Neg, a) => must(a, range.negated()),
        Node::Binary(op, a, b) if op.is_predicate() => match range.value() {
            Some(value) => compared(op, value == 1, (a, of(a)), (b, of(b)), must),
            None => Some(()),
        },
        Node::Binary(op, a, b) if !op.is_float() => binary(op, range, (a, of(a)), (b, of(b)), must),
        Node::Concat(high, low) => {
            let (high_width, low_width) = (terms.width(high), terms.width(low));
            must(high, range.part(low_width, high_width))?;
            must(low, range.part(0, low_width))
        }
        Node::Extract(a, start) => must(a, range.whole(start, terms.width(a))),
        Node::ZExt(a) => must(a, range.part(0, terms.width(a))),
        Node::SExt(a) => {
            let width = terms.width(a);
            must(a, range.part(0, width))?;
            must(a, Range::signed_between(width, range.signed_low, range.signed_high))
        }
        Node::Ite(condition, yes, no) => match of(condition).value() {
            Some(1) => must(yes, *range),
            Some(_) => must(no, *range),
            None => {
                if of(yes).meet(range).is_none() {
                    must(condition, Range::point(1, 0))?;
                }
                if of(no).meet(range).is_none() {
                    must(condition, Range::point(1, 1))?;
                }
                Some(())
            }
        },
        Node::Read(table, index) => {
            let of_index = of(index);
            let entries = terms.table_entries(table);
            let chosen = of_index.value().and_then(|at| entries.get(usize::try_from(at).ok()?));
            match chosen.filter(|_| entries.len() <= MAX_ENTRIES) {
                Some(entry) => must(*entry, *range),
                None => must(index, possible_index(terms, table, &of_index, range, of)),
            }
        }
        _ => Some(()),
    }
}

type Operand = (Term, Range);

/// What a comparison says that came out this way.
fn compared(
    op: BinaryOp,
    holds: bool,
    (a, of_a): Operand,
    (b, of_b): Operand,
    must: &mut impl FnMut(Term, Range) -> Option<()>,
) -> Option<()> {
    let width = of_a.width;
    let full = Range::full(width);
    if decided(op, &of_a, &of_b) == Some(!holds) {
        return None;
    }
    match (op, holds) {
        (BinaryOp::Eq, true) => {
            must(a, of_b)?;
            must(b, of_a)
        }
        (BinaryOp::Eq, false) => {
            if let Some(value) = of_b.value() {
                must(a, without(&of_a, value))?;
            }
            if let Some(value) = of_a.value() {
                must(b, without(&of_b, value))?;
            }
            Some(())
        }
        (BinaryOp::Ult, false) => compared(BinaryOp::Ule, true, (b, of_b), (a, of_a), must),
        (BinaryOp::Ule, false) => compared(BinaryOp::Ult, true, (b, of_b), (a, of_a), must),
        (BinaryOp::Slt, false) => compared(BinaryOp::Sle, true, (b, of_b), (a, of_a), must),
        (BinaryOp::Sle, false) => compared(BinaryOp::Slt, true, (b, of_b), (a, of_a), must),
        (BinaryOp::Ult | BinaryOp::Ule, true) => {
            let strict = u128::from(op == BinaryOp::Ult);
            // Not decided against: the ends that are moved cannot wrap.
            must(a, Range::between(width, 0, of_b.high - strict))?;
            must(b, Range::between(width, of_a.low + strict, mask(width)))
        }
        (BinaryOp::Slt | BinaryOp::Sle, true) => {
            let strict = i128::from(op == BinaryOp::Slt);
            must(a, Range::signed_between(width, full.signed_low, of_b.signed_high - strict))?;
            must(b, Range::signed_between(width, of_a.signed_low + strict, full.signed_high))
        }
        _ => Some(()),
    }
}

/// The range without a value, if that is one of its ends.
fn without(range: &Range, value: u128) -> Range {
    let width = range.width;
    let number = tarka_terms::semantics::signed(width, value);
    if range.low == value && value < range.high {
        Range::between(width, value + 1, range.high)
    } else if range.high == value && range.low < value {
        Range::between(width, range.low, value - 1)
    } else if range.signed_low == number && number < range.signed_high {
        Range::signed_between(width, number + 1, range.signed_high)
    } else if range.signed_high == number && range.signed_low < number {
        Range::signed_between(width, range.signed_low, number - 1)
    } else {
        Range::full(width)
    }
}

fn binary(
    op: BinaryOp,
    range: &Range,
    (a, of_a): Operand,
    (b, of_b): Operand,
    must: &mut impl FnMut(Term, Range) -> Option<()>,
) -> Option<()> {
    let width = range.width;
    match op {
        BinaryOp::Add => {
            must(a, range.minus(&of_b))?;
            must(b, range.minus(&of_a))
        }
        BinaryOp::Sub => {
            must(a, range.plus(&of_b))?;
            must(b, of_a.minus(range))
        }
        BinaryOp::And => {
            must(a, Range::bits(width, range.zeros & of_b.ones, range.ones))?;
            must(b, Range::bits(width, range.zeros & of_a.ones, range.ones))?;
            must(a, Range::between(width, range.low, mask(width)))?;
            must(b, Range::between(width, range.low, mask(width)))
        }
        BinaryOp::Or => {
            must(a, Range::bits(width, range.zeros, range.ones & of_b.zeros))?;
            must(b, Range::bits(width, range.zeros, range.ones & of_a.zeros))?;
            must(a, Range::between(width, 0, range.high))?;
            must(b, Range::between(width, 0, range.high))
        }
        BinaryOp::Xor => {
            let other = |of: &Range| {
                let zeros = range.zeros & of.zeros | range.ones & of.ones;
                Range::bits(width, zeros, range.zeros & of.ones | range.ones & of.zeros)
            };
            must(a, other(&of_b))?;
            must(b, other(&of_a))
        }
        BinaryOp::Mul => match of_b.value() {
            // Where nothing wraps.
            Some(factor) if factor > 0 && of_a.high <= mask(width) / factor => {
                must(a, Range::between(width, range.low.div_ceil(factor), range.high / factor))
            }
            _ => Some(()),
        },
        BinaryOp::UDiv => match of_b.value() {
            Some(divisor) if divisor > 0 => {
                let Some(low) = range.low.checked_mul(divisor) else { return Some(()) };
                let high = range.high.checked_mul(divisor).and_then(|high| high.checked_add(divisor - 1));
                must(
                    a,
                    Range::between(width, low.min(mask(width)), high.unwrap_or(u128::MAX).min(mask(width))),
                )
            }
            _ => Some(()),
        },
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let Some(amount) = of_b.value() else { return Some(()) };
            let amount = (amount % u128::from(width)) as u16;
            let kept = width - amount;
            match op {
                BinaryOp::Shl => must(a, range.part(amount, kept).whole(0, width)),
                _ => must(a, range.part(0, kept).whole(amount, width)),
            }
        }
        _ => Some(()),
    }
}

/// The indices whose entry may be in the range.
fn possible_index(
    terms: &Terms,
    table: TableId,
    index: &Range,
    range: &Range,
    of: &impl Fn(Term) -> Range,
) -> Range {
    let entries = terms.table_entries(table);
    let full = Range::full(index.width);
    let may_be_beyond = index.high >= entries.len() as u128;
    let Some(last) = entries.len().checked_sub(1) else { return full };
    if entries.len() > MAX_ENTRIES || may_be_beyond && range.contains(0) {
        return full;
    }
    let last = last as u128;
    let fits = |at: &u128| index.contains(*at) && of(entries[*at as usize]).meet(range).is_some();
    let mut possible = index.low..=index.high.min(last);
    match (possible.clone().find(fits), possible.rfind(fits)) {
        (Some(low), Some(high)) => Range::between(index.width, low, high),
        // No index will do; the term's own range will say so.
        _ => full,
    }
}
