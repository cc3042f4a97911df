//! What is rewritten before labels are added, so that the families stay small.
//!
//! ```text
//! %r = call i32 @llvm.smax.i32(i32 %a, i32 %b)     ->  icmp sgt + select
//! %r = call i32 @llvm.fshl.i32(…)                  ->  shifts and or
//! %r = call double @llvm.fmuladd.f64(…)            ->  fmul + fadd   (what the plain -O0 build computes)
//! %r = call i1 @llvm.is.fpclass.f64(…)             ->  comparisons of the bit pattern
//! %r = call ptr @llvm.ptrmask.p0.i64(ptr %p, …)    ->  ptrtoint + and + inttoptr
//! %r = call ptr @tkm_memcpy(ptr %a, ptr %b, i64 %n) ->  llvm.memcpy, %a
//! %r = call i32 (ptr, ...) @tkm_strlen(ptr %s)     ->  call i64 @tkm_strlen(ptr %s), trunc   (declared `int strlen();`)
//! %r = shl i32 %a, %n                              ->  shl i32 %a, (%n & 31)
//! … undef …                                        ->  … 0 …
//! ```
//! The last two make the program mean one thing: later optimisation could otherwise give an oversized shift or an
//! uninitialised local one value in the program and another in its label.

use super::shape::{Scalar, scalar};
use super::{LLVMOpcode, Pass, Type, Value};
use crate::ir::{LLVMIntPredicate, ModuleRef};

/// Goes before the text that is compiled. clang drops a `__builtin_assume` whose expression has side effects, and a probe
/// inside it must not count as one; [`forget_promises`] takes the promise back before anything can optimise with it.
pub(crate) const PURE_PROBES: &str = "__attribute__((pure)) int __tk_cond(unsigned, int); \
    __attribute__((pure)) unsigned long long __tk_switch(unsigned, unsigned long long); \
    __attribute__((pure)) int __tk_begin(unsigned); __attribute__((pure)) int __tk_decision(unsigned, int);\n";

const PROBES: [&str; 4] = ["__tk_cond", "__tk_switch", "__tk_begin", "__tk_decision"];

/// Takes back what functions and calls promise (`pure`, `const`, `nonnull`, `malloc`, `restrict` …). An instrumented
/// function writes labels whatever it promised of its own, so an optimiser that believes it loses labels: the result of
/// a `const` function would be concrete. With `of_probes_only`, the promises of the user's functions stay: a defect
/// that tests put back.
pub(crate) fn forget_promises(module: ModuleRef, of_probes_only: bool) {
    let is_meant = |function: Value| {
        !function.is_intrinsic() && (!of_probes_only || PROBES.contains(&function.name().as_str()))
    };
    let functions = module.functions();
    for function in functions.iter().copied().filter(|function| is_meant(*function)) {
        function.forget_function_promises();
    }
    for call in functions.into_iter().flat_map(Value::blocks).flat_map(crate::ir::Block::instructions) {
        let is_call = call.opcode() == LLVMOpcode::LLVMCall;
        if is_call && (!call.callee().is_function() && !of_probes_only || is_meant(call.callee())) {
            call.forget_call_promises();
        }
    }
}

