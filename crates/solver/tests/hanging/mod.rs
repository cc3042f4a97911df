//! Questions that no solver here answers: the limits are what ends them.

use tarka_terms::{BinaryOp::*, Term, Terms, UnaryOp, predicate};

/// Two factors of 64 bits of a product of two primes.
fn factors(t: &mut Terms) -> Vec<Term> {
    let (a, b) = (t.word(0, 8), t.word(8, 8));
    let (a, b) = (t.zext(a, 128), t.zext(b, 128));
    let (product, value) =
        (t.binary(Mul, a, b), t.constant(128, 0xffff_ffff_ffff_ffc5 * 0xffff_ffff_ffff_ffad));
    vec![t.binary(Eq, product, value)]
}

/// Quotients and remainders of 128 bits, one inside the other.
fn quotients(t: &mut Terms) -> Vec<Term> {
    let (a, b) = (t.word(0, 16), t.word(16, 16));
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
    let (a, b) = (t.word(0, 8), t.word(8, 8));
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
    let (i, j) = (t.word(0, 2), t.word(2, 2));
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
pub fn clauses(t: &mut Terms) -> Vec<Term> {
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

/// A name, and what makes the clauses.
pub type Hanging = (&'static str, fn(&mut Terms) -> Vec<Term>);

/// All of them.
pub const HANGING: [Hanging; 6] = [
    ("factors", factors),
    ("quotients", quotients),
    ("doubles", doubles),
    ("tables", tables),
    ("clauses", clauses),
    ("hash", hash),
];

/// The most memory this process ever had.
pub fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|size| size.parse::<u64>().ok()).expect("a number") << 10
}
