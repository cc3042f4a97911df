//! Defects put back: with labels lost and ranges apart, as they once were, many proofs about the traps become wrong. The attack
//! knows nothing of that, and refutes them.

#![allow(clippy::disallowed_macros)] // its figures are worth a look

use std::path::Path;
use std::time::Duration;

use crate::c::Unit;
use tarka_campaign::{Defects, Options};
use tarka_events::{UnitResult, Verdict};

/// The files with functions that promise something and with pointers into one object.
const FILES: [&str; 4] = ["labels.c", "ranges.c", "standard_library.c", "standard_pointers.c"];

/// Proofs that the attack must refute.
const ASKED: usize = 30;

fn run(file: &str, options: &Options) -> Vec<UnitResult> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trust/proofs");
    let text = std::fs::read_to_string(folder.join(file)).expect("a file of traps");
    Unit::new(&text).test_all(options)
}

#[test]
fn the_attack_refutes_what_lost_labels_and_ranges_apart_prove() {
    let defects = Defects { promises_kept: true, ranges_apart: true };
    let (mut wrong, mut refuted, mut left) = (0, 0, Vec::new());
    for file in FILES {
        let attack_time = Duration::from_secs(60);
        let broken = Options { runs: Some(200), jobs: 2, defects, attack_time, ..Options::default() };
        let told = run(file, &Options { attacks: 0, ..broken.clone() });
        let attacked = run(file, &broken);
        for (before, after) in told.iter().zip(&attacked) {
            for (claimed, goal) in before.goals.iter().zip(&after.goals) {
                let is_proof = |verdict: &Verdict| matches!(verdict, Verdict::Infeasible { .. });
                wrong += usize::from(is_proof(&claimed.verdict));
                refuted += usize::from(goal.refutations > 0);
                if is_proof(&goal.verdict) {
                    left.push(format!("{file} {} `{}`", goal.id, goal.text));
                }
            }
        }
    }
    println!("{wrong} proofs, {refuted} refuted, {} left: {left:#?}", left.len());
    assert!(refuted >= ASKED, "{refuted} of {wrong} refuted; left: {left:#?}");
}
