//! Which member of a union a tag selects: `switch (v->kind) { case NUMBER: … v->as.number …`.
//!
//! Takes bodies and the members of unions; gives, for each value that a member of a record has where the code uses members of a
//! union beside it, which those are; and, for the bytes of a record, the member that is meant. A value under which
//! several members are used says nothing. Never: tags that are kept elsewhere, and whether the tag was changed on the way.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::clang::{binary, node, ty, unary};
use crate::syntax::body::{Body, Declaration};
use crate::syntax::tree::{NodeId, Tree};
use crate::{Field, Selection, TypeTable};

/// Macros around conditions end in a call of this.
const EXPECT: &str = "__builtin_expect";

/// By a member of a record and its value: the members of unions in the same record that are used then.
pub type Selected = BTreeMap<(Declaration, i128), BTreeSet<Declaration>>;

/// Looks through all bodies for uses of these members of unions.
pub fn find(bodies: &[Body], members: &HashSet<Declaration>) -> Selected {
    let mut selected = Selected::new();
    for body in bodies {
        let mut walker = Walker { tree: &body.tree, members, known: Vec::new(), selected: &mut selected };
        walker.walk(0);
    }
    selected
}

/// What the members of one record select in one of its unions. A member of the union goes by several names if it has none
/// itself.
pub fn selections(selected: &Selected, record: &[Declaration], union: &[Vec<Declaration>]) -> Vec<Selection> {
    let mut found = Vec::new();
    for (&(tag, value), used) in selected {
        let Some(tag) = record.iter().position(|member| *member == tag) else { continue };
        let is_used = |names: &Vec<Declaration>| names.iter().any(|name| used.contains(name));
        let mut members = union.iter().enumerate().filter(|(_, names)| is_used(names));
        if let (Some((member, _)), None) = (members.next(), members.next()) {
            found.push(Selection { tag: tag as u32, value, member: member as u32 });
        }
    }
    found
}

impl TypeTable {
    /// The member of a union that the other members of its record select; `byte` gives the bytes of the record.
    pub fn selected_member(&self, record: &[Field], union: &Field, byte: &dyn Fn(u64) -> u8) -> Option<u32> {
        let applies = |selection: &&Selection| {
            let tag = record.get(selection.tag as usize);
            tag.is_some_and(|tag| self.is_value(tag, selection.value, byte))
        };
        let mut members = union.selections.iter().filter(applies).map(|selection| selection.member);
        let first = members.next()?;
        members.all(|member| member == first).then_some(first)
    }

    fn is_value(&self, tag: &Field, value: i128, byte: &dyn Fn(u64) -> u8) -> bool {
        let width = tag.bit_width.map_or(self.get(tag.ty).size * 8, u64::from);
        (0..width).all(|bit| {
            let at = tag.offset_bits + bit;
            i128::from(byte(at / 8) >> (at % 8) & 1) == value >> bit.min(127) & 1
        })
    }
}

/// A member of a record that has one of some values.
#[derive(Clone)]
struct Known {
    /// The expression for the record, or for a pointer to it.
    record: NodeId,
    tag: Declaration,
    values: Vec<i128>,
}

struct Walker<'a, 'tu> {
    tree: &'a Tree<'tu>,
    members: &'a HashSet<Declaration>,
    /// What is known where the walk is, the latest last.
    known: Vec<Known>,
    selected: &'a mut Selected,
}

impl Walker<'_, '_> {
    fn walk(&mut self, id: NodeId) {
        let tree = self.tree;
        match (tree.kind(id), tree.children(id)) {
            (node::TYPE_TRAIT, _) => {}
            (node::IF | node::WHILE | node::CONDITIONAL, &[condition, then, ref otherwise @ ..]) => {
                self.walk(condition);
                self.under(condition, true, then);
                otherwise.iter().for_each(|&side| self.under(condition, false, side));
            }
            (node::BINARY, &[left, right]) => {
                self.walk(left);
                match tree.cursor(id).binary_operator() {
                    binary::LOGICAL_AND => self.under(left, true, right),
                    binary::LOGICAL_OR => self.under(left, false, right),
                    _ => self.walk(right),
                }
            }
            (node::SWITCH, &[operand, body]) if tree.kind(body) == node::COMPOUND => {
                self.walk(operand);
                self.cases(operand, body);
            }
            (node::COMPOUND, statements) => self.statements(statements),
            (kind, children) => {
                if kind == node::MEMBER {
                    self.member(id);
                }
                children.iter().for_each(|&child| self.walk(child));
            }
        }
    }

