//! A refuted proof leaves a program that takes what was called infeasible, and says whether it was seen to.

use crate::unit::Bench;
use tarka_events::{KeptRun, Refuted, RunEnd, WrittenRefuted};
use tarka_source::Evidence;

/// The file for `f(argument)`, refuting that the true side of the only condition is infeasible.
fn file_of(source: &str, argument: i32) -> (String, WrittenRefuted) {
    let mut bench = Bench::new(source, "f");
    let run = KeptRun {
        run: 0,
        executed: bench.input().param(&argument.to_le_bytes()).make(),
        covers: Vec::new(),
        evidence: Evidence::default(),
        end: RunEnd::Returned,
    };
    bench.unit.refuted.push(Refuted {
        goal: bench.unit.goals[0].id.clone(),
        claim: "exhausted: every path was explored (2 runs)".into(),
        file: "refuted_f_1.c".into(),
        run,
    });
    let written = bench.write().refuted.remove(0);
    (bench.read("f/refuted_f_1.c"), written)
}

const SOURCE: &str =
    "int sensor(int);\nint f(int x)\n{\n    if (x == 77)\n        return sensor(x);\n    return 0;\n}\n";

#[test]
fn the_program_takes_it_and_says_what_was_said() {
    let (text, written) = file_of(SOURCE, 77);
    assert!(written.confirmed, "{text}");
    assert_eq!(written.path.as_deref(), Some("f/refuted_f_1.c"));
    assert_eq!(written.inputs, [("x".to_string(), "77".to_string())]);
    assert!(text.contains("Called infeasible: unit.c:4: `x == 77` is true (exhausted: every path"), "{text}");
    assert!(text.contains("Tarka saw this program take it.") && text.contains("f(77)"), "{text}");
}

#[test]
fn one_that_does_not_take_it_is_written_all_the_same() {
    let (text, written) = file_of(SOURCE, 3);
    assert!(!written.confirmed && text.contains("Nobody has seen this program take it yet."), "{text}");
}
