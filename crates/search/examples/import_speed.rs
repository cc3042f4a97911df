//! What import costs a run: `cargo run --release -p tarka-search --example import_speed`
//!
//! Hand-made runs of a parser-like loop, each of which differs from the one before in its last records: all labels of
//! the path are asked for, alone and with what the run before left.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a measurement prints, and needs a clock"
)]

use std::time::{Duration, Instant};

use tarka_search::{Importer, Imports, RunTrace};
use tarka_terms::Terms;
use tarka_trace::{Node, Op, input_label, node_label};

const RUNS: u32 = 200;
const STEPS: u32 = 2_000;
/// Steps at the end that are another run's.
const OWN: u32 = 100;

/// The records of a run, and the labels its branches depend on.
fn run(number: u32) -> (Vec<Node>, Vec<u32>) {
    let (mut nodes, mut branches) = (Vec::new(), Vec::new());
    let mut add = |op: Op, width, a, b, c| {
        nodes.push(Node { op: op as u8, pad: 0, width, a, b, c });
        node_label(nodes.len() as u32 - 1)
    };
    let mut sum = add(Op::ZExt, 32, input_label(0), 0, 0);
    for step in 0..STEPS {
        let own = if step + OWN > STEPS { number } else { 0 };
        let byte = add(Op::ZExt, 32, input_label(step), 0, 0);
        let limit = add(Op::Const, 32, 0, 48 + step % 7 + own, 0);
        branches.push(add(Op::Slt, 1, byte, limit, 0));
        let digit = add(Op::Sub, 32, byte, limit, 0);
        let ten = add(Op::Const, 32, 0, 10 + step, 0);
        let product = add(Op::Mul, 32, sum, ten, 0);
        sum = add(Op::Add, 32, product, digit, 0);
        let low = add(Op::Extract, 8, sum, 0, 0);
        branches.push(add(Op::Eq, 1, low, input_label(step + 1), 0));
    }
    (nodes, branches)
}

fn main() {
    let runs: Vec<_> = (0..RUNS).map(run).collect();
    let labels = runs[0].0.len() as f64;
    for shared in [false, true] {
        let (mut terms, mut before, mut time) = (Terms::new(), Imports::default(), Duration::ZERO);
        for (number, (nodes, branches)) in runs.iter().enumerate() {
            let input: &[u8] = &[];
            let trace = RunTrace { events: &[], nodes, tables: &[], input: &input };
            let start = Instant::now();
            let left = if shared { std::mem::take(&mut before) } else { Imports::default() };
            let mut importer = Importer::after(left, &terms, &trace);
            for label in branches {
                importer.import(&mut terms, *label);
            }
            before = importer.into_imports();
            // The first run has nobody to share with.
            if number > 0 {
                time += start.elapsed();
            }
        }
        let per_run = time.as_secs_f64() / f64::from(RUNS - 1);
        let how = if shared { "after the run before" } else { "alone" };
        println!(
            "import of {labels} labels, {how}: {:.0} us a run, {:.1} ns a label",
            per_run * 1e6,
            per_run * 1e9 / labels
        );
    }
}
