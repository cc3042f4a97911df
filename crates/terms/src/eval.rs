//! The value of a term under an assignment of the input bytes.
//!
//! Takes terms and an [`Assignment`]; gives their values. Works on an explicit stack, and computes only the arm of an
//! `Ite` and the entry of a table that the values choose.

use crate::node::{Node, Term};
use crate::semantics;
use crate::store::Terms;

/// The values of the input bytes.
pub trait Assignment {
    /// The value of this input byte.
    fn byte(&self, input: u32) -> u8;
}

impl<F: Fn(u32) -> u8> Assignment for F {
    fn byte(&self, input: u32) -> u8 {
        self(input)
    }
}

/// Input byte `i` is the i-th of the slice, and 0 beyond its end.
impl Assignment for &[u8] {
    fn byte(&self, input: u32) -> u8 {
        self.get(input as usize).copied().unwrap_or(0)
    }
}

impl Assignment for Vec<u8> {
    fn byte(&self, input: u32) -> u8 {
        self.as_slice().byte(input)
    }
}

/// Evaluates terms, keeping its tables from one question to the next.
#[derive(Debug, Default)]
pub struct Evaluator {
    /// For each term the round that computed its value; other rounds' values are stale.
    computed_in: Vec<u32>,
    values: Vec<u128>,
    round: u32,
    open: Vec<Term>,
    computed: u64,
}

impl Evaluator {
    /// An evaluator that knows no value yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a term.
    pub fn eval(&mut self, terms: &Terms, term: Term, assignment: &dyn Assignment) -> u128 {
        self.restart();
        self.eval_more(terms, term, assignment)
    }

    /// The value of a term, using what earlier calls found out since the last [`Evaluator::eval`] or
    /// [`Evaluator::restart`]. The store and the assignment must be the same as in those calls.
    pub fn eval_more(&mut self, terms: &Terms, term: Term, assignment: &dyn Assignment) -> u128 {
        if self.values.len() < terms.len() {
            self.values.resize(terms.len(), 0);
            self.computed_in.resize(terms.len(), 0);
        }
        if self.round == 0 {
            self.round = 1;
        }
        self.open.push(term);
        while let Some(next) = self.open.last().copied() {
            if self.known(next).is_some() {
                self.open.pop();
            } else if let Some(value) = self.try_value(terms, next, assignment) {
                self.values[next.index()] = value;
                self.computed_in[next.index()] = self.round;
                self.computed += 1;
                self.open.pop();
            }
        }
        self.values[term.index()]
    }

    /// How many values of terms were ever computed: what all evaluations cost, on every machine the same.
    pub fn computed(&self) -> u64 {
        self.computed
    }

    /// Position of the first of these truth values that is 0, if any.
    pub fn first_false(
        &mut self,
        terms: &Terms,
        clauses: impl IntoIterator<Item = Term>,
        assignment: &dyn Assignment,
    ) -> Option<usize> {
        self.restart();
        clauses.into_iter().position(|clause| self.eval_more(terms, clause, assignment) == 0)
    }

    /// Forgets all values: call it when the assignment or the store changes.
    pub fn restart(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.computed_in.fill(0);
            self.round = 1;
        }
    }

    fn known(&self, term: Term) -> Option<u128> {
        (self.computed_in[term.index()] == self.round).then(|| self.values[term.index()])
    }

    /// The operand's value; if it is not known yet the operand is queued.
    fn need(&mut self, term: Term) -> Option<u128> {
        let known = self.known(term);
        if known.is_none() {
            self.open.push(term);
        }
        known
    }

    fn need_both(&mut self, a: Term, b: Term) -> Option<(u128, u128)> {
        let (a, b) = (self.need(a), self.need(b));
        Some((a?, b?))
    }

    /// The value of a term if all operands it needs are known; otherwise queues those that are not.
    fn try_value(&mut self, terms: &Terms, term: Term, assignment: &dyn Assignment) -> Option<u128> {
        let width = terms.width(term);
        Some(match *terms.node(term) {
            Node::Const(value) => value,
            Node::Input(byte) => assignment.byte(byte).into(),
            Node::Unary(op, a) => semantics::unary(op, width, self.need(a)?),
            Node::Binary(op, a, b) => {
                let (left, right) = self.need_both(a, b)?;
                semantics::binary(op, terms.width(a), left, right)
            }
            Node::Concat(high, low) => {
                let (high, low_value) = self.need_both(high, low)?;
                semantics::concat(terms.width(low), high, low_value)
            }
            Node::Extract(a, low) => semantics::extract(low, width, self.need(a)?),
            Node::ZExt(a) => self.need(a)?,
            Node::SExt(a) => semantics::sext(terms.width(a), width, self.need(a)?),
            Node::Ite(condition, yes, no) => {
                let chosen = if self.need(condition)? == 1 { yes } else { no };
                self.need(chosen)?
            }
            Node::Read(table, index) => {
                let index = self.need(index)?;
                let entries = terms.table_entries(table);
                match usize::try_from(index).ok().and_then(|index| entries.get(index)) {
                    Some(entry) => self.need(*entry)?,
                    None => 0,
                }
            }
            Node::Convert(op, a) => semantics::convert(op, terms.width(a), width, self.need(a)?),
            Node::FCmp(predicate, a, b) => {
                let (left, right) = self.need_both(a, b)?;
                semantics::fcmp(predicate, terms.width(a), left, right).into()
            }
            Node::Fma(a, b, c) => {
                let pair = self.need_both(a, b);
                let addend = self.need(c);
                let (left, right) = pair?;
                semantics::fma(width, left, right, addend?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BinaryOp;

    #[test]
    fn a_chain_a_million_operations_deep() {
        let mut terms = Terms::new();
        let (a, b) = (terms.input(0), terms.input(1));
        let mut term = a;
        for _ in 0..500_000 {
            term = terms.binary(BinaryOp::Mul, term, b);
            term = terms.binary(BinaryOp::Xor, term, a);
        }
        let mut expected = 3u8;
        for _ in 0..500_000 {
            expected = expected.wrapping_mul(5) ^ 3;
        }
        assert_eq!(Evaluator::new().eval(&terms, term, &[3, 5].as_slice()), expected.into());
    }

    #[test]
    fn values_of_an_earlier_assignment_are_forgotten() {
        let mut terms = Terms::new();
        let input = terms.input(0);
        let mut evaluator = Evaluator::new();
        assert_eq!(evaluator.eval(&terms, input, &|_| 7), 7);
        assert_eq!(evaluator.eval(&terms, input, &|_| 8), 8);
    }

    #[test]
    fn a_read_beyond_the_table_is_zero() {
        let mut terms = Terms::new();
        let (entry, index) = (terms.input(0), terms.input(1));
        let table = terms.table(vec![entry; 3]);
        let read = terms.read(table, index);
        let mut evaluator = Evaluator::new();
        assert_eq!(evaluator.eval(&terms, read, &[9, 2].as_slice()), 9);
        assert_eq!(evaluator.eval(&terms, read, &[9, 3].as_slice()), 0);
    }
}
