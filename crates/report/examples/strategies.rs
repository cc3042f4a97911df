//! One table over many comparisons: takes the `compare.json` files of `tarka compare`, which may hold different strategies of
//! the same function, and prints, in Markdown, the goals that each strategy covered after 100, 1,000 and 4,000 runs, the runs
//! it took to the common coverage, and where `auto` stands against the best of the others.
//!
//! `scripts/strategies` makes the files and calls this. Exit status 1 if `auto` is more than 5 % of the goals behind the best
//! of the others on some function, or behind one of them in a sum.
#![allow(clippy::disallowed_macros)] // A measurement prints.

use std::collections::BTreeMap;
use std::process::ExitCode;

use tarka_report::compare::Comparison;

/// Runs after which goals are counted.
const AT_RUNS: [u64; 3] = [100, 1_000, 4_000];

/// What `auto` may be behind the best on one function.
const MARGIN: f64 = 0.05;

const AUTO: &str = "auto";

/// For each trial, the runs at which goals were covered first.
type Trials = Vec<Vec<u64>>;

#[derive(Default)]
struct Unit {
    goals: u64,
    /// Seconds a trial may take.
    seconds: Option<f64>,
    timed_out: u64,
    /// By strategy.
    trials: BTreeMap<String, Trials>,
}

/// A figure of the trials of a strategy on a function.
type Figure = dyn Fn(&Unit, &Trials) -> f64;

/// One figure of a strategy on a function, and whether more of it is better.
struct Measure {
    title: String,
    more_is_better: bool,
    of: Box<Figure>,
}

impl Measure {
    fn goals_at(runs: u64) -> Measure {
        let of = move |_: &Unit, trials: &Trials| {
            mean(trials, |trial| trial.partition_point(|&first| first <= runs) as f64)
        };
        Measure { title: format!("goals at {runs} runs"), more_is_better: true, of: Box::new(of) }
    }

    fn runs_to_common() -> Measure {
        let of = |unit: &Unit, trials: &Trials| {
            let common = unit.common();
            mean(trials, |trial| if common == 0 { 0.0 } else { trial[common - 1] as f64 })
        };
        Measure { title: "runs to the common coverage".into(), more_is_better: false, of: Box::new(of) }
    }

    fn is_better(&self, a: f64, b: f64) -> bool {
        if self.more_is_better { a > b } else { a < b }
    }

    /// How far `auto` is behind the best, in parts of the best.
    fn behind(&self, auto: f64, best: f64) -> f64 {
        let difference = if self.more_is_better { best - auto } else { auto - best };
        if best == 0.0 { 0.0 } else { difference / best }
    }
}

impl Unit {
    /// What every trial of every strategy covered.
    fn common(&self) -> usize {
        self.trials.values().flatten().map(Vec::len).min().unwrap_or(0)
    }

    /// The best of the strategies but `auto`.
    fn best_single(&self, measure: &Measure) -> Option<(&str, f64)> {
        let singles = self.trials.iter().filter(|(name, _)| *name != AUTO);
        let figures = singles.map(|(name, trials)| (name.as_str(), (measure.of)(self, trials)));
        figures.reduce(|best, next| if measure.is_better(next.1, best.1) { next } else { best })
    }
}

fn mean(trials: &Trials, of: impl Fn(&Vec<u64>) -> f64) -> f64 {
    trials.iter().map(of).sum::<f64>() / trials.len().max(1) as f64
}

fn read(files: &[String]) -> Result<BTreeMap<String, Unit>, String> {
    let mut units: BTreeMap<String, Unit> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let read: Comparison = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
        for compared in read.units {
            if !compared.message.is_empty() {
                eprintln!("{} is left out: {}", compared.function, compared.message);
                continue;
            }
            let source = compared.file.rsplit('/').next().unwrap_or_default();
            let unit = units.entry(format!("{source} {}", compared.function)).or_default();
            unit.goals = compared.goals;
            unit.seconds = read.seconds;
            unit.timed_out += compared.timed_out;
            for figures in compared.strategies {
                let trials = figures.trials.into_iter().map(|trial| trial.covered_at).collect();
                unit.trials.insert(figures.strategy, trials);
            }
        }
    }
    Ok(units)
}