    fn under(&mut self, condition: NodeId, truth: bool, id: NodeId) {
        let before = self.known.len();
        self.known.extend(told(self.tree, condition, truth));
        self.walk(id);
        self.known.truncate(before);
    }

    fn statements(&mut self, statements: &[NodeId]) {
        let before = self.known.len();
        for &statement in statements {
            let (labels, inner) = unlabelled(self.tree, statement);
            // Whoever jumps there knows less.
            if labels.is_some() {
                self.known.truncate(before);
            }
            self.walk(inner);
            self.known.extend(told_after(self.tree, inner));
        }
        self.known.truncate(before);
    }

    fn cases(&mut self, operand: NodeId, body: NodeId) {
        let tag = tag(self.tree, operand);
        let before = self.known.len();
        let mut values = Vec::new();
        let mut falls_through = false;
        for &statement in self.tree.children(body) {
            let (labels, inner) = unlabelled(self.tree, statement);
            if let Some(labels) = labels {
                self.known.truncate(before);
                if !falls_through {
                    values.clear();
                }
                values.extend(labels);
                let known = tag.map(|(record, tag)| Known { record, tag, values: values.clone() });
                self.known.extend(known);
            }
            self.walk(inner);
            self.known.extend(told_after(self.tree, inner));
            falls_through = !self.tree.leaves(inner);
        }
        self.known.truncate(before);
    }

    /// Notes the use of a member of a union.
    fn member(&mut self, id: NodeId) {
        let tree = self.tree;
        let member = tree.cursor(id).referenced().map(Declaration::of);
        let Some(member) = member.filter(|member| self.members.contains(member)) else { return };
        // `x->as.number`, or `x->number` where the union has no name.
        let union = base(tree, id);
        let record = union.filter(|&union| tree.kind(union) == node::MEMBER).and_then(|id| base(tree, id));
        let is_around = |known: &&Known| {
            [union, record].into_iter().flatten().any(|around| same(tree, around, known.record))
        };
        let mut told = HashSet::new();
        for known in self.known.iter().rev().filter(is_around) {
            if told.insert(known.tag) {
                for &value in &known.values {
                    self.selected.entry((known.tag, value)).or_default().insert(member);
                }
            }
        }
    }
}

/// A statement without its labels, and the values of those that are cases; `None` if it has no label.
fn unlabelled(tree: &Tree, statement: NodeId) -> (Option<Vec<i128>>, NodeId) {
    let (mut labels, mut id) = (None, statement);
    loop {
        let (kind, children) = (tree.kind(id), tree.children(id));
        let Some(&inner) = children.last().filter(|_| is_label(kind)) else { return (labels, id) };
        let values = labels.get_or_insert_with(Vec::new);
        // A range of GNU C has two values.
        if let (node::CASE, &[value, _]) = (kind, children) {
            values.extend(tree.cursor(tree.plain(value)).constant());
        }
        id = inner;
    }
}

fn is_label(kind: i32) -> bool {
    matches!(kind, node::CASE | node::DEFAULT | node::LABEL)
}

/// What is known after a statement: `if (x->kind != E) return …;`, `x->kind = E;`, `assert(x->kind == E);`.
fn told_after(tree: &Tree, statement: NodeId) -> Vec<Known> {
    let id = tree.value(statement);
    match (tree.kind(id), tree.children(id)) {
        (node::IF | node::CONDITIONAL, &[condition, then, ref otherwise @ ..]) => {
            let leaves = |side: NodeId| tree.leaves(tree.value(side));
            if leaves(then) {
                told(tree, condition, false)
            } else if otherwise.iter().any(|&side| leaves(side)) {
                told(tree, condition, true)
            } else {
                Vec::new()
            }
        }
        (node::BINARY, &[left, right]) => match tree.cursor(id).binary_operator() {
            binary::ASSIGN => equal(tree, left, right).into_iter().collect(),
            binary::COMMA => told_after(tree, right),
            _ => Vec::new(),
        },
        (node::STATEMENT_EXPR, &[body]) => {
            tree.children(body).last().map_or(Vec::new(), |&last| told_after(tree, last))
        }
        _ => Vec::new(),
    }
}

