//! The values of one number for which a condition holds, if they are a range, or all but one.
//!
//! Takes the condition, the bytes of the number and a way to prove that something never holds; gives the range, proved.
//! Never: names, C.

use tarka_terms::{Assignment, BinaryOp, Evaluator, Term, Terms};
use tarka_trace::{ARENA_BASE, ARENA_SIZE};

/// A number of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number {
    /// Arena offset.
    pub offset: u32,
    /// Bytes, at most 8.
    pub size: u32,
    pub signed: bool,
}

/// What a number must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allowed {
    /// Between these; `None`: no bound on that side.
    Between(Option<i128>, Option<i128>),
    /// Anything else.
    AllBut(i128),
}

impl Number {
    fn least(self) -> i128 {
        if self.signed { -(1 << (8 * self.size - 1)) } else { 0 }
    }

    fn most(self) -> i128 {
        if self.signed { (1 << (8 * self.size - 1)) - 1 } else { (1 << (8 * self.size)) - 1 }
    }

    fn byte(self, value: i128, byte: u32) -> Option<u8> {
        let position = byte.checked_sub(self.offset).filter(|position| *position < self.size)?;
        Some((value >> (8 * position)) as u8)
    }

    pub(super) fn value(self, input: &dyn Assignment) -> i128 {
        let bytes = (0..self.size).rev();
        let value =
            bytes.fold(0_i128, |sum, position| sum << 8 | i128::from(input.byte(self.offset + position)));
        if self.signed && value > self.most() { value - (1 << (8 * self.size)) } else { value }
    }

    fn term(self, terms: &mut Terms) -> Term {
        let mut whole = terms.input(self.offset);
        for position in 1..self.size {
            let byte = terms.input(self.offset + position);
            whole = terms.concat(byte, whole);
        }
        whole
    }

    /// As `int` arithmetic sees it.
    pub(super) fn promoted(self, terms: &mut Terms) -> Term {
        let whole = self.term(terms);
        match (self.size < 4, self.signed) {
            (false, _) => whole,
            (true, true) => terms.sext(whole, 32),
            (true, false) => terms.zext(whole, 32),
        }
    }

    fn constant(self, terms: &mut Terms, value: i128) -> Term {
        let width = 8 * self.size;
        let mask = (1_u128 << width) - 1;
        terms.constant(width as u16, value as u128 & mask)
    }
}

/// Looks for the values under which `holds` is true; it must depend on the number alone. `never` proves that a truth value
/// is never 1.
pub(super) fn allowed(
    terms: &mut Terms,
    holds: Term,
    number: Number,
    input: &dyn Assignment,
    mut never: impl FnMut(&mut Terms, Term) -> bool,
) -> Option<Allowed> {
    let mut evaluator = Evaluator::new();
    let mut is_good = |terms: &Terms, value: i128| {
        let with = |byte: u32| number.byte(value, byte).unwrap_or_else(|| input.byte(byte));
        evaluator.eval(terms, holds, &with) == 1
    };
    let (least, most) = (number.least(), number.most());
    let bad = number.value(input);
    let probes = [0, 1, 2, 3, 4, 5, 8, 10, 16, 32, 64, 100, 128, 256, 1000, -1, bad - 1, bad + 1];
    let good = probes
        .into_iter()
        .filter(|value| (least..=most).contains(value))
        .find(|&value| is_good(terms, value))?;
    // The last good value before a bad one, if values turn bad only once on the way.
    let mut edge = |terms: &Terms, bound: i128| {
        if is_good(terms, bound) {
            return None;
        }
        let (mut inside, mut outside) = (good, bound);
        while (outside - inside).abs() > 1 {
            let middle = inside + (outside - inside) / 2;
            if is_good(terms, middle) { inside = middle } else { outside = middle }
        }
        Some(inside)
    };
    let (low, high) = (edge(terms, least), edge(terms, most));
    let whole = number.term(terms);
    let below = if number.signed { BinaryOp::Slt } else { BinaryOp::Ult };
    let mut outside = terms.constant(1, 0);
    if let Some(low) = low {
        let low = number.constant(terms, low);
        let under = terms.binary(below, whole, low);
        outside = terms.binary(BinaryOp::Or, outside, under);
    }
    if let Some(high) = high {
        let high = number.constant(terms, high);
        let over = terms.binary(below, high, whole);
        outside = terms.binary(BinaryOp::Or, outside, over);
    }
    let fails = terms.not(holds);
    let inside = terms.not(outside);
    let (wrongly_out, wrongly_in) =
        (terms.binary(BinaryOp::And, holds, outside), terms.binary(BinaryOp::And, fails, inside));
    if (low, high) != (None, None) && never(terms, wrongly_out) && never(terms, wrongly_in) {
        return Some(Allowed::Between(low, high));
    }
    let constant = number.constant(terms, bad);
    let same = terms.binary(BinaryOp::Eq, whole, constant);
    let other = terms.not(same);
    let fails_elsewhere = terms.binary(BinaryOp::And, fails, other);
    never(terms, fails_elsewhere).then_some(Allowed::AllBut(bad))
}

