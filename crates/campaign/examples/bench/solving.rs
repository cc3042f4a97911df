//! What the chain of solver layers is worth against plain "slice and ask Z3", over the examples and real code.
//!
//! *Same questions*: during the search with the chain, each question is put to both solvers, and the chain's answers are
//! used; so the times of solving are of the same questions in the same order. *Loops*: the same search with the one and
//! with the other alone, same strategy, seed and time; their searches part ways where models differ. Runs per second
//! count the whole loop: runs, search and solving.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tarka_campaign::Options;
use tarka_events::{Status, UnitResult, Verdict};
use tarka_solver::{Answer, Figures, Query, Solver};
use tarka_terms::Terms;

use super::subjects::{Subject, examples, real_code};
use super::{Outcome, Place};

/// Time of a unit.
const TIME: Duration = Duration::from_secs(5);

/// Units of real code, each of another library where there is one.
const UNITS: [&str; 12] = [
    "parse_number",
    "parse_string",
    "jsmn_parse",
    "csv_parse",
    "lzf_decompress",
    "utf8proc_iterate",
    "adler32_z",
    "inflate_table",
    "http_parser_parse_url",
    "phr_decode_chunked",
    "cwk_path_get_relative",
    "l_str2int",
];

/// Prints the table: a line for each unit of real code, and one for all examples.
pub(super) fn print(place: &Place) -> Outcome<()> {
    println!("solver: the chain / slice and Z3 alone (auto, branch, seed 1, {TIME:?} of each unit)");
    println!(
        "  {:<36} {:>9} {:>9} {:>17} {:>13} {:>15}",
        "unit", "questions", "not SMT", "same questions ms", "covered", "runs/s"
    );
    let mut all = Vec::new();
    for subject in examples(&place.root)? {
        all.extend(compare(&subject, place)?);
    }
    line(&format!("{} functions of the examples", all.len()), &all);
    for subject in real_code(&place.root, |unit| UNITS.contains(&unit))? {
        for unit in compare(&subject, place)? {
            line(&unit.name, std::slice::from_ref(&unit));
            all.push(unit);
        }
    }
    summary(&all)
}

fn line(name: &str, units: &[Compared]) {
    let sum = |of: fn(&Compared) -> f64| -> f64 { units.iter().map(of).sum() };
    let questions = sum(|unit| unit.questions as f64);
    let pair =
        |of: fn(&Compared) -> f64, other: fn(&Compared) -> f64| format!("{:.0} / {:.0}", sum(of), sum(other));
    let rate = |runs: f64, seconds: f64| runs / seconds;
    println!(
        "  {name:<36} {questions:>9} {:>7.1} % {:>17} {:>13} {:>15}",
        100.0 * sum(|unit| unit.without_smt as f64) / questions.max(1.0),
        pair(|unit| 1e3 * unit.chain_time.as_secs_f64(), |unit| 1e3 * unit.plain_time.as_secs_f64()),
        pair(|unit| unit.covered as f64, |unit| unit.covered_plain as f64),
        format!(
            "{:.0} / {:.0}",
            rate(sum(|unit| unit.runs.0 as f64), sum(|unit| unit.seconds.0)),
            rate(sum(|unit| unit.runs.1 as f64), sum(|unit| unit.seconds.1)),
        ),
    );
}

/// One unit, both ways.
struct Compared {
    name: String,
    questions: u64,
    without_smt: u64,
    wrong_models: u64,
    chain_time: Duration,
    plain_time: Duration,
    /// Questions that one says have a model and the other says have none.
    contradictions: u64,
    layers: Vec<(String, (u64, u64, u64))>,
    covered: usize,
    covered_plain: usize,
    runs: (u64, u64),
    seconds: (f64, f64),
}

/// What both solvers took for the questions of the units since this was last emptied, in the order the units were begun.
static SAME_QUESTIONS: Mutex<Vec<Both>> = Mutex::new(Vec::new());

#[derive(Clone, Default)]
struct Both {
    chain: Duration,
    plain: Duration,
    contradictions: u64,
}

/// Answers with the chain, and asks Z3 alone as well.
struct Beside {
    chain: Box<dyn Solver + Send>,
    plain: Box<dyn Solver + Send>,
    /// Its place in the list.
    index: usize,
}

impl Solver for Beside {
    fn solve(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        let start = Instant::now();
        let answer = self.chain.solve(terms, query);
        let between = Instant::now();
        let other = self.plain.solve(terms, query);
        let mut list = SAME_QUESTIONS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let both = &mut list[self.index];
        both.chain += between - start;
        both.plain += between.elapsed();
        let contradict =
            matches!((&answer, &other), (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)));
        both.contradictions += u64::from(contradict);
        answer
    }

    fn figures(&self) -> Figures {
        self.chain.figures()
    }
}

fn beside() -> Box<dyn Solver + Send> {
    let mut list = SAME_QUESTIONS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    list.push(Both::default());
    let index = list.len() - 1;
    Box::new(Beside { chain: tarka_solver::standard(), plain: tarka_solver::plain(), index })
}

