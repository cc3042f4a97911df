//! Probes, branches and switches.
//!
//! ```text
//! %c = call i32 @__tk_cond(i32 3, i32 %v)            ; %v = zext i1 %b to i32
//! %s = call i64 @__tk_switch(i32 4, i64 %w)
//! br i1 %b, label %yes, label %no                    ; of a library model
//! ```
//! becomes
//! ```text
//! call void @tkf_condition(i32 3, i32 COVERAGE, i32 %v, i32 %b.label)
//! %c = freeze i32 %v                                 ; label 0: the logged outcome pins the value
//! %arm = call i32 @__tk_arm_4(i64 %w)
//! call void @tkf_switch(i32 4, i32 COVERAGE, i32 %arm, i32 %w.label)
//! %s = freeze i64 %w                                 ; label 0
//! call void @tkf_internal(i32 SITE, i32 %b32, i32 %b.label)
//! br i1 %b, label %yes, label %no
//! ```
//! `__tk_assume`, which was `llvm.assume` (from `__builtin_assume`), is a precondition: its condition is logged like a
//! branch of a library model, and an input that does not meet it ends the run:
//! ```text
//! call void @__tk_assume(i1 %b)
//! ```
//! becomes
//! ```text
//! call void @tkf_assume(i32 SITE, i32 %b32, i32 %b.label)
//! ```
//! A branch that clang made for a check (`!nosanitize`) calls `tkf_check` with the condition turned so that 1 passes.

use tarka_trace::{FaultKind, Op};

use super::{Block, Body, LLVMOpcode, Value};
use crate::sites::{CheckKind, SiteInfoKind};

impl Body<'_, '_> {
    /// `__tk_cond(site, value)`.
    pub(super) fn condition_probe(&mut self, call: Value) {
        let (site, value) = (call.operand(0), call.operand(1));
        let number = site.constant_u64().unwrap_or(u64::MAX) as u32;
        if let Some(coverage) = self.pass.sites.coverage_of(number) {
            let label = self.one_bit_label(value);
            let pass = &*self.pass;
            pass.hook("tkf_condition", &[site, pass.u32(coverage), value, label]);
        }
        self.note_condition(number, value);
        self.replace_probe(call, value);
    }

    /// The label of `value != 0`, which is the label of `b` where `value` is `zext i1 b`.
    fn one_bit_label(&self, value: Value) -> Value {
        if value.is_instruction() && value.opcode() == LLVMOpcode::LLVMZExt {
            let bit = value.operand(0);
            if bit.ty().int_bits() == Some(1) {
                return self.label_of(bit);
            }
        }
        let width = value.ty().int_bits().unwrap_or(32);
        self.binary(
            Op::Ne,
            1,
            width,
            (self.label_of(value), value),
            (self.pass.no_label(), value.ty().null()),
        )
    }

    /// `__tk_switch(site, value)`. The operand was widened to 64 bits by the probe: the label is the narrow one's.
    pub(super) fn switch_probe(&mut self, call: Value) {
        let (site, value) = (call.operand(0), call.operand(1));
        let number = site.constant_u64().unwrap_or(u64::MAX) as u32;
        let helper = self.pass.module.function(&format!("__tk_arm_{number}"));
        if let (Some(coverage), Some(helper)) = (self.pass.sites.coverage_of(number), helper) {
            let label = self.narrow_label(value, self.pass.sites.switch_bits(number));
            let pass = &*self.pass;
            let arm = pass.call(helper.function_type(), helper, &[value]);
            pass.hook("tkf_switch", &[site, pass.u32(coverage), arm, label]);
        }
        self.replace_probe(call, value);
    }

    fn narrow_label(&self, value: Value, bits: u32) -> Value {
        let extended = value.is_instruction()
            && matches!(value.opcode(), LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMSExt)
            && value.operand(0).ty().int_bits() == Some(bits);
        if extended {
            self.label_of(value.operand(0))
        } else if bits < 64 {
            self.extract(0, bits, self.label_of(value))
        } else {
            self.label_of(value)
        }
    }

