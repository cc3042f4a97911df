//! Global objects: a constructor-called function makes every variable of the module known to the runtime.
//!
//! ```text
//! @table = global [4 x i32] …
//! ```
//! adds to `__tk_register_globals`, which the driver's constructor calls,
//! ```text
//! call void @tk_global_object(ptr @table, i64 16)
//! ```

use inkwell::llvm_sys::core::*;

use super::Pass;
use crate::ir::{Type, Value};

/// The function the driver's constructor calls.
pub(crate) const REGISTER_GLOBALS: &str = "__tk_register_globals";

impl Pass<'_> {
    /// Defines the registering function.
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
                if is_data && LLVMIsThreadLocal(global.0) == 0 {
                    let size = self.layout.alloc_size(global.function_type());
                    self.hook("tk_global_object", &[global, self.u64(size)]);
                }
            }
            LLVMBuildRetVoid(self.builder);
        }
    }
}
