//! Questions as C code asks them: words compared with constants, and floating point.

use super::*;
use crate::layer::testing::question;
use tarka_terms::{BinaryOp, ConvertOp, Evaluator, Term, UnaryOp, predicate};

const GREATER_OR_EQUAL: u8 = predicate::GREATER | predicate::EQUAL;
const LESS_OR_EQUAL: u8 = predicate::LESS | predicate::EQUAL;

fn single(terms: &mut Terms, value: f32) -> Term {
    terms.constant(32, value.to_bits().into())
}

fn double(terms: &mut Terms, value: f64) -> Term {
    terms.constant(64, value.to_bits().into())
}

/// The model of the layer, which is checked; nothing if the question was passed on.
fn guessed(terms: &mut Terms, mut question: Question) -> Option<Model> {
    let Answer::Sat(model) = SearchLayer::default().ask(terms, &mut question)? else {
        panic!("no model and no pass")
    };
    let holds =
        Evaluator::new().first_false(terms, question.clauses(), &model.over(question.current)).is_none();
    assert!(holds);
    Some(model)
}

fn number(model: &Model, first: u32, bytes: u32) -> u64 {
    (0..bytes).rev().fold(0, |number, byte| number << 8 | u64::from(model.get(first + byte).unwrap()))
}

#[test]
fn a_controller_at_its_limit() {
    let mut t = Terms::new();
    let (setpoint, measured, gain) = (t.word(0, 8), t.word(8, 8), t.word(16, 4));
    let (least, most, half, limit) =
        (double(&mut t, -40.0), double(&mut t, 125.0), double(&mut t, 0.5), double(&mut t, 100.0));
    let error = t.binary(BinaryOp::FSub, setpoint, measured);
    let gain = t.convert(ConvertOp::FToF, gain, 64);
    let product = t.binary(BinaryOp::FMul, error, gain);
    let prefix = [
        t.fcmp(predicate::ALWAYS & !predicate::UNORDERED, measured, measured),
        t.fcmp(GREATER_OR_EQUAL, measured, least),
        t.fcmp(LESS_OR_EQUAL, measured, most),
        t.fcmp(predicate::GREATER, error, half),
    ];
    let flipped = t.fcmp(GREATER_OR_EQUAL, product, limit);
    // From zeros two clauses fail at first; from a warm setpoint one does.
    let warm = |input: u32| 1f64.to_le_bytes().get(input as usize).copied().unwrap_or(0);
    assert!(guessed(&mut t, question(&prefix, flipped)).is_some());
    let model = guessed(&mut t, Question { current: &warm, ..question(&prefix, flipped) }).unwrap();
    assert_eq!(f64::from_bits(number(&model, 8, 8)), 0.0, "the measured value need not change");
    assert_eq!(model.bytes.len(), 20, "every byte is named");
}

#[test]
fn the_root_of_a_square_that_is_no_constant_of_the_query() {
    let mut t = Terms::new();
    let x = t.word(0, 4);
    let (square, value) = (t.binary(BinaryOp::FMul, x, x), single(&mut t, 2.25));
    let flipped = t.fcmp(predicate::EQUAL, square, value);
    let model = guessed(&mut t, question(&[], flipped)).unwrap();
    assert_eq!(f32::from_bits(number(&model, 0, 4) as u32).abs(), 1.5);
}

#[test]
fn a_float_that_is_no_number() {
    let mut t = Terms::new();
    let x = t.word(0, 8);
    let flipped = t.fcmp(predicate::UNORDERED, x, x);
    let model = guessed(&mut t, question(&[], flipped)).unwrap();
    assert!(f64::from_bits(number(&model, 0, 8)).is_nan());
}

