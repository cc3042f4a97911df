//! Writes IR: hook calls and the small conversions around them.
//!
//! Takes values and labels, gives labels. A label that is the constant 0 costs nothing: a helper whose labels are all
//! that constant emits no call and gives the constant back.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMDIBuilderCreateDebugLocation;
use tarka_trace::{HOOKS, HookType, Op};

use super::shape::{Leaf, Scalar, scalar};
use super::{Body, Pass};
use crate::ir::{LLVMIntPredicate, LLVMOpcode, LLVMValueKind, Type, Value, c_name};

/// The alignment that every frame has anyway.
pub(super) const MOST_ALIGNED_FREELY: u64 = 16;

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

// SAFETY of every block in this file: the builder stands inside a function of the live module, and operands are values
// of that function with the types LLVM asks for.
impl Pass<'_> {
    /// Declares every hook of the table in the module.
    pub(super) fn declare_hooks(&mut self) {
        for hook in HOOKS {
            let mut params: Vec<_> = hook.params.iter().map(|param| self.hook_type(*param).0).collect();
            let ty = Type(unsafe {
                LLVMFunctionType(self.hook_type(hook.result).0, params.as_mut_ptr(), params.len() as u32, 0)
            });
            let function = self.module.function(hook.name).unwrap_or_else(|| {
                Value(unsafe { LLVMAddFunction(self.module.0, c_name(hook.name).as_ptr(), ty.0) })
            });
            self.hooks.insert(hook.name, (function, ty));
        }
    }

    fn hook_type(&self, ty: HookType) -> Type {
        match ty {
            HookType::Void => self.types.void,
            HookType::U8 => self.types.i8,
            HookType::U16 => self.types.i16,
            HookType::L | HookType::U32 => self.types.i32,
            HookType::U64 => self.types.i64,
            HookType::U128 => self.types.i128,
            HookType::Ptr => self.types.ptr,
        }
    }

    /// Inserts before an instruction, with its debug location (or the function's line 0, which the verifier wants).
    pub(super) fn position_before(&self, function: Value, instruction: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, instruction.0);
            let location = instruction.debug_location().or_else(|| {
                let subprogram = function.subprogram()?;
                Some(LLVMDIBuilderCreateDebugLocation(self.context, 0, 0, subprogram, std::ptr::null_mut()))
            });
            LLVMSetCurrentDebugLocation2(self.builder, location.unwrap_or(std::ptr::null_mut()));
        }
    }

    /// Calls a hook of the table.
    pub(super) fn hook(&self, name: &'static str, arguments: &[Value]) -> Value {
        let (function, ty) = self.hooks[name];
        let mut arguments: Vec<_> = arguments.iter().map(|argument| argument.0).collect();
        Value(unsafe {
            LLVMBuildCall2(
                self.builder,
                ty.0,
                function.0,
                arguments.as_mut_ptr(),
                arguments.len() as u32,
                UNNAMED,
            )
        })
    }

    pub(super) fn u8(&self, number: u8) -> Value {
        self.types.i8.constant(u64::from(number))
    }

    pub(super) fn u32(&self, number: u32) -> Value {
        self.types.i32.constant(u64::from(number))
    }

    pub(super) fn u64(&self, number: u64) -> Value {
        self.types.i64.constant(number)
    }

    /// The label of what is concrete.
    pub(super) fn no_label(&self) -> Value {
        self.u32(0)
    }

    pub(super) fn int_type(&self, bits: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    // Plain instructions.

    pub(super) fn op(&self, opcode: LLVMOpcode, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildBinOp(self.builder, opcode, a.0, b.0, UNNAMED) })
    }

    pub(super) fn compare(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildICmp(self.builder, predicate, a.0, b.0, UNNAMED) })
    }

    pub(super) fn choose(&self, condition: Value, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildSelect(self.builder, condition.0, a.0, b.0, UNNAMED) })
    }

    pub(super) fn bitcast(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildBitCast(self.builder, value.0, ty.0, UNNAMED) })
    }

    pub(super) fn freeze(&self, value: Value) -> Value {
        Value(unsafe { LLVMBuildFreeze(self.builder, value.0, UNNAMED) })
    }

    pub(super) fn load(&self, ty: Type, pointer: Value) -> Value {
        Value(unsafe { LLVMBuildLoad2(self.builder, ty.0, pointer.0, UNNAMED) })
    }

    pub(super) fn store(&self, value: Value, pointer: Value) {
        unsafe { LLVMBuildStore(self.builder, value.0, pointer.0) };
    }

    pub(super) fn phi(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildPhi(self.builder, ty.0, UNNAMED) })
    }

    pub(super) fn alloca(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildAlloca(self.builder, ty.0, UNNAMED) })
    }

    /// So many bytes of the stack; of the entry block's, they are part of the frame.
    pub(super) fn alloca_bytes(&self, size: u32, alignment: u64) -> Value {
        self.aligned(self.alloca(self.types.i8.array(size)), alignment)
    }

    /// As many bytes of the stack as a value says.
    pub(super) fn alloca_dynamic(&self, size: Value, alignment: u64) -> Value {
        let room = unsafe { LLVMBuildArrayAlloca(self.builder, self.types.i8.0, size.0, UNNAMED) };
        self.aligned(Value(room), alignment)
    }

    fn aligned(&self, room: Value, alignment: u64) -> Value {
        unsafe { LLVMSetAlignment(room.0, alignment as u32) };
        room
    }

    /// `memcpy`, `memmove` and `memset` as intrinsics, of bytes.
    pub(super) fn memcpy(&self, to: Value, from: Value, length: Value) {
        unsafe { LLVMBuildMemCpy(self.builder, to.0, 1, from.0, 1, length.0) };
    }

    pub(super) fn memmove(&self, to: Value, from: Value, length: Value) {
        unsafe { LLVMBuildMemMove(self.builder, to.0, 1, from.0, 1, length.0) };
    }

    pub(super) fn memset(&self, to: Value, byte: Value, length: Value) {
        unsafe { LLVMBuildMemSet(self.builder, to.0, byte.0, length.0, 1) };
    }

    /// A pointer moved by a number of bytes that is a value.
    pub(super) fn moved(&self, pointer: Value, bytes: Value) -> Value {
        let mut index = bytes.0;
        Value(unsafe { LLVMBuildGEP2(self.builder, self.types.i8.0, pointer.0, &mut index, 1, UNNAMED) })
    }

    pub(super) fn call(&self, ty: Type, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<_> = arguments.iter().map(|argument| argument.0).collect();
        Value(unsafe {
            LLVMBuildCall2(
                self.builder,
                ty.0,
                function.0,
                arguments.as_mut_ptr(),
                arguments.len() as u32,
                UNNAMED,
            )
        })
    }

    /// `pointer + bytes`.
    pub(super) fn offset(&self, pointer: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return pointer;
        }
        self.moved(pointer, self.u64(bytes))
    }

    /// An integer made wider with zeros, or narrower.
    pub(super) fn resize(&self, value: Value, to: Type) -> Value {
        let (from_bits, to_bits) = (value.ty().int_bits().unwrap_or(0), to.int_bits().unwrap_or(0));
        Value(unsafe {
            match from_bits.cmp(&to_bits) {
                std::cmp::Ordering::Less => LLVMBuildZExt(self.builder, value.0, to.0, UNNAMED),
                std::cmp::Ordering::Equal => value.0,
                std::cmp::Ordering::Greater => LLVMBuildTrunc(self.builder, value.0, to.0, UNNAMED),
            }
        })
    }

    /// An integer made wider with its sign, or narrower.
    pub(super) fn resize_signed(&self, value: Value, to: Type) -> Value {
        if value.ty().int_bits() < to.int_bits() {
            Value(unsafe { LLVMBuildSExt(self.builder, value.0, to.0, UNNAMED) })
        } else {
            self.resize(value, to)
        }
    }

    /// The bit pattern of a scalar as an integer of the same size.
    pub(super) fn pattern(&self, value: Value) -> Value {
        match scalar(value.ty()) {
            Scalar::Int(_) => value,
            Scalar::Pointer => {
                Value(unsafe { LLVMBuildPtrToInt(self.builder, value.0, self.types.i64.0, UNNAMED) })
            }
            Scalar::Float(bits) => self.bitcast(value, self.int_type(bits)),
            Scalar::Opaque => {
                let bits =
                    unsafe { inkwell::llvm_sys::target::LLVMSizeOfTypeInBits(self.layout.0, value.ty().0) };
                if value.ty().int_bits().is_some() {
                    value
                } else {
                    self.bitcast(value, self.int_type(bits as u32))
                }
            }
        }
    }

    /// An address as a pointer.
    pub(super) fn pointer(&self, address: Value) -> Value {
        Value(unsafe { LLVMBuildIntToPtr(self.builder, address.0, self.types.ptr.0, UNNAMED) })
    }

    pub(super) fn as_u64(&self, value: Value) -> Value {
        self.resize(self.pattern(value), self.types.i64)
    }

    pub(super) fn as_u128(&self, value: Value) -> Value {
        self.resize(self.pattern(value), self.types.i128)
    }

    /// One leaf of a value.
    pub(super) fn leaf_value(&self, value: Value, leaf: &Leaf) -> Value {
        let mut value = value.0;
        unsafe {
            for &index in &leaf.path {
                value = LLVMBuildExtractValue(self.builder, value, index, UNNAMED);
            }
            if let Some(lane) = leaf.lane {
                value = LLVMBuildExtractElement(self.builder, value, self.u32(lane).0, UNNAMED);
            }
        }
        Value(value)
    }
}

