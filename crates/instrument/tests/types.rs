//! Types beyond int and double: every label agrees with the program and nothing is made concrete on the way.

use crate::support::{Input, Options, Outcome, Program, int, program};
use tarka_runner::End;
use tarka_trace::{ARENA_BASE, EventKind};

const CHECKED: Options<'static> = Options { self_check: true, globals_as_inputs: false, flags: &[] };

/// Runs with self-check and demands that no label was lost or wrong.
fn exact(program: &Program, input: &Input) -> Outcome {
    let outcome = program.run(input);
    assert_eq!(outcome.end, End::Returned);
    assert_eq!(outcome.mismatches(), Vec::<String>::new(), "{:x?}", input.roots);
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
    outcome
}

/// Runs a function that returns 1 on this input, through symbolic conditions only.
fn reaches(text: &str, input: &Input) {
    let outcome = exact(&program(text, "f", CHECKED), input);
    assert_eq!(outcome.result_i32(), 1, "{:?}", outcome.path());
    assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
}

#[test]
fn integers_of_128_bits() {
    let text = "
        typedef __int128 wide; typedef unsigned __int128 uwide;
        int f(wide a, wide b, uwide c, unsigned char n) {
          wide s = a + b * 3 - (a ^ b), q = a / b, r = a % b;
          uwide uq = c / (uwide)(b | 1), ur = c % 1000003, sh = c << (n & 127) | c >> (n & 127);
          wide down = a >> (n & 127); s = n > 3 ? s : -s; s += (wide)(unsigned long)a + (wide)(long)b + (int)c;
          double d = (double)a / 2; wide back = (wide)d; uwide and = c & 0xffff0000ffff0000ull | ~c;
          int count = (a < b) + (a <= q) + (c > ur) + (c >= uq) + (a == r) + (s != down) + (sh < and) + (back > 0);
          if (q * b + r == a) if (uq * (uwide)(b | 1) <= c) if (count >= 0 && count < 9) if (s != q || a == 0) return 1;
          return 0;
        }";
    let program = program(text, "f", CHECKED);
    let values = [1_i128, -1, 77, -(1 << 100) + 5, i128::MAX, (1 << 64) - 1];
    for a in values {
        for b in [3_i128, -7, 1 << 70, i128::MIN + 1] {
            for n in [0_u8, 5, 64, 127] {
                let c = (a ^ b) as u128;
                let input = Input::of(&[&a.to_le_bytes(), &b.to_le_bytes(), &c.to_le_bytes(), &[n]]);
                let outcome = exact(&program, &input);
                assert_eq!(outcome.result_i32(), 1, "a = {a}, b = {b}, n = {n}");
                assert!(outcome.compared() > 60, "{} results were compared", outcome.compared());
                assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
            }
        }
    }
}

#[test]
fn bit_fields_packed_structs_and_unions() {
    let text = "
        struct flags { unsigned a : 1; int b : 3; unsigned long c : 40; _Bool d : 1; unsigned : 0; short e : 9; };
        struct __attribute__((packed)) packed { char tag; int number; short tail; long double x; double y; };
        union view { double d; struct { unsigned low, high; } halves; unsigned char bytes[8]; long l; };
        static struct packed moved(struct packed p) { p.number++; return p; }
        int f(struct flags s, struct packed p, union view v) {
          s.b -= 1; s.c += s.e; p = moved(p); v.bytes[0] ^= 1;
          struct packed *q = &p;
          if (s.a) if (s.b == -3) if (s.c == 0x1234567890) if (s.d) if (s.e < 0)
            if (q->tag == 'k') if (q->number == 100000) if (q->tail == -2) if (q->x == 2.5L) if (q->y < 0)
              if (v.halves.high >> 20 == 0x400) if (v.halves.low == 1) if (v.l > 0) if (v.d > 2) return 1;
          return 0;
        }";
    let first: u64 = 1 | (0b110 << 1) | ((0x12_3456_7890_u64 + 16) << 4) | 1 << 44;
    let flags = [first.to_le_bytes(), u64::from(-16_i16 as u16 & 0x1ff).to_le_bytes()].concat();
    let mut packed = vec![b'k'];
    packed.extend(99_999_i32.to_le_bytes());
    packed.extend((-2_i16).to_le_bytes());
    packed.extend([0, 0, 0, 0, 0, 0, 0, 0xa0, 0, 0x40, 0, 0, 0, 0, 0, 0]);
    packed.extend((-0.5_f64).to_le_bytes());
    reaches(text, &Input::of(&[&flags, &packed, &2.5_f64.to_le_bytes()]));
}

