//! Terms to Z3 formulas, on an explicit stack, each term once for a query.
//!
//! A term of one bit is a Z3 truth value, a wider one a bit vector; a floating value is kept as Z3's float as long as
//! it is only computed with (see `float.rs`). A table becomes a tree of choices over the bits of its index, with equal
//! subtrees shared: the engines for bit vectors have no arrays.

use super::context::{Ast, Formulas, Op1, Op2};
use crate::{Deadline, Reason};
use rustc_hash::FxHashMap;
use tarka_terms::{BinaryOp, ConvertOp, Node, TableId, Term, Terms, UnaryOp};
use z3_sys::*;

/// A query with more terms than this is not handed to Z3: building it alone would take longer than a query may.
const MAX_TERMS: usize = 400_000;

/// The clock is looked at once for so many formulas.
const FORMULAS_PER_LOOK: usize = 1024;

/// One query on its way to Z3.
pub(super) struct Translation<'t> {
    pub(super) terms: &'t Terms,
    pub(super) formulas: &'t mut Formulas,
    done: FxHashMap<Want, Ast>,
    /// Variables of input bytes.
    inputs: FxHashMap<u32, Ast>,
    deadline: Deadline,
    /// How many formulas there are when the clock is looked at next, and whether it was too late then.
    looks_at: usize,
    late: bool,
    /// Formulas that must hold: the clauses, and what floats need to be said beside them.
    pub(super) clauses: Vec<Ast>,
    /// Whether there is a floating value.
    pub(super) has_floats: bool,
    /// An operation that was replaced by "any value", if there is one: an unsatisfiable answer still counts.
    pub(super) approximated: Option<&'static str>,
    open: Vec<Want>,
}

/// A term in one of the two forms it may be needed in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Want {
    /// As bits: a truth value if it is one bit wide, otherwise a bit vector.
    Bits(Term),
    /// As a floating value.
    Float(Term),
}

impl<'t> Translation<'t> {
    pub(super) fn new(terms: &'t Terms, formulas: &'t mut Formulas, deadline: Deadline) -> Self {
        Translation {
            terms,
            formulas,
            done: FxHashMap::default(),
            inputs: FxHashMap::default(),
            deadline,
            looks_at: 0,
            late: false,
            clauses: Vec::new(),
            has_floats: false,
            approximated: None,
            open: Vec::new(),
        }
    }

    /// Adds a truth value that must hold, unless the question gets too large or its time is up.
    pub(super) fn add_clause(&mut self, clause: Term) -> Result<(), Reason> {
        self.open.push(Want::Bits(clause));
        while let Some(want) = self.open.last().copied() {
            if self.formula(want).is_some() {
                self.open.pop();
                continue;
            }
            if self.done.len() > MAX_TERMS {
                return Err(Reason::TooLarge(self.done.len()));
            }
            if self.is_late() {
                return Err(Reason::TimeLimit);
            }
            let formula = match want {
                Want::Bits(term) => self.bits(term),
                Want::Float(term) => self.float(term),
            };
            if let Some(formula) = formula {
                self.done.insert(want, formula);
                self.open.pop();
            }
        }
        self.clauses.extend(self.formula(Want::Bits(clause)));
        Ok(())
    }

    /// Whether the time is up, looked at now and then.
    fn is_late(&mut self) -> bool {
        if self.formulas.len() >= self.looks_at {
            self.looks_at = self.formulas.len() + FORMULAS_PER_LOOK;
            self.late |= self.deadline.is_over();
        }
        self.late
    }

    /// The formula of a term, if there is one yet.
    pub(super) fn formula(&self, want: Want) -> Option<Ast> {
        self.done.get(&want).copied()
    }

    /// The input bytes of these clauses, sorted, with their variables.
    pub(super) fn inputs(&self, clauses: &[Term]) -> Vec<(u32, Ast)> {
        let mut inputs: Vec<u32> =
            clauses.iter().flat_map(|clause| self.terms.inputs(*clause)).copied().collect();
        inputs.sort_unstable();
        inputs.dedup();
        // A byte of an operation that has no translation has no variable.
        inputs.into_iter().filter_map(|byte| Some((byte, *self.inputs.get(&byte)?))).collect()
    }

