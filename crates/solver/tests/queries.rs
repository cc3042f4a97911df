//! Hand-made queries through the whole chain, as a campaign asks them.

use std::time::{Duration, Instant};
use tarka_solver::z3;
use tarka_solver::{Answer, Model, Query, Reason, SMT, Solver, standard};
use tarka_terms::{Assignment, BinaryOp::*, ConvertOp, Evaluator, Term, Terms, UnaryOp, predicate};

/// Asks with an input of zeros and no domains.
fn ask(terms: &mut Terms, prefix: &[Term], flipped: Term) -> Answer {
    ask_within(terms, prefix, flipped, Duration::from_secs(20))
}

fn ask_within(terms: &mut Terms, prefix: &[Term], flipped: Term, time_limit: Duration) -> Answer {
    standard().solve(
        terms,
        &Query { prefix, flipped, domain: &|_, _| None, current: &|_| 0, time_limit, doubles_loop: false },
    )
}

#[track_caller]
fn model(answer: Answer) -> Model {
    match answer {
        Answer::Sat(model) => model,
        other => panic!("{other:?}"),
    }
}

/// The little-endian number in the model's bytes from `first` on.
fn number(model: &Model, first: u32, bytes: u32) -> u64 {
    let model = model.over(&|_| 0);
    (0..bytes).rev().fold(0, |number, byte| number << 8 | u64::from(model.byte(first + byte)))
}

#[test]
fn a_product_is_factored() {
    let mut t = Terms::new();
    let (a, b, one) = (t.word(0, 2), t.word(2, 2), t.constant(16, 1));
    let (wide_a, wide_b) = (t.zext(a, 32), t.zext(b, 32));
    let (product, value) = (t.binary(Mul, wide_a, wide_b), t.constant(32, 65_521 * 251));
    let prefix = [t.binary(Ult, one, a), t.binary(Ult, one, b)];
    let flipped = t.binary(Eq, product, value);
    let model = model(ask(&mut t, &prefix, flipped));
    assert_eq!(number(&model, 0, 2) * number(&model, 2, 2), 65_521 * 251);
}

#[test]
fn only_bytes_of_the_slice_are_in_the_model() {
    let mut t = Terms::new();
    let (a, b, c) = (t.input(0), t.input(1), t.input(2));
    let (prefix, flipped) = (t.binary(Ule, b, c), t.binary(Ne, a, b));
    let unrelated = t.input(77);
    let unrelated = t.binary(Ule, unrelated, unrelated);
    let model = model(ask(&mut t, &[prefix, unrelated], flipped));
    assert!(model.bytes.iter().all(|(byte, _)| *byte <= 2), "{model:?}");
}

#[test]
fn contradictions_are_unsat() {
    let mut t = Terms::new();
    let (a, b, three) = (t.word(0, 4), t.word(4, 4), t.constant(32, 3));
    let less = t.binary(Slt, a, b);
    let greater = t.binary(Slt, b, a);
    assert_eq!(ask(&mut t, &[less], greater), Answer::Unsat);
    let tripled = t.binary(Mul, a, three);
    let (remainder, one) = (t.binary(URem, tripled, three), t.constant(32, 1));
    let (small, limit) = (t.constant(32, 1000), t.constant(32, 2));
    let no_overflow = t.binary(Ult, a, small);
    assert!(limit != one);
    let flipped = t.binary(Eq, remainder, one);
    assert_eq!(ask(&mut t, &[no_overflow], flipped), Answer::Unsat);
}

