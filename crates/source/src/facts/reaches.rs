//! How far behind a pointer the code reaches by constants: `buf + 651`, `key[16]`, `memset(block, 0, 64)`; and which pointers
//! it moves by other numbers.
//!
//! Takes bodies; gives, for parameters and members, the bytes that must be there for all of these to be inside. Whoever makes
//! an object of unknown size makes it as large as that. Never: how far indices reach that are no constants, and lengths.

use std::collections::{BTreeSet, HashMap};

use crate::clang::{binary, node, unary};
use crate::facts::attributes::FileScope;
use crate::facts::flow::{Flow, Index, carry_back, element_size, spot};
use crate::facts::pairs;
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};

/// Further is more than an input has of one object.
const LARGEST: i128 = 1 << 16;

/// By the declaration of a pointer: bytes behind it.
pub type Reaches = HashMap<Declaration, u64>;

/// Looks through all bodies, back along copies and calls.
pub fn find(bodies: &[Body], flows: &[Flow], scope: &FileScope) -> Reaches {
    let mut reaches = Reaches::new();
    for (body, flow) in bodies.iter().zip(flows) {
        for id in body.tree.evaluated(0) {
            if let Some((spot, bytes)) = reach(&body.tree, id) {
                offer(&mut reaches, spot, bytes);
            }
        }
        for (spot, bytes) in flow.calls.iter().flat_map(pairs::stated_bytes) {
            offer(&mut reaches, spot, bytes);
        }
    }
    carry_back(flows, scope, |from, to| {
        reaches.get(&from).copied().is_some_and(|bytes| offer(&mut reaches, to, bytes))
    });
    reaches
}

/// Pointers that numbers are added to, without looking there at once: `p + n`, `&p[n]`, `p + a + b`, `p + 5 < end`.
pub fn moved(bodies: &[Body], flows: &[Flow]) -> BTreeSet<Declaration> {
    let accesses = flows.iter().flat_map(|flow| &flow.indexed);
    let by_numbers = accesses.filter(|access| matches!(access.index, Index::Address(_) | Index::Sum(_)));
    let by_numbers = by_numbers.map(|access| access.pointer.spot);
    let by_constants = bodies.iter().flat_map(|body| {
        let moved = |&id: &NodeId| moved_by_constant(&body.tree, id).is_some_and(|(.., is_used)| !is_used);
        let moved = body.tree.evaluated(0).into_iter().filter(moved);
        moved.filter_map(|id| reach(&body.tree, id)).map(|(spot, _)| spot).collect::<Vec<_>>()
    });
    by_numbers.chain(by_constants).collect()
}

/// The pointer of `p[5]` or `p + 5`, and how many bytes that takes.
fn reach(tree: &Tree, id: NodeId) -> Option<(Declaration, u64)> {
    let (base, index, is_used) = moved_by_constant(tree, id)?;
    let element = element_size(tree.cursor(base).ty());
    // One past the last may be pointed to.
    let bytes = (index + i128::from(is_used)) * i128::from(element);
    (1..=LARGEST).contains(&bytes).then_some((spot(tree, base)?.0, bytes as u64))
}

/// The pointer and the number of `p[5]` or `p + 5`, and whether it is looked at what stands there.
fn moved_by_constant(tree: &Tree, id: NodeId) -> Option<(NodeId, i128, bool)> {
    let &[base, index] = tree.children(id) else { return None };
    let is_sum = tree.kind(id) == node::BINARY && tree.cursor(id).binary_operator() == binary::ADD;
    if tree.kind(id) != node::SUBSCRIPT && !is_sum {
        return None;
    }
    let index = tree.cursor(index).constant().filter(|index| (1..LARGEST).contains(index))?;
    let is_used = if is_sum {
        is_operand_of(tree, id, unary::DEREFERENCE)
    } else {
        !is_operand_of(tree, id, unary::ADDRESS_OF)
    };
    Some((base, index, is_used))
}

fn is_operand_of(tree: &Tree, mut id: NodeId, operator: i32) -> bool {
    loop {
        let parent = tree.nodes[id].parent;
        match tree.kind(parent) {
            node::PAREN | node::UNEXPOSED_EXPR if parent != id => id = parent,
            _ => return tree.cursor(parent).unary_operator() == operator,
        }
    }
}

/// Whether it became further.
fn offer(reaches: &mut Reaches, spot: Declaration, bytes: u64) -> bool {
    let known = reaches.entry(spot).or_default();
    let is_further = bytes > *known;
    *known = bytes.max(*known);
    is_further
}
