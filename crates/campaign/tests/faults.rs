//! Faults, end to end.

mod c;

use c::{covered, test, test_with};
use tarka_campaign::Options;
use tarka_events::{RunEnd, Status, UnitResult};

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
    assert_eq!(fault.input.objects[1].before[8..16], [0; 8], "n->next is null in the input that shows it");
    assert!(result.kept_runs.iter().any(|kept| kept.end == RunEnd::Returned));
}

#[test]
fn a_division_by_zero_is_tried_for_though_no_branch_needs_it() {
    let result = test("int f(int a, int b) {\n if (a > 0) return 1;\n return 7 / (b - 3);\n}");
    assert_eq!(faults(&result), [("division-by-zero", 3)]);
    assert_eq!(result.faults[0].input.objects[1].before, 3i32.to_le_bytes());
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
    let text = "int f(int x, int y) {
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
    let freed = |kept: &&tarka_events::KeptRun| kept.input.objects.iter().any(|object| object.freed);
    assert!(result.kept_runs.iter().filter(freed).any(|kept| kept.end == RunEnd::Returned));
}
