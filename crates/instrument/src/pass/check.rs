//! Checks that clang made, each one call of `__tk_check` by now (see `checks`).
//!
//! ```text
//! call void @__tk_check(i32 NUMBER, i1 %passes)
//! ```
//! becomes, by what the condition is made of,
//! ```text
//! call void @tkf_overflow(i32 SITE, i32 KIND, i32 %passes32, i8 SADDO, i32 32, i32 %a.label, i32 %b.label, i64 …, i64 …)
//! call void @tkf_aligned(i32 SITE, i32 KIND, i32 %passes32, i32 %pointer.label, i64 3)
//! call void @tkf_moved(i32 SITE, i32 KIND, i32 %passes32, i32 %index.label, i64 %index, i64 SIZE, i32 SIGNED, ptr %p)
//! call void @tkf_undefined(i32 SITE, i32 KIND, i32 %passes32, i32 %passes.label)
//! ```
//! or `tkf_check` if the program cannot go on. The first three make the label of the condition themselves, and only when
//! it is worth one: what clang computes for it gets none.

use std::collections::HashSet;

use tarka_trace::{FaultKind, Op};

use super::intrinsic::overflow_operations;
use super::{Body, LLVMOpcode, Pass, Value};
use crate::checks::{self, CHECK, ClangCheck};
use crate::ir::LLVMIntPredicate;
use crate::sites::{CheckKind, SiteInfoKind};

/// What a check is about, and the instructions that only serve it.
struct Form {
    about: About,
    parts: Vec<Value>,
}

enum About {
    /// Arithmetic on two numbers of at most 64 bits: the operation that says "overflows".
    Overflow { op: Op, width: u32, a: Value, b: Value },
    /// An address and the bits of it that must be 0.
    Aligned { pointer: Value, bits: u64 },
    /// A pointer that is moved by an index with elements of a size.
    Moved { pointer: Value, index: Value, size: u64, is_signed: bool },
}

impl Form {
    /// `None` if nothing is known about the condition.
    fn of(check: ClangCheck, passes: Value) -> Option<Form> {
        match check.kind {
            FaultKind::SignedOverflow | FaultKind::UnsignedOverflow => Form::overflow(passes),
            FaultKind::Misaligned => Form::aligned(passes),
            FaultKind::PointerArithmetic => Form::moved(passes),
            _ => None,
        }
    }

    fn overflow(passes: Value) -> Option<Form> {
        let call = checks::overflow(passes)?;
        let name = call.callee().name();
        let (_, op) = overflow_operations(name.strip_prefix("llvm.")?)?;
        let (a, b) = (call.operand(0), call.operand(1));
        let width = a.ty().int_bits().filter(|width| *width <= 64)?;
        let parts = vec![passes, passes.operand(0)];
        Some(Form { about: About::Overflow { op, width, a, b }, parts })
    }

    fn aligned(passes: Value) -> Option<Form> {
        let test = instruction(passes, LLVMOpcode::LLVMICmp)?;
        let low = instruction(test.operand(0), LLVMOpcode::LLVMAnd)?;
        let address = instruction(low.operand(0), LLVMOpcode::LLVMPtrToInt)?;
        let bits = low.operand(1).constant_u64()?;
        Some(Form {
            about: About::Aligned { pointer: address.operand(0), bits },
            parts: vec![test, low, address],
        })
    }

    fn moved(passes: Value) -> Option<Form> {
        let (mut parts, mut open) = (Vec::new(), vec![passes]);
        let (mut scaled, mut address, mut is_signed) = (None, None, false);
        while let Some(value) = open.pop() {
            if !value.is_instruction() || !value.is_nosanitize() || parts.contains(&value) {
                continue;
            }
            parts.push(value);
            match value.opcode() {
                LLVMOpcode::LLVMCall if scaled.is_none() => scaled = Some(value),
                // Several indices at once.
                LLVMOpcode::LLVMCall => return None,
                LLVMOpcode::LLVMPtrToInt => address = Some(value),
                LLVMOpcode::LLVMICmp => {
                    is_signed |= value.int_predicate() == LLVMIntPredicate::LLVMIntSGE;
                    open.extend(value.value_operands());
                }
                _ => open.extend(value.value_operands()),
            }
        }
        let scaled: Value = scaled?;
        let (size, index) = (scaled.operand(0).constant_u64()?, scaled.operand(1));
        let pointer = address?.operand(0);
        Some(Form { about: About::Moved { pointer, index, size, is_signed }, parts })
    }
}

