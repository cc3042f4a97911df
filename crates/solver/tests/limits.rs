//! Questions made to hang end within their limit, and the next one is answered.
//!
//! Limits are the subject here, so these tests look at the clock: at the processor's, because a busy machine makes
//! everything late by the wall's. Z3 counts the memory of all its contexts in a process together, so each of
//! these tests has a process of its own.

#![allow(clippy::disallowed_macros)] // figures are printed for whoever looks

use crate::alone::is_alone;
use crate::hanging::{HANGING, clauses, peak};
use std::time::{Duration, Instant};
use tarka_solver::smt::{Backend, Limits, Verdict};
use tarka_solver::z3::Z3;
use tarka_solver::{Answer, Deadline, Query, Reason, plain, standard};
use tarka_terms::{BinaryOp::*, Terms};

/// Time this thread spent on a processor.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What is left for the smallest steps that Z3 does not interrupt, whatever the limit.
const GRANULE: Duration = Duration::from_millis(150);

fn holds_its_limit(name: &str, limit: Duration, ask: impl FnOnce()) {
    let (wall, processor) = (Instant::now(), processor_time());
    ask();
    let (wall, processor) = (wall.elapsed(), processor_time() - processor);
    println!("{name}: limit {limit:?}, processor {processor:?}, wall {wall:?}");
    assert!(processor <= limit * 6 / 5 + GRANULE, "{name}: {processor:?} of processor time for {limit:?}");
}

#[test]
fn z3_keeps_to_the_clock_whatever_it_is_asked() {
    if !is_alone("limits::z3_keeps_to_the_clock_whatever_it_is_asked") {
        return;
    }
    for (name, make) in HANGING {
        let mut t = Terms::new();
        let clauses = make(&mut t);
        let mut z3 = Z3::new();
        for time in [100, 700].map(Duration::from_millis) {
            holds_its_limit(name, time, || {
                let limits = Limits { time, deadline: Deadline::after(time), memory: u64::MAX };
                let verdict = z3.decide(&t, &clauses, &limits);
                assert!(!matches!(verdict, Verdict::Unsat), "{name} has no proof: {verdict:?}");
            });
        }
        let (input, five) = (t.input(0), t.constant(8, 5));
        let easy = t.binary(Eq, input, five);
        let time = Duration::from_secs(5);
        let limits = Limits { time, deadline: Deadline::after(time), memory: u64::MAX };
        assert_eq!(
            z3.decide(&t, &[easy], &limits),
            Verdict::Sat { bytes: vec![(0, 5)], approximated: None },
            "after {name}"
        );
    }
}

#[test]
fn the_whole_chain_keeps_to_the_clock() {
    if !is_alone("limits::the_whole_chain_keeps_to_the_clock") {
        return;
    }
    let limit = Duration::from_millis(500);
    for (name, make) in HANGING {
        for (mut solver, kind) in [(standard(), "chain"), (plain(), "plain")] {
            let mut t = Terms::new();
            let mut prefix = make(&mut t);
            let flipped = prefix.pop().expect("a clause");
            let query = Query {
                prefix: &prefix,
                flipped,
                domain: &|_, _| None,
                current: &|_| 1,
                time_limit: limit,
                doubles_loop: false,
            };
            holds_its_limit(&format!("{name}, {kind}"), limit, || {
                let answer = solver.solve(&mut t, &query);
                assert_ne!(answer, Answer::Unsat, "{name} has no proof");
            });
        }
    }
}

#[test]
fn memory_stays_under_its_cap_and_the_next_question_is_answered() {
    if !is_alone("limits::memory_stays_under_its_cap_and_the_next_question_is_answered") {
        return;
    }
    let mut t = Terms::new();
    let clauses = clauses(&mut t);
    let mut z3 = Z3::new();
    let before = peak();
    let (time, cap) = (Duration::from_secs(60), 256 << 20);
    let limits = Limits { time, deadline: Deadline::after(time), memory: cap };
    assert_eq!(z3.decide(&t, &clauses, &limits), Verdict::Unknown(Reason::MemoryLimit));
    let grown = peak() - before;
    println!("cap {} MB, grown by {} MB", cap >> 20, grown >> 20);
    assert!(grown <= cap, "{} MB", grown >> 20);
    let (input, five) = (t.input(0), t.constant(8, 5));
    let easy = t.binary(Eq, input, five);
    assert_eq!(z3.decide(&t, &[easy], &limits), Verdict::Sat { bytes: vec![(0, 5)], approximated: None });
}
