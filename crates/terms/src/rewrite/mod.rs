//! Rewriting: the rules a constructor tries before it keeps a node, one file for each theory.
//!
//! Takes an operation whose operands are in simplest form already and not all constant; gives an equal, simpler term
//! from the first rule that applies. A rule has a name and a law, a function with its equation in its doc line, and looks at
//! most a few operations deep: rules that walk a whole term would make building it quadratic.
//! `laws.rs` tests every rule of the register by evaluation; a rule that it never saw at work fails.
//!
//! Constants stand right in commutative operations. `Ne` and the predicates of overflow do not occur (see `lower.rs`).

mod arithmetic;
mod boolean;
mod compare;
mod equality;
mod float;
mod ite;
#[cfg(test)]
mod laws;
mod shift;
mod slice;
mod table;

use crate::node::{Node, TableId, Term};
use crate::op::{BinaryOp, ConvertOp, UnaryOp};
use crate::semantics::mask;
use crate::store::Terms;

/// A law by which terms of one operation get simpler.
struct Rule<Law> {
    name: RuleName,
    law: Law,
}

/// What a rewrite rule is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleName {
    /// The operation whose terms it is tried on.
    pub operation: &'static str,
    /// Its name, unique within the operation. What has the same name under two operations is one law that holds for
    /// both.
    pub name: &'static str,
}

/// The rules of an operation by the names of their laws, in the order in which they are tried.
macro_rules! rules {
    ($operation:literal, $($law:ident),+ $(,)?) => {
        &[$($crate::rewrite::Rule {
            name: $crate::rewrite::RuleName { operation: $operation, name: stringify!($law) },
            law: $law,
        }),+]
    };
}
use rules;

/// A law about an operation on one value.
type Law1 = fn(&mut Terms, Term) -> Option<Term>;
/// A law about an operation on two values.
type Law2 = fn(&mut Terms, Term, Term) -> Option<Term>;

/// The register: every rule, by operation.
pub fn rule_names() -> Vec<RuleName> {
    fn names<Law>(rules: &[Rule<Law>]) -> impl Iterator<Item = RuleName> {
        rules.iter().map(|rule| rule.name)
    }
    let mut all: Vec<RuleName> = Vec::new();
    all.extend(UNARY.iter().flat_map(|rules| names(rules)));
    all.extend(BINARY.iter().flat_map(|rules| names(rules)));
    all.extend(names(ite::RULES));
    all.extend(names(slice::CONCAT));
    all.extend(names(slice::EXTRACT));
    all.extend(names(slice::ZEXT));
    all.extend(names(slice::SEXT));
    all.extend(names(float::FCMP));
    all.extend(names(float::CONVERT));
    all.extend(names(table::READ));
    all
}

/// A function from an operation to its rules, and the list of all those rules for the register.
macro_rules! by_operation {
    ($of:ident, $all:ident, $kind:ident, $law:ty: $($op:ident => $rules:path,)+) => {
        fn $of(op: $kind) -> &'static [Rule<$law>] {
            match op {
                $($kind::$op => $rules,)+
                _ => &[],
            }
        }

        const $all: &[&[Rule<$law>]] = &[$($rules),+];
    };
}

by_operation! {
    of_unary, UNARY, UnaryOp, Law1:
    Not => boolean::NOT,
    Neg => arithmetic::NEG,
}

by_operation! {
    of_binary, BINARY, BinaryOp, Law2:
    Add => arithmetic::ADD,
    Sub => arithmetic::SUB,
    Mul => arithmetic::MUL,
    UDiv => arithmetic::UDIV,
    URem => arithmetic::UREM,
    SDiv => arithmetic::SDIV,
    SRem => arithmetic::SREM,
    And => boolean::AND,
    Or => boolean::OR,
    Xor => boolean::XOR,
    Shl => shift::SHL,
    LShr => shift::LSHR,
    AShr => shift::ASHR,
    Eq => equality::EQ,
    Ult => compare::ULT,
    Ule => compare::ULE,
    Slt => compare::SLT,
    Sle => compare::SLE,
}

/// What the first rule that applies makes of a term that would be this node.
fn rewritten<Law: Copy>(
    terms: &mut Terms,
    rules: &'static [Rule<Law>],
    #[cfg_attr(not(test), expect(unused_variables, reason = "what the test of the laws compares with"))] node: Node,
    #[cfg_attr(not(test), expect(unused_variables, reason = "what the test of the laws compares with"))]
    width: u16,
    apply: impl Fn(Law, &mut Terms) -> Option<Term>,
) -> Option<Term> {
    rules.iter().find_map(|rule| {
        let result = apply(rule.law, terms)?;
        #[cfg(test)]
        laws::fired(rule.name, node, width, result);
        Some(result)
    })
}
pub(crate) fn unary(terms: &mut Terms, op: UnaryOp, a: Term) -> Option<Term> {
    let width = terms.width(a);
    rewritten(terms, of_unary(op), Node::Unary(op, a), width, |law, terms| law(terms, a))
}

pub(crate) fn binary(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let width = if op.is_predicate() { 1 } else { terms.width(a) };
    rewritten(terms, of_binary(op), Node::Binary(op, a, b), width, |law, terms| law(terms, a, b))
}