    pub(super) fn replace_probe(&mut self, call: Value, value: Value) {
        let copy = self.pass.freeze(value);
        call.replace_uses(copy);
        self.dead.push(call);
    }

    /// `br`.
    pub(super) fn branch(&mut self, instruction: Value) {
        if !instruction.is_conditional() {
            return;
        }
        let condition = instruction.operand(0);
        let label = self.label_of(condition);
        if instruction.is_nosanitize() {
            return self.check_branch(instruction, condition, label);
        }
        if label.is_null() {
            return;
        }
        let site = self.site(SiteInfoKind::Internal, instruction, "branch");
        let pass = &*self.pass;
        pass.hook("tkf_internal", &[pass.u32(site), pass.resize(condition, pass.types.i32), label]);
    }

    /// What the user promises: the hook lets only those runs go on that keep the promise.
    pub(super) fn assume(&mut self, call: Value) {
        let condition = call.operand(0);
        if condition.constant_u64() != Some(1) {
            let label = self.label_of(condition);
            let site = self.site(SiteInfoKind::Internal, call, "assumption");
            let pass = &*self.pass;
            pass.hook("tkf_assume", &[pass.u32(site), pass.resize(condition, pass.types.i32), label]);
        }
        self.dead.push(call);
    }

    fn check_branch(&mut self, instruction: Value, condition: Value, label: Value) {
        let successors = instruction.successors();
        let traps: Vec<Option<FaultKind>> = successors.iter().map(|block| trap_kind(*block)).collect();
        let fails_when_true = traps[0].is_some();
        let Some(kind) = traps[0].or(traps[1]) else { return };
        let site = self.site(SiteInfoKind::Check(CheckKind::Compiler(kind)), instruction, "compiler check");
        self.trap_sites.insert(successors[usize::from(!fails_when_true)], site);
        if label.is_null() {
            return;
        }
        let one = self.pass.types.i1.constant(1);
        let (passes, label) = if fails_when_true {
            let flipped = self.binary(Op::Xor, 1, 1, (label, condition), (self.pass.no_label(), one));
            (self.pass.op(LLVMOpcode::LLVMXor, condition, one), flipped)
        } else {
            (condition, label)
        };
        let pass = &*self.pass;
        pass.hook("tkf_check", &[pass.u32(site), pass.resize(passes, pass.types.i32), label]);
    }

    /// `llvm.trap` and `llvm.ubsantrap`: the run ends with the check that led here.
    pub(super) fn trap(&mut self, call: Value) {
        let kind = trap_kind(call.block()).unwrap_or(FaultKind::Undefined);
        let site = match self.trap_sites.get(&call.block()) {
            Some(site) => *site,
            None => self.site(SiteInfoKind::Check(CheckKind::Compiler(kind)), call, "trap"),
        };
        self.pass.hook("tk_check_failed", &[self.pass.u32(site), self.pass.u32(kind as u32)]);
    }

    /// `switch` without a source switch (of a library model, or made from a chain by an optimisation).
    pub(super) fn switch(&mut self, instruction: Value) {
        let value = instruction.operand(0);
        let label = self.label_of(value);
        if label.is_null() {
            return;
        }
        let site = self.site(SiteInfoKind::Internal, instruction, "switch");
        let pass = &*self.pass;
        pass.hook("tkf_internal_switch", &[pass.u32(site), pass.as_u64(value), label]);
    }
}

/// The kind of the compiler-made trap in a block, if it has one.
fn trap_kind(block: Block) -> Option<FaultKind> {
    block.instructions().into_iter().filter(|item| item.opcode() == LLVMOpcode::LLVMCall).find_map(|call| {
        let name = if call.callee().is_function() { call.callee().name() } else { String::new() };
        match name.as_str() {
            "llvm.ubsantrap" | "llvm.trap" => Some(FaultKind::Undefined),
            _ => None,
        }
    })
}