#[test]
fn a_pointer_is_null_or_its_own_object() {
    let mut t = Terms::new();
    let object = 0x10_0000_0040;
    let pointer = t.word(8, 8);
    let null = t.constant(64, 0);
    let domain = move |t: &mut Terms, input: u32| {
        (8..16).contains(&input).then(|| {
            let (null, fresh) = (t.constant(64, 0), t.constant(64, object));
            let (is_null, is_fresh) = (t.binary(Eq, pointer, null), t.binary(Eq, pointer, fresh));
            t.binary(Or, is_null, is_fresh)
        })
    };
    let time_limit = Duration::from_secs(5);
    let not_null = t.binary(Ne, pointer, null);
    let page = t.constant(64, 4096);
    let mapped = t.binary(Ule, page, pointer);
    for flipped in [not_null, mapped] {
        let query =
            Query { prefix: &[], flipped, domain: &domain, current: &|_| 0, time_limit, doubles_loop: false };
        assert_eq!(number(&model(standard().solve(&mut t, &query)), 8, 8), object as u64);
    }
    let elsewhere = t.constant(64, 0x1234_5678);
    let flipped = t.binary(Eq, pointer, elsewhere);
    let query =
        Query { prefix: &[], flipped, domain: &domain, current: &|_| 0, time_limit, doubles_loop: false };
    assert_eq!(standard().solve(&mut t, &query), Answer::Unsat);
}

#[test]
fn a_table_lookup_is_inverted() {
    let mut t = Terms::new();
    let entries = (0..256u128).map(|value| t.constant(8, (value * 167 + 13) ^ (value >> 3))).collect();
    let table = t.table(entries);
    let (a, b) = (t.input(0), t.input(1));
    let first = t.read(table, a);
    let mixed = t.binary(Xor, first, b);
    let second = t.read(table, mixed);
    let (sum, value) = (t.binary(Add, second, a), t.constant(8, 77));
    let flipped = t.binary(Eq, sum, value);
    let model = model(ask(&mut t, &[], flipped));
    assert_eq!(Evaluator::new().eval(&t, flipped, &model.over(&|_| 0)), 1);
}

#[test]
fn words_of_a_table_are_read_at_a_signed_index() {
    let mut t = Terms::new();
    let words = [10u32, 500, 70_000, 9];
    let entries =
        words.iter().flat_map(|word| word.to_le_bytes()).map(|byte| t.constant(8, byte.into())).collect();
    let table = t.table(entries);
    let index = t.word(0, 4);
    let (wide, four) = (t.sext(index, 64), t.constant(64, 4));
    let start = t.binary(Mul, wide, four);
    let bytes: Vec<Term> = (0..4)
        .map(|byte| {
            let offset = t.constant(64, byte);
            let address = t.binary(Add, start, offset);
            t.read(table, address)
        })
        .collect();
    let value = bytes.into_iter().reduce(|low, high| t.concat(high, low)).unwrap();
    let wanted = t.constant(32, 70_000);
    let flipped = t.binary(Eq, value, wanted);
    assert_eq!(number(&model(ask(&mut t, &[], flipped)), 0, 4), 2);
}

fn single(terms: &mut Terms, value: f32) -> Term {
    terms.constant(32, value.to_bits().into())
}

#[test]
fn a_square_root_by_solving() {
    let mut t = Terms::new();
    let x = t.word(0, 4);
    let (square, value) = (t.binary(FMul, x, x), single(&mut t, 2.25));
    let flipped = t.fcmp(predicate::EQUAL, square, value);
    let found = f32::from_bits(number(&model(ask(&mut t, &[], flipped)), 0, 4) as u32);
    assert_eq!(found.abs(), 1.5);
}

#[test]
fn a_float_that_is_no_number() {
    let mut t = Terms::new();
    let x = t.word(0, 4);
    let flipped = t.fcmp(predicate::UNORDERED, x, x);
    assert!(f32::from_bits(number(&model(ask(&mut t, &[], flipped)), 0, 4) as u32).is_nan());
    let zero = single(&mut t, 0.0);
    let below = t.fcmp(predicate::LESS, x, zero);
    assert_eq!(ask(&mut t, &[below], flipped), Answer::Unsat);
}

