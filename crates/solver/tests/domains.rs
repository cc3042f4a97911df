//! Domains as inputs have them, through the whole chain: pointers, function pointers, truth values, related counts.

use std::time::{Duration, Instant};
use tarka_solver::{Answer, Query, Solver, standard};
use tarka_terms::{Assignment, BinaryOp::*, Term, Terms};

const NODE: u128 = 0x10_0000_0040;
const OTHER: u128 = 0x10_0000_0080;
const ARRAY: u128 = 0x10_0000_1000;
const NAMED: u128 = 0x40_1000;

/// `word == values[0] || word == values[1] …`
fn one_of(terms: &mut Terms, word: Term, values: &[u128]) -> Term {
    let never = terms.constant(1, 0);
    values.iter().fold(never, |clause, value| {
        let value = terms.constant(terms.width(word), *value);
        let equal = terms.binary(Eq, word, value);
        terms.binary(Or, clause, equal)
    })
}

/// `(word - base) < count * size && (word - base) % size == 0`
fn element(terms: &mut Terms, word: Term, base: u128, count: u128, size: u128) -> Term {
    let [base, end, size, zero] = [base, count * size, size, 0].map(|value| terms.constant(64, value));
    let offset = terms.binary(Sub, word, base);
    let (inside, rest) = (terms.binary(Ult, offset, end), terms.binary(URem, offset, size));
    let aligned = terms.binary(Eq, rest, zero);
    terms.binary(And, inside, aligned)
}

/// Slot number `n`, eight bytes, may point to null, its own object, another one, a named one, or into an array.
fn wide(terms: &mut Terms, n: u32) -> Term {
    let slot = terms.word(n * 8, 8);
    let known = one_of(terms, slot, &[0, NODE + u128::from(n) * 0x100, OTHER, NAMED]);
    let inside = element(terms, slot, ARRAY, 16, 24);
    terms.binary(Or, known, inside)
}

fn narrow(terms: &mut Terms, n: u32) -> Term {
    let slot = terms.word(n * 8, 8);
    one_of(terms, slot, &[0, NODE + u128::from(n) * 0x100])
}

type Domain = fn(&mut Terms, u32) -> Term;

fn ask(solver: &mut dyn Solver, t: &mut Terms, prefix: &[Term], flipped: Term, domain: Domain) -> Answer {
    let domain = move |t: &mut Terms, input: u32| Some(domain(t, input / 8));
    let time_limit = Duration::from_secs(20);
    let start = Instant::now();
    let answer = solver.solve(
        t,
        &Query { prefix, flipped, domain: &domain, current: &|_| 0, time_limit, doubles_loop: false },
    );
    let took = start.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    answer
}

/// The values of the first slots.
#[track_caller]
fn slots<const N: usize>(answer: Answer) -> [u128; N] {
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    let model = model.over(&|_| 0);
    std::array::from_fn(|n| {
        (0..8).rev().fold(0, |value, byte| value << 8 | u128::from(model.byte(n as u32 * 8 + byte)))
    })
}

#[test]
fn an_answer_counts_for_its_domain_only() {
    let mut t = Terms::new();
    let (p, other) = (t.word(0, 8), t.constant(64, OTHER));
    let flipped = t.binary(Eq, p, other);
    let mut solver = standard();
    for _ in 0..2 {
        assert_eq!(ask(&mut *solver, &mut t, &[], flipped, narrow), Answer::Unsat);
        assert_eq!(slots(ask(&mut *solver, &mut t, &[], flipped, wide)), [OTHER]);
    }
}

#[test]
fn the_fresh_object_comes_first() {
    let mut t = Terms::new();
    let (p, null) = (t.word(0, 8), t.constant(64, 0));
    let flipped = t.binary(Ne, p, null);
    let mut solver = standard();
    for domain in [narrow, wide] {
        assert_eq!(slots(ask(&mut *solver, &mut t, &[], flipped, domain)), [NODE]);
    }
    assert_eq!(solver.figures().without_smt(), 2, "no question went as far as Z3");
}

#[test]
fn two_pointers_to_the_same_object() {
    let mut t = Terms::new();
    let (p, q, null) = (t.word(0, 8), t.word(8, 8), t.constant(64, 0));
    let prefix = [t.binary(Ne, p, null)];
    let flipped = t.binary(Eq, p, q);
    let mut solver = standard();
    assert_eq!(ask(&mut *solver, &mut t, &prefix, flipped, narrow), Answer::Unsat);
    assert_eq!(slots(ask(&mut *solver, &mut t, &prefix, flipped, wide)), [OTHER, OTHER]);
}

