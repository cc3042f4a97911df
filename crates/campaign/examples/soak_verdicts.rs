//! `make soak`: random functions, and a million random inputs for each that has a goal called infeasible.
//!
//! Takes a number of functions (and optionally the first seed). Prints every branch side, statement, decision and condition
//! of one that was covered though it is called infeasible, with the seed, and a summary for each criterion.
#![allow(clippy::disallowed_macros)] // a test bench prints

#[path = "../tests/random/mod.rs"]
mod random;

use std::error::Error;
use std::process::ExitCode;

use tarka_campaign::Options;
use tarka_search::Rng;
use tarka_source::Criterion;

use random::{Trial, check, program};

/// Functions in one file: a build serves all of them.
const TOGETHER: u64 = 8;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let count = numbers.next().transpose()?.unwrap_or(200);
    let first = numbers.next().transpose()?.unwrap_or(1);
    let mut wrong = 0;
    for criterion in [Criterion::Branch, Criterion::Statement, Criterion::Mcdc] {
        wrong += soak(criterion, count, first)?;
    }
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tries the functions under one criterion; gives how many verdicts were wrong.
fn soak(criterion: Criterion, count: u64, first: u64) -> Result<usize, Box<dyn Error>> {
    let (mut goals, mut covered, mut infeasible, mut wrong) = (0, 0, 0, 0);
    for seed in first..first + count.div_ceil(TOGETHER) {
        let mut rng = Rng::new(seed);
        let text: String = (0..TOGETHER).map(|number| program::function(number, &mut rng)).collect();
        let options = Options { criterion, runs: Some(200), time: None, seed, ..Options::default() };
        let tally = check(&text, &Trial { options, inputs: 1_000_000, seed, limits: &[] })?;
        for problem in &tally.wrong {
            println!("seed {seed}: {problem}");
        }
        goals += tally.sides;
        covered += tally.covered;
        infeasible += tally.infeasible;
        wrong += tally.wrong.len();
    }
    println!(
        "{count} functions, {goals} {} goals: {covered} covered, {infeasible} called infeasible, {wrong} wrongly",
        criterion.name()
    );
    Ok(wrong)
}