fn instruction(value: Value, opcode: LLVMOpcode) -> Option<Value> {
    Some(value).filter(|value| value.is_instruction() && value.opcode() == opcode)
}

impl Pass<'_> {
    /// What is only computed for checks that make their labels themselves.
    pub(super) fn parts_of_checks(&self, instructions: impl Iterator<Item = Value>) -> HashSet<Value> {
        let is_check = |value: &Value| {
            value.opcode() == LLVMOpcode::LLVMCall
                && value.callee().is_function()
                && value.callee().name() == CHECK
        };
        let mut parts = HashSet::new();
        for call in instructions.filter(is_check) {
            let form = Form::of(checks::check_of(call), call.operand(1));
            parts.extend(form.into_iter().flat_map(|form| form.parts));
        }
        // What something else uses as well is labelled as ever.
        loop {
            let serves =
                |part: &Value| part.users().iter().all(|user| parts.contains(user) || is_check(user));
            let others: Vec<Value> = parts.iter().copied().filter(|part| !serves(part)).collect();
            if others.is_empty() {
                return parts;
            }
            others.iter().for_each(|other| _ = parts.remove(other));
        }
    }
}

impl Body<'_, '_> {
    /// `__tk_check(number, passes)`.
    pub(super) fn check(&mut self, call: Value) {
        let (check, passes) = (checks::check_of(call), call.operand(1));
        let form = Form::of(check, passes);
        let what = words(check, form.as_ref());
        let site = self.site(SiteInfoKind::Check(CheckKind::Compiler(check.kind)), call, what);
        let label = self.label_of(passes);
        let pass = &*self.pass;
        let kind = pass.u32(check.kind as u32);
        let holds = pass.resize(passes, pass.types.i32);
        let own = [pass.u32(site), kind, holds];
        match form.map(|form| form.about) {
            Some(About::Overflow { op, width, a, b }) => {
                let (la, lb) = (self.label_of(a), self.label_of(b));
                let rest = [pass.u8(op as u8), pass.u32(width), la, lb, pass.as_u64(a), pass.as_u64(b)];
                pass.hook("tkf_overflow", &[&own[..], &rest].concat());
            }
            Some(About::Aligned { pointer, bits }) => {
                let rest = [self.label_of(pointer), pass.u64(bits)];
                pass.hook("tkf_aligned", &[&own[..], &rest].concat());
            }
            Some(About::Moved { pointer, index, size, is_signed }) => {
                let rest = [self.label_of(index), index, pass.u64(size), pass.u32(is_signed.into()), pointer];
                pass.hook("tkf_moved", &[&own[..], &rest].concat());
            }
            None => {
                let hook = if check.ends { "tkf_check" } else { "tkf_undefined" };
                pass.hook(hook, &[&own[..], &[label]].concat());
            }
        }
        self.dead.push(call);
    }
}

/// What happens when the check fails.
fn words(check: ClangCheck, form: Option<&Form>) -> String {
    let Some(Form { about: About::Overflow { op, width, a, .. }, .. }) = form else {
        return check.words.unwrap_or(check.kind.words()).to_owned();
    };
    let result = match op {
        Op::SAddO | Op::UAddO => "sum",
        Op::SSubO | Op::USubO if a.is_null() => "negated value",
        Op::SSubO | Op::USubO => "difference",
        _ => "product",
    };
    let sign = if check.kind == FaultKind::UnsignedOverflow { "unsigned " } else { "" };
    let ty = match width {
        8 => "char",
        16 => "short",
        32 => "int",
        _ => "long",
    };
    format!("the {result} does not fit {sign}{ty}")
}
