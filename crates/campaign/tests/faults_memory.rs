//! Memory faults, end to end: what leaves an object, and what is used after it is gone. And as many correct uses of
//! memory, in which nothing may be found.

use crate::c::{test, test_with};
use tarka_campaign::Options;
use tarka_events::{FaultKind, FaultSet, UnitResult};

/// Kind and line of each fault, sorted.
fn faults(result: &UnitResult) -> Vec<(&str, u32)> {
    let mut found: Vec<_> = result.faults.iter().map(|fault| (fault.kind.name(), fault.place.line)).collect();
    found.sort_unstable();
    found
}

/// The faults of the last function of a text; numbers that do not fit and memory that is lost are another matter.
fn found(text: &str) -> Vec<(String, u32)> {
    let kinds = FaultSet::default().without(FaultKind::SignedOverflow).without(FaultKind::Leak);
    faults(&test_with(text, &Options { faults: kinds, ..Options::default() }))
        .into_iter()
        .map(|(kind, line)| (kind.to_owned(), line))
        .collect()
}

fn expect(text: &str, wanted: &[(&str, u32)]) {
    let wanted: Vec<(String, u32)> = wanted.iter().map(|(kind, line)| ((*kind).to_owned(), *line)).collect();
    assert_eq!(found(text), wanted, "{text}");
}

const OUT: &str = "out-of-bounds";

#[test]
fn an_index_that_counts_what_a_loop_meets_leaves_its_array() {
    let counting = |condition: &str| {
        format!(
            "int f(const char *s) {{
    int marks[3] = {{0}}, n = 0;
    if (!s) return 0;
    for (; *s; s++) {{
        if ({condition})
            n++;
        else
            marks[n] = *s;
    }}
    return marks[0];
}}"
        )
    };
    expect(&counting("*s == ':'"), &[(OUT, 8)]);
    expect(&counting("*s == ':' && n < 2"), &[]);
}

#[test]
fn a_sized_array_at_the_end_of_a_record_ends_where_it_says() {
    // There is room behind the array: only its own size says that the index is outside.
    let with = |length: u32| {
        format!(
            "#include <stdlib.h>
struct text {{ unsigned n; int a[{length}]; }};
int f(unsigned i) {{
    struct text *t = calloc(1, sizeof *t + 10 * sizeof(int));
    int r = 0;
    if (!t) return 0;
    if (i < 10)
        r = t->a[i];
    free(t);
    return r;
}}"
        )
    };
    expect(&with(4), &[(OUT, 8)]);
    // An array of one element is an old way to say that more of them follow.
    expect(&with(1), &[]);
}

#[test]
fn one_past_the_end_and_before_the_beginning_of_every_kind_of_object() {
    // The index is guarded, but one too far at either end.
    let objects = [
        ("static int table[10] = {3}; int *a = table;", "global"),
        ("int local[10] = {0}; int *a = local;", "local"),
        ("int *a = calloc(10, sizeof(int)); if (!a) return 0;", "heap"),
    ];
    for (object, name) in objects {
        for guard in ["i >= 0 && i <= 10", "i >= -1 && i < 10"] {
            let text = format!(
                "#include <stdlib.h>\nint f(int i, int v) {{\n {object}\n if (v == 77 && {guard})\n  a[i] = v;\n return 0;\n}}"
            );
            expect(&text, &[(OUT, 5)]);
            let _ = name;
        }
        let clean = format!(
            "#include <stdlib.h>\nint f(int i, int v) {{\n {object}\n if (i >= 0 && i < 10)\n  a[i] = v;\n return v == 77;\n}}"
        );
        expect(&clean, &[]);
    }
}

