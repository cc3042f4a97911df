//! `long double`: 80-bit labels through arithmetic, memory, calls and the functions of `math.h`.

use crate::support::{self, Input, Options, Outcome, int, program};
use tarka_runner::End;

const CHECKED: Options<'static> = Options { self_check: true, globals_as_inputs: false, flags: &[] };

/// The bytes of a `long double`: sign and exponent, mantissa with its first bit.
fn extended(head: u16, mantissa: u64) -> Vec<u8> {
    let mut bytes = mantissa.to_le_bytes().to_vec();
    bytes.extend(head.to_le_bytes());
    bytes.resize(16, 0);
    bytes
}

/// A power of two times a small odd number, exactly.
fn number(value: f64) -> Vec<u8> {
    if value == 0.0 {
        return extended(if value.is_sign_negative() { 0x8000 } else { 0 }, 0);
    }
    let bits = value.to_bits();
    let head = ((bits >> 48) & 0x8000) as u16 | (((bits >> 52) & 0x7ff) as u16 + 16383 - 1023);
    extended(head, 1 << 63 | bits << 11)
}

fn interesting() -> Vec<Vec<u8>> {
    vec![
        number(2.625),
        number(-0.1),
        number(0.0),
        number(-0.0),
        number(1e300),
        extended(0x7fff, 1 << 63),               // infinity
        extended(0xffff, 1 << 63),               // minus infinity
        extended(0x7fff, 3 << 62),               // quiet NaN
        extended(0, 12345),                      // subnormal
        extended(0x3fff, 0x8000_0000_0000_0001), // next after 1
        extended(0x403e, u64::MAX),              // largest below 2^64
    ]
}

/// Runs with self-check and demands that no label was lost or wrong.
fn exact(program: &support::Program, input: &Input) -> Outcome {
    let outcome = program.run(input);
    assert_eq!(outcome.end, End::Returned);
    assert_eq!(outcome.mismatches(), Vec::<String>::new(), "{:x?}", input.roots);
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
    outcome
}

#[test]
fn arithmetic_comparisons_and_conversions_agree_with_their_labels() {
    let text = "
        int f(long double x, long double y, double d, float g, long n, unsigned char u) {
          long double r = x * 3.5L + y - n / (x + 1) + -y; r += d; r -= g; r += u; r = u > 9 ? r : x;
          long double s = x > y ? x : y;
          double back = (double)r; float small = (float)s;
          int count = (x < y) + (x <= 1) + (x == y) + (x != d) + !(x >= y) + (back > 3) + (small > g);
          if (r > s) count += 100;
          if (x > -1000 && x < 1000) count += (int)x + (unsigned char)(x * x > 200 ? 0 : x * x) + (long)(x / 3) % 7;
          return count;
        }";
    let program = program(text, "f", CHECKED);
    let others = [
        2.5_f64.to_le_bytes().to_vec(),
        0.7_f32.to_le_bytes().to_vec(),
        (-9_i64).to_le_bytes().to_vec(),
        vec![200],
    ];
    for x in interesting() {
        for y in [number(1.5), number(-7.0), extended(0x7fff, 3 << 62)] {
            let mut roots = vec![x.clone(), y];
            roots.extend(others.clone());
            let outcome = exact(&program, &Input { roots, pointees: Vec::new() });
            assert!(outcome.compared() > 40, "{} results were compared", outcome.compared());
            assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
        }
    }
}

#[test]
fn library_functions_and_classes_agree_with_their_labels() {
    let text = "
        #include <math.h>
        int f(long double x, long double y) {
          long double r = fabsl(x) + sqrtl(fabsl(y)) + floorl(x) + ceill(y) + truncl(x) + rintl(x) + roundl(y);
          r += copysignl(x, y) + fminl(x, y) + fmaxl(x, y) + fmal(x, y, 2.0L) + fmodl(x, y) + nearbyintl(y);
          return isnan(x) + 2 * (isinf(x) != 0) + 4 * (signbit(x) != 0) + 8 * fpclassify(y) + 64 * (isfinite(x) != 0)
            + 128 * (isnormal(x) != 0) + 256 * (r > 3) + 512 * (isnan(r) != 0);
        }";
    let program = program(text, "f", CHECKED);
    for x in interesting() {
        for y in [number(0.75), number(-2.5), extended(0, 3)] {
            let outcome = exact(&program, &Input { roots: vec![x.clone(), y], pointees: Vec::new() });
            assert!(outcome.compared() > 40, "{} results were compared", outcome.compared());
        }
    }
    let class = |x: Vec<u8>| {
        let input = Input { roots: vec![x, number(0.0)], pointees: Vec::new() };
        let found = exact(&program, &input).result_i32();
        (found & 1 != 0, found & 2 != 0, found & 4 != 0, found & 64 != 0, found & 128 != 0)
    };
    assert_eq!(class(number(-2.0)), (false, false, true, true, true));
    assert_eq!(class(extended(0xffff, 3 << 62)), (true, false, true, false, false));
    assert_eq!(class(extended(0x7fff, 1 << 63)), (false, true, false, false, false));
    assert_eq!(class(extended(0, 1)), (false, false, false, true, false));
}

#[test]
fn a_pattern_that_is_no_number_counts_as_nan() {
    let text =
        "#include <math.h>\nint f(long double x) { return isnan(x) + 2 * isfinite(x) + 4 * isnormal(x); }";
    let program = program(text, "f", CHECKED);
    for pattern in [extended(0x4000, 5), extended(0x7fff, 0)] {
        assert_eq!(exact(&program, &Input::of(&[&pattern])).result_i32(), 1);
    }
}

#[test]
fn labels_survive_memory_calls_and_variable_arguments() {
    let text = "
        #include <stdarg.h>
        struct pair { char tag; long double v[2]; };
        static long double half(long double x) { return x / 2; }
        static struct pair swapped(struct pair p) { struct pair q = {p.tag, {p.v[1], p.v[0]}}; return q; }
        static long double sum(int n, ...) {
          va_list list; va_start(list, n); long double total = 0;
          while (n--) total += va_arg(list, double) + va_arg(list, long double);
          va_end(list); return total;
        }
        static const long double table[3] = { 1, 2.5L, 4 };
        int f(struct pair p, unsigned i) {
          p = swapped(p);
          long double (*call)(long double) = half, local[2];
          local[0] = call(p.v[0]);
          __builtin_memcpy(&local[1], &local[0], sizeof local[1]);
          if (local[1] == 1.5L) if (p.v[1] < 0) if (sum(2, 1.5, p.v[0], 2.5, p.v[1]) == 6) if (i < 3 && table[i] == 2.5L) return 1;
          return 0;
        }";
    let program = program(text, "f", CHECKED);
    let mut pair = vec![0; 16];
    pair[0] = 1;
    pair.extend(number(-1.0));
    pair.extend(number(3.0));
    let outcome = exact(&program, &Input::of(&[&pair, &int(1)]));
    assert_eq!(outcome.result_i32(), 1);
    let symbolic = outcome.path().into_iter().filter(|(_, _, symbolic)| *symbolic).count();
    assert_eq!(symbolic, 5, "all but the loop over the arguments: {:?}", outcome.path());
}
