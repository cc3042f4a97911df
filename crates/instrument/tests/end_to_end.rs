//! C functions built with everything and run on symbolic inputs: what the trace says must be what C says.

use crate::support::{self, Input, Options, Program, int, program};
use tarka_instrument::{CheckKind, SiteInfoKind, Symboliser};
use tarka_runner::End;
use tarka_trace::{ARENA_BASE, EventKind};

const CHECKED: Options<'static> = Options { self_check: true, globals_as_inputs: false, flags: &[] };

/// Builds with self-check, runs, and demands that every label agrees with the program.
fn run(text: &str, function: &str, input: &Input) -> (Program, support::Outcome) {
    let program = program(text, function, CHECKED);
    let outcome = program.run(input);
    assert_eq!(outcome.mismatches(), Vec::<String>::new(), "labels disagree with the program");
    (program, outcome)
}

#[test]
fn conditions_are_logged_with_one_bit_labels() {
    let text = "int f(int a, int b) { if (a > 3 && b == a) return 1; return 0; }";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(5), &int(7)]));
    assert_eq!(outcome.path(), [(0, 1, true), (1, 0, true)]);
    assert_eq!(outcome.result_i32(), 0);
    assert!(outcome.events.iter().all(|event| outcome.width(event.label) == 1));
    assert_eq!(outcome.coverage, [0, 1, 1, 0, 1, 0, 1], "four outcomes, then three statements");
}

#[test]
fn a_condition_pins_its_value_so_later_branches_on_it_are_concrete() {
    let text = "int f(int a) { int b = a && a > 2; if (b) return 1; return 0; }";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(5)]));
    assert_eq!(outcome.path(), [(0, 1, true), (1, 1, true), (2, 1, false)]);
}

#[test]
fn switches_name_their_arm_and_ranges_and_default_too() {
    let text = "int f(int x) { switch (x) { case 1: return 1; case 5 ... 2000: return 2; case -3: return 3; } return 4; }";
    let program = program(text, "f", CHECKED);
    for (value, arm, result) in [(1, 0, 1), (1999, 1, 2), (-3, 2, 3), (4, 3, 4)] {
        let outcome = program.run(&Input::of(&[&int(value)]));
        assert_eq!(outcome.path(), [(0, arm, true)], "x = {value}");
        assert_eq!(outcome.result_i32(), result);
        assert_eq!(outcome.width(outcome.events[0].label), 32);
    }
}

#[test]
fn every_integer_operation_agrees_with_its_label() {
    let text = "
        long f(int a, unsigned b, signed char c, unsigned short d, long e, _Bool g, __int128 h) {
          long r = a + b * c - d; r ^= e << (a & 31); r += e >> (b & 63); r += (unsigned long)e >> 3;
          r += a / (c | 1); r += b % (d | 1); r += e / (a | 1); r += e % (c | 1); r -= a & b | d ^ ~c;
          r += (int)(h >> 5) + (long)(h * 3) + (h < e); r += g ? -a : !a;
          r += __builtin_popcount(b) + __builtin_clz(b | 1) + __builtin_ctz(b | 1) + __builtin_bswap32(b);
          r += (a < 0) + (b >= 7u) + (e <= a) + (c > d) + (a == c) + (e != b);
          int s; r += __builtin_add_overflow(a, (int)b, &s); r += s; r += __builtin_mul_overflow(a, c, &s); r += s;
          return r;
        }";
    let input = Input::of(&[
        &int(-12345),
        &int(987_654),
        &[0x85],
        &[0x34, 0xf2],
        &0x1234_5678_9abc_i64.to_le_bytes(),
        &[1],
        &(-0x1234_5678_9abc_def0_i128 * 77).to_le_bytes(),
    ]);
    let (_, outcome) = run(text, "f", &input);
    assert!(outcome.compared() > 60, "{} results were compared", outcome.compared());
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
}

#[test]
fn every_floating_operation_agrees_with_its_label() {
    let text = "
        #include <math.h>
        double f(double x, float y, int n) {
          double r = x * 3.5 + y - n / x; r += fabs(r) + sqrt(fabs(x)) + floor(x) + ceil(y) + trunc(x) + rint(x);
          r += round(x) + copysign(x, -1.0) + fmin(x, y) + fmax(x, 2.0) + fma(x, x, 1.0) + fmod(x, 0.75);
          r += (float)x + (int)x + (unsigned)y + (long)x + -x; r += (unsigned char)n + floorf(y) + sqrtf(y);
          return r + (x < y) + (x >= 2) + (y != n) + isnan(r) + (isinf(x) != 0) + (x == x);
        }";
    let input = Input::of(&[&2.625_f64.to_le_bytes(), &7.75_f32.to_le_bytes(), &int(-9)]);
    let (_, outcome) = run(text, "f", &input);
    assert!(outcome.compared() > 40, "{} results were compared", outcome.compared());
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
}

