//! Calls that copy text, announced before the clean-up takes away how their destination was written.
//!
//! Takes the module with the library models in it; gives the same module in which each function of the user has, before
//! ```text
//! %r = call ptr @tkm_strcpy(ptr %to, ptr %from)
//! ```
//! the call
//! ```text
//! call void @__tk_copies(ptr %to, i64 ROOM)
//! ```
//! `ROOM` is what lies between the destination and the end of the record whose member it is, 0 if it is none: a record of
//! the input may be one of many, so the end of its object says nothing about the copy. Never: labels and hooks (see
//! `pass::copies`).

use std::collections::BTreeSet;

use inkwell::llvm_sys::core::{LLVMConstInt, LLVMGetModuleContext, LLVMIntTypeInContext};

use crate::ir::{LLVMOpcode, LLVMTypeKind, Layout, ModuleRef, Value};
use crate::uninitialised::call;

/// What an announcement is called until the pass gives it a site.
pub(crate) const COPIES: &str = "__tk_copies";

/// The models that copy text to their first argument or make some, and functions that read some there.
const COPYING: &[&str] = &[
    "fgets",
    "fgets_unlocked",
    "gets",
    "tkm_snprintf",
    "tkm_sprintf",
    "tkm_sscanf",
    "tkm_stpcpy",
    "tkm_strcat",
    "tkm_strcpy",
    "tkm_strncat",
    "tkm_strncpy",
    "tkm_vsnprintf",
    "tkm_vsprintf",
    "tkm_vsscanf",
];

/// Announces every copy of text.
pub(crate) fn announce(module: ModuleRef, user_functions: &BTreeSet<String>) {
    let is_copy = |at: &Value| {
        at.opcode() == LLVMOpcode::LLVMCall
            && at.callee().is_function()
            && COPYING.contains(&at.callee().name().as_str())
    };
    for function in module.functions() {
        if function.is_declaration() || !user_functions.contains(&function.name()) {
            continue;
        }
        let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
        for copy in instructions.filter(is_copy).collect::<Vec<Value>>() {
            let Some(&to) = copy.arguments().first() else { continue };
            let room = room_in_record(module.layout(), to).unwrap_or(0);
            // SAFETY: a constant of the live context.
            let room = unsafe {
                Value(LLVMConstInt(LLVMIntTypeInContext(LLVMGetModuleContext(module.0), 64), room, 0))
            };
            call(module, copy, COPIES, &[to, room]);
        }
    }
}

/// Bytes from a member to the end of its record. The last member does not count: records are often allocated with more
/// behind it.
fn room_in_record(layout: Layout, to: Value) -> Option<u64> {
    let element = constant_step(to, LLVMTypeKind::LLVMArrayTypeKind)?;
    let member = constant_step(to.operand(0), LLVMTypeKind::LLVMStructTypeKind)?;
    let record = to.operand(0).gep_source();
    if member + 1 >= record.struct_fields().len() as u64 {
        return None;
    }
    let start = layout.field_offset(record, member as u32);
    let inside = element * layout.alloc_size(to.gep_source().element());
    layout.alloc_size(record).checked_sub(start + inside)
}

/// The index in `getelementptr TYPE, ptr %p, 0, INDEX`, for a type of this kind.
fn constant_step(address: Value, kind: LLVMTypeKind) -> Option<u64> {
    let is_step = address.is_instruction()
        && address.opcode() == LLVMOpcode::LLVMGetElementPtr
        && address.gep_source().kind() == kind
        && address.operand_count() == 3
        && address.operand(1).is_null();
    is_step.then(|| address.operand(2).constant_u64())?
}
