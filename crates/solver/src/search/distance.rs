//! How far a truth value is from being the other one: what guides a search where nothing can be solved backwards.

use super::program::Op;
use super::state::State;
use super::values::Kind;
use tarka_terms::{BinaryOp, UnaryOp, predicate};

/// How deep truth values are looked into.
const MAX_DEPTH: u32 = 8;
/// The distance of a truth value of which no better is known.
const FAR: f64 = 1.0;

/// From 0, where the register is 1, to 1.
pub(super) fn distance(state: &State, register: u32) -> f64 {
    to(state, register, true, MAX_DEPTH)
}

fn to(state: &State, register: u32, wanted: bool, depth: u32) -> f64 {
    if (state.value(register) == 1) == wanted {
        return 0.0;
    }
    if depth == 0 {
        return FAR;
    }
    let inst = state.code.inst(register);
    let gap = |kind: Kind| kind.gap(state.value(inst.a), state.value(inst.b));
    match inst.op {
        Op::Unary(UnaryOp::Not) => to(state, inst.a, !wanted, depth - 1),
        Op::Binary(op @ (BinaryOp::And | BinaryOp::Or)) => {
            let [a, b] = [inst.a, inst.b].map(|side| to(state, side, wanted, depth - 1));
            let both = (op == BinaryOp::And) == wanted;
            if both { (a + b) / 2.0 } else { a.min(b) }
        }
        Op::FCmp => {
            let relations = if wanted { inst.extra } else { predicate::ALWAYS & !inst.extra };
            let is_number = relations & !predicate::UNORDERED != 0;
            if is_number { gap(Kind::Float(inst.from.into())) } else { FAR }
        }
        Op::Binary(BinaryOp::Ult | BinaryOp::Ule) => gap(Kind::Unsigned(inst.from.into())),
        Op::Binary(op) if op.is_predicate() => gap(Kind::Integer(inst.from.into())),
        _ => FAR,
    }
}
