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

use tarka_trace::{FaultKind, Op};

use super::{Body, LLVMOpcode, Value};
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

    /// `llvm.trap` (from `__builtin_trap`): the run ends here.
    pub(super) fn trap(&mut self, call: Value) {
        let kind = FaultKind::Undefined;
        let site =
            self.site(SiteInfoKind::Check(CheckKind::Compiler(kind)), call, "__builtin_trap() is reached");
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
