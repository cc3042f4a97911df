//! Faults, end to end.

use std::time::Duration;

use crate::c::{self, covered, test, test_with};
use tarka_campaign::Options;
use tarka_events::{FaultKind, FaultSet, RunEnd, Status, UnitResult};

/// Kind and line of the faults, in the order in which they were found.
fn faults(result: &UnitResult) -> Vec<(&str, u32)> {
    result.faults.iter().map(|fault| (fault.kind.name(), fault.place.line)).collect()
}

#[test]
fn a_null_pointer_in_a_list_is_found_where_it_is_followed() {
    let result = test(
        "struct node { int v; struct node *next; };
int second(struct node *n) {
    if (n->v > 10)
        return n->next->v;
    return 0;
}",
    );
    assert_eq!(faults(&result), [("null-dereference", 4), ("null-dereference", 3)], "{:#?}", result.faults);
    assert_eq!(covered(&result), (2, 2));
    let fault = &result.faults[0];
    assert_eq!(fault.function, "second");
    assert_eq!(fault.message, "a null pointer is dereferenced: `return n->next->v;`");
    assert_eq!(
        fault.executed.scenario.objects[1].bytes[8..16],
        [0; 8],
        "n->next is null in the input that shows it"
    );
    assert!(result.kept_runs.iter().any(|kept| kept.end == RunEnd::Returned));
}

#[test]
fn a_division_by_zero_is_tried_for_though_no_branch_needs_it() {
    let result = test("int f(int a, unsigned b) {\n if (a > 0) return 1;\n return 7 / (b - 3);\n}");
    assert_eq!(faults(&result), [("division-by-zero", 3)]);
    assert_eq!(result.faults[0].executed.scenario.objects[1].bytes, 3u32.to_le_bytes());
}

#[test]
fn what_lies_behind_a_check_that_failed_at_once_is_tried() {
    // Without a branch there is no goal, and the first run ends at the first check.
    let result = test("int f(int a, int b, int c) {\n int x = a / b;\n return x / c;\n}");
    let mut found = faults(&result);
    found.sort();
    let kinds = ["division-by-zero", "division-overflow"];
    assert_eq!(found, kinds.map(|kind| [(kind, 2), (kind, 3)]).concat(), "{:#?}", result.faults);
}

#[test]
fn assertions_aborts_and_exits_are_told_apart() {
    let result = test(
        "#include <assert.h>
#include <stdlib.h>
int f(int x) {
    if (x == 1) abort();
    if (x == 2) exit(9);
    assert(x != 3);
    return x;
}",
    );
    let mut found = faults(&result);
    found.sort();
    assert_eq!(found, [("abort", 4), ("assertion", 6)]);
    assert!(result.kept_runs.iter().any(|kept| kept.end == RunEnd::Exited(9)));
    let (done, all) = covered(&result);
    assert_eq!(done, all, "{:#?}", result.goals);
}

#[test]
fn an_endless_loop_is_a_fault_and_the_rest_is_still_covered() {
    let text = "int f(int x, unsigned y) {
    if (x == 5)
        for (;;) y++;
    if (y == 6)
        return 1;
    return 0;
}";
    let limit = std::time::Duration::from_millis(100);
    let result = test_with(text, &Options { run_time_limit: limit, ..Options::default() });
    assert_eq!(faults(&result), [("timeout", 3)], "{:#?}", result.faults);
    assert_eq!(covered(&result), (4, 4));
    assert_eq!(result.status, Status::Complete);
}

#[test]
fn a_loop_that_never_ends_on_symbolic_data_does_not_use_up_memory_or_the_budget() {
    let text = "int f(unsigned n, unsigned char c) {
    unsigned i = 0;
    while (i != n) i += 2;
    return c == 9;
}";
    let limit = std::time::Duration::from_millis(200);
    let result = test_with(text, &Options { run_time_limit: limit, ..Options::default() });
    assert_eq!(covered(&result), (2, 2), "{:#?}", result.goals);
}

