//! Evaluates the little IR between a probe and the branch it decides.
//!
//! Takes what is known (the probe's result, and one-bit phis passed on the way), gives the ways a terminator can go.
//! What is not computed from those is unknown, and then every way is possible.

use std::collections::BTreeMap;

use crate::ir::{Block, LLVMIntPredicate, LLVMOpcode, Value};

/// A value in the table of what is known. Ordered by address: the table is compared and searched, never listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Key(usize);

impl From<Value> for Key {
    fn from(value: Value) -> Key {
        Key(value.0 as usize)
    }
}

/// How deep an expression is followed.
const DEPTH: u32 = 16;

/// The blocks a terminator can go to.
pub(crate) fn successors(terminator: Value, known: &BTreeMap<Key, u64>) -> Vec<Block> {
    let all = terminator.successors();
    let chosen = match terminator.opcode() {
        LLVMOpcode::LLVMBr if terminator.is_conditional() => {
            value(terminator.operand(0), known, DEPTH).map(|condition| all[usize::from(condition == 0)])
        }
        LLVMOpcode::LLVMSwitch => value(terminator.operand(0), known, DEPTH).map(|number| {
            let cases = terminator.switch_cases();
            cases
                .iter()
                .find(|(case, _)| case.constant_u64() == Some(number))
                .map_or(all[0], |(_, block)| *block)
        }),
        _ => None,
    };
    match chosen {
        Some(block) => vec![block],
        None => {
            let mut unique = Vec::new();
            for block in all {
                if !unique.contains(&block) {
                    unique.push(block);
                }
            }
            unique
        }
    }
}

/// Notes the one-bit phis of `block` when it is entered from `from`. Only those: they carry `&&` and `||`, and wider
/// ones could count a loop without end.
pub(crate) fn enter(block: Block, from: Block, known: &mut BTreeMap<Key, u64>) {
    let phis: Vec<Value> =
        block.instructions().into_iter().take_while(|item| item.opcode() == LLVMOpcode::LLVMPHI).collect();
    let values: Vec<Option<u64>> = phis
        .iter()
        .map(|phi| {
            let (incoming, _) = phi.incoming().into_iter().find(|(_, block)| *block == from)?;
            (phi.ty().int_bits() == Some(1)).then(|| value(incoming, known, DEPTH)).flatten()
        })
        .collect();
    for (phi, value) in phis.into_iter().zip(values) {
        match value {
            Some(value) => known.insert(phi.into(), value),
            None => known.remove(&phi.into()),
        };
    }
}

fn value(of: Value, known: &BTreeMap<Key, u64>, depth: u32) -> Option<u64> {
    use LLVMOpcode::*;
    if let Some(value) = known.get(&of.into()) {
        return Some(mask(*value, of.ty().int_bits()?));
    }
    if let Some(constant) = of.constant_u64() {
        return Some(constant);
    }
    if depth == 0 || !of.is_instruction() {
        return None;
    }
    let operand = |index: u32| value(of.operand(index), known, depth - 1);
    let width = of.operand(0).ty().int_bits();
    let result = match of.opcode() {
        LLVMZExt | LLVMTrunc | LLVMFreeze => operand(0)?,
        LLVMSExt => sign_extended(operand(0)?, width?) as u64,
        LLVMAdd => operand(0)?.wrapping_add(operand(1)?),
        LLVMSub => operand(0)?.wrapping_sub(operand(1)?),
        LLVMXor => operand(0)? ^ operand(1)?,
        LLVMCall if is_decision(of) => operand(1)?,
        LLVMICmp => u64::from(compare(of.int_predicate(), operand(0)?, operand(1)?, width?)),
        _ => return None,
    };
    Some(mask(result, of.ty().int_bits()?))
}

/// A probe that hands the result of a whole decision on.
pub(crate) fn is_decision(call: Value) -> bool {
    call.opcode() == LLVMOpcode::LLVMCall
        && call.callee().is_function()
        && call.callee().name() == "__tk_decision"
}

fn mask(value: u64, bits: u32) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

fn sign_extended(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    ((value << shift) as i64) >> shift
}

fn compare(predicate: LLVMIntPredicate, a: u64, b: u64, bits: u32) -> bool {
    use LLVMIntPredicate::*;
    let (sa, sb) = (sign_extended(a, bits), sign_extended(b, bits));
    match predicate {
        LLVMIntEQ => a == b,
        LLVMIntNE => a != b,
        LLVMIntUGT => a > b,
        LLVMIntUGE => a >= b,
        LLVMIntULT => a < b,
        LLVMIntULE => a <= b,
        LLVMIntSGT => sa > sb,
        LLVMIntSGE => sa >= sb,
        LLVMIntSLT => sa < sb,
        LLVMIntSLE => sa <= sb,
    }
}
