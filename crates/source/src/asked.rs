//! What conditions ask of parameters: whether a pointer is null, or anything else of a value.
//!
//! Takes bodies and what their local pointers stand for; sets what the conditions of a function ask of each parameter. What
//! a pointer leads to, what is handed to a function and what only is an index is not asked about. Never looks at values.

use crate::body::{Body, Declaration};
use crate::clang::{binary, node, unary};
use crate::flow::{Flow, spot};
use crate::tree::{NodeId, Tree};
use crate::{Asked, Function};

/// Macros around conditions end in a call of this.
const EXPECT: &str = "__builtin_expect";

/// Sets what is asked of each parameter.
pub fn set_params(functions: &mut [Function], bodies: &[Body], flows: &[Flow]) {
    for ((function, body), flow) in functions.iter_mut().zip(bodies).zip(flows) {
        let mut found = Vec::new();
        for &(condition, _) in &body.sites {
            collect(&body.tree, condition, true, &mut found);
        }
        for (param, cursor) in function.params.iter_mut().zip(body.cursor.parameters()) {
            let declaration = Declaration::of(cursor);
            let is_it = |(named, _): &&(Declaration, Asked)| flow.resolve(*named) == declaration;
            param.asked = found.iter().filter(is_it).map(|(_, asked)| *asked).max().unwrap_or_default();
        }
    }
}

/// The spots whose values an expression is about. `is_truth`: only whether it is zero counts.
fn collect(tree: &Tree, id: NodeId, is_truth: bool, found: &mut Vec<(Declaration, Asked)>) {
    let id = tree.value(id);
    let cursor = tree.cursor(id);
    match (tree.kind(id), tree.children(id)) {
        (node::NAME, _) => {
            let asked = if is_truth { Asked::WhetherNull } else { Asked::Value };
            found.extend(spot(tree, id).map(|(named, _)| (named, asked)));
        }
        (node::UNARY, &[operand]) => match cursor.unary_operator() {
            unary::DEREFERENCE | unary::ADDRESS_OF => {}
            unary::LOGICAL_NOT => collect(tree, operand, is_truth, found),
            _ => collect(tree, operand, false, found),
        },
        (node::BINARY, &[left, right]) => {
            let is_zero = |side: NodeId| tree.cursor(tree.value(side)).constant() == Some(0);
            match cursor.binary_operator() {
                binary::EQUAL | binary::NOT_EQUAL if is_zero(right) => collect(tree, left, is_truth, found),
                binary::EQUAL | binary::NOT_EQUAL if is_zero(left) => collect(tree, right, is_truth, found),
                binary::LOGICAL_AND | binary::LOGICAL_OR => {
                    collect(tree, left, true, found);
                    collect(tree, right, true, found);
                }
                binary::COMMA | binary::ASSIGN => collect(tree, right, is_truth, found),
                _ => {
                    collect(tree, left, false, found);
                    collect(tree, right, false, found);
                }
            }
        }
        (node::CONDITIONAL, parts) => parts.iter().for_each(|&part| collect(tree, part, is_truth, found)),
        (node::CALL, _) if tree.callee(id).is_some_and(|callee| callee.name() == EXPECT) => {
            let first = tree.arguments(id).first();
            first.into_iter().for_each(|&first| collect(tree, first, is_truth, found));
        }
        _ => {}
    }
}
