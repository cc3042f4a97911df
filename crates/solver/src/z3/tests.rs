//! The processor's clock ends a query, and the solver goes on. The resource limit is out of the way here.

use super::*;
use std::time::{Duration, Instant};
use tarka_terms::{BinaryOp::*, Term};

/// Z3 with a resource limit that takes many minutes to reach.
fn by_the_clock() -> Z3 {
    Z3 { resources_per_millisecond: u64::MAX, ..Z3::new() }
}

/// What a question is answered within this time, which starts now.
fn asked(z3: &mut Z3, t: &mut Terms, clause: Term, time: Duration) -> Verdict {
    let limits = Limits { time, deadline: Deadline::after(time), memory: u64::MAX };
    z3.decide(t, &[clause], &limits)
}

fn sat(bytes: &[(u32, u8)]) -> Verdict {
    Verdict::Sat { bytes: bytes.to_vec(), approximated: None }
}

/// A factoring of 64 bits, with factors of more than one bit: out of reach.
fn hopeless(t: &mut Terms) -> Term {
    let mut word = |first: u32| {
        let word = t.word(first, 8);
        t.zext(word, 128)
    };
    let (a, b) = (word(0), word(8));
    let (product, value) =
        (t.binary(Mul, a, b), t.constant(128, 0xffff_ffff_ffff_ffc5 * 0xffff_ffff_ffff_ffad));
    t.binary(Eq, product, value)
}

/// A byte that is seven times three.
fn easy(t: &mut Terms) -> Term {
    let (a, seven, value) = (t.input(0), t.constant(8, 7), t.constant(8, 21));
    let product = t.binary(Mul, a, seven);
    t.binary(Eq, product, value)
}

#[test]
fn the_clock_ends_a_query_and_the_next_one_is_answered() {
    let (mut t, mut z3) = (Terms::new(), by_the_clock());
    let (hopeless, easy) = (hopeless(&mut t), easy(&mut t));
    let limit = Duration::from_millis(300);
    for _ in 0..3 {
        let start = Instant::now();
        let answer = asked(&mut z3, &mut t, hopeless, limit);
        let took = start.elapsed();
        assert_eq!(answer, Verdict::Unknown(Reason::TimeLimit));
        assert!(z3.formulas.is_none(), "it was the clock that ended it");
        assert!(took >= limit * 2 / 5, "every engine had its share: {took:?}");
        assert!(took < limit + Duration::from_secs(3), "{took:?}");
        assert_eq!(
            asked(&mut z3, &mut t, easy, Duration::from_secs(1)),
            sat(&[(0, 3)]),
            "the next query is answered"
        );
        assert!(z3.formulas.is_some(), "a context that was not interrupted is kept");
    }
}

#[test]
fn the_deadline_of_one_query_does_not_end_a_later_one() {
    let (mut t, mut z3) = (Terms::new(), by_the_clock());
    let (hopeless, easy) = (hopeless(&mut t), easy(&mut t));
    z3.engines = vec![(Engine::Sat, 100)];
    // The watchdog still sleeps until the deadline of the first when the second is asked.
    let found = asked(&mut z3, &mut t, easy, Duration::from_millis(200));
    assert!(matches!(found, Verdict::Sat { .. }), "{found:?}");
    for limit in [600, 100].map(Duration::from_millis) {
        let start = Instant::now();
        let answer = asked(&mut z3, &mut t, hopeless, limit);
        assert_eq!(answer, Verdict::Unknown(Reason::TimeLimit));
        assert!(start.elapsed() >= limit * 2 / 5, "{:?}", start.elapsed());
    }
}

#[test]
fn an_earlier_deadline_than_that_of_the_query_before_is_kept() {
    let (mut t, mut z3) = (Terms::new(), by_the_clock());
    let (hopeless, easy) = (hopeless(&mut t), easy(&mut t));
    let found = asked(&mut z3, &mut t, easy, Duration::from_secs(600));
    assert!(matches!(found, Verdict::Sat { .. }), "{found:?}");
    let start = Instant::now();
    let answer = asked(&mut z3, &mut t, hopeless, Duration::from_millis(100));
    assert_eq!(answer, Verdict::Unknown(Reason::TimeLimit));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn solvers_that_end_at_their_deadline_end_cleanly() {
    let mut t = Terms::new();
    let easy = easy(&mut t);
    // Deadlines around the time the query takes: interrupts come before, during and just not after the check.
    for microseconds in (0..3000).step_by(20) {
        let mut z3 = by_the_clock();
        for _ in 0..3 {
            match asked(&mut z3, &mut t, easy, Duration::from_micros(microseconds)) {
                Verdict::Sat { bytes, .. } => assert_eq!(bytes, [(0, 3)]),
                other => assert_eq!(other, Verdict::Unknown(Reason::TimeLimit)),
            }
        }
    }
}