#[test]
fn structs_travel_by_value_with_their_labels() {
    let text = "
        struct small { int a; short b; }; struct floats { float x, y; }; struct big { int a[10]; char c; };
        static struct small one(struct small s) { s.a++; return s; }
        static struct floats two(struct floats s) { s.x += s.y; return s; }
        static struct big three(struct big s, int i) { s.a[2] += i; return s; }
        int f(struct small s, struct floats t, struct big u) {
          s = one(s); t = two(t); u = three(u, s.b);
          if (s.a == 8) if (t.x > 3.0f) if (u.a[2] == 42) if (u.c == 'x') return 1;
          return 0;
        }";
    let mut big = vec![0; 44];
    big[8] = 40;
    big[40] = b'x';
    let small: Vec<u8> = [7_i32.to_le_bytes().as_slice(), &2_i16.to_le_bytes()].concat();
    let floats: Vec<u8> = [1.5_f32.to_le_bytes(), 2.5_f32.to_le_bytes()].concat();
    let (_, outcome) = run(text, "f", &Input::of(&[&small, &floats, &big]));
    assert_eq!(outcome.result_i32(), 1);
    assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
}

#[test]
fn variable_arguments_carry_labels_in_registers_and_on_the_stack() {
    let text = "
        #include <stdarg.h>
        struct pair { long a, b, c; };
        static long sum(int n, ...) {
          va_list list, copy; va_start(list, n); va_copy(copy, list);
          long r = 0;
          for (int i = 0; i < n; i++) r += va_arg(list, int);
          r += (long)va_arg(list, double); r += va_arg(list, struct pair).b; r += va_arg(copy, int);
          va_end(list); va_end(copy); return r;
        }
        int f(int a, double d, struct pair p) {
          if (sum(8, a, a, 1, 2, 3, 4, 5, a, d, p) == 4 * a + 15 + 2 + p.b) return 1;
          return 0;
        }";
    let pair: Vec<u8> = [1_i64, 20, 3].iter().flat_map(|number| number.to_le_bytes()).collect();
    let (_, outcome) = run(text, "f", &Input::of(&[&int(10), &2.5_f64.to_le_bytes(), &pair]));
    assert_eq!(outcome.result_i32(), 1);
    assert!(outcome.path().last().is_some_and(|(_, _, symbolic)| *symbolic));
}

#[test]
fn indirect_calls_and_recursion_pass_labels() {
    let text = "
        static int twice(int x) { return 2 * x; }
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        static int (*const table[2])(int) = { twice, fib };
        int f(int x, unsigned char i) { if (table[i & 1](x) == 8) return 1; return 0; }";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(6), &[1]]));
    assert_eq!(outcome.result_i32(), 1);
    assert!(outcome.path().last().is_some_and(|(_, _, symbolic)| *symbolic));
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
}

#[test]
fn results_of_callbacks_are_not_taken_for_those_of_the_native_function_around_them() {
    // `tfind` is native and ends with a call of `order`, whose result is symbolic; its own is not.
    let text = "
        #define _GNU_SOURCE
        #include <search.h>
        static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
        typedef void *(*finder)(const void *, void *const *, int (*)(const void *, const void *));
        static finder find = tfind;
        int f(int x) {
          void *root = 0; int y = x;
          tsearch(&x, &root, order);
          if (find(&y, &root, order) != 0) return 1;
          return 0;
        }";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(3)]));
    assert_eq!(outcome.result_i32(), 1);
    assert_eq!(outcome.path().last(), Some(&(0, 1, false)), "a pointer from native code is concrete");
}

