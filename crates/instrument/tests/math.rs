//! `docs/floats.md` says what becomes of each call of `math.h`: this asks the targets.

use std::path::Path;

use crate::support::{Input, Options, program};
use tarka_trace::{Op, node_index};

/// The calls of the table's rows that begin with a word.
fn calls(how: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/floats.md");
    let text = std::fs::read_to_string(page).expect("docs/floats.md");
    let rows = text.lines().filter(|line| line.starts_with(&format!("| {how} |")));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A number for each call, so that the comparison with it can be told from the others.
fn mark(number: usize) -> f64 {
    number as f64 + 0.25
}

/// What a run of all these calls left.
struct Ran {
    /// Calls whose result has no label.
    unlabelled: Vec<String>,
    /// Operations that only the C library knows.
    library: usize,
    /// Calls that took a label and gave none.
    concretised: usize,
}

fn run(calls: &[String]) -> Ran {
    let statements: Vec<String> = calls
        .iter()
        .enumerate()
        .map(|(number, call)| format!("count += (double)({call}) < {:?};\n", mark(number)))
        .collect();
    let text = format!(
        "#include <math.h>
         int unit(double x, double y, float f, float g, long double l, int n) {{
             int count = 0, exponent; double whole; float whole_float;
             {}
             return count;
         }}",
        statements.concat()
    );
    let input = Input::of(&[
        &0.75f64.to_le_bytes(),
        &1.5f64.to_le_bytes(),
        &0.75f32.to_le_bytes(),
        &1.5f32.to_le_bytes(),
        &[0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f],
        &3i32.to_le_bytes(),
    ]);
    let outcome = program(&text, "unit", Options::default()).run(&input);
    let node = |label: u32| node_index(label).map(|index| &outcome.nodes[index as usize]);
    let constant = |label: u32| {
        let node = node(label).filter(|node| node.op == Op::Const as u8)?;
        Some(f64::from_bits(u64::from(node.c) << 32 | u64::from(node.b)))
    };
    let is_compared = |number: usize| {
        outcome.nodes.iter().any(|node| node.op == Op::FCmp as u8 && constant(node.b) == Some(mark(number)))
    };
    let library = |node: &&tarka_trace::Node| node.op >= Op::FSin as u8 && node.op <= Op::FRemainder as u8;
    Ran {
        unlabelled: (0..calls.len()).filter(|n| !is_compared(*n)).map(|n| calls[n].clone()).collect(),
        library: outcome.nodes.iter().filter(library).count(),
        concretised: outcome.concretised.len(),
    }
}

#[test]
fn exact_calls_keep_their_labels_and_need_no_library() {
    let calls = calls("exact");
    assert!(calls.len() > 50, "{calls:?}");
    let ran = run(&calls);
    assert!(ran.unlabelled.is_empty(), "{:?}", ran.unlabelled);
    assert_eq!((ran.library, ran.concretised), (0, 0));
}

#[test]
fn searched_calls_are_one_operation_of_the_library_each() {
    let calls = calls("searched");
    assert!(calls.len() > 40, "{calls:?}");
    let ran = run(&calls);
    assert!(ran.unlabelled.is_empty(), "{:?}", ran.unlabelled);
    assert_eq!((ran.library, ran.concretised), (calls.len(), 0));
}

#[test]
fn concretised_calls_are_counted() {
    let calls = calls("concretised");
    assert!(calls.len() > 5, "{calls:?}");
    let ran = run(&calls);
    assert_eq!(ran.unlabelled, calls);
    assert_eq!((ran.library, ran.concretised), (0, calls.len()));
}
