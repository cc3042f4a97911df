//! Functions that only the C library knows, through the whole chain: their inputs are found by search, and nothing is
//! claimed about them that evaluation does not show.

use std::time::Duration;
use tarka_solver::{Answer, Query, standard};
use tarka_terms::{BinaryOp, Evaluator, Term, Terms, UnaryOp, predicate};

/// The double in the input bytes from `first` on.
fn double(terms: &mut Terms, first: u32) -> Term {
    terms.word(first, 8)
}

fn number(terms: &mut Terms, value: f64) -> Term {
    terms.constant(64, value.to_bits().into())
}

fn ask(terms: &mut Terms, prefix: &[Term], flipped: Term) -> Answer {
    let time_limit = Duration::from_secs(2);
    let query =
        Query { prefix, flipped, domain: &|_, _| None, current: &|_| 0, time_limit, doubles_loop: false };
    let answer = standard().solve(terms, &query);
    if let Answer::Sat(model) = &answer {
        let clauses = prefix.iter().copied().chain([flipped]);
        assert_eq!(Evaluator::new().first_false(terms, clauses, &model.over(&|_| 0)), None, "{model:?}");
    }
    answer
}

/// `low < f(x)` and `f(x) < high`.
fn between(terms: &mut Terms, value: Term, low: f64, high: f64) -> [Term; 2] {
    let (low, high) = (number(terms, low), number(terms, high));
    [terms.fcmp(predicate::LESS, low, value), terms.fcmp(predicate::LESS, value, high)]
}

#[test]
fn a_narrow_range_of_values_of_every_function_is_met() {
    use UnaryOp::*;
    let mut missed = Vec::new();
    for op in [
        FSin, FCos, FTan, FAsin, FAcos, FAtan, FSinh, FCosh, FTanh, FAsinh, FAcosh, FAtanh, FExp, FExp2,
        FExpm1, FLog, FLog2, FLog10, FLog1p, FCbrt,
    ] {
        let (low, high) = if op == FCosh { (1.3, 1.300001) } else { (0.3, 0.300001) };
        let mut terms = Terms::new();
        let x = double(&mut terms, 0);
        let value = terms.unary(op, x);
        let [above, below] = between(&mut terms, value, low, high);
        if !matches!(ask(&mut terms, &[above], below), Answer::Sat(_)) {
            missed.push(op);
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn functions_of_two_values_are_met_in_either() {
    for op in [BinaryOp::FPow, BinaryOp::FAtan2, BinaryOp::FHypot, BinaryOp::FRemainder] {
        for first in [true, false] {
            let mut terms = Terms::new();
            let (x, fixed) = (double(&mut terms, 0), number(&mut terms, 1.25));
            let value = if first { terms.binary(op, x, fixed) } else { terms.binary(op, fixed, x) };
            let (low, high) = if op == BinaryOp::FHypot { (1.3, 1.300001) } else { (0.3, 0.300001) };
            let [above, below] = between(&mut terms, value, low, high);
            // The remainder of 1.25 by something is 0.3 for some divisors only.
            let answer = ask(&mut terms, &[above], below);
            assert!(
                matches!(answer, Answer::Sat(_)) || op == BinaryOp::FRemainder,
                "{op:?} {first}: {answer:?}"
            );
        }
    }
}

#[test]
fn that_there_is_no_input_is_said_only_where_any_value_would_not_do() {
    let mut terms = Terms::new();
    let x = double(&mut terms, 0);
    let sine = terms.unary(UnaryOp::FSin, x);
    let [above, below] = between(&mut terms, sine, 0.5, 0.25);
    assert_eq!(ask(&mut terms, &[above], below), Answer::Unsat, "no number is both");
    let two = number(&mut terms, 2.0);
    let beyond = terms.fcmp(predicate::LESS, two, sine);
    let answer = ask(&mut terms, &[], beyond);
    assert!(matches!(answer, Answer::Unknown(_)), "that a sine is at most 1 nobody knows here: {answer:?}");
}
