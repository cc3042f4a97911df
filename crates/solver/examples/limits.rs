//! Questions made to hang: how long they take against their limit, and how much memory against the cap.
//!
//! `cargo run --release -p tarka-solver --example limits`. Fails if one takes more than 1.2 times its limit by the wall clock,
//! or if the process grows by more than the cap.

#![allow(clippy::disallowed_macros)] // an example prints

#[path = "../tests/hanging/mod.rs"]
mod hanging;

use hanging::{HANGING, clauses, peak};
use std::error::Error;
use std::time::{Duration, Instant};
use tarka_solver::smt::{Backend, Limits};
use tarka_solver::z3::Z3;
use tarka_solver::{Deadline, Query, standard};
use tarka_terms::Terms;

/// What a question may take, of what a campaign gives it.
const LIMITS: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(2)];
const CAP: u64 = 256 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut t = Terms::new();
    let large = clauses(&mut t);
    let before = peak();
    let time = Duration::from_secs(60);
    let limits = Limits { time, deadline: Deadline::after(time), memory: CAP };
    let verdict = Z3::new().decide(&t, &large, &limits);
    let grown = peak() - before;
    println!(
        "a question without end and a cap of {} MB: {verdict:?}, grown by {} MB",
        CAP >> 20,
        grown >> 20
    );
    println!("questions made to hang, wall time of the whole chain against the limit (asked: at most 1.2)");
    let mut worst = 0f64;
    for (name, make) in HANGING {
        let ratios = LIMITS.map(|limit| {
            let mut t = Terms::new();
            let mut prefix = make(&mut t);
            let flipped = prefix.pop().unwrap_or_else(|| t.constant(1, 1));
            let query = Query {
                prefix: &prefix,
                flipped,
                domain: &|_, _| None,
                current: &|_| 1,
                time_limit: limit,
                doubles_loop: false,
            };
            let mut solver = standard();
            let start = Instant::now();
            solver.solve(&mut t, &query);
            start.elapsed().as_secs_f64() / limit.as_secs_f64()
        });
        println!("  {name:<10} limit 300 ms: {:.2}   limit 2 s: {:.2}", ratios[0], ratios[1]);
        worst = ratios.into_iter().fold(worst, f64::max);
    }
    match () {
        _ if grown > CAP => Err("more memory than the cap".into()),
        _ if worst > 1.2 => Err("a question took more than 1.2 times its limit".into()),
        _ => Ok(()),
    }
}
