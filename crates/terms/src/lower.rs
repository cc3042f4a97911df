//! Operations that are expressed by others when a term is built, so that neither rules nor solvers need to know them.
//!
//! Takes an operation of a lowered kind and its operands; gives the equal term, or `None` for operations that stay.

use crate::node::Term;
use crate::op::{BinaryOp, ConvertOp, UnaryOp, predicate};
use crate::semantics::{extended, mask, sign_bit};
use crate::store::Terms;

pub(crate) fn unary(terms: &mut Terms, op: UnaryOp, a: Term) -> Option<Term> {
    let width = terms.width(a);
    Some(match op {
        UnaryOp::CtPop => count_ones(terms, a),
        UnaryOp::Ctlz => first_one(terms, a, (0..width).map(|bit| (bit, width - 1 - bit))),
        UnaryOp::Cttz => first_one(terms, a, (0..width).rev().map(|bit| (bit, bit))),
        UnaryOp::BSwap => swap_bytes(terms, a),
        UnaryOp::FNeg => {
            let sign = terms.constant(width, sign_bit(width));
            terms.binary(BinaryOp::Xor, a, sign)
        }
        UnaryOp::FAbs => magnitude(terms, a),
        _ => return None,
    })
}

pub(crate) fn binary(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    use BinaryOp::*;
    Some(match op {
        Ne => {
            let equal = terms.binary(Eq, a, b);
            terms.not(equal)
        }
        UAddO => {
            let sum = terms.binary(Add, a, b);
            terms.binary(Ult, sum, a)
        }
        USubO => terms.binary(Ult, a, b),
        SAddO => {
            let sum = terms.binary(Add, a, b);
            both_signs_differ(terms, (a, sum), (b, sum))
        }
        SSubO => {
            let difference = terms.binary(Sub, a, b);
            both_signs_differ(terms, (a, b), (a, difference))
        }
        UMulO => unsigned_product_overflows(terms, a, b),
        SMulO => signed_product_overflows(terms, a, b),
        FCopySign => {
            let width = terms.width(a);
            let sign = terms.constant(width, sign_bit(width));
            let (magnitude, sign) = (magnitude(terms, a), terms.binary(And, b, sign));
            terms.binary(Or, magnitude, sign)
        }
        FMin => pick(terms, a, b, predicate::LESS),
        FMax => pick(terms, a, b, predicate::GREATER),
        _ => return None,
    })
}

/// Float to integer through the register sizes the hardware converts to. The x87 unit also has 16 bits.
pub(crate) fn convert(terms: &mut Terms, op: ConvertOp, a: Term, width: u16) -> Option<Term> {
    let from = terms.width(a);
    let is_extended = from == extended::WIDTH;
    let through = match (op, width) {
        (ConvertOp::FToF, _) if from == width => return Some(a),
        (ConvertOp::FToUi, 33..=64) if is_extended => return Some(extended_to_unsigned(terms, a, width)),
        (ConvertOp::FToUi, 33..=64) => return Some(to_unsigned(terms, a, width)),
        (ConvertOp::FToSi, ..=15) | (ConvertOp::FToUi, ..=8) if is_extended => 16,
        (ConvertOp::FToSi, 16) if is_extended => return None,
        (ConvertOp::FToSi, ..=31) | (ConvertOp::FToUi, ..=16) => 32,
        (ConvertOp::FToSi, 33..=63) | (ConvertOp::FToUi, 17..=32) => 64,
        _ => return None,
    };
    let wide = terms.convert(ConvertOp::FToSi, a, through);
    Some(terms.extract(wide, 0, width))
}

/// 2^63 as a float of this width.
fn two_63(terms: &mut Terms, width: u16) -> Term {
    let bits = crate::semantics::convert(ConvertOp::UiToF, 64, width, sign_bit(64));
    terms.constant(width, bits)
}

/// Two conversions, of the value and of the value less 2^63, which counts where the first is out of range.
fn to_unsigned(terms: &mut Terms, a: Term, width: u16) -> Term {
    let low = terms.convert(ConvertOp::FToSi, a, 64);
    let two_63 = two_63(terms, terms.width(a));
    let reduced = terms.binary(BinaryOp::FSub, a, two_63);
    let high = terms.convert(ConvertOp::FToSi, reduced, 64);
    let (zero, either) = (terms.constant(64, 0), terms.binary(BinaryOp::Or, low, high));
    let beyond = terms.binary(BinaryOp::Slt, low, zero);
    let value = terms.ite(beyond, either, low);
    terms.extract(value, 0, width)
}

/// One conversion, of the value or of the value less 2^63.
fn extended_to_unsigned(terms: &mut Terms, a: Term, width: u16) -> Term {
    let two_63 = two_63(terms, terms.width(a));
    let is_small = terms.fcmp(predicate::LESS, a, two_63);
    let low = terms.convert(ConvertOp::FToSi, a, 64);
    let reduced = terms.binary(BinaryOp::FSub, a, two_63);
    let high = terms.convert(ConvertOp::FToSi, reduced, 64);
    let top = terms.constant(64, sign_bit(64));
    let high = terms.binary(BinaryOp::Xor, high, top);
    let value = terms.ite(is_small, low, high);
    terms.extract(value, 0, width)
}

