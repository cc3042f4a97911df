//! What the unit takes its `void *` for, and its pointers to records that are defined nowhere.
//!
//! Takes bodies; gives, for parameters and members, the type that the code converts them to, written out or not. The
//! largest type wins, and characters only where there is nothing else: bytes of anything may be looked at as such.
//! Never guesses from names.

use std::collections::HashMap;

use crate::clang::{ClangType, node, ty};
use crate::facts::attributes::FileScope;
use crate::facts::flow::{Flow, pointee};
use crate::syntax::body::{Body, Declaration};

/// By the declaration of a pointer: what it is converted to a pointer to.
pub type CastTargets<'tu> = HashMap<Declaration, ClangType<'tu>>;

/// Looks through all bodies, and through calls from one to the other.
pub fn find<'tu>(bodies: &[Body<'tu>], flows: &[Flow], scope: &FileScope<'tu>) -> CastTargets<'tu> {
    let mut targets = CastTargets::new();
    for (body, flow) in bodies.iter().zip(flows) {
        for (spot, target) in conversions(body) {
            offer(&mut targets, flow.resolve(spot), target);
        }
    }
    // A function that passes its pointer on takes it for what the other does.
    while pass_on(flows, scope, &mut targets) {}
    targets
}

/// Every conversion of a named `void *` to a pointer to an object.
fn conversions<'tu>(body: &Body<'tu>) -> Vec<(Declaration, ClangType<'tu>)> {
    let tree = &body.tree;
    let mut found = Vec::new();
    for id in tree.evaluated(0) {
        if !matches!(tree.kind(id), node::CAST | node::UNEXPOSED_EXPR) {
            continue;
        }
        let Some(target) = written_pointee(tree.cursor(id).ty()).filter(|target| is_object(*target)) else {
            continue;
        };
        let Some(&operand) = tree.children(id).last() else { continue };
        let operand = tree.plain(operand);
        let is_untyped = pointee(tree.cursor(operand).ty()).is_some_and(is_opaque);
        if let (true, Some((spot, _))) = (is_untyped, crate::facts::flow::spot(tree, operand)) {
            found.push((spot, target));
        }
    }
    found
}

/// The pointee with the user's name for it.
fn written_pointee(pointer: ClangType) -> Option<ClangType> {
    if pointer.kind() == ty::POINTER { Some(pointer.pointee()) } else { pointee(pointer) }
}

/// `void`, or a record that is declared and defined nowhere here: what is behind a pointer to it, only a cast tells.
fn is_opaque(to: ClangType) -> bool {
    to.kind() == ty::VOID || to.kind() == ty::RECORD && to.size().is_none()
}

fn is_object(target: ClangType) -> bool {
    let canonical = target.canonical();
    canonical.kind() != ty::VOID && !canonical.is_function() && canonical.size().is_some_and(|size| size > 0)
}

/// Characters below everything, then by size.
fn rank(target: ClangType) -> u64 {
    match target.canonical().kind() {
        ty::CHAR_U | ty::UCHAR | ty::CHAR_S | ty::SCHAR => 0,
        _ => target.canonical().size().unwrap_or(0),
    }
}

/// Whether this became the target.
fn offer<'tu>(targets: &mut CastTargets<'tu>, spot: Declaration, target: ClangType<'tu>) -> bool {
    let is_better = targets.get(&spot).is_none_or(|known| rank(target) > rank(*known));
    if is_better {
        targets.insert(spot, target);
    }
    is_better
}

/// One round along the calls; whether anything was learnt.
fn pass_on<'tu>(flows: &[Flow], scope: &FileScope<'tu>, targets: &mut CastTargets<'tu>) -> bool {
    let mut learnt = false;
    for call in flows.iter().flat_map(|flow| &flow.calls) {
        let Some(definition) = scope.declarations(&call.callee).iter().find(|cursor| cursor.is_definition())
        else {
            continue;
        };
        for (argument, parameter) in call.arguments.iter().zip(definition.parameters()) {
            let is_untyped = argument.element == 0;
            let target = targets.get(&Declaration::of(parameter)).copied();
            if let (true, Some(spot), Some(target)) = (is_untyped, argument.spot, target) {
                learnt |= offer(targets, spot, target);
            }
        }
    }
    learnt
}