    /// The formula of an operand; if there is none yet the operand is queued.
    pub(super) fn need(&mut self, want: Want) -> Option<Ast> {
        let known = self.formula(want);
        if known.is_none() {
            self.open.push(want);
        }
        known
    }

    /// The operand as a bit vector even if it is one bit wide.
    pub(super) fn vector(&mut self, term: Term) -> Option<Ast> {
        let bits = self.need(Want::Bits(term))?;
        Some(if self.terms.width(term) == 1 { self.vector_of_truth(bits) } else { bits })
    }

    fn vector_of_truth(&mut self, truth: Ast) -> Ast {
        let (one, zero) = (self.formulas.number(1, 1), self.formulas.number(1, 0));
        self.formulas.three(Z3_mk_ite, truth, one, zero)
    }

    /// A bit vector of a result as a truth value if it is one bit wide.
    fn result(&mut self, width: u16, vector: Ast) -> Ast {
        if width > 1 {
            return vector;
        }
        let one = self.formulas.number(1, 1);
        self.formulas.two(Z3_mk_eq, vector, one)
    }

    fn two_vectors(&mut self, a: Term, b: Term) -> Option<(Ast, Ast)> {
        let (a, b) = (self.vector(a), self.vector(b));
        Some((a?, b?))
    }

    pub(super) fn two_floats(&mut self, a: Term, b: Term) -> Option<(Ast, Ast)> {
        let (a, b) = (self.need(Want::Float(a)), self.need(Want::Float(b)));
        Some((a?, b?))
    }

    /// The formula of a term as bits, once its operands have theirs.
    fn bits(&mut self, term: Term) -> Option<Ast> {
        let width = self.terms.width(term);
        Some(match *self.terms.node(term) {
            Node::Const(value) if width == 1 => self.formulas.truth(value == 1),
            Node::Const(value) => self.formulas.number(width, value),
            Node::Input(byte) => {
                let variable = self.formulas.variable(8);
                self.inputs.insert(byte, variable);
                variable
            }
            Node::Unary(UnaryOp::Not, a) if width == 1 => {
                let a = self.need(Want::Bits(a))?;
                self.formulas.one(Z3_mk_not, a)
            }
            Node::Unary(op @ (UnaryOp::Not | UnaryOp::Neg), a) => {
                let a = self.vector(a)?;
                let f: Op1 = if op == UnaryOp::Not { Z3_mk_bvnot } else { Z3_mk_bvneg };
                let vector = self.formulas.one(f, a);
                self.result(width, vector)
            }
            Node::Binary(op, a, b) if !op.is_float() => self.binary(op, a, b)?,
            Node::Concat(high, low) => {
                let (high, low) = self.two_vectors(high, low)?;
                self.formulas.two(Z3_mk_concat, high, low)
            }
            Node::Extract(a, low) => {
                let a = self.vector(a)?;
                let vector = self.formulas.extract(a, low, width);
                self.result(width, vector)
            }
            Node::ZExt(a) | Node::SExt(a) => {
                let signed = matches!(self.terms.node(term), Node::SExt(_));
                let more = width - self.terms.width(a);
                let a = self.vector(a)?;
                self.formulas.extend(a, more, signed)
            }
            Node::Ite(condition, yes, no) => {
                let operands = [condition, yes, no].map(|operand| self.need(Want::Bits(operand)));
                let [condition, yes, no] = operands;
                self.formulas.three(Z3_mk_ite, condition?, yes?, no?)
            }
            Node::Read(table, index) => self.read(table, index)?,
            Node::FCmp(predicate, a, b) => self.compare_floats(predicate, a, b)?,
            Node::Convert(ConvertOp::FToSi | ConvertOp::FToUi, _) => self.integer_from_float(term)?,
            Node::Unary(..) | Node::Binary(..) | Node::Convert(..) | Node::Fma(..) => {
                self.bits_of_float(term)?
            }
        })
    }

