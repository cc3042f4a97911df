//! The self-check on small functions: every label has the value the program computed.

use std::time::Duration;

use crate::c::Unit;
use tarka_campaign::{SelfCheck, SelfCheckRequest, self_check};
use tarka_source::FunctionId;

/// What the self-check of every function of a text finds.
fn found(text: &str, promises_kept: bool) -> Vec<(String, SelfCheck)> {
    let unit = Unit::new(text);
    let of = |function: FunctionId| {
        let work = tempfile::tempdir().unwrap();
        let found = self_check(&SelfCheckRequest {
            model: &unit.model,
            function,
            runs: 30,
            seed: 1,
            globals_as_inputs: true,
            time_limit: Duration::from_secs(2),
            clang: &unit.clang,
            work_dir: work.path(),
            promises_kept,
        });
        (unit.model.function(function).name.clone(), found.unwrap_or_else(|error| panic!("{error}")))
    };
    unit.functions().into_iter().map(of).collect()
}

fn check(text: &str) {
    for (name, found) in found(text, false) {
        assert_eq!(found.mismatches, [], "{name}");
        assert!(found.compared > 50, "{name} compared {} values only: {found:?}", found.compared);
    }
}

/// Functions that promise to be `pure` or `const`: of the library, and of the user.
const PROMISING: &str = "#include <stdlib.h>
#include <string.h>
struct two { int low, high; };
__attribute__((const)) static int halved(int x) { return x / 2; }
__attribute__((pure)) static int first(const int *p) { return p[0] - 3; }
__attribute__((const)) static struct two split(int x) { return (struct two){x & 0xffff, x >> 16}; }
__attribute__((const, noinline)) static unsigned char low(int x) { return x; }
int of_library(int x, long y) {
    return (abs(x) > 1 << 30 ? 1 : 0) + (labs(y) > 1l << 60 ? 2 : 0) + (div(x, 7).rem > 0 ? 4 : 0);
}
int of_user(int x) {
    return (halved(x) > 0 ? 1 : 0) + (first(&x) > 0 ? 2 : 0) + (split(x).high > 0 ? 4 : 0) + (low(x) > 100 ? 8 : 0);
}
int of_memory(int x, int y) { return (memcmp(&x, &y, 4) > 0 ? 1 : 0) + (strnlen((char *)&x, 4) > 1 ? 2 : 0); }
int through_pointers(int x) { int (*call)(int) __attribute__((const)) = halved; return call(x) > 0 ? 1 : 2; }
";

#[test]
fn functions_that_promise_something_keep_their_labels() {
    for (name, found) in found(PROMISING, false) {
        assert_eq!(found.mismatches, [], "{name}");
    }
}

#[test]
fn a_label_that_an_optimiser_dropped_is_found() {
    let lossy = found(PROMISING, true);
    let loses = |name: &str| {
        let (_, found) = lossy.iter().find(|(of, _)| of == name).expect("the function");
        found.mismatches.iter().any(|mismatch| mismatch.text.contains("has no label"))
    };
    assert_eq!(["of_library", "of_user"].map(loses), [true, true], "{lossy:#?}");
}

#[test]
fn integers_of_every_width() {
    check(
        "long mix(signed char a, unsigned short b, int c, unsigned long d, _Bool e, __int128 f) {
            long r = a * b + (c ^ 0x55) - (long)(d >> 3);
            r += (unsigned)c / 7u + c % 13 + (short)(a << 4) + (e ? b : -a);
            r ^= (long)(f >> 60) + (long)(unsigned __int128)(f * 3);
            r += (a < b) + (c <= -a) + ((unsigned)c > 5) + (d == b) + __builtin_popcountl(d) + (c & 63 ? r >> (c & 63) : 0);
            r = d & 1 ? r : ~r;
            return r;
        }",
    );
}

#[test]
fn floating_point() {
    check(
        "#include <math.h>
         double mix(float a, double b, int c, unsigned char u) {
            double r = a * 2.5 + b / (c + 0.5) - u;
            r += (float)b + fabs(b) + sqrt((double)u) + floor(r / 3) + (double)(long)(a / 1e30f);
            if (r > b) r = -r;
            return r < 0 ? r + c : r;
        }",
    );
}

