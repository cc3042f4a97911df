//! Pointers on their way into the C library: streams and folders of the input, and what must not be null.
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
//! Other parameters that the library says must not be null, and all of them where a stub stands for the function, have the check
//! alone: a stub looks at nothing, and the kernel refuses a null path without a word. Such a run goes on. A
//! variable that the calling function compares with null may be null.
//! Checks are the labelled program's alone. Never: functions of the user, or with a model, which looks for itself.

use std::collections::BTreeSet;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use tarka_source::{DeclaredFunction, LibraryHandle, SourceModel};

use crate::checks;
use crate::ir::{LLVMIntPredicate, LLVMOpcode, ModuleRef, Value, c_name};

/// Functions that can do with a null pointer.
const TAKE_NULL: &[&str] = &["fflush", "fflush_unlocked", "closedir"];

/// Lets the runtime put real handles into calls; with `checked`, null is a fault of the user's functions.
pub(crate) fn give(module: ModuleRef, model: &SourceModel, checked: bool) {
    let users: BTreeSet<&str> = model.functions.iter().map(|function| function.name.as_str()).collect();
    let library = model.declared_functions.iter().filter(|function| function.in_system_header);
    for declared in library.filter(|function| !users.contains(function.name.as_str())) {
        let Some(function) = module.function(&declared.name) else { continue };
        let handles = if function.is_declaration() { handles(model, declared) } else { Vec::new() };
        let is_exchanged = |position: u32| handles.iter().any(|(handle, _)| *handle == position);
        let takes_null = TAKE_NULL.contains(&declared.name.as_str());
        let mut needed = if checked && !takes_null { needed(declared) } else { Vec::new() };
        needed.retain(|&position| !is_exchanged(position));
        if handles.is_empty() && needed.is_empty() {
            continue;
        }
        let callers = module.functions().into_iter().filter(|caller| users.contains(caller.name().as_str()));
        for caller in callers.filter(|caller| !caller.is_declaration()) {
            let items = caller.blocks().into_iter().flat_map(|block| block.instructions());
            let is_call = |item: &Value| item.opcode() == LLVMOpcode::LLVMCall && item.callee() == function;
            for call in items.filter(is_call).collect::<Vec<_>>() {
                for &position in needed.iter().filter(|&&position| !is_asked(caller, call.operand(position)))
                {
                    check(module, call, position);
                }
                for &(position, handle) in &handles {
                    exchange(module, caller, (call, position), handle, checked && !takes_null);
                }
            }
        }
    }
}

/// The parameters that are streams and folders.
fn handles(model: &SourceModel, declared: &DeclaredFunction) -> Vec<(u32, LibraryHandle)> {
    let handles = declared.params.iter().enumerate().filter_map(|(position, param)| {
        let handle = model.types.handle(model.types.pointee(param.ty)?)?;
        Some((position as u32, handle))
    });
    handles.collect()
}

/// The parameters that must not be null, by the declaration or by what is known of the function.
fn needed(declared: &DeclaredFunction) -> Vec<u32> {
    if tarka_library::replacement(&declared.name).is_some() {
        return Vec::new();
    }
    let known = tarka_library::find(&declared.name).map_or(&[][..], |entry| entry.needs.get());
    let params = (0..).zip(&declared.params);
    let needed = params.filter(|(position, param)| param.non_null || known.contains(position));
    needed.map(|(position, _)| position).collect()
}

/// Whether a function compares the variable that an argument comes from with null: then null is a case it has.
fn is_asked(caller: Value, argument: Value) -> bool {
    let variable = |value: Value| {
        let is_load = value.is_instruction() && value.opcode() == LLVMOpcode::LLVMLoad;
        is_load.then(|| value.operand(0))
    };
    let Some(handed) = variable(argument) else { return false };
    let items = caller.blocks().into_iter().flat_map(|block| block.instructions());
    items
        .filter(|item| item.opcode() == LLVMOpcode::LLVMICmp)
        .any(|compare| compare.operand(1).is_null() && variable(compare.operand(0)) == Some(handed))
}

/// The check of one argument of one call that stays as it is. What is null in the text is no question of inputs.
fn check(module: ModuleRef, call: Value, position: u32) {
    let argument = call.operand(position);
    if argument.is_null() {
        return;
    }
    // SAFETY: handles come from the live module, and everything is built before an instruction of it; the builder is
    // disposed of here.
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module.0));
        LLVMPositionBuilderBefore(builder, call.0);
        LLVMSetCurrentDebugLocation2(builder, call.debug_location().unwrap_or(std::ptr::null_mut()));
        let null = LLVMConstNull(argument.ty().0);
        let given = LLVMBuildICmp(builder, LLVMIntPredicate::LLVMIntNE, argument.0, null, c"".as_ptr());
        checks::check_given(module, builder, Value(given));
        LLVMDisposeBuilder(builder);
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