#[test]
fn a_float_that_one_does_not_change() {
    let mut t = Terms::new();
    let x = t.word(0, 8);
    let one = t.constant(64, 1f64.to_bits().into());
    let (sum, infinity) = (t.binary(FAdd, x, one), t.constant(64, f64::INFINITY.to_bits().into()));
    let (magnitude, flipped) = (t.unary(UnaryOp::FAbs, x), t.fcmp(predicate::EQUAL, sum, x));
    let finite = t.fcmp(predicate::LESS, magnitude, infinity);
    let found = f64::from_bits(number(&model(ask(&mut t, &[finite], flipped)), 0, 8));
    assert!(found.is_finite() && found + 1.0 == found, "{found}");
}

#[test]
fn a_float_converted_to_an_integer() {
    let mut t = Terms::new();
    let x = t.word(0, 8);
    let integer = t.convert(ConvertOp::FToSi, x, 32);
    for value in [-7i32, i32::MIN] {
        let constant = t.constant(32, value as u32 as u128);
        let flipped = t.binary(Eq, integer, constant);
        let found = f64::from_bits(number(&model(ask(&mut t, &[], flipped)), 0, 8));
        // Out of range the hardware gives the smallest integer.
        let expected = if found.trunc() == -7.0 { -7 } else { i32::MIN };
        assert_eq!(expected, value, "{found}");
    }
    let (unsigned, huge) = (t.convert(ConvertOp::FToUi, x, 64), t.constant(64, 1 << 63 | 1 << 40));
    let zero = t.constant(64, 0);
    let (positive, flipped) = (t.fcmp(predicate::LESS, zero, x), t.binary(Eq, unsigned, huge));
    let found = f64::from_bits(number(&model(ask(&mut t, &[positive], flipped)), 0, 8));
    assert_eq!(found, ((1u64 << 63) | (1 << 40)) as f64);
}

#[test]
fn a_float_stays_in_its_domain() {
    let mut t = Terms::new();
    let x = t.word(0, 4);
    let domain = move |t: &mut Terms, input: u32| {
        (input < 4).then(|| {
            let allowed =
                [0.0f32, 1.0, 3.0].map(|value| single(t, value)).map(|value| t.binary(Eq, x, value));
            allowed.into_iter().reduce(|any, next| t.binary(Or, any, next)).unwrap()
        })
    };
    let (square, limit, more) = (t.binary(FMul, x, x), single(&mut t, 5.0), single(&mut t, 10.0));
    let time_limit = Duration::from_secs(20);
    let mut ask = |limit| {
        let flipped = t.fcmp(predicate::GREATER, square, limit);
        let query =
            Query { prefix: &[], flipped, domain: &domain, current: &|_| 0, time_limit, doubles_loop: false };
        standard().solve(&mut t, &query)
    };
    assert_eq!(f32::from_bits(number(&model(ask(limit)), 0, 4) as u32), 3.0);
    assert_eq!(ask(more), Answer::Unsat);
}

#[test]
fn what_trying_values_does_not_solve_is_still_decided() {
    let mut t = Terms::new();
    let (x, one) = (t.word(0, 4), single(&mut t, 1.0));
    let next = t.binary(FAdd, x, one);
    // Squared and mixed the low bits of a sum jump about: no value comes closer than another, and no step can be taken
    // back.
    let (low, factor) = (t.extract(next, 0, 20), t.constant(20, 0x779b1));
    let square = t.binary(Mul, low, low);
    let (product, shift) = (t.binary(Mul, square, factor), t.constant(20, 10));
    let high = t.binary(LShr, product, shift);
    let mixed = t.binary(Xor, product, high);
    let value = Evaluator::new().eval(&t, mixed, &1.7f32.to_le_bytes().as_slice());
    let value = t.constant(20, value);
    let (above, positive) = (single(&mut t, 3.0), t.fcmp(predicate::GREATER, x, one));
    let below = t.fcmp(predicate::LESS, x, above);
    let flipped = t.binary(Eq, mixed, value);
    let time_limit = Duration::from_secs(20);
    let prefix = [positive, below];
    let query = Query {
        prefix: &prefix,
        flipped,
        domain: &|_, _| None,
        current: &|_| 0,
        time_limit,
        doubles_loop: false,
    };
    let mut chain = standard();
    assert!(matches!(z3::standard().solve(&mut t, &query), Answer::Sat(_)));
    let found = model(chain.solve(&mut t, &query));
    let holds = Evaluator::new().first_false(&t, [positive, below, flipped], &found.over(&|_| 0)).is_none();
    assert!(holds, "{found:?}");
    // A square is never negative.
    let (square, zero) = (t.binary(FMul, x, x), single(&mut t, 0.0));
    let flipped = t.fcmp(predicate::LESS, square, zero);
    let query = Query { flipped, ..query };
    assert_eq!(z3::standard().solve(&mut t, &query), Answer::Unsat);
    assert_eq!(chain.solve(&mut t, &query), Answer::Unsat);
    assert_eq!(chain.figures().layer(SMT).answered, 2, "neither was found by trying values");
}

