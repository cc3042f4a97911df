//! How many inputs a second the cheap search evaluates: slices like those of real units, each compiled and run.
//!
//! `cargo run --release -p tarka-solver --example evaluations`. Every evaluation computes the whole slice anew after one
//! byte changed; beside it stands what the search really pays, which is only what depends on that byte. Fails below 200,000
//! evaluations a second of the median slice, compiling included.

#![allow(clippy::disallowed_macros)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tarka_solver::Programs;
use tarka_terms::{BinaryOp, ConvertOp, Term, Terms, UnaryOp, predicate};

/// What is asked for.
const REQUIRED: f64 = 200_000.0;
/// Evaluations of a search that is not lucky at once: what the time to compile is spread over.
const EVALUATIONS: u32 = 5_000;
const REPETITIONS: u32 = 5;

fn main() -> ExitCode {
    println!(
        "{:32} {:>8} {:>8} {:>11} {:>14} {:>14}",
        "slice", "clauses", "instr.", "compile us", "whole/s", "one byte/s"
    );
    let mut speeds = Vec::new();
    for (name, build) in SLICES {
        let mut slice = Slice { terms: Terms::new(), clauses: Vec::new() };
        build(&mut slice);
        let Some(figures) = measure(&slice) else {
            println!("{name}: not compiled");
            return ExitCode::FAILURE;
        };
        println!(
            "{name:32} {:8} {:8} {:11.1} {:14.0} {:14.0}",
            slice.clauses.len(),
            figures.instructions,
            figures.compile.as_secs_f64() * 1e6,
            figures.whole,
            figures.one_byte,
        );
        speeds.push(figures.whole);
    }
    speeds.sort_by(f64::total_cmp);
    let median = speeds[speeds.len() / 2];
    let passed = median >= REQUIRED;
    println!(
        "{}: {median:.0} evaluations a second of the median slice, compiling included; {REQUIRED:.0} asked for",
        if passed { "PASS" } else { "fail" }
    );
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Figures {
    instructions: usize,
    compile: Duration,
    whole: f64,
    one_byte: f64,
}

/// The best of some repetitions: others use the machine too.
fn measure(slice: &Slice) -> Option<Figures> {
    let mut best: Option<Figures> = None;
    for _ in 0..REPETITIONS {
        // A program of a shape that was never seen.
        let mut programs = Programs::default();
        let start = Instant::now();
        let compiled = programs.compile(&slice.terms, slice.clauses.iter().copied(), 100_000)?;
        let mut running = compiled.start(&|_| 1);
        let compile = start.elapsed();
        let bytes = compiled.inputs().len();
        let change = |number: u32| [(number as usize % bytes, (number / 3) as u8)];
        for number in 0..EVALUATIONS {
            running.change(&change(number));
            black_box(running.holds_from_scratch());
        }
        let whole = start.elapsed();
        let start = Instant::now();
        for number in 0..EVALUATIONS {
            running.change(&change(number));
            black_box(running.holds());
        }
        let speed = |time: Duration| f64::from(EVALUATIONS) / time.as_secs_f64();
        let found = Figures {
            instructions: compiled.instructions(),
            compile,
            whole: speed(whole),
            one_byte: speed(start.elapsed()),
        };
        best = Some(match best {
            None => found,
            Some(best) => Figures {
                instructions: found.instructions,
                compile: best.compile.min(found.compile),
                whole: best.whole.max(found.whole),
                one_byte: best.one_byte.max(found.one_byte),
            },
        });
    }
    best
}

/// The clauses of one question.
struct Slice {
    terms: Terms,
    clauses: Vec<Term>,
}

type Build = fn(&mut Slice);

/// Conditions of functions that parse, compute and look up.
const SLICES: [(&str, Build); 21] = [
    ("a word and a constant", |s| {
        let x = s.word(0, 4);
        s.compare(BinaryOp::Eq, x, 0x1234);
    }),
    ("three sides of a triangle", |s| {
        let sides = [0, 4, 8].map(|first| s.word(first, 4)).map(|side| s.terms.sext(side, 64));
        for turn in 0..3 {
            let sum = s.terms.binary(BinaryOp::Add, sides[turn], sides[(turn + 1) % 3]);
            s.clause(BinaryOp::Slt, sides[(turn + 2) % 3], sum);
        }
        s.clause(BinaryOp::Eq, sides[0], sides[1]);
    }),
    ("the class of a character", |s| {
        let class = s.classes(0);
        s.compare(BinaryOp::Eq, class, 1);
        for seen in 0..6 {
            let byte = s.terms.input(0);
            s.compare(BinaryOp::Ne, byte, 0x30 + seen);
        }
    }),
    ("a token of sixteen letters", |s| {
        for byte in 0..16 {
            let class = s.classes(byte);
            s.compare(BinaryOp::Ne, class, 0);
            let byte = s.terms.input(byte);
            s.compare(BinaryOp::Ult, byte, 0x7f);
        }
    }),
    ("a number in a buffer", |s| {
        // As in JSON: a pointer, an offset and a length, and the characters read so far.
        let (base, length, offset) = (s.word(0, 8), s.word(8, 8), s.word(16, 8));
        s.compare(BinaryOp::Ne, base, 0);
        s.clause(BinaryOp::Ult, offset, length);
        for read in 0..6 {
            let at = s.terms.binary(BinaryOp::Add, base, offset);
            let at = s.plus(at, (read as u128).wrapping_sub(0x10_0000_1400));
            s.compare(BinaryOp::Ult, at, 16);
            s.clause(BinaryOp::Ule, at, length);
            let entries = (0..16).map(|entry| s.terms.input(100 + entry)).collect();
            let table = s.terms.table(entries);
            let character = s.terms.read(table, at);
            s.compare(BinaryOp::Ne, character, 0x2e);
        }
    }),
    ("memcmp of sixteen bytes", |s| {
        for byte in 0..16 {
            let (a, b) = (s.terms.input(byte), s.terms.input(64 + byte));
            s.clause(BinaryOp::Eq, a, b);
        }
    }),
    ("a sorted array", |s| {
        let numbers: Vec<Term> = (0..12).map(|number| s.word(4 * number, 4)).collect();
        for pair in numbers.windows(2) {
            s.clause(BinaryOp::Sle, pair[0], pair[1]);
        }
    }),
    ("a hash of eight bytes", |s| {
        let mut hash = s.terms.constant(32, 5381);
        for byte in 0..8 {
            let (factor, byte) = (s.terms.constant(32, 33), s.terms.input(byte));
            let (product, byte) = (s.terms.binary(BinaryOp::Mul, hash, factor), s.terms.zext(byte, 32));
            hash = s.terms.binary(BinaryOp::Xor, product, byte);
        }
        s.compare(BinaryOp::Eq, hash, 0x1a2b_3c4d);
    }),
    ("a checksum with remainders", |s| {
        let (mut low, mut high) = (s.terms.constant(32, 1), s.terms.constant(32, 0));
        for byte in 0..8 {
            let byte = s.terms.input(byte);
            let byte = s.terms.zext(byte, 32);
            low = s.terms.binary(BinaryOp::Add, low, byte);
            let prime = s.terms.constant(32, 65_521);
            low = s.terms.binary(BinaryOp::URem, low, prime);
            high = s.terms.binary(BinaryOp::Add, high, low);
            high = s.terms.binary(BinaryOp::URem, high, prime);
        }
        s.compare(BinaryOp::Eq, high, 4_711);
    }),
    ("a cyclic redundancy check", |s| {
        let mut sum = s.word(0, 4);
        for _ in 0..32 {
            let (bit, one, poly) =
                (s.terms.extract(sum, 0, 1), s.terms.constant(32, 1), s.terms.constant(32, 0xedb8_8320));
            let shifted = s.terms.binary(BinaryOp::LShr, sum, one);
            let changed = s.terms.binary(BinaryOp::Xor, shifted, poly);
            sum = s.terms.ite(bit, changed, shifted);
        }
        s.compare(BinaryOp::Eq, sum, 0xcafe_babe);
    }),
    ("a date", |s| {
        let (year, month, day) = (s.word(0, 4), s.word(4, 4), s.word(8, 4));
        for divisor in [4, 100, 400] {
            let divisor = s.terms.constant(32, divisor);
            let rest = s.terms.binary(BinaryOp::SRem, year, divisor);
            s.compare(BinaryOp::Ne, rest, 0);
        }
        s.compare(BinaryOp::Sle, month, 12);
        s.compare(BinaryOp::Ne, month, 2);
        s.compare(BinaryOp::Slt, day, 31);
    }),
    ("a character of four bytes", |s| {
        let mut code = s.terms.constant(32, 0);
        for byte in 0..4 {
            let byte = s.terms.input(byte);
            let top = s.terms.extract(byte, 6, 2);
            s.compare(BinaryOp::Eq, top, 2);
            let low = s.terms.extract(byte, 0, 6);
            let (low, six) = (s.terms.zext(low, 32), s.terms.constant(32, 6));
            let shifted = s.terms.binary(BinaryOp::Shl, code, six);
            code = s.terms.binary(BinaryOp::Or, shifted, low);
        }
        s.compare(BinaryOp::Ult, code, 0x11_0000);
        s.compare(BinaryOp::Ne, code, 0xfffe);
    }),
    ("lengths in network order", |s| {
        let mut total = s.terms.constant(32, 0);
        for field in 0..6 {
            let (high, low) = (s.terms.input(2 * field), s.terms.input(2 * field + 1));
            let length = s.terms.concat(high, low);
            let length = s.terms.zext(length, 32);
            total = s.terms.binary(BinaryOp::Add, total, length);
            s.compare(BinaryOp::Ule, total, 1_500);
        }
    }),
    ("a state machine", |s| {
        let mut state = s.terms.constant(8, 0);
        for byte in 0..10 {
            let byte = s.terms.input(byte);
            for (from, character, to) in [(0, 0x22, 1), (1, 0x5c, 2), (1, 0x22, 0), (2, 0x75, 1)] {
                let (from, character) = (s.terms.constant(8, from), s.terms.constant(8, character));
                let to = s.terms.constant(8, to);
                let (here, this) = (
                    s.terms.binary(BinaryOp::Eq, state, from),
                    s.terms.binary(BinaryOp::Eq, byte, character),
                );
                let both = s.terms.binary(BinaryOp::And, here, this);
                state = s.terms.ite(both, to, state);
            }
        }
        s.compare(BinaryOp::Eq, state, 2);
    }),
    ("counted bits", |s| {
        let x = s.word(0, 8);
        let count = s.terms.unary(UnaryOp::CtPop, x);
        s.compare(BinaryOp::Eq, count, 17);
    }),
    ("a copy within bounds", |s| {
        // As in LZ77: lengths and distances from the bytes read.
        let (out, room) = (s.word(0, 8), s.word(8, 4));
        let mut at = out;
        for token in 0..5 {
            let (first, second) = (s.terms.input(16 + 2 * token), s.terms.input(17 + 2 * token));
            let (length, high) = (s.terms.extract(first, 5, 3), s.terms.extract(first, 0, 5));
            let distance = s.terms.concat(high, second);
            let (length, distance) = (s.terms.zext(length, 64), s.terms.zext(distance, 64));
            let from = s.terms.binary(BinaryOp::Sub, at, distance);
            s.clause(BinaryOp::Ule, out, from);
            at = s.terms.binary(BinaryOp::Add, at, length);
            let room = s.terms.zext(room, 64);
            let end = s.terms.binary(BinaryOp::Add, out, room);
            s.clause(BinaryOp::Ule, at, end);
        }
    }),
    ("a controller", |s| {
        let (setpoint, measured, gain) = (s.word(0, 8), s.word(8, 8), s.word(16, 4));
        let error = s.terms.binary(BinaryOp::FSub, setpoint, measured);
        let gain = s.terms.convert(ConvertOp::FToF, gain, 64);
        let product = s.terms.binary(BinaryOp::FMul, error, gain);
        s.compare_double(predicate::GREATER, product, 100.0);
        s.compare_double(predicate::LESS, measured, 125.0);
        s.compare_double(predicate::GREATER, error, 0.5);
    }),
    ("the roots of a polynomial", |s| {
        let [a, b, c] = [0, 8, 16].map(|first| s.word(first, 8));
        let (square, four) = (s.terms.binary(BinaryOp::FMul, b, b), s.double(4.0));
        let product = s.terms.binary(BinaryOp::FMul, a, c);
        let product = s.terms.binary(BinaryOp::FMul, four, product);
        let inner = s.terms.binary(BinaryOp::FSub, square, product);
        let root = s.terms.unary(UnaryOp::FSqrt, inner);
        let sum = s.terms.binary(BinaryOp::FAdd, root, b);
        s.compare_double(predicate::GREATER | predicate::EQUAL, inner, 0.0);
        s.compare_double(predicate::EQUAL, sum, 3.0);
    }),
    ("samples and their mean", |s| {
        let mut sum = s.double(0.0);
        for sample in 0..8 {
            let sample = s.word(4 * sample, 4);
            let sample = s.terms.convert(ConvertOp::SiToF, sample, 64);
            sum = s.terms.binary(BinaryOp::FAdd, sum, sample);
            s.compare_double(predicate::LESS, sum, 1e6);
        }
        let eight = s.double(8.0);
        let mean = s.terms.binary(BinaryOp::FDiv, sum, eight);
        s.compare_double(predicate::GREATER, mean, 12.5);
    }),
    ("a long double", |s| {
        let (x, y) = (s.word(0, 10), s.word(16, 10));
        let product = s.terms.binary(BinaryOp::FMul, x, y);
        let clause = s.terms.fcmp(predicate::LESS, product, x);
        s.clauses.push(clause);
    }),
    ("a product of 128 bits", |s| {
        let (x, y) = (s.word(0, 8), s.word(8, 8));
        let (x, y) = (s.terms.zext(x, 128), s.terms.zext(y, 128));
        let product = s.terms.binary(BinaryOp::Mul, x, y);
        s.compare(BinaryOp::Ult, product, 1 << 90);
    }),
];

impl Slice {
    fn word(&mut self, first: u32, bytes: u32) -> Term {
        let low = self.terms.input(first);
        (1..bytes).fold(low, |low, byte| {
            let high = self.terms.input(first + byte);
            self.terms.concat(high, low)
        })
    }

    fn clause(&mut self, op: BinaryOp, a: Term, b: Term) {
        let clause = self.terms.binary(op, a, b);
        self.clauses.push(clause);
    }

    fn compare(&mut self, op: BinaryOp, a: Term, constant: u128) {
        let constant = self.terms.constant(self.terms.width(a), constant);
        self.clause(op, a, constant);
    }

    fn plus(&mut self, a: Term, constant: u128) -> Term {
        let constant = self.terms.constant(self.terms.width(a), constant);
        self.terms.binary(BinaryOp::Add, a, constant)
    }

    fn double(&mut self, value: f64) -> Term {
        self.terms.constant(64, value.to_bits().into())
    }

    fn compare_double(&mut self, relations: u8, a: Term, value: f64) {
        let value = self.double(value);
        let clause = self.terms.fcmp(relations, a, value);
        self.clauses.push(clause);
    }

    /// What a table of 256 classes says of an input byte.
    fn classes(&mut self, byte: u32) -> Term {
        let class = |byte: u8| u8::from(byte.is_ascii_digit()) + 2 * u8::from(byte.is_ascii_alphabetic());
        let entries = (0..=255).map(|byte| self.terms.constant(8, class(byte).into())).collect();
        let (table, index) = (self.terms.table(entries), self.terms.input(byte));
        self.terms.read(table, index)
    }
}
