//! The words of a program that a search varies, each with what it stands for and the values to try.

use super::program::{Code, Data, Inst, Op};
use super::values::{self, Kind, Number};
use rustc_hash::FxHashSet;
use tarka_terms::{BinaryOp, ConvertOp};

/// Constants of the question that values are made from, the first ones met.
const MAX_CONSTANTS: usize = 16;
/// Words that are varied, the first ones met.
const MAX_VARIABLES: usize = 48;

/// A word of the input that is one number.
#[derive(Debug, PartialEq)]
pub(super) struct Variable {
    pub(super) load: u32,
    pub(super) kind: Kind,
    /// Bit patterns to try, likeliest first.
    pub(super) values: Vec<u128>,
}

/// The words of a program, those of the flipped clause first.
pub(super) fn of(code: &Code, data: &Data) -> Vec<Variable> {
    let floats = float_operands(code);
    let mut constants = Vec::new();
    for (register, kind) in read_constants(code, &floats) {
        let bits = data.constants[code.inst(register).a as usize];
        let constant = Number { kind, bits };
        if !constants.contains(&constant) && constants.len() < MAX_CONSTANTS {
            constants.push(constant);
        }
    }
    let as_floats: FxHashSet<u32> = floats.iter().filter_map(|register| word(code, *register)).collect();
    let loads = code.loads.iter().copied().take(MAX_VARIABLES);
    loads
        .map(|load| {
            let width = code.inst(load).width.into();
            // A part of a float (its sign is read apart) is a number like any other.
            let is_float = as_floats.contains(&load) && matches!(width, 32 | 64 | 80);
            let kind = if is_float { Kind::Float(width) } else { Kind::Integer(width) };
            Variable { load, kind, values: values::to_try(kind, &constants) }
        })
        .collect()
}

/// The registers that are read as floats.
fn float_operands(code: &Code) -> Vec<u32> {
    let mut found = Vec::new();
    for inst in &code.shape.code {
        match inst.op {
            Op::Unary(op) if op.is_float() => found.push(inst.a),
            Op::Binary(op) if op.is_float() => found.extend([inst.a, inst.b]),
            Op::FCmp => found.extend([inst.a, inst.b]),
            Op::Fma => found.extend([inst.a, inst.b, inst.c]),
            Op::Convert(ConvertOp::FToSi | ConvertOp::FToUi | ConvertOp::FToF) => found.push(inst.a),
            _ => {}
        }
    }
    found
}

/// Constants that are read as floats or compared with, and as what.
fn read_constants(code: &Code, floats: &[u32]) -> Vec<(u32, Kind)> {
    let is_constant = |register: &u32| code.inst(*register).op == Op::Const;
    let width = |register: u32| u16::from(code.inst(register).width);
    let as_float = |register: u32| (register, Kind::Float(width(register)));
    let compared =
        code.shape.code.iter().filter(|inst| is_comparison(inst)).flat_map(|inst| [inst.a, inst.b]);
    let as_integer = |register: u32| (register, Kind::Integer(width(register)));
    let floats = floats.iter().copied().filter(is_constant).map(as_float);
    floats.chain(compared.filter(is_constant).map(as_integer)).collect()
}

fn is_comparison(inst: &Inst) -> bool {
    matches!(inst.op, Op::Binary(op) if op.is_predicate()) && inst.from >= 8
}

/// The word a register is, perhaps with its sign or other bits changed.
fn word(code: &Code, register: u32) -> Option<u32> {
    let width = code.inst(register).width;
    let mut at = register;
    loop {
        let inst = code.inst(at);
        match inst.op {
            Op::Load => return (inst.width == width || inst.width == width + 1).then_some(at),
            Op::Binary(BinaryOp::Xor | BinaryOp::And | BinaryOp::Or)
                if code.depends[inst.b as usize] == 0 =>
            {
                at = inst.a;
            }
            Op::Extract if inst.extra == 0 => at = inst.a,
            Op::Concat => at = inst.b,
            _ => return None,
        }
    }
}
