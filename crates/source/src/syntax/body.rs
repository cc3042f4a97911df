//! A function body with the questions that all static facts ask about it.
//!
//! Takes the tree of the preprocessed text; answers what a name refers to, who is called, what has an effect. Never
//! changes anything.

use crate::clang::{Cursor, binary, node, unary};
use crate::syntax::tree::{NodeId, Tree};
use crate::{FunctionId, SiteId};

/// A function and its body.
pub struct Body<'tu> {
    /// Which function.
    pub id: FunctionId,
    /// Its definition.
    pub cursor: Cursor<'tu>,
    /// Its body in the preprocessed text.
    pub tree: Tree<'tu>,
    /// Its body in the original, where that has the same shape.
    pub original: Option<Tree<'tu>>,
    /// The node of each site.
    pub sites: Vec<(NodeId, SiteId)>,
}

/// A declaration by the offset of its name in the preprocessed text, which no other declaration has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Declaration(pub usize);

impl Declaration {
    /// The number of a declaration.
    pub fn of(cursor: Cursor) -> Self {
        Self(cursor.location().in_file().offset)
    }
}

impl<'tu> Tree<'tu> {
    /// Without parentheses, implicit conversions and `__extension__`.
    pub fn plain(&self, mut id: NodeId) -> NodeId {
        loop {
            let see_through = matches!(self.kind(id), node::PAREN | node::UNEXPOSED_EXPR)
                || self.cursor(id).unary_operator() == unary::EXTENSION;
            match self.children(id) {
                [inner] if see_through => id = *inner,
                _ => return id,
            }
        }
    }

    /// As [`Self::plain`], casts looked through too.
    pub fn value(&self, id: NodeId) -> NodeId {
        let id = self.plain(id);
        match (self.kind(id), self.children(id).last()) {
            (node::CAST, Some(&operand)) => self.value(operand),
            _ => id,
        }
    }

    /// The variable, parameter or function that an expression names.
    pub fn named(&self, id: NodeId) -> Option<Cursor<'tu>> {
        let id = self.plain(id);
        if self.kind(id) != node::NAME {
            return None;
        }
        self.cursor(id).referenced()
    }

    /// The function that a call calls, where that is written there.
    pub fn callee(&self, call: NodeId) -> Option<Cursor<'tu>> {
        let &callee = self.children(call).first()?;
        let mut callee = self.plain(callee);
        // `(*f)(x)` and `(&f)(x)` call f.
        while let unary::DEREFERENCE | unary::ADDRESS_OF = self.cursor(callee).unary_operator() {
            callee = self.plain(*self.children(callee).first()?);
        }
        self.named(callee).filter(|callee| callee.kind() == node::FUNCTION)
    }

    /// Whether execution may get behind a statement, as far as its last part says: a `return` there lets none.
    pub fn may_fall_off(&self, statement: NodeId) -> bool {
        match (self.kind(statement), self.children(statement).last()) {
            (node::RETURN, _) => false,
            (node::COMPOUND | node::LABEL, Some(&last)) => self.may_fall_off(last),
            _ => true,
        }
    }

    /// Whether a statement goes elsewhere at its end: it returns, jumps, leaves a loop or ends the program.
    pub fn leaves(&self, statement: NodeId) -> bool {
        match self.kind(statement) {
            node::RETURN | node::BREAK | node::CONTINUE | node::GOTO => true,
            node::CALL => {
                self.callee(statement).is_some_and(|callee| callee.ty().spelling().contains("noreturn"))
            }
            node::COMPOUND => self.children(statement).last().is_some_and(|&last| self.leaves(last)),
            _ => false,
        }
    }

    /// Whether a condition is that of an `if` one side of which goes elsewhere: it refuses what does not suit.
    pub fn refuses(&self, condition: NodeId) -> bool {
        let around = self.governed(condition);
        let sides = self.children(around).get(1..).unwrap_or_default();
        self.kind(around) == node::IF && sides.iter().any(|&side| self.leaves(side))
    }

    /// What a condition decides over: its `if`, loop, switch or `?:`, or else the expression it is part of.
    pub fn governed(&self, condition: NodeId) -> NodeId {
        let mut around = condition;
        while self.nodes[around].parent != around {
            let parent = self.nodes[around].parent;
            match self.kind(parent) {
                node::IF | node::WHILE | node::DO | node::FOR | node::SWITCH | node::CONDITIONAL => {
                    return parent;
                }
                _ if self.cursor(parent).is_expression() => around = parent,
                _ => break,
            }
        }
        around
    }

    /// Arguments of a call.
    pub fn arguments(&self, call: NodeId) -> &[NodeId] {
        self.children(call).get(1..).unwrap_or_default()
    }

    /// Whether this name stands where a call says what to call.
    pub fn is_called(&self, mut id: NodeId) -> bool {
        loop {
            let parent = self.nodes[id].parent;
            let operator = self.cursor(parent).unary_operator();
            match self.kind(parent) {
                node::CALL => return self.children(parent).first() == Some(&id),
                node::PAREN | node::UNEXPOSED_EXPR if parent != id => id = parent,
                node::UNARY if matches!(operator, unary::DEREFERENCE | unary::ADDRESS_OF) => id = parent,
                _ => return false,
            }
        }
    }

    /// Whether evaluating this does more than give a value.
    pub fn has_effect(&self, id: NodeId) -> bool {
        self.evaluated(id).into_iter().any(|id| {
            matches!(self.kind(id), node::CALL | node::STATEMENT_EXPR | node::ASSEMBLER)
                || self.changes_something(id)
        })
    }

    /// Whether this operator assigns, whatever its operands do.
    pub fn changes_something(&self, id: NodeId) -> bool {
        match self.kind(id) {
            node::COMPOUND_ASSIGNMENT => true,
            node::UNARY => {
                (unary::POST_INCREMENT..=unary::PRE_DECREMENT).contains(&self.cursor(id).unary_operator())
            }
            node::BINARY => self.cursor(id).binary_operator() == binary::ASSIGN,
            _ => false,
        }
    }

    /// The nodes below and with this one, without operands of `sizeof` and its kin.
    pub fn evaluated(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut next = id;
        while next < self.nodes[id].end {
            if self.kind(next) == node::TYPE_TRAIT {
                next = self.nodes[next].end;
            } else {
                found.push(next);
                next += 1;
            }
        }
        found
    }
}
