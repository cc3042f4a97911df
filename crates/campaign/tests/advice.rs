//! Advice that works: each case has a goal that stays open with an advice, and the same unit after the advice was followed,
//! in which the goal is covered or proved infeasible.

use std::time::Duration;

use crate::c::{Unit, assuming};
use tarka_campaign::Options;
use tarka_events::{Goal, UnitResult, Verdict};
use tarka_scenario::Role;
use tarka_source::LibraryInput;

/// The only open side with this text.
fn open<'r>(result: &'r UnitResult, text: &str) -> &'r Goal {
    let is_open = |goal: &&Goal| goal.text == text && matches!(goal.verdict, Verdict::Unknown { .. });
    result.goals.iter().find(is_open).unwrap_or_else(|| panic!("`{text}` is not open: {:#?}", result.goals))
}

fn advice<'r>(result: &'r UnitResult, text: &str) -> &'r str {
    match &open(result, text).verdict {
        Verdict::Unknown { advice: Some(advice), .. } => advice,
        verdict => panic!("no advice: {verdict:?}"),
    }
}

/// Tests `f`, which need not be the only function.
fn f(text: &str, options: &Options) -> UnitResult {
    let results = Unit::new(text).test_all(options);
    results.into_iter().find(|result| result.function == "f").expect("the text defines f")
}

/// The goal is open and advised `advised`; once that is followed, no side of a condition with this text is open.
fn works(text: &str, goal: &str, advised: &str, followed: (&str, &Options)) {
    works_from((text, &Options::default()), goal, advised, followed);
}

fn works_from((text, options): (&str, &Options), goal: &str, advised: &str, followed: (&str, &Options)) {
    let before = f(text, options);
    assert!(advice(&before, goal).contains(advised), "{:#?}", open(&before, goal).verdict);
    let after = f(followed.0, followed.1);
    let same: Vec<&Goal> = after.goals.iter().filter(|known| known.text == goal).collect();
    assert!(!same.is_empty(), "`{goal}` is gone: {:#?}", after.goals);
    let is_settled = |goal: &&Goal| !matches!(goal.verdict, Verdict::Unknown { .. });
    assert!(same.iter().all(is_settled), "after `{advised}`: {same:#?}");
}

/// Options with something set as `tarka.toml` sets it.
fn bounds(set: impl Fn(&mut tarka_settings::BoundsGiven)) -> Options {
    let mut options = Options::default();
    set(&mut options.settings.bounds);
    options
}

fn env(inputs: &[LibraryInput]) -> Options {
    Options { library_inputs: inputs.to_vec(), ..Options::default() }
}

#[test]
fn more_runs_and_more_time() {
    let text = "int f(int n) { if (n == 77) return 1; if (n == 78) return 2; return 0; }";
    let few = Options { runs: Some(1), ..Options::default() };
    works_from(
        (text, &few),
        "n == 78",
        "`-n 100`",
        (text, &Options { runs: Some(100), ..Options::default() }),
    );
    let short = Options { time: Some(Duration::ZERO), ..Options::default() };
    let longer = Options { time: Some(Duration::from_secs(10)), ..Options::default() };
    works_from((text, &short), "n == 78", "`-t 10`", (text, &longer));
}

#[test]
fn a_part_of_the_input_is_fixed_for_the_solver() {
    let text = "int f(unsigned long long a, unsigned long long b) {
        if (a < 2 || b < 2) return 0;
        if ((unsigned __int128)a * b == (unsigned __int128)0xffffffffffffffc5u * 0xffffffffffffffadu) return 1;
        return 0;
    }";
    let goal = "(unsigned __int128)a * b == (unsigned __int128)0xffffffffffffffc5u * 0xffffff...";
    works(text, goal, "fix a part of the inputs", (text, &assuming(&["a == 0xffffffffffffffc5u"])));
}

#[test]
fn a_function_whose_inside_is_not_known_is_defined() {
    let text = "double tgamma(double); int f(double x) { if (tgamma(x) == 120.0) return 1; return 0; }";
    let defined = "double tgamma(double x) { return 24 * x; }
        int f(double x) { if (tgamma(x) == 120.0) return 1; return 0; }";
    works(text, "tgamma(x) == 120.0", "define `tgamma` in the file", (defined, &Options::default()));
    let text = "void change(void); static int known;
        int f(int n) { known = n; change(); if (known == n) return 0; return 1; }";
    let defined = "static int known; void change(void) { known++; }
        int f(int n) { if (n > 9) return 0; known = n; change(); if (known == n) return 0; return 1; }";
    works(text, "known == n", "define `change` in the file", (defined, &Options::default()));
}

