//! Finds out what a body does with its pointers and numbers.
//!
//! Takes the tree of one body; fills a [`Flow`]. Two passes: what local pointers stand for and what is counted comes
//! first, because the rest is told in terms of it. Never decides what it means.

use std::ops::Range;

use crate::clang::{ClangType, binary, node, unary};
use crate::facts::flow::{
    Access, Argument, Bound, Call, Flow, Index, Least, Pointer, element_size, is_text, pointee, spot,
};
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};

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
    let counted_up = &flow.counted_up;
    flow.counted_down.retain(|spot| !counted_up.contains(spot));
    for &id in &nodes {
        if let Some((target, value)) = collector.assignment(id) {
            collector.derivation(target, value, &mut flow);
        }
        collector.comparison(id, &mut flow);
        flow.leasts.extend(collector.least(id));
        collector.memory(id, &mut flow);
        collector.call(id, &mut flow);
    }
    flow
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
        flow.copies.extend(origin.map(|origin| (target, origin)));
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
        let is_equality = matches!(operator, binary::EQUAL | binary::NOT_EQUAL);
        let (low, high) = match operator {
            binary::LESS | binary::LESS_EQUAL => (&left, &right),
            binary::GREATER | binary::GREATER_EQUAL => (&right, &left),
            // `i != n` ends a loop that counts up, `if (i == n) return;` one that goes on otherwise.
            _ => {
                let climbs =
                    |numbers: &Numbers| numbers.spots.iter().any(|spot| flow.counted_up.contains(spot));
                if climbs(&left) {
                    (&left, &right)
                } else if climbs(&right) {
                    (&right, &left)
                } else {
                    return;
                }
            }
        };
        let (scope, guards_exit) = self.scope(id);
        // Which way a comparison of members is meant depends on what happens then, perhaps elsewhere.
        let is_member = self.is_member(id);
        let scope = if is_member { 0..self.tree.nodes.len() } else { scope };
        let is_or_equal = matches!(operator, binary::LESS_EQUAL | binary::GREATER_EQUAL);
        let mut add = |low: &Numbers, high: &Numbers, is_inclusive: bool| {
            // `i < n + 1` keeps nothing below n.
            let highs = if high.grows { &[][..] } else { &high.spots };
            for (&low, &high) in low.spots.iter().flat_map(|low| highs.iter().map(move |high| (low, high))) {
                flow.bounds.push(Bound { low, high, is_inclusive, scope: scope.clone() });
            }
        };
        if !guards_exit || is_equality || is_member {
            add(low, high, is_or_equal);
        }
        // `if (i >= n) return;` leaves `i < n` behind it.
        if !is_equality && (guards_exit || is_member) {
            add(high, low, !is_or_equal);
        }
    }

    /// `if (n < 4) return;` leaves 4 and more behind it, `n > 3` does in what it controls.
    fn least(&self, id: NodeId) -> Option<Least> {
        let operator = self.operator(id);
        let [left, right] = self.tree.children(id) else { return None };
        let constant = |side: NodeId| self.tree.cursor(side).constant();
        let number = |side: NodeId| self.spot(side).filter(|_| !self.is_pointer(side));
        // With the number on the left.
        let (number, constant, operator) = match (number(*left), constant(*right)) {
            (Some(number), Some(constant)) => (number, constant, operator),
            _ => (number(*right)?, constant(*left)?, mirrored(operator)),
        };
        let (behind, guards_exit) = self.scope(id);
        let controlled = || self.tree.subtree(self.controlled(id).1);
        let (value, scope) = match operator {
            binary::LESS if guards_exit => (constant, behind),
            binary::LESS_EQUAL if guards_exit => (constant.checked_add(1)?, behind),
            binary::NOT_EQUAL if guards_exit => (constant, behind),
            binary::GREATER_EQUAL | binary::EQUAL => (constant, controlled()),
            binary::GREATER => (constant.checked_add(1)?, controlled()),
            _ => return None,
        };
        let value = u64::try_from(value).ok().filter(|&value| value > 0)?;
        Some(Least { number, value, scope })
    }

    /// Both sides of a comparison are members: which way it is meant depends on what happens then.
    fn is_member(&self, id: NodeId) -> bool {
        let is_member = |&side: &NodeId| self.tree.kind(self.tree.value(side)) == node::MEMBER;
        self.tree.children(id).iter().all(is_member)
    }

    /// The statement that a comparison controls; for the condition of an `if` that leaves, what comes after it, and
    /// true.
    fn scope(&self, id: NodeId) -> (Range<NodeId>, bool) {
        let (condition, statement) = self.controlled(id);
        if self.tree.kind(statement) == node::IF
            && let [first, then, ..] = self.tree.children(statement)
            && *first == condition
            && self.tree.leaves(*then)
        {
            return (self.tree.subtree(self.tree.nodes[statement].parent), true);
        }
        (self.tree.subtree(statement), false)
    }

    /// The whole expression that this one is a part of, and the statement around it.
    fn controlled(&self, mut id: NodeId) -> (NodeId, NodeId) {
        loop {
            let parent = self.tree.nodes[id].parent;
            if !self.tree.cursor(parent).is_expression() || parent == id {
                return (id, parent);
            }
            id = parent;
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
                flow.indexed.push(Access { pointer, index, node: id });
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
                flow.indexed.push(Access { pointer, index, node: id });
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
        if let Some(constant) = self.tree.cursor(plain).constant().and_then(|value| u64::try_from(value).ok())
        {
            return Index::Constant(constant);
        }
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
        // `p + (n < 0 ? 4 : n)`: n, unless a constant takes its place.
        if let (node::CONDITIONAL, &[_, yes, no]) = (self.tree.kind(plain), self.tree.children(plain)) {
            let is_constant = |arm: NodeId| self.tree.cursor(arm).constant().is_some();
            match (is_constant(yes), is_constant(no)) {
                (true, false) => return self.index(no),
                (false, true) => return self.index(yes),
                _ => {}
            }
        }
        let numbers = self.numbers(plain);
        match (numbers.is_scaled, self.operator(plain)) {
            (true, _) => Index::Scaled,
            (false, binary::ADD) => Index::Sum(numbers.spots),
            _ => Index::Other,
        }
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

/// The operator with its sides exchanged.
fn mirrored(operator: i32) -> i32 {
    match operator {
        binary::LESS => binary::GREATER,
        binary::GREATER => binary::LESS,
        binary::LESS_EQUAL => binary::GREATER_EQUAL,
        binary::GREATER_EQUAL => binary::LESS_EQUAL,
        same => same,
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