pub(crate) fn ite(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let (node, width) = (Node::Ite(condition, yes, no), terms.width(yes));
    rewritten(terms, ite::RULES, node, width, |law, terms| law(terms, condition, yes, no))
}

pub(crate) fn concat(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let (node, width) = (Node::Concat(high, low), terms.width(high) + terms.width(low));
    rewritten(terms, slice::CONCAT, node, width, |law, terms| law(terms, high, low))
}

pub(crate) fn extract(terms: &mut Terms, a: Term, low: u16, width: u16) -> Option<Term> {
    rewritten(terms, slice::EXTRACT, Node::Extract(a, low), width, |law, terms| law(terms, a, low, width))
}

pub(crate) fn zext(terms: &mut Terms, a: Term, width: u16) -> Option<Term> {
    rewritten(terms, slice::ZEXT, Node::ZExt(a), width, |law, terms| law(terms, a, width))
}

pub(crate) fn sext(terms: &mut Terms, a: Term, width: u16) -> Option<Term> {
    rewritten(terms, slice::SEXT, Node::SExt(a), width, |law, terms| law(terms, a, width))
}

pub(crate) fn fcmp(terms: &mut Terms, predicate: u8, a: Term, b: Term) -> Option<Term> {
    let node = Node::FCmp(predicate, a, b);
    rewritten(terms, float::FCMP, node, 1, |law, terms| law(terms, predicate, a, b))
}

pub(crate) fn convert(terms: &mut Terms, op: ConvertOp, a: Term, width: u16) -> Option<Term> {
    rewritten(terms, float::CONVERT, Node::Convert(op, a), width, |law, terms| law(terms, op, a, width))
}

pub(crate) fn read(terms: &mut Terms, table: TableId, index: Term) -> Option<Term> {
    rewritten(terms, table::READ, Node::Read(table, index), 8, |law, terms| law(terms, table, index))
}

/// Questions that many rules ask.
impl Terms {
    fn is_value(&self, term: Term, value: u128) -> bool {
        self.as_constant(term) == Some(value)
    }

    fn is_zero(&self, term: Term) -> bool {
        self.is_value(term, 0)
    }

    fn is_ones(&self, term: Term) -> bool {
        self.is_value(term, mask(self.width(term)))
    }

    fn truth(&mut self, value: bool) -> Term {
        self.constant(1, value.into())
    }

    /// Operand of a `Not`.
    fn as_not(&self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::Unary(UnaryOp::Not, a) => Some(a),
            _ => None,
        }
    }

    /// Operands of this operation.
    fn as_binary(&self, op: BinaryOp, term: Term) -> Option<(Term, Term)> {
        match *self.node(term) {
            Node::Binary(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// Operands of this operation if the right one is a constant.
    fn as_binary_constant(&self, op: BinaryOp, term: Term) -> Option<(Term, u128)> {
        let (a, b) = self.as_binary(op, term)?;
        Some((a, self.as_constant(b)?))
    }

    /// A term as a sum with a number; the number is 0 if it is none.
    fn as_sum(&self, term: Term) -> (Term, u128) {
        self.as_binary_constant(BinaryOp::Add, term).unwrap_or((term, 0))
    }

    /// Operand of a zero extension.
    fn as_zext(&self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::ZExt(a) => Some(a),
            _ => None,
        }
    }

    /// Operand of a sign extension.
    fn as_sext(&self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::SExt(a) => Some(a),
            _ => None,
        }
    }

    /// The greatest value a term may have, as far as its outermost operation tells.
    fn upper_bound(&self, term: Term) -> u128 {
        match *self.node(term) {
            Node::Const(value) => value,
            Node::ZExt(a) => mask(self.width(a)),
            _ => mask(self.width(term)),
        }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Helpers for the rules' tests: terms over two input words, and a check that both sides have the same value.

    use crate::{Evaluator, Term, Terms};

    /// A store with two unrelated terms of the width asked for.
    pub(crate) fn two(width: u16) -> (Terms, Term, Term) {
        let mut terms = Terms::new();
        let (x, y) = (word(&mut terms, 0, width), word(&mut terms, 16, width));
        (terms, x, y)
    }

    /// `width` bits of the input bytes from `first` upwards.
    pub(crate) fn word(terms: &mut Terms, first: u32, width: u16) -> Term {
        let word = terms.word(first, width.div_ceil(8).into());
        terms.extract(word, 0, width)
    }

    /// Asserts that a term was rewritten to the other one; the message shows both.
    #[track_caller]
    pub(crate) fn same(terms: &Terms, actual: Term, expected: Term) {
        assert_eq!(
            actual,
            expected,
            "\n  actual: {}\nexpected: {}",
            terms.display(actual),
            terms.display(expected)
        );
    }

    /// Asserts that a term is a constant.
    #[track_caller]
    pub(crate) fn is(terms: &Terms, actual: Term, expected: u128) {
        assert_eq!(terms.as_constant(actual), Some(expected), "{}", terms.display(actual));
    }

    /// The value of a term where every input byte is a mix of its number.
    pub(crate) fn sample(terms: &Terms, term: Term) -> u128 {
        Evaluator::new().eval(terms, term, &|byte: u32| (byte.wrapping_mul(151) ^ 0x5a) as u8)
    }
}
