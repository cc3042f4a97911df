//! The translation of each operation, one by one: with the inputs fixed, Z3 must find exactly the value that the
//! evaluation gives, on numbers at which operations change their mind.

use std::time::Duration;
use tarka_solver::z3::{self, Engine};
use tarka_solver::{Answer, Query, Solver};
use tarka_terms::{Assignment, BinaryOp, ConvertOp, Evaluator, Term, Terms, UnaryOp, semantics};

const INTEGERS: [u64; 8] = [0, 1, 7, 31, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x8000_0000_0000_0001];
const FLOATS: [f64; 12] =
    [0.0, -0.0, 1.0, -2.5, 0.5, 1e-310, 3e9, -3e9, 1e19, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// A store with two words of eight bytes as inputs.
fn two_words() -> (Terms, Term, Term) {
    let mut terms = Terms::new();
    let (a, b) = (terms.word(0, 8), terms.word(8, 8));
    (terms, a, b)
}

/// Asserts that with these inputs the term has its value, and no other.
#[track_caller]
fn agrees(solver: &mut dyn Solver, terms: &mut Terms, term: Term, a: u64, b: u64, bits_matter: bool) {
    let bytes: Vec<u8> = [a.to_le_bytes(), b.to_le_bytes()].concat();
    agrees_on(solver, terms, term, &bytes, bits_matter);
}

#[track_caller]
fn agrees_on(solver: &mut dyn Solver, terms: &mut Terms, term: Term, bytes: &[u8], bits_matter: bool) {
    let value = Evaluator::new().eval(terms, term, &bytes);
    let prefix: Vec<Term> = (0..bytes.len() as u32)
        .map(|input| {
            let (byte, fixed) = (terms.input(input), terms.constant(8, bytes.byte(input).into()));
            terms.binary(BinaryOp::Eq, byte, fixed)
        })
        .collect();
    let constant = terms.constant(terms.width(term), value);
    let equal = terms.binary(BinaryOp::Eq, term, constant);
    let different = terms.not(equal);
    let mut ask = |flipped| {
        let time_limit = Duration::from_secs(60);
        solver.solve(
            terms,
            &Query {
                prefix: &prefix,
                flipped,
                domain: &|_, _| None,
                current: &bytes,
                time_limit,
                doubles_loop: false,
            },
        )
    };
    let answers = (ask(equal), bits_matter.then(|| ask(different)));
    let (Answer::Sat(_), None | Some(Answer::Unsat)) = answers else {
        panic!("{} of {bytes:x?} is {value:#x}, but: {answers:?}", terms.display(term));
    };
}

fn pairs<T: Copy>(values: &[T]) -> impl Iterator<Item = (T, T)> + '_ {
    values.iter().flat_map(|a| values.iter().map(|b| (*a, *b)))
}

#[test]
fn integer_operations() {
    use BinaryOp::*;
    let mut solver = z3::only(vec![(Engine::Smt, 100)]);
    for width in [1, 13, 32, 64] {
        for op in [
            Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ult, Ule, Slt, Sle,
            SMulO,
        ] {
            let (mut terms, a, b) = two_words();
            let (a, b) = (terms.extract(a, 0, width), terms.extract(b, 0, width));
            let term = terms.binary(op, a, b);
            for (a, b) in pairs(&INTEGERS) {
                agrees(&mut solver, &mut terms, term, a, b, true);
            }
        }
    }
}

#[test]
fn bit_counts_slices_and_choices() {
    let mut solver = z3::only(vec![(Engine::Smt, 100)]);
    let (mut terms, a, b) = two_words();
    let mut cases: Vec<Term> = Vec::new();
    for op in [UnaryOp::Not, UnaryOp::Neg, UnaryOp::CtPop, UnaryOp::Ctlz, UnaryOp::Cttz, UnaryOp::BSwap] {
        cases.push(terms.unary(op, a));
    }
    let product = terms.binary(BinaryOp::Mul, a, b);
    let slice = terms.extract(product, 9, 20);
    let bit = terms.extract(product, 3, 1);
    let (zext, sext, bits) = (terms.zext(slice, 40), terms.sext(slice, 40), terms.sext(bit, 20));
    let (joined, choice) = (terms.concat(product, slice), terms.ite(bit, slice, bits));
    cases.extend([zext, sext, bits, joined, choice]);
    let mut entries: Vec<Term> = (0..7u128).map(|entry| terms.constant(8, entry * 41)).collect();
    entries.push(terms.input(3));
    let table = terms.table(entries);
    let (nibble, wide) = (terms.extract(product, 0, 3), terms.extract(product, 0, 40));
    cases.extend([terms.read(table, nibble), terms.read(table, wide)]);
    for term in cases {
        for (a, b) in pairs(&INTEGERS) {
            agrees(&mut solver, &mut terms, term, a, b, true);
        }
    }
}

/// Whether a value of this width is a float whose bits Z3 knows too.
fn known_bits(terms: &Terms, term: Term, a: u64, b: u64) -> bool {
    let bytes: Vec<u8> = [a.to_le_bytes(), b.to_le_bytes()].concat();
    let value = Evaluator::new().eval(terms, term, &bytes.as_slice());
    match terms.width(term) {
        32 => !f32::from_bits(value as u32).is_nan(),
        _ => !f64::from_bits(value as u64).is_nan(),
    }
}

