//! Which conditions are constants.
//!
//! Follows clang's coverage mapping: a condition of integer type whose value clang can compute, without skipping over
//! anything that might have an effect, is folded away and has no two sides to cover.

use crate::clang::{binary, node, ty, unary};
use crate::syntax::tree::{NodeId, Tree};

/// Whether clang folds the condition, so that neither of its sides counts.
pub fn folds(tree: &Tree, id: NodeId) -> bool {
    value(tree, id).is_some() && !skips_an_effect(tree, id)
}

/// The truth of a condition that clang folds.
pub fn folded(tree: &Tree, id: NodeId) -> Option<bool> {
    folds(tree, id).then(|| value(tree, id) != Some(0))
}

/// The truth of a condition that is a string literal, with any number of `!` before it: `assert(p && "text")`. clang folds
/// no pointers, so both of its sides count; but it has an address, whatever happens.
pub fn literal(tree: &Tree, id: NodeId) -> Option<bool> {
    let (mut id, mut truth) = (id, true);
    while tree.kind(id) != node::STRING {
        truth ^= tree.cursor(id).unary_operator() == unary::LOGICAL_NOT;
        let see_through = matches!(tree.kind(id), node::PAREN | node::UNEXPOSED_EXPR | node::UNARY);
        match tree.children(id) {
            [inner] if see_through => id = *inner,
            _ => return None,
        }
    }
    Some(truth)
}

/// The integer value of an expression, if it has integer type and clang can compute it.
fn value(tree: &Tree, id: NodeId) -> Option<i128> {
    let cursor = tree.cursor(id);
    let kind = cursor.ty().canonical().kind();
    if ty::is_integer(kind) || kind == ty::BOOL || kind == ty::ENUM { cursor.constant() } else { None }
}

/// Whether the value was found only by ignoring an operand whose own value is not known: `f(), 1` and `x && 0` have
/// values, but clang does not take them for constants.
fn skips_an_effect(tree: &Tree, id: NodeId) -> bool {
    let children = tree.children(id);
    match tree.kind(id) {
        node::BINARY => {
            let operator = tree.cursor(id).binary_operator();
            let [left, right] = children else { return false };
            let left_value = value(tree, *left);
            match operator {
                binary::LOGICAL_AND | binary::LOGICAL_OR => {
                    let Some(left_value) = left_value else { return true };
                    let decided = (left_value != 0) == (operator == binary::LOGICAL_OR);
                    skips_an_effect(tree, *left) || (!decided && skips_an_effect(tree, *right))
                }
                binary::COMMA => {
                    let ignores_left = left_value.is_none() && !is_void_constant(tree, *left);
                    ignores_left || skips_an_effect(tree, *left) || skips_an_effect(tree, *right)
                }
                _ => skips_an_effect(tree, *left) || skips_an_effect(tree, *right),
            }
        }
        node::CONDITIONAL => {
            let [condition, yes, no] = children else { return false };
            let chosen = if value(tree, *condition) == Some(0) { no } else { yes };
            skips_an_effect(tree, *condition) || skips_an_effect(tree, *chosen)
        }
        // Operands of these are never evaluated.
        node::TYPE_TRAIT | node::GENERIC | node::CALL => false,
        node::STATEMENT_EXPR => children.iter().any(|&body| tree.children(body).len() > 1),
        _ => children.iter().any(|&child| tree.cursor(child).is_expression() && skips_an_effect(tree, child)),
    }
}

/// `(void)0`.
fn is_void_constant(tree: &Tree, id: NodeId) -> bool {
    match (tree.kind(id), tree.children(id)) {
        (node::PAREN | node::CAST, [.., inner]) => {
            value(tree, *inner).is_some() || is_void_constant(tree, *inner)
        }
        _ => false,
    }
}
