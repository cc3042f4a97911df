//! Floating operations on bit patterns of 32, 64 and 80 bits.

use tarka_terms::semantics::{extended, is_float_width};
use tarka_terms::{BinaryOp, ConvertOp, Term, Terms, UnaryOp};
use tarka_trace::{Node, Op};

fn is_float(terms: &Terms, term: Term) -> bool {
    is_float_width(terms.width(term))
}

/// The library's functions have no term of 80 bits.
fn is_extended(terms: &Terms, term: Term) -> bool {
    terms.width(term) == extended::WIDTH
}

pub(super) fn unary(terms: &mut Terms, op: Op, node: &Node, a: Term) -> Option<Term> {
    if let Some(conversion) = conversion(op) {
        let from_float = matches!(op, Op::FToSi | Op::FToUi | Op::FToF);
        let to_float = matches!(op, Op::SiToF | Op::UiToF | Op::FToF);
        let fits = (!from_float || is_float(terms, a)) && (!to_float || is_float_width(node.width));
        return fits.then(|| terms.convert(conversion, a, node.width));
    }
    let op = match op {
        Op::FNeg => UnaryOp::FNeg,
        Op::FAbs => UnaryOp::FAbs,
        Op::FSqrt => UnaryOp::FSqrt,
        Op::FFloor => UnaryOp::FFloor,
        Op::FCeil => UnaryOp::FCeil,
        Op::FTrunc => UnaryOp::FTrunc,
        Op::FRint => UnaryOp::FRint,
        Op::FRound => UnaryOp::FRound,
        Op::FSin => UnaryOp::FSin,
        Op::FCos => UnaryOp::FCos,
        Op::FTan => UnaryOp::FTan,
        Op::FAsin => UnaryOp::FAsin,
        Op::FAcos => UnaryOp::FAcos,
        Op::FAtan => UnaryOp::FAtan,
        Op::FSinh => UnaryOp::FSinh,
        Op::FCosh => UnaryOp::FCosh,
        Op::FTanh => UnaryOp::FTanh,
        Op::FAsinh => UnaryOp::FAsinh,
        Op::FAcosh => UnaryOp::FAcosh,
        Op::FAtanh => UnaryOp::FAtanh,
        Op::FExp => UnaryOp::FExp,
        Op::FExp2 => UnaryOp::FExp2,
        Op::FExpm1 => UnaryOp::FExpm1,
        Op::FLog => UnaryOp::FLog,
        Op::FLog2 => UnaryOp::FLog2,
        Op::FLog10 => UnaryOp::FLog10,
        Op::FLog1p => UnaryOp::FLog1p,
        Op::FCbrt => UnaryOp::FCbrt,
        _ => return None,
    };
    (is_float(terms, a) && !(op.is_library() && is_extended(terms, a))).then(|| terms.unary(op, a))
}

fn conversion(op: Op) -> Option<ConvertOp> {
    Some(match op {
        Op::FToSi => ConvertOp::FToSi,
        Op::FToUi => ConvertOp::FToUi,
        Op::SiToF => ConvertOp::SiToF,
        Op::UiToF => ConvertOp::UiToF,
        Op::FToF => ConvertOp::FToF,
        _ => return None,
    })
}

pub(super) fn binary(terms: &mut Terms, op: Op, node: &Node, a: Term, b: Term) -> Option<Term> {
    if !is_float(terms, a) {
        return None;
    }
    let op = match op {
        Op::FCmp => return (node.c < 16).then(|| terms.fcmp(node.c as u8, a, b)),
        Op::FAdd => BinaryOp::FAdd,
        Op::FSub => BinaryOp::FSub,
        Op::FMul => BinaryOp::FMul,
        Op::FDiv => BinaryOp::FDiv,
        Op::FRem => BinaryOp::FRem,
        Op::FCopySign => BinaryOp::FCopySign,
        Op::FMin => BinaryOp::FMin,
        Op::FMax => BinaryOp::FMax,
        Op::FPow => BinaryOp::FPow,
        Op::FAtan2 => BinaryOp::FAtan2,
        Op::FHypot => BinaryOp::FHypot,
        Op::FRemainder => BinaryOp::FRemainder,
        _ => return None,
    };
    (!(op.is_library() && is_extended(terms, a))).then(|| terms.binary(op, a, b))
}

pub(super) fn fused(terms: &mut Terms, [a, b, c]: [Term; 3]) -> Option<Term> {
    let same = terms.width(a) == terms.width(b) && terms.width(b) == terms.width(c);
    (same && is_float(terms, a)).then(|| terms.fma(a, b, c))
}
