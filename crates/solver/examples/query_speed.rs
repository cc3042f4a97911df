//! How long small queries take with each of Z3's engines, and with the whole chain.
//!
//! `cargo run --release -p tarka-solver --example query_speed`

#![allow(clippy::disallowed_macros)] // an example prints

use std::time::Duration;
use tarka_solver::z3::{self, Engine};
use tarka_solver::{Answer, Query, Solver, standard};
use tarka_terms::{BinaryOp, ConvertOp, Term, Terms, UnaryOp, predicate};

/// A query with a name.
struct Case {
    name: &'static str,
    terms: Terms,
    prefix: Vec<Term>,
    flipped: Term,
}

const ROUNDS: u32 = 20;

fn main() {
    println!(
        "{:<26}{:>11}{:>16}{:>11}{:>14}{:>11}",
        "processor time", "smt", "equations+smt", "sat", "bit vectors", "chain"
    );
    for case in [byte_equals(), word_chain(), product(), table(), crc(), path(100), path(1_000)] {
        let mut case = case;
        print!("{:<26}", case.name);
        for (engine, width) in
            [(Engine::Smt, 11), (Engine::EquationsThenSmt, 16), (Engine::Sat, 11), (Engine::BitVectors, 14)]
        {
            let time = time(&mut case, || Box::new(z3::only(vec![(engine, 100)])));
            print!("{:>width$}", show(time));
        }
        println!("{:>11}", show(time(&mut case, || standard())));
    }
    // One such query takes the SMT core 4 s and the SAT engine 0.15 s, so only the chain is timed.
    let mut case = controller();
    let name = case.name;
    println!("{name:<78}{:>11}", show(time(&mut case, || standard())));
}

/// Time this process spent on a processor, which other load on the machine changes little.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn show(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// Mean time of a query, without the first one. The chain's cache is kept from helping by a clause that always differs.
fn time(case: &mut Case, solver: impl Fn() -> Box<dyn Solver>) -> Duration {
    let mut solver = solver();
    let mut total = Duration::ZERO;
    for round in 0..=ROUNDS {
        let (unrelated, limit) = (case.terms.input(0), case.terms.constant(8, (2 + round).into()));
        let other = case.terms.input(500 + round);
        let sum = case.terms.binary(BinaryOp::Mul, unrelated, other);
        let differing = case.terms.binary(BinaryOp::Ult, sum, limit);
        let mut prefix = case.prefix.clone();
        prefix.push(differing);
        let query = Query {
            prefix: &prefix,
            flipped: case.flipped,
            domain: &|_, _| None,
            current: &|_| 0,
            time_limit: Duration::from_secs(10),
            doubles_loop: false,
        };
        let start = processor_time();
        let answer = solver.solve(&mut case.terms, &query);
        if round > 0 {
            total += processor_time() - start;
        }
        assert!(matches!(answer, Answer::Sat(_)), "{}: {answer:?}", case.name);
    }
    total / ROUNDS
}

fn byte_equals() -> Case {
    let mut terms = Terms::new();
    let (input, value) = (terms.input(0), terms.constant(8, 65));
    let flipped = terms.binary(BinaryOp::Eq, input, value);
    Case { name: "one byte", terms, prefix: vec![], flipped }
}

fn word_chain() -> Case {
    let mut terms = Terms::new();
    let words: Vec<Term> = (0..6).map(|number| terms.word(4 * number, 4)).collect();
    let mut prefix: Vec<Term> =
        words.windows(2).map(|pair| terms.binary(BinaryOp::Slt, pair[0], pair[1])).collect();
    let flipped = prefix.pop().expect("five comparisons");
    Case { name: "six ordered words", terms, prefix, flipped }
}

fn product() -> Case {
    let mut terms = Terms::new();
    let (a, b) = (terms.word(0, 4), terms.word(4, 4));
    let product = terms.binary(BinaryOp::Mul, a, b);
    let value = terms.constant(32, 1_000_003);
    let flipped = terms.binary(BinaryOp::Eq, product, value);
    Case { name: "32-bit product", terms, prefix: vec![], flipped }
}

/// `(setpoint - measured) * (double)gain >= 100.0` with `measured` in its range.
fn controller() -> Case {
    let mut terms = Terms::new();
    let (setpoint, measured, gain) = (terms.word(0, 8), terms.word(8, 8), terms.word(16, 4));
    let [least, most, half, limit] =
        [-40.0f64, 125.0, 0.5, 100.0].map(|value| terms.constant(64, value.to_bits().into()));
    let error = terms.binary(BinaryOp::FSub, setpoint, measured);
    let prefix = vec![
        terms.fcmp(predicate::GREATER | predicate::EQUAL, measured, least),
        terms.fcmp(predicate::LESS | predicate::EQUAL, measured, most),
        terms.fcmp(predicate::GREATER, error, half),
    ];
    let wide_gain = terms.convert(ConvertOp::FToF, gain, 64);
    let product = terms.binary(BinaryOp::FMul, error, wide_gain);
    let flipped = terms.fcmp(predicate::GREATER | predicate::EQUAL, product, limit);
    Case { name: "controller in doubles", terms, prefix, flipped }
}

fn table() -> Case {
    let mut terms = Terms::new();
    let entries = (0..256u128).map(|value| terms.constant(8, (value * 167 + 13) ^ (value >> 3))).collect();
    let table = terms.table(entries);
    let (a, b) = (terms.input(0), terms.input(1));
    let first = terms.read(table, a);
    let mixed = terms.binary(BinaryOp::Xor, first, b);
    let second = terms.read(table, mixed);
    let (sum, value) = (terms.binary(BinaryOp::Add, second, a), terms.constant(8, 77));
    let flipped = terms.binary(BinaryOp::Eq, sum, value);
    Case { name: "256-entry table, twice", terms, prefix: vec![], flipped }
}

fn crc() -> Case {
    let mut terms = Terms::new();
    let mut crc = terms.constant(16, 0xffff);
    let (one, zero, polynomial) = (terms.constant(16, 1), terms.constant(16, 0), terms.constant(16, 0xa001));
    for byte in 0..4 {
        let input = terms.input(byte);
        let wide = terms.zext(input, 16);
        crc = terms.binary(BinaryOp::Xor, crc, wide);
        for _ in 0..8 {
            let low = terms.extract(crc, 0, 1);
            let (shifted, mixed) = (terms.binary(BinaryOp::LShr, crc, one), terms.ite(low, polynomial, zero));
            crc = terms.binary(BinaryOp::Xor, shifted, mixed);
        }
    }
    let value = terms.constant(16, 0x1d0f);
    let flipped = terms.binary(BinaryOp::Eq, crc, value);
    Case { name: "CRC-16 of four bytes", terms, prefix: vec![], flipped }
}

/// Clauses of a loop over bytes that all share one of them.
fn path(length: u32) -> Case {
    let mut terms = Terms::new();
    let first = terms.input(0);
    let mut prefix: Vec<Term> = (1..=length)
        .map(|number| {
            let other = terms.input(number % 60 + 1);
            let offset = terms.constant(8, (number / 60).into());
            let sum = terms.binary(BinaryOp::Add, other, offset);
            let not = terms.unary(UnaryOp::Not, first);
            terms.binary(BinaryOp::Ult, sum, not)
        })
        .collect();
    let last = prefix.pop().expect("a clause");
    let flipped = terms.not(last);
    let name = if length == 100 { "path of 100 clauses" } else { "path of 1000 clauses" };
    Case { name, terms, prefix, flipped }
}