fn compare(subject: &Subject, place: &Place) -> Outcome<Vec<Compared>> {
    let run = |solver: fn() -> Box<dyn Solver + Send>, time: Duration, folder: &str| {
        let options =
            Options { solver, time: Some(time), goals_only: true, attacks: 0, ..Options::default() };
        subject.run(place, &options, folder)
    };
    let chain = run(tarka_solver::standard, TIME, "chain")?;
    let plain = run(tarka_solver::plain, TIME, "plain")?;
    // Time for both, and for what the search itself takes.
    let both = run(beside, 3 * TIME, "both")?;
    let mut times =
        std::mem::take(&mut *SAME_QUESTIONS.lock().map_err(|error| error.to_string())?).into_iter();
    let mut compared = Vec::new();
    for ((chain, plain), both) in chain.iter().zip(&plain).zip(&both) {
        if matches!(both.status, Status::Skipped(_) | Status::Error(_)) {
            continue;
        }
        let time = times.next().ok_or("each tested unit has a solver")?;
        compared.push(side_by_side(&subject.stem(), chain, plain, both, &time));
    }
    Ok(compared)
}

fn side_by_side(
    stem: &str,
    chain: &UnitResult,
    plain: &UnitResult,
    both: &UnitResult,
    time: &Both,
) -> Compared {
    let covered = |unit: &UnitResult| {
        unit.goals.iter().filter(|goal| matches!(goal.verdict, Verdict::Covered { .. })).count()
    };
    let seconds = |unit: &UnitResult| (unit.total_ms.max(1)) as f64 / 1000.0;
    let layers = both.solver.layers.iter();
    Compared {
        name: format!("{stem}: {}", both.function),
        questions: both.solver.queries,
        without_smt: both.solver.cached,
        wrong_models: both.solver.wrong_models + plain.solver.wrong_models,
        chain_time: time.chain,
        plain_time: time.plain,
        contradictions: time.contradictions,
        layers: layers.map(|l| (l.name.clone(), (l.asked, l.answered, l.us))).collect(),
        covered: covered(chain),
        covered_plain: covered(plain),
        runs: (chain.runs, plain.runs),
        seconds: (seconds(chain), seconds(plain)),
    }
}

fn summary(all: &[Compared]) -> Outcome<()> {
    let sum = |of: fn(&Compared) -> f64| -> f64 { all.iter().map(of).sum() };
    let questions = sum(|unit| unit.questions as f64);
    let share = 100.0 * sum(|unit| unit.without_smt as f64) / questions;
    let ratio = sum(|unit| unit.chain_time.as_secs_f64()) / sum(|unit| unit.plain_time.as_secs_f64());
    let rate = sum(|unit| unit.runs.0 as f64) / sum(|unit| unit.seconds.0);
    let rate_plain = sum(|unit| unit.runs.1 as f64) / sum(|unit| unit.seconds.1);
    let lower: Vec<&str> =
        all.iter().filter(|unit| unit.covered < unit.covered_plain).map(|unit| unit.name.as_str()).collect();
    println!("  in all, {} units, {questions} questions:", all.len());
    let verdict = |holds: bool| if holds { "" } else { "  <-- MISSED" };
    println!("    answered without SMT         {share:6.1} % (asked: at least 80){}", verdict(share >= 80.0));
    println!(
        "    solving time, of Z3 alone    {ratio:6.3} (asked: at most 0.333){}",
        verdict(ratio <= 0.3334)
    );
    println!(
        "    runs per second of the loop  {rate:6.0} / {rate_plain:.0} = {:.2} (asked: at least 2){}",
        rate / rate_plain,
        verdict(rate >= 2.0 * rate_plain)
    );
    println!(
        "    units with lower coverage    {:6} (asked: 0) {}{}",
        lower.len(),
        lower.join(", "),
        verdict(lower.is_empty())
    );
    let wrong = sum(|unit| unit.wrong_models as f64) + sum(|unit| unit.contradictions as f64);
    println!("    wrong answers                {wrong:6} (asked: 0){}", verdict(wrong == 0.0));
    println!("    {:<12}{:>10}{:>10}{:>12}", "layer", "asked", "hits", "ms");
    let mut layers: Vec<(&String, (u64, u64, u64))> = Vec::new();
    for (name, (asked, hits, us)) in all.iter().flat_map(|unit| &unit.layers) {
        match layers.iter_mut().find(|(known, _)| known == &name) {
            Some((_, known)) => *known = (known.0 + asked, known.1 + hits, known.2 + us),
            None => layers.push((name, (*asked, *hits, *us))),
        }
    }
    for (name, (asked, hits, us)) in layers {
        println!("    {name:<12}{asked:>10}{hits:>10}{:>12.1}", us as f64 / 1000.0);
    }
    if wrong > 0.0 { Err("the solver gave wrong answers".into()) } else { Ok(()) }
}