#[test]
fn a_concrete_loop_that_goes_one_too_far_is_found_by_the_edge() {
    expect(
        "int f(int v) {\n int a[5], s = 0;\n for (int k = 0; k < 5; k++) a[k] = k;\n if (v == 9)\n  for (int k = 0; k <= 5; k++) s += a[k];\n return s;\n}",
        &[(OUT, 5)],
    );
    expect(
        "int f(int v) {\n const char *t = \"abc\";\n return v > 3 && v < 10 ? t[v - 5] : t[3];\n}",
        &[(OUT, 3)],
    );
}

#[test]
fn what_is_used_after_it_was_freed_tells_where_it_came_from() {
    let result = test(
        "#include <stdlib.h>
static int *make(void) {
    int *p = malloc(8);
    if (!p) exit(1);
    p[0] = 1;
    return p;
}
int f(int x) {
    int *p = make();
    if (x == 1234) free(p);
    int r = *p;
    if (x != 1234) free(p);
    return r;
}",
    );
    assert_eq!(faults(&result), [("use-after-free", 11)]);
    let related: Vec<(&str, u32)> =
        result.faults[0].related.iter().map(|(words, place)| (words.as_str(), place.line)).collect();
    assert_eq!(related, [("allocated here", 3), ("freed here", 10)]);
}

#[test]
fn freeing_twice_and_freeing_what_was_not_allocated() {
    let frees = |what: &str| {
        format!(
            "#include <stdlib.h>\nstatic int g[4];\nint f(int x) {{\n int l[4] = {{0}}, *p = malloc(16);\n if (!p) return 0;\n if (x == 5)\n  {what}\n free(p);\n return l[0];\n}}"
        )
    };
    expect(&frees("free(p);"), &[("double-free", 8)]);
    expect(&frees("free(p + 1);"), &[("invalid-free", 7)]);
    expect(&frees("free(l);"), &[("invalid-free", 7)]);
    expect(&frees("free(g);"), &[("invalid-free", 7)]);
    expect(&frees("{ p = realloc(p, 99); if (!p) return 0; }"), &[]);
    expect(&frees("{ int *q = realloc(p, 99); if (q) q[0] = p[0]; p = q; }"), &[("use-after-free", 7)]);
}

#[test]
fn a_local_that_outlives_its_function() {
    expect(
        "static int *keep;
static void leak(int v) { int local[3] = {v, v, v}; keep = local; }
static void fill(void) { int other[3] = {1, 2, 3}; volatile int *p = other; p[1] = 4; }
int f(int x) {
    int fine = 0;
    keep = &fine;
    if (x == 99) leak(x);
    int r = *keep;
    fill();
    return r;
}",
        &[("use-after-return", 8)],
    );
}

#[test]
fn a_length_that_is_an_input_is_tried_beyond_its_object() {
    for call in ["memcpy(to, from, n)", "memmove(to, from, n)", "memset(to, 0, n)", "strncpy(to, from, n)"] {
        let unit = |guard: &str| {
            format!(
                "#include <string.h>\nint f(unsigned n, int key) {{\n char to[16] = {{0}}, from[100] = \"text\";\n if (key == 4711 && {guard})\n  {call};\n return to[0];\n}}"
            )
        };
        expect(&unit("n < 64"), &[(OUT, 5)]);
        expect(&unit("n <= 16"), &[]);
    }
    // Negative lengths become huge ones.
    expect(
        "#include <string.h>\nint f(int n) {\n char to[16] = {0}, from[16] = {1};\n if (n < 16)\n  memcpy(to, from, n);\n return to[0];\n}",
        &[(OUT, 5)],
    );
}

#[test]
fn what_the_library_writes_behind_a_buffer() {
    let print = |size: u32| {
        format!(
            "#include <stdio.h>\nint f(unsigned short n) {{\n char to[{size}];\n return sprintf(to, \"%u\", n);\n}}"
        )
    };
    expect(&print(6), &[]);
    let result = test_with(
        "#include <stdio.h>\nint f(unsigned short n) {\n char to[5];\n if (n < 10000) return 0;\n return sprintf(to, \"%u\", n);\n}",
        &Options::default(),
    );
    assert_eq!(faults(&result), [(OUT, 5)]);
}