#[test]
fn runaway_memory_and_recursion_are_faults() {
    let result = test(
        "#include <stdlib.h>
int f(int x) {
    if (x == 1) return f(x) + 1;
    if (x == 2) for (;;) { char *p = malloc(1 << 20); for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; }
    return 0;
}",
    );
    let kinds: Vec<&str> = result.faults.iter().map(|fault| fault.kind.name()).collect();
    assert!(kinds.contains(&"stack-overflow"), "{:#?}", result.faults);
    assert_eq!(result.faults.len(), 2, "{kinds:?}");
    assert_eq!(covered(&result), (6, 6));
}

#[test]
fn a_crash_inside_the_library_is_placed_at_the_call() {
    let result = test("#include <stdio.h>\nint f(const char *s) {\n return puts(s);\n}");
    assert!(faults(&result).iter().all(|&(_, line)| line == 3), "{:#?}", result.faults);
}

#[test]
fn a_program_that_dies_before_the_unit_is_an_error_that_says_so() {
    let result = test(
        "#include <stdlib.h>
__attribute__((constructor)) static void early(void) { abort(); }
int f(int x) { return x > 3; }",
    );
    let Status::Error(message) = &result.status else { panic!("{:?}", result.status) };
    assert!(message.contains("before"), "{message}");
}

#[test]
fn freeing_an_input_is_recorded_and_freeing_it_twice_is_a_fault() {
    let result = test(
        "#include <stdlib.h>
int f(int *p, int x) {
    if (!p) return 0;
    free(p);
    if (x == 4) free(p);
    return 1;
}",
    );
    assert_eq!(faults(&result), [("double-free", 5)]);
    let freed =
        |kept: &&tarka_events::KeptRun| kept.executed.observation.objects.iter().any(|left| left.freed);
    assert!(result.kept_runs.iter().filter(freed).any(|kept| kept.end == RunEnd::Returned));
}

/// The faults of `f`, whose body stands behind a guard that random inputs do not pass.
fn guarded(parameters: &str, body: &str) -> Vec<(String, u32)> {
    let text = format!("int f(int key, {parameters}) {{\n if (key != 0x1234567) return 0;\n{body}\n}}");
    let result = test(&text);
    let (done, all) = covered(&result);
    assert_eq!(done, all, "{text}\n{:#?}", result.goals);
    faults(&result).into_iter().map(|(kind, line)| (kind.to_string(), line)).collect()
}

fn one(kind: &str, line: u32) -> Vec<(String, u32)> {
    vec![(kind.to_string(), line)]
}

#[test]
fn undefined_arithmetic_is_found_behind_a_guard() {
    assert_eq!(guarded("int a, int b", "return a + b;"), one("signed-overflow", 3));
    assert_eq!(guarded("int a", "return -a;"), one("signed-overflow", 3));
    assert_eq!(guarded("long a, long b", "return a * b > 5;"), one("signed-overflow", 3));
    assert_eq!(guarded("int a", "if (a < 0) return 1;\nreturn 1 << a;"), one("shift", 4));
    assert_eq!(guarded("int a, unsigned n", "if (a < 1) return 1;\nreturn a >> n;"), one("shift", 4));
    assert_eq!(guarded("double d", "return (int)d;"), one("float-conversion", 3));
    assert_eq!(guarded("unsigned x", "return __builtin_ctz(x);"), one("undefined-behaviour", 3));
    assert_eq!(
        guarded("int x", "if (x == 77)\n __builtin_unreachable();\nreturn x;"),
        one("undefined-behaviour", 4)
    );
}

