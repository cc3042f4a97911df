//! Global objects: a constructor-called function makes every variable of the module known to the runtime, and bytes
//! behind each that belong to nobody tell who leaves it.
//!
//! ```text
//! @table = internal global [4 x i32] …
//! ```
//! becomes
//! ```text
//! @table = internal global { [4 x i32], [32 x i8] } …
//! ```
//! and adds to `__tk_register_globals`, which the driver's constructor calls,
//! ```text
//! call void @tk_padded_global(ptr @table, i64 16, i32 0)
//! ```
//! The address of the object and its initial bytes stay what they are. Left as they are: variables of other objects, with
//! a section of their own, of a thread, or of the driver.

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::comdat::LLVMGetComdat;
use inkwell::llvm_sys::core::*;

use super::Pass;
use crate::ir::{Type, Value};

/// The function the driver's constructor calls.
pub(crate) const REGISTER_GLOBALS: &str = "__tk_register_globals";

/// Bytes beside an object that belong to nobody.
pub(super) const EDGE: u64 = 32;

/// What the driver's own variables have in their names.
const OF_DRIVER: &str = "__tk_";

impl Pass<'_> {
    /// Pads the globals and defines the registering function.
    pub(super) fn register_globals(&self) {
        // SAFETY: builds one function of one block in the live module.
        unsafe {
            let ty = Type(LLVMFunctionType(self.types.void.0, std::ptr::null_mut(), 0, 0));
            let name = crate::ir::c_name(REGISTER_GLOBALS);
            let function = match self.module.function(REGISTER_GLOBALS) {
                Some(function) => function,
                None => Value(LLVMAddFunction(self.module.0, name.as_ptr(), ty.0)),
            };
            let block = LLVMAppendBasicBlockInContext(self.context, function.0, c"entry".as_ptr());
            LLVMPositionBuilderAtEnd(self.builder, block);
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            for global in self.module.globals() {
                let is_data = !global.is_declaration() && !global.name().starts_with("llvm.");
                if !is_data || LLVMIsThreadLocal(global.0) != 0 {
                    continue;
                }
                let size = self.u64(self.layout.alloc_size(global.function_type()));
                if can_be_padded(global) {
                    let is_constant = self.u32(LLVMIsGlobalConstant(global.0) as u32);
                    self.hook("tk_padded_global", &[self.padded(global), size, is_constant]);
                } else {
                    self.hook("tk_global_object", &[global, size]);
                }
            }
            LLVMBuildRetVoid(self.builder);
        }
    }

    /// The same variable with an edge behind it, in the place of the old one.
    unsafe fn padded(&self, global: Value) -> Value {
        // SAFETY: `global` is a definition of the live module; the new one takes over all its uses before it goes.
        unsafe {
            let ty = global.function_type();
            let edge = self.types.i8.array(EDGE as u32);
            let mut parts = [ty.0, edge.0];
            let whole = LLVMStructTypeInContext(self.context, parts.as_mut_ptr(), 2, 0);
            let mut values = [LLVMGetInitializer(global.0), edge.null().0];
            let name = global.name();
            global.set_name("");
            let new = LLVMAddGlobal(self.module.0, whole, crate::ir::c_name(&name).as_ptr());
            LLVMSetInitializer(new, LLVMConstStructInContext(self.context, values.as_mut_ptr(), 2, 0));
            LLVMSetLinkage(new, LLVMGetLinkage(global.0));
            LLVMSetGlobalConstant(new, LLVMIsGlobalConstant(global.0));
            LLVMSetAlignment(new, global.alignment().max(self.layout.alignment(ty)) as u32);
            copy_metadata(global, new);
            LLVMReplaceAllUsesWith(global.0, new);
            LLVMDeleteGlobal(global.0);
            Value(new)
        }
    }
}

/// Whether nothing but this module decides how large the variable is and where it lies.
unsafe fn can_be_padded(global: Value) -> bool {
    // SAFETY: `global` is a definition of the live module.
    unsafe {
        let is_own = matches!(
            LLVMGetLinkage(global.0),
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
        );
        let section = LLVMGetSection(global.0);
        let has_section = !section.is_null() && *section != 0;
        is_own
            && !has_section
            && LLVMGetComdat(global.0).is_null()
            && LLVMIsExternallyInitialized(global.0) == 0
            && !global.name().contains(OF_DRIVER)
    }
}

/// Debug information goes with the variable.
unsafe fn copy_metadata(from: Value, to: *mut inkwell::llvm_sys::LLVMValue) {
    // SAFETY: both are globals of the live module; the list is freed here.
    unsafe {
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(from.0, &mut count);
        for index in 0..count as u32 {
            let kind = LLVMValueMetadataEntriesGetKind(entries, index);
            LLVMGlobalSetMetadata(to, kind, LLVMValueMetadataEntriesGetMetadata(entries, index));
        }
        LLVMDisposeValueMetadataEntries(entries);
    }
}
