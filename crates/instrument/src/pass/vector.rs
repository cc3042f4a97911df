//! Vectors: lanes taken out, put in and shuffled.
//!
//! ```text
//! %r = extractelement <2 x float> %v, i64 1
//! %s = insertelement <2 x float> %v, float %x, i64 0
//! %t = shufflevector <2 x float> %v, <2 x float> %w, <2 x i32> <i32 0, i32 2>
//! ```
//! emits nothing: a vector carries one label per lane, and these only move labels. A lane number that is not a
//! constant picks the label with `select`s; if it is itself symbolic, that is counted as a concretisation.
//!
//! Arithmetic on vectors was split into scalars by LLVM's `scalarizer` before the pass.

use super::{Body, LLVMOpcode, Value};
use crate::ir::LLVMIntPredicate;
use crate::sites::SiteInfoKind;

impl Body<'_, '_> {
    pub(super) fn vector(&mut self, instruction: Value) {
        let labels = match instruction.opcode() {
            LLVMOpcode::LLVMExtractElement => {
                let labels = self.labels_of(instruction.operand(0));
                let index = self.lane_index(instruction, instruction.operand(1));
                let mut picked = self.pass.no_label();
                for (lane, label) in labels.into_iter().enumerate() {
                    picked = self.if_lane(index, lane, label, picked);
                }
                vec![picked]
            }
            LLVMOpcode::LLVMInsertElement => {
                let labels = self.labels_of(instruction.operand(0));
                let new = self.label_of(instruction.operand(1));
                let index = self.lane_index(instruction, instruction.operand(2));
                labels
                    .into_iter()
                    .enumerate()
                    .map(|(lane, label)| self.if_lane(index, lane, new, label))
                    .collect()
            }
            _ => {
                let mut lanes = self.labels_of(instruction.operand(0));
                lanes.extend(self.labels_of(instruction.operand(1)));
                instruction
                    .shuffle_mask()
                    .into_iter()
                    .map(|lane| usize::try_from(lane).map_or(self.pass.no_label(), |lane| lanes[lane]))
                    .collect()
            }
        };
        self.set_labels(instruction, labels);
    }

    fn lane_index(&mut self, instruction: Value, index: Value) -> Value {
        let label = self.label_of(index);
        if !label.is_null() {
            let site = self.site(SiteInfoKind::Concretising, instruction, "symbolic lane number");
            self.concretise(site, label);
        }
        self.pass.resize(index, self.pass.types.i64)
    }

    /// `index == lane ? yes : no`, decided now if the index is a constant.
    fn if_lane(&self, index: Value, lane: usize, yes: Value, no: Value) -> Value {
        match index.constant_u64() {
            Some(constant) if constant == lane as u64 => yes,
            Some(_) => no,
            None => {
                let pass = &*self.pass;
                let equal = pass.compare(LLVMIntPredicate::LLVMIntEQ, index, pass.u64(lane as u64));
                pass.choose(equal, yes, no)
            }
        }
    }
}
