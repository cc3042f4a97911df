//! Local variables that may be read before they are written.
//!
//! Takes the module as clang made it, where every local variable is still in memory; adds, at the entry of each function of
//! the user, `tk_fresh_object(variable, size)` for those variables of which some byte may be read, copied or handed to
//! others before it was written. Such a variable stays in memory, where the runtime knows which bytes are uninitialised; all
//! others become registers, as before.
//!
//! ```text
//! %x = alloca i32                      %x = alloca i32
//! br i1 %c, label %a, label %b         call void @tk_fresh_object(ptr %x, i64 4)
//! a: store i32 1, ptr %x               …
//! b: %v = load i32, ptr %x
//! ```
//! The result of a function that may fall off its end is such a variable in any case, but reading it is no fault: the
//! function then has no result.
//!
//! Never: variables of variable or large size, and those that `va_start` fills.

use std::collections::{BTreeSet, HashMap};

use inkwell::llvm_sys::core::*;

use crate::ir::{Block, LLVMOpcode, LLVMTypeKind, Layout, ModuleRef, Type, Value, c_name};
use crate::pass::{ON_START, is_runtime_name};

/// Larger variables are left alone: marking them would cost each call more than it finds.
const MOST_BYTES: u64 = 256;

/// The hook that marks a variable.
const FRESH_OBJECT: &str = "tk_fresh_object";
/// The hook that stands before a result is read.
const WITHOUT_RESULT: &str = "tk_without_result";
/// The hook that stands after a call whose result is used.
const USED_RESULT: &str = "tk_used_result";
/// Tells the runtime that there are such variables.
const LOOK_FOR_UNINITIALISED: &str = "tk_look_for_uninitialised";

/// Marks the variables of the user's functions.
pub(crate) fn mark(module: ModuleRef, user_functions: &BTreeSet<String>) {
    if module.functions().into_iter().any(is_called_in_secret) {
        return;
    }
    let Some(start) = module.function(ON_START).and_then(|start| start.blocks().first().copied()) else {
        return;
    };
    call(module, start.first_after_phis(), LOOK_FOR_UNINITIALISED, &[]);
    let layout = module.layout();
    for function in module.functions() {
        if function.is_declaration() || !user_functions.contains(&function.name()) {
            continue;
        }
        let blocks = function.reverse_post_order();
        let Some(entry) = blocks.first() else { continue };
        let in_entry = entry.instructions();
        let is_alloca = |value: &Value| value.opcode() == LLVMOpcode::LLVMAlloca;
        let marked: Vec<(Value, u64)> = in_entry
            .iter()
            .copied()
            .filter(is_alloca)
            .filter_map(|variable| {
                let size = layout.alloc_size(variable.allocated_type());
                let is_one = variable.operand(0).constant_u64() == Some(1);
                let is_small = (1..=MOST_BYTES).contains(&size);
                (is_one && is_small && may_be_read_uninitialised(layout, variable, size, &blocks))
                    .then_some((variable, size))
            })
            .collect();
        let Some(first) = in_entry.into_iter().find(|value| !is_alloca(value)) else { continue };
        for (variable, size) in marked {
            // SAFETY: a constant of the live context.
            let size = unsafe {
                Value(LLVMConstInt(LLVMIntTypeInContext(LLVMGetModuleContext(module.0), 64), size, 0))
            };
            call(module, first, FRESH_OBJECT, &[variable, size]);
        }
    }
}

/// Lets functions that fall off their end do so without a result: C asks for one only where a caller uses it. What is
/// returned is kept in the first variable of a function, unless one `return` at its end gives it.
pub(crate) fn mark_results(
    module: ModuleRef,
    user_functions: &BTreeSet<String>,
    may_fall_off: &BTreeSet<&str>,
) {
    let layout = module.layout();
    for function in module.functions() {
        if function.is_declaration() || !may_fall_off.contains(function.name().as_str()) {
            continue;
        }
        let blocks = function.blocks();
        let Some(entry) = blocks.first().map(|entry| entry.instructions()) else { continue };
        let Some(&result) = entry.first().filter(|first| first.opcode() == LLVMOpcode::LLVMAlloca) else {
            continue;
        };
        let is_load = |user: &Value| user.is_instruction() && user.opcode() == LLVMOpcode::LLVMLoad;
        let loads: Vec<Value> = result.users().into_iter().filter(is_load).collect();
        if loads.is_empty() || !loads.iter().copied().all(is_returned) {
            continue;
        }
        let Some(&first) = entry.iter().find(|value| value.opcode() != LLVMOpcode::LLVMAlloca) else {
            continue;
        };
        let bytes = layout.alloc_size(result.allocated_type());
        // SAFETY: a constant of the live context.
        let size = unsafe {
            Value(LLVMConstInt(LLVMIntTypeInContext(LLVMGetModuleContext(module.0), 64), bytes, 0))
        };
        call(module, first, FRESH_OBJECT, &[result, size]);
        for load in loads {
            call(module, load, WITHOUT_RESULT, &[result, size, function]);
        }
        let callers = module.functions().into_iter().filter(|caller| user_functions.contains(&caller.name()));
        let uses_result = |item: &Value| {
            item.opcode() == LLVMOpcode::LLVMCall && item.callee() == function && !item.users().is_empty()
        };
        let items = callers.flat_map(|caller| caller.blocks()).flat_map(Block::instructions);
        for next in items.filter(uses_result).filter_map(Value::next).collect::<Vec<_>>() {
            call(module, next, USED_RESULT, &[function]);
        }
    }
}