fn short(figure: f64) -> String {
    let text = format!("{figure:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// The figures of all strategies on all functions.
fn print_table(units: &BTreeMap<String, Unit>, strategies: &[String], measure: &Measure) {
    println!("\n## {}\n", measure.title);
    println!("| function (goals) | {} |", strategies.join(" | "));
    println!("|---|{}", "--:|".repeat(strategies.len()));
    for (name, unit) in units {
        let best = unit.trials.values().map(|trials| (measure.of)(unit, trials));
        let best = best.reduce(|best, next| if measure.is_better(next, best) { next } else { best });
        let figures = strategies.iter().map(|strategy| {
            let figure = unit.trials.get(strategy).map(|trials| (measure.of)(unit, trials));
            match figure {
                Some(figure) if Some(figure) == best => format!("**{}**", short(figure)),
                Some(figure) => short(figure),
                None => "-".to_string(),
            }
        });
        let size = if measure.more_is_better {
            unit.goals.to_string()
        } else {
            format!("{} of {}", unit.common(), unit.goals)
        };
        println!("| `{name}` ({size}) | {} |", figures.collect::<Vec<_>>().join(" | "));
    }
    let sums = strategies.iter().map(|strategy| short(sum(units, strategy, measure)));
    println!("| **sum** | {} |", sums.collect::<Vec<_>>().join(" | "));
}

fn sum(units: &BTreeMap<String, Unit>, strategy: &str, measure: &Measure) -> f64 {
    let figures = units.values().filter_map(|unit| Some((measure.of)(unit, unit.trials.get(strategy)?)));
    figures.sum()
}

/// Where `auto` stands; the number of things it should be and is not.
fn print_auto(units: &BTreeMap<String, Unit>, strategies: &[String], measure: &Measure) -> usize {
    let mut behind: Vec<(f64, &str, f64, &str, f64)> = Vec::new();
    for (name, unit) in units {
        let (Some(trials), Some((best, figure))) = (unit.trials.get(AUTO), unit.best_single(measure)) else {
            continue;
        };
        let auto = (measure.of)(unit, trials);
        behind.push((measure.behind(auto, figure), name, auto, best, figure));
    }
    behind.sort_by(|a, b| b.0.total_cmp(&a.0));
    let outside: Vec<_> = behind.iter().filter(|entry| entry.0 > MARGIN).collect();
    let (all, percent) = (behind.len(), MARGIN * 100.0);
    println!(
        "- **{}**: within {percent:.0} % of the best other strategy on {} of {all} functions.",
        measure.title,
        all - outside.len()
    );
    for (part, name, auto, best, figure) in &outside {
        println!(
            "  - `{name}`: {} against {} of `{best}` ({:.0} %).",
            short(*auto),
            short(*figure),
            part * 100.0
        );
    }
    let own = sum(units, AUTO, measure);
    let others = strategies.iter().filter(|strategy| *strategy != AUTO);
    let mut others: Vec<(f64, &String)> =
        others.map(|strategy| (sum(units, strategy, measure), strategy)).collect();
    others.sort_by(|a, b| {
        if measure.is_better(a.0, b.0) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
    });
    let is_ahead = others.first().is_none_or(|best| !measure.is_better(best.0, own));
    if let Some((figure, best)) = others.first() {
        let word = if is_ahead { "ahead of all" } else { "behind" };
        println!("  In the sum {} against {} of `{best}`: {word}.", short(own), short(*figure));
    }
    let missed = if measure.more_is_better { outside.len() } else { 0 };
    missed + usize::from(!is_ahead)
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let units = match read(&files) {
        Ok(units) if !units.is_empty() => units,
        Ok(_) => {
            eprintln!("no comparisons; scripts/strategies makes them");
            return ExitCode::from(2);
        }
        Err(unreadable) => {
            eprintln!("{unreadable}");
            return ExitCode::from(2);
        }
    };
    let mut strategies: Vec<String> = units.values().flat_map(|unit| unit.trials.keys().cloned()).collect();
    strategies.sort();
    strategies.dedup();
    let measures: Vec<Measure> =
        AT_RUNS.into_iter().map(Measure::goals_at).chain([Measure::runs_to_common()]).collect();
    let trials = units.values().flat_map(|unit| unit.trials.values()).map(Vec::len).max().unwrap_or(0);
    let timed_out: u64 = units.values().map(|unit| unit.timed_out).sum();
    println!("# Strategies, measured\n");
    println!(
        "{} functions, {} strategies, {trials} trials of each; means. Made by `make strategies`.",
        units.len(),
        strategies.len()
    );
    if timed_out > 0 {
        let functions: Vec<String> = units
            .iter()
            .filter(|(_, unit)| unit.timed_out > 0)
            .map(|(name, unit)| format!("`{name}` {}", unit.timed_out))
            .collect();
        let seconds = units.values().filter_map(|unit| unit.seconds).fold(0.0, f64::max);
        println!(
            "{timed_out} of {} trials were ended by their limit of {} seconds, and their figures depend on the machine: {}.",
            trials * units.len() * strategies.len(),
            short(seconds),
            functions.join(", ")
        );
    }
    println!("\n## `auto`\n");
    let missed: usize = measures.iter().map(|measure| print_auto(&units, &strategies, measure)).sum();
    measures.iter().for_each(|measure| print_table(&units, &strategies, measure));
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
