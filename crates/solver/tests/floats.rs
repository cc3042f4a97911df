//! Conditions on floats as C code has them, for `float`, `double` and `long double`, through the whole chain. Each must
//! be answered well within a second.

use std::time::{Duration, Instant};
use tarka_solver::{Answer, Model, Query, standard};
use tarka_terms::{
    Assignment, BinaryOp::*, ConvertOp, Evaluator, Term, Terms, UnaryOp, predicate, semantics,
};

const WIDTHS: [u16; 3] = [32, 64, 80];
const EQUAL: u8 = predicate::EQUAL;
const LESS: u8 = predicate::LESS;
const GREATER: u8 = predicate::GREATER;
const DIFFERENT: u8 = predicate::ALWAYS & !predicate::EQUAL;

/// A function of floats of one width, and the path through it so far.
struct Unit {
    t: Terms,
    width: u16,
    path: Vec<Term>,
}

impl Unit {
    fn each(check: impl Fn(Unit)) {
        WIDTHS.into_iter().for_each(|width| check(Unit { t: Terms::new(), width, path: Vec::new() }));
    }

    /// Parameter number `n`.
    fn parameter(&mut self, n: u32) -> Term {
        self.t.word(n * 16, u32::from(self.width) / 8)
    }

    fn constant(&mut self, value: f64) -> Term {
        let bits = semantics::convert(ConvertOp::FToF, 64, self.width, value.to_bits().into());
        self.t.constant(self.width, bits)
    }

    /// A decimal fraction, rounded to the width.
    fn tenths(&mut self, tenths: f64) -> Term {
        let (value, ten) = (self.constant(tenths), self.constant(10.0));
        self.t.binary(FDiv, value, ten)
    }

    fn compute(&mut self, op: tarka_terms::BinaryOp, a: Term, b: Term) -> Term {
        self.t.binary(op, a, b)
    }

    fn is(&mut self, relation: u8, a: Term, b: Term) -> Term {
        self.t.fcmp(relation, a, b)
    }

    fn passes(&mut self, relation: u8, a: Term, b: Term) {
        let clause = self.is(relation, a, b);
        self.path.push(clause);
    }

    /// Asks on an input of zeros, and in time.
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
        let start = Instant::now();
        let answer = standard().solve(&mut self.t, &query);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(1), "{} bits took {took:?}", self.width);
        answer
    }

    /// The bits of the parameters that satisfy the path and the clause.
    #[track_caller]
    fn solve(&mut self, flipped: Term) -> Found {
        let answer = self.ask(flipped);
        let Answer::Sat(model) = answer else { panic!("{} bits: {answer:?}", self.width) };
        let clauses = self.path.iter().copied().chain([flipped]);
        let wrong = Evaluator::new().first_false(&self.t, clauses, &model.over(&|_| 0));
        assert_eq!(wrong, None, "{} bits: {model:?}", self.width);
        Found { model, width: self.width }
    }
}

struct Found {
    model: Model,
    width: u16,
}

impl Found {
    fn bits(&self, n: u32) -> u128 {
        let model = self.model.over(&|_| 0);
        let bytes = u32::from(self.width) / 8;
        (0..bytes).rev().fold(0, |bits, byte| bits << 8 | u128::from(model.byte(n * 16 + byte)))
    }

    fn value(&self, n: u32) -> f64 {
        f64::from_bits(semantics::convert(ConvertOp::FToF, self.width, 64, self.bits(n)) as u64)
    }
}

#[test]
fn an_exact_product() {
    Unit::each(|mut unit| {
        let (a, b, value) = (unit.parameter(0), unit.parameter(1), unit.tenths(1.0));
        let product = unit.compute(FMul, a, b);
        let flipped = unit.is(EQUAL, product, value);
        unit.solve(flipped);
    });
}

#[test]
fn an_exact_product_of_neither_the_value_nor_one() {
    Unit::each(|mut unit| {
        let (a, b, value) = (unit.parameter(0), unit.parameter(1), unit.tenths(1.0));
        let (one, two) = (unit.constant(1.0), unit.constant(2.0));
        unit.passes(GREATER, a, two);
        unit.passes(DIFFERENT, b, one);
        let product = unit.compute(FMul, a, b);
        let flipped = unit.is(EQUAL, product, value);
        assert!(unit.solve(flipped).value(0) > 2.0);
    });
}

#[test]
fn a_product_of_three_and_a_sum() {
    Unit::each(|mut unit| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| unit.parameter(n));
        let (value, zero) = (unit.tenths(123.0), unit.constant(0.0));
        unit.passes(DIFFERENT, d, zero);
        let product = unit.compute(FMul, a, b);
        let product = unit.compute(FMul, product, c);
        let sum = unit.compute(FAdd, product, d);
        let flipped = unit.is(EQUAL, sum, value);
        unit.solve(flipped);
    });
}