/// Whether a value is returned and nothing else.
fn is_returned(value: Value) -> bool {
    let users = value.users();
    !users.is_empty()
        && users.into_iter().all(|user| {
            user.is_instruction()
                && match user.opcode() {
                    LLVMOpcode::LLVMRet => true,
                    LLVMOpcode::LLVMTrunc | LLVMOpcode::LLVMZExt => is_returned(user),
                    _ => false,
                }
        })
}

/// Whether code without hooks can be called through a pointer: nobody would know what it writes.
fn is_called_in_secret(function: Value) -> bool {
    let name = function.name();
    let is_foreign = function.is_declaration()
        && !function.is_intrinsic()
        && !is_runtime_name(&name)
        && !name.starts_with("__tk_");
    let is_plain_call = |user: &Value| {
        user.is_instruction()
            && user.opcode() == LLVMOpcode::LLVMCall
            && user.callee() == function
            && !user.arguments().contains(&function)
    };
    is_foreign && !function.users().iter().all(is_plain_call)
}

/// Adds a call of the runtime.
pub(crate) fn call(module: ModuleRef, before: Value, name: &str, arguments: &[Value]) {
    // SAFETY: builds a call inside a function of the live module; the builder is disposed of here.
    unsafe {
        let context = LLVMGetModuleContext(module.0);
        let mut parameters: Vec<_> = arguments.iter().map(|argument| argument.ty().0).collect();
        let mut arguments: Vec<_> = arguments.iter().map(|argument| argument.0).collect();
        let count = arguments.len() as u32;
        let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters.as_mut_ptr(), count, 0);
        let hook = match module.function(name) {
            Some(hook) => hook.0,
            None => LLVMAddFunction(module.0, c_name(name).as_ptr(), ty),
        };
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderBefore(builder, before.0);
        // A call in a function with debug information must have a place.
        let place = before.debug_location().unwrap_or(std::ptr::null_mut());
        LLVMSetCurrentDebugLocation2(builder, place);
        LLVMBuildCall2(builder, ty, hook, arguments.as_mut_ptr(), count, c"".as_ptr());
        LLVMDisposeBuilder(builder);
    }
}

/// Which of a variable's bytes are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bytes([u64; 4]);

impl Bytes {
    const NONE: Bytes = Bytes([0; 4]);
    const ALL: Bytes = Bytes([u64::MAX; 4]);

    fn range(from: u64, size: u64) -> Bytes {
        let mut bytes = Bytes::NONE;
        for byte in from..from.saturating_add(size).min(MOST_BYTES) {
            bytes.0[(byte / 64) as usize] |= 1 << (byte % 64);
        }
        bytes
    }

    fn with(mut self, other: Bytes) -> Bytes {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
        self
    }

    fn common(mut self, other: Bytes) -> Bytes {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= other);
        self
    }

    fn has(self, other: Bytes) -> bool {
        self.common(other) == other
    }
}

/// What an instruction does to the variable.
#[derive(Clone, Copy)]
enum Effect {
    Writes(Bytes),
    /// Reads them, or gives others the means to.
    Needs(Bytes),
}

/// True if on some way some byte is read, copied or handed out before it was written. Bytes between members count as
/// written: nobody means them.
fn may_be_read_uninitialised(layout: Layout, variable: Value, size: u64, blocks: &[Block]) -> bool {
    let Some(effects) = effects(layout, variable, size) else { return false };
    let mut between = Bytes::ALL;
    members(layout, variable.allocated_type(), 0, &mut |from, size| {
        let member = Bytes::range(from, size);
        between.0.iter_mut().zip(member.0).for_each(|(own, member)| *own &= !member);
    });
    let start = between.common(Bytes::range(0, size));
    let mut before: HashMap<Block, Bytes> = HashMap::new();
    if let Some(&entry) = blocks.first() {
        before.insert(entry, start);
    }
    // Each round can only take bytes away.
    let mut changed = true;
    while changed {
        changed = false;
        for block in blocks {
            let Some(&written) = before.get(block) else { continue };
            let Some(after) = through(*block, written, &effects) else { return true };
            for successor in block.successors() {
                let known = before.get(&successor).copied();
                let joined = known.map_or(after, |known| known.common(after));
                if known != Some(joined) {
                    before.insert(successor, joined);
                    changed = true;
                }
            }
        }
    }
    false
}

