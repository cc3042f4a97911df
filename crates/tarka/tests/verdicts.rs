//! A verdict on every goal, end to end: for each C file of `examples/verdicts/`, every branch side that is not covered has
//! the status and the cause that `examples/verdicts/expected.tsv` names, by hand, and says what to change where something
//! can be changed.

use std::collections::{BTreeMap, VecDeque};
use std::fs;

use crate::judges::{output, report, root, tarka, text};
use serde_json::Value;

/// Function, text and outcome of a side, with its status and cause; of conditions with the same text the first comes first.
type Sides = BTreeMap<(String, String, String), VecDeque<(String, String)>>;

fn expected(file: &str) -> Sides {
    let table = fs::read_to_string(root().join("examples/verdicts/expected.tsv")).expect("expected.tsv");
    let mut sides = Sides::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [of, function, text, outcome, status, cause] = cells[..] else { panic!("six cells in: {line}") };
        if of == file {
            let key = (function.to_string(), text.to_string(), outcome.to_string());
            sides.entry(key).or_default().push_back((status.to_string(), cause.to_string()));
        }
    }
    sides
}

/// What the report says of the sides that are not covered.
fn reported(report: &Value) -> Vec<&Value> {
    let units = report["units"].as_array().expect("units").iter();
    let goals = units.flat_map(|unit| unit["goal_list"].as_array().expect("goals"));
    goals.filter(|goal| goal["status"] != "covered").collect()
}

fn check(file: &str) -> Value {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let source = root().join("examples/verdicts").join(file);
    let mut command = tarka();
    command
        .args(["gen", "--seed", "1", "--runs", "60", "--time", "20", "-o"])
        .arg(scratch.path())
        .arg(&source);
    let result = output(&mut command);
    assert!(matches!(result.status.code(), Some(0 | 1)), "{}", text(&result));
    let report = report(scratch.path());
    let mut left = expected(file);
    for goal in reported(&report) {
        let word = |name: &str| goal[name].as_str().unwrap_or_default().to_string();
        let function = word("id").split(':').next().unwrap_or_default().to_string();
        let key = (function, word("text").replace(' ', ""), word("outcome"));
        let known = left.get_mut(&key).and_then(VecDeque::pop_front);
        let (status, causes) = known.unwrap_or_else(|| panic!("not in the table: {goal:#}"));
        assert_eq!(word("status"), status, "{goal:#}");
        assert!(causes.split('|').any(|cause| cause == word("cause")), "{causes}: {goal:#}");
        assert!(!word("reason").is_empty(), "{goal:#}");
        let can_be_changed = status == "unknown" || causes == "precondition";
        assert_eq!(!word("advice").is_empty(), can_be_changed, "{goal:#}");
    }
    left.retain(|_, sides| !sides.is_empty());
    assert!(left.is_empty(), "covered, against the table: {left:#?}");
    report
}

#[test]
fn all_twelve_dead_sides_among_forty_are_proved_and_the_others_covered() {
    let report = check("forty.c");
    let goals = &report["units"][0]["goals"];
    assert_eq!([&goals["total"], &goals["covered"], &goals["infeasible"]], [40, 28, 12]);
    assert_eq!(report["units"][0]["status"], "complete", "the loop without a bound is no obstacle");
}

#[test]
fn what_cannot_be_decided_names_what_stands_in_the_way() {
    check("blocked.c");
}

#[test]
fn what_a_precondition_rules_out_names_it_and_what_follows_a_fault_names_that() {
    let report = check("assumed.c");
    let reasons: Vec<&str> =
        reported(&report).iter().map(|goal| goal["reason"].as_str().expect("reason")).collect();
    assert!(reasons[0].contains("`n >= 1`") && reasons[0].contains("tarka.toml:4"), "{}", reasons[0]);
    assert!(reasons[1].contains("null-dereference at "), "{}", reasons[1]);
}
