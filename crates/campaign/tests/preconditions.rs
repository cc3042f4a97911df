//! Preconditions: inputs that break one are neither tests nor faults, and contradictions are named.

use crate::c::{assuming, covered, int_param, open, test, test_with};
use tarka_events::{RunEnd, Status, Verdict};

#[test]
fn no_kept_run_breaks_a_precondition() {
    let text = "int f(int n) { if (n == 100) return 1; if (n < 0) return 2; return 100 / (n - 20); }";
    let result = test_with(text, &assuming(&["n >= 3 && n <= 16"]));
    assert!(result.faults.is_empty(), "{:#?}", result.faults);
    assert!(!result.kept_runs.is_empty());
    for kept in &result.kept_runs {
        assert_ne!(kept.end, RunEnd::Precondition);
        assert!((3..=16).contains(&int_param(&kept.executed, 0)), "{:#?}", kept.executed);
    }
    assert_eq!(covered(&result), (2, 4), "{:#?}", result.goals);
    assert_eq!(result.status, Status::Complete, "{:#?}", open(&result));
    for reason in open(&result) {
        assert!(reason.contains("that the preconditions allow: `n >= 3 && n <= 16` (--assume)"), "{reason}");
    }
}

#[test]
fn a_unit_without_branches_is_run_on_an_input_that_meets_its_precondition() {
    let result = test_with("int f(int n) { return n * 2; }", &assuming(&["n == 1234"]));
    assert_eq!(result.kept_runs.len(), 1, "{result:#?}");
    assert_eq!(int_param(&result.kept_runs[0].executed, 0), 1234);
    assert_eq!(result.status, Status::Complete);
}

#[test]
fn contradictory_preconditions_are_an_error_that_names_them() {
    let result = test_with("int f(int n) { return n > 3 ? 1 : 0; }", &assuming(&["n > 5", "n < 3"]));
    let Status::Error(message) = &result.status else { panic!("{:?}", result.status) };
    assert!(
        message.starts_with(
            "the preconditions of `f` contradict each other: `n > 5` (--assume), `n < 3` (--assume)"
        ),
        "{message}"
    );
    assert!(result.kept_runs.is_empty());
}

#[test]
fn an_impossible_precondition_is_an_error_that_names_it() {
    let result = test_with("int f(int n) { return n; }", &assuming(&["n != n"]));
    let Status::Error(message) = &result.status else { panic!("{:?}", result.status) };
    assert!(message.contains("`n != n` (--assume)"), "{message}");
}

#[test]
fn a_precondition_that_only_the_solver_cannot_meet_is_not_called_a_contradiction() {
    // A product of two large primes: true for some inputs, and out of reach.
    let text = "int f(unsigned long long a, unsigned long long b) { return a > b ? 1 : 0; }";
    let options = assuming(&[
        "a > 1 && b > 1 && (unsigned __int128)a * b == (unsigned __int128)0xffffffffffffffc5u * 0xffffffffffffffadu",
    ]);
    let result = test_with(
        text,
        &tarka_campaign::Options { time: Some(std::time::Duration::from_secs(5)), ..options },
    );
    if let Status::Error(message) = &result.status {
        assert!(message.starts_with("no input was found that meets the precondition of `f`"), "{message}");
    } else {
        assert!(!result.kept_runs.is_empty());
    }
}

#[test]
fn an_assertion_at_the_entry_is_a_precondition_and_one_further_down_is_not() {
    let result = test(
        "#include <assert.h>
int f(int n, int m) {
    assert(n > 0 && n < 10);
    if (n == 5) return 1;
    assert(m != 3);
    return 0;
}",
    );
    let faults: Vec<(&str, u32)> =
        result.faults.iter().map(|fault| (fault.kind.name(), fault.place.line)).collect();
    assert_eq!(faults, [("assertion", 5)], "{:#?}", result.faults);
    for kept in &result.kept_runs {
        assert!((1..10).contains(&int_param(&kept.executed, 0)), "{:#?}", kept.executed);
    }
    for text in ["n > 0", "n < 10"] {
        let goal = result.goals.iter().find(|goal| goal.text == text && goal.id.ends_with(":0")).unwrap();
        let Verdict::Infeasible { reason, .. } = &goal.verdict else { panic!("{:?}", goal.verdict) };
        assert!(reason.starts_with("excluded by the precondition `assert(n > 0 && n < 10)`"), "{reason}");
    }
    assert_eq!(result.status, Status::Complete, "{:#?}", open(&result));
}

#[test]
fn a_promise_to_the_compiler_is_a_precondition() {
    let result = test(
        "int f(int n) {
            __builtin_assume(n > 40);
            if (n < 50) return 1;
            return 0;
        }",
    );
    assert_eq!(covered(&result), (2, 2), "{:#?}", open(&result));
    for kept in &result.kept_runs {
        assert!(int_param(&kept.executed, 0) > 40, "{:#?}", kept.executed);
    }
}

#[test]
fn a_precondition_that_follows_a_pointer_makes_it_lead_somewhere() {
    let text = "struct box { int size; };
         int f(const struct box *b) { return b->size > 3 ? 1 : 0; }";
    let result = test_with(text, &assuming(&["b->size > 0"]));
    assert_eq!(covered(&result), (2, 2), "{:#?}", open(&result));
    assert!(result.faults.is_empty(), "{:#?}", result.faults);
}

#[test]
fn assertions_that_contradict_each_other_are_named_both() {
    let result = test("#include <assert.h>\nint f(int x) { assert(x > 5); assert(x < 3); return x == 4; }");
    let Status::Error(message) = &result.status else { panic!("{:?}", result.status) };
    assert!(message.contains("`assert(x > 5)`") && message.contains("`assert(x < 3)`"), "{message}");
}
