//! How many inputs a second the cheap search evaluates: every recorded question of the corpus, compiled and run.
//!
//! `cargo run --release -p tarka-solver --example evaluations`. Every evaluation computes the whole slice anew after one
//! byte changed; beside it stands what the search really pays, which is only what depends on that byte. Fails below 200,000
//! evaluations a second of the median slice, compiling included.

#![allow(clippy::disallowed_macros)] // an example prints

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use tarka_solver::smtlib::{self, Recorded};
use tarka_solver::{Compiled, Programs};
use tarka_terms::Terms;

/// What is asked for.
const REQUIRED: f64 = 200_000.0;
/// Evaluations of a search that is not lucky at once: what the time to compile is spread over.
const EVALUATIONS: u32 = 1_000;
/// Instructions that the search compiles at most.
const LARGEST: usize = 50_000;

fn main() -> Result<(), Box<dyn Error>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files: Vec<_> = std::fs::read_dir(corpus)?.collect::<Result<_, _>>()?;
    files.retain(|file| file.path().extension().is_some_and(|ending| ending == "smt2"));
    files.sort_by_key(|file| file.file_name());
    let mut all = Vec::new();
    for file in files {
        let mut terms = Terms::new();
        let questions = smtlib::read(&mut terms, &std::fs::read_to_string(file.path())?)?;
        // As in a campaign, one cache of programs for a unit.
        let mut programs = Programs::default();
        all.extend(questions.iter().filter_map(|question| measure(&terms, &mut programs, question)));
    }
    println!("evaluations a second of {} recorded slices, compiling included", all.len());
    let mut whole: Vec<f64> = all.iter().map(|figures| figures.whole).collect();
    let mut one_byte: Vec<f64> = all.iter().map(|figures| figures.one_byte).collect();
    let mut compile: Vec<f64> = all.iter().map(|figures| figures.compile).collect();
    let mut instructions: Vec<f64> = all.iter().map(|figures| figures.instructions).collect();
    println!("  {:<34}{:>12}{:>12}{:>12}", "", "worst tenth", "median", "best tenth");
    let median = line("the whole slice each time", &mut whole, true);
    line("only what depends on the change", &mut one_byte, true);
    line("nanoseconds to compile", &mut compile, false);
    line("instructions", &mut instructions, false);
    println!("  the median slice: {median:.0} a second (asked: at least {REQUIRED:.0})");
    if median < REQUIRED { Err("too few evaluations a second".into()) } else { Ok(()) }
}

/// Prints the figures that a tenth is worse than, a half, and nine tenths; gives the second.
fn line(what: &str, figures: &mut [f64], more_is_better: bool) -> f64 {
    figures.sort_by(f64::total_cmp);
    if !more_is_better {
        figures.reverse();
    }
    let [low, median, high] = [10, 50, 90].map(|percent| figures[figures.len() * percent / 100]);
    println!("  {what:<34}{low:>12.0}{median:>12.0}{high:>12.0}");
    median
}

struct Figures {
    instructions: f64,
    /// In nanoseconds.
    compile: f64,
    whole: f64,
    one_byte: f64,
}

/// Nothing for what is too large for the search, or has no input in it.
fn measure(terms: &Terms, programs: &mut Programs, question: &Recorded) -> Option<Figures> {
    let clauses = question.prefix.iter().copied().chain([question.flipped]);
    let start = Instant::now();
    let compiled: Compiled = programs.compile(terms, clauses, LARGEST)?;
    let bytes = compiled.inputs().len();
    if bytes == 0 {
        return None;
    }
    let mut running = compiled.start(&|_| 1);
    let compile = start.elapsed();
    let change = |number: u32| [(number as usize % bytes, (number / 3) as u8)];
    for number in 0..EVALUATIONS {
        running.change(&change(number));
        black_box(running.holds_from_scratch());
    }
    let whole = start.elapsed();
    let start = Instant::now();
    for number in 0..EVALUATIONS {
        running.change(&change(number));
        black_box(running.holds());
    }
    let speed = |time: Duration| f64::from(EVALUATIONS) / time.as_secs_f64();
    Some(Figures {
        instructions: compiled.instructions() as f64,
        compile: compile.as_nanos() as f64,
        whole: speed(whole),
        one_byte: speed(start.elapsed()),
    })
}
