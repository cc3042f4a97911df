//! Floating terms to Z3's floats.
//!
//! Z3 has one NaN and does not say which bits it has. The bits of a computed float are therefore a fresh variable of
//! which only is said that it reads back as that float: an unsatisfiable answer holds for every NaN, and a model that
//! counts on the wrong one is caught when it is evaluated. Conversions to integers say what x86-64 gives out of range.
//! Patterns of 80 bits are taken to have the integer bit that belongs to their exponent: `encoding.rs` sees to it.
//! Z3's remainder is the IEEE one, not C's `fmod`: its result is left open, as are those of functions that only the C
//! library knows. A model may then be wrong, which its evaluation shows; that there is none stays true.

use super::context::{Ast, Op0, Op2, Op3};
use super::translate::{Translation, Want};
use crate::sign::{self, Sign};
use tarka_terms::semantics::{self, extended};
use tarka_terms::{BinaryOp, ConvertOp, Node, Term, UnaryOp, predicate};
use z3_sys::*;

impl Translation<'_> {
    /// The formula of a term as a floating value, once its operands have theirs.
    pub(super) fn float(&mut self, term: Term) -> Option<Ast> {
        self.has_floats = true;
        let width = self.terms.width(term);
        Some(match *self.terms.node(term) {
            Node::Const(bits) if width == extended::WIDTH => {
                let bits = self.formulas.number(width, extended::canonical(bits));
                self.formulas.float_from_bits(bits, width)
            }
            Node::Unary(op, _) if op.is_library() => self.any_float("a function of the C library", width),
            Node::Binary(op, ..) if op.is_library() => self.any_float("a function of the C library", width),
            Node::Unary(op, a) if op.is_float() => self.unary_float(op, a)?,
            Node::Binary(BinaryOp::FRem, ..) => self.any_float("fmod", width),
            Node::Binary(op, a, b) if op.is_float() => {
                let (a, b) = self.two_floats(a, b)?;
                let f: Op3 = match op {
                    BinaryOp::FAdd => Z3_mk_fpa_add,
                    BinaryOp::FSub => Z3_mk_fpa_sub,
                    BinaryOp::FMul => Z3_mk_fpa_mul,
                    BinaryOp::FDiv => Z3_mk_fpa_div,
                    _ => unreachable!("{op:?} never becomes a node"),
                };
                let nearest = self.formulas.rounding(Z3_mk_fpa_rne);
                self.formulas.three(f, nearest, a, b)
            }
            Node::Fma(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|operand| self.need(Want::Float(operand)));
                let nearest = self.formulas.rounding(Z3_mk_fpa_rne);
                self.formulas.four(Z3_mk_fpa_fma, nearest, [a?, b?, c?])
            }
            Node::Convert(op @ (ConvertOp::SiToF | ConvertOp::UiToF), a) => {
                let a = self.vector(a)?;
                self.formulas.float_from_integer(a, width, op == ConvertOp::SiToF)
            }
            Node::Convert(ConvertOp::FToF, a) => {
                let a = self.need(Want::Float(a))?;
                self.formulas.float_from_float(a, width)
            }
            Node::Ite(condition, yes, no) => {
                let condition = self.need(Want::Bits(condition));
                let (yes, no) = self.two_floats(yes, no)?;
                self.formulas.three(Z3_mk_ite, condition?, yes, no)
            }
            _ => match sign::change(self.terms, term) {
                Some((a, change)) => {
                    let a = self.need(Want::Float(a))?;
                    let magnitude =
                        if change == Sign::Flipped { a } else { self.formulas.one(Z3_mk_fpa_abs, a) };
                    if change == Sign::Cleared {
                        magnitude
                    } else {
                        self.formulas.one(Z3_mk_fpa_neg, magnitude)
                    }
                }
                None => {
                    let bits = self.need(Want::Bits(term))?;
                    self.formulas.float_from_bits(bits, width)
                }
            },
        })
    }

    /// A float of which nothing is said, in the place of an operation that Z3 does not know.
    fn any_float(&mut self, what: &'static str, width: u16) -> Ast {
        self.approximated = Some(what);
        let any = self.formulas.variable(width);
        self.formulas.float_from_bits(any, width)
    }

    fn unary_float(&mut self, op: UnaryOp, a: Term) -> Option<Ast> {
        let a = self.need(Want::Float(a))?;
        let (f, mode): (Op2, Op0) = match op {
            UnaryOp::FSqrt => (Z3_mk_fpa_sqrt, Z3_mk_fpa_rne),
            UnaryOp::FFloor => (Z3_mk_fpa_round_to_integral, Z3_mk_fpa_rtn),
            UnaryOp::FCeil => (Z3_mk_fpa_round_to_integral, Z3_mk_fpa_rtp),
            UnaryOp::FTrunc => (Z3_mk_fpa_round_to_integral, Z3_mk_fpa_rtz),
            UnaryOp::FRint => (Z3_mk_fpa_round_to_integral, Z3_mk_fpa_rne),
            UnaryOp::FRound => (Z3_mk_fpa_round_to_integral, Z3_mk_fpa_rna),
            _ => unreachable!("{op:?} never becomes a node"),
        };
        let mode = self.formulas.rounding(mode);
        Some(self.formulas.two(f, mode, a))
    }

    /// The bits of a computed float: whatever reads back as it.
    pub(super) fn bits_of_float(&mut self, term: Term) -> Option<Ast> {
        let value = self.need(Want::Float(term))?;
        let width = self.terms.width(term);
        let bits = self.formulas.variable(width);
        let back = self.formulas.float_from_bits(bits, width);
        let same = self.formulas.two(Z3_mk_eq, back, value);
        self.clauses.push(same);
        if width == extended::WIDTH {
            let clause = self.has_integer_bit(bits);
            self.clauses.push(clause);
        }
        Some(bits)
    }

    /// The integer bit of an extended float is set exactly if its exponent is not 0.
    fn has_integer_bit(&mut self, bits: Ast) -> Ast {
        let (integer, exponent) = (self.formulas.extract(bits, 63, 1), self.formulas.extract(bits, 64, 15));
        let (zero, one) = (self.formulas.number(15, 0), self.formulas.number(1, 1));
        let (is_zero, is_set) =
            (self.formulas.two(Z3_mk_eq, exponent, zero), self.formulas.two(Z3_mk_eq, integer, one));
        self.formulas.two(Z3_mk_xor, is_zero, is_set)
    }

    /// One formula for each relation that makes the predicate true.
    pub(super) fn compare_floats(&mut self, found: u8, a: Term, b: Term) -> Option<Ast> {
        let (a, b) = self.two_floats(a, b)?;
        let mut relations = Vec::new();
        if found & predicate::EQUAL != 0 {
            relations.push(self.formulas.two(Z3_mk_fpa_eq, a, b));
        }
        if found & predicate::LESS != 0 {
            relations.push(self.formulas.two(Z3_mk_fpa_lt, a, b));
        }
        if found & predicate::GREATER != 0 {
            relations.push(self.formulas.two(Z3_mk_fpa_lt, b, a));
        }
        if found & predicate::UNORDERED != 0 {
            relations.extend([a, b].map(|operand| self.formulas.one(Z3_mk_fpa_is_nan, operand)));
        }
        Some(self.formulas.or(&relations))
    }

    /// Truncation where the value fits, otherwise what the hardware gives; beyond 64 bits left open.
    pub(super) fn integer_from_float(&mut self, term: Term) -> Option<Ast> {
        let Node::Convert(_, a) = *self.terms.node(term) else { unreachable!("a conversion") };
        let (from, to) = (self.terms.width(a), self.terms.width(term));
        if to > 64 {
            self.approximated = Some("a conversion of a float to more than 64 bits");
            return Some(self.formulas.variable(to));
        }
        let value = self.need(Want::Float(a))?;
        let truncated = self.formulas.integer_from_float(value, to);
        let towards_zero = self.formulas.rounding(Z3_mk_fpa_rtz);
        let whole = self.formulas.two(Z3_mk_fpa_round_to_integral, towards_zero, value);
        let bound = semantics::convert(ConvertOp::UiToF, 64, from, semantics::sign_bit(to));
        let bound = self.formulas.number(from, bound);
        let bound = self.formulas.float_from_bits(bound, from);
        let lower = self.formulas.one(Z3_mk_fpa_neg, bound);
        let below = self.formulas.two(Z3_mk_fpa_lt, whole, bound);
        let not_under = self.formulas.two(Z3_mk_fpa_leq, lower, whole);
        let fits = self.formulas.and(below, not_under);
        let beyond = self.formulas.number(to, semantics::sign_bit(to));
        Some(self.formulas.three(Z3_mk_ite, fits, truncated, beyond))
    }
}
