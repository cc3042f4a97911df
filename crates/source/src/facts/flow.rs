//! What a body does with its pointers and numbers: which it indexes by which, compares with which, counts down, passes.
//!
//! Plain lists of declarations, filled by the collector, and questions about them. A *spot* is a variable, a parameter
//! or a member; a local pointer that only ever stands for one spot counts as that spot. Never decides what it means.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::clang::{ClangType, Cursor, node, ty};
use crate::facts::attributes::FileScope;
use crate::syntax::body::Declaration;
use crate::syntax::tree::{NodeId, Tree};

/// A pointer and the size of what it is used to point to (0: unknown, as for `void`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pointer {
    /// The pointer.
    pub spot: Declaration,
    /// Size of an element where it is used.
    pub element: u64,
}

/// What a pointer is indexed by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Index {
    /// `p[i]`; stepping `i` on the way changes nothing.
    Bare(Declaration),
    /// `&p[i]` or `p + i`.
    Address(Declaration),
    /// `p[i - 1]`.
    Before(Declaration),
    /// `p[x % n]`.
    Remainder(Declaration),
    /// `p[3]`, `p + 3`.
    Constant(u64),
    /// `p[n + i]`: further than each of these.
    Sum(Vec<Declaration>),
    /// `p[i * n + j]`: how far it reaches, no single number says.
    Scaled,
    /// Anything else.
    Other,
}

/// A pointer with an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The pointer.
    pub pointer: Pointer,
    /// What it is indexed by.
    pub index: Index,
    /// Where.
    pub node: NodeId,
}

/// A comparison that keeps one number below another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The one that stays below.
    pub low: Declaration,
    /// The other.
    pub high: Declaration,
    /// They may be equal.
    pub is_inclusive: bool,
    /// The nodes that the comparison speaks for: the loop or the branch that it controls.
    pub scope: Range<NodeId>,
}

/// A comparison that leaves a number only values of so much or more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Least {
    /// The number.
    pub number: Declaration,
    /// Its smallest value there.
    pub value: u64,
    /// The nodes that the comparison speaks for.
    pub scope: Range<NodeId>,
}

/// An argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Argument {
    /// The spot whose value is passed, times `factor`.
    pub spot: Option<Declaration>,
    /// Size of what it points to, for a pointer.
    pub element: u64,
    /// A constant factor: 4 in `n * sizeof(int)`.
    pub factor: i128,
    /// Its value, for a constant.
    pub constant: Option<i128>,
}

/// A call of a function that is named there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Who is called.
    pub callee: String,
    /// With what.
    pub arguments: Vec<Argument>,
}

/// Everything collected from one body.
#[derive(Default, Debug)]
pub struct Flow {
    /// Pointers and what they are indexed by.
    pub indexed: Vec<Access>,
    /// Comparisons.
    pub bounds: Vec<Bound>,
    /// Comparisons with constants from below.
    pub leasts: Vec<Least>,
    /// The first is computed from the second; whether it may be larger.
    pub sources: BTreeSet<(Declaration, Declaration, bool)>,
    /// Numbers made by multiplication.
    pub scaled: BTreeSet<Declaration>,
    /// Numbers that are counted down and never up.
    pub counted_down: BTreeSet<Declaration>,
    /// Pointers that are moved along.
    pub walked: BTreeSet<Pointer>,
    /// Calls in source order.
    pub calls: Vec<Call>,
    /// Character pointers that are followed until a zero.
    pub followed_to_zero: BTreeSet<Declaration>,
    /// Variables of the body itself.
    pub locals: BTreeSet<Declaration>,
    /// Numbers that are counted up.
    pub counted_up: BTreeSet<Declaration>,
    /// The first pointer is a copy of the second.
    pub copies: BTreeSet<(Declaration, Declaration)>,
    /// What local pointers stand for; `None` for several things.
    pub aliases: BTreeMap<Declaration, Option<Declaration>>,
}

