//! Conditions of `assert`: they say what a function does not take, and check nothing for its callers.
//!
//! Takes a condition; gives whether all that its failing does is to end the program with the library's message. Never:
//! checks that a project writes itself.

use crate::clang::{binary, node, unary};
use crate::syntax::tree::{NodeId, Tree};

/// What `assert` calls when it fails, by library.
const FAILING: &[&str] = &["__assert_fail", "__assert", "__assert_rtn", "__assert_func", "_assert"];

/// Whether a condition, or a part of one, is that of an assertion.
pub fn is_assertion(tree: &Tree, condition: NodeId) -> bool {
    let (mut inner, mut outer) = (condition, tree.nodes[condition].parent);
    while inner != outer && is_part(tree, outer) {
        (inner, outer) = (outer, tree.nodes[outer].parent);
    }
    let is_branch = matches!(tree.kind(outer), node::IF | node::CONDITIONAL);
    let children = tree.children(outer);
    is_branch && children.first() == Some(&inner) && children[1..].iter().any(|&side| fails(tree, side))
}

/// Whether an expression passes on what it is made of.
fn is_part(tree: &Tree, id: NodeId) -> bool {
    let cursor = tree.cursor(id);
    match tree.kind(id) {
        node::PAREN | node::UNEXPOSED_EXPR | node::CAST => true,
        node::UNARY => cursor.unary_operator() == unary::LOGICAL_NOT,
        node::BINARY => matches!(cursor.binary_operator(), binary::LOGICAL_AND | binary::LOGICAL_OR),
        // `__builtin_expect(condition, 1)`
        node::CALL => tree.callee(id).is_some_and(|callee| callee.name() == "__builtin_expect"),
        _ => false,
    }
}

/// Whether a statement or expression only ends the program.
fn fails(tree: &Tree, id: NodeId) -> bool {
    let id = if tree.kind(id) == node::COMPOUND { tree.children(id).first().copied() } else { Some(id) };
    let call = id.map(|id| tree.value(id)).filter(|&id| tree.kind(id) == node::CALL);
    let callee = call.and_then(|call| tree.callee(call));
    callee.is_some_and(|callee| FAILING.contains(&callee.name().as_str()))
}
