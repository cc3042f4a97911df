//! Questions made to hang end within their limit, and the next one is answered.
//!
//! Limits are the subject here, so these tests look at the clock: at the processor's, because a busy machine makes
//! everything late, and loosely at the wall's.

#![allow(clippy::disallowed_macros)] // figures are printed for whoever looks

use std::time::{Duration, Instant};
use tarka_solver::smt::{Backend, Limits, Verdict};
use tarka_solver::z3::Z3;
use tarka_solver::{Answer, Query, Reason, plain, standard};
use tarka_terms::{BinaryOp::*, Term, Terms, UnaryOp, predicate};

/// Time this thread spent on a processor.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A word of input bytes.
fn word(t: &mut Terms, first: u32, bytes: u32) -> Term {
    let low = t.input(first);
    (first + 1..first + bytes).fold(low, |low, byte| {
        let high = t.input(byte);
        t.concat(high, low)
    })
}

/// Two factors of 64 bits of a product of two primes.
fn factors(t: &mut Terms) -> Vec<Term> {
    let (a, b) = (word(t, 0, 8), word(t, 8, 8));
    let (a, b) = (t.zext(a, 128), t.zext(b, 128));
    let (product, value) =
        (t.binary(Mul, a, b), t.constant(128, 0xffff_ffff_ffff_ffc5 * 0xffff_ffff_ffff_ffad));
    vec![t.binary(Eq, product, value)]
}

/// Quotients and remainders of 128 bits, one inside the other.
fn quotients(t: &mut Terms) -> Vec<Term> {
    let (a, b) = (word(t, 0, 16), word(t, 16, 16));
    let mut x = a;
    for step in 0..60 {
        let (sum, product, more) = (t.binary(Add, x, b), t.binary(Mul, b, x), t.constant(128, step + 3));
        x = t.binary(UDiv, sum, product);
        let divisor = t.binary(Add, x, more);
        x = t.binary(URem, a, divisor);
    }
    let value = t.constant(128, 12_345);
    vec![t.binary(Eq, x, value)]
}

/// Products, roots and quotients of doubles that end at a value.
fn doubles(t: &mut Terms) -> Vec<Term> {
    let (a, b) = (word(t, 0, 8), word(t, 8, 8));
    let mut x = a;
    for _ in 0..30 {
        let product = t.binary(FMul, x, b);
        let root = t.unary(UnaryOp::FSqrt, product);
        x = t.binary(FDiv, root, a);
    }
    let value = t.constant(64, 3.25f64.to_bits().into());
    vec![t.fcmp(predicate::EQUAL, x, value)]
}

/// Products of what is looked up in tables of 65,536 entries.
fn tables(t: &mut Terms) -> Vec<Term> {
    let (i, j) = (word(t, 0, 2), word(t, 2, 2));
    let mut state = 1u64;
    let mut table = || {
        let entries = (0..1 << 16).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            t.constant(8, (state >> 33).into())
        });
        let entries = entries.collect();
        t.table(entries)
    };
    let (one, two) = (table(), table());
    let (a, b) = (t.read(one, i), t.read(two, j));
    let (c, d) = (t.read(two, i), t.read(one, j));
    let (left, right) = (t.concat(a, b), t.concat(c, d));
    let (product, value) = (t.binary(Mul, left, right), t.constant(16, 12_347));
    let (equal, less) = (t.binary(Eq, product, value), t.binary(Ult, i, j));
    vec![equal, less]
}

/// Three thousand clauses with a product and a remainder each.
fn clauses(t: &mut Terms) -> Vec<Term> {
    let word = |t: &mut Terms, at: u32| {
        let bytes = [at, at + 7, at + 14, at + 21].map(|byte| t.input(byte % 64));
        bytes.into_iter().reduce(|low, high| t.concat(high, low)).unwrap()
    };
    (0..3_000)
        .map(|at| {
            let [a, b, c, d] = [at, at * 5 + 3, at * 3 + 1, at + 2].map(|at| word(t, at));
            let (product, rest) = (t.binary(Mul, a, b), t.binary(URem, c, d));
            t.binary(Ult, product, rest)
        })
        .collect()
}

/// The FNV hash of 16 bytes, which must be a value.
fn hash(t: &mut Terms) -> Vec<Term> {
    let mut hash = t.constant(64, 0xcbf2_9ce4_8422_2325);
    let prime = t.constant(64, 0x0100_0000_01b3);
    for byte in 0..16 {
        let input = t.input(byte);
        let wide = t.zext(input, 64);
        hash = t.binary(Xor, hash, wide);
        hash = t.binary(Mul, hash, prime);
    }
    let value = t.constant(64, 0x1234_5678_9abc_def0);
    vec![t.binary(Eq, hash, value)]
}

