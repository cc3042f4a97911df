//! Runs instructions on registers: one match for the narrow lane, the definitions of `tarka_terms` for all the rest.
//!
//! Takes registers filled with constants, and input bytes; gives exactly the values of `tarka_terms::Evaluator`.

use super::program::{Inst, Op, Shape};
use tarka_terms::semantics::{self, mask};
use tarka_terms::{BinaryOp, UnaryOp, predicate};

/// Bytes behind the last input byte, so that every load may read the most a word can have.
pub(super) const PADDING: usize = 16;

/// What a program computes on.
#[derive(Debug, Default)]
pub(super) struct Registers {
    /// Values of up to 64 bits.
    pub(super) narrow: Vec<u64>,
    /// Wider values; empty if there are none.
    pub(super) wide: Vec<u128>,
}

impl Registers {
    pub(super) fn get(&self, shape: &Shape, register: u32) -> u128 {
        if shape.code[register as usize].width > 64 {
            self.wide[register as usize]
        } else {
            self.narrow[register as usize].into()
        }
    }

    pub(super) fn set(&mut self, shape: &Shape, register: u32, value: u128) {
        if shape.code[register as usize].width > 64 {
            self.wide[register as usize] = value;
        } else {
            self.narrow[register as usize] = value as u64;
        }
    }
}

const fn narrow_mask(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

const fn narrow_signed(width: u8, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

/// Runs these instructions, in order.
pub(super) fn run(
    shape: &Shape,
    code: &[u32],
    tables: &[Box<[u8]>],
    bytes: &[u8],
    registers: &mut Registers,
) {
    for at in code {
        let inst = &shape.code[*at as usize];
        if inst.wide {
            let value = any_width(shape, inst, tables, bytes, registers);
            registers.set(shape, *at, value);
        } else {
            let value = narrow(shape, inst, tables, bytes, &registers.narrow);
            registers.narrow[*at as usize] = value;
        }
    }
}

#[inline(always)]
fn narrow(shape: &Shape, inst: &Inst, tables: &[Box<[u8]>], bytes: &[u8], registers: &[u64]) -> u64 {
    let value = |register: u32| registers[register as usize];
    match inst.op {
        Op::Const => value(inst.a),
        Op::Load => {
            let first = inst.a as usize;
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[first..first + 8]);
            u64::from_le_bytes(word) & narrow_mask(inst.width)
        }
        Op::Unary(UnaryOp::Not) => !value(inst.a) & narrow_mask(inst.width),
        Op::Unary(UnaryOp::Neg) => value(inst.a).wrapping_neg() & narrow_mask(inst.width),
        Op::Unary(op) => semantics::unary(op, inst.from.into(), value(inst.a).into()) as u64,
        Op::Binary(op) => binary(op, inst.from, value(inst.a), value(inst.b)),
        Op::Concat => value(inst.a) << inst.extra | value(inst.b),
        Op::Extract => value(inst.a) >> inst.extra & narrow_mask(inst.width),
        Op::ZExt => value(inst.a),
        Op::SExt => narrow_signed(inst.from, value(inst.a)) as u64 & narrow_mask(inst.width),
        Op::Ite => value(if value(inst.a) == 1 { inst.b } else { inst.c }),
        Op::Lookup => byte_at(&tables[inst.b as usize], value(inst.a)).map_or(0, |byte| u64::from(*byte)),
        Op::Select => {
            byte_at(&shape.tables[inst.b as usize], value(inst.a)).map_or(0, |register| value(*register))
        }
        Op::Convert(op) => {
            semantics::convert(op, inst.from.into(), inst.width.into(), value(inst.a).into()) as u64
        }
        Op::FCmp => compare_floats(inst, value(inst.a), value(inst.b)).into(),
        Op::Fma => {
            let [a, b, c] = [inst.a, inst.b, inst.c].map(|register| u128::from(value(register)));
            semantics::fma(inst.width.into(), a, b, c) as u64
        }
    }
}

fn byte_at<T>(table: &[T], index: u64) -> Option<&T> {
    table.get(usize::try_from(index).ok()?)
}

#[inline(always)]
fn binary(op: BinaryOp, width: u8, a: u64, b: u64) -> u64 {
    let all = narrow_mask(width);
    let signed = |value| narrow_signed(width, value);
    match op {
        BinaryOp::Add => a.wrapping_add(b) & all,
        BinaryOp::Sub => a.wrapping_sub(b) & all,
        BinaryOp::Mul => a.wrapping_mul(b) & all,
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(all),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv if b == 0 => (if signed(a) < 0 { 1 } else { all }) & all,
        BinaryOp::SDiv => signed(a).wrapping_div(signed(b)) as u64 & all,
        BinaryOp::SRem if b == 0 => a,
        BinaryOp::SRem => signed(a).wrapping_rem(signed(b)) as u64 & all,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a << (b % u64::from(width)) & all,
        BinaryOp::LShr => a >> (b % u64::from(width)),
        BinaryOp::AShr => (signed(a) >> (b % u64::from(width))) as u64 & all,
        BinaryOp::Eq => (a == b).into(),
        BinaryOp::Ult => (a < b).into(),
        BinaryOp::Ule => (a <= b).into(),
        BinaryOp::Slt => (signed(a) < signed(b)).into(),
        BinaryOp::Sle => (signed(a) <= signed(b)).into(),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv if width == 64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let result = match op {
                BinaryOp::FAdd => a + b,
                BinaryOp::FSub => a - b,
                BinaryOp::FMul => a * b,
                _ => a / b,
            };
            result.to_bits()
        }
        _ => semantics::binary(op, width.into(), a.into(), b.into()) as u64,
    }
}

