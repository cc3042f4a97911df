//! What is known of a term from what is known of its operands.
//!
//! Takes a term and the ranges of its operands; gives a range that holds every value the term can have.

use super::range::Range;
use tarka_terms::semantics::{mask, sign_bit};
use tarka_terms::{BinaryOp, Node, TableId, Term, Terms, UnaryOp};

/// Entries of a table that are looked through.
pub(super) const MAX_ENTRIES: usize = 1_024;

/// Every value the term can have.
pub(super) fn forward(terms: &Terms, term: Term, of: &impl Fn(Term) -> Range) -> Range {
    let width = terms.width(term);
    match *terms.node(term) {
        Node::Const(value) => Range::point(width, value),
        Node::Unary(UnaryOp::Not, a) => of(a).flipped(),
        Node::Unary(UnaryOp::Neg, a) => of(a).negated(),
        Node::Binary(op, a, b) if op.is_predicate() => truth(decided(op, &of(a), &of(b))),
        Node::Binary(op, a, b) if !op.is_float() => binary(op, &of(a), &of(b)),
        Node::Concat(high, low) => of(high).above(&of(low)),
        Node::Extract(a, start) => of(a).part(start, width),
        Node::ZExt(a) => of(a).zero_extended(width),
        Node::SExt(a) => of(a).sign_extended(width),
        Node::Ite(condition, yes, no) => match of(condition).value() {
            Some(1) => of(yes),
            Some(_) => of(no),
            None => of(yes).join(&of(no)),
        },
        Node::Read(table, index) => read(terms, table, &of(index), of),
        _ => Range::full(width),
    }
}

fn truth(value: Option<bool>) -> Range {
    value.map_or(Range::full(1), |value| Range::point(1, value.into()))
}

/// A comparison, if it comes out the same for all values.
pub(super) fn decided(op: BinaryOp, a: &Range, b: &Range) -> Option<bool> {
    let less = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
    match op {
        BinaryOp::Eq => match (a.value(), b.value()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => a.meet(b).is_none().then_some(false),
        },
        BinaryOp::Ult => less(a.high < b.low, a.low >= b.high),
        BinaryOp::Ule => less(a.high <= b.low, a.low > b.high),
        BinaryOp::Slt => less(a.signed_high < b.signed_low, a.signed_low >= b.signed_high),
        BinaryOp::Sle => less(a.signed_high <= b.signed_low, a.signed_low > b.signed_high),
        _ => None,
    }
}

