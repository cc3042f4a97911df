//! `select` and `phi`.
//!
//! ```text
//! %r = select i1 %c, i32 %a, i32 %b
//! %p = phi i32 [ %a, %left ], [ 7, %right ]
//! ```
//! becomes
//! ```text
//! %r.label = call i32 @tkf_select(i32 32, i32 %c.label, i32 %c32, i32 %a.label, i32 %b.label, i64 %a64, i64 %b64)
//! %r = select i1 %c, i32 %a, i32 %b
//! %p.label = phi i32 [ %a.label, %left ], [ 0, %right ]
//! %p = phi i32 [ %a, %left ], [ 7, %right ]
//! ```

use super::shape::scalar;
use super::{Block, Body, LLVMOpcode, Value, is_vector};

impl Body<'_, '_> {
    pub(super) fn select(&mut self, instruction: Value) {
        let (condition, a, b) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
        if is_vector(condition.ty()) {
            return self.unmodelled(instruction, "vector operation");
        }
        let condition_label = self.label_of(condition);
        let (la, lb) = (self.labels_of(a), self.labels_of(b));
        let pass = &*self.pass;
        let condition = pass.resize(condition, pass.types.i32);
        let labels = pass
            .leaves(instruction.ty())
            .iter()
            .zip(la.into_iter().zip(lb))
            .map(|(leaf, (la, lb))| {
                let width = scalar(leaf.ty).width();
                if width == 0 {
                    return pass.no_label();
                }
                let (a, b) = (pass.leaf_value(a, leaf), pass.leaf_value(b, leaf));
                let head = [pass.u32(width), condition_label, condition, la, lb];
                if width <= 64 {
                    pass.hook("tkf_select", &[head.as_slice(), &[pass.as_u64(a), pass.as_u64(b)]].concat())
                } else {
                    pass.hook(
                        "tkf_select128",
                        &[head.as_slice(), &[pass.as_u128(a), pass.as_u128(b)]].concat(),
                    )
                }
            })
            .collect();
        self.set_labels(instruction, labels);
    }

    /// Makes the label phis, still without incoming labels: those of a loop come from blocks not yet visited.
    pub(super) fn declare_phis(&mut self, blocks: &[(Block, Vec<Value>)]) {
        for &phi in phis(blocks) {
            if self.labelled.contains(&phi) {
                self.before(phi);
                let count = super::shape::leaf_count(phi.ty());
                let labels = (0..count).map(|_| self.pass.phi(self.pass.types.i32)).collect();
                self.set_labels(phi, labels);
            }
        }
    }

    /// Connects the label phis once every label is known.
    pub(super) fn fill_phis(&mut self, blocks: &[(Block, Vec<Value>)]) {
        for &phi in phis(blocks) {
            let Some(label_phis) = self.labels.get(&phi).cloned() else { continue };
            for (value, block) in phi.incoming() {
                for (label_phi, label) in label_phis.iter().zip(self.labels_of(value)) {
                    label_phi.add_incoming(label, block);
                }
            }
        }
    }
}

fn phis(blocks: &[(Block, Vec<Value>)]) -> impl Iterator<Item = &Value> {
    blocks
        .iter()
        .flat_map(|(_, instructions)| instructions)
        .filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMPHI)
}