#[test]
fn two_numbers_of_known_sum_and_product() {
    let mut t = Terms::new();
    let (x, y) = (t.word(0, 8), t.word(8, 8));
    let (sum, product) = (t.binary(BinaryOp::FAdd, x, y), t.binary(BinaryOp::FMul, x, y));
    let (five, six) = (double(&mut t, 5.0), double(&mut t, 6.0));
    let (sum, flipped) = (t.fcmp(predicate::EQUAL, sum, five), t.fcmp(predicate::EQUAL, product, six));
    let five_and_zero = |input: u32| 5f64.to_le_bytes().get(input as usize).copied().unwrap_or(0);
    let model = guessed(&mut t, Question { current: &five_and_zero, ..question(&[sum], flipped) }).unwrap();
    let mut found = [0, 8].map(|first| f64::from_bits(number(&model, first, 8)));
    found.sort_by(f64::total_cmp);
    assert_eq!(found, [2.0, 3.0]);
}

#[test]
fn a_float_to_an_integer_and_back() {
    let mut t = Terms::new();
    let x = t.word(0, 8);
    let integer = t.convert(ConvertOp::FToSi, x, 32);
    let back = t.convert(ConvertOp::SiToF, integer, 64);
    let value = t.constant(32, -7i32 as u32 as u128);
    let (cut, flipped) =
        (t.fcmp(predicate::LESS | predicate::GREATER, back, x), t.binary(BinaryOp::Eq, integer, value));
    let half = |input: u32| 0.5f64.to_le_bytes()[input as usize];
    let model = guessed(&mut t, Question { current: &half, ..question(&[cut], flipped) }).unwrap();
    let found = f64::from_bits(number(&model, 0, 8));
    assert!(found < -7.0 && found.trunc() == -7.0, "{found}");
}

#[test]
fn an_integer_that_is_computed_with_as_a_float() {
    let mut t = Terms::new();
    let n = t.word(0, 4);
    let (wide, scale, limit) = (t.sext(n, 64), double(&mut t, 0.1), double(&mut t, -12.5));
    let value = t.convert(ConvertOp::SiToF, wide, 64);
    let scaled = t.binary(BinaryOp::FMul, value, scale);
    let (flipped, near) = (t.fcmp(LESS_OR_EQUAL, scaled, limit), double(&mut t, -12.6));
    let above = t.fcmp(predicate::GREATER, scaled, near);
    let model = guessed(&mut t, question(&[above], flipped)).unwrap();
    assert_eq!(number(&model, 0, 4) as u32 as i32, -125);
}

#[test]
fn a_magnitude_is_looked_through() {
    let mut t = Terms::new();
    let x = t.word(0, 4);
    let (magnitude, value, zero) = (t.unary(UnaryOp::FAbs, x), single(&mut t, 8.5), single(&mut t, 0.0));
    let (negative, flipped) = (t.fcmp(LESS_OR_EQUAL, x, zero), t.fcmp(predicate::EQUAL, magnitude, value));
    let model = guessed(&mut t, question(&[negative], flipped)).unwrap();
    assert_eq!(f32::from_bits(number(&model, 0, 4) as u32), -8.5);
}

#[test]
fn what_has_no_model_is_handed_on() {
    let mut t = Terms::new();
    let (x, zero) = (t.word(0, 4), single(&mut t, 0.0));
    let square = t.binary(BinaryOp::FMul, x, x);
    let negative = t.fcmp(predicate::LESS, square, zero);
    assert_eq!(guessed(&mut t, question(&[], negative)), None);
}

/// The model of a question about a word at byte 0, which has this value now.
fn changed(terms: &mut Terms, current: u16, prefix: &[Term], flipped: Term) -> Option<Vec<(u32, u8)>> {
    let current = move |input: u32| current.to_le_bytes()[input as usize];
    guessed(terms, Question { current: &current, ..question(prefix, flipped) }).map(|model| model.bytes)
}

