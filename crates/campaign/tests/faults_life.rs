//! Faults in the life of what a unit has: memory that is lost, memory that is read before it is written, and loops
//! without end. Each beside correct code that looks like it.

use std::time::Duration;

use crate::c::{covered, test, test_with};
use tarka_campaign::Options;
use tarka_events::{FaultKind, RunEnd, UnitResult};

/// Lines of the faults of a kind, ascending.
fn lines(result: &UnitResult, kind: FaultKind) -> Vec<u32> {
    let faults = result.faults.iter().filter(|fault| fault.kind == kind);
    let mut lines: Vec<u32> = faults.map(|fault| fault.place.line).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn memory_lost_on_one_way_out_is_found_and_the_run_is_still_a_test() {
    let result = test(
        "#include <stdlib.h>
int f(int n, int key) {
    int *p = malloc(12);
    if (p == 0)
        return -1;
    p[0] = n;
    if (key == 4711)
        return -2;
    n = p[0] + 1u;
    free(p);
    return n;
}",
    );
    assert_eq!(lines(&result, FaultKind::Leak), [3], "{:#?}", result.faults);
    let leak = result.faults.iter().find(|fault| fault.kind == FaultKind::Leak).unwrap();
    assert_eq!(leak.message, "12 bytes allocated here are lost when f() returns: `int *p = malloc(12);`");
    assert_eq!(covered(&result), (4, 4), "malloc() fails unasked");
    assert!(result.kept_runs.iter().all(|kept| kept.end == RunEnd::Returned), "{:?}", result.kept_runs);
}

#[test]
fn memory_that_somebody_still_has_is_not_lost() {
    let result = test(
        "#include <stdlib.h>
struct list { struct list *next; int value; };
struct list *all;
void taken(void *block);
struct list *f(struct list *head, int n) {
    struct list *one = malloc(sizeof *one);
    if (one == 0)
        return 0;
    one->next = 0;
    one->value = n;
    switch (n) {
    case 1: if (head == 0) break; head->next = one; return 0;
    case 2: one->next = all; all = one; return 0;
    case 3: taken(one); return 0;
    case 4: free(one); return 0;
    }
    return one;
}",
    );
    assert_eq!(lines(&result, FaultKind::Leak), [0; 0], "{:#?}", result.faults);
}

/// Time is short, so that a loop without end costs little.
fn loops(text: &str) -> UnitResult {
    let limit = Duration::from_millis(100);
    test_with(text, &Options { run_time_limit: limit, ..Options::default() })
}

#[test]
fn the_loop_that_goes_on_is_named_and_not_the_one_inside_it() {
    let result = loops(
        "static int sum(const int *values, unsigned n) {
    int all = 0;
    for (unsigned i = 0; i < n; i++)
        all ^= values[i];
    return all;
}
int f(int n) {
    static int table[64];
    int found = 0;
    if (n != 77)
        return 0;
    while (found != n) {
        found = sum(table, 64);
        for (int k = 0; k < 50; k++)
            found |= table[k] & 1;
    }
    return 1;
}",
    );
    assert_eq!(lines(&result, FaultKind::Timeout), [12], "{:#?}", result.faults);
    let fault = &result.faults[0];
    assert_eq!(
        fault.message,
        "no end after 100 ms: the loop `while (found != n)` goes on: `while (found != n) {`"
    );
    assert_eq!((fault.function.as_str(), fault.stack.len()), ("f", 1));
}

#[test]
fn a_loop_in_a_function_that_is_called_has_its_place_there() {
    let result = loops(
        "static unsigned skip(unsigned n) {
    unsigned i = 1;
    do
        i += 2;
    while (i != n);
    return i;
}
unsigned f(unsigned n) {
    unsigned all = 0;
    for (unsigned round = 0; round < 2; round++)
        if (n == 4000)
            all += skip(n);
    return all;
}",
    );
    assert_eq!(lines(&result, FaultKind::Timeout), [3], "{:#?}", result.faults);
    let fault = result.faults.iter().find(|fault| fault.kind == FaultKind::Timeout).unwrap();
    assert!(fault.message.contains("`do … while (i != n)`"), "{}", fault.message);
    assert_eq!(fault.stack.len(), 2);
}

#[test]
fn a_value_that_only_some_ways_write_is_found_on_the_others() {
    let result = test(
        "int f(int mode, int n) {
    int limit;
    if (mode == 1234)
        limit = 10;
    else if (mode < 0)
        limit = 20;
    if (n > limit)
        return 1;
    return 0;
}",
    );
    assert_eq!(lines(&result, FaultKind::Uninitialised), [7], "{:#?}", result.faults);
    assert_eq!(result.faults.len(), 1);
    assert_eq!(result.faults[0].message, "memory is read that was never written: `if (n > limit)`");
}

#[test]
fn members_that_are_written_before_they_are_read_raise_no_alarm() {
    let result = test(
        "#include <stdlib.h>
struct item { unsigned kind : 4, big : 1; short count; int *values; };
static int make(struct item *item, int n) {
    if (n < 0 || n > 8)
        return 0;
    item->kind = 3;
    item->big = n > 4;
    item->count = (short)n;
    item->values = malloc(sizeof(int) * 8);
    for (int i = 0; item->values && i < n; i++)
        item->values[i] = i;
    return item->values != 0;
}
int f(int n) {
    struct item item, copy;
    int all = 0;
    if (!make(&item, n))
        return -1;
    copy = item;
    for (int i = 0; i < copy.count; i++)
        all += copy.values[i] + copy.big;
    free(item.values);
    return all;
}",
    );
    assert!(result.faults.is_empty(), "{:#?}", result.faults);
}
