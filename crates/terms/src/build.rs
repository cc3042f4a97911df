//! The constructors of terms: check widths, fold constants, lower, rewrite, and only then keep a node.
//!
//! Takes an operation and operands; gives the simplest term found for it. A constructor panics when widths do not fit,
//! which is a mistake of the caller: whoever reads terms from outside checks them first.

use crate::MAX_WIDTH;
use crate::node::{Node, TableId, Term};
use crate::op::{BinaryOp, ConvertOp, UnaryOp, predicate};
use crate::store::Terms;
use crate::{lower, rewrite, semantics};

/// Rules may call constructors, which try rules again. Beyond this nesting a term is kept as it is, so that a chain of
/// a million operations cannot exhaust the stack.
const MAX_REWRITE_DEPTH: u32 = 64;

impl Terms {
    /// An operation on one value.
    pub fn unary(&mut self, op: UnaryOp, a: Term) -> Term {
        let width = self.width(a);
        self.check_float(op.is_float(), width);
        if let Some(value) = self.as_constant(a) {
            return self.constant(width, semantics::unary(op, width, value));
        }
        if let Some(lowered) = lower::unary(self, op, a) {
            return lowered;
        }
        self.rewritten(|terms| rewrite::unary(terms, op, a))
            .unwrap_or_else(|| self.intern(Node::Unary(op, a), width))
    }

    /// Every bit flipped; the negation of a truth value.
    pub fn not(&mut self, a: Term) -> Term {
        self.unary(UnaryOp::Not, a)
    }

