//! Which functions a body calls without naming them: through a pointer, of which the type is known.
//!
//! Takes a body; gives the types of the functions called so. Never: which functions these may be.

use crate::TypeId;
use crate::clang::{node, ty};
use crate::layout::TypeBuilder;
use crate::syntax::body::Body;

/// The types of the functions that a body calls through pointers, each once, in source order.
pub fn find(body: &Body, types: &mut TypeBuilder) -> Vec<TypeId> {
    let tree = &body.tree;
    let mut found = Vec::new();
    for call in tree.evaluated(0).into_iter().filter(|&id| tree.kind(id) == node::CALL) {
        let Some(&called) = tree.children(call).first() else { continue };
        if tree.callee(call).is_some() {
            continue;
        }
        let called = tree.cursor(called).ty().canonical();
        let function = if called.kind() == ty::POINTER { called.pointee().canonical() } else { called };
        let function = types.add(function);
        if !found.contains(&function) {
            found.push(function);
        }
    }
    found
}
