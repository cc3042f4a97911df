//! `make soak`: random functions, and a million random inputs for each that has a side called infeasible.
//!
//! Takes a number of functions (and optionally the first seed). Prints every side that was taken though it is called
//! infeasible, with the seed, and a summary.
#![allow(clippy::disallowed_macros)] // a test bench prints

#[path = "../tests/random/mod.rs"]
mod random;

use std::error::Error;
use std::process::ExitCode;

use tarka_campaign::Options;
use tarka_search::Rng;

use random::{Trial, check, program};

/// Functions in one file: a build serves all of them.
const TOGETHER: u64 = 8;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let count = numbers.next().transpose()?.unwrap_or(200);
    let first = numbers.next().transpose()?.unwrap_or(1);
    let (mut sides, mut covered, mut infeasible, mut wrong) = (0, 0, 0, 0);
    for seed in first..first + count.div_ceil(TOGETHER) {
        let mut rng = Rng::new(seed);
        let text: String = (0..TOGETHER).map(|number| program::function(number, &mut rng)).collect();
        let options = Options { runs: Some(200), time: None, seed, ..Options::default() };
        let tally = check(&text, &Trial { options, inputs: 1_000_000, seed, limits: &[] })?;
        for problem in &tally.wrong {
            println!("seed {seed}: {problem}");
        }
        sides += tally.sides;
        covered += tally.covered;
        infeasible += tally.infeasible;
        wrong += tally.wrong.len();
    }
    println!(
        "{count} functions, {sides} branch sides: {covered} covered, {infeasible} called infeasible, {wrong} of them taken"
    );
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
