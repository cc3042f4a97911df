//! What a body does with its pointers and numbers: which it indexes by which, compares with which, counts down, passes.
//!
//! Takes the tree of one body; gives plain lists of declarations. A *spot* is a variable, a parameter or a member; a
//! local pointer that only ever stands for one spot counts as that spot. Never decides what it means.

use std::collections::{BTreeMap, BTreeSet};

use crate::body::{Body, Declaration};
use crate::clang::{ClangType, Cursor, binary, node, ty, unary};
use crate::tree::{NodeId, Tree};

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
    /// `p[i * n + j]`: how far it reaches, no single number says.
    Scaled,
    /// Anything else.
    Other,
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
    pub indexed: Vec<(Pointer, Index)>,
    /// Comparisons that keep the first below the second.
    pub bounds: BTreeSet<(Declaration, Declaration)>,
    /// The first is computed from the second; whether it may be larger.
    pub sources: BTreeSet<(Declaration, Declaration, bool)>,
    /// Numbers made by multiplication.
    pub scaled: BTreeSet<Declaration>,
    /// Numbers that are counted down.
    pub counted_down: BTreeSet<Declaration>,
    /// Pointers that are moved along.
    pub walked: BTreeSet<Pointer>,
    /// Calls in source order.
    pub calls: Vec<Call>,
    /// Character pointers that are followed until a zero.
    pub followed_to_zero: BTreeSet<Declaration>,
    /// Variables of the body itself.
    pub locals: BTreeSet<Declaration>,
    counted_up: BTreeSet<Declaration>,
    aliases: BTreeMap<Declaration, Option<Declaration>>,
}

