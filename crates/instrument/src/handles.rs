//! Streams and folders of the input on their way into the C library.
//!
//! Takes the module as clang made it; before each call of a library function that takes a `FILE *` or a `DIR *`, the
//! runtime may put the real handle in the place of the object that stands for it:
//!
//! ```text
//! call void @__tk_check(i32 NUMBER, i1 %is_not_null)
//! store ptr %f, ptr %slot
//! call void @tk_stream(ptr %slot)
//! %real = load ptr, ptr %slot
//! %n = call i32 @fputc(i32 %c, ptr %real)
//! ```
//! The check is the labelled program's alone. Never: functions of the user, or that a stub stands for.

use std::collections::BTreeSet;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use tarka_source::{LibraryHandle, SourceModel};

use crate::checks;
use crate::ir::{LLVMIntPredicate, LLVMOpcode, ModuleRef, Value, c_name};

/// Functions that can do with a null pointer.
const TAKE_NULL: &[&str] = &["fflush", "fflush_unlocked", "closedir"];

/// Lets the runtime put real handles into calls; with `checked`, null is a fault of the user's functions.
pub(crate) fn give(module: ModuleRef, model: &SourceModel, checked: bool) {
    let users: BTreeSet<&str> = model.functions.iter().map(|function| function.name.as_str()).collect();
    let library = model.declared_functions.iter().filter(|function| function.in_system_header);
    for declared in library {
        let Some(function) = module.function(&declared.name).filter(|function| function.is_declaration())
        else {
            continue;
        };
        let handles = declared.params.iter().enumerate().filter_map(|(position, param)| {
            let handle = model.types.handle(model.types.pointee(param.ty)?)?;
            Some((position as u32, handle))
        });
        let handles: Vec<(u32, LibraryHandle)> = handles.collect();
        if handles.is_empty() {
            continue;
        }
        let takes_null = TAKE_NULL.contains(&declared.name.as_str());
        let callers = module.functions().into_iter().filter(|caller| users.contains(caller.name().as_str()));
        for caller in callers.filter(|caller| !caller.is_declaration()) {
            let items = caller.blocks().into_iter().flat_map(|block| block.instructions());
            let is_call = |item: &Value| item.opcode() == LLVMOpcode::LLVMCall && item.callee() == function;
            for call in items.filter(is_call).collect::<Vec<_>>() {
                for &(position, handle) in &handles {
                    exchange(module, caller, (call, position), handle, checked && !takes_null);
                }
            }
        }
    }
}

/// One argument of one call.
fn exchange(
    module: ModuleRef,
    caller: Value,
    (call, position): (Value, u32),
    handle: LibraryHandle,
    checked: bool,
) {
    let hook = match handle {
        LibraryHandle::Stream => "tk_stream",
        LibraryHandle::Folder => "tk_folder",
    };
    let argument = call.operand(position);
    let Some(first) = caller.blocks().first().and_then(|entry| entry.instructions().first().copied()) else {
        return;
    };
    // SAFETY: handles come from the live module, and everything is built before an instruction of it; the builder is
    // disposed of here.
    unsafe {
        let context = LLVMGetModuleContext(module.0);
        let builder = LLVMCreateBuilderInContext(context);
        let pointer = argument.ty().0;
        LLVMPositionBuilderBefore(builder, first.0);
        let slot = LLVMBuildAlloca(builder, pointer, c"".as_ptr());
        LLVMPositionBuilderBefore(builder, call.0);
        LLVMSetCurrentDebugLocation2(builder, call.debug_location().unwrap_or(std::ptr::null_mut()));
        if checked {
            let null = LLVMConstNull(pointer);
            let given = LLVMBuildICmp(builder, LLVMIntPredicate::LLVMIntNE, argument.0, null, c"".as_ptr());
            checks::check_handle(module, builder, Value(given));
        }
        LLVMBuildStore(builder, argument.0, slot);
        let mut parameters = [pointer];
        let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters.as_mut_ptr(), 1, 0);
        let function: LLVMValueRef = match module.function(hook) {
            Some(function) => function.0,
            None => LLVMAddFunction(module.0, c_name(hook).as_ptr(), ty),
        };
        LLVMBuildCall2(builder, ty, function, [slot].as_mut_ptr(), 1, c"".as_ptr());
        let real = LLVMBuildLoad2(builder, pointer, slot, c"".as_ptr());
        LLVMSetOperand(call.0, position, real);
        LLVMDisposeBuilder(builder);
    }
}