impl Body<'_, '_> {
    /// Inserts before an instruction of this function.
    pub(super) fn before(&self, instruction: Value) {
        self.pass.position_before(self.function, instruction);
    }

    /// Label of a binary operation on operands of `operand_width` bits.
    pub(super) fn binary(
        &self,
        op: Op,
        width: u32,
        operand_width: u32,
        (la, a): (Value, Value),
        (lb, b): (Value, Value),
    ) -> Value {
        let pass = &*self.pass;
        if la.is_null() && lb.is_null() {
            return pass.no_label();
        }
        let (op, width, operands) = (pass.u8(op as u8), pass.u32(width), pass.u32(operand_width));
        if operand_width <= 64 {
            pass.hook("tkf_binary", &[op, width, operands, la, lb, pass.as_u64(a), pass.as_u64(b)])
        } else {
            pass.hook("tkf_binary128", &[op, width, operands, la, lb, pass.as_u128(a), pass.as_u128(b)])
        }
    }

    /// Label of a unary operation.
    pub(super) fn unary(&self, op: Op, width: u32, la: Value) -> Value {
        let pass = &*self.pass;
        if la.is_null() {
            return pass.no_label();
        }
        pass.hook("tkf_unary", &[pass.u8(op as u8), pass.u32(width), la])
    }

    /// Label of some bits of a value.
    pub(super) fn extract(&self, first_bit: u32, width: u32, la: Value) -> Value {
        let pass = &*self.pass;
        if la.is_null() {
            return pass.no_label();
        }
        pass.hook("tkf_extract", &[pass.u32(first_bit), pass.u32(width), la])
    }

    /// Counts the loss of a label at a site.
    pub(super) fn concretise(&self, site: u32, label: Value) {
        if !label.is_null() {
            self.pass.hook("tkf_concretise", &[self.pass.u32(site), label]);
        }
    }
}

/// Whether a value is a label slot that can never be anything but 0.
pub(super) fn is_plain(value: Value) -> bool {
    value.is_constant()
        || unsafe { LLVMGetValueKind(value.0) } == LLVMValueKind::LLVMInlineAsmValueKind
        || !value.ty().is_value()
}
