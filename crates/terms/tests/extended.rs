//! 80-bit floats against the x87 unit of this machine: `extended.c` is compiled and computes every operation on the same
//! operands.
#![cfg(target_arch = "x86_64")]
#![allow(
    clippy::disallowed_methods,
    reason = "the crate runs nothing, but what it computes is compared with a program"
)]

use std::io::Write;
use std::process::{Command, Stdio};
use tarka_terms::{BinaryOp, ConvertOp, UnaryOp, predicate, semantics};

const SIGN: u128 = 1 << 79;
const INFINITY: u128 = 0x7fff << 64 | 1 << 63;

/// Patterns at which operations change their mind: zeros, subnormals, ones, halves, limits of integers and of the narrower
/// floats, the largest, infinities, quiet and signalling patterns that are no number, and patterns that the hardware refuses
/// or reads as the number of another pattern.
fn edges() -> Vec<u128> {
    let power = |exponent: i32| ((exponent + 16_383) as u128) << 64 | 1 << 63;
    let mut edges = vec![
        0,
        1,
        3,
        (1 << 63) - 1,
        power(-16_382),
        power(-16_382) + 1,
        0x7ffe << 64 | u64::MAX as u128,
        INFINITY,
        INFINITY | 1 << 62,
        INFINITY | 1 << 62 | 5 << 40,
        INFINITY | 7 << 41,
        // Refused: the integer bit is missing.
        0x7fff << 64,
        0x7fff << 64 | 1 << 62,
        0x3fff << 64 | 0x1234_5678_9abc_def0,
        // Exponent 0 with the integer bit.
        1 << 63,
        1 << 63 | 0x0f0f_0f0f_0f0f_0f0f,
    ];
    for exponent in [-16_445 + 64, -1075, -1074, -1023, -150, -149, -126, -64, -1, 0, 1, 7, 8, 15, 16, 23, 24]
    {
        edges.extend([
            power(exponent),
            power(exponent) | 1,
            power(exponent) | 3 << 61,
            power(exponent - 1) | u128::from(u64::MAX),
        ]);
    }
    for exponent in [31, 32, 52, 53, 62, 63, 64, 65, 126, 127, 128, 1023, 1024, 16_383] {
        edges.extend([
            power(exponent),
            power(exponent) | 1,
            power(exponent) | 3 << 61,
            power(exponent - 1) | u128::from(u64::MAX),
        ]);
    }
    edges.iter().flat_map(|bits| [*bits, bits | SIGN]).filter(|bits| *bits != u128::MAX).collect()
}

/// Numbers of a fixed sequence.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) ^ mixed >> 31
    }

    /// A pattern the hardware makes, mostly of moderate size so that operands meet.
    fn float(&mut self) -> u128 {
        let exponent = match self.next() % 8 {
            0 => self.next() % 0x8000,
            1 => self.next() % 3,
            _ => 16_383 - 70 + self.next() % 140,
        };
        let fraction = match self.next() % 4 {
            0 => self.next() & 0xffff_0000_0000_0000,
            _ => self.next(),
        };
        let integer_bit = u64::from(exponent != 0) << 63;
        let sign = self.next() % 2;
        u128::from(sign << 15 | exponent) << 64 | u128::from(fraction >> 1 | integer_bit)
    }
}

