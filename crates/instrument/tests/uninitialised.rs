//! Uninitialised values: found where something depends on them, and only there.

use crate::support::{Input, Options, Program, int, program};
use tarka_instrument::Symboliser;
use tarka_trace::FaultKind;

/// The lines on which a call `f(n)` reads an uninitialised value.
fn read(program: &Program, symboliser: &Symboliser, n: i32) -> Vec<u32> {
    let outcome = program.run(&Input::of(&[&int(n)]));
    let reads = outcome.faults.iter().filter(|fault| fault.kind == FaultKind::Uninitialised as u32);
    let mut lines: Vec<u32> = reads
        .map(|fault| {
            let frames = symboliser.frames(fault.backtrace[0]);
            frames.into_iter().find_map(|frame| frame.place).expect("a place of the unit").line
        })
        .collect();
    lines.sort_unstable();
    lines
}

fn opened(text: &str) -> (Program, Symboliser) {
    let program = program(text, "f", Options::default());
    let symboliser = Symboliser::open(&program.build.exe, &program.model).expect("debug information");
    (program, symboliser)
}

/// Each case says on which line of its own it goes wrong: the lines that end in `/* ! */`.
const FOUND: &str = r#"#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
static int first(const int *p) { return p[0] > 3; } /* !9 */
static int branch(int n) {
    int x;
    if (n > 100)
        x = 1;
    if (x > 0) /* !0 */
        return 1;
    return 2;
}
int f(int n) {
    int x, a[4];
    struct pair p, q;
    int *h;
    switch (n) {
    case 0: return branch(n);
    case 1: return x; /* !1 */
    case 2: a[0] = 1; a[1] = 2;
        return a[0] + a[n]; /* !2 */
    case 3: p.a = 1;
        return p.b * 2; /* !3 */
    case 4: h = malloc(8); h[0] = 1;
        x = h[0] + h[1]; /* !4 */
        free(h);
        return x;
    case 5: p.a = 5; q = p;
        return q.b == 3; /* !5 */
    case 6: h = malloc(4); h[0] = 1; h = realloc(h, 64);
        x = h[9] ? 1 : 2; /* !6 */
        free(h);
        return x;
    case 7: for (n = 0; n < 3; n++)
            a[n] = n;
        for (n = 0; n < 4; n++)
            if (a[n] == 77) /* !7 */
                return 1;
        return 0;
    case 8: memcpy(&q, &p, sizeof q);
        return abs(q.a); /* !8 */
    case 9: return first(a);
    }
    return 0;
}
"#;

#[test]
fn what_depends_on_uninitialised_memory_is_found() {
    let (program, symboliser) = opened(FOUND);
    for n in 0..=9 {
        let mark = format!("/* !{n} */");
        let line = FOUND.lines().position(|line| line.ends_with(&mark)).expect("a marked line") as u32 + 1;
        assert_eq!(read(&program, &symboliser, n), [line], "case {n}");
    }
}

const CORRECT: &str = r#"#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct padded { char c; long l; };
struct bits { unsigned a : 3, b : 5, c : 9; };
union both { int i; float x; char bytes[8]; };
struct large { int values[12]; int used; };
struct small { int a, b; };
void fill_it(int *out);
void scan_it(const char *format, ...);
static int given(struct small s) { return s.a; }
static struct small made(int a) { struct small s; s.a = a; return s; }
static struct large big(int n) { struct large l; l.values[0] = n; l.used = 1; return l; }
static void set(int *p) { *p = 4; }
static int last(int count, ...) {
    va_list list;
    int value = 0;
    va_start(list, count);
    while (count--)
        value = va_arg(list, int);
    va_end(list);
    return value;
}
static void copy(char *to, const char *from, unsigned n) { while (n--) *to++ = *from++; }
static jmp_buf back;

int f(int n) {
    int x, y, a[8];
    char text[32], other[32];
    struct padded p, q;
    struct bits b;
    union both u;
    struct large l, m;
    struct small s;
    int *h;
    switch (n) {
    case 0: p.c = 1; p.l = 2; q = p; return q.c + (int)q.l;
    case 1: b.a = 1; b.b = 2; b.c = 3; return b.a + b.b + b.c;
    case 2: u.x = 1; return u.i != 0;
    case 3: l.values[2] = 3; l.used = 3; m = l; return m.values[2] + m.used;
    case 4: s.a = 1; return given(s);
    case 5: s = made(5); return s.a;
    case 6: l = big(6); return l.values[0];
    case 7: set(&x); return x;
    case 8: fill_it(&x); return x > 0;
    case 9: scan_it("%d", &x); return x > 0;
    case 10: snprintf(text, sizeof text, "%d", n); return text[0] + text[1];
    case 11: sscanf("12 13", "%d %d", &x, &y); return x + y;
    case 12: for (n = 0; n < 8; n++) a[n] = n; return a[7];
    case 13: return last(3, 1, 2, 3);
    case 14: { struct large z = {{1}}; return z.values[11] + z.used; }
    case 15: strcpy(text, "abc"); copy(other, text, 32); return other[2];
    case 16: h = calloc(4, 4); x = h[3]; free(h); return x;
    case 17: h = malloc(16); memset(h, 0, 16); x = h[3]; free(h); return x;
    case 18: x = 1; if (setjmp(back) == 0) { y = 2; longjmp(back, 1); } return x;
    case 19: s.a = 1; s.b = s.a; y = s.b; return y;
    case 20: y = n > 10 ? 1 : x; return y;
    case 21: memset(text, 'x', 4); text[4] = 0; return (int)strlen(text);
    case 22: h = malloc(8); x = h[1]; y = h[0]; h[0] = x; h[1] = y; free(h); return 0;
    case 23: if (posix_memalign((void **)&h, 16, 16)) return 0; h[0] = 3; x = h[0]; free(h); return x;
    case 24: b.a = 1; return b.a == 1;
    case 25: x = n - 25; x += 3; a[x] = 1; return a[x];
    case 26: { int c = text[0]; if (n < 10 && c == 'x') return 1; return 0; }
    case 27: b.c = 0; b.c |= 4; return b.c;
    }
    return 0;
}
"#;

#[test]
fn correct_programs_raise_no_alarm() {
    let (program, symboliser) = opened(CORRECT);
    for n in 0..=27 {
        assert_eq!(read(&program, &symboliser, n), [], "case {n}");
    }
}

#[test]
fn nothing_is_marked_when_code_without_hooks_is_called_through_a_pointer() {
    let text = "#include <unistd.h>\nint f(int n) {\n    int (*how)(int *) = (int (*)(int *))pipe;\n    int ends[2];\n    \
                if (how(ends) != 0)\n        return -1;\n    return ends[0] != n;\n}\n";
    let (program, symboliser) = opened(text);
    assert_eq!(read(&program, &symboliser, 1), []);
}