#[test]
fn three_pointers_that_make_a_chain() {
    // Different from each other and from null, in the order of their addresses.
    let mut t = Terms::new();
    let [p, q, r] = [0, 8, 16].map(|first| t.word(first, 8));
    let null = t.constant(64, 0);
    let prefix = [t.binary(Ult, null, p), t.binary(Ult, p, q)];
    let flipped = t.binary(Ult, q, r);
    let mut solver = standard();
    let [first, second, third] = slots(ask(&mut *solver, &mut t, &prefix, flipped, wide));
    assert!(0 < first && first < second && second < third);
}

#[test]
fn a_distance_between_elements_of_an_array() {
    let mut t = Terms::new();
    let (p, q) = (t.word(0, 8), t.word(8, 8));
    let (size, seven, end) = (t.constant(64, 24), t.constant(64, 7), t.constant(64, ARRAY));
    let difference = t.binary(Sub, q, p);
    let count = t.binary(SDiv, difference, size);
    let flipped = t.binary(Eq, count, seven);
    let prefix = [t.binary(Ule, end, p)];
    let mut solver = standard();
    let [first, second] = slots(ask(&mut *solver, &mut t, &prefix, flipped, wide));
    assert_eq!((second - first) / 24, 7);
}

#[test]
fn every_function_of_a_type_is_found_one_after_the_other() {
    fn functions(terms: &mut Terms, n: u32) -> Term {
        let slot = terms.word(n * 8, 8);
        let addresses: Vec<u128> = (0..40).map(|function| 0x40_2000 + function * 0x30).collect();
        one_of(terms, slot, &addresses)
    }
    let mut t = Terms::new();
    let p = t.word(0, 8);
    let called = t.extract(p, 0, 48);
    let mut solver = standard();
    let null = t.constant(64, 0);
    let mut flipped = t.binary(Ne, p, null);
    for function in 0..40 {
        let [address] = slots(ask(&mut *solver, &mut t, &[], flipped, functions));
        assert_eq!(address, 0x40_2000 + function * 0x30);
        let address = t.constant(48, address);
        let another = t.binary(Ne, called, address);
        flipped = t.binary(And, flipped, another);
    }
    assert_eq!(ask(&mut *solver, &mut t, &[], flipped, functions), Answer::Unsat);
}

#[test]
fn truth_values_and_counts_that_depend_on_each_other() {
    // Byte 0 is a truth value, bytes 8 to 11 a result r and 16 to 19 a size n with -1 <= r <= n <= 4096.
    fn clause(t: &mut Terms, n: u32) -> Term {
        if n == 0 {
            let (flag, one) = (t.input(0), t.constant(8, 1));
            return t.binary(Ule, flag, one);
        }
        let (result, size) = (t.word(8, 4), t.word(16, 4));
        let (least, zero, most) = (t.constant(32, u32::MAX.into()), t.constant(32, 0), t.constant(32, 4096));
        let clauses = [
            t.binary(Sle, least, result),
            t.binary(Sle, result, size),
            t.binary(Sle, zero, size),
            t.binary(Sle, size, most),
        ];
        clauses.into_iter().reduce(|all, next| t.binary(And, all, next)).unwrap()
    }
    let mut t = Terms::new();
    let (flag, result, size) = (t.input(0), t.word(8, 4), t.word(16, 4));
    let (zero_byte, zero, hundred) = (t.constant(8, 0), t.constant(32, 0), t.constant(32, 100));
    let mut solver = standard();
    let mut first = |t: &mut Terms, prefix: &[Term], flipped| {
        slots::<3>(ask(&mut *solver, t, prefix, flipped, clause)).map(|value| value as u32 as i32)
    };
    let flipped = t.binary(Ne, flag, zero_byte);
    assert_eq!(first(&mut t, &[], flipped)[0], 1);
    let flipped = t.binary(Slt, result, zero);
    assert_eq!(first(&mut t, &[], flipped)[1], -1);
    let flipped = t.binary(Slt, hundred, result);
    let [_, found, room] = first(&mut t, &[], flipped);
    assert!(found > 100 && found <= room && room <= 4096, "{found} of {room}");
    // A short read.
    let (some, short) = (t.binary(Slt, zero, result), t.binary(Slt, result, size));
    let [_, found, room] = first(&mut t, &[some], short);
    assert!(0 < found && found < room, "{found} of {room}");
    let two = t.constant(8, 2);
    let flipped = t.binary(Eq, flag, two);
    assert_eq!(ask(&mut *solver, &mut t, &[], flipped, clause), Answer::Unsat);
}
