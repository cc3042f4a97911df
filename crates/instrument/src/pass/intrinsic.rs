//! LLVM intrinsics.
//!
//! ```text
//! %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
//! %n = call i32 @llvm.ctpop.i32(i32 %a)
//! ```
//! becomes
//! ```text
//! %r.0.label = call i32 @tkf_binary(i8 ADD, i32 32, i32 32, i32 %a.label, i32 %b.label, i64 %a64, i64 %b64)
//! %r.1.label = call i32 @tkf_binary(i8 SADDO, i32 1, i32 32, i32 %a.label, i32 %b.label, i64 %a64, i64 %b64)
//! %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
//! %n.label = call i32 @tkf_unary(i8 CTPOP, i32 32, i32 %a.label)
//! %n = call i32 @llvm.ctpop.i32(i32 %a)
//! ```
//! Those that are short for other instructions (`abs`, `smax`, `fshl` …) were written out by `prepare`. An intrinsic
//! without a model runs as it is: its symbolic operands are counted, its result is concrete.

use tarka_trace::Op;

use super::float::math_operation;
use super::shape::{Scalar, scalar};
use super::{Body, LLVMOpcode, Value};

impl Body<'_, '_> {
    pub(super) fn intrinsic(&mut self, call: Value, name: &str) {
        let stem = name.strip_prefix("llvm.").unwrap_or(name);
        let starts = |prefix: &str| stem.starts_with(prefix);
        if starts("memcpy.") || starts("memmove.") {
            self.copy(call);
        } else if starts("memset.") {
            self.fill(call);
        } else if starts("va_") {
            self.va_intrinsic(call, stem);
        } else if stem == "trap" || stem == "ubsantrap" {
            self.trap(call);
        } else if starts("stacksave") {
            self.save_depth(call);
        } else if starts("stackrestore") {
            self.restore_depth(call);
        } else if is_transparent(stem) {
            let labels = self.labels_of(call.operand(0));
            if call.ty() == call.operand(0).ty() {
                self.set_labels(call, labels);
            }
        } else if is_silent(stem) {
        } else if let Some((sum, overflow)) = overflow_operations(stem) {
            self.with_overflow(call, sum, overflow);
        } else if let Some(op) = bit_operation(stem) {
            self.bit_operation(call, op);
        } else if let Scalar::Float(width) = scalar(call.ty())
            && let Some(op) = math_operation(stem.split('.').next().unwrap_or_default(), width)
        {
            self.float_operation(call, op, width, &call.arguments());
        } else {
            self.unmodelled_intrinsic(call, stem);
        }
    }

    fn with_overflow(&mut self, call: Value, sum: Op, overflow: Op) {
        if !self.labelled.contains(&call) {
            return;
        }
        let (a, b) = (call.operand(0), call.operand(1));
        let Scalar::Int(width) = scalar(a.ty()) else {
            return self.unmodelled_intrinsic(call, "arithmetic with overflow");
        };
        let (a, b) = ((self.label_of(a), a), (self.label_of(b), b));
        let bit = self.is_bit_labelled(call);
        let overflows = if bit { self.binary(overflow, 1, width, a, b) } else { self.pass.no_label() };
        let labels = vec![self.binary(sum, width, width, a, b), overflows];
        self.set_labels(call, labels);
    }

    /// Whether anything but a check that makes its own label looks at the overflow bit.
    fn is_bit_labelled(&self, call: Value) -> bool {
        call.users().iter().any(|user| {
            let is_part = user.opcode() == LLVMOpcode::LLVMExtractValue;
            !is_part || user.indices() == [1] && self.labelled.contains(user)
        })
    }

    fn bit_operation(&mut self, call: Value, op: Op) {
        let Scalar::Int(width) = scalar(call.ty()) else {
            return self.unmodelled_intrinsic(call, "bit operation on a vector");
        };
        let label = self.unary(op, width, self.label_of(call.operand(0)));
        self.set_label(call, label);
    }

    /// The object stack goes back with the machine stack, so a variable-length array in a loop does not fill it.
    fn save_depth(&mut self, call: Value) {
        let depth = self.pass.hook("tkf_stack_depth", &[]);
        self.saved_depths.insert(call, depth);
    }

    fn restore_depth(&mut self, call: Value) {
        if let Some(depth) = self.saved_depths.get(&call.operand(0)) {
            self.pass.hook("tkf_stack_restore", &[*depth]);
        }
    }

    fn unmodelled_intrinsic(&mut self, call: Value, stem: &str) {
        self.native_call(call, &format!("intrinsic {stem}"));
    }
}

/// Intrinsics whose result is their first operand.
fn is_transparent(stem: &str) -> bool {
    [
        "expect.",
        "launder.invariant.group.",
        "strip.invariant.group.",
        "ssa.copy.",
        "annotation.",
        "ptr.annotation.",
    ]
    .iter()
    .any(|prefix| stem.starts_with(prefix))
}

/// Intrinsics that compute nothing from symbolic operands, or only tell the compiler something.
fn is_silent(stem: &str) -> bool {
    [
        "dbg.",
        "lifetime.",
        "invariant.",
        "experimental.noalias",
        "donothing",
        "sideeffect",
        "prefetch",
        "returnaddress",
        "frameaddress",
        "addressofreturnaddress",
        "threadlocal.address",
        "objectsize",
        "is.constant",
        "var.annotation",
        "debugtrap",
        "get.rounding",
        "eh.",
    ]
    .iter()
    .any(|prefix| stem.starts_with(prefix))
}

pub(super) fn overflow_operations(stem: &str) -> Option<(Op, Op)> {
    Some(match stem.split(".with.overflow").next()? {
        "sadd" => (Op::Add, Op::SAddO),
        "uadd" => (Op::Add, Op::UAddO),
        "ssub" => (Op::Sub, Op::SSubO),
        "usub" => (Op::Sub, Op::USubO),
        "smul" => (Op::Mul, Op::SMulO),
        "umul" => (Op::Mul, Op::UMulO),
        _ => return None,
    })
}

fn bit_operation(stem: &str) -> Option<Op> {
    Some(match stem.split('.').next()? {
        "ctpop" => Op::CtPop,
        "ctlz" => Op::Ctlz,
        "cttz" => Op::Cttz,
        "bswap" => Op::BSwap,
        _ => return None,
    })
}
