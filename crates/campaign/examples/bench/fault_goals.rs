//! What looking for faults costs on the way to coverage: the same search with the usual kinds of fault and with none.
//!
//! On the twins of `examples/faults/` (correct code with something to check in every line) and on six units of real code.
//! Both ways alternate within one run of the bench, and each figure is the median of its rounds. *Time* and *runs* are those
//! until as many goals were covered as the way that covered fewer of them covers in the end; the time is the search's own, with
//! the build told apart. Milliseconds are rounded down where they are taken, for both ways alike; half of one is added back.

use std::path::Path;
use std::time::{Duration, Instant};

use tarka_campaign::Options;
use tarka_events::{Status, UnitResult, Verdict};
use tarka_trace::FaultSet;

use super::subjects::{Subject, one_function, real_code};
use super::{Outcome, Place};

/// Rounds of each unit.
const FAULT_ROUNDS: usize = 5;
/// Time of a unit.
const TIME: Duration = Duration::from_secs(4);
/// The most that faults may cost, as a ratio of times.
const ASKED: f64 = 1.5;

/// Units of real code, each of another library.
const UNITS: [&str; 6] =
    ["parse_number", "jsmn_parse_string", "csv_write2", "lzf_decompress", "utf8proc_iterate", "adler32_z"];

/// Prints the table; an error if faults cost more than they may.
pub(super) fn print(place: &Place) -> Outcome<()> {
    println!(
        "fault goals: the usual kinds / none (auto, branch, seed 1, {TIME:?} of each unit, {FAULT_ROUNDS} rounds)"
    );
    println!(
        "  {:<40} {:>5} {:>13} {:>15} {:>7} {:>13} {:>13}",
        "unit", "goals", "covered", "ms until then", "ratio", "runs", "build ms"
    );
    let mut subjects = twins(&place.root)?;
    subjects.extend(real_code(&place.root, |unit| UNITS.contains(&unit))?);
    let mut all = Vec::new();
    for subject in &subjects {
        for unit in compare(subject, place)? {
            unit.print();
            all.push(unit);
        }
    }
    summary(&all)
}

/// The unit of each twin, as the table names it.
fn twins(root: &Path) -> Outcome<Vec<Subject>> {
    let folder = root.join("examples/faults");
    let table = std::fs::read_to_string(folder.join("expected.tsv"))?;
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let twins = rows.filter(|cells| cells.get(2) == Some(&"-"));
    Ok(twins.map(|cells| one_function(folder.join(cells[0]), cells[1])).collect())
}

/// One way through one unit.
struct Way {
    goals: usize,
    /// When each covered goal was covered, in order: the run, and milliseconds.
    covered: Vec<(u64, f64)>,
    build_ms: f64,
}

/// Both ways, medians of the rounds; faults first.
struct Compared {
    name: String,
    goals: usize,
    covered: [usize; 2],
    ms: [f64; 2],
    runs: [f64; 2],
    build_ms: [f64; 2],
}

impl Compared {
    fn ratio(&self) -> f64 {
        self.ms[0] / self.ms[1]
    }

    fn print(&self) {
        let pair = |[with, without]: [f64; 2], digits: usize| format!("{with:.digits$} / {without:.digits$}");
        println!(
            "  {:<40} {:>5} {:>13} {:>15} {:>7.2} {:>13} {:>13}",
            self.name,
            self.goals,
            format!("{} / {}", self.covered[0], self.covered[1]),
            pair(self.ms, 1),
            self.ratio(),
            pair(self.runs, 0),
            pair(self.build_ms, 0),
        );
    }
}

/// Every unit of a subject, both ways in turn.
fn compare(subject: &Subject, place: &Place) -> Outcome<Vec<Compared>> {
    let mut rounds: Vec<[Vec<(String, Way)>; 2]> = Vec::new();
    for _ in 0..FAULT_ROUNDS {
        rounds.push([search(subject, place, FaultSet::default())?, search(subject, place, FaultSet::NONE)?]);
    }
    let names: Vec<String> = rounds[0][0].iter().map(|(name, _)| name.clone()).collect();
    Ok((0..names.len()).map(|unit| medians(&subject.stem(), &names[unit], unit, &rounds)).collect())
}