#[test]
fn correct_uses_of_memory_raise_no_alarm() {
    // Structs by value in every direction, arrays of variable length in loops, jumps out of functions, callbacks from
    // library code that hands out its own memory, variable arguments.
    expect(
        "struct big { long v[9]; };
static struct big twice(struct big b) { for (int k = 0; k < 9; k++) b.v[k] *= 2; return b; }
static long sum(struct big a, int k, struct big b) { return k < 9 ? a.v[k] + b.v[8 - k] : 0; }
int f(struct big b, int k) {
    struct big c = twice(b), d = twice(twice(c));
    return k >= 0 && sum(c, k, d) == 77;
}",
        &[],
    );
    expect(
        "#include <string.h>
static int last(int n) { char a[n]; memset(a, n, n); return a[n - 1]; }
int f(unsigned char x) {
    int s = 0;
    for (int k = 1; k < x % 8 + 1; k++) { int v[k]; for (int j = 0; j < k; j++) v[j] = j; s += v[k - 1] + last(k); }
    return s == 12;
}",
        &[],
    );
    expect(
        "#include <setjmp.h>
static jmp_buf env;
static int deep(int n) { int a[4] = {n}; if (n == 0) longjmp(env, 1); return deep(n - 1) + a[n & 3]; }
static int shallow(int n) { int a[8] = {n}; volatile int *p = a; return p[n & 7]; }
int f(int x) {
    int local[4] = {1, 2, 3, 4};
    if (setjmp(env)) return shallow(x) + local[x & 3];
    if (x > 3) deep(x & 7);
    return local[x & 3];
}",
        &[],
    );
    expect(
        "#define _GNU_SOURCE
#include <stdlib.h>
#include <search.h>
static int less(const void *a, const void *b) { int l[2] = {*(const int *)a, *(const int *)b}; return (l[0] > l[1]) - (l[0] < l[1]); }
static int by(const void *a, const void *b, void *sign) { int l[2] = {less(a, b), 0}; return *(int *)sign * l[l[1] & 1]; }
int f(int x) {
    int v[5] = {4, x, 2, 9, 1}, sign = -1, key = x;
    size_t n = 5;
    qsort(v, 5, sizeof *v, less);
    int *found = bsearch(&key, v, 5, sizeof *v, less);
    qsort_r(v, 5, sizeof *v, by, &sign);
    void *tree = 0;
    for (int k = 0; k < 5; k++) tsearch(&v[k], &tree, less);
    return found && lfind(&key, v, &n, sizeof *v, less) && v[0] == 9;
}",
        &[],
    );
    expect(
        "#include <stdarg.h>
struct wide { long v[4]; };
static long total(int n, ...) {
    va_list list; va_start(list, n); long s = 0;
    for (int k = 0; k < n; k++) { struct wide w = va_arg(list, struct wide); s += w.v[k & 3] + va_arg(list, int) + va_arg(list, double); }
    va_end(list);
    return s;
}
int f(int x) {
    struct wide w = {{x, 2, 3, 4}};
    return total(3, w, 1, 2.0, w, 3, 4.0, w, 5, 6.0) == 42 + total(1, w, x, 1.0);
}",
        &[],
    );
    expect(
        "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int f(int x) {
    char *line = malloc(4), *text = 0; size_t room = 4, size = 0;
    if (!line) return 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) { free(line); return 0; }
    fprintf(out, \"%d a long line that does not fit\\n\", x);
    fclose(out);
    FILE *in = fmemopen(text, size, \"r\");
    long got = in ? getline(&line, &room, in) : -1;
    if (in) fclose(in);
    int r = got > 0 && line[got - 1] == 10 && strlen(text) == size;
    free(line); free(text);
    char *copy = strdup(\"abc\");
    free(copy);
    return r;
}",
        &[],
    );
}