fn binary(op: BinaryOp, a: &Range, b: &Range) -> Range {
    let width = a.width;
    match op {
        BinaryOp::Add => a.plus(b),
        BinaryOp::Sub => a.minus(b),
        BinaryOp::Mul => product(a, b),
        BinaryOp::UDiv if b.low > 0 => Range::between(width, a.low / b.high, a.high / b.low),
        BinaryOp::URem if b.low > a.high => *a,
        BinaryOp::URem if b.low > 0 => Range::between(width, 0, a.high.min(b.high - 1)),
        BinaryOp::SDiv if b.signed_low > 0 => {
            let quotients = [b.signed_low, b.signed_high].map(|b| (a.signed_low / b, a.signed_high / b));
            let low = quotients[0].0.min(quotients[1].0);
            Range::signed_between(width, low, quotients[0].1.max(quotients[1].1))
        }
        BinaryOp::SRem if b.signed_low > 0 => {
            let most = b.signed_high - 1;
            let low = if a.signed_low >= 0 { 0 } else { a.signed_low.max(-most) };
            let high = if a.signed_high <= 0 { 0 } else { a.signed_high.min(most) };
            Range::signed_between(width, low, high)
        }
        BinaryOp::And => {
            let bits = Range::bits(width, a.zeros | b.zeros, a.ones & b.ones);
            bits.meet(&Range::between(width, 0, a.high.min(b.high))).unwrap_or(bits)
        }
        BinaryOp::Or => {
            let bits = Range::bits(width, a.zeros & b.zeros, a.ones | b.ones);
            bits.meet(&Range::between(width, a.low.max(b.low), mask(width))).unwrap_or(bits)
        }
        BinaryOp::Xor => {
            let (same_zeros, same_ones) = (a.zeros & b.zeros, a.ones & b.ones);
            Range::bits(width, same_zeros | same_ones, a.zeros & b.ones | a.ones & b.zeros)
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => match b.value() {
            Some(amount) => shifted(op, a, (amount % u128::from(width)) as u16),
            None if op == BinaryOp::LShr => Range::between(width, 0, a.high),
            None => Range::full(width),
        },
        _ => Range::full(width),
    }
}

fn product(a: &Range, b: &Range) -> Range {
    let width = a.width;
    let zeros = a.zeros.trailing_ones() + b.zeros.trailing_ones();
    let zeros = if zeros >= 128 { u128::MAX } else { (1 << zeros) - 1 };
    let mut product = Range::bits(width, zeros, 0);
    if let Some(high) = a.high.checked_mul(b.high).filter(|high| *high <= mask(width)) {
        let ends = Range::between(width, a.low * b.low, high);
        product = product.meet(&ends).unwrap_or(product);
    }
    let corners =
        [a.signed_low, a.signed_high].map(|a| [b.signed_low, b.signed_high].map(|b| a.checked_mul(b)));
    if let [[Some(one), Some(two)], [Some(three), Some(four)]] = corners {
        let (low, high) = (one.min(two).min(three).min(four), one.max(two).max(three).max(four));
        let full = Range::full(width);
        if low >= full.signed_low && high <= full.signed_high {
            let ends = Range::signed_between(width, low, high);
            product = product.meet(&ends).unwrap_or(product);
        }
    }
    product
}

fn shifted(op: BinaryOp, a: &Range, amount: u16) -> Range {
    let width = a.width;
    let vacated = mask(width) & !(mask(width) >> amount);
    match op {
        BinaryOp::Shl => {
            let bits = Range::bits(width, a.zeros << amount | mask(amount), a.ones << amount);
            if a.high > mask(width) >> amount {
                return bits;
            }
            bits.meet(&Range::between(width, a.low << amount, a.high << amount)).unwrap_or(bits)
        }
        BinaryOp::LShr => {
            let bits = Range::bits(width, a.zeros >> amount | vacated, a.ones >> amount);
            bits.meet(&Range::between(width, a.low >> amount, a.high >> amount)).unwrap_or(bits)
        }
        _ => {
            let sign = |bits: u128| if bits & sign_bit(width) == 0 { 0 } else { vacated };
            let bits = Range::bits(width, a.zeros >> amount | sign(a.zeros), a.ones >> amount | sign(a.ones));
            let ends = Range::signed_between(width, a.signed_low >> amount, a.signed_high >> amount);
            bits.meet(&ends).unwrap_or(bits)
        }
    }
}

/// The entries from the least to the greatest index, and 0 if that may be beyond the end.
fn read(terms: &Terms, table: TableId, index: &Range, of: &impl Fn(Term) -> Range) -> Range {
    let entries = terms.table_entries(table);
    let beyond = index.high >= entries.len() as u128;
    let (low, high) =
        (index.low.min(entries.len() as u128) as usize, index.high.min(entries.len() as u128) as usize);
    let chosen = &entries[low..(high + 1).min(entries.len())];
    if chosen.len() > MAX_ENTRIES {
        return Range::full(8);
    }
    let mut result = beyond.then(|| Range::point(8, 0));
    for (position, entry) in chosen.iter().enumerate() {
        if !index.contains((low + position) as u128) {
            continue;
        }
        let entry = of(*entry);
        result = Some(result.map_or(entry, |result| result.join(&entry)));
    }
    result.unwrap_or(Range::full(8))
}