/// The bytes written after a block; `None` if it needs one that may be uninitialised.
fn through(block: Block, mut written: Bytes, effects: &HashMap<Value, Vec<Effect>>) -> Option<Bytes> {
    for instruction in block.instructions() {
        for effect in effects.get(&instruction).into_iter().flatten() {
            match *effect {
                Effect::Needs(bytes) if !written.has(bytes) => return None,
                Effect::Needs(_) => {}
                Effect::Writes(bytes) => written = written.with(bytes),
            }
        }
    }
    Some(written)
}

/// What the instructions of a function do to a variable; `None` if it is not for us to judge.
fn effects(layout: Layout, variable: Value, size: u64) -> Option<HashMap<Value, Vec<Effect>>> {
    use LLVMOpcode::*;
    let all = Bytes::range(0, size);
    let mut effects: HashMap<Value, Vec<Effect>> = HashMap::new();
    // Pointers into the variable, with their offset where it is known.
    let mut pointers = vec![(variable, Some(0_u64))];
    while let Some((pointer, offset)) = pointers.pop() {
        let bytes = |size: u64| offset.map(|offset| Bytes::range(offset, size));
        for user in pointer.users() {
            if !user.is_instruction() {
                continue;
            }
            let effect = match user.opcode() {
                LLVMLoad => Effect::Needs(bytes(layout.store_size(user.ty())).unwrap_or(all)),
                LLVMStore if user.operand(0) == pointer => Effect::Needs(all),
                LLVMStore => match bytes(layout.store_size(user.operand(0).ty())) {
                    Some(bytes) => Effect::Writes(bytes),
                    None => continue,
                },
                LLVMGetElementPtr => {
                    let moved = offset.zip(constant_offset(layout, user)).map(|(a, b)| a.wrapping_add(b));
                    pointers.push((user, moved.filter(|moved| *moved < size)));
                    continue;
                }
                LLVMICmp => continue,
                LLVMCall => match call_effect(user, pointer, offset) {
                    Some(CallEffect::Nothing) => continue,
                    Some(CallEffect::Writes(bytes)) => Effect::Writes(bytes),
                    Some(CallEffect::Needs) => Effect::Needs(all),
                    None => return None,
                },
                _ => Effect::Needs(all),
            };
            effects.entry(user).or_default().push(effect);
        }
    }
    Some(effects)
}

enum CallEffect {
    Nothing,
    Writes(Bytes),
    Needs,
}

/// What a call does with a pointer it is given; `None` for `va_start` and its like.
fn call_effect(call: Value, pointer: Value, offset: Option<u64>) -> Option<CallEffect> {
    let callee = call.callee();
    let name = if callee.is_function() { callee.name() } else { String::new() };
    if name.starts_with("llvm.va_") {
        return None;
    }
    if name.starts_with("llvm.lifetime") || name.starts_with("llvm.dbg") {
        return Some(CallEffect::Nothing);
    }
    let is_block = ["llvm.memcpy", "llvm.memmove", "llvm.memset"].iter().any(|stem| name.starts_with(stem));
    if is_block && call.operand(0) == pointer && call.operand(1) != pointer {
        let length = call.operand(2).constant_u64();
        return Some(match offset.zip(length) {
            Some((offset, length)) => CallEffect::Writes(Bytes::range(offset, length)),
            None => CallEffect::Nothing,
        });
    }
    Some(CallEffect::Needs)
}

/// The distance a `getelementptr` moves by, if it is constant.
pub(crate) fn constant_offset(layout: Layout, gep: Value) -> Option<u64> {
    let mut ty = gep.gep_source();
    let mut sum = 0_u64;
    for position in 1..gep.operand_count() {
        let index = gep.operand(position).constant_u64()?;
        let step = match ty.kind() {
            _ if position == 1 => layout.alloc_size(ty),
            LLVMTypeKind::LLVMStructTypeKind => {
                sum = sum.wrapping_add(layout.field_offset(ty, index as u32));
                ty = *ty.struct_fields().get(index as usize)?;
                continue;
            }
            _ => {
                ty = ty.element();
                layout.alloc_size(ty)
            }
        };
        sum = sum.wrapping_add(index.wrapping_mul(step));
    }
    Some(sum)
}

/// Every scalar of a type with its offset and size.
fn members(layout: Layout, ty: Type, at: u64, visit: &mut dyn FnMut(u64, u64)) {
    match ty.kind() {
        LLVMTypeKind::LLVMStructTypeKind => {
            for (index, field) in ty.struct_fields().into_iter().enumerate() {
                members(layout, field, at + layout.field_offset(ty, index as u32), visit);
            }
        }
        LLVMTypeKind::LLVMArrayTypeKind => {
            let step = layout.alloc_size(ty.element());
            for index in 0..ty.array_length().min(MOST_BYTES) {
                members(layout, ty.element(), at + index * step, visit);
            }
        }
        _ => visit(at, layout.store_size(ty)),
    }
}
