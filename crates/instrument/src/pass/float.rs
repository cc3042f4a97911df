//! Floating arithmetic, and the functions of `math.h` that are one operation of the node table.
//!
//! ```text
//! %r = fadd double %a, %b
//! ```
//! becomes
//! ```text
//! %a64 = bitcast double %a to i64
//! %b64 = bitcast double %b to i64
//! %r.label = call i32 @tkf_binary(i8 FADD, i32 64, i32 64, i32 %a.label, i32 %b.label, i64 %a64, i64 %b64)
//! %r = fadd double %a, %b
//! ```
//! A `long double` is a bit pattern of 80 bits, which travels to the `128` hooks; other floating types lose their labels,
//! counted.

use tarka_trace::Op;

use super::shape::{Scalar, scalar};
use super::{Body, LLVMOpcode, Value};

impl Body<'_, '_> {
    pub(super) fn float(&mut self, instruction: Value) {
        let Scalar::Float(width) = scalar(instruction.ty()) else {
            return self.unmodelled(instruction, "arithmetic on a floating type without a model");
        };
        let op = match instruction.opcode() {
            LLVMOpcode::LLVMFAdd => Op::FAdd,
            LLVMOpcode::LLVMFSub => Op::FSub,
            LLVMOpcode::LLVMFMul => Op::FMul,
            LLVMOpcode::LLVMFDiv => Op::FDiv,
            LLVMOpcode::LLVMFRem => Op::FRem,
            _ => Op::FNeg,
        };
        self.float_operation(instruction, op, width, &instruction.value_operands());
    }

    /// A floating operation of one to three operands whose result an instruction or call gives.
    pub(super) fn float_operation(&mut self, result: Value, op: Op, width: u32, operands: &[Value]) {
        let labels: Vec<Value> = operands.iter().map(|operand| self.label_of(*operand)).collect();
        let label = match (operands, labels.as_slice()) {
            (_, [la, ..]) if op.arity() == 1 => self.unary(op, width, *la),
            ([a, b, ..], [la, lb, ..]) if op.arity() == 2 => {
                self.binary(op, width, width, (*la, *a), (*lb, *b))
            }
            ([a, b, c], [la, lb, lc]) => {
                let pass = &*self.pass;
                let head = [pass.u8(op as u8), pass.u32(width), *la, *lb, *lc];
                let (hook, values) = if width <= 64 {
                    ("tkf_ternary", [a, b, c].map(|value| pass.as_u64(*value)))
                } else {
                    ("tkf_ternary128", [a, b, c].map(|value| pass.as_u128(*value)))
                };
                pass.hook(hook, &[head.as_slice(), values.as_slice()].concat())
            }
            _ => return,
        };
        self.set_label(result, label);
    }
}

/// The operation of a `math.h` function, or of an intrinsic by the tail of its name, on floats of this width.
pub(super) fn math_operation(name: &str, width: u32) -> Option<Op> {
    exact_operation(name).or_else(|| library_operation(name).filter(|_| matches!(width, 32 | 64)))
}

/// What only the C library knows: the label says which function of which operands, and whoever evaluates it calls the
/// library, too. The bits of a `long double` have no such function.
fn library_operation(name: &str) -> Option<Op> {
    Some(match name {
        "sin" => Op::FSin,
        "cos" => Op::FCos,
        "tan" => Op::FTan,
        "asin" => Op::FAsin,
        "acos" => Op::FAcos,
        "atan" => Op::FAtan,
        "sinh" => Op::FSinh,
        "cosh" => Op::FCosh,
        "tanh" => Op::FTanh,
        "asinh" => Op::FAsinh,
        "acosh" => Op::FAcosh,
        "atanh" => Op::FAtanh,
        "exp" => Op::FExp,
        "exp2" => Op::FExp2,
        "expm1" => Op::FExpm1,
        "log" => Op::FLog,
        "log2" => Op::FLog2,
        "log10" => Op::FLog10,
        "log1p" => Op::FLog1p,
        "cbrt" => Op::FCbrt,
        "pow" => Op::FPow,
        "atan2" => Op::FAtan2,
        "hypot" => Op::FHypot,
        "remainder" => Op::FRemainder,
        _ => return None,
    })
}

/// A `math.h` function (or the tail of an intrinsic's name) that is one operation of the node table.
fn exact_operation(name: &str) -> Option<Op> {
    Some(match name {
        "fabs" => Op::FAbs,
        "sqrt" => Op::FSqrt,
        "floor" => Op::FFloor,
        "ceil" => Op::FCeil,
        "trunc" => Op::FTrunc,
        "rint" | "nearbyint" | "roundeven" => Op::FRint,
        "round" => Op::FRound,
        "copysign" => Op::FCopySign,
        "fmin" | "minnum" => Op::FMin,
        "fmax" | "maxnum" => Op::FMax,
        "fmod" => Op::FRem,
        "fma" => Op::FFma,
        _ => return None,
    })
}