impl Pass<'_> {
    /// Rewrites a function.
    pub(super) fn prepare(&self, function: Value) {
        for block in function.reverse_post_order() {
            for instruction in block.instructions() {
                self.define_operands(instruction);
                match instruction.opcode() {
                    LLVMOpcode::LLVMShl | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr => {
                        self.position_before(function, instruction);
                        self.mask_shift(instruction);
                    }
                    LLVMOpcode::LLVMCall if instruction.callee().is_function() => {
                        self.position_before(function, instruction);
                        let instruction = self.as_defined(instruction).unwrap_or(instruction);
                        if let Some(result) = self.written_out(instruction) {
                            instruction.replace_uses(result);
                            instruction.erase();
                        } else if self.block_operation(instruction) {
                            instruction.erase();
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// A call of a function that was declared without its parameters, or with other ones: as the function is defined, if the
    /// machine passes the same either way. What the caller passes beyond the parameters is not looked at; integers and pointers stand
    /// in the same registers, so a narrow one is widened with zeros, as the compiler's moves do it.
    fn as_defined(&self, call: Value) -> Option<Value> {
        let function = call.callee();
        let ty = function.function_type();
        if ty == call.callee_type() || ty.is_variadic() || !self.instrumented.contains(&function) {
            return None;
        }
        let (params, arguments) = (function.params(), call.arguments());
        let is_copied =
            |index: u32| call.call_byval(index).is_some() || function.param_byval(index).is_some();
        let mut pairs = (0..).zip(arguments.iter().zip(&params));
        let fit = arguments.len() >= params.len()
            && pairs.all(|(index, (argument, param))| fits(argument.ty(), param.ty(), index < IN_REGISTERS))
            && (call.ty() == self.types.void || fits(ty.result(), call.ty(), false))
            && !(0..params.len() as u32).any(is_copied);
        if !fit {
            return None;
        }
        let arguments =
            params.iter().zip(arguments).map(|(param, argument)| self.fitted(argument, param.ty()));
        let new = self.call(ty, function, &arguments.collect::<Vec<Value>>());
        if call.ty() != self.types.void {
            call.replace_uses(self.fitted(new, call.ty()));
        }
        call.erase();
        Some(new)
    }

    /// An integer or a pointer as what a register then holds as this type.
    fn fitted(&self, value: Value, to: Type) -> Value {
        match to.is_pointer() {
            _ if value.ty() == to => value,
            true => self.pointer(self.as_u64(value)),
            false => self.resize(self.pattern(value), to),
        }
    }

    fn define_operands(&self, instruction: Value) {
        for index in 0..instruction.operand_count() {
            let operand = instruction.operand(index);
            if !operand.0.is_null() && operand.ty().is_value() && operand.is_undef() {
                let ty = operand.ty();
                if scalar(ty) != Scalar::Opaque {
                    instruction.set_operand(index, ty.null());
                }
            }
        }
    }

    fn mask_shift(&self, instruction: Value) {
        let amount = instruction.operand(1);
        let Some(width) = amount.ty().int_bits().filter(|width| width.is_power_of_two() && *width <= 128)
        else {
            return;
        };
        if amount.constant_u64().is_some_and(|amount| amount < u64::from(width)) {
            return;
        }
        let mask = amount.ty().constant(u64::from(width) - 1);
        instruction.set_operand(1, self.op(LLVMOpcode::LLVMAnd, amount, mask));
    }

    /// The plain instructions an intrinsic is short for.
    fn written_out(&self, call: Value) -> Option<Value> {
        use LLVMIntPredicate::*;
        let name = call.callee().name();
        let stem = name.strip_prefix("llvm.")?;
        let family = stem.rsplit_once('.').map_or(stem, |(family, _)| family);
        let arguments = call.arguments();
        let is_scalar = scalar(call.ty()) != Scalar::Opaque;
        match (family, arguments.as_slice()) {
            _ if !is_scalar => None,
            ("abs", [a, _]) => {
                let zero = a.ty().null();
                let negative = self.compare(LLVMIntSLT, *a, zero);
                Some(self.choose(negative, self.op(LLVMOpcode::LLVMSub, zero, *a), *a))
            }
            ("smin", [a, b]) => Some(self.choose(self.compare(LLVMIntSLT, *a, *b), *a, *b)),
            ("smax", [a, b]) => Some(self.choose(self.compare(LLVMIntSGT, *a, *b), *a, *b)),
            ("umin", [a, b]) => Some(self.choose(self.compare(LLVMIntULT, *a, *b), *a, *b)),
            ("umax", [a, b]) => Some(self.choose(self.compare(LLVMIntUGT, *a, *b), *a, *b)),
            ("uadd.sat", [a, b]) => {
                let sum = self.op(LLVMOpcode::LLVMAdd, *a, *b);
                let most = all_ones(a.ty());
                Some(self.choose(self.compare(LLVMIntULT, sum, *a), most, sum))
            }
            ("usub.sat", [a, b]) => {
                let difference = self.op(LLVMOpcode::LLVMSub, *a, *b);
                Some(self.choose(self.compare(LLVMIntULT, *a, *b), a.ty().null(), difference))
            }
            ("fmuladd", [a, b, c]) => {
                let product = self.op(LLVMOpcode::LLVMFMul, *a, *b);
                Some(self.op(LLVMOpcode::LLVMFAdd, product, *c))
            }
            ("ptrmask.p0", [pointer, mask]) => {
                let masked = self.op(LLVMOpcode::LLVMAnd, self.pattern(*pointer), *mask);
                Some(self.pointer(masked))
            }
            ("fshl", [a, b, amount]) => self.funnel(*a, *b, *amount, true),
            ("fshr", [a, b, amount]) => self.funnel(*a, *b, *amount, false),
            ("is.fpclass", [value, mask]) => self.float_class(*value, mask.constant_u64()?),
            _ => None,
        }
    }

    /// Writes the call of a model that is one block operation as that operation, so that its checks are the caller's.
    fn block_operation(&self, call: Value) -> bool {
        let callee = call.callee();
        if call.callee_type() != callee.function_type() {
            return false;
        }
        let result = match (callee.name().as_str(), call.arguments().as_slice()) {
            ("tkm_memcpy", &[to, from, length]) => {
                self.memcpy(to, from, length);
                to
            }
            ("tkm_memmove", &[to, from, length]) => {
                self.memmove(to, from, length);
                to
            }
            ("tkm_mempcpy", &[to, from, length]) => {
                self.memcpy(to, from, length);
                self.moved(to, length)
            }
            ("tkm_memset", &[to, byte, length]) => {
                self.memset(to, self.resize(byte, self.types.i8), length);
                to
            }
            ("tkm_bzero", &[to, length]) => {
                self.memset(to, self.types.i8.null(), length);
                return true;
            }
            _ => return false,
        };
        call.replace_uses(result);
        true
    }

    /// `fshl a b n` is the high half of `(a:b) << n`; `fshr` the low half of `(a:b) >> n`.
    fn funnel(&self, a: Value, b: Value, amount: Value, left: bool) -> Option<Value> {
        use LLVMOpcode::{LLVMAnd, LLVMLShr, LLVMOr, LLVMShl, LLVMSub};
        let ty = a.ty();
        let width = ty.int_bits().filter(|width| width.is_power_of_two())?;
        let last = ty.constant(u64::from(width) - 1);
        let one = ty.constant(1);
        let amount = self.op(LLVMAnd, amount, last);
        let rest = self.op(LLVMSub, last, amount);
        // The far side is shifted in two steps, so that an amount of 0 shifts it out completely.
        Some(if left {
            let low = self.op(LLVMLShr, self.op(LLVMLShr, b, one), rest);
            self.op(LLVMOr, self.op(LLVMShl, a, amount), low)
        } else {
            let high = self.op(LLVMShl, self.op(LLVMShl, a, one), rest);
            self.op(LLVMOr, high, self.op(LLVMLShr, b, amount))
        })
    }
}

/// Arguments that are passed in registers, whose upper half a narrow one clears.
const IN_REGISTERS: usize = 6;

/// Whether what is passed as the one is there as the other. A result that is narrower than the caller thinks is not: what stands
/// above it is the callee's affair.
fn fits(from: Type, to: Type, may_widen: bool) -> bool {
    let bits = |ty: Type| if ty.is_pointer() { Some(64) } else { ty.int_bits().filter(|bits| *bits <= 64) };
    let is_wide_enough = |(from, to): (u32, u32)| from >= to || may_widen && from >= 32;
    from == to || bits(from).zip(bits(to)).is_some_and(is_wide_enough)
}

fn all_ones(ty: Type) -> Value {
    // SAFETY: `ty` is an integer type of the live context.
    Value(unsafe { inkwell::llvm_sys::core::LLVMConstAllOnes(ty.0) })
}
