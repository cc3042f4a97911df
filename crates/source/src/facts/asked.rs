//! What conditions ask of parameters: whether a pointer is null, or anything else of a value.
//!
//! Takes bodies and what their local pointers stand for; sets what the conditions of a function ask of each parameter. What
//! a pointer leads to, what is handed to a function and what only is an index is not asked about. How large a number may be
//! is asked where the answer decides whether the function goes on, and by a comparison with something that is fixed: in
//! `i < n` of a loop, n says how far it goes, and not what n may be. Also says of one condition whether it holds variables to
//! one another, and whether what it decides over changes what it asks about. Never looks at values.

use crate::Function;
use crate::clang::{binary, node, unary};
use crate::facts::flow::{Flow, spot};
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};

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

impl Question {
    fn is_how_much(&self) -> bool {
        matches!(self.what, What::HowMuch)
    }
}

/// Whether a condition holds variables of its function to one another.
pub fn is_relative(tree: &Tree, condition: NodeId) -> bool {
    let mut found = Vec::new();
    collect(tree, condition, asked_of(tree, condition), &mut found);
    varies(&found)
}

/// Whether what a condition decides over changes what it asks about, or gives another value for it.
pub fn adjusts(tree: &Tree, condition: NodeId) -> bool {
    let mut found = Vec::new();
    collect(tree, condition, asked_of(tree, condition), &mut found);
    let is_asked = |id: NodeId| {
        spot(tree, id).is_some_and(|(spot, _)| found.iter().any(|question| question.spot == spot))
    };
    let around = tree.governed(condition);
    let sides = tree.children(around).get(1..).unwrap_or_default();
    let mut inside = sides.iter().flat_map(|&side| tree.subtree(side));
    match tree.kind(around) {
        node::CONDITIONAL => inside.any(is_asked),
        node::IF => inside.any(|id| {
            tree.changes_something(id) && tree.children(id).first().is_some_and(|&target| is_asked(target))
        }),
        _ => false,
    }
}

/// Whether one condition holds several values to one another.
fn varies(questions: &[Question]) -> bool {
    let mut spots = questions.iter().filter(|question| question.is_how_much()).map(|question| question.spot);
    let first = spots.next();
    spots.any(|spot| Some(spot) != first)
}

/// Sets what is asked of each parameter.
pub fn set_params(functions: &mut [Function], bodies: &[Body], flows: &[Flow]) {
    for ((function, body), flow) in functions.iter_mut().zip(bodies).zip(flows) {
        let mut found = Vec::new();
        for &(condition, _) in &body.sites {
            let asked = found.len();
            collect(&body.tree, condition, asked_of(&body.tree, condition), &mut found);
            if !body.tree.refuses(condition) || varies(&found[asked..]) {
                let kept = found.split_off(asked).into_iter().filter(|question| !question.is_how_much());
                found.extend(kept);
            }
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

/// What a site asks of its operand: a switch, whether it is one of its cases; a condition, whether it is 0.
fn asked_of(tree: &Tree, operand: NodeId) -> What {
    if tree.kind(tree.governed(operand)) == node::SWITCH { What::WhetherEqual } else { What::WhetherNull }
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
        (node::NAME, _) => {
            // What the file keeps is fixed as far as one call goes.
            let own = spot(tree, id).filter(|(_, declared)| !declared.is_file_scope());
            found.extend(own.map(|(spot, _)| Question { spot, what }));
        }
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