#[test]
fn undefined_pointers_are_found_behind_a_guard() {
    let far = "static char a[8];\nreturn a + n != a;";
    assert_eq!(guarded("unsigned long n", far), one("pointer-arithmetic", 4));
    assert_eq!(guarded("char *p, unsigned long n", "return p + n != p;"), [], "nothing has so many elements");
    let past = "static char a[8];\nchar *p = a + n;\nreturn p != a;";
    assert_eq!(guarded("unsigned n", past), one("pointer-arithmetic", 4));
    let misaligned =
        "static char a[64] __attribute__((aligned(8)));\nif (n > 20) return 0;\nreturn *(int *)(a + n);";
    assert_eq!(guarded("unsigned n", misaligned), one("misaligned", 5));
    let index = "static struct { int a[4], b[4]; } s;\nif (i > 7) return 0;\nreturn s.a[i];";
    assert_eq!(guarded("unsigned i", index), one("out-of-bounds", 5), "inside the struct, outside the array");
}

#[test]
fn the_two_faults_of_a_division_are_told_apart() {
    let both = guarded("int a, int b", "return a / b;");
    assert_eq!(both, [("division-by-zero".to_string(), 3), ("division-overflow".to_string(), 3)]);
    assert_eq!(guarded("int a, int b", "if (!b) return 1;\nreturn a % b;"), one("division-overflow", 4));
    assert_eq!(guarded("unsigned a, unsigned b", "return a % b > 1;"), one("division-by-zero", 3));
}

#[test]
fn what_is_not_symbolic_is_told_apart_as_well() {
    let concrete = "volatile int one = -1, least = -2147483647 - 1, none = 0;\nif (x == 3)\n return least / one;\nif (x == 4)\n return least / none;";
    let mut found = guarded("int x", &format!("{concrete}\nreturn 0;"));
    found.sort();
    assert_eq!(found, [("division-by-zero".to_string(), 7), ("division-overflow".to_string(), 5)]);
}

#[test]
fn what_is_guarded_correctly_is_no_fault() {
    let text = "#include <limits.h>
int f(int a, int b, int i, double d, unsigned n) {
    static int t[10];
    if (b > 0 ? a > INT_MAX - b : a < INT_MIN - b) return 0;
    int sum = a + b;
    if (b == 0 || (a == INT_MIN && b == -1)) return 1;
    sum ^= a / b;
    if (!(d > -1e9 && d < 1e9) || n >= 31 || i < 0 || i >= 10) return 2;
    return sum ^ (int)d ^ (1 << n) ^ t[i] ^ (int)((unsigned)a * 31u);
}";
    let result = test(text);
    assert_eq!(faults(&result), [], "{:#?}", result.faults);
}

#[test]
fn a_sum_overflows_in_a_later_round_of_its_loop() {
    let text = "int f(const int *a, unsigned n) {
    int sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += a[i];
    return sum;
}";
    let result = test(text);
    assert!(faults(&result).contains(&("signed-overflow", 4)), "{:#?}", result.faults);
    let hash = "int f(const char *s) {
    int h = 7;
    while (*s) h = h * 31 + *s++;
    return h;
}";
    let result = test(hash);
    assert!(faults(&result).contains(&("signed-overflow", 3)), "{:#?}", result.faults);
}

#[test]
fn the_program_goes_on_after_undefined_arithmetic_and_may_fail_again() {
    let text = "int f(int a, int b) {
    int sum = a + 1;
    if (sum == -2147483647 - 1) {
        return b << 40;
    }
    return 0;
}";
    let result = test(text);
    let mut found = faults(&result);
    found.sort();
    assert_eq!(found, [("shift", 4), ("signed-overflow", 2)], "{:#?}", result.faults);
    assert_eq!(covered(&result), (2, 2));
    let shift = result.faults.iter().find(|fault| fault.kind == FaultKind::Shift).expect("it was found");
    assert_eq!(c::int_param(&shift.executed, 0), i32::MAX, "one run shows both");
}

#[test]
fn a_message_says_what_happened() {
    let result = test("int f(int a, int b) {\n return a * b;\n}");
    assert_eq!(result.faults[0].message, "the product does not fit int: `return a * b;`");
}