#[test]
fn c_remainders_of_floats_are_said_to_be_undecided() {
    let mut t = Terms::new();
    let (x, y) = (t.word(0, 4), t.word(4, 4));
    let (remainder, value) = (t.binary(FRem, x, y), single(&mut t, 0.375));
    let flipped = t.fcmp(predicate::EQUAL, remainder, value);
    match ask(&mut t, &[], flipped) {
        Answer::Unknown(Reason::Incomplete(what)) => assert!(what.contains("fmod"), "{what}"),
        Answer::Sat(model) => assert_eq!(Evaluator::new().eval(&t, flipped, &model.over(&|_| 0)), 1),
        other => panic!("{other:?}"),
    }
}

/// A hash of eight bytes that mixes every bit: its inversion is out of reach.
fn hash(t: &mut Terms) -> Term {
    let mut state = t.word(0, 8);
    for constant in [0xff51_afd7_ed55_8ccd_u128, 0xc4ce_b9fe_1a85_ec53, 0x9e37_79b9_7f4a_7c15] {
        let (shift, addend) = (t.constant(64, 31), t.constant(64, constant));
        let shifted = t.binary(LShr, state, shift);
        let mixed = t.binary(Xor, state, shifted);
        let moved = t.binary(Add, mixed, addend);
        let square = t.binary(Mul, moved, mixed);
        state = t.binary(Xor, square, moved);
    }
    state
}

#[test]
fn a_hopeless_query_ends_in_time() {
    let mut t = Terms::new();
    let hash = hash(&mut t);
    let value = Evaluator::new().eval(&t, hash, &|byte| byte as u8 * 29 + 7);
    let value = t.constant(64, value);
    let flipped = t.binary(Eq, hash, value);
    let start = Instant::now();
    assert_eq!(
        ask_within(&mut t, &[], flipped, Duration::from_millis(500)),
        Answer::Unknown(Reason::TimeLimit)
    );
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn the_same_question_has_the_same_answer_in_every_solver() {
    let answers: Vec<Answer> = (0..2)
        .map(|_| {
            let mut t = Terms::new();
            let (a, b) = (t.word(0, 4), t.word(4, 4));
            let (product, value) = (t.binary(Mul, a, b), t.constant(32, 123_457));
            let flipped = t.binary(Eq, product, value);
            ask(&mut t, &[], flipped)
        })
        .collect();
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn figures_count_what_was_asked() {
    let mut t = Terms::new();
    let (a, b) = (t.input(0), t.input(1));
    let (product, value) = (t.binary(Mul, a, b), t.constant(8, 35));
    let (equal, same) = (t.binary(Eq, product, value), t.binary(Ult, a, a));
    let mut solver = standard();
    for flipped in [equal, equal, same] {
        let time_limit = Duration::from_secs(5);
        solver.solve(
            &mut t,
            &Query {
                prefix: &[],
                flipped,
                domain: &|_, _| None,
                current: &|_| 0,
                time_limit,
                doubles_loop: false,
            },
        );
    }
    let figures = solver.figures();
    assert_eq!((figures.queries, figures.sat, figures.unsat, figures.unknown), (3, 2, 1, 0));
    assert_eq!((figures.layer("exact").answered, figures.wrong_models), (1, 0));
}
