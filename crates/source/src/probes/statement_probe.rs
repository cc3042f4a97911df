//! Where the probe of a statement goes.
//!
//! Takes a statement in the preprocessed text; says what to put where so that the probe runs just before it. A statement
//! directly inside a block has its probe in front. One that is the body of something else needs braces around both,
//! except an expression, `if` and `switch`, which take the probe into their expression: a long chain of `else if` must not
//! become as many nested blocks. Never changes the scope of a declaration.

use crate::clang::node;
use crate::syntax::text::{Lexer, before_directives};
use crate::syntax::tree::{NodeId, Tree};

/// The place of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbePlace {
    /// `probe; statement`.
    Before {
        /// Offset of the statement.
        at: usize,
    },
    /// `{ probe; statement }`.
    Braces {
        /// Offset of the statement.
        at: usize,
        /// Offset after it.
        end: usize,
    },
    /// `probe, expression`.
    Comma {
        /// Offset of the expression.
        at: usize,
    },
}

/// Finds the place for the probe of a statement.
pub fn place(tree: &Tree, text: &str, statement: NodeId) -> ProbePlace {
    let anchor = anchor(tree, statement);
    let at = before_directives(text, tree.range(anchor).0);
    if stands_in_block(tree, anchor) {
        return ProbePlace::Before { at };
    }
    let head = match tree.kind(anchor) {
        node::IF | node::SWITCH => tree.children(anchor).first().copied(),
        _ if tree.cursor(anchor).is_expression() => Some(anchor),
        _ => None,
    };
    match head {
        Some(head) => ProbePlace::Comma { at: tree.range(head).0 },
        None => ProbePlace::Braces { at, end: end(tree, text, anchor) },
    }
}

/// The statement with what belongs to it in front: attributes and directives of the compiler.
fn anchor(tree: &Tree, statement: NodeId) -> NodeId {
    let mut anchor = statement;
    loop {
        let parent = tree.nodes[anchor].parent;
        let holds_statements = matches!(
            tree.kind(parent),
            node::COMPOUND
                | node::IF
                | node::WHILE
                | node::DO
                | node::FOR
                | node::SWITCH
                | node::LABEL
                | node::CASE
                | node::DEFAULT
        );
        if parent == anchor || holds_statements || !tree.cursor(parent).is_statement() {
            return anchor;
        }
        anchor = parent;
    }
}

/// Whether another statement can stand in front of it, behind its labels.
fn stands_in_block(tree: &Tree, statement: NodeId) -> bool {
    let mut parent = tree.nodes[statement].parent;
    while matches!(tree.kind(parent), node::LABEL | node::CASE | node::DEFAULT) {
        parent = tree.nodes[parent].parent;
    }
    tree.kind(parent) == node::COMPOUND
}

/// The offset after a statement, its semicolon included.
fn end(tree: &Tree, text: &str, statement: NodeId) -> usize {
    let own_end = tree.range(statement).1;
    match (tree.kind(statement), tree.children(statement).last()) {
        (node::COMPOUND | node::NULL_STMT | node::DECLARATION_STMT, _) => own_end,
        (
            node::IF
            | node::WHILE
            | node::FOR
            | node::SWITCH
            | node::LABEL
            | node::CASE
            | node::DEFAULT
            | node::UNEXPOSED_STMT,
            Some(&body),
        ) => end(tree, text, body),
        _ => Lexer::new(text, own_end).after_semicolon().unwrap_or(own_end),
    }
}
