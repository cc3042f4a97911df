//! 128-bit integers, through the whole chain.

use std::time::Duration;
use tarka_solver::{Answer, Query, standard};
use tarka_terms::{Assignment, BinaryOp::*, Evaluator, Term, Terms};

/// Two numbers of 128 bits and the path so far.
struct Unit {
    t: Terms,
    a: Term,
    b: Term,
    path: Vec<Term>,
}

impl Unit {
    fn new() -> Unit {
        let mut t = Terms::new();
        let (a, b) = (t.word(0, 16), t.word(16, 16));
        Unit { t, a, b, path: Vec::new() }
    }

    fn number(&mut self, value: i128) -> Term {
        self.t.constant(128, value as u128)
    }

    fn passes(&mut self, op: tarka_terms::BinaryOp, a: Term, b: Term) {
        let clause = self.t.binary(op, a, b);
        self.path.push(clause);
    }

    fn ask(&mut self, flipped: Term) -> Answer {
        let time_limit = Duration::from_secs(20);
        let query = Query {
            prefix: &self.path,
            flipped,
            domain: &|_, _| None,
            current: &|_| 0,
            time_limit,
            doubles_loop: false,
        };
        standard().solve(&mut self.t, &query)
    }

    /// Both numbers.
    #[track_caller]
    fn solve(&mut self, flipped: Term) -> (i128, i128) {
        let answer = self.ask(flipped);
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let model = model.over(&|_| 0);
        let clauses = self.path.iter().copied().chain([flipped]);
        assert_eq!(Evaluator::new().first_false(&self.t, clauses, &model), None);
        let number =
            |first: u32| i128::from_le_bytes(std::array::from_fn(|byte| model.byte(first + byte as u32)));
        (number(0), number(16))
    }
}

#[test]
fn comparisons_beyond_64_bits() {
    let mut unit = Unit::new();
    let (a, b) = (unit.a, unit.b);
    let limit = unit.number(1 << 100);
    let flipped = unit.t.binary(Slt, limit, a);
    assert!(unit.solve(flipped).0 > 1 << 100);
    unit.passes(Slt, limit, a);
    let flipped = unit.t.binary(Slt, a, b);
    let (a, b) = unit.solve(flipped);
    assert!(1 << 100 < a && a < b);
    unit.path.clear();
    let zero = unit.number(0);
    let flipped = unit.t.binary(Slt, unit.b, zero);
    assert!(unit.solve(flipped).1 < 0);
}

#[test]
fn a_product_with_a_constant() {
    let mut unit = Unit::new();
    let (factor, value) = (unit.number(1_000_003), unit.number(1_000_003 * 123_456_789_012_345_678_901));
    let product = unit.t.binary(Mul, unit.a, factor);
    let flipped = unit.t.binary(Eq, product, value);
    assert_eq!(unit.solve(flipped).0, 123_456_789_012_345_678_901);
}

#[test]
fn a_product_of_two_numbers() {
    let mut unit = Unit::new();
    let (one, thousand) = (unit.number(1), unit.number(1000));
    for number in [unit.a, unit.b] {
        unit.passes(Slt, one, number);
        unit.passes(Slt, number, thousand);
    }
    let (product, value) = (unit.t.binary(Mul, unit.a, unit.b), unit.number(997 * 13));
    let flipped = unit.t.binary(Eq, product, value);
    let (a, b) = unit.solve(flipped);
    assert_eq!(a * b, 997 * 13);
}

#[test]
fn a_quotient_and_a_remainder() {
    let mut unit = Unit::new();
    let (ten, value, digit) = (unit.number(10), unit.number(1 << 70), unit.number(7));
    let quotient = unit.t.binary(SDiv, unit.a, ten);
    let rest = unit.t.binary(SRem, unit.a, ten);
    unit.passes(Eq, rest, digit);
    let flipped = unit.t.binary(Eq, quotient, value);
    assert_eq!(unit.solve(flipped).0, (1 << 70) * 10 + 7);
}

#[test]
fn shifts() {
    let mut unit = Unit::new();
    let (seventy, value, one) = (unit.number(70), unit.number(5), unit.number(1));
    let shifted = unit.t.binary(LShr, unit.a, seventy);
    let flipped = unit.t.binary(Eq, shifted, value);
    assert_eq!(unit.solve(flipped).0 >> 70, 5);
    // 1 << b, and a number of that size.
    let power = unit.t.binary(Shl, one, unit.b);
    let wanted = unit.number(1 << 99);
    let flipped = unit.t.binary(Eq, power, wanted);
    assert_eq!(unit.solve(flipped).1 & 127, 99);
}

#[test]
fn overflow_of_a_sum() {
    let mut unit = Unit::new();
    let zero = unit.number(0);
    unit.passes(Slt, zero, unit.a);
    unit.passes(Slt, zero, unit.b);
    let flipped = unit.t.binary(SAddO, unit.a, unit.b);
    let (a, b) = unit.solve(flipped);
    assert_eq!(a.checked_add(b), None);
    let limit = unit.number(1 << 126);
    unit.passes(Slt, unit.a, limit);
    unit.passes(Slt, unit.b, limit);
    assert_eq!(unit.ask(flipped), Answer::Unsat);
}
