//! Which arguments lead to memory that the caller has not written yet: whoever gets one is there to fill it.
//!
//! Takes bodies; gives, for each such argument, who is called and its position. Fresh is a local variable without an
//! initialiser (or with one that is all zero) where a call is the first to mention it, and a block that was just
//! allocated. Clearing it with `memset` and asking whether there is a block do not count. Never: functions with a body.

use std::collections::{BTreeMap, BTreeSet};

use crate::HandedFresh;
use crate::clang::{Cursor, binary, node, storage, ty, unary};
use crate::layout::TypeBuilder;
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};

/// Functions that give an uninitialised block.
const ALLOCATIONS: &[&str] = &["malloc", "calloc", "aligned_alloc"];
/// Functions that clear memory.
const CLEARING: &[&str] = &["memset", "bzero", "__builtin_memset"];

/// Looks through all bodies.
pub fn find(bodies: &[Body], types: &mut TypeBuilder) -> Vec<HandedFresh> {
    let mut found = Vec::new();
    let mut least: BTreeMap<(String, u32), Option<u64>> = BTreeMap::new();
    for body in bodies {
        let looking = Looking::new(&body.tree);
        for call in looking.calls() {
            let callee = body.tree.callee(call);
            if callee.is_some_and(|callee| callee.definition().is_some()) {
                continue;
            }
            let Some(&called) = body.tree.children(call).first() else { continue };
            let called = body.tree.cursor(called).ty().canonical();
            let function = if called.kind() == ty::POINTER { called.pointee().canonical() } else { called };
            for (position, &argument) in body.tree.arguments(call).iter().enumerate() {
                let callee = callee.map(|callee| callee.name());
                if let Some(name) = &callee {
                    let elements = looking.elements(argument);
                    let known = least.entry((name.clone(), position as u32)).or_insert(elements);
                    *known = known.zip(elements).map(|(one, other)| one.min(other));
                }
                if looking.is_fresh(argument) {
                    let room = looking.room(call, argument);
                    let ty = types.add(function);
                    found.push(HandedFresh { callee, ty, position: position as u32, room, elements: None });
                }
            }
        }
    }
    for handed in &mut found {
        let Some(name) = &handed.callee else { continue };
        handed.elements = least.get(&(name.clone(), handed.position)).copied().flatten();
    }
    found
}

/// One body and where it mentions its local variables.
struct Looking<'b, 'tu> {
    tree: &'b Tree<'tu>,
    evaluated: BTreeSet<NodeId>,
    mentions: BTreeMap<Declaration, Vec<NodeId>>,
}

impl<'b, 'tu> Looking<'b, 'tu> {
    fn new(tree: &'b Tree<'tu>) -> Self {
        let evaluated: BTreeSet<NodeId> = tree.evaluated(0).into_iter().collect();
        let mut mentions: BTreeMap<Declaration, Vec<NodeId>> = BTreeMap::new();
        for &id in evaluated.iter().filter(|&&id| tree.kind(id) == node::NAME) {
            if let Some(variable) = tree.cursor(id).referenced().filter(|target| is_local(*target)) {
                mentions.entry(Declaration::of(variable)).or_default().push(id);
            }
        }
        Looking { tree, evaluated, mentions }
    }

    fn calls(&self) -> impl Iterator<Item = NodeId> {
        self.evaluated.iter().copied().filter(|&id| self.tree.kind(id) == node::CALL)
    }

    fn is_fresh(&self, argument: NodeId) -> bool {
        let tree = self.tree;
        let value = tree.value(argument);
        let is_address = tree.cursor(value).unary_operator() == unary::ADDRESS_OF;
        let name = match tree.children(value).first() {
            Some(&operand) if is_address => tree.plain(operand),
            _ => value,
        };
        let Some(variable) = tree.named(name).filter(|target| is_local(*target)) else { return false };
        let mentions = self.mentions.get(&Declaration::of(variable)).map_or(&[][..], Vec::as_slice);
        let mut before = mentions.iter().copied().filter(|&mention| mention < name);
        let initialiser = variable.initialiser();
        if is_address || variable.ty().canonical().is_array() {
            return initialiser.is_none_or(is_zero) && before.all(|mention| self.is_cleared(mention));
        }
        let mut is_allocated = initialiser.is_some_and(is_allocation);
        for mention in before {
            match self.assigned(mention) {
                Some(value) => is_allocated = is_allocation(tree.cursor(value)),
                None if self.is_tested(mention) || self.is_cleared(mention) => {}
                None => return false,
            }
        }
        is_allocated
    }