/// Whether a number only says where our inputs happen to lie, which means nothing to anybody else.
pub(super) fn is_where_inputs_lie(value: i128) -> bool {
    let distance = (value.abs() - i128::from(ARENA_BASE)).abs();
    distance <= 2 * i128::from(ARENA_SIZE)
}

impl Allowed {
    /// As a C expression over the number's name; `None` if a bound comes from where our inputs happen to lie.
    pub(super) fn expression(self, name: &str) -> Option<String> {
        let bounds = match self {
            Allowed::AllBut(value) => [Some(value), None],
            Allowed::Between(low, high) => [low, high],
        };
        if bounds.into_iter().flatten().any(is_where_inputs_lie) {
            return None;
        }
        Some(match self {
            Allowed::AllBut(value) => format!("{name} != {value}"),
            Allowed::Between(Some(low), Some(high)) if low == high => format!("{name} == {low}"),
            Allowed::Between(Some(low), Some(high)) => format!("{name} >= {low} && {name} <= {high}"),
            Allowed::Between(Some(low), None) => format!("{name} >= {low}"),
            Allowed::Between(None, Some(high)) => format!("{name} <= {high}"),
            Allowed::Between(None, None) => "1".to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use tarka_solver::{Answer, Query};

    use super::*;

    fn find(number: Number, value: &[u8], build: impl FnOnce(&mut Terms, Term) -> Term) -> Option<String> {
        let mut terms = Terms::new();
        let whole = number.term(&mut terms);
        let holds = build(&mut terms, whole);
        let mut solver = tarka_solver::standard();
        let never = |terms: &mut Terms, term: Term| {
            let query = Query {
                prefix: &[],
                flipped: term,
                domain: &|_, _| None,
                current: &value,
                time_limit: std::time::Duration::from_secs(2),
                doubles_loop: false,
            };
            terms.as_constant(term) == Some(0) || solver.solve(terms, &query) == Answer::Unsat
        };
        allowed(&mut terms, holds, number, &value, never).and_then(|allowed| allowed.expression("i"))
    }

    const INT: Number = Number { offset: 0, size: 4, signed: true };

    #[test]
    fn an_index_must_lie_in_its_array() {
        let found = find(INT, &[12, 0, 0, 0], |terms, i| {
            let ten = terms.constant(32, 10);
            terms.binary(BinaryOp::Ult, i, ten)
        });
        assert_eq!(found.as_deref(), Some("i >= 0 && i <= 9"));
    }

    #[test]
    fn a_divisor_may_be_anything_but_one_value() {
        let found = find(INT, &[3, 0, 0, 0], |terms, i| {
            let three = terms.constant(32, 3);
            let same = terms.binary(BinaryOp::Eq, i, three);
            terms.not(same)
        });
        assert_eq!(found.as_deref(), Some("i != 3"));
    }

    #[test]
    fn what_is_no_range_is_not_called_one() {
        let found = find(INT, &[1, 0, 0, 0], |terms, i| {
            let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
            let odd = terms.binary(BinaryOp::And, i, one);
            terms.binary(BinaryOp::Eq, odd, zero)
        });
        assert_eq!(found, None);
    }

    #[test]
    fn where_our_inputs_lie_is_no_precondition() {
        let long = Number { offset: 0, size: 8, signed: true };
        let found = find(long, &[0, 0, 0, 0, 0, 0, 0, 0x80], |terms, i| {
            let least = terms.constant(64, u128::from((-68_719_480_832_i64) as u64));
            let below = terms.binary(BinaryOp::Slt, i, least);
            terms.not(below)
        });
        assert_eq!(found, None);
    }

    #[test]
    fn one_side_is_enough() {
        let unsigned = Number { offset: 0, size: 2, signed: false };
        let found = find(unsigned, &[0xff, 0xff], |terms, i| {
            let limit = terms.constant(16, 300);
            terms.binary(BinaryOp::Ult, i, limit)
        });
        assert_eq!(found.as_deref(), Some("i <= 299"));
    }
}
