//! Pointers into the middle of something: `container_of`, a header in front of a string, `a[-1]`, the top of a stack.
//!
//! Takes bodies; gives, for parameters and members, how much lies in front of what they lead to, and as which record the
//! code sees it. The largest front wins. Never: where the front comes from, and values.

use std::collections::HashMap;

use crate::clang::{ClangType, binary, node, ty, unary};
use crate::facts::attributes::FileScope;
use crate::facts::flow::{Flow, carry_back, element_size, pointee, spot};
use crate::layout::TypeBuilder;
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};
use crate::{Container, TypeId};

/// What is taken for a header is no larger.
const LARGEST: i128 = 4096;

/// Elements behind a header that nothing counts.
const ELEMENTS: u64 = 16;

/// Elements in front of a member that the code moves back one by one: it may do so several times.
const POPPED: u64 = 4;

/// What lies in front of what a pointer leads to.
#[derive(Clone, Copy)]
pub struct Front<'tu> {
    /// How much.
    bytes: u64,
    /// The record that begins there; without one there are more elements like those behind the pointer.
    record: Option<ClangType<'tu>>,
}

/// By the declaration of a pointer.
pub type Fronts<'tu> = HashMap<Declaration, Front<'tu>>;

/// Looks through all bodies, back along copies and calls.
pub fn find<'tu>(bodies: &[Body<'tu>], flows: &[Flow], scope: &FileScope<'tu>) -> Fronts<'tu> {
    let mut fronts = Fronts::new();
    for body in bodies {
        for id in body.tree.evaluated(0) {
            if let Some((spot, front)) = front(&body.tree, id) {
                offer(&mut fronts, spot, front);
            }
        }
    }
    carry_back(flows, scope, |from, to| {
        fronts.get(&from).copied().is_some_and(|front| offer(&mut fronts, to, front))
    });
    fronts
}

impl Front<'_> {
    /// The type of the whole, for a pointer to these elements.
    pub fn container(self, types: &mut TypeBuilder, element: TypeId) -> Option<Container> {
        let Some(record) = self.record else {
            return Some(Container { ty: element, offset: self.bytes });
        };
        let size = record.canonical().size()?;
        let record = types.add(record);
        if self.bytes < size {
            return Some(Container { ty: record, offset: self.bytes });
        }
        // One header, right in front.
        (self.bytes == size).then_some(())?;
        let ty = types.behind(record, element, ELEMENTS)?;
        Some(Container { ty, offset: self.bytes })
    }
}

/// The pointer that an expression goes back from, and how far.
fn front<'tu>(tree: &Tree<'tu>, id: NodeId) -> Option<(Declaration, Front<'tu>)> {
    let children = tree.children(id);
    match tree.kind(id) {
        // `(struct job *)((char *)link - 8)`
        node::CAST => {
            let record = record_behind(tree.cursor(id).ty())?;
            let (pointer, bytes) = moved_back(tree, tree.plain(*children.last()?))?;
            Some((spot(tree, pointer)?.0, Front { bytes, record: Some(record) }))
        }
        // `((struct header *)text - 1)->length`, `last = stack->top - 1`
        node::BINARY => {
            let (pointer, bytes) = moved_back(tree, id)?;
            let record = record_behind(tree.cursor(pointer).ty())?;
            let (declaration, declared) = spot(tree, pointer)?;
            let differs = pointee(declared.ty())?.canonical().identity() != record.canonical().identity();
            let is_top = declared.kind() == node::FIELD;
            (differs || is_top).then_some((declaration, Front { bytes, record: differs.then_some(record) }))
        }
        // `*--stack->top`
        node::UNARY => {
            let operator = tree.cursor(id).unary_operator();
            let is_back = matches!(operator, unary::PRE_DECREMENT | unary::POST_DECREMENT);
            let (declaration, declared) = spot(tree, *children.first().filter(|_| is_back)?)?;
            let bytes = POPPED * element_size(declared.ty());
            let is_top = declared.kind() == node::FIELD && bytes > 0;
            is_top.then_some((declaration, Front { bytes, record: None }))
        }
        // `a[-1]`, `((struct header *)text)[-1]`
        node::SUBSCRIPT => {
            let &[base, index] = children else { return None };
            let back = tree.cursor(index).constant().filter(|index| (-LARGEST..0).contains(index))?;
            let seen = tree.cursor(base).ty();
            let (declaration, declared) = spot(tree, base)?;
            let differs =
                pointee(declared.ty())?.canonical().identity() != pointee(seen)?.canonical().identity();
            let record = record_behind(seen).filter(|_| differs);
            let bytes = (-back) as u64 * element_size(seen);
            (bytes > 0 && (record.is_some() || !differs)).then_some((declaration, Front { bytes, record }))
        }
        _ => None,
    }
}

/// The pointer of `pointer - constant`, and how many bytes that is.
fn moved_back(tree: &Tree, id: NodeId) -> Option<(NodeId, u64)> {
    let is_difference =
        tree.kind(id) == node::BINARY && tree.cursor(id).binary_operator() == binary::SUBTRACT;
    let &[pointer, by] = tree.children(id) else { return None };
    let by = tree.cursor(by).constant().filter(|by| is_difference && (1..LARGEST).contains(by))?;
    let bytes = by as u64 * element_size(tree.cursor(pointer).ty());
    (bytes > 0).then_some((pointer, bytes))
}

fn record_behind(pointer: ClangType) -> Option<ClangType> {
    let to = if pointer.kind() == ty::POINTER { pointer.pointee() } else { pointee(pointer)? };
    (to.canonical().kind() == ty::RECORD && to.canonical().size().is_some()).then_some(to)
}

/// Whether this became the front.
fn offer<'tu>(fronts: &mut Fronts<'tu>, spot: Declaration, front: Front<'tu>) -> bool {
    let rank = |front: &Front| (front.bytes, front.record.is_some());
    let is_better = fronts.get(&spot).is_none_or(|known| rank(&front) > rank(known));
    if is_better {
        fronts.insert(spot, front);
    }
    is_better
}