    /// An operation on two values of one width.
    pub fn binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert!(width == self.width(b), "{op:?} of {width} and {} bits", self.width(b));
        self.check_float(op.is_float(), width);
        let result_width = if op.is_predicate() { 1 } else { width };
        if let (Some(left), Some(right)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(result_width, semantics::binary(op, width, left, right));
        }
        if let Some(lowered) = lower::binary(self, op, a, b) {
            return lowered;
        }
        let (a, b) = if op.is_commutative() { self.ordered(a, b) } else { (a, b) };
        self.rewritten(|terms| rewrite::binary(terms, op, a, b))
            .unwrap_or_else(|| self.intern(Node::Binary(op, a, b), result_width))
    }

    /// `yes` where the truth value `condition` is 1, otherwise `no`.
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        let width = self.width(yes);
        assert!(self.width(condition) == 1, "a condition of {} bits", self.width(condition));
        assert!(width == self.width(no), "arms of {width} and {} bits", self.width(no));
        if let Some(value) = self.as_constant(condition) {
            return if value == 1 { yes } else { no };
        }
        self.rewritten(|terms| rewrite::ite(terms, condition, yes, no))
            .unwrap_or_else(|| self.intern(Node::Ite(condition, yes, no), width))
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let low_width = self.width(low);
        let width = self.width(high) + low_width;
        assert!(width <= MAX_WIDTH, "a term of {width} bits");
        if let (Some(high), Some(low)) = (self.as_constant(high), self.as_constant(low)) {
            return self.constant(width, semantics::concat(low_width, high, low));
        }
        self.rewritten(|terms| rewrite::concat(terms, high, low))
            .unwrap_or_else(|| self.intern(Node::Concat(high, low), width))
    }

    /// The number in `bytes` input bytes from `first` on, its lowest byte first.
    pub fn word(&mut self, first: u32, bytes: u32) -> Term {
        let low = self.input(first);
        (first + 1..first + bytes).fold(low, |low, byte| {
            let high = self.input(byte);
            self.concat(high, low)
        })
    }

    /// `width` bits of a term from `low_bit` upwards.
    pub fn extract(&mut self, a: Term, low_bit: u16, width: u16) -> Term {
        let available = self.width(a);
        assert!(width >= 1 && low_bit + width <= available, "{width} bits from {low_bit} of {available}");
        if width == available {
            return a;
        }
        if let Some(value) = self.as_constant(a) {
            return self.constant(width, semantics::extract(low_bit, width, value));
        }
        self.rewritten(|terms| rewrite::extract(terms, a, low_bit, width))
            .unwrap_or_else(|| self.intern(Node::Extract(a, low_bit), width))
    }

    /// Extension by zeros to `width`.
    pub fn zext(&mut self, a: Term, width: u16) -> Term {
        self.check_extension(a, width);
        if width == self.width(a) {
            return a;
        }
        if let Some(value) = self.as_constant(a) {
            return self.constant(width, value);
        }
        self.rewritten(|terms| rewrite::zext(terms, a, width))
            .unwrap_or_else(|| self.intern(Node::ZExt(a), width))
    }

    /// Extension by the sign bit to `width`.
    pub fn sext(&mut self, a: Term, width: u16) -> Term {
        self.check_extension(a, width);
        let from = self.width(a);
        if width == from {
            return a;
        }
        if let Some(value) = self.as_constant(a) {
            return self.constant(width, semantics::sext(from, width, value));
        }
        self.rewritten(|terms| rewrite::sext(terms, a, width))
            .unwrap_or_else(|| self.intern(Node::SExt(a), width))
    }

    /// A conversion between numbers and floats, result of `width` bits.
    pub fn convert(&mut self, op: ConvertOp, a: Term, width: u16) -> Term {
        let from = self.width(a);
        let (float_in, float_out) = match op {
            ConvertOp::FToSi | ConvertOp::FToUi => (true, false),
            ConvertOp::SiToF | ConvertOp::UiToF => (false, true),
            ConvertOp::FToF => (true, true),
        };
        self.check_float(float_in, from);
        self.check_float(float_out, width);
        assert!((1..=MAX_WIDTH).contains(&width), "a term of {width} bits");
        if let Some(value) = self.as_constant(a) {
            return self.constant(width, semantics::convert(op, from, width, value));
        }
        if let Some(lowered) = lower::convert(self, op, a, width) {
            return lowered;
        }
        self.rewritten(|terms| rewrite::convert(terms, op, a, width))
            .unwrap_or_else(|| self.intern(Node::Convert(op, a), width))
    }

    /// LLVM's floating comparison, one bit.
    pub fn fcmp(&mut self, predicate: u8, a: Term, b: Term) -> Term {
        let width = self.width(a);
        assert!(predicate <= predicate::ALWAYS && width == self.width(b), "fcmp {predicate} of {width} bits");
        self.check_float(true, width);
        if let (Some(left), Some(right)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(1, semantics::fcmp(predicate, width, left, right).into());
        }
        self.rewritten(|terms| rewrite::fcmp(terms, predicate, a, b))
            .unwrap_or_else(|| self.intern(Node::FCmp(predicate, a, b), 1))
    }

    /// `a * b + c` rounded once.
    pub fn fma(&mut self, a: Term, b: Term, c: Term) -> Term {
        let width = self.width(a);
        assert!(width == self.width(b) && width == self.width(c), "fma of different widths");
        self.check_float(true, width);
        match (self.as_constant(a), self.as_constant(b), self.as_constant(c)) {
            (Some(a), Some(b), Some(c)) => self.constant(width, semantics::fma(width, a, b, c)),
            _ => self.intern(Node::Fma(a, b, c), width),
        }
    }

    /// The byte of a table at an index of any width; 0 beyond its end.
    pub fn read(&mut self, table: TableId, index: Term) -> Term {
        if let Some(index) = self.as_constant(index) {
            let entry = usize::try_from(index).ok().and_then(|index| self.table_entries(table).get(index));
            return entry.copied().unwrap_or_else(|| self.constant(8, 0));
        }
        self.rewritten(|terms| rewrite::read(terms, table, index))
            .unwrap_or_else(|| self.intern(Node::Read(table, index), 8))
    }

    /// Runs rules unless too many are at work already.
    fn rewritten(&mut self, rules: impl FnOnce(&mut Terms) -> Option<Term>) -> Option<Term> {
        if self.rewrite_depth >= MAX_REWRITE_DEPTH {
            return None;
        }
        self.rewrite_depth += 1;
        let result = rules(self);
        self.rewrite_depth -= 1;
        result
    }

    /// Operands of a commutative operation in their one order: a constant last, otherwise the older term first.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if self.as_constant(a).is_some() || (self.as_constant(b).is_none() && b < a) {
            (b, a)
        } else {
            (a, b)
        }
    }

    fn check_float(&mut self, is_float: bool, width: u16) {
        assert!(!is_float || semantics::is_float_width(width), "a float has 32, 64 or 80 bits, not {width}");
        self.has_extended_floats |= is_float && width == semantics::extended::WIDTH;
    }

    fn check_extension(&self, a: Term, width: u16) {
        assert!(self.width(a) <= width && width <= MAX_WIDTH, "{} bits extended to {width}", self.width(a));
    }
}