/// Looks through a body.
pub fn collect(body: &Body) -> Flow {
    let collector = Collector { tree: &body.tree };
    let mut flow = Flow::default();
    let nodes = body.tree.evaluated(0);
    for &id in &nodes {
        collector.counting(id, &mut flow);
        if let Some((target, value)) = collector.assignment(id) {
            collector.alias(target, value, &mut flow);
        }
        let cursor = body.tree.cursor(id);
        if cursor.kind() == node::VARIABLE && !cursor.is_file_scope() {
            flow.locals.insert(Declaration::of(cursor));
        }
    }
    for &id in &nodes {
        if let Some((target, value)) = collector.assignment(id) {
            collector.derivation(target, value, &mut flow);
        }
        collector.comparison(id, &mut flow);
        collector.memory(id, &mut flow);
        collector.call(id, &mut flow);
    }
    flow
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

    /// Every number that a comparison keeps this one below, directly or by way of local variables.
    pub fn limits_of(&self, index: Declaration) -> BTreeSet<Declaration> {
        // With each number: whether a comparison lies on the way to it.
        let mut seen = BTreeSet::from([(index, false)]);
        let mut open = vec![(index, false)];
        while let Some((at, is_bounded)) = open.pop() {
            if at != index && !self.locals.contains(&at) {
                continue;
            }
            let compared = self.bounds.iter().filter(|(low, _)| *low == at).map(|(_, high)| (*high, true));
            // What is below `end = start + n` may be far above n.
            let is_source = |to: Declaration, grows: bool| to == at && !(is_bounded && grows);
            let derived = self.sources.iter().filter(|(to, _, grows)| is_source(*to, *grows));
            let derived = derived.map(|(_, from, _)| (*from, is_bounded));
            for next in compared.chain(derived) {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen.into_iter().filter(|(at, is_bounded)| *is_bounded && *at != index).map(|(at, _)| at).collect()
    }
}

struct Collector<'a, 'tu> {
    tree: &'a Tree<'tu>,
}

impl<'tu> Collector<'_, 'tu> {
    fn operator(&self, id: NodeId) -> i32 {
        self.tree.cursor(id).binary_operator()
    }

    fn ty(&self, id: NodeId) -> ClangType<'tu> {
        self.tree.cursor(id).ty()
    }

    fn spot(&self, id: NodeId) -> Option<Declaration> {
        spot(self.tree, id).map(|(spot, _)| spot)
    }

    fn is_pointer(&self, id: NodeId) -> bool {
        pointee(self.ty(id)).is_some()
    }

    /// A pointer used as one, `*p++` and casts looked through.
    fn pointer(&self, id: NodeId, flow: &Flow) -> Option<Pointer> {
        let element = element_size(self.ty(id));
        let spot = self.spot(self.unstepped(id))?;
        Some(Pointer { spot: flow.resolve(spot), element })
    }

    /// The operand of `++` and `--`, else the node itself.
    fn unstepped(&self, id: NodeId) -> NodeId {
        let plain = self.tree.value(id);
        let operator = self.tree.cursor(plain).unary_operator();
        match self.tree.children(plain) {
            [operand] if (unary::POST_INCREMENT..=unary::PRE_DECREMENT).contains(&operator) => *operand,
            _ => id,
        }
    }

    /// Target and value of a plain assignment or an initialised declaration.
    fn assignment(&self, id: NodeId) -> Option<(Declaration, NodeId)> {
        let cursor = self.tree.cursor(id);
        match cursor.kind() {
            node::VARIABLE => {
                let initialiser = cursor.initialiser()?;
                let value = *self
                    .tree
                    .children(id)
                    .iter()
                    .rfind(|&&child| initialiser.same_as(self.tree.cursor(child)))?;
                Some((Declaration::of(cursor), value))
            }
            node::BINARY if cursor.binary_operator() == binary::ASSIGN => {
                let [target, value] = self.tree.children(id) else { return None };
                Some((self.spot(*target)?, *value))
            }
            _ => None,
        }
    }

    /// A local pointer with one origin stands for it; with several for nothing.
    fn alias(&self, target: Declaration, value: NodeId, flow: &mut Flow) {
        if !self.is_pointer(value) {
            return;
        }
        let origin = self.spot(value).filter(|origin| *origin != target);
        let is_step = self.numbers(value).spots.contains(&target);
        if is_step {
            return;
        }
        flow.aliases
            .entry(target)
            .and_modify(|known| {
                if *known != origin {
                    *known = None;
                }
            })
            .or_insert(origin);
    }

    fn counting(&self, id: NodeId, flow: &mut Flow) {
        let cursor = self.tree.cursor(id);
        let Some(&operand) = self.tree.children(id).first() else { return };
        let (up, down) = match cursor.kind() {
            node::UNARY => (
                matches!(cursor.unary_operator(), unary::POST_INCREMENT | unary::PRE_INCREMENT),
                matches!(cursor.unary_operator(), unary::POST_DECREMENT | unary::PRE_DECREMENT),
            ),
            node::COMPOUND_ASSIGNMENT => (
                cursor.binary_operator() == binary::ADD_ASSIGN,
                cursor.binary_operator() == binary::SUBTRACT_ASSIGN,
            ),
            _ => return,
        };
        let Some(spot) = self.spot(operand) else { return };
        if up {
            flow.counted_up.insert(spot);
        }
        if down {
            flow.counted_down.insert(spot);
        }
    }

    fn derivation(&self, target: Declaration, value: NodeId, flow: &mut Flow) {
        if self.is_pointer(value) {
            return;
        }
        let numbers = self.numbers(value);
        if numbers.is_scaled {
            flow.scaled.insert(target);
        }
        let others = numbers.spots.into_iter().filter(|&from| from != target);
        flow.sources.extend(others.map(|from| (target, from, numbers.grows)));
    }

    fn comparison(&self, id: NodeId, flow: &mut Flow) {
        let operator = self.operator(id);
        let [left, right] = self.tree.children(id) else { return };
        if !(binary::LESS..=binary::NOT_EQUAL).contains(&operator) || self.is_pointer(*left) {
            return;
        }
        let (left, right) = (self.numbers(*left), self.numbers(*right));
        let (low, high) = match operator {
            binary::LESS | binary::LESS_EQUAL => (&left, &right),
            binary::GREATER | binary::GREATER_EQUAL => (&right, &left),
            // `i != n` ends a loop that counts up.
            _ => {
                let climbs = |numbers: &Numbers| {
                    let is_climbing = |s| flow.counted_up.contains(s) && !flow.counted_down.contains(s);
                    numbers.spots.iter().any(is_climbing)
                };
                if climbs(&left) {
                    (&left, &right)
                } else if climbs(&right) {
                    (&right, &left)
                } else {
                    return;
                }
            }
        };
        // `if (i >= n) return;` leaves `i < n` behind it.
        let goes_both_ways = self.guards_exit(id) || self.is_member(id);
        let pairs = |low: &Numbers, high: &Numbers| -> Vec<(Declaration, Declaration)> {
            // `i < n + 1` keeps nothing below n.
            let high = if high.grows { &[][..] } else { &high.spots };
            low.spots.iter().flat_map(|&low| high.iter().map(move |&high| (low, high))).collect()
        };
        flow.bounds.extend(pairs(low, high));
        if goes_both_ways {
            flow.bounds.extend(pairs(high, low));
        }
    }

    /// Both sides of a comparison are members: which way it is meant depends on what happens then.
    fn is_member(&self, id: NodeId) -> bool {
        let is_member = |&side: &NodeId| self.tree.kind(self.tree.value(side)) == node::MEMBER;
        self.tree.children(id).iter().all(is_member)
    }

    /// A condition of an `if` that leaves the function or the loop.
    fn guards_exit(&self, mut id: NodeId) -> bool {
        loop {
            let parent = self.tree.nodes[id].parent;
            if parent == id {
                return false;
            }
            if self.tree.kind(parent) == node::IF {
                let [condition, then, ..] = self.tree.children(parent) else { return false };
                return *condition == id && self.leaves(*then);
            }
            if !self.tree.cursor(parent).is_expression() {
                return false;
            }
            id = parent;
        }
    }

    fn leaves(&self, statement: NodeId) -> bool {
        match self.tree.kind(statement) {
            node::RETURN | node::BREAK | node::CONTINUE | node::GOTO => true,
            node::COMPOUND => self.tree.children(statement).last().is_some_and(|&last| self.leaves(last)),
            _ => false,
        }
    }

    fn memory(&self, id: NodeId, flow: &mut Flow) {
        let children = self.tree.children(id);
        match (self.tree.kind(id), children) {
            (node::SUBSCRIPT, [base, index]) => {
                let Some(pointer) = self.pointer(*base, flow) else { return };
                let index = match self.index(*index) {
                    Index::Bare(spot) if self.is_operand_of(id, unary::ADDRESS_OF) => Index::Address(spot),
                    index => index,
                };
                flow.indexed.push((pointer, index));
                self.note_zero(id, pointer, flow);
            }
            (node::UNARY, [operand]) => match self.tree.cursor(id).unary_operator() {
                unary::DEREFERENCE => {
                    let target = self.tree.plain(*operand);
                    let sum = (self.operator(target) == binary::ADD).then(|| self.tree.children(target));
                    let base = match sum {
                        Some([base, _]) => *base,
                        _ => target,
                    };
                    if let Some(pointer) = self.pointer(base, flow) {
                        self.note_zero(id, pointer, flow);
                    }
                }
                unary::POST_INCREMENT | unary::PRE_INCREMENT if self.is_pointer(*operand) => {
                    flow.walked.extend(self.pointer(*operand, flow));
                }
                _ => {}
            },
            (node::COMPOUND_ASSIGNMENT, [target, _]) if self.is_pointer(*target) => {
                flow.walked.extend(self.pointer(*target, flow));
            }
            (node::BINARY, [base, offset]) if self.operator(id) == binary::ADD && self.is_pointer(*base) => {
                let Some(pointer) = self.pointer(*base, flow) else { return };
                let index = match self.index(*offset) {
                    Index::Bare(spot) if !self.is_operand_of(id, unary::DEREFERENCE) => Index::Address(spot),
                    index => index,
                };
                flow.indexed.push((pointer, index));
            }
            _ => {}
        }
    }

    fn is_operand_of(&self, mut id: NodeId, operator: i32) -> bool {
        loop {
            let parent = self.tree.nodes[id].parent;
            match self.tree.kind(parent) {
                node::PAREN | node::UNEXPOSED_EXPR if parent != id => id = parent,
                _ => return self.tree.cursor(parent).unary_operator() == operator,
            }
        }
    }

    fn index(&self, id: NodeId) -> Index {
        let plain = self.tree.value(id);
        if let Some(spot) = self.spot(self.unstepped(plain)) {
            // `p[--n]` is the element before n.
            let is_before = self.tree.cursor(plain).unary_operator() == unary::PRE_DECREMENT;
            return if is_before { Index::Before(spot) } else { Index::Bare(spot) };
        }
        if let [left, right] = self.tree.children(plain) {
            match self.operator(plain) {
                binary::REMAINDER => return self.spot(*right).map_or(Index::Other, Index::Remainder),
                binary::SUBTRACT if self.tree.cursor(*right).constant().is_some() => {
                    if let Some(spot) = self.spot(*left) {
                        return Index::Before(spot);
                    }
                }
                _ => {}
            }
        }
        if self.numbers(plain).is_scaled { Index::Scaled } else { Index::Other }
    }

    /// The spots that a computed number depends on, through arithmetic and `?:` but no memory and no calls.
    fn numbers(&self, id: NodeId) -> Numbers {
        let mut numbers = Numbers::default();
        self.add_numbers(id, &mut numbers);
        numbers
    }

    fn add_numbers(&self, id: NodeId, numbers: &mut Numbers) {
        let plain = self.tree.value(self.unstepped(id));
        if let Some(spot) = self.spot(plain) {
            return numbers.spots.push(spot);
        }
        let children = self.tree.children(plain);
        match (self.tree.kind(plain), children) {
            (node::BINARY, [left, right]) => {
                let operator = self.operator(plain);
                if (binary::MULTIPLY..=binary::SHIFT_RIGHT).contains(&operator) {
                    let is_constant = self.tree.cursor(plain).constant().is_some();
                    let multiplies =
                        matches!(operator, binary::MULTIPLY | binary::SHIFT_LEFT) && !is_constant;
                    numbers.is_scaled |= multiplies;
                    numbers.grows |= multiplies || operator == binary::ADD;
                    self.add_numbers(*left, numbers);
                    self.add_numbers(*right, numbers);
                }
            }
            (node::CONDITIONAL, [_, yes, no]) => {
                self.add_numbers(*yes, numbers);
                self.add_numbers(*no, numbers);
            }
            _ => {}
        }
    }

    /// `while (*p)`, `for (; s[i] != 0; )`: text that ends at its zero.
    fn note_zero(&self, access: NodeId, pointer: Pointer, flow: &mut Flow) {
        if !is_text(self.ty(access)) {
            return;
        }
        let mut id = access;
        loop {
            let parent = self.tree.nodes[id].parent;
            let children = self.tree.children(parent);
            match self.tree.kind(parent) {
                node::WHILE | node::DO | node::FOR => {
                    let body =
                        if self.tree.kind(parent) == node::DO { children.first() } else { children.last() };
                    if body != Some(&id) {
                        flow.followed_to_zero.insert(pointer.spot);
                    }
                    return;
                }
                node::PAREN | node::UNEXPOSED_EXPR | node::UNARY | node::CAST if parent != id => id = parent,
                node::BINARY => {
                    let goes_on = match self.operator(parent) {
                        binary::LOGICAL_AND | binary::LOGICAL_OR => true,
                        binary::EQUAL | binary::NOT_EQUAL => {
                            let zero = |&side: &NodeId| self.tree.cursor(side).constant() == Some(0);
                            children.iter().any(zero)
                        }
                        binary::ASSIGN => children.last() == Some(&id),
                        _ => false,
                    };
                    if !goes_on {
                        return;
                    }
                    id = parent;
                }
                _ => return,
            }
        }
    }

    fn call(&self, id: NodeId, flow: &mut Flow) {
        if self.tree.kind(id) != node::CALL {
            return;
        }
        let Some(callee) = self.tree.callee(id) else { return };
        let arguments =
            self.tree.arguments(id).iter().map(|&argument| self.argument(argument, flow)).collect();
        flow.calls.push(Call { callee: callee.name(), arguments });
    }

    fn argument(&self, id: NodeId, flow: &Flow) -> Argument {
        let mut argument =
            Argument { spot: None, element: 0, factor: 1, constant: self.tree.cursor(id).constant() };
        let mut value = self.tree.value(id);
        if let (node::BINARY, binary::MULTIPLY, [left, right]) =
            (self.tree.kind(value), self.operator(value), self.tree.children(value))
        {
            let constant = |side: &NodeId| self.tree.cursor(*side).constant();
            match (constant(left), constant(right)) {
                (Some(factor), None) => (argument.factor, value) = (factor, *right),
                (None, Some(factor)) => (argument.factor, value) = (factor, *left),
                _ => {}
            }
        }
        if let Some(spot) = self.spot(value) {
            argument.spot = Some(flow.resolve(spot));
            // The pointer's own type, before it became a parameter's.
            argument.element = element_size(self.ty(self.tree.value(value)));
        }
        argument
    }
}

#[derive(Default)]
struct Numbers {
    spots: Vec<Declaration>,
    /// There is a multiplication.
    is_scaled: bool,
    /// There is an operator that may make it larger than its spots.
    grows: bool,
}
