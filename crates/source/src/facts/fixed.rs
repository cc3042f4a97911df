//! Which variables of the file keep the value they begin with: `static` ones that no function writes or hands out.
//!
//! Takes bodies and the file's variables with their initialisers; gives the names of those that something may change, or
//! may lead to. What leads to a variable counts unless it can only read there. Never looks at values, nor at variables that
//! other files see.

use std::collections::HashSet;

use crate::clang::{ClangType, Cursor, binary, node, ty, unary};
use crate::syntax::body::Body;
use crate::syntax::tree::{NodeId, Tree};

/// The names of the variables at file scope that may change.
pub fn changing(bodies: &[Body], top: &[Cursor]) -> HashSet<String> {
    let variables = top.iter().filter(|cursor| cursor.kind() == node::VARIABLE);
    let initialisers = variables.filter_map(|variable| variable.initialiser()).map(Tree::of);
    let mut found = HashSet::new();
    initialisers.for_each(|tree| collect(&tree, &mut found));
    bodies.iter().for_each(|body| collect(&body.tree, &mut found));
    found
}

fn collect(tree: &Tree, found: &mut HashSet<String>) {
    for id in tree.evaluated(0).into_iter().filter(|&id| tree.kind(id) == node::NAME) {
        let target = tree.cursor(id).referenced().filter(|target| target.kind() == node::VARIABLE);
        let Some(target) = target.filter(|target| target.is_file_scope()) else { continue };
        if !is_only_read(tree, id) {
            found.insert(target.name());
        }
    }
}

/// Whether the object that an expression names is only read there.
fn is_only_read(tree: &Tree, object: NodeId) -> bool {
    let is_array = tree.cursor(object).ty().canonical().is_array();
    // Parentheses, and what it is converted to.
    let mut id = object;
    while matches!(tree.kind(tree.nodes[id].parent), node::PAREN | node::UNEXPOSED_EXPR)
        && tree.nodes[id].parent != id
    {
        id = tree.nodes[id].parent;
    }
    let parent = tree.nodes[id].parent;
    if parent == id {
        return !is_array || leads_to_const(tree.cursor(id).ty());
    }
    let is_first = tree.children(parent).first() == Some(&id);
    match tree.kind(parent) {
        // A part of it; what a pointer in it leads to is another object.
        node::MEMBER => is_pointer(tree.cursor(id).ty()) && !is_array || is_only_read(tree, parent),
        node::SUBSCRIPT if is_array => is_only_read(tree, parent),
        node::SUBSCRIPT => true,
        node::UNARY => match tree.cursor(parent).unary_operator() {
            unary::ADDRESS_OF => false,
            unary::DEREFERENCE => !is_array || is_only_read(tree, parent),
            _ => !tree.changes_something(parent),
        },
        node::BINARY => match tree.cursor(parent).binary_operator() {
            binary::ASSIGN if is_first => false,
            binary::LESS..=binary::NOT_EQUAL => true,
            _ => !is_array || leads_to_const(tree.cursor(id).ty()),
        },
        node::COMPOUND_ASSIGNMENT if is_first => false,
        node::ASSEMBLER => false,
        _ => !is_array || leads_to_const(tree.cursor(id).ty()),
    }
}

fn is_pointer(of: ClangType) -> bool {
    of.canonical().kind() == ty::POINTER
}

fn leads_to_const(of: ClangType) -> bool {
    is_pointer(of) && of.canonical().pointee().is_const()
}