#[test]
fn flexible_array_members_and_arrays_of_arrays() {
    let text = "
        struct packet { unsigned short count; int body[]; };
        int f(struct packet *p, int m[2][3], unsigned i, unsigned j) {
          if (!p || p->count != 2) return 0;
          if (p->body[0] + p->body[1] == 30) if (i < 2 && j < 3) if (m[i][j] == 7) if (p->body[i] == 20) return 1;
          return 0;
        }";
    let program = program(text, "f", CHECKED);
    let start = program.build.units[0].pointees_start;
    let pointer = |offset: u32| (ARENA_BASE + u64::from(offset)).to_le_bytes().to_vec();
    let packet = [&[2, 0, 0, 0][..], &int(10), &int(20)].concat();
    let matrix: Vec<u8> = [1, 2, 3, 4, 5, 7].into_iter().flat_map(int).collect();
    let outcome = exact(
        &program,
        &Input {
            roots: vec![pointer(start), pointer(start + 64), int(1), int(2)],
            pointees: vec![(start, packet), (start + 64, matrix)],
        },
    );
    assert_eq!(outcome.result_i32(), 1, "{:?}", outcome.path());
}

fn parts(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn complex_numbers_are_two_parts() {
    let text = "
        #include <complex.h>
        static double complex turned(double complex z) { return z * I; }
        static float complex twice(float complex z) { return 2 * z; }
        static long double complex sum(long double complex a, long double complex b) { return a + b; }
        int f(double complex z, float complex w, long double complex q) {
          double complex t = turned(z), p = z * t;
          float complex u = twice(w); long double complex s = sum(q, z);
          if (creal(t) == -4) if (cimag(t) == 3) if (creal(conj(p)) == creal(p)) if (cimag(conj(p)) > 0 || z == 0)
            if (crealf(u) == 3 && cimagf(conjf(u)) == 5) if (creall(s) == 4 && cimagl(conjl(s)) == -6) return 1;
          return 0;
        }";
    let extended = |head: u16, mantissa: u64| {
        let mut bytes = mantissa.to_le_bytes().to_vec();
        bytes.extend(head.to_le_bytes());
        bytes.resize(16, 0);
        bytes
    };
    let float: Vec<u8> = [1.5_f32, -2.5].iter().flat_map(|part| part.to_le_bytes()).collect();
    let long = [extended(0x3fff, 1 << 63), extended(0x4000, 1 << 63)].concat();
    let program = program(text, "f", CHECKED);
    let outcome = exact(&program, &Input::of(&[&parts(&[3.0, 4.0]), &float, &long]));
    // 3 + 4i turned is -4 + 3i, and their product is -24 - 7i.
    assert_eq!(outcome.result_i32(), 1, "{:?}", outcome.path());
    assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
    let outcome = exact(&program, &Input::of(&[&parts(&[f64::INFINITY, f64::NAN]), &float, &long]));
    assert_eq!(outcome.path().len(), 1, "a product without a number takes the long way");
}

#[test]
fn wide_strings_keep_their_labels() {
    let text = "
        #include <wchar.h>
        int f(wchar_t *s) {
          wchar_t copy[8];
          if (wcslen(s) == 3) { wcscpy(copy, s); if (wcscmp(copy, L\"a\\u20acz\") == 0) if (wcschr(s, L'z')) return 1; }
          return 0;
        }";
    let program = program(text, "f", CHECKED);
    let start = program.build.units[0].pointees_start;
    let letters: Vec<u8> =
        "a\u{20ac}z\0".chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
    let roots = vec![(ARENA_BASE + u64::from(start)).to_le_bytes().to_vec()];
    let outcome = exact(&program, &Input { roots, pointees: vec![(start, letters)] });
    assert_eq!(outcome.result_i32(), 1);
    let inside = outcome.events.iter().filter(|event| event.kind == EventKind::Internal as u16).count();
    assert!(inside > 6, "each letter is looked at by each function: {inside}");
}