#[test]
fn a_linear_equation_with_fractions() {
    Unit::each(|mut unit| {
        let x = unit.parameter(0);
        let (slope, offset, value) = (unit.tenths(37.0), unit.tenths(273.0), unit.tenths(995.0));
        let scaled = unit.compute(FMul, x, slope);
        let shifted = unit.compute(FSub, scaled, offset);
        let flipped = unit.is(EQUAL, shifted, value);
        let found = unit.solve(flipped).value(0);
        assert!((found - 126.8 / 3.7).abs() < 1e-4, "{found}");
    });
}

#[test]
fn what_is_no_number() {
    Unit::each(|mut unit| {
        let (x, y) = (unit.parameter(0), unit.parameter(1));
        let flipped = unit.is(DIFFERENT, x, x);
        let found = unit.solve(flipped);
        assert!(found.value(0).is_nan());
        assert!(unit.width < 80 || semantics::extended::is_canonical(found.bits(0)), "{:x}", found.bits(0));
        // Computed from numbers: 0 / 0 and the like.
        unit.passes(EQUAL, x, x);
        unit.passes(EQUAL, y, y);
        let (quotient, difference) = (unit.compute(FDiv, x, y), unit.compute(FSub, x, y));
        for computed in [quotient, difference] {
            let flipped = unit.is(predicate::UNORDERED, computed, computed);
            let found = unit.solve(flipped);
            assert!(!found.value(0).is_nan() && !found.value(1).is_nan());
        }
    });
}

#[test]
fn a_number_that_is_no_number_after_all() {
    Unit::each(|mut unit| {
        let (x, one) = (unit.parameter(0), unit.constant(1.0));
        unit.passes(GREATER, x, one);
        let flipped = unit.is(predicate::UNORDERED, x, x);
        assert_eq!(unit.ask(flipped), Answer::Unsat);
    });
}

#[test]
fn infinities() {
    Unit::each(|mut unit| {
        let (x, zero, infinity) = (unit.parameter(0), unit.constant(0.0), unit.constant(f64::INFINITY));
        let magnitude = unit.t.unary(UnaryOp::FAbs, x);
        let flipped = unit.is(EQUAL, magnitude, infinity);
        assert!(unit.solve(flipped).value(0).is_infinite());
        unit.passes(LESS, x, zero);
        assert_eq!(unit.solve(flipped).value(0), f64::NEG_INFINITY);
        // A finite number whose square is not.
        unit.passes(LESS, magnitude, infinity);
        let square = unit.compute(FMul, x, x);
        let flipped = unit.is(EQUAL, square, infinity);
        unit.solve(flipped);
    });
}

#[test]
fn the_negative_zero() {
    Unit::each(|mut unit| {
        let (x, zero, one) = (unit.parameter(0), unit.constant(0.0), unit.constant(1.0));
        unit.passes(EQUAL, x, zero);
        let inverse = unit.compute(FDiv, one, x);
        let flipped = unit.is(LESS, inverse, zero);
        let found = unit.solve(flipped);
        assert_eq!(found.bits(0), 1 << (unit.width - 1));
    });
}

#[test]
fn subnormals() {
    Unit::each(|mut unit| {
        let (x, zero, two) = (unit.parameter(0), unit.constant(0.0), unit.constant(2.0));
        unit.passes(GREATER, x, zero);
        let half = unit.compute(FDiv, x, two);
        let flipped = unit.is(EQUAL, half, zero);
        assert_eq!(unit.solve(flipped).bits(0), 1, "the least number above 0");
        // Half of it is a number, though less than the least normal one.
        unit.passes(GREATER, half, zero);
        let back = unit.compute(FMul, half, two);
        let flipped = unit.is(DIFFERENT, back, x);
        unit.solve(flipped);
    });
}

#[test]
fn integers_and_floats_converted_into_each_other() {
    Unit::each(|mut unit| {
        let x = unit.parameter(0);
        let integer = unit.t.convert(ConvertOp::FToSi, x, 32);
        let back = unit.t.convert(ConvertOp::SiToF, integer, unit.width);
        // x is whole, then it is not.
        let seven = unit.t.constant(32, 7);
        let is_seven = unit.t.binary(Eq, integer, seven);
        unit.path.push(is_seven);
        let flipped = unit.is(EQUAL, x, back);
        assert_eq!(unit.solve(flipped).value(0), 7.0);
        let flipped = unit.is(DIFFERENT, x, back);
        let found = unit.solve(flipped).value(0);
        assert!(found > 7.0 && found < 8.0, "{found}");
        // An integer as a float, computed with.
        let n = unit.t.word(16, 4);
        let scale = unit.tenths(25.0);
        let (value, zero) = (unit.constant(-40.0), unit.t.constant(32, 0));
        let number = unit.t.convert(ConvertOp::SiToF, n, unit.width);
        let scaled = unit.compute(FMul, number, scale);
        let negative = unit.t.binary(Slt, n, zero);
        unit.path = vec![negative];
        let flipped = unit.is(EQUAL, scaled, value);
        let found = unit.solve(flipped);
        assert_eq!(found.bits(1) as u32 as i32, -16);
    });
}

