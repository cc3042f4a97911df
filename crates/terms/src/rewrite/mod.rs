//! Rewriting: the rules a constructor tries before it keeps a node, one file for each theory.
//!
//! Takes an operation whose operands are in simplest form already and not all constant; gives an equal, simpler term
//! from the first rule that applies. A rule is a function with its equation in its doc line, and looks at most a few
//! operations deep: rules that walk a whole term would make building it quadratic.
//!
//! Constants stand right in commutative operations. `Ne` and the predicates of overflow do not occur (see `lower.rs`).

mod arithmetic;
mod boolean;
mod compare;
mod equality;
mod float;
mod ite;
mod shift;
mod slice;
mod table;

use crate::node::{Node, TableId, Term};
use crate::op::{BinaryOp, ConvertOp, UnaryOp};
use crate::semantics::mask;
use crate::store::Terms;

/// A rule for an operation on one value.
type Rule1 = fn(&mut Terms, Term) -> Option<Term>;
/// A rule for an operation on two values.
type Rule2 = fn(&mut Terms, Term, Term) -> Option<Term>;

pub(crate) fn unary(terms: &mut Terms, op: UnaryOp, a: Term) -> Option<Term> {
    let rules: &[Rule1] = match op {
        UnaryOp::Not => boolean::NOT,
        UnaryOp::Neg => arithmetic::NEG,
        _ => &[],
    };
    rules.iter().find_map(|rule| rule(terms, a))
}

pub(crate) fn binary(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let rules: &[Rule2] = match op {
        BinaryOp::Add => arithmetic::ADD,
        BinaryOp::Sub => arithmetic::SUB,
        BinaryOp::Mul => arithmetic::MUL,
        BinaryOp::UDiv => arithmetic::UDIV,
        BinaryOp::URem => arithmetic::UREM,
        BinaryOp::SDiv => arithmetic::SDIV,
        BinaryOp::SRem => arithmetic::SREM,
        BinaryOp::And => boolean::AND,
        BinaryOp::Or => boolean::OR,
        BinaryOp::Xor => boolean::XOR,
        BinaryOp::Shl => shift::SHL,
        BinaryOp::LShr => shift::LSHR,
        BinaryOp::AShr => shift::ASHR,
        BinaryOp::Eq => equality::EQ,
        BinaryOp::Ult => compare::ULT,
        BinaryOp::Ule => compare::ULE,
        BinaryOp::Slt => compare::SLT,
        BinaryOp::Sle => compare::SLE,
        _ => &[],
    };
    rules.iter().find_map(|rule| rule(terms, a, b))
}

pub(crate) fn ite(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    ite::RULES.iter().find_map(|rule| rule(terms, condition, yes, no))
}

pub(crate) fn concat(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    slice::CONCAT.iter().find_map(|rule| rule(terms, high, low))
}

pub(crate) fn extract(terms: &mut Terms, a: Term, low: u16, width: u16) -> Option<Term> {
    slice::EXTRACT.iter().find_map(|rule| rule(terms, a, low, width))
}

pub(crate) fn zext(terms: &mut Terms, a: Term, width: u16) -> Option<Term> {
    slice::zext_of_extension(terms, a, width)
}

pub(crate) fn sext(terms: &mut Terms, a: Term, width: u16) -> Option<Term> {
    slice::sext_of_extension(terms, a, width)
}

pub(crate) fn fcmp(terms: &mut Terms, predicate: u8, a: Term, b: Term) -> Option<Term> {
    float::FCMP.iter().find_map(|rule| rule(terms, predicate, a, b))
}

pub(crate) fn convert(terms: &mut Terms, op: ConvertOp, a: Term, width: u16) -> Option<Term> {
    float::integer_there_and_back(terms, op, a, width)
}

pub(crate) fn read(terms: &mut Terms, table: TableId, index: Term) -> Option<Term> {
    table::READ.iter().find_map(|rule| rule(terms, table, index))
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
        let mut word = terms.input(first);
        for byte in 1..width.div_ceil(8) {
            let high = terms.input(first + u32::from(byte));
            word = terms.concat(high, word);
        }
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
