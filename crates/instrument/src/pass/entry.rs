//! Function entry and exit.
//!
//! ```text
//! define i32 @f(i32 %x) {
//!   %buffer = alloca [8 x i8]
//!   …
//!   ret i32 %r
//! }
//! ```
//! becomes
//! ```text
//! define i32 @f(i32 %x) {
//!   %valid = call i32 @tkf_enter(ptr @f)
//!   %x.label = call i32 @tkf_get_argument(i32 %valid, i32 0)
//!   %depth = call i32 @tkf_stack_depth()
//!   %room = alloca [72 x i8], align 16
//!   %buffer = getelementptr i8, ptr %room, i64 32
//!   call void @tk_local_object(ptr %buffer, i64 8)
//!   …
//!   call void @tkf_set_result(i32 0, i32 %r.label)
//!   call void @tkf_return(i32 %valid)
//!   call void @tkf_stack_restore(i32 %depth)
//!   ret i32 %r
//! }
//! ```
//! A struct passed by value on the stack (`byval`) is another address here than in the caller: the caller leaves the
//! shadow of its copy in a side buffer and the callee takes it from there.

use super::shape::leaf_count;
use super::{Block, Body, LLVMOpcode, Type, Value};

/// What a function learnt at its entry.
#[derive(Default)]
pub(super) struct Entry {
    /// 1 if the caller passed labels.
    pub(super) valid: Option<Value>,
    /// Depth of the object stack to go back to.
    depth: Option<Value>,
}

/// Most argument labels a call can carry; the runtime's array has this many.
pub(super) const MOST_ARGUMENTS: u32 = 256;
/// Most result labels.
pub(super) const MOST_RESULTS: u32 = 64;

/// Places in the side buffer of by-value structs: the offset of each, in argument order.
#[derive(Default)]
pub(super) struct ByValue {
    used: u64,
}

impl ByValue {
    /// The offset of the next by-value struct of this size.
    pub(super) fn next(&mut self, size: u64) -> u64 {
        let offset = self.used;
        self.used += size;
        offset
    }
}

impl Body<'_, '_> {
    pub(super) fn enter(&mut self, blocks: &[(Block, Vec<Value>)]) {
        let Some(&first) = blocks.first().and_then(|(_, instructions)| instructions.first()) else { return };
        self.before(first);
        let params = self.function.params();
        let by_value: Vec<Option<Type>> =
            (0..params.len() as u32).map(|index| self.function.param_byval(index)).collect();
        // Also without labels to take: a function that native code calls must be told from one that we call.
        self.entry.valid = Some(self.pass.hook("tkf_enter", &[self.function]));
        let has_objects = by_value.iter().any(Option::is_some)
            || blocks.iter().flat_map(|(_, list)| list).any(|item| item.opcode() == LLVMOpcode::LLVMAlloca);
        if has_objects {
            self.entry.depth = Some(self.pass.hook("tkf_stack_depth", &[]));
        }
        let mut slot = 0;
        let mut buffer = ByValue::default();
        for (param, by_value) in params.into_iter().zip(by_value) {
            match by_value {
                Some(ty) => self.receive_by_value(param, ty, &mut buffer),
                None => {
                    let labels = (0..leaf_count(param.ty())).map(|_| self.receive(&mut slot)).collect();
                    self.set_labels(param, labels);
                }
            }
        }
    }

    fn receive(&self, slot: &mut u32) -> Value {
        let pass = &*self.pass;
        let index = *slot;
        *slot += 1;
        match self.entry.valid {
            Some(valid) if index < MOST_ARGUMENTS => pass.hook("tkf_get_argument", &[valid, pass.u32(index)]),
            _ => pass.no_label(),
        }
    }

    fn receive_by_value(&mut self, param: Value, ty: Type, buffer: &mut ByValue) {
        let pass = &*self.pass;
        let size = pass.layout.alloc_size(ty);
        let offset = buffer.next(size);
        pass.hook("tk_stack_object", &[param, pass.u64(size)]);
        let valid = self.entry.valid.unwrap_or_else(|| pass.no_label());
        pass.hook("tk_byval_enter", &[valid, pass.u32(offset as u32), param, pass.u64(size)]);
    }

    /// `ret`.
    pub(super) fn leave(&mut self, instruction: Value) {
        if instruction.operand_count() == 1 {
            let labels = self.labels_of(instruction.operand(0));
            let pass = &*self.pass;
            for (index, label) in labels.into_iter().enumerate().take(MOST_RESULTS as usize) {
                pass.hook("tkf_set_result", &[pass.u32(index as u32), label]);
            }
            let valid = self.entry.valid.unwrap_or_else(|| pass.no_label());
            pass.hook("tkf_return", &[valid]);
        }
        if let Some(depth) = self.entry.depth {
            self.pass.hook("tkf_stack_restore", &[depth]);
        }
    }
}