#[test]
fn functions_of_the_c_library() {
    // Sums of two that are no number are left out: whose sign such a sum has is the compiler's choice.
    check(
        "#include <math.h>
         int of_a_double(double x) {
            return (sin(x) < .5) + (cos(x) < .5) + (tan(x) < .5) + (asin(x) < .5) + (acos(x) < .5) + (atan(x) < .5)
                + (sinh(x) < .5) + (cosh(x) < .5) + (tanh(x) < .5) + (asinh(x) < .5) + (acosh(x) < .5) + (atanh(x) < .5)
                + (exp(x) < .5) + (exp2(x) < .5) + (expm1(x) < .5) + (log(x) < .5) + (log2(x) < .5) + (log10(x) < .5)
                + (log1p(x) < .5) + (cbrt(x) < .5) + (__builtin_sin(x) < .5) + (pow(x, 2.0) < .5);
         }
         int of_a_float(float x) {
            return (sinf(x) < .5f) + (cosf(x) < .5f) + (tanf(x) < .5f) + (asinf(x) < .5f) + (acosf(x) < .5f)
                + (atanf(x) < .5f) + (sinhf(x) < .5f) + (coshf(x) < .5f) + (tanhf(x) < .5f) + (asinhf(x) < .5f)
                + (acoshf(x) < .5f) + (atanhf(x) < .5f) + (expf(x) < .5f) + (exp2f(x) < .5f) + (expm1f(x) < .5f)
                + (logf(x) < .5f) + (log2f(x) < .5f) + (log10f(x) < .5f) + (log1pf(x) < .5f) + (cbrtf(x) < .5f);
         }
         int of_two(double x, double y, float f, float g) {
            return (pow(x, y) < .5) + (atan2(x, y) < .5) + (hypot(x, y) < .5) + (remainder(x, y) < .5)
                + (powf(f, g) < .5f) + (atan2f(f, g) < .5f) + (hypotf(f, g) < .5f) + (remainderf(f, g) < .5f);
         }
         long parts(double x, float f, int n) {
            double whole; int exponent;
            double fraction = modf(x, &whole), mantissa = frexp(x, &exponent);
            long r = lround(x) + llrint(f) + (fraction > 0.5) + (mantissa < 0.75) + exponent + (whole > 3);
            return r + (ldexp(x, n % 2000) > 1) + (scalbnf(f, n % 200) > 1) + (fdim(x, f) > 1) + (long)nearbyint(x / 1e300);
         }",
    );
}

#[test]
fn memory_tables_and_structs() {
    check(
        "#include <string.h>
         static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
         struct pair { short a; int b[3]; char c; unsigned bits : 5, more : 9; };
         int mix(struct pair p, const struct pair *q, unsigned char i, char text[8]) {
            struct pair copy = p;
            int local[16] = {0};
            local[i & 15] = p.b[1];
            copy.b[i % 3] += squares[i & 15] + local[(i + 1) & 15];
            if (q) { memcpy(&copy, q, sizeof copy.a); copy.more = q->bits + p.more; }
            if (text) { text[i & 7] = 'x'; copy.c += (char)strnlen(text, 8); }
            return copy.a + copy.b[0] + copy.b[1] + copy.b[2] + copy.c + copy.more + squares[copy.c & 15];
        }",
    );
}

#[test]
fn calls_switches_and_globals() {
    check(
        "static int total = 5; static unsigned history[4];
         static int weigh(int kind, int by) {
            switch (kind & 7) { case 0: return by; case 1: return -by; case 3 ... 5: return by * 2; default: return by >> 1; }
         }
         int mix(int a, int b) {
            for (int i = 0; i < 4; i++) { total += weigh(a + i, b); history[i] = history[(i + 1) & 3] ^ (unsigned)total; }
            return total > 0 ? (int)history[0] : total;
         }",
    );
}