#[test]
fn floating_operations() {
    use BinaryOp::*;
    use UnaryOp::*;
    let mut solver = z3::standard();
    let (mut terms, a, b) = two_words();
    let mut of_two: Vec<Term> = Vec::new();
    for op in [FAdd, FSub, FMul, FDiv, FCopySign, FMin, FMax] {
        of_two.push(terms.binary(op, a, b));
    }
    of_two.push(terms.fma(a, b, a));
    let mut cases: Vec<Term> = Vec::new();
    let sum = terms.binary(FAdd, a, b);
    for op in [FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRint, FRound] {
        cases.push(terms.unary(op, a));
        // Of a computed float, whose bits are not at hand.
        cases.push(terms.unary(op, sum));
    }
    let negative = terms.unary(FAbs, sum);
    cases.push(terms.unary(FNeg, negative));
    cases.push(terms.convert(ConvertOp::FToF, a, 32));
    let singles = cases.into_iter().flat_map(|term| FLOATS.map(|a| (term, a, 0.25)));
    let doubles = of_two.into_iter().flat_map(|term| pairs(&FLOATS).map(move |(a, b)| (term, a, b)));
    for (term, a, b) in singles.chain(doubles) {
        let (a, b) = (a.to_bits(), b.to_bits());
        let bits_matter = known_bits(&terms, term, a, b);
        agrees(&mut solver, &mut terms, term, a, b, bits_matter);
    }
}

#[test]
fn floating_comparisons() {
    let mut solver = z3::standard();
    for predicate in 0..16 {
        let (mut terms, a, b) = two_words();
        let term = terms.fcmp(predicate, a, b);
        for (a, b) in pairs(&FLOATS) {
            agrees(&mut solver, &mut terms, term, a.to_bits(), b.to_bits(), true);
        }
    }
}

#[test]
fn conversions() {
    let mut solver = z3::standard();
    for width in [8, 16, 32, 64] {
        for op in [ConvertOp::FToSi, ConvertOp::FToUi] {
            let (mut terms, a, _) = two_words();
            let from_double = terms.convert(op, a, width);
            let single = terms.convert(ConvertOp::FToF, a, 32);
            let from_single = terms.convert(op, single, width);
            for a in FLOATS.iter().chain(&[255.9, -128.5, 65_536.0, -1.0, 2_147_483_647.5, -2_147_483_648.9])
            {
                agrees(&mut solver, &mut terms, from_double, a.to_bits(), 0, true);
                agrees(&mut solver, &mut terms, from_single, a.to_bits(), 0, true);
            }
        }
        for op in [ConvertOp::SiToF, ConvertOp::UiToF] {
            let (mut terms, a, _) = two_words();
            let a = terms.extract(a, 0, width);
            let (single, double) = (terms.convert(op, a, 32), terms.convert(op, a, 64));
            for a in INTEGERS {
                agrees(&mut solver, &mut terms, single, a, 0, true);
                agrees(&mut solver, &mut terms, double, a, 0, true);
            }
        }
    }
}

/// Long doubles: zero, the least and the greatest, ones, fractions, beyond the integers, infinity, and no number.
const EXTENDED: [u128; 10] = [
    0,
    1,
    0x7ffe_ffff_ffff_ffff_ffff,
    0x3fff_8000_0000_0000_0000,
    0xc000_a000_0000_0000_0001,
    0x3ffe_8000_0000_0000_0000,
    0x403d_ffff_ffff_ffff_fffe,
    0x403f_8000_0000_0000_0000,
    0x7fff_8000_0000_0000_0000,
    0x7fff_c000_0000_0000_0000,
];

#[test]
fn long_doubles() {
    use BinaryOp::*;
    use UnaryOp::*;
    let mut solver = z3::standard();
    let mut terms = Terms::new();
    let (a, b) = (terms.word(0, 10), terms.word(10, 10));
    let mut of_two: Vec<Term> = [FAdd, FSub, FMul, FDiv].map(|op| terms.binary(op, a, b)).into();
    of_two.extend([1, 4, 8, 13].map(|predicate| terms.fcmp(predicate, a, b)));
    let mut of_one: Vec<Term> =
        [FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRint, FRound].map(|op| terms.unary(op, a)).into();
    let sum = terms.binary(FAdd, a, a);
    of_one.extend([FNeg, FAbs].map(|op| terms.unary(op, sum)));
    for width in [32, 64] {
        of_one.push(terms.convert(ConvertOp::FToF, a, width));
        let narrow = terms.extract(a, 0, width);
        of_one.push(terms.convert(ConvertOp::FToF, narrow, 80));
        of_one.push(terms.convert(ConvertOp::SiToF, narrow, 80));
        of_one.push(terms.convert(ConvertOp::UiToF, narrow, 80));
    }
    for width in [8, 16, 32, 64] {
        of_one.extend([ConvertOp::FToSi, ConvertOp::FToUi].map(|op| terms.convert(op, a, width)));
    }
    let singles = of_one.into_iter().flat_map(|term| EXTENDED.map(|a| (term, a, 0)));
    let doubles = of_two.into_iter().flat_map(|term| pairs(&EXTENDED).map(move |(a, b)| (term, a, b)));
    for (term, a, b) in singles.chain(doubles) {
        let bytes = [&a.to_le_bytes()[..10], &b.to_le_bytes()[..10]].concat();
        let value = Evaluator::new().eval(&terms, term, &bytes.as_slice());
        let width = terms.width(term);
        let bits_matter = !semantics::is_float_width(width) || semantics::fcmp(7, width, value, value);
        agrees_on(&mut solver, &mut terms, term, &bytes, bits_matter);
    }
}
