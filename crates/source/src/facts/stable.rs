//! Conditions that have the same value whenever one call of a function evaluates them.
//!
//! Takes a body; gives the sites that depend on nothing but scalar parameters and constants, directly or by way of local
//! variables that are set once: whatever loops, calls and memory do in between, such a condition gives the same answer
//! each time. So what must hold of several of them on every way to a place can be put to the solver at once.
//!
//! Cautious: what memory, a call, `?:`, `&&` or `||` has a part in is left out. Never: what the conditions say.

use std::collections::BTreeMap;

use crate::SiteId;
use crate::clang::{ClangType, Cursor, binary, node, storage, ty, unary};
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};

/// The sites of a body that are stable.
pub fn find(body: &Body) -> Vec<SiteId> {
    let tree = &body.tree;
    let nodes = tree.evaluated(0);
    // Assembly may write a variable that it names, and a jump may skip an initialiser.
    if nodes.iter().any(|&id| matches!(tree.kind(id), node::ASSEMBLER)) {
        return Vec::new();
    }
    let has_jumps = nodes.iter().any(|&id| matches!(tree.kind(id), node::GOTO | node::INDIRECT_GOTO));
    let mut variables: BTreeMap<Declaration, Origin> = BTreeMap::new();
    for parameter in body.cursor.parameters().into_iter().filter(|&parameter| is_scalar(parameter.ty())) {
        variables.insert(Declaration::of(parameter), Origin::Parameter);
    }
    for &id in nodes.iter().filter(|&&id| tree.kind(id) == node::VARIABLE && !has_jumps) {
        if let Some(initialiser) = set_once(tree, id) {
            variables.insert(Declaration::of(tree.cursor(id)), Origin::Local { initialiser });
        }
    }
    for &id in nodes.iter().filter(|&&id| tree.kind(id) == node::NAME && !is_read(tree, id)) {
        if let Some(target) = tree.cursor(id).referenced() {
            variables.remove(&Declaration::of(target));
        }
    }
    let stable = Stable { tree, variables: &variables };
    body.sites.iter().filter(|&&(id, _)| stable.is_stable(id, 0)).map(|&(_, site)| site).collect()
}

/// Where the value of a variable comes from.
#[derive(Clone, Copy)]
enum Origin {
    Parameter,
    Local { initialiser: NodeId },
}

/// Locals that are initialised from each other further than this count as changing.
const LONGEST_CHAIN: u32 = 16;

struct Stable<'a, 'tu> {
    tree: &'a Tree<'tu>,
    variables: &'a BTreeMap<Declaration, Origin>,
}

impl Stable<'_, '_> {
    fn is_stable(&self, id: NodeId, chain: u32) -> bool {
        let (tree, cursor) = (self.tree, self.tree.cursor(id));
        let all = |children: &[NodeId]| children.iter().all(|&child| self.is_stable(child, chain));
        match tree.kind(id) {
            node::INTEGER | node::FLOATING | node::CHARACTER => true,
            node::PAREN | node::UNEXPOSED_EXPR => match tree.children(id) {
                [inner] => self.is_stable(*inner, chain),
                _ => false,
            },
            node::NAME => cursor.referenced().is_some_and(|target| self.is_stable_name(target, chain)),
            node::UNARY => {
                let operator = cursor.unary_operator();
                let computes = (unary::PLUS..=unary::LOGICAL_NOT).contains(&operator);
                (computes || operator == unary::EXTENSION) && all(tree.children(id))
            }
            node::BINARY => {
                let operator = cursor.binary_operator();
                (binary::MULTIPLY..binary::LOGICAL_AND).contains(&operator) && all(tree.children(id))
            }
            node::CAST => {
                let operand = tree.children(id).last();
                is_scalar(cursor.ty()) && operand.is_some_and(|&operand| self.is_stable(operand, chain))
            }
            node::TYPE_TRAIT => cursor.constant().is_some(),
            _ => false,
        }
    }

    fn is_stable_name(&self, target: Cursor, chain: u32) -> bool {
        if target.kind() == node::ENUM_CONSTANT {
            return true;
        }
        match self.variables.get(&Declaration::of(target)) {
            Some(Origin::Parameter) => true,
            Some(Origin::Local { initialiser }) => {
                chain < LONGEST_CHAIN && self.is_stable(*initialiser, chain + 1)
            }
            None => false,
        }
    }
}

/// The initialiser of a scalar variable with automatic storage that is always executed before the variable is seen.
fn set_once(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let cursor = tree.cursor(id);
    let initialiser = cursor.initialiser()?;
    let is_automatic = !matches!(cursor.storage(), storage::STATIC | storage::EXTERN);
    if !is_automatic || !is_scalar(cursor.ty()) || may_be_jumped_over(tree, id) {
        return None;
    }
    tree.children(id).iter().copied().rfind(|&child| initialiser.same_as(tree.cursor(child)))
}

/// Whether a `case` of a switch around it stands in the block of a declaration.
fn may_be_jumped_over(tree: &Tree, declaration: NodeId) -> bool {
    let mut block = declaration;
    while tree.kind(block) != node::COMPOUND && block != 0 {
        block = tree.nodes[block].parent;
    }
    let is_case = |&id: &NodeId| matches!(tree.kind(id), node::CASE | node::DEFAULT);
    tree.subtree(block).filter(is_case).any(|mut id| {
        while tree.kind(id) != node::SWITCH && id != 0 {
            id = tree.nodes[id].parent;
        }
        !tree.subtree(block).contains(&id) || id == block
    })
}

/// Whether a name only gives its value: the compiler converts it to one on the spot.
fn is_read(tree: &Tree, mut id: NodeId) -> bool {
    loop {
        let parent = tree.nodes[id].parent;
        match tree.kind(parent) {
            node::PAREN if parent != id => id = parent,
            kind => return kind == node::UNEXPOSED_EXPR && tree.children(parent).len() == 1,
        }
    }
}

/// An integer, an enumeration or a floating-point number, not `volatile` and not atomic.
fn is_scalar(of: ClangType) -> bool {
    let canonical = of.canonical();
    let kind = canonical.kind();
    let is_number = matches!(kind, ty::BOOL | ty::ENUM | ty::FLOAT | ty::DOUBLE | ty::LONG_DOUBLE);
    (is_number || ty::is_integer(kind)) && !canonical.spelling().contains("volatile")
}