    fn binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Option<Ast> {
        let width = self.terms.width(a);
        if width == 1
            && let Some(formula) = self.binary_of_truths(op, a, b)
        {
            return formula;
        }
        let (left, right) = self.two_vectors(a, b)?;
        let right = match op {
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.shift_amount(right, width),
            _ => right,
        };
        let f: Op2 = match op {
            BinaryOp::Add => Z3_mk_bvadd,
            BinaryOp::Sub => Z3_mk_bvsub,
            BinaryOp::Mul => Z3_mk_bvmul,
            BinaryOp::UDiv => Z3_mk_bvudiv,
            BinaryOp::SDiv => Z3_mk_bvsdiv,
            BinaryOp::URem => Z3_mk_bvurem,
            BinaryOp::SRem => Z3_mk_bvsrem,
            BinaryOp::And => Z3_mk_bvand,
            BinaryOp::Or => Z3_mk_bvor,
            BinaryOp::Xor => Z3_mk_bvxor,
            BinaryOp::Shl => Z3_mk_bvshl,
            BinaryOp::LShr => Z3_mk_bvlshr,
            BinaryOp::AShr => Z3_mk_bvashr,
            BinaryOp::Eq => Z3_mk_eq,
            BinaryOp::Ult => Z3_mk_bvult,
            BinaryOp::Ule => Z3_mk_bvule,
            BinaryOp::Slt => Z3_mk_bvslt,
            BinaryOp::Sle => Z3_mk_bvsle,
            _ => unreachable!("{op:?} never becomes a node"),
        };
        let formula = self.formulas.two(f, left, right);
        Some(if op.is_predicate() { formula } else { self.result(width, formula) })
    }

    /// Operations on truth values that Z3 has for them; the outer `None` means there is none.
    fn binary_of_truths(&mut self, op: BinaryOp, a: Term, b: Term) -> Option<Option<Ast>> {
        if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Eq) {
            return None;
        }
        let (Some(a), Some(b)) = (self.need(Want::Bits(a)), self.need(Want::Bits(b))) else {
            return Some(None);
        };
        Some(Some(match op {
            BinaryOp::And => self.formulas.and(a, b),
            BinaryOp::Or => self.formulas.or(&[a, b]),
            BinaryOp::Xor => self.formulas.two(Z3_mk_xor, a, b),
            _ => self.formulas.two(Z3_mk_eq, a, b),
        }))
    }

    /// The amount modulo the width.
    fn shift_amount(&mut self, amount: Ast, width: u16) -> Ast {
        if width.is_power_of_two() {
            let mask = self.formulas.number(width, u128::from(width) - 1);
            return self.formulas.two(Z3_mk_bvand, amount, mask);
        }
        let modulus = self.formulas.number(width, width.into());
        self.formulas.two(Z3_mk_bvurem, amount, modulus)
    }

    /// A tree of choices over the low bits of the index; 0 where a high bit is set.
    fn read(&mut self, table: TableId, index: Term) -> Option<Ast> {
        let terms = self.terms;
        let entries = terms.table_entries(table);
        let index_width = terms.width(index);
        let index = self.vector(index);
        let waiting = self.open.len();
        let mut level: Vec<Ast> = entries.iter().filter_map(|entry| self.need(Want::Bits(*entry))).collect();
        if self.open.len() > waiting {
            return None;
        }
        let index = index?;
        let zero = self.formulas.number(8, 0);
        if level.is_empty() {
            return Some(zero);
        }
        let mut bit = 0;
        while level.len() > 1 && bit < index_width {
            // A table may be large; whoever queued it then gives up.
            if self.is_late() {
                return None;
            }
            let set = self.formulas.extract(index, bit, 1);
            let set = self.result(1, set);
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [low, high] if low == high => low,
                    [low, high] => self.formulas.three(Z3_mk_ite, set, high, low),
                    [low] => self.formulas.three(Z3_mk_ite, set, zero, low),
                    _ => unreachable!("chunks of two"),
                })
                .collect();
            bit += 1;
        }
        if bit == index_width {
            return Some(level[0]);
        }
        let high = self.formulas.extract(index, bit, index_width - bit);
        let no_high_bits = self.formulas.number(index_width - bit, 0);
        let inside = self.formulas.two(Z3_mk_eq, high, no_high_bits);
        Some(self.formulas.three(Z3_mk_ite, inside, level[0], zero))
    }
}