fn search(subject: &Subject, place: &Place, faults: FaultSet) -> Outcome<Vec<(String, Way)>> {
    let folder = if faults == FaultSet::NONE { "without-faults" } else { "with-faults" };
    let options = Options { time: Some(TIME), faults, ..Options::default() };
    let start = Instant::now();
    let units = subject.run(place, &options, folder)?;
    let elapsed = 1e3 * start.elapsed().as_secs_f64();
    let searched: u64 = units.iter().map(|unit| unit.total_ms).sum();
    let mut ways = Vec::new();
    for unit in &units {
        if let Status::Skipped(reason) | Status::Error(reason) = &unit.status {
            return Err(format!("{} of {}: {reason}", unit.function, subject.stem()).into());
        }
        let covered = covered(unit);
        let build_ms = (elapsed - searched as f64) / units.len() as f64;
        ways.push((unit.function.clone(), Way { goals: unit.goals.len(), covered, build_ms }));
    }
    Ok(ways)
}

fn covered(unit: &UnitResult) -> Vec<(u64, f64)> {
    let verdicts = unit.goals.iter().filter_map(|goal| match goal.verdict {
        Verdict::Covered { run, ms, .. } => Some((run, ms as f64 + 0.5)),
        _ => None,
    });
    let mut covered: Vec<(u64, f64)> = verdicts.collect();
    covered.sort_by_key(|&(run, _)| run);
    covered
}

fn medians(stem: &str, function: &str, unit: usize, rounds: &[[Vec<(String, Way)>; 2]]) -> Compared {
    let ways = || rounds.iter().map(|round| [&round[0][unit].1, &round[1][unit].1]);
    let same = |[with, without]: [&Way; 2]| with.covered.len().min(without.covered.len());
    // In each way, the figure of the goal that completes what both ways cover.
    let both = |of: &dyn Fn(&Way, usize) -> f64| {
        [0, 1].map(|way| median(ways().map(|pair| of(pair[way], same(pair))).collect()))
    };
    let last = |way: &Way, count: usize| way.covered.get(count.wrapping_sub(1)).copied().unwrap_or((0, 0.5));
    Compared {
        name: format!("{stem}: {function}"),
        goals: rounds[0][0][unit].1.goals,
        covered: both(&|way, _| way.covered.len() as f64).map(|count| count as usize),
        ms: both(&|way, count| last(way, count).1),
        runs: both(&|way, count| last(way, count).0 as f64),
        build_ms: both(&|way, _| way.build_ms),
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn summary(all: &[Compared]) -> Outcome<()> {
    let sum = |of: fn(&Compared) -> [f64; 2]| {
        all.iter().map(of).fold([0.0, 0.0], |sum, pair| [sum[0] + pair[0], sum[1] + pair[1]])
    };
    let (ms, runs, build) = (sum(|unit| unit.ms), sum(|unit| unit.runs), sum(|unit| unit.build_ms));
    let mean = (all.iter().map(|unit| unit.ratio().ln()).sum::<f64>() / all.len() as f64).exp();
    let total = ms[0] / ms[1];
    let lower = all.iter().filter(|unit| unit.covered[0] < unit.covered[1]).map(|unit| unit.name.as_str());
    let lower: Vec<&str> = lower.collect();
    let verdict = |holds: bool| if holds { "" } else { "  <-- MISSED" };
    println!("  in all, {} units:", all.len());
    println!(
        "    time, sum              {total:5.2} ({:.0} / {:.0} ms; asked: at most {ASKED}){}",
        ms[0],
        ms[1],
        verdict(total <= ASKED)
    );
    println!("    time, geometric mean   {mean:5.2} (asked: at most {ASKED}){}", verdict(mean <= ASKED));
    println!("    runs, sum              {:5.2}", runs[0] / runs[1]);
    println!("    build, sum             {:5.2} ({:.0} / {:.0} ms)", build[0] / build[1], build[0], build[1]);
    println!("    units with lower coverage: {} {}", lower.len(), lower.join(", "));
    if total <= ASKED && mean <= ASKED {
        Ok(())
    } else {
        Err("looking for faults costs more than it may".into())
    }
}