#[test]
fn answers_of_the_library_become_inputs() {
    // Two runs find out that an answer decides; there is none left to try others.
    let few = |inputs: &[LibraryInput]| Options { runs: Some(2), ..env(inputs) };
    let text = "#include <stdlib.h>
        int f(int n) { const char *home = getenv(\"TARKA_NOT_SET\"); if (home) return n; return 0; }";
    works_from((text, &few(&[])), "home", "`--env all`", (text, &env(&LibraryInput::ALL)));
    let text = "#include <unistd.h>
        int f(int fd) { char b[8]; if (read(fd, b, 8) < 3) return 0; if (b[2] == 'x') return 1; return 2; }";
    works_from((text, &few(&[])), "b[2] == 'x'", "`--env read`", (text, &env(&[LibraryInput::Read])));
}

#[test]
fn a_bound_of_inputs_is_raised() {
    let text = "struct node { struct node *next; };
        int f(const struct node *n) { int i = 0; while (n) { i++; n = n->next; } if (i == 12) return 1; return 0; }";
    works(text, "i == 12", "`depth = 16`", (text, &bounds(|bounds| bounds.depth = Some(16))));
    let text = "#include <string.h>\nint f(const char *s) { if (strlen(s) == 300) return 1; return 0; }";
    works(text, "strlen(s) == 300", "`string = 1024`", (text, &bounds(|bounds| bounds.string = Some(1024))));
    let text = "int sensor(void);
        int f(void) {
            int good = 0;
            for (int i = 0; i < 12; i++) good += sensor() > 100;
            if (good == 12) return 1;
            return 0;
        }";
    works(text, "good == 12", "`stub_calls = 16`", (text, &bounds(|bounds| bounds.stub_calls = Some(16))));
    let text = "int f(int step) {
            static int total;
            if (step < 0 || step > 2) return -1;
            total += step;
            if (total > 10) return 1;
            return 0;
        }";
    works(text, "total > 10", "`calls = 8`", (text, &bounds(|bounds| bounds.calls = Some(8))));
    let text = "int f(const int *v) { int i = 3; i *= 100; if (v[i] == 7) return 1; return 0; }";
    works(text, "v[i] == 7", "elements = 1024", (text, &bounds(|bounds| bounds.elements = Some(1024))));
}

#[test]
fn what_is_only_declared_is_defined() {
    let text = "extern const int table[4]; int f(unsigned n) { if (table[n & 3] == 9) return 1; return 0; }";
    let defined =
        "const int table[4] = { 1, 9 }; int f(unsigned n) { if (table[n & 3] == 9) return 1; return 0; }";
    works(text, "table[n & 3] == 9", "define `table` in the file", (defined, &Options::default()));
}

#[test]
fn a_fault_is_fixed_or_ruled_out() {
    let text = "int f(const int *p) { int v = *p; if (!p) return -1; return v > 3; }";
    let advised = "fix the fault, or rule it out with `--assume`";
    works(text, "!p", advised, (text, &assuming(&["p != 0"])));
    let fixed = "int f(const int *p) { if (!p) return -1; int v = *p; return v > 3; }";
    works(text, "!p", advised, (fixed, &Options::default()));
}

#[test]
fn runs_are_kept_short() {
    let text = "int f(unsigned n) { if (n == 77) while (n) n |= 1; if (n == 78) return 1; return 0; }";
    let before = f(text, &Options::default());
    assert!(advice(&before, "n").contains("keep runs short with `--assume`"), "{:#?}", before.goals);
    let after = f(text, &assuming(&["n != 77"]));
    let is_open = |goal: &Goal| matches!(goal.verdict, Verdict::Unknown { .. });
    assert!(!after.goals.iter().any(is_open), "{:#?}", after.goals);
}

#[test]
fn pointers_are_said_to_be_equal() {
    let text = "struct cell { int value; };
        int f(const struct cell *a, const struct cell *b) {
            if (!a || !b) return -1;
            if (a->value == 3 && b->value == 4) { if (a == b) return 1; return 2; }
            return 0;
        }";
    works(text, "a == b", "for example `p == q`", (text, &assuming(&["a == b"])));
}

#[test]
fn a_pointer_that_is_only_a_number_is_taken_as_one() {
    let text = "int f(const char *p) { if ((unsigned long)p >= -4095ul) return 1; return 0; }";
    let number = "int f(unsigned long p) { if ((unsigned long)p >= -4095ul) return 1; return 0; }";
    let advised = "take it as an integer (`uintptr_t`)";
    works(text, "(unsigned long)p >= -4095ul", advised, (number, &Options::default()));
}

#[test]
fn what_may_change_is_read_once() {
    let text = "volatile int flag; int f(void) { if (flag == 1) { if (flag == 2) return 1; } return 0; }";
    let once = "int f(int flag) { if (flag == 1) { if (flag == 2) return 1; } return 0; }";
    works(text, "flag == 2", "take it as a parameter", (once, &Options::default()));
    let text = "#include <errno.h>\nint f(int n) { if (errno == 5) return 1; return n > 3; }";
    let set = "#include <errno.h>\nint f(int n) { errno = n; if (errno == 5) return 1; return n > 3; }";
    works(text, "errno == 5", "set `errno` before it is read", (set, &Options::default()));
}

#[test]
fn what_cannot_be_followed_is_written_differently() {
    let text = "int f(unsigned op) {
            const void *const table[] = {&&stop, &&go};
            if (op > 1) return -1;
            goto *table[op];
        go: if (op == 0) return 2;
            return 1;
        stop: return 0;
        }";
    let switched = "int f(unsigned op) {
            if (op > 1) return -1;
            switch (op) { case 0: goto stop; default: goto go; }
        go: if (op == 0) return 2;
            return 1;
        stop: return 0;
        }";
    works(text, "op == 0", "write it without that operation", (switched, &Options::default()));
}