/// The width in which every count of `width` bits fits.
fn count_width(width: u16) -> u16 {
    width.min(8)
}

fn count_ones(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let mut counts: Vec<Term> = Vec::with_capacity(width.into());
    for bit in 0..width {
        let bit = terms.extract(a, bit, 1);
        counts.push(terms.zext(bit, count_width(width)));
    }
    while counts.len() > 1 {
        let pairs = counts.chunks(2);
        counts = pairs
            .map(|pair| match pair {
                [left, right] => terms.binary(BinaryOp::Add, *left, *right),
                _ => pair[0],
            })
            .collect();
    }
    terms.zext(counts[0], width)
}

/// The count beside the last bit of the sequence that is one; the width if none is.
fn first_one(terms: &mut Terms, a: Term, bits: impl Iterator<Item = (u16, u16)>) -> Term {
    let width = terms.width(a);
    let mut result = terms.constant(count_width(width), width.into());
    for (bit, count) in bits {
        let (bit, count) = (terms.extract(a, bit, 1), terms.constant(count_width(width), count.into()));
        result = terms.ite(bit, count, result);
    }
    terms.zext(result, width)
}

fn swap_bytes(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    assert!(width.is_multiple_of(8), "bytes of a term of {width} bits");
    let mut result = terms.extract(a, 0, 8);
    for low in (8..width).step_by(8) {
        let byte = terms.extract(a, low, 8);
        result = terms.concat(result, byte);
    }
    result
}

fn magnitude(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let magnitude = terms.constant(width, mask(width) >> 1);
    terms.binary(BinaryOp::And, a, magnitude)
}

/// Whether the sign bits differ within both pairs.
fn both_signs_differ(terms: &mut Terms, first: (Term, Term), second: (Term, Term)) -> Term {
    let first = terms.binary(BinaryOp::Xor, first.0, first.1);
    let second = terms.binary(BinaryOp::Xor, second.0, second.1);
    let both = terms.binary(BinaryOp::And, first, second);
    let width = terms.width(both);
    terms.extract(both, width - 1, 1)
}

fn unsigned_product_overflows(terms: &mut Terms, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let zero = terms.constant(width, 0);
    if width <= 64 {
        let (wide_a, wide_b) = (terms.zext(a, 2 * width), terms.zext(b, 2 * width));
        let product = terms.binary(BinaryOp::Mul, wide_a, wide_b);
        let high = terms.extract(product, width, width);
        return terms.binary(BinaryOp::Ne, high, zero);
    }
    let product = terms.binary(BinaryOp::Mul, a, b);
    let back = terms.binary(BinaryOp::UDiv, product, a);
    let (nonzero, differs) = (terms.binary(BinaryOp::Ne, a, zero), terms.binary(BinaryOp::Ne, back, b));
    terms.binary(BinaryOp::And, nonzero, differs)
}

fn signed_product_overflows(terms: &mut Terms, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    if width <= 64 {
        let (wide_a, wide_b) = (terms.sext(a, 2 * width), terms.sext(b, 2 * width));
        let product = terms.binary(BinaryOp::Mul, wide_a, wide_b);
        let low = terms.extract(product, 0, width);
        let back = terms.sext(low, 2 * width);
        return terms.binary(BinaryOp::Ne, product, back);
    }
    let (zero, minus_one) = (terms.constant(width, 0), terms.constant(width, mask(width)));
    let least = terms.constant(width, sign_bit(width));
    let product = terms.binary(BinaryOp::Mul, a, b);
    let back = terms.binary(BinaryOp::SDiv, product, a);
    let (nonzero, differs) = (terms.binary(BinaryOp::Ne, a, zero), terms.binary(BinaryOp::Ne, back, b));
    let ordinary = terms.binary(BinaryOp::And, nonzero, differs);
    let (negated, of_least) =
        (terms.binary(BinaryOp::Eq, a, minus_one), terms.binary(BinaryOp::Eq, b, least));
    let least_negated = terms.binary(BinaryOp::And, negated, of_least);
    terms.binary(BinaryOp::Or, ordinary, least_negated)
}

/// The one that is a number, otherwise the first if it is in this relation to the second.
fn pick(terms: &mut Terms, a: Term, b: Term, relation: u8) -> Term {
    let chosen = terms.fcmp(relation, a, b);
    let chosen = terms.ite(chosen, a, b);
    let right_is_none = terms.fcmp(predicate::UNORDERED, b, b);
    let chosen = terms.ite(right_is_none, a, chosen);
    let left_is_none = terms.fcmp(predicate::UNORDERED, a, a);
    terms.ite(left_is_none, b, chosen)
}
