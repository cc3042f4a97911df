//! Variable arguments, after the System V calling convention of x86-64.
//!
//! ```text
//! %r = call i32 (i32, ...) @f(i32 2, i32 %x, double %d)
//! call void @llvm.va_start(ptr %list)                     ; in @f
//! ```
//! becomes
//! ```text
//! call void @tk_va_argument(i32 8, i32 8, i32 %x.label)   ; second general register of the save area
//! call void @tk_va_argument(i32 48, i32 8, i32 %d.label)  ; first vector register
//! call void @tk_va_ready(i32 0)                           ; no bytes on the stack
//! %r = call i32 (i32, ...) @f(i32 2, i32 %x, double %d)
//! call void @llvm.va_start(ptr %list)
//! call void @tk_va_start(ptr %list)                       ; labels the save area and the stack arguments
//! ```
//! `va_arg` itself is ordinary loads in clang's IR and needs nothing.

use tarka_trace::Op;

use super::memory::words;
use super::shape::{Scalar, scalar};
use super::{Body, Value};

/// Bytes of the general registers in the save area.
const GENERAL_END: u64 = 48;
/// Bytes of all registers in the save area; labels of stack arguments follow from here.
const VECTOR_END: u64 = 176;

/// Where the next argument goes.
#[derive(Default)]
struct Cursor {
    general: u64,
    vector: u64,
    /// Bytes of stack arguments so far.
    stack: u64,
    /// Bytes of stack arguments that belong to named parameters: the variable ones start after them.
    named_stack: u64,
}

impl Cursor {
    fn new() -> Cursor {
        Cursor { vector: GENERAL_END, ..Cursor::default() }
    }

    fn general(&mut self, size: u64) -> Option<u64> {
        let size = size.next_multiple_of(8);
        (self.general + size <= GENERAL_END).then(|| {
            self.general += size;
            self.general - size
        })
    }

    fn vector(&mut self) -> Option<u64> {
        (self.vector + 16 <= VECTOR_END).then(|| {
            self.vector += 16;
            self.vector - 16
        })
    }

    fn stack(&mut self, size: u64, alignment: u64) -> u64 {
        let offset = self.stack.next_multiple_of(alignment.max(8));
        self.stack = offset + size.next_multiple_of(8);
        VECTOR_END + offset - self.named_stack
    }
}

impl Body<'_, '_> {
    /// Publishes the labels of the arguments after the named ones.
    pub(super) fn variadic_arguments(&mut self, call: Value, named: usize) {
        let mut cursor = Cursor::new();
        for (index, argument) in call.arguments().into_iter().enumerate() {
            let is_variable = index >= named;
            let by_value = call.call_byval(index as u32);
            let layout = self.pass.layout;
            let ty = by_value.unwrap_or(argument.ty());
            let size = layout.alloc_size(ty);
            let alignment = layout.alignment(ty);
            let offset = match (by_value, scalar(ty)) {
                (None, Scalar::Int(_) | Scalar::Pointer) => cursor.general(size),
                // A `long double` always goes on the stack.
                (None, Scalar::Float(width)) if width <= 64 => cursor.vector(),
                (None, Scalar::Opaque) if super::is_vector(ty) && size <= 16 => cursor.vector(),
                _ => None,
            };
            let offset = offset.unwrap_or_else(|| cursor.stack(size, alignment));
            if !is_variable {
                cursor.named_stack = cursor.stack;
            } else if by_value.is_some() {
                self.publish_by_value(call, argument, offset, size);
            } else {
                self.publish(argument, offset);
            }
        }
        let stack_bytes = self.pass.u32((cursor.stack - cursor.named_stack) as u32);
        self.pass.hook("tk_va_ready", &[stack_bytes]);
    }

    fn publish(&self, argument: Value, offset: u64) {
        let labels = self.labels_of(argument);
        for (leaf, label) in self.pass.leaves(argument.ty()).into_iter().zip(labels) {
            let size = self.pass.layout.store_size(leaf.ty);
            let width = scalar(leaf.ty).width();
            let label = if u64::from(width) < size * 8 {
                self.unary(Op::ZExt, size as u32 * 8, label)
            } else {
                label
            };
            self.va_argument(offset + leaf.offset, size, label);
        }
    }

    /// The bytes of a struct on the stack carry the labels they have in the caller's copy.
    fn publish_by_value(&mut self, call: Value, pointer: Value, offset: u64, size: u64) {
        let site =
            self.site(crate::sites::SiteInfoKind::Concretising, call, "struct among variable arguments");
        for (within, size) in words(size) {
            let (pointer, label) = self.leaf_address(pointer, self.label_of(pointer), within);
            let label = self.load_hook(site, pointer, label, size);
            self.va_argument(offset + within, size, label);
        }
    }

    fn va_argument(&self, offset: u64, size: u64, label: Value) {
        if label.is_null() {
            return;
        }
        let pass = &*self.pass;
        pass.hook("tk_va_argument", &[pass.u32(offset as u32), pass.u32(size as u32), label]);
    }

    /// Where a `va_list` keeps its arguments: the stack area and the register save area.
    pub(super) fn argument_areas(&self, list: Value) -> [Value; 2] {
        const STACK_AREA: u64 = 8;
        const REGISTER_AREA: u64 = 16;
        let pass = &*self.pass;
        [STACK_AREA, REGISTER_AREA].map(|field| pass.load(pass.types.ptr, pass.offset(list, field)))
    }

    /// `llvm.va_start`, `llvm.va_copy`, `llvm.va_end`.
    pub(super) fn va_intrinsic(&mut self, call: Value, stem: &str) {
        if stem.starts_with("va_start") {
            if let Some(next) = call.next() {
                self.before(next);
                self.pass.hook("tk_va_start", &[call.operand(0)]);
            }
        } else if stem.starts_with("va_copy") {
            const LIST_SIZE: u64 = 24;
            let site = self.site(crate::sites::SiteInfoKind::Concretising, call, "va_copy");
            let pass = &*self.pass;
            let none = pass.no_label();
            let (to, from) = (call.operand(0), call.operand(1));
            pass.hook("tk_memcpy", &[pass.u32(site), to, none, from, none, pass.u64(LIST_SIZE), none]);
        }
    }
}
