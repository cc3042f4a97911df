//! The body of one function as a flat tree: nodes in pre-order, so that the trees of the same function in the original
//! and in the preprocessed text pair up by number.

use crate::clang::{Cursor, node};

/// A node by number.
pub type NodeId = usize;

/// One node.
pub struct Node<'tu> {
    /// What libclang says about it.
    pub cursor: Cursor<'tu>,
    /// Children in libclang's order; of `a ?: b` just `a` and `b`.
    pub children: Vec<NodeId>,
    /// The node around it; the root is its own.
    pub parent: NodeId,
    /// The number after the last node below this one.
    pub end: NodeId,
    /// This is `a ?: b`.
    pub is_binary_conditional: bool,
}

/// The tree of a function body.
pub struct Tree<'tu> {
    /// Nodes in pre-order; 0 is the body's compound statement.
    pub nodes: Vec<Node<'tu>>,
}

impl<'tu> Tree<'tu> {
    /// The tree of a function's body; `None` for a mere declaration.
    pub fn of_function(function: Cursor<'tu>) -> Option<Self> {
        let body = function.children().into_iter().rfind(|child| child.kind() == node::COMPOUND)?;
        Some(Self::of(body))
    }

    /// The tree below a cursor.
    pub fn of(root: Cursor<'tu>) -> Self {
        let mut tree = Tree { nodes: Vec::new() };
        tree.add(root, 0);
        tree
    }

    fn add(&mut self, cursor: Cursor<'tu>, parent: NodeId) -> NodeId {
        let id = self.nodes.len();
        let mut children = cursor.children();
        let is_binary_conditional = is_binary_conditional(cursor, &children);
        if is_binary_conditional {
            // libclang shows the first operand of `a ?: b` three times: as itself, as condition and as value.
            children.drain(1..3);
        }
        self.nodes.push(Node { cursor, children: Vec::new(), parent, end: id + 1, is_binary_conditional });
        for child in children {
            let child = self.add(child, id);
            self.nodes[id].children.push(child);
        }
        self.nodes[id].end = self.nodes.len();
        id
    }

    /// Whether both trees have the same nodes in the same order.
    pub fn same_shape(&self, other: &Tree) -> bool {
        self.nodes.len() == other.nodes.len()
            && self
                .nodes
                .iter()
                .zip(&other.nodes)
                .all(|(a, b)| a.cursor.kind() == b.cursor.kind() && a.children.len() == b.children.len())
    }

    /// The node's cursor.
    pub fn cursor(&self, id: NodeId) -> Cursor<'tu> {
        self.nodes[id].cursor
    }

    /// The node's kind.
    pub fn kind(&self, id: NodeId) -> i32 {
        self.nodes[id].cursor.kind()
    }

    /// The node's children.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.nodes[id].children
    }

    /// The node's bytes in the text, which must be free of macros.
    pub fn range(&self, id: NodeId) -> (usize, usize) {
        self.nodes[id].cursor.range()
    }

    /// The node and all nodes below it.
    pub fn subtree(&self, id: NodeId) -> std::ops::Range<NodeId> {
        id..self.nodes[id].end
    }
}

/// `a ?: b` has no kind of its own in libclang; it is the only unexposed expression whose first child comes twice.
fn is_binary_conditional(cursor: Cursor, children: &[Cursor]) -> bool {
    cursor.kind() == node::UNEXPOSED_EXPR && children.len() == 4 && children[0].same_as(children[1])
}