/// Carries facts about pointers back until nothing new is learnt: from a copy to what it was copied from, and from a parameter to
/// what a call in the file gives for it. `pass_on(from, to)` says whether `to` learnt something.
pub fn carry_back(
    flows: &[Flow],
    scope: &FileScope,
    mut pass_on: impl FnMut(Declaration, Declaration) -> bool,
) {
    let ways = ways_back(flows, scope);
    let mut learnt = true;
    while learnt {
        learnt = false;
        for &(from, to) in &ways {
            learnt |= pass_on(from, to);
        }
    }
}

fn ways_back(flows: &[Flow], scope: &FileScope) -> Vec<(Declaration, Declaration)> {
    let mut ways: Vec<_> = flows.iter().flat_map(|flow| &flow.copies).copied().collect();
    for call in flows.iter().flat_map(|flow| &flow.calls) {
        let mut declared = scope.declarations(&call.callee).iter();
        let Some(definition) = declared.find(|cursor| cursor.is_definition()) else { continue };
        for (argument, parameter) in call.arguments.iter().zip(definition.parameters()) {
            ways.extend(argument.spot.map(|spot| (Declaration::of(parameter), spot)));
        }
    }
    ways
}

/// The spot an expression names, with its declaration.
pub fn spot<'tu>(tree: &Tree<'tu>, id: NodeId) -> Option<(Declaration, Cursor<'tu>)> {
    let id = tree.value(id);
    if !matches!(tree.kind(id), node::NAME | node::MEMBER) {
        return None;
    }
    let target = tree.cursor(id).referenced()?;
    matches!(target.kind(), node::VARIABLE | node::PARAMETER | node::FIELD)
        .then(|| (Declaration::of(target), target))
}

/// What a pointer or an array has elements of.
pub fn pointee(ty: ClangType) -> Option<ClangType> {
    let canonical = ty.canonical();
    match canonical.kind() {
        ty::POINTER => Some(canonical.pointee().canonical()),
        _ if canonical.is_array() => Some(canonical.element().canonical()),
        _ => None,
    }
}

/// Size of what a pointer points to; 0 where there is none.
pub fn element_size(ty: ClangType) -> u64 {
    let size = |to: ClangType| if to.kind() == ty::VOID { 0 } else { to.size().unwrap_or(0) };
    pointee(ty).map_or(0, size)
}

/// `char`, of unstated or stated sign, but not `unsigned char`.
pub fn is_text(ty: ClangType) -> bool {
    matches!(ty.canonical().kind(), ty::CHAR_S | ty::CHAR_U)
}

impl Flow {
    /// The spot that a local pointer stands for.
    pub fn resolve(&self, spot: Declaration) -> Declaration {
        let mut at = spot;
        // A chain of aliases is short; one that bites its own tail is none.
        for _ in 0..8 {
            match self.aliases.get(&at) {
                Some(Some(next)) => at = *next,
                _ => return at,
            }
        }
        spot
    }

    /// Every number that one comparison keeps an index below, directly or by way of local variables, and whether the
    /// index may reach it. Two comparisons in a row would relate about everything in a large function, and so would
    /// those of other loops: `i` is used again and again.
    pub fn limits_of(&self, index: Declaration, access: NodeId) -> BTreeMap<Declaration, bool> {
        // With each number: the comparison that lies on the way to it, if any, and whether it is inclusive.
        let mut seen = BTreeSet::from([(index, None)]);
        let mut open = vec![(index, None)];
        while let Some((at, bounded)) = open.pop() {
            if at != index && !self.locals.contains(&at) {
                continue;
            }
            let is_bound =
                |bound: &&Bound| bound.low == at && bounded.is_none() && bound.scope.contains(&access);
            let compared = self.bounds.iter().filter(is_bound);
            let compared = compared.map(|bound| (bound.high, Some(bound.is_inclusive)));
            // What is below `end = start + n` may be far above n.
            let is_source = |to: Declaration, grows: bool| to == at && !(bounded.is_some() && grows);
            let derived = self.sources.iter().filter(|(to, _, grows)| is_source(*to, *grows));
            let derived = derived.map(|(_, from, _)| (*from, bounded));
            for next in compared.chain(derived) {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        let mut limits = BTreeMap::new();
        for (at, bounded) in seen {
            if let Some(is_inclusive) = bounded.filter(|_| at != index) {
                *limits.entry(at).or_insert(false) |= is_inclusive;
            }
        }
        limits
    }
}
