//! Other threads of a process may start programs while questions are being solved.
//!
//! libz3 has handlers that run before every `fork` of its process. With timers of its own they could wait for ever; the
//! solver gives it none. What starts programs here does it as the runner does: with work between `fork` and `exec`.

use crate::alone::is_alone;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tarka_solver::z3;
use tarka_solver::{Answer, Query, Solver};
use tarka_terms::{BinaryOp::*, Terms};

const SOLVERS: usize = 2;
const STARTERS: usize = 2;
const STARTS: usize = 400;
/// Far more than all of it takes, far less than for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Factors numbers, each a question for Z3, until told to stop.
fn solve_until(stop: &AtomicBool, solved: &AtomicU64) {
    let mut solver = z3::standard();
    for number in (0..).take_while(|_| !stop.load(Ordering::Relaxed)) {
        let mut t = Terms::new();
        let (a, b, one) = (t.input(0), t.input(1), t.constant(8, 1));
        let (wide_a, wide_b) = (t.zext(a, 16), t.zext(b, 16));
        let (product, value) = (t.binary(Mul, wide_a, wide_b), t.constant(16, 4 + 2 * (number % 100)));
        let prefix = [t.binary(Ult, one, a), t.binary(Ult, one, b)];
        let flipped = t.binary(Eq, product, value);
        let time_limit = Duration::from_secs(20);
        let query = Query {
            prefix: &prefix,
            flipped,
            domain: &|_, _| None,
            current: &|_| 0,
            time_limit,
            doubles_loop: false,
        };
        assert!(matches!(solver.solve(&mut t, &query), Answer::Sat(_)));
        solved.fetch_add(1, Ordering::Relaxed);
    }
}

fn start_programs() {
    for _ in 0..STARTS {
        let mut command = Command::new("/bin/true");
        // SAFETY: `getpid` may be called between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::getpid();
                Ok(())
            })
        };
        assert!(command.status().unwrap().success());
    }
}

#[test]
fn programs_are_started_while_questions_are_solved() {
    // Every fork stops libz3 in the whole process, and tests beside this one have limits to keep.
    if !is_alone("forks::programs_are_started_while_questions_are_solved") {
        return;
    }
    static STOP: AtomicBool = AtomicBool::new(false);
    static SOLVED: AtomicU64 = AtomicU64::new(0);
    let solvers: Vec<_> = (0..SOLVERS).map(|_| thread::spawn(|| solve_until(&STOP, &SOLVED))).collect();
    // Threads that wait for each other cannot be joined, so those that are done say so.
    let (done, heard) = mpsc::channel();
    for _ in 0..STARTERS {
        let done = done.clone();
        thread::spawn(move || {
            start_programs();
            done.send(()).unwrap();
        });
    }
    for _ in 0..STARTERS {
        heard.recv_timeout(PATIENCE).expect("no thread that forks waits for one that solves");
    }
    STOP.store(true, Ordering::Relaxed);
    for solver in solvers {
        solver.join().unwrap();
    }
    assert!(SOLVED.load(Ordering::Relaxed) > 10, "next to nothing was solved meanwhile");
}