#[test]
fn kinds_that_are_switched_off_are_not_reported() {
    let text = "int f(int a, int b) {\n if (a == 5) return 9 / b;\n return a + b;\n}";
    let off = |kinds: &[FaultKind]| {
        let faults = kinds.iter().fold(FaultSet::default(), |set, &kind| set.without(kind));
        test_with(text, &Options { faults, ..Options::default() })
    };
    let result = off(&[FaultKind::SignedOverflow]);
    assert_eq!(faults(&result), [("division-by-zero", 2)]);
    let result = off(&[FaultKind::SignedOverflow, FaultKind::DivisionByZero]);
    assert_eq!(faults(&result), []);
    assert!(result.kept_runs.iter().all(|kept| !matches!(kept.end, RunEnd::Fault(_))));
    let none = test_with(text, &Options { faults: FaultSet::NONE, ..Options::default() });
    assert_eq!(faults(&none), []);
    assert_eq!((covered(&none), none.status), ((2, 2), Status::Complete));
}

#[test]
fn what_c_defines_is_looked_for_when_it_is_asked_for() {
    let text = "int f(unsigned a, int b, double d) {
    unsigned sum = a + 3;
    unsigned char low = b;
    return sum > low && 1 / d > 3;
}";
    assert_eq!(faults(&test(text)), []);
    let all = test_with(text, &Options { faults: FaultSet::all(), ..Options::default() });
    let mut found = faults(&all);
    found.sort();
    assert_eq!(found, [("float-division", 4), ("implicit-conversion", 3), ("unsigned-overflow", 2)]);
}

#[test]
fn a_branch_first_reached_by_an_overflow_gets_a_run_without_one() {
    // The first input found for the branch overflows `a * a`; a small one takes it as well.
    let text = "int f(int a, int b) {
    int square = a * a;
    if (a > 40000 || a == 7)
        return square > 48 ? b : 3;
    return 0;
}";
    let result = test(text);
    assert_eq!(faults(&result).first(), Some(&("signed-overflow", 2)), "{:#?}", result.faults);
    let well = |kept: &&tarka_events::KeptRun| kept.end == RunEnd::Returned;
    let mut shown: Vec<u32> =
        result.kept_runs.iter().filter(well).flat_map(|kept| kept.covers.clone()).collect();
    shown.sort();
    shown.dedup();
    let (done, _) = covered(&result);
    assert!(shown.len() + 2 > done, "what an overflow covered, a good run covers too: {shown:?} of {done}");
}

/// A called function aborts behind a comparison that takes Z3 some work.
const BEHIND_A_HARD_QUESTION: &str = "#include <stdlib.h>
static int samples_of(unsigned mode, unsigned parameter) {
    switch (mode) {
    case 0: return 0;
    case 1: case 2: return (int)(parameter & 0xff);
    case 3: return (int)(parameter >> 4 & 0xff) + 1;
    case 4: return 64;
    default: abort();
    }
}
int block_samples(unsigned header, unsigned parameter, unsigned check) {
    unsigned mode = header & 0xf;
    if (header >> 16 != 0x6ec0u || (header >> 4 & 0xfff) != (check & 0xfff)) return -1;
    if (check >> 12 != ((parameter ^ header) & 0xfffffu)) return -1;
    if (mode > 6) return -2;
    return samples_of(mode, parameter);
}";

#[test]
fn a_unit_is_complete_only_if_the_way_to_a_failing_callee_has_an_answer() {
    // How much the solver gets done in so little time depends on the machine; what is said of it does not.
    for milliseconds in [30, 60, 100, 200, 300, 600, 4000] {
        let options = Options { time: Some(Duration::from_millis(milliseconds)), ..Options::default() };
        let result = test_with(BEHIND_A_HARD_QUESTION, &options);
        let found = faults(&result);
        match result.status {
            Status::Complete => assert_eq!(found, [("abort", 8)], "{milliseconds} ms"),
            _ => assert_eq!(found, [], "{milliseconds} ms"),
        }
        assert!(milliseconds < 4000 || result.status == Status::Complete, "there is time enough");
    }
}