    /// Elements of the array that an argument names.
    fn elements(&self, argument: NodeId) -> Option<u64> {
        self.tree.named(self.tree.value(argument))?.ty().canonical().array_len()
    }

    /// The argument of a call that is as large as the array which another one is, in bytes or elements.
    fn room(&self, call: NodeId, argument: NodeId) -> Option<u32> {
        let array = self.tree.named(self.tree.value(argument))?.ty().canonical();
        let (elements, bytes) = (array.array_len()?, array.size()?);
        let sizes = [i128::from(elements), i128::from(bytes)];
        let is_size = |&other: &NodeId| {
            let value = self.tree.cursor(other).constant();
            elements > 1 && other != argument && value.is_some_and(|value| sizes.contains(&value))
        };
        let arguments = self.tree.arguments(call);
        arguments.iter().position(is_size).map(|position| position as u32)
    }

    /// The first node around a mention that is not just a conversion, a parenthesis or `&`.
    fn around(&self, mention: NodeId) -> (NodeId, NodeId) {
        let (mut inner, mut outer) = (mention, self.tree.nodes[mention].parent);
        while outer != inner
            && (matches!(self.tree.kind(outer), node::PAREN | node::UNEXPOSED_EXPR | node::CAST)
                || self.tree.cursor(outer).unary_operator() == unary::ADDRESS_OF)
        {
            (inner, outer) = (outer, self.tree.nodes[outer].parent);
        }
        (inner, outer)
    }

    /// `memset(&x, …)`.
    fn is_cleared(&self, mention: NodeId) -> bool {
        let (inner, outer) = self.around(mention);
        self.tree.kind(outer) == node::CALL
            && self.tree.arguments(outer).first() == Some(&inner)
            && self.tree.callee(outer).is_some_and(|callee| CLEARING.contains(&callee.name().as_str()))
    }

    /// The value in `x = value`.
    fn assigned(&self, mention: NodeId) -> Option<NodeId> {
        let (inner, outer) = self.around(mention);
        let is_assignment = self.tree.kind(outer) == node::BINARY
            && self.tree.cursor(outer).binary_operator() == binary::ASSIGN;
        match self.tree.children(outer) {
            [to, value] if is_assignment && *to == inner => Some(*value),
            _ => None,
        }
    }

    /// `!p`, `p == NULL`, `if (p)`.
    fn is_tested(&self, mention: NodeId) -> bool {
        let (_, outer) = self.around(mention);
        let cursor = self.tree.cursor(outer);
        matches!(self.tree.kind(outer), node::IF | node::CONDITIONAL)
            || cursor.unary_operator() == unary::LOGICAL_NOT
            || matches!(
                cursor.binary_operator(),
                binary::EQUAL | binary::NOT_EQUAL | binary::LOGICAL_AND | binary::LOGICAL_OR
            )
    }
}

fn is_local(target: Cursor) -> bool {
    target.kind() == node::VARIABLE && !target.is_file_scope() && target.storage() != storage::STATIC
}

/// A call of `malloc`, conversions looked through.
fn is_allocation(value: Cursor) -> bool {
    let tree = Tree::of(value);
    let call = tree.value(0);
    tree.kind(call) == node::CALL
        && tree.callee(call).is_some_and(|callee| ALLOCATIONS.contains(&callee.name().as_str()))
}

/// `0`, `NULL`, `{0}`, `{{0}, 0}`.
fn is_zero(value: Cursor) -> bool {
    let is_list = value.kind() == node::INITIALISER_LIST;
    if value.constant() == Some(0) && !is_list {
        return true;
    }
    let through = matches!(value.kind(), node::PAREN | node::UNEXPOSED_EXPR | node::CAST);
    let children = value.children();
    match children.last() {
        Some(&last) if through => is_zero(last),
        _ => is_list && children.into_iter().all(is_zero),
    }
}
