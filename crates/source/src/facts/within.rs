//! Which results of calls lead into an argument: `s = skip(s)`, `end = find(s, c); n = end - s`.
//!
//! Takes bodies; gives, for each such argument, who is called, its position and how the unit shows it: the variable that
//! was handed over gets the result, or the two are compared or subtracted. Never: functions with a body.

use crate::LedInto;
use crate::clang::{Cursor, binary, node, ty};
use crate::layout::TypeBuilder;
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};

/// Looks through all bodies.
pub fn find(bodies: &[Body], types: &mut TypeBuilder) -> Vec<LedInto> {
    let mut found = Vec::new();
    for body in bodies {
        let tree = &body.tree;
        let evaluated = tree.evaluated(0);
        for &call in evaluated.iter().filter(|&&id| tree.kind(id) == node::CALL) {
            let callee = tree.callee(call);
            if callee.is_some_and(|callee| callee.definition().is_some()) {
                continue;
            }
            let Some(&called) = tree.children(call).first() else { continue };
            let called = tree.cursor(called).ty().canonical();
            let function = if called.kind() == ty::POINTER { called.pointee().canonical() } else { called };
            for (position, &argument) in tree.arguments(call).iter().enumerate() {
                let Some(handed) = variable(tree, argument) else { continue };
                let Some(by_assignment) = is_led(tree, &evaluated, call, handed) else { continue };
                let callee = callee.map(|callee| callee.name());
                let ty = types.add(function);
                found.push(LedInto { callee, ty, position: position as u32, by_assignment });
            }
        }
    }
    found
}

/// Whether the unit takes the call's result for a place in what it handed over; true where only an assignment says so.
fn is_led(tree: &Tree, evaluated: &[NodeId], call: NodeId, handed: Declaration) -> Option<bool> {
    let (mut inner, mut outer) = (call, tree.nodes[call].parent);
    while outer != inner && matches!(tree.kind(outer), node::PAREN | node::UNEXPOSED_EXPR | node::CAST) {
        (inner, outer) = (outer, tree.nodes[outer].parent);
    }
    let is_handed = |id: NodeId| variable(tree, id) == Some(handed);
    let holder = match tree.children(outer) {
        _ if tree.kind(outer) == node::VARIABLE => Declaration::of(tree.cursor(outer)),
        [to, value] if *value == inner && tree.cursor(outer).binary_operator() == binary::ASSIGN => {
            variable(tree, *to)?
        }
        [left, right] if is_measured(tree, outer) && (is_handed(*left) || is_handed(*right)) => {
            return Some(false);
        }
        _ => return None,
    };
    let is_holder = |id: NodeId| variable(tree, id) == Some(holder);
    if holder == handed {
        return Some(true);
    }
    let compares = |&&id: &&NodeId| match tree.children(id) {
        [left, right] if is_measured(tree, id) => {
            is_handed(*left) && is_holder(*right) || is_holder(*left) && is_handed(*right)
        }
        _ => false,
    };
    evaluated.iter().find(compares).map(|_| false)
}

/// `p - q`, `p < q`, `p == q`.
fn is_measured(tree: &Tree, id: NodeId) -> bool {
    let operator = tree.cursor(id).binary_operator();
    tree.kind(id) == node::BINARY
        && (operator == binary::SUBTRACT || (binary::LESS..=binary::NOT_EQUAL).contains(&operator))
}

/// The variable or parameter that an expression names.
fn variable(tree: &Tree, id: NodeId) -> Option<Declaration> {
    let is_variable = |target: &Cursor| matches!(target.kind(), node::VARIABLE | node::PARAMETER);
    tree.named(tree.value(id)).filter(is_variable).map(Declaration::of)
}
