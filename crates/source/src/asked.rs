//! What conditions ask of parameters: whether a pointer is null, or anything else of a value.
//!
//! Takes bodies and what their local pointers stand for; sets what the conditions of a function ask of each parameter. What
//! a pointer leads to, what is handed to a function and what only is an index is not asked about. Never looks at values.

use crate::Function;
use crate::body::{Body, Declaration};
use crate::clang::{binary, node, unary};
use crate::flow::{Flow, spot};
use crate::tree::{NodeId, Tree};

/// Macros around conditions end in a call of this.
const EXPECT: &str = "__builtin_expect";

/// A question about a spot.
struct Question {
    spot: Declaration,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    WhetherNull,
    WhetherEqual,
    HowMuch,
}

/// Sets what is asked of each parameter.
pub fn set_params(functions: &mut [Function], bodies: &[Body], flows: &[Flow]) {
    for ((function, body), flow) in functions.iter_mut().zip(bodies).zip(flows) {
        let mut found = Vec::new();
        for &(condition, _) in &body.sites {
            collect(&body.tree, condition, What::WhetherNull, &mut found);
        }
        for (param, cursor) in function.params.iter_mut().zip(body.cursor.parameters()) {
            let declaration = Declaration::of(cursor);
            for question in found.iter().filter(|question| flow.resolve(question.spot) == declaration) {
                match question.what {
                    What::WhetherNull => param.asked.whether_null = true,
                    What::WhetherEqual => param.asked.whether_equal = true,
                    What::HowMuch => param.asked.how_much = true,
                }
            }
        }
    }
}

/// The questions in an expression of which `what` is asked.
fn collect(tree: &Tree, id: NodeId, what: What, found: &mut Vec<Question>) {
    let id = tree.value(id);
    let cursor = tree.cursor(id);
    let mut both = |left, right, what| {
        collect(tree, left, what, found);
        collect(tree, right, what, found);
    };
    match (tree.kind(id), tree.children(id)) {
        (node::NAME, _) => found.extend(spot(tree, id).map(|(spot, _)| Question { spot, what })),
        (node::UNARY, &[operand]) => match cursor.unary_operator() {
            unary::DEREFERENCE | unary::ADDRESS_OF => {}
            unary::LOGICAL_NOT => collect(tree, operand, what, found),
            _ => collect(tree, operand, What::HowMuch, found),
        },
        (node::BINARY, &[left, right]) => {
            let constant = |side: NodeId| tree.cursor(tree.value(side)).constant();
            match cursor.binary_operator() {
                binary::EQUAL | binary::NOT_EQUAL => match (constant(left), constant(right)) {
                    (_, Some(0)) => collect(tree, left, what, found),
                    (Some(0), _) => collect(tree, right, what, found),
                    (None, None) => both(left, right, What::HowMuch),
                    _ => both(left, right, What::WhetherEqual),
                },
                binary::LOGICAL_AND | binary::LOGICAL_OR => both(left, right, What::WhetherNull),
                binary::COMMA | binary::ASSIGN => collect(tree, right, what, found),
                _ => both(left, right, What::HowMuch),
            }
        }
        (node::CONDITIONAL, parts) => parts.iter().for_each(|&part| collect(tree, part, what, found)),
        (node::CALL, _) if tree.callee(id).is_some_and(|callee| callee.name() == EXPECT) => {
            let first = tree.arguments(id).first();
            first.into_iter().for_each(|&first| collect(tree, first, what, found));
        }
        _ => {}
    }
}
