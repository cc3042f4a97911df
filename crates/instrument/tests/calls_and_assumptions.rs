//! Calls through input pointers and preconditions inside the unit: what the search can flip, and how such runs end.

use crate::support::{Input, Options, Outcome, Program, int, program};
use tarka_instrument::{SiteInfoKind, Symboliser};
use tarka_runner::End;
use tarka_trace::EventKind;

const CHECKED: Options<'static> = Options { self_check: true, globals_as_inputs: false, flags: &[] };

fn checked(program: &Program, input: &Input) -> Outcome {
    let outcome = program.run(input);
    assert_eq!(outcome.mismatches(), Vec::<String>::new(), "labels disagree with the program");
    outcome
}

/// The functions that were called through a symbolic pointer, by address.
fn chosen(outcome: &Outcome) -> Vec<u64> {
    let values = outcome.evaluate();
    outcome
        .events
        .iter()
        .filter(|event| event.kind == EventKind::InternalSwitch as u16)
        .map(|event| {
            let value = u64::from(event.outcome) << 32 | u64::from(event.aux);
            let index = tarka_trace::node_index(event.label).expect("a pointer is a node");
            assert_eq!(values[index as usize] as u64, value, "the label's value is the logged one");
            value
        })
        .collect()
}

#[test]
fn a_call_through_a_symbolic_pointer_logs_whom_it_called() {
    let text = "
        static int twice(int x) { return 2 * x; }
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        static int (*const table[2])(int) = { twice, fib };
        int f(int x, unsigned char i) { if (table[i & 1](x) == 8) return 1; return 0; }";
    let program = program(text, "f", CHECKED);
    let outcome = checked(&program, &Input::of(&[&int(6), &[1]]));
    assert_eq!(outcome.result_i32(), 1);
    assert!(outcome.path().last().is_some_and(|(_, _, symbolic)| *symbolic));
    assert_eq!(chosen(&outcome).len(), 1, "once per call");
    let other = checked(&program, &Input::of(&[&int(6), &[0]]));
    assert_ne!(chosen(&outcome), chosen(&other));
    let event = outcome.events.iter().find(|event| event.kind == EventKind::InternalSwitch as u16);
    let site = &program.build.sites[event.expect("it was logged").site as usize];
    assert_eq!((site.kind, site.what.as_str()), (SiteInfoKind::Internal, "call through a function pointer"));
    assert!(outcome.concretised.is_empty(), "{:?}", outcome.lost());
}

/// The functions of the backtrace, innermost first, and the line of the first.
fn frames(program: &Program, outcome: &Outcome) -> (Vec<String>, u32) {
    let symboliser = Symboliser::open(&program.build.exe, &program.model).expect("debug information");
    let frames: Vec<_> = outcome.backtrace.iter().flat_map(|address| symboliser.frames(*address)).collect();
    let line = frames.first().and_then(|frame| frame.place.as_ref()).map_or(0, |place| place.line);
    (frames.into_iter().map(|frame| frame.function).collect(), line)
}

#[test]
fn a_call_of_a_null_or_wild_pointer_is_placed_at_the_call() {
    let text = "struct ops { int (*run)(int); void (*stop)(void); };\n\
                static void leave(struct ops *o) {\n  o->stop();\n}\n\
                int f(struct ops o, int x) {\n  if (x) leave(&o);\n  return o.run(x);\n}\n";
    let program = program(text, "f", CHECKED);
    let ops = |run: u64, stop: u64| [run.to_le_bytes(), stop.to_le_bytes()].concat();
    for (input, pointer, functions, line) in [
        (Input::of(&[&ops(0, 0), &int(0)]), 0, vec!["f"], 7),
        (Input::of(&[&ops(0, 0), &int(1)]), 0, vec!["leave", "f"], 3),
        (Input::of(&[&ops(0x1234_5678, 0), &int(0)]), 0x1234_5678, vec!["f"], 7),
    ] {
        let outcome = checked(&program, &input);
        assert_eq!(outcome.end, End::Signal { number: 11, address: pointer });
        assert_eq!(chosen(&outcome), [pointer], "logged before the crash");
        let found = frames(&program, &outcome);
        assert_eq!(found, (functions.into_iter().map(str::to_owned).collect(), line));
    }
}

#[test]
fn an_assumption_of_the_unit_is_a_branch_and_ends_runs_that_break_it() {
    let text = "int f(int n) { __builtin_assume(n > 2); __builtin_assume(n < 9 && n != 4); if (n == 5) return 1; return 0; }";
    let program = program(text, "f", CHECKED);
    let ends = |n: i32| {
        let outcome = checked(&program, &Input::of(&[&int(n)]));
        let path: Vec<(String, u16, bool)> = outcome
            .events
            .iter()
            .map(|event| {
                (program.build.sites[event.site as usize].what.clone(), event.outcome, event.label != 0)
            })
            .collect();
        (outcome.end, path)
    };
    let step = |what: &str, outcome| (what.to_owned(), outcome, true);
    let broken = End::Assumption(u32::MAX);
    assert_eq!(ends(2), (broken, vec![step("assumption", 0)]));
    assert_eq!(ends(9), (broken, vec![step("assumption", 1), step("n < 9", 0)]));
    assert_eq!(ends(4), (broken, vec![step("assumption", 1), step("n < 9", 1), step("n != 4", 0)]));
    let met = vec![step("assumption", 1), step("n < 9", 1), step("n != 4", 1), step("n == 5", 1)];
    assert_eq!(ends(5), (End::Returned, met));
}
