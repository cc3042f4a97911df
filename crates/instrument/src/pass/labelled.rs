//! Which values of a function can be symbolic at all.
//!
//! Takes the instructions of a function, gives the set of values that may get a label. What cannot (a loop counter
//! that starts at a constant, the address of a local) needs no hooks, which is what keeps concrete loops fast.

use std::collections::HashSet;

use super::call::Callee;
use super::emit::is_plain;
use super::{Block, Pass, Value};
use crate::ir::LLVMOpcode;

impl Pass<'_> {
    /// The values that may be symbolic: parameters, what is loaded or returned, and what is computed from those.
    pub(super) fn labelled_values(&self, function: Value, blocks: &[(Block, Vec<Value>)]) -> HashSet<Value> {
        let mut labelled: HashSet<Value> =
            function.params().into_iter().filter(|param| self.has_label_slot(*param)).collect();
        let instructions = || blocks.iter().flat_map(|(_, instructions)| instructions).copied();
        let unlabelled = self.parts_of_checks(instructions());
        loop {
            let before = labelled.len();
            for instruction in instructions().filter(|instruction| !unlabelled.contains(instruction)) {
                if !labelled.contains(&instruction) && self.may_be_labelled(instruction, &labelled) {
                    labelled.insert(instruction);
                }
            }
            if labelled.len() == before {
                return labelled;
            }
        }
    }

    fn has_label_slot(&self, value: Value) -> bool {
        value.ty().is_value()
    }

    fn may_be_labelled(&self, instruction: Value, labelled: &HashSet<Value>) -> bool {
        use LLVMOpcode::*;
        if !self.has_label_slot(instruction) {
            return false;
        }
        let computed_from_labelled = || {
            instruction
                .value_operands()
                .iter()
                .any(|operand| !is_plain(*operand) && labelled.contains(operand))
        };
        match instruction.opcode() {
            LLVMLoad => true,
            LLVMAlloca => false,
            LLVMCall => match self.callee_of(instruction) {
                Callee::Instrumented(_) | Callee::Indirect => true,
                Callee::Intrinsic(_) | Callee::Math(_) | Callee::Decision => computed_from_labelled(),
                Callee::Condition
                | Callee::Switch
                | Callee::Begin
                | Callee::Statement
                | Callee::Assumption
                | Callee::Check
                | Callee::Copies
                | Callee::Fits
                | Callee::Runtime
                | Callee::Native(_)
                | Callee::Assembly => false,
            },
            _ => computed_from_labelled(),
        }
    }
}
