//! First-class structs and arrays.
//!
//! ```text
//! %r = extractvalue { i32, i1 } %pair, 1
//! %s = insertvalue { i32, i1 } %pair, i32 %x, 0
//! ```
//! emits nothing: an aggregate carries one label per leaf, so `%r.label` is the second label of `%pair`, and `%s` has
//! the labels `[%x.label, second label of %pair]`.

use super::shape::leaf_range;
use super::{Body, LLVMOpcode, Value};

impl Body<'_, '_> {
    pub(super) fn aggregate(&mut self, instruction: Value) {
        let whole = instruction.operand(0);
        let mut labels = self.labels_of(whole);
        let (first, count) = leaf_range(whole.ty(), &instruction.indices());
        if instruction.opcode() == LLVMOpcode::LLVMExtractValue {
            self.set_labels(instruction, labels[first..first + count].to_vec());
        } else {
            labels.splice(first..first + count, self.labels_of(instruction.operand(1)));
            self.set_labels(instruction, labels);
        }
    }
}