fn compare_floats(inst: &Inst, a: u64, b: u64) -> bool {
    let order = match inst.from {
        64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        width => return semantics::fcmp(inst.extra, width.into(), a.into(), b.into()),
    };
    let relation = match order {
        Some(std::cmp::Ordering::Equal) => predicate::EQUAL,
        Some(std::cmp::Ordering::Greater) => predicate::GREATER,
        Some(std::cmp::Ordering::Less) => predicate::LESS,
        None => predicate::UNORDERED,
    };
    inst.extra & relation != 0
}

/// The slow lane.
fn any_width(shape: &Shape, inst: &Inst, tables: &[Box<[u8]>], bytes: &[u8], registers: &Registers) -> u128 {
    let value = |register: u32| registers.get(shape, register);
    let (from, width) = (u16::from(inst.from), u16::from(inst.width));
    match inst.op {
        Op::Const | Op::ZExt => value(inst.a),
        Op::Load => {
            let first = inst.a as usize;
            let mut word = [0; PADDING];
            word.copy_from_slice(&bytes[first..first + PADDING]);
            u128::from_le_bytes(word) & mask(width)
        }
        Op::Unary(op) => semantics::unary(op, from, value(inst.a)),
        Op::Binary(op) => semantics::binary(op, from, value(inst.a), value(inst.b)),
        Op::Concat => semantics::concat(inst.extra.into(), value(inst.a), value(inst.b)),
        Op::Extract => semantics::extract(inst.extra.into(), width, value(inst.a)),
        Op::SExt => semantics::sext(from, width, value(inst.a)),
        Op::Ite => value(if value(inst.a) == 1 { inst.b } else { inst.c }),
        Op::Lookup => {
            let index = u64::try_from(value(inst.a)).unwrap_or(u64::MAX);
            byte_at(&tables[inst.b as usize], index).map_or(0, |byte| u128::from(*byte))
        }
        Op::Select => {
            let index = u64::try_from(value(inst.a)).unwrap_or(u64::MAX);
            byte_at(&shape.tables[inst.b as usize], index).map_or(0, |register| value(*register))
        }
        Op::Convert(op) => semantics::convert(op, from, width, value(inst.a)),
        Op::FCmp => semantics::fcmp(inst.extra, from, value(inst.a), value(inst.b)).into(),
        Op::Fma => semantics::fma(width, value(inst.a), value(inst.b), value(inst.c)),
    }
}