#[test]
fn library_models_keep_labels_and_native_calls_are_counted_at_their_line() {
    let text = "
        #include <stdio.h>
        #include <string.h>
        void swab(const void *from, void *to, long n);
        int f(char *s, int n) {
          char buffer[16], text[16];
          if (strlen(s) == 2) { strcpy(buffer, s); if (strcmp(buffer, \"hi\") == 0) n++; }
          snprintf(text, sizeof text, \"%d\", n); swab(text, buffer, 2);
          return buffer[1];
        }";
    let program = program(text, "f", CHECKED);
    let pointee = program.build.units[0].pointees_start;
    let input = Input {
        roots: vec![(ARENA_BASE + u64::from(pointee)).to_le_bytes().to_vec(), int(7)],
        pointees: vec![(pointee, b"hi\0\0\0\0\0\0".to_vec())],
    };
    let outcome = program.run(&input);
    assert_eq!(outcome.mismatches(), Vec::<String>::new());
    assert_eq!(outcome.result_i32(), i32::from(b'8'));
    let lost: Vec<_> =
        outcome.concretised.iter().map(|(site, _)| (site.what.as_str(), site.place.clone())).collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!(lost[0].0, "call to swab");
    assert_eq!(lost[0].1.as_ref().map(|place| place.line), Some(8));
    assert!(outcome.events.iter().any(|event| event.kind == EventKind::Internal as u16));
}

#[test]
fn a_null_dereference_is_a_check_and_has_a_line() {
    let text = "struct node { int value; struct node *next; };\n\nint f(struct node *p) {\n  return p->next->value;\n}\n";
    let (program, outcome) = run(text, "f", &Input::default());
    assert!(matches!(outcome.end, End::Signal { number: 11, address: 8 }), "{:?}", outcome.end);
    let check = outcome.events.last().expect("the failed check is logged");
    assert_eq!((check.kind, check.outcome), (EventKind::Check as u16, 0));
    assert_eq!(program.build.sites[check.site as usize].kind, SiteInfoKind::Check(CheckKind::Memory));
    let symboliser = Symboliser::open(&program.build.exe, &program.model).expect("debug information");
    let frames: Vec<_> = outcome.backtrace.iter().flat_map(|address| symboliser.frames(*address)).collect();
    assert_eq!(frames.len(), 1, "{frames:?}");
    assert_eq!(frames[0].function, "f");
    assert_eq!(frames[0].place.as_ref().map(|place| place.line), Some(4));
    let file = &program.model.functions[0].place.file;
    assert_eq!(frames[0].place.as_ref().map(|place| &place.file), Some(file));
}

#[test]
fn tables_are_read_and_small_arrays_written_at_symbolic_indices() {
    let text = "
        static const int squares[6] = { 0, 1, 4, 9, 16, 25 };
        int f(unsigned i, unsigned j) {
          int local[4] = { 1, 2, 3, 4 };
          if (i > 5 || j > 3) return -1;
          local[j] = squares[i];
          if (local[2] == 16) return 1;
          return 0;
        }";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(4), &int(2)]));
    assert_eq!(outcome.result_i32(), 1);
    assert!(outcome.path().last().is_some_and(|(_, _, symbolic)| *symbolic));
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
}

#[test]
fn quadruple_precision_and_assembly_lose_labels_and_say_where() {
    let text = "int f(int x) {\n  __float128 d = x;\n  int y;\n  __asm__(\"movl %1, %0\" : \"=r\"(y) : \"r\"(x));\n  \
                return d > 3 ? y : 0;\n}\n";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(5)]));
    assert_eq!(outcome.result_i32(), 5);
    let lost: Vec<_> = outcome
        .concretised
        .iter()
        .map(|(site, _)| site.place.as_ref().map_or(0, |place| place.line))
        .collect();
    assert_eq!(lost, [2, 4], "{:?}", outcome.lost());
}

#[test]
fn unions_bit_fields_and_vectors_are_exact() {
    let text = "
        typedef int v4 __attribute__((vector_size(16)));
        union both { float f; unsigned u; };
        struct bits { unsigned a : 3; int b : 11; unsigned c : 18; };
        int f(float x, struct bits s, int n) {
          union both both; both.f = x; s.b += n; s.c = both.u;
          v4 v = { n, 1, 2, s.a }; v = v * v + (v4){ 1, 1, 1, 1 };
          if ((both.u >> 23) == 0x80 && s.b == -3 && v[3] == 26) return v[0];
          return 0;
        }";
    let bits: u32 = 5 | ((-10_i32 as u32) & 0x7ff) << 3;
    let (_, outcome) = run(text, "f", &Input::of(&[&2.5_f32.to_le_bytes(), &bits.to_le_bytes(), &int(7)]));
    assert_eq!(outcome.result_i32(), 50);
    assert!(outcome.path().iter().all(|(_, _, symbolic)| *symbolic), "{:?}", outcome.path());
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
}

#[test]
fn compiled_units_may_define_library_names() {
    let text = "
        unsigned long strlen(const char *s) { return s ? 7 : 0; }
        long write(int d, const void *b, unsigned long n) { return d + (long)n; }
        int main(void) { return 3; }
        int f(int x) { if (write(x, \"\", 2) == 9) return (int)strlen(\"\") + main(); return 0; }";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(7)]));
    assert_eq!(outcome.result_i32(), 10);
}

#[test]
fn two_builds_of_one_text_number_their_sites_alike() {
    let text = "
        #include <string.h>
        int g(char *s, int i) { return s[i] / i + (int)strlen(s); }
        int f(char *s, int i) { if (i && s) return g(s, i); return 0; }";
    let program = program(text, "f", Options::default());
    let folder = tempfile::tempdir().expect("a scratch folder");
    let again = support::build_model(&program.model, "f", Options::default(), folder.path());
    assert_eq!(program.build.sites, again.sites);
    let bytes = |exe: &std::path::Path| std::fs::read(exe).expect("the executable");
    assert!(
        bytes(&program.build.exe) == bytes(&again.exe),
        "the executable depends on the folder it is built in"
    );
}

#[test]
fn corners_of_the_language_compute_what_the_plain_program_computes() {
    let text = include_str!("language.c");
    let program = program(text, "corners", CHECKED);
    let folder = tempfile::tempdir().expect("a scratch folder");
    let main = "\nint main(int n, char **a) { (void)n; printf(\"%d\", corners(atoi(a[1]), (unsigned char)atoi(a[2]), atof(a[3]))); }\n";
    std::fs::write(folder.path().join("plain.c"), format!("{text}{main}"))
        .expect("the source can be written");
    let compiled = std::process::Command::new(support::clang())
        .current_dir(folder.path())
        .args(["-w", "-O0", "plain.c", "-o", "plain", "-lm"])
        .status()
        .expect("clang runs");
    assert!(compiled.success());
    for (x, small, d) in [(0, 0, 0.0), (5, b'q', 2.5), (-9, b'0', -1e300), (1000, 255, 0.125)] {
        let plain = std::process::Command::new(folder.path().join("plain"))
            .args([x.to_string(), small.to_string(), format!("{d}")])
            .output()
            .expect("the plain program runs");
        let outcome = program.run(&Input::of(&[&int(x), &[small], &f64::to_le_bytes(d)]));
        assert_eq!(outcome.end, End::Returned, "x = {x}");
        assert_eq!(outcome.mismatches(), Vec::<String>::new(), "x = {x}");
        assert_eq!(outcome.result_i32().to_string(), String::from_utf8_lossy(&plain.stdout), "x = {x}");
    }
}

#[test]
fn values_a_native_function_sees_through_a_va_list_are_counted() {
    let text = "
        #include <stdarg.h>
        #include <stdio.h>
        int vasprintf(char **to, const char *how, va_list list);
        static char *say(const char *how, ...) {
          char *text;
          va_list list; va_start(list, how);
          vasprintf(&text, how, list);
          va_end(list);
          return text;
        }
        int f(int x) { return say(\"%d\", x)[0]; }";
    let (_, outcome) = run(text, "f", &Input::of(&[&int(7)]));
    assert_eq!(outcome.result_i32(), i32::from(b'7'));
    assert_eq!(outcome.lost(), ["call to vasprintf"]);
}

#[test]
fn text_made_of_an_input_can_be_read_as_that_input_again() {
    let text = "
        #include <stdarg.h>
        #include <stdio.h>
        static void say(char *to, const char *how, ...) {
          va_list list; va_start(list, how);
          vsnprintf(to, 12, how, list);
          va_end(list);
        }
        int f(int x) {
          char text[12]; int y;
          say(text, \"%d\", x);
          if (sscanf(text, \"%d\", &y) != 1) return -1;
          if (y == x) return 1;
          return 0;
        }";
    for x in [0, 7, -7, 4321, i32::MAX, i32::MIN] {
        let (_, outcome) = run(text, "f", &Input::of(&[&int(x)]));
        assert_eq!((outcome.result_i32(), outcome.lost()), (1, Vec::new()), "x = {x}");
        assert_eq!(outcome.mismatches(), Vec::<String>::new(), "x = {x}");
    }
}

/// Builds what cannot be built.
fn refused(text: &str, flags: &[String]) -> String {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("unit.c");
    std::fs::write(&file, text).expect("the source can be written");
    let clang = support::clang();
    let request = tarka_source::SourceRequest { file: &file, flags, clang: &clang };
    let model = tarka_source::analyse(&request).expect("it is valid C");
    let built = tarka_instrument::build(&tarka_instrument::BuildRequest {
        model: &model,
        units: &[tarka_instrument::UnitRequest::plain(tarka_source::FunctionId(0))],
        work_dir: folder.path(),
        clang: &clang,
        self_check: false,
        globals_as_inputs: false,
        library_inputs: &[],
        faults: tarka_trace::FaultSet::default(),
        promises_kept: false,
    });
    built.expect_err("it cannot be built").to_string()
}

#[test]
fn what_cannot_be_linked_is_named() {
    let text = "struct opaque elsewhere(int); void *g = elsewhere; int f(int x) { return g ? x : 0; }";
    let message = refused(text, &[]);
    assert!(message.contains("`elsewhere`"), "{message}");
    assert!(message.contains("returns struct opaque"), "the message says why there is no stub: {message}");
    assert!(message.contains("after `--`"), "the message says what to do: {message}");
}

#[test]
fn other_machines_are_refused_by_name() {
    let message = refused("int f(int x) { return x; }", &["-m32".to_owned()]);
    assert!(message.contains("i386") && message.contains("-m32"), "{message}");
}
