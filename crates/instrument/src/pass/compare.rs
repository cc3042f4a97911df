//! Comparisons of integers, pointers and floats.
//!
//! ```text
//! %r = icmp sgt i32 %a, %b
//! %s = fcmp olt double %x, %y
//! ```
//! becomes (the node table has only `<` and `<=`, so the operands of `>` are swapped)
//! ```text
//! %r.label = call i32 @tkf_binary(i8 SLT, i32 1, i32 32, i32 %b.label, i32 %a.label, i64 %b64, i64 %a64)
//! %r = icmp sgt i32 %a, %b
//! %s.label = call i32 @tkf_fcmp(i32 4, i32 64, i32 %x.label, i32 %y.label, i64 %x64, i64 %y64)
//! %s = fcmp olt double %x, %y
//! ```

use tarka_trace::Op;

use super::shape::{Scalar, scalar};
use super::{Body, Value};
use crate::ir::LLVMIntPredicate;

impl Body<'_, '_> {
    pub(super) fn integer_compare(&mut self, instruction: Value) {
        use LLVMIntPredicate::*;
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        let width = scalar(a.ty()).width();
        if width == 0 {
            return self.unmodelled(instruction, "comparison of a type without a model");
        }
        let (a, b) = ((self.label_of(a), a), (self.label_of(b), b));
        let (op, a, b) = match instruction.int_predicate() {
            LLVMIntEQ => (Op::Eq, a, b),
            LLVMIntNE => (Op::Ne, a, b),
            LLVMIntULT => (Op::Ult, a, b),
            LLVMIntULE => (Op::Ule, a, b),
            LLVMIntUGT => (Op::Ult, b, a),
            LLVMIntUGE => (Op::Ule, b, a),
            LLVMIntSLT => (Op::Slt, a, b),
            LLVMIntSLE => (Op::Sle, a, b),
            LLVMIntSGT => (Op::Slt, b, a),
            LLVMIntSGE => (Op::Sle, b, a),
        };
        let label = self.binary(op, 1, width, a, b);
        self.set_label(instruction, label);
    }

    pub(super) fn float_compare(&mut self, instruction: Value) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        let Scalar::Float(width) = scalar(a.ty()) else {
            return self.unmodelled(instruction, "comparison of a floating type without a model");
        };
        let (la, lb) = (self.label_of(a), self.label_of(b));
        let pass = &*self.pass;
        let predicate = pass.u32(instruction.float_predicate());
        let head = [predicate, pass.u32(width), la, lb];
        let label = if width <= 64 {
            pass.hook("tkf_fcmp", &[head.as_slice(), &[pass.as_u64(a), pass.as_u64(b)]].concat())
        } else {
            pass.hook("tkf_fcmp128", &[head.as_slice(), &[pass.as_u128(a), pass.as_u128(b)]].concat())
        };
        self.set_label(instruction, label);
    }
}