/// Every goal of `f` is covered, without any option.
fn is_covered_unasked(text: &str) {
    let result = f(text, &Options::default());
    let left: Vec<_> =
        result.goals.iter().filter(|goal| !matches!(goal.verdict, Verdict::Covered { .. })).collect();
    assert!(left.is_empty(), "{text}: {left:#?}");
}

#[test]
fn a_failing_allocation_needs_no_advice() {
    for allocates in ["malloc(8)", "calloc(2, 4)", "realloc(0, 8)", "strdup(\"text\")"] {
        is_covered_unasked(&format!(
            "#include <stdlib.h>\n#include <string.h>
             int f(int n) {{ char *p = {allocates}; if (!p) return -1; free(p); return n > 3 ? 1 : 0; }}"
        ));
    }
}

#[test]
fn what_the_library_answers_needs_no_advice() {
    for (header, decides) in [
        ("stdlib.h", "getenv(\"TARKA_NOT_SET\") != 0"),
        ("time.h", "time(0) > 4000000000l"),
        ("stdlib.h", "rand() == 77"),
        ("stdio.h", "getc(stdin) == 'x'"),
        ("unistd.h", "access(\"/\", 0) != 0"),
        ("unistd.h", "isatty(n) == 1"),
    ] {
        is_covered_unasked(&format!(
            "#include <{header}>\nint f(int n) {{ if ({decides}) return 1; return n > 3 ? 2 : 0; }}"
        ));
    }
    is_covered_unasked(
        "#include <sys/stat.h>
         int f(const char *path) {
             struct stat s;
             if (stat(path, &s) != 0) return -1;
             if (S_ISDIR(s.st_mode)) return 1;
             return s.st_size > 100 ? 2 : 3;
         }",
    );
}

#[test]
fn tests_with_and_without_answers_stand_together() {
    // Only the real clock has moved a little when it is asked twice; only another one goes back.
    is_covered_unasked(
        "#include <time.h>
         int f(int n) {
             time_t first = time(0), second = time(0);
             if (first < 1000) return 1;
             if (second < first) return 2;
             return n == 12345 ? 3 : 4;
         }",
    );
}

#[test]
fn a_fault_of_the_first_search_keeps_what_its_stubs_answered() {
    let text = "#include <stdio.h>
         int other(int); int sensor(void);
         int f(int *p) {
             int c = getc(stdin), o = other(3);
             if (c == 'x') return o == 9;
             if (sensor() == 7) return *p;
             return 0;
         }";
    let result = f(text, &Options::default());
    let [fault] = &result.faults[..] else { panic!("{:#?}", result.faults) };
    let answers = fault.executed.scenario.objects.iter().filter_map(|object| match object.role {
        Role::Stub { stub, .. } if object.bytes[0] != 0 => Some(result.stubs[stub as usize].name.as_str()),
        _ => None,
    });
    assert_eq!(answers.collect::<Vec<_>>(), ["sensor"]);
}

#[test]
fn a_fault_behind_a_failing_allocation_is_told_when_somebody_asks_for_it() {
    let text = "#include <stdlib.h>
         int f(int n) { char *p = malloc(8); if (!p) abort(); *p = 1; free(p); return n > 3; }";
    let result = f(text, &Options::default());
    assert!(result.faults.is_empty(), "{:#?}", result.faults);
    assert!(advice(&result, "!p").contains("`--env alloc`"), "{:#?}", result.goals);
    let asked = f(text, &env(&[LibraryInput::Alloc]));
    assert_eq!(asked.faults.len(), 1);
    assert!(
        asked.goals.iter().all(|goal| matches!(goal.verdict, Verdict::Covered { .. })),
        "{:#?}",
        asked.goals
    );
}

#[test]
fn causes_name_only_functions_that_the_unit_may_call() {
    let text = "#include <stdlib.h>
         double tgamma(double);
         static int other(int n) { return tgamma(n) > 3; }
         int (*const table[])(int) = { other };
         int f(unsigned char n) { int *p = malloc(4); int r = 0; if (p) { *p = n; r = *p > 300; } free(p); return r; }";
    let result = f(text, &Options::default());
    for goal in &result.goals {
        let told = format!("{:?}", goal.verdict);
        assert!(!told.contains("tgamma"), "{told}");
    }
}