type Hanging = (&'static str, fn(&mut Terms) -> Vec<Term>);

const HANGING: [Hanging; 6] = [
    ("factors", factors),
    ("quotients", quotients),
    ("doubles", doubles),
    ("tables", tables),
    ("clauses", clauses),
    ("hash", hash),
];

/// What is left for the smallest steps that Z3 does not interrupt, whatever the limit.
const GRANULE: Duration = Duration::from_millis(150);

fn holds_its_limit(name: &str, limit: Duration, ask: impl FnOnce()) {
    let (wall, processor) = (Instant::now(), processor_time());
    ask();
    let (wall, processor) = (wall.elapsed(), processor_time() - processor);
    println!("{name}: limit {limit:?}, processor {processor:?}, wall {wall:?}");
    assert!(processor <= limit * 6 / 5 + GRANULE, "{name}: {processor:?} of processor time for {limit:?}");
    assert!(wall <= limit * 6 / 5 + Duration::from_secs(4), "{name}: {wall:?} for {limit:?}");
}

#[test]
fn z3_keeps_to_the_clock_whatever_it_is_asked() {
    for (name, make) in HANGING {
        let mut t = Terms::new();
        let clauses = make(&mut t);
        let mut z3 = Z3::new();
        for time in [100, 700].map(Duration::from_millis) {
            holds_its_limit(name, time, || {
                let limits = Limits { time, deadline: Instant::now() + time, memory: u64::MAX };
                let verdict = z3.decide(&t, &clauses, &limits);
                assert!(!matches!(verdict, Verdict::Unsat), "{name} has no proof: {verdict:?}");
            });
        }
        let (input, five) = (t.input(0), t.constant(8, 5));
        let easy = t.binary(Eq, input, five);
        let time = Duration::from_secs(5);
        let limits = Limits { time, deadline: Instant::now() + time, memory: u64::MAX };
        assert_eq!(
            z3.decide(&t, &[easy], &limits),
            Verdict::Sat { bytes: vec![(0, 5)], approximated: None },
            "after {name}"
        );
    }
}

#[test]
fn the_whole_chain_keeps_to_the_clock() {
    let limit = Duration::from_millis(500);
    for (name, make) in HANGING {
        for (mut solver, kind) in [(standard(), "chain"), (plain(), "plain")] {
            let mut t = Terms::new();
            let mut prefix = make(&mut t);
            let flipped = prefix.pop().expect("a clause");
            let query = Query {
                prefix: &prefix,
                flipped,
                domain: &|_, _| None,
                current: &|_| 1,
                time_limit: limit,
                leap: false,
            };
            holds_its_limit(&format!("{name}, {kind}"), limit, || {
                let answer = solver.solve(&mut t, &query);
                assert_ne!(answer, Answer::Unsat, "{name} has no proof");
            });
        }
    }
}

/// The most memory this process ever had.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|size| size.parse::<u64>().ok()).expect("a number") << 10
}

#[test]
fn memory_stays_under_its_cap_and_the_next_question_is_answered() {
    // In a process of its own, because tests that run beside it have memory too.
    const ALONE: &str = "TARKA_LIMITS_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let status = std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "memory_stays_under_its_cap_and_the_next_question_is_answered", "--nocapture"])
            .env(ALONE, "1")
            .status();
        assert!(status.expect("it starts").success());
        return;
    }
    let mut t = Terms::new();
    let clauses = clauses(&mut t);
    let mut z3 = Z3::new();
    let before = peak();
    let (time, cap) = (Duration::from_secs(60), 256 << 20);
    let limits = Limits { time, deadline: Instant::now() + time, memory: cap };
    assert_eq!(z3.decide(&t, &clauses, &limits), Verdict::Unknown(Reason::MemoryLimit));
    let grown = peak() - before;
    println!("cap {} MB, grown by {} MB", cap >> 20, grown >> 20);
    assert!(grown <= cap, "{} MB", grown >> 20);
    let (input, five) = (t.input(0), t.constant(8, 5));
    let easy = t.binary(Eq, input, five);
    assert_eq!(z3.decide(&t, &[easy], &limits), Verdict::Sat { bytes: vec![(0, 5)], approximated: None });
}
