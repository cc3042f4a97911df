//! Which loads need what they load: an uninitialised value may be copied, but nothing may depend on it.
//!
//! ```text
//! %v = load i32, ptr %p      ; needed: compared before anything can go another way
//! %c = icmp sgt i32 %v, 0
//! %w = load i32, ptr %p      ; not needed: copied
//! store i32 %w, ptr %q
//! ```
//! The size that `tkf_load` is given says so. Not needed are also loads whose value decides something only on some of the
//! ways that lead on, structs that are passed as integers, and the other bits of a bit-field that is written.

use std::collections::HashSet;

use super::{Block, LLVMOpcode, LLVMTypeKind, Layout, Type, Value};
use crate::uninitialised::constant_offset;

/// The loads of a function whose value must have been written.
pub(super) fn needed_loads(layout: Layout, blocks: &[(Block, Vec<Value>)]) -> HashSet<Value> {
    let mut needed = HashSet::new();
    for (block, instructions) in blocks {
        let mut certain = None;
        for &load in instructions.iter().filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMLoad) {
            let certain = certain.get_or_insert_with(|| certainly_reached(*block));
            let pointer = load.operand(0);
            let is_value = is_scalar(load.ty()) && is_whole_member(layout, pointer, load.ty());
            if is_value && !is_rest_of_bit_field(load, pointer) && decides(load, certain, &mut HashSet::new())
            {
                needed.insert(load);
            }
        }
    }
    needed
}

fn is_scalar(ty: Type) -> bool {
    use LLVMTypeKind::*;
    matches!(
        ty.kind(),
        LLVMIntegerTypeKind
            | LLVMFloatTypeKind
            | LLVMDoubleTypeKind
            | LLVMX86_FP80TypeKind
            | LLVMPointerTypeKind
    )
}

/// The block and those that follow whatever happens.
fn certainly_reached(block: Block) -> HashSet<Block> {
    let mut reached = HashSet::from([block]);
    let mut last = block;
    while let [next] = last.successors().as_slice() {
        if !reached.insert(*next) {
            break;
        }
        last = *next;
    }
    reached
}

/// False for a struct that is loaded as an integer, to be passed or returned.
fn is_whole_member(layout: Layout, pointer: Value, ty: Type) -> bool {
    let Some(declared) = declared_type(layout, pointer) else { return true };
    first_member(declared).is_none_or(|member| layout.store_size(member) == layout.store_size(ty))
}

/// What a pointer points to, as far as the program says.
fn declared_type(layout: Layout, pointer: Value) -> Option<Type> {
    if !pointer.is_instruction() {
        return None;
    }
    match pointer.opcode() {
        LLVMOpcode::LLVMAlloca => Some(pointer.allocated_type()),
        LLVMOpcode::LLVMGetElementPtr => {
            constant_offset(layout, pointer)?;
            let mut ty = pointer.gep_source();
            for position in 2..pointer.operand_count() {
                ty = match ty.kind() {
                    LLVMTypeKind::LLVMStructTypeKind => {
                        let index = pointer.operand(position).constant_u64()?;
                        *ty.struct_fields().get(index as usize)?
                    }
                    _ => ty.element(),
                };
            }
            Some(ty)
        }
        _ => None,
    }
}

fn first_member(mut ty: Type) -> Option<Type> {
    loop {
        ty = match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => *ty.struct_fields().first()?,
            LLVMTypeKind::LLVMArrayTypeKind => ty.element(),
            _ => return Some(ty),
        };
    }
}

/// `load, and, or, store` to the same place: the other bits are only kept.
fn is_rest_of_bit_field(load: Value, pointer: Value) -> bool {
    let is_stored = |value: Value| {
        value.users().iter().any(|user| {
            user.opcode() == LLVMOpcode::LLVMStore && user.operand(0) == value && user.operand(1) == pointer
        })
    };
    let masked = load.users().into_iter().filter(|user| user.opcode() == LLVMOpcode::LLVMAnd);
    masked.into_iter().any(|masked| {
        is_stored(masked)
            || masked.users().into_iter().any(|user| user.opcode() == LLVMOpcode::LLVMOr && is_stored(user))
    })
}

/// Whether something depends on the value in one of these blocks.
fn decides(value: Value, certain: &HashSet<Block>, seen: &mut HashSet<Value>) -> bool {
    use LLVMOpcode::*;
    value.users().into_iter().any(|user| {
        if !user.is_instruction() || !certain.contains(&user.block()) || !seen.insert(user) {
            return false;
        }
        match user.opcode() {
            LLVMStore => user.operand(1) == value,
            LLVMSelect => user.operand(0) == value || decides(user, certain, seen),
            LLVMPHI | LLVMFreeze | LLVMBitCast | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt
            | LLVMIntToPtr => decides(user, certain, seen),
            LLVMInsertValue | LLVMInsertElement => false,
            LLVMCall => {
                let callee = user.callee();
                let name = if callee.is_function() { callee.name() } else { String::new() };
                !["tk_", "tkf_", "llvm.dbg", "llvm.lifetime"].iter().any(|prefix| name.starts_with(prefix))
            }
            _ => true,
        }
    })
}
