//! Whatever the layer says is true of all inputs, and it does decide what it is there for.

use super::*;
use crate::layer::testing::question;
use crate::{Model, Query};
use proptest::prelude::*;
use std::time::Duration;
use tarka_terms::{BinaryOp, BinaryOp::*, Term, predicate};

#[path = "../../tests/random/mod.rs"]
mod random;

use random::{RandomOp, truths};

/// Whether an input of two bytes satisfies these clauses.
fn has_model(terms: &Terms, clauses: &[Term]) -> bool {
    let mut evaluator = Evaluator::new();
    let mut inputs = (0..=u16::MAX).map(u16::to_le_bytes);
    inputs.any(|bytes| evaluator.first_false(terms, clauses.iter().copied(), &bytes.as_slice()).is_none())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn what_is_said_is_true_of_all_inputs(steps in prop::collection::vec(any::<RandomOp>(), 1..14), current: [u8; 2]) {
        let mut terms = Terms::new();
        let bytes = vec![terms.input(0), terms.input(1)];
        let clauses = truths(&mut terms, bytes, &[1, 8, 12, 16], &steps);
        let Some((flipped, prefix)) = clauses.split_first() else { return Ok(()) };
        let current = current.as_slice();
        let query = Query {
            prefix, flipped: *flipped, domain: &crate::no_domain, current: &current, time_limit: Duration::from_secs(1), doubles_loop: false,
        };
        let mut asked = Question::new(&query);
        match Intervals::default().ask(&mut terms, &mut asked) {
            Some(Answer::Sat(model)) => {
                let failed = Evaluator::new().first_false(&terms, clauses.iter().copied(), &model.over(&current));
                prop_assert_eq!(failed, None, "{:?}", model);
            }
            Some(Answer::Unsat) => {
                let core = asked.core.unwrap_or_else(|| clauses.clone());
                prop_assert!(core.iter().all(|clause| clauses.contains(clause)));
                let shown: Vec<String> = core.iter().map(|clause| terms.display(*clause).to_string()).collect();
                prop_assert!(!has_model(&terms, &core), "{:?}", shown);
            }
            Some(Answer::Unknown(_) | Answer::Optimistic(..)) => prop_assert!(false, "the layer passes on what it does not know"),
            None => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn what_an_input_satisfies_is_never_refuted(
        steps in prop::collection::vec(any::<RandomOp>(), 1..24), input: [u8; 24], is_small: bool,
    ) {
        let mut terms = Terms::new();
        let input: Vec<u8> = if is_small { input.map(|byte| byte & byte >> 3 & 9).to_vec() } else { input.to_vec() };
        let words = vec![terms.word(0, 8), terms.word(8, 4), terms.word(8, 16), terms.input(0)];
        let truths = truths(&mut terms, words, &[1, 8, 31, 32, 64, 127, 128], &steps);
        // What is false holds when it is negated.
        let mut evaluator = Evaluator::new();
        let mut negated = |truth: &Term| match evaluator.eval(&terms, *truth, &input) {
            1 => *truth,
            _ => terms.not(*truth),
        };
        let clauses: Vec<Term> = truths.iter().map(&mut negated).collect();
        let Some((flipped, prefix)) = clauses.split_first() else { return Ok(()) };
        let mut asked = question(prefix, *flipped);
        let answer = Intervals::default().ask(&mut terms, &mut asked);
        let shown: Vec<String> = clauses.iter().map(|clause| terms.display(*clause).to_string()).collect();
        prop_assert!(answer != Some(Answer::Unsat), "{:?} with {:?}", shown, input);
    }
}

/// What the layer makes of these clauses, the last one flipped, on an input of zeros.
fn decides(build: impl FnOnce(&mut Terms) -> Vec<Term>) -> &'static str {
    let mut terms = Terms::new();
    let clauses = build(&mut terms);
    let (flipped, prefix) = clauses.split_last().unwrap();
    match Intervals::default().ask(&mut terms, &mut question(prefix, *flipped)) {
        Some(Answer::Sat(_)) => "sat",
        Some(Answer::Unsat) => "unsat",
        _ => "passed on",
    }
}

/// `op` of a term and a number.
fn with(terms: &mut Terms, op: BinaryOp, a: Term, number: i128) -> Term {
    let number = terms.constant(terms.width(a), number as u128);
    terms.binary(op, a, number)
}

#[test]
fn typical_questions() {
    type Build = fn(&mut Terms) -> Vec<Term>;
    let questions: [(&str, &str, Build); 21] = [
        ("below and above, signed", "unsat", |t| {
            let x = t.word(0, 4);
            let low = t.constant(32, 199);
            vec![with(t, Slt, x, 100), t.binary(Slt, low, x)]
        }),
        ("a range", "sat", |t| {
            let x = t.word(0, 4);
            let low = t.constant(32, 199);
            vec![with(t, Slt, x, 300), t.binary(Slt, low, x)]
        }),
        ("equal words, one small, one large", "unsat", |t| {
            let (x, y) = (t.word(0, 4), t.word(4, 4));
            let ten = t.constant(32, 10);
            vec![t.binary(Eq, x, y), with(t, Ult, x, 5), t.binary(Ult, ten, y)]
        }),
        ("equal up to an offset", "unsat", |t| {
            let (x, y) = (t.word(0, 4), t.word(4, 4));
            let after = with(t, Add, y, 8);
            vec![with(t, Ult, y, 100), t.binary(Eq, x, after), with(t, Ult, x, 8)]
        }),
        ("less and not less", "unsat", |t| {
            let (x, y) = (t.word(0, 8), t.word(8, 8));
            vec![t.binary(Ult, x, y), t.binary(Ule, y, x)]
        }),
        ("floats less both ways", "unsat", |t| {
            let (x, y) = (t.word(0, 8), t.word(8, 8));
            vec![t.fcmp(predicate::LESS, x, y), t.fcmp(predicate::LESS, y, x)]
        }),
        ("a difference of pointers that are far apart", "unsat", |t| {
            let offset = t.word(0, 8);
            let place = with(t, Add, offset, 0x1000);
            vec![with(t, Ult, offset, 16), with(t, Ult, place, 0x1000)]
        }),
        ("a masked byte that a range excludes", "unsat", |t| {
            let a = t.input(0);
            let top = with(t, And, a, 0xc0);
            vec![with(t, Eq, top, 0x80), with(t, Ult, a, 0x20)]
        }),
        ("a sum of two small parts", "unsat", |t| {
            let (a, b) = (t.input(0), t.input(1));
            let (a, b) = (t.zext(a, 32), t.zext(b, 32));
            let sum = t.binary(Add, a, b);
            vec![with(t, Eq, sum, 600)]
        }),
        ("two bytes of an encoding", "unsat", |t| {
            let (a, b) = (t.input(0), t.input(1));
            let (low_a, low_b) = (t.extract(a, 0, 6), t.extract(b, 0, 6));
            let (top, low) = (t.constant(4, 13), t.concat(low_a, low_b));
            let code = t.concat(top, low);
            vec![with(t, Ult, a, 0xa0), with(t, Ult, code, 0x800)]
        }),
        ("an index that is below the length, and a length that ends before it", "unsat", |t| {
            let (index, length) = (t.word(0, 8), t.word(8, 8));
            let (next, second) = (with(t, Add, index, 1), with(t, Add, index, 2));
            let (inside, ends) = (t.binary(Ult, next, length), t.binary(Ule, length, second));
            let elsewhere = t.binary(Eq, length, second);
            vec![with(t, Ult, index, 1_000), inside, ends, t.not(elsewhere)]
        }),
        ("the same where the sum may wrap round", "sat", |t| {
            let (index, length) = (t.word(0, 1), t.word(1, 1));
            let (next, second) = (with(t, Add, index, 1), with(t, Add, index, 2));
            let (inside, ends) = (t.binary(Ult, next, length), t.binary(Ule, second, index));
            vec![inside, ends]
        }),
        ("three values in a circle", "unsat", |t| {
            let (a, b, c) = (t.word(0, 4), t.word(4, 4), t.word(8, 4));
            vec![t.binary(Ult, a, b), t.binary(Ule, b, c), t.binary(Ult, c, a)]
        }),
        ("a table that holds no such entry", "unsat", |t| {
            let a = t.word(0, 2);
            let entries = (0..16).map(|at| t.constant(8, at * 3)).collect();
            let table = t.table(entries);
            let read = t.read(table, a);
            vec![with(t, Ult, a, 16), with(t, Eq, read, 0xff)]
        }),
        ("a table that holds one", "sat", |t| {
            let a = t.word(0, 2);
            let entries = (0..16).map(|at| t.constant(8, at * 3)).collect();
            let table = t.table(entries);
            let read = t.read(table, a);
            vec![with(t, Ult, a, 16), with(t, Eq, read, 45)]
        }),
        ("a shifted number out of reach", "unsat", |t| {
            let x = t.word(0, 4);
            let quarter = with(t, LShr, x, 2);
            let limit = t.constant(32, 0x3fff_ffff);
            vec![t.binary(Ult, limit, quarter)]
        }),
        ("letters, one byte", "sat", |t| {
            let a = t.input(0);
            let lower = with(t, Or, a, 0x20);
            let offset = with(t, Sub, lower, i128::from(b'a'));
            let small = with(t, Ult, offset, 26);
            let not_a = with(t, Eq, a, i128::from(b'a'));
            vec![small, t.not(not_a)]
        }),
        ("a byte of a table, read where the index is now", "sat", |t| {
            let index = t.word(0, 8);
            let entries = (8..24).map(|byte| t.input(byte)).collect();
            let table = t.table(entries);
            let read = t.read(table, index);
            vec![with(t, Ult, index, 16), with(t, Eq, read, 77)]
        }),
        ("a sum of words of which one is free", "sat", |t| {
            let (x, y) = (t.word(0, 4), t.word(4, 4));
            let (sum, seven) = (t.binary(Add, x, y), t.constant(32, 7));
            vec![t.binary(Ult, x, seven), with(t, Eq, sum, 123_456_789)]
        }),
        ("a product of two words", "passed on", |t| {
            let (x, y) = (t.word(0, 4), t.word(4, 4));
            let product = t.binary(Mul, x, y);
            vec![with(t, Eq, product, 1_234_567)]
        }),
        ("a sum of words, wrapping", "passed on", |t| {
            let (x, y, z) = (t.word(0, 4), t.word(4, 4), t.word(8, 4));
            let sum = t.binary(Add, x, y);
            let both = t.binary(Mul, sum, z);
            vec![with(t, Eq, both, 77)]
        }),
    ];
    for (name, expected, build) in questions {
        assert_eq!(decides(build), expected, "{name}");
    }
}

#[test]
fn only_the_clauses_that_took_part_are_named() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (x, y) = (t.word(0, 4), t.word(4, 4));
    let (small, large, other) = (with(t, Ult, x, 5), with(t, Ult, x, 9), with(t, Ult, y, 9));
    let (large, link) = (t.not(large), t.binary(Ule, x, y));
    let mut asked = question(&[other, small, link], large);
    assert_eq!(Intervals::default().ask(t, &mut asked), Some(Answer::Unsat));
    let core = asked.core.unwrap();
    assert!(core.contains(&small) && core.contains(&large) && !core.contains(&other), "{core:?}");
}

#[test]
fn the_value_nearest_to_the_current_one_is_given() {
    let mut terms = Terms::new();
    let x = terms.word(0, 2);
    let (low, high) = (terms.constant(16, 999), with(&mut terms, Ult, x, 2_000));
    let above = terms.binary(Ult, low, x);
    for (current, expected) in [(0u16, 1_000u16), (1_500, 1_500), (60_000, 1_999)] {
        let bytes = current.to_le_bytes();
        let current = move |input: u32| bytes[input as usize];
        let mut asked = Question { current: &current, ..question(&[above], high) };
        let [low, high] = expected.to_le_bytes();
        let expected = Answer::Sat(Model { bytes: vec![(0, low), (1, high)] });
        assert_eq!(Intervals::default().ask(&mut terms, &mut asked), Some(expected));
    }
}
