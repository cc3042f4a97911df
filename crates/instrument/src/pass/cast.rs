//! Conversions.
//!
//! ```text
//! %w = sext i32 %a to i64
//! %n = trunc i64 %b to i8
//! %d = sitofp i32 %a to double
//! %q = ptrtoint ptr %p to i64
//! ```
//! becomes
//! ```text
//! %w.label = call i32 @tkf_unary(i8 SEXT, i32 64, i32 %a.label)
//! %w = sext i32 %a to i64
//! %n.label = call i32 @tkf_extract(i32 0, i32 8, i32 %b.label)
//! %n = trunc i64 %b to i8
//! %d.label = call i32 @tkf_unary(i8 SITOF, i32 64, i32 %a.label)
//! %d = sitofp i32 %a to double
//! %q = ptrtoint ptr %p to i64          ; %q.label is %p.label
//! ```
//! A `bitcast` that changes the number of lanes goes through a stack slot, where the shadow does the regrouping.

use tarka_trace::Op;

use super::shape::scalar;
use super::{Body, LLVMOpcode, Value};

impl Body<'_, '_> {
    pub(super) fn cast(&mut self, instruction: Value) {
        use LLVMOpcode::*;
        let operand = instruction.operand(0);
        let (from, to) = (scalar(operand.ty()).width(), scalar(instruction.ty()).width());
        if from == 0 || to == 0 {
            return self.unmodelled(instruction, "conversion from or to a type without a model");
        }
        let label = self.label_of(operand);
        let label = match instruction.opcode() {
            LLVMSExt => self.unary(Op::SExt, to, label),
            LLVMFPToUI => self.unary(Op::FToUi, to, label),
            LLVMFPToSI => self.unary(Op::FToSi, to, label),
            LLVMUIToFP => self.unary(Op::UiToF, to, label),
            LLVMSIToFP => self.unary(Op::SiToF, to, label),
            LLVMFPTrunc | LLVMFPExt => self.unary(Op::FToF, to, label),
            _ if to < from => self.extract(0, to, label),
            _ if to > from => self.unary(Op::ZExt, to, label),
            _ => label,
        };
        self.set_label(instruction, label);
    }

    pub(super) fn bitcast(&mut self, instruction: Value) {
        let operand = instruction.operand(0);
        let (from, to) = (self.pass.leaves(operand.ty()), self.pass.leaves(instruction.ty()));
        let widths = |leaves: &[super::shape::Leaf]| -> Vec<u32> {
            leaves.iter().map(|leaf| scalar(leaf.ty).width()).collect()
        };
        let (from_widths, to_widths) = (widths(&from), widths(&to));
        if from_widths.iter().chain(&to_widths).any(|width| *width == 0 || width % 8 != 0) {
            return self.unmodelled(instruction, "conversion from or to a type without a model");
        }
        if from_widths == to_widths {
            return self.set_labels(instruction, self.labels_of(operand));
        }
        let slot = self.scratch_slot(operand.ty());
        self.before(instruction);
        self.store_leaves(instruction, slot, self.pass.no_label(), operand);
        self.pass.store(operand, slot);
        let labels = self.load_leaves(instruction, slot, self.pass.no_label(), instruction.ty());
        self.set_labels(instruction, labels);
    }
}
