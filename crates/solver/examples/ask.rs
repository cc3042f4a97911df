//! Recorded questions asked again: how long each solver takes for them, and whether its answers are the recorded ones.
//!
//! `tarka gen … --dump-queries DIR`, then
//! `cargo run --release -p tarka-solver --example ask -- SOLVER FILE.smt2…`
//!
//! SOLVER is `chain` (what Tarka uses), `plain` (slice and Z3), `z3` (Z3 alone as the chain asks it), or one of Z3's
//! engines: `smt`, `equations`, `sat`, `bit-vectors`. Times are processor times. Exit status 1 if an answer contradicts a
//! recorded one.

#![allow(clippy::disallowed_macros)] // an example prints

use std::process::ExitCode;
use std::time::Duration;
use tarka_solver::smtlib::{self, Recorded, Status};
use tarka_solver::z3::{self, Engine};
use tarka_solver::{Answer, Query, Solver, plain, standard};
use tarka_terms::{Evaluator, Terms};

/// What a question may take.
const LIMIT: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Totals {
    questions: usize,
    sat: usize,
    unsat: usize,
    unknown: usize,
    contradicted: usize,
    time: Duration,
    longest: Duration,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        eprintln!("usage: ask chain|plain|z3|smt|equations|sat|bit-vectors FILE.smt2…");
        return ExitCode::from(2);
    };
    let mut all = Totals::default();
    for path in arguments {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        let Some(mut solver) = solver(&name) else {
            eprintln!("there is no solver `{name}`");
            return ExitCode::from(2);
        };
        let mut terms = Terms::new();
        let questions = match smtlib::read(&mut terms, &text) {
            Ok(questions) => questions,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        let mut totals = Totals::default();
        for question in &questions {
            ask(&mut *solver, &mut terms, question, &mut totals);
        }
        say(path.rsplit('/').next().unwrap_or(&path), &totals);
        for layer in solver.figures().layers.iter().filter(|layer| layer.asked > 0) {
            let milliseconds = layer.time.as_secs_f64() * 1e3;
            println!(
                "    {:<12}{:>8} asked {:>8} answered {milliseconds:>10.1} ms",
                layer.name, layer.asked, layer.answered
            );
        }
        all.questions += totals.questions;
        all.sat += totals.sat;
        all.unsat += totals.unsat;
        all.unknown += totals.unknown;
        all.contradicted += totals.contradicted;
        all.time += totals.time;
        all.longest = all.longest.max(totals.longest);
    }
    say("all", &all);
    ExitCode::from(u8::from(all.contradicted > 0))
}

fn solver(name: &str) -> Option<Box<dyn Solver>> {
    let engine = |engine| -> Option<Box<dyn Solver>> { Some(Box::new(z3::only(vec![(engine, 100)]))) };
    match name {
        "chain" => Some(standard()),
        "plain" => Some(plain()),
        "z3" => Some(Box::new(z3::standard())),
        "smt" => engine(Engine::Smt),
        "equations" => engine(Engine::EquationsThenSmt),
        "sat" => engine(Engine::Sat),
        "bit-vectors" => engine(Engine::BitVectors),
        _ => None,
    }
}

fn ask(solver: &mut dyn Solver, terms: &mut Terms, question: &Recorded, totals: &mut Totals) {
    let current = |input: u32| {
        let at = question.input.binary_search_by_key(&input, |(byte, _)| *byte);
        at.map_or(0, |at| question.input[at].1)
    };
    let query = Query {
        prefix: &question.prefix,
        flipped: question.flipped,
        domain: &|_, _| None,
        current: &current,
        time_limit: LIMIT,
        doubles_loop: false,
    };
    let start = processor_time();
    let answer = solver.solve(terms, &query);
    let took = processor_time() - start;
    totals.questions += 1;
    totals.time += took;
    totals.longest = totals.longest.max(took);
    let mut found = Status::from(&answer);
    // An engine alone has nobody to check its models: one that does not hold is no answer.
    if let Answer::Sat(model) = &answer {
        let clauses = question.prefix.iter().copied().chain([question.flipped]);
        if Evaluator::new().first_false(terms, clauses, &model.over(&current)).is_some() {
            eprintln!("{}: the model does not hold", question.source);
            found = Status::Unknown;
        }
    }
    match found {
        Status::Sat => totals.sat += 1,
        Status::Unsat => totals.unsat += 1,
        Status::Unknown => totals.unknown += 1,
    }
    if found != question.status && found != Status::Unknown && question.status != Status::Unknown {
        eprintln!("{}: recorded {}, now {}", question.source, question.status.name(), found.name());
        totals.contradicted += 1;
    }
}

/// Time this process spent on a processor, which other load on the machine changes little.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn say(name: &str, totals: &Totals) {
    println!(
        "{name:<40} {:>6} questions {:>6} sat {:>6} unsat {:>4} unknown {:>9.1} ms, longest {:>7.1} ms",
        totals.questions,
        totals.sat,
        totals.unsat,
        totals.unknown,
        totals.time.as_secs_f64() * 1e3,
        totals.longest.as_secs_f64() * 1e3,
    );
}
