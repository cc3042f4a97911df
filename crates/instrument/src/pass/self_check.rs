//! Self-check builds: the concrete value of every labelled result is shown to the runtime.
//!
//! ```text
//! %r = add i32 %a, %b
//! ```
//! becomes, after its own label was made,
//! ```text
//! %r = add i32 %a, %b
//! %r64 = zext i32 %r to i64
//! call void @tkf_self_check(i32 %r.label, i64 %r64)
//! ```
//! so that evaluating the label's node on the run's input must give the same number. What is wider than 64 bits is shown
//! in two parts.

use super::shape::scalar;
use super::{Body, LLVMOpcode, Value};

impl Body<'_, '_> {
    /// Shows the result of an instruction, if this is a self-check build and the result can be symbolic. A phi only
    /// passes on what was shown before.
    ///
    /// `next` is the instruction that followed before hooks were added: a call's labels are made after the call.
    pub(super) fn check_result(&mut self, instruction: Value, next: Option<Value>) {
        if !self.pass.self_check || instruction.opcode() == LLVMOpcode::LLVMPHI {
            return;
        }
        let Some(labels) = self.labels.get(&instruction).cloned() else { return };
        let Some(next) = next else { return };
        self.before(next);
        let pass = &*self.pass;
        for (leaf, label) in pass.leaves(instruction.ty()).iter().zip(labels) {
            let width = scalar(leaf.ty).width();
            if label.is_null() || width == 0 {
                continue;
            }
            let value = pass.leaf_value(instruction, leaf);
            pass.hook("tkf_self_check", &[label, pass.as_u64(value)]);
            if width > 64 {
                let bits = pass.as_u128(value);
                let high = pass.op(LLVMOpcode::LLVMLShr, bits, bits.ty().constant(64));
                let high_label = self.extract(64, width - 64, label);
                pass.hook("tkf_self_check", &[high_label, pass.resize(high, pass.types.i64)]);
            }
        }
    }
}
