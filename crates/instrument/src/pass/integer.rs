//! Integer arithmetic, shifts and bitwise operations.
//!
//! ```text
//! %r = add i32 %a, %b
//! ```
//! becomes
//! ```text
//! %a64 = zext i32 %a to i64
//! %b64 = zext i32 %b to i64
//! %r.label = call i32 @tkf_binary(i8 ADD, i32 32, i32 32, i32 %a.label, i32 %b.label, i64 %a64, i64 %b64)
//! %r = add i32 %a, %b
//! ```
//! Divisions call `tkf_divide`, which logs the check "divisor is not 0" first when the divisor is symbolic.

use tarka_trace::Op;

use super::{Body, LLVMOpcode, Value};
use crate::sites::{CheckKind, SiteInfoKind};

impl Body<'_, '_> {
    pub(super) fn integer(&mut self, instruction: Value) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        let Some(width) = a.ty().int_bits().filter(|width| *width <= 128) else {
            return self.unmodelled(instruction, "integer wider than 128 bits");
        };
        let (la, lb) = (self.label_of(a), self.label_of(b));
        let op = integer_op(instruction.opcode());
        let label = match op {
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem => {
                self.division(instruction, op, width, (la, a), (lb, b))
            }
            _ => self.binary(op, width, width, (la, a), (lb, b)),
        };
        self.set_label(instruction, label);
    }

    fn division(
        &mut self,
        at: Value,
        op: Op,
        width: u32,
        (la, a): (Value, Value),
        (lb, b): (Value, Value),
    ) -> Value {
        let site = self.site(SiteInfoKind::Check(CheckKind::Division), at, "division");
        let pass = &*self.pass;
        let (site, op, bits) = (pass.u32(site), pass.u8(op as u8), pass.u32(width));
        if width <= 64 {
            pass.hook("tkf_divide", &[site, op, bits, la, lb, pass.as_u64(a), pass.as_u64(b)])
        } else {
            pass.hook("tkf_divide128", &[site, op, bits, la, lb, pass.as_u128(a), pass.as_u128(b)])
        }
    }
}

fn integer_op(opcode: LLVMOpcode) -> Op {
    use LLVMOpcode::*;
    match opcode {
        LLVMAdd => Op::Add,
        LLVMSub => Op::Sub,
        LLVMMul => Op::Mul,
        LLVMUDiv => Op::UDiv,
        LLVMSDiv => Op::SDiv,
        LLVMURem => Op::URem,
        LLVMSRem => Op::SRem,
        LLVMShl => Op::Shl,
        LLVMLShr => Op::LShr,
        LLVMAShr => Op::AShr,
        LLVMAnd => Op::And,
        LLVMOr => Op::Or,
        _ => Op::Xor,
    }
}
