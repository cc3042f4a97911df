//! Integer operations, comparisons, overflow tests and changes of width.

use tarka_terms::{BinaryOp, Term, Terms, UnaryOp};
use tarka_trace::{Node, Op};

pub(super) fn unary(terms: &mut Terms, op: Op, node: &Node, a: Term) -> Option<Term> {
    let (from, to) = (terms.width(a), node.width);
    let op = match op {
        Op::Extract => {
            let fits = node.b as u64 + to as u64 <= from as u64;
            return fits.then(|| terms.extract(a, node.b as u16, to));
        }
        Op::ZExt => return (from <= to).then(|| terms.zext(a, to)),
        Op::SExt => return (from <= to).then(|| terms.sext(a, to)),
        Op::CtPop => UnaryOp::CtPop,
        Op::Ctlz => UnaryOp::Ctlz,
        Op::Cttz => UnaryOp::Cttz,
        Op::BSwap if from % 8 == 0 => UnaryOp::BSwap,
        _ => return None,
    };
    Some(terms.unary(op, a))
}

pub(super) fn binary(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let op = match op {
        Op::Add => BinaryOp::Add,
        Op::Sub => BinaryOp::Sub,
        Op::Mul => BinaryOp::Mul,
        Op::UDiv => BinaryOp::UDiv,
        Op::SDiv => BinaryOp::SDiv,
        Op::URem => BinaryOp::URem,
        Op::SRem => BinaryOp::SRem,
        Op::And => BinaryOp::And,
        Op::Or => BinaryOp::Or,
        Op::Xor => BinaryOp::Xor,
        Op::Shl => BinaryOp::Shl,
        Op::LShr => BinaryOp::LShr,
        Op::AShr => BinaryOp::AShr,
        Op::Eq => BinaryOp::Eq,
        Op::Ne => BinaryOp::Ne,
        Op::Ult => BinaryOp::Ult,
        Op::Ule => BinaryOp::Ule,
        Op::Slt => BinaryOp::Slt,
        Op::Sle => BinaryOp::Sle,
        Op::SAddO => BinaryOp::SAddO,
        Op::UAddO => BinaryOp::UAddO,
        Op::SSubO => BinaryOp::SSubO,
        Op::USubO => BinaryOp::USubO,
        Op::SMulO => BinaryOp::SMulO,
        Op::UMulO => BinaryOp::UMulO,
        _ => return None,
    };
    Some(terms.binary(op, a, b))
}