#[test]
fn a_compared_word_gets_the_constant_or_its_neighbour() {
    let mut t = Terms::new();
    let (word, c) = (t.word(0, 2), t.constant(16, 0x1234));
    for (op, current, expected) in [
        (BinaryOp::Eq, 0, 0x1234u16),
        (BinaryOp::Ne, 0x1234, 0x1235),
        (BinaryOp::Ult, 0xffff, 0x1233),
        (BinaryOp::Sle, 0x7fff, 0x1234),
    ] {
        let flipped = t.binary(op, word, c);
        let [low, high] = expected.to_le_bytes();
        assert_eq!(changed(&mut t, current, &[], flipped), Some(vec![(0, low), (1, high)]), "{op:?}");
    }
}

#[test]
fn other_bytes_of_the_question_keep_their_value_and_are_named() {
    let mut t = Terms::new();
    let (a, b, five) = (t.input(0), t.input(1), t.constant(8, 5));
    let (prefix, flipped) = (t.binary(BinaryOp::Ule, b, a), t.binary(BinaryOp::Eq, a, five));
    assert_eq!(changed(&mut t, 0, &[prefix], flipped), Some(vec![(0, 5), (1, 0)]));
}

#[test]
fn what_a_step_breaks_is_repaired() {
    let mut t = Terms::new();
    let (a, b, five) = (t.input(0), t.input(1), t.constant(8, 5));
    let (prefix, flipped) = (t.binary(BinaryOp::Ule, a, b), t.binary(BinaryOp::Eq, a, five));
    assert_eq!(changed(&mut t, 0, &[prefix], flipped), Some(vec![(0, 5), (1, 5)]));
}

#[test]
fn single_bits_leave_the_others_alone() {
    let mut t = Terms::new();
    let a = t.input(0);
    let bit = t.extract(a, 3, 1);
    assert_eq!(changed(&mut t, 0, &[], bit), Some(vec![(0, 8)]));
    let off = t.not(bit);
    assert_eq!(changed(&mut t, 0xff, &[], off), Some(vec![(0, 0xf7)]));
}

#[test]
fn a_product_of_integers() {
    let mut t = Terms::new();
    let x = t.word(0, 4);
    let (product, value) = (t.binary(BinaryOp::Mul, x, x), t.constant(32, 49));
    let flipped = t.binary(BinaryOp::Eq, product, value);
    let model = guessed(&mut t, question(&[], flipped)).unwrap();
    assert_eq!(number(&model, 0, 4), 7);
}

#[test]
fn a_character_of_a_class() {
    // The class of a character is looked up, and the character is none of those seen before.
    let mut t = Terms::new();
    let entries = (0..=255u8).map(|byte| t.constant(8, u8::from(byte.is_ascii_digit()).into())).collect();
    let (table, byte) = (t.table(entries), t.input(0));
    let class = t.read(table, byte);
    let seen: Vec<Term> = [b'0', b'1']
        .into_iter()
        .map(|seen| {
            let seen = t.constant(8, seen.into());
            t.binary(BinaryOp::Ne, byte, seen)
        })
        .collect();
    let one = t.constant(8, 1);
    let flipped = t.binary(BinaryOp::Eq, class, one);
    assert_eq!(changed(&mut t, 0, &seen, flipped), Some(vec![(0, b'2')]));
}

#[test]
fn a_chain_of_bytes_each_with_its_own_clause() {
    // A word of letters in order: each repaired after the one before it.
    let mut t = Terms::new();
    let bytes: Vec<Term> = (0..5).map(|byte| t.input(byte)).collect();
    let prefix: Vec<Term> = bytes.windows(2).map(|pair| t.binary(BinaryOp::Ult, pair[0], pair[1])).collect();
    let limit = t.constant(8, b'a'.into());
    let flipped = t.binary(BinaryOp::Ule, limit, bytes[0]);
    let current = |input: u32| 1 + input as u8;
    let model = guessed(&mut t, Question { current: &current, ..question(&prefix, flipped) }).unwrap();
    assert_eq!(model.bytes, (0..5).map(|byte| (byte, b'a' + byte as u8)).collect::<Vec<_>>());
}
