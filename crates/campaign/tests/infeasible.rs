//! Nothing that is called infeasible is ever covered by a million random inputs.
//!
//! A few random functions with fixed seeds, and the example whose dead sides are known; `make soak` tries many more.

use tarka_campaign::Options;
use tarka_search::Rng;
use tarka_settings::{Assume, Origin};
use tarka_source::Criterion;

use crate::random::{Trial, check, program};

const INPUTS: u64 = 1_000_000;

#[test]
fn random_functions_never_take_a_side_that_is_called_infeasible() {
    let mut rng = Rng::new(7);
    let text: String = (0..8).map(|number| program::function(number, &mut rng)).collect();
    let options = Options { runs: Some(150), time: None, ..Options::default() };
    let trial = Trial { options, inputs: INPUTS, seed: 7, limits: &[] };
    let tally = check(&text, &trial).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(tally.wrong.is_empty(), "{:#?}\n{text}", tally.wrong);
    assert!(tally.infeasible >= 10, "a test of proofs needs some: {tally:?}");
}

#[test]
fn nor_do_they_cover_other_goals_that_are() {
    let mut rng = Rng::new(11);
    let text: String = (0..8).map(|number| program::function(number, &mut rng)).collect();
    for criterion in [Criterion::Statement, Criterion::Mcdc] {
        let options = Options { criterion, runs: Some(150), time: None, ..Options::default() };
        let trial = Trial { options, inputs: INPUTS, seed: 11, limits: &[] };
        let tally = check(&text, &trial).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(tally.wrong.is_empty(), "{:#?}\n{text}", tally.wrong);
        assert!(tally.infeasible >= 5, "a test of proofs needs some: {tally:?}");
    }
}

#[test]
fn the_dead_sides_of_the_example_are_dead() {
    let text = include_str!("../../../examples/verdicts/forty.c");
    let options = Options { runs: Some(300), time: None, ..Options::default() };
    let trial = Trial { options, inputs: INPUTS, seed: 3, limits: &[("rounds", 40)] };
    let tally = check(text, &trial).unwrap_or_else(|error| panic!("{error}"));
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert_eq!((tally.sides, tally.covered, tally.infeasible), (40, 28, 12));
}

#[test]
fn a_wrong_verdict_is_noticed() {
    // The driver knows nothing of preconditions: what one rules out is taken all the same.
    let text = "int f(unsigned n) { if (n > 5 && n < 99) return 1; return 0; }";
    for (criterion, covered, wrong) in [
        (Criterion::Branch, (4, 1, 3), "`n > 5` was taken"),
        (Criterion::Statement, (3, 2, 1), "`return 1;"),
        (Criterion::Mcdc, (8, 2, 6), "`n < 99 in n > 5 && n < 99` was covered"),
    ] {
        notices(text, criterion, covered, wrong);
    }
}

/// The verdicts under a precondition that the driver does not keep: how many goals, covered and infeasible ones, and one
/// that is wrong.
fn notices(text: &str, criterion: Criterion, counts: (u64, u64, u64), wrong: &str) {
    let mut options = Options { criterion, runs: Some(20), time: None, ..Options::default() };
    let expression = "n <= 5".to_string();
    let assume = Assume { expression, origin: Origin::CommandLine };
    options.settings.functions.entry("f".to_string()).or_default().assumes.push(assume);
    let tally = check(text, &Trial { options, inputs: 1000, seed: 1, limits: &[] }).unwrap();
    assert_eq!((tally.sides, tally.covered, tally.infeasible), counts, "{criterion:?}");
    assert_eq!(tally.wrong.len() as u64, counts.2, "{:#?}", tally.wrong);
    assert!(tally.wrong.iter().any(|found| found.contains(wrong)), "{:#?}", tally.wrong);
}