#[test]
fn an_integer_that_a_float_cannot_hold() {
    Unit::each(|mut unit| {
        let n = unit.t.word(0, 8);
        let limit = unit.t.constant(64, 1 << 62);
        let number = unit.t.convert(ConvertOp::SiToF, n, unit.width);
        let back = unit.t.convert(ConvertOp::FToSi, number, 64);
        let in_range = unit.t.binary(Slt, n, limit);
        let positive = {
            let zero = unit.t.constant(64, 0);
            unit.t.binary(Slt, zero, n)
        };
        unit.path = vec![in_range, positive];
        let flipped = unit.t.binary(Ne, back, n);
        if unit.width < 80 {
            unit.solve(flipped);
        } else {
            assert_eq!(unit.ask(flipped), Answer::Unsat);
        }
    });
}

#[test]
fn floats_of_different_widths() {
    let mut unit = Unit { t: Terms::new(), width: 64, path: Vec::new() };
    let x = unit.t.word(0, 8);
    let single = unit.t.convert(ConvertOp::FToF, x, 32);
    let back = unit.t.convert(ConvertOp::FToF, single, 64);
    let (one, two) = (unit.constant(1.0), unit.constant(2.0));
    unit.passes(GREATER, x, one);
    unit.passes(LESS, x, two);
    let flipped = unit.is(DIFFERENT, back, x);
    unit.solve(flipped);
    let wide = unit.t.convert(ConvertOp::FToF, x, 80);
    let three = unit.t.constant(80, 0x4000_c000_0000_0000_0000);
    let third = unit.t.binary(FDiv, wide, three);
    let narrow = unit.t.convert(ConvertOp::FToF, third, 64);
    let half = unit.constant(0.5);
    let flipped = unit.is(EQUAL, narrow, half);
    assert_eq!(unit.solve(flipped).value(0), 1.5);
}

#[test]
fn roots_of_a_quadratic() {
    Unit::each(|mut unit| {
        let [a, b, c] = [0, 1, 2].map(|n| unit.parameter(n));
        let (zero, two, four, wanted) =
            (unit.constant(0.0), unit.constant(2.0), unit.constant(4.0), unit.constant(3.0));
        let square = unit.compute(FMul, b, b);
        let product = unit.compute(FMul, four, a);
        let product = unit.compute(FMul, product, c);
        let discriminant = unit.compute(FSub, square, product);
        unit.passes(DIFFERENT, a, zero);
        // One root, two roots, none.
        for relation in [EQUAL, GREATER, LESS] {
            let flipped = unit.is(relation, discriminant, zero);
            unit.solve(flipped);
        }
        unit.passes(GREATER, discriminant, zero);
        let root = unit.t.unary(UnaryOp::FSqrt, discriminant);
        let minus_b = unit.t.unary(UnaryOp::FNeg, b);
        let numerator = unit.compute(FAdd, minus_b, root);
        let denominator = unit.compute(FMul, two, a);
        let first = unit.compute(FDiv, numerator, denominator);
        let flipped = unit.is(EQUAL, first, wanted);
        unit.solve(flipped);
    });
}

#[test]
fn a_polynomial_at_its_root() {
    Unit::each(|mut unit| {
        // x * x - 5 * x + 6 == 0
        let x = unit.parameter(0);
        let (five, six, zero) = (unit.constant(5.0), unit.constant(6.0), unit.constant(0.0));
        let (square, scaled) = (unit.compute(FMul, x, x), unit.compute(FMul, x, five));
        let difference = unit.compute(FSub, square, scaled);
        let value = unit.compute(FAdd, difference, six);
        let flipped = unit.is(EQUAL, value, zero);
        let found = unit.solve(flipped).value(0);
        assert!(found == 2.0 || found == 3.0, "{found}");
    });
}

#[test]
fn rounding() {
    Unit::each(|mut unit| {
        let (x, value) = (unit.parameter(0), unit.constant(-4.0));
        let (floor, ceiling) = (unit.t.unary(UnaryOp::FFloor, x), unit.t.unary(UnaryOp::FCeil, x));
        unit.passes(DIFFERENT, floor, ceiling);
        let flipped = unit.is(EQUAL, floor, value);
        let found = unit.solve(flipped).value(0);
        assert!(found > -4.0 && found < -3.0, "{found}");
    });
}

#[test]
fn the_remainder_of_a_division() {
    Unit::each(|mut unit| {
        let (x, period, value) = (unit.parameter(0), unit.constant(360.0), unit.constant(90.0));
        unit.passes(GREATER, x, period);
        let rest = unit.compute(FRem, x, period);
        let flipped = unit.is(EQUAL, rest, value);
        let found = unit.solve(flipped).value(0);
        assert!(found > 360.0 && found % 360.0 == 90.0, "{found}");
    });
}