/// One operation: its name, its result here, and whether it is the hardware's own. The library computes the others, and
/// neither the bits of what is no number nor patterns that the hardware refuses are specified for it.
fn results(a: u128, b: u128, c: u128) -> Vec<(&'static str, u128, bool)> {
    use ConvertOp::*;
    let binary = |op| semantics::binary(op, 80, a, b);
    let unary = |op| semantics::unary(op, 80, a);
    let compare = |relation| u128::from(semantics::fcmp(relation, 80, a, b));
    let to = |op, width| semantics::convert(op, 80, width, a);
    let integer = a | a << 80;
    let from = |op, width| semantics::convert(op, width, 80, integer & semantics::mask(width));
    vec![
        ("a + b", binary(BinaryOp::FAdd), true),
        ("a - b", binary(BinaryOp::FSub), true),
        ("a * b", binary(BinaryOp::FMul), true),
        ("a / b", binary(BinaryOp::FDiv), true),
        ("fmod", binary(BinaryOp::FRem), false),
        ("fma", semantics::fma(80, a, b, c), false),
        ("sqrt", unary(UnaryOp::FSqrt), true),
        ("floor", unary(UnaryOp::FFloor), false),
        ("ceil", unary(UnaryOp::FCeil), false),
        ("trunc", unary(UnaryOp::FTrunc), false),
        ("rint", unary(UnaryOp::FRint), false),
        ("round", unary(UnaryOp::FRound), false),
        ("a < b", compare(predicate::LESS), true),
        ("a == b", compare(predicate::EQUAL), true),
        ("a > b", compare(predicate::GREATER), true),
        ("to float", to(FToF, 32), true),
        ("to double", to(FToF, 64), true),
        ("from float", semantics::convert(FToF, 32, 80, a & semantics::mask(32)), true),
        ("from double", semantics::convert(FToF, 64, 80, a & semantics::mask(64)), true),
        ("to int8", to(FToSi, 8), true),
        ("to int16", to(FToSi, 16), true),
        ("to int32", to(FToSi, 32), true),
        ("to int64", to(FToSi, 64), true),
        ("to uint8", to(FToUi, 8), true),
        ("to uint16", to(FToUi, 16), true),
        ("to uint32", to(FToUi, 32), true),
        ("to uint64", to(FToUi, 64), true),
        ("from int32", from(SiToF, 32), true),
        ("from int64", from(SiToF, 64), true),
        ("from uint64", from(UiToF, 64), true),
        ("from int128", from(SiToF, 128), true),
        ("from uint128", from(UiToF, 128), true),
    ]
}

fn hardware(operands: &[[u128; 3]]) -> Vec<Vec<u128>> {
    let directory = std::env::temp_dir().join(format!("tarka-extended-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let program = directory.join("extended");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/extended.c");
    let compiled = Command::new("clang-19").args(["-O1", source, "-lm", "-o"]).arg(&program).status();
    assert!(compiled.expect("clang-19 compiles the test's helper").success());
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the helper starts");
    let mut input = child.stdin.take().unwrap();
    let text: String = operands.iter().map(|[a, b, c]| format!("{a:032x} {b:032x} {c:032x}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| line.split_whitespace().map(|number| u128::from_str_radix(number, 16).unwrap()).collect())
        .collect()
}

fn is_no_number(bits: u128) -> bool {
    semantics::fcmp(predicate::UNORDERED, 80, bits, bits)
}

fn is_refused(bits: u128) -> bool {
    bits >> 63 & 1 == 0 && bits >> 64 & 0x7fff != 0
}

#[test]
fn every_operation_gives_the_bits_the_hardware_gives() {
    let edges = edges();
    let mut operands: Vec<[u128; 3]> = edges
        .iter()
        .flat_map(|a| edges.iter().map(|b| [*a, *b, edges[(*a ^ *b) as usize % edges.len()]]))
        .collect();
    let mut sequence = Sequence(1);
    operands.extend((0..100_000).map(|_| std::array::from_fn(|_| sequence.float())));
    let expected = hardware(&operands);
    assert_eq!(expected.len(), operands.len());
    let mut wrong = Vec::new();
    for ([a, b, c], expected) in operands.iter().zip(&expected) {
        let actual = results(*a, *b, *c);
        assert_eq!(actual.len(), expected.len());
        let refused = [a, b, c].iter().any(|bits| is_refused(**bits));
        for ((what, value, by_hardware), expected) in actual.into_iter().zip(expected) {
            let unspecified = || refused || (is_no_number(value) && is_no_number(*expected));
            let same = value == *expected || (!by_hardware && unspecified());
            if !same {
                wrong.push(format!(
                    "{what} of {a:#x}, {b:#x}, {c:#x}: {value:#x}, but the hardware says {expected:#x}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them, as\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}