/// What the outcome of a condition tells of members.
fn told(tree: &Tree, condition: NodeId, truth: bool) -> Vec<Known> {
    let id = tree.value(condition);
    let one = |value: Option<Known>| value.into_iter().collect();
    match (tree.kind(id), tree.children(id)) {
        (node::UNARY, &[operand]) if tree.cursor(id).unary_operator() == unary::LOGICAL_NOT => {
            told(tree, operand, !truth)
        }
        (node::BINARY, &[left, right]) => match tree.cursor(id).binary_operator() {
            binary::EQUAL if truth => one(equal(tree, left, right)),
            binary::NOT_EQUAL if !truth => one(equal(tree, left, right)),
            operator @ (binary::LOGICAL_AND | binary::LOGICAL_OR) => {
                let (left, right) = (told(tree, left, truth), told(tree, right, truth));
                if (operator == binary::LOGICAL_AND) == truth {
                    left.into_iter().chain(right).collect()
                } else {
                    left.iter().filter_map(|one| either(tree, one, &right)).collect()
                }
            }
            _ => Vec::new(),
        },
        (node::CALL, _) if tree.callee(id).is_some_and(|callee| callee.name() == EXPECT) => {
            tree.arguments(id).first().map_or(Vec::new(), |&first| told(tree, first, truth))
        }
        (node::MEMBER, _) => {
            let is_truth = tree.cursor(id).ty().canonical().kind() == ty::BOOL;
            let value = |(record, tag)| Known { record, tag, values: vec![truth.into()] };
            one(tag(tree, id).filter(|_| is_truth || !truth).map(value))
        }
        _ => Vec::new(),
    }
}

/// What is known where one of two things holds.
fn either(tree: &Tree, one: &Known, others: &[Known]) -> Option<Known> {
    let other = others.iter().find(|other| other.tag == one.tag && same(tree, other.record, one.record))?;
    let values = one.values.iter().chain(&other.values).copied().collect();
    Some(Known { values, ..one.clone() })
}

/// A member that equals a constant.
fn equal(tree: &Tree, left: NodeId, right: NodeId) -> Option<Known> {
    let known = |side, value: NodeId| {
        let (record, tag) = tag(tree, side)?;
        let value = tree.cursor(tree.value(value)).constant()?;
        Some(Known { record, tag, values: vec![value] })
    };
    known(left, right).or_else(|| known(right, left))
}

/// An expression that names an integer member, with the expression for its record.
fn tag(tree: &Tree, id: NodeId) -> Option<(NodeId, Declaration)> {
    let id = tree.value(id);
    if tree.kind(id) != node::MEMBER {
        return None;
    }
    let kind = tree.cursor(id).ty().canonical().kind();
    let is_number = ty::is_integer(kind) || matches!(kind, ty::BOOL | ty::ENUM);
    let member = tree.cursor(id).referenced().filter(|_| is_number)?;
    Some((base(tree, id)?, Declaration::of(member)))
}

/// What a member is taken from.
fn base(tree: &Tree, member: NodeId) -> Option<NodeId> {
    let mut children = tree.children(member).iter();
    children.find(|&&child| tree.cursor(child).is_expression()).map(|&child| tree.plain(child))
}

/// Whether two expressions without effects are written the same.
fn same(tree: &Tree, one: NodeId, other: NodeId) -> bool {
    let (one, other) = (tree.value(one), tree.value(other));
    let referenced = |id: NodeId| tree.cursor(id).referenced().map(Declaration::of);
    let is_same_part = || {
        let (left, right) = (tree.children(one), tree.children(other));
        left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| same(tree, left, right))
    };
    match (tree.kind(one), tree.kind(other)) {
        (node::NAME, node::NAME) => referenced(one).is_some() && referenced(one) == referenced(other),
        (node::MEMBER, node::MEMBER) => {
            let bases = base(tree, one).zip(base(tree, other));
            referenced(one) == referenced(other) && bases.is_some_and(|(one, other)| same(tree, one, other))
        }
        (node::SUBSCRIPT, node::SUBSCRIPT) => is_same_part(),
        (node::UNARY, node::UNARY) => {
            let operator = tree.cursor(one).unary_operator();
            let is_place = matches!(operator, unary::DEREFERENCE | unary::ADDRESS_OF);
            is_place && operator == tree.cursor(other).unary_operator() && is_same_part()
        }
        (node::INTEGER, node::INTEGER) => tree.cursor(one).constant() == tree.cursor(other).constant(),
        _ => false,
    }
}
