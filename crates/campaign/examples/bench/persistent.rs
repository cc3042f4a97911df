//! What it gains to make one run after another in a process: runs per second against a fork for each, and the whole search.
//!
//! Takes ten units of `bench/` and `examples/`; prints ratios from one run, in which the two take turns. Never: whether the runs are
//! the same.

use std::process::Command;
use std::time::{Duration, Instant};

use tarka_runner::{Allow, Processes};

use crate::{Outcome, Place, Unit, campaign};

const UNITS: [(&str, &str); 10] = [
    ("bench/path.c", "walk_100"),
    ("bench/path.c", "walk_1000"),
    ("examples/bubble.c", "bubble"),
    ("examples/calendar.c", "days_in_month"),
    ("examples/loop_count.c", "loop"),
    ("examples/packet.c", "packet_decode"),
    ("examples/search.c", "map_find"),
    ("examples/tokenizer.c", "next_token"),
    ("examples/total.c", "fees"),
    ("examples/wave.c", "level"),
];
/// The ways, with the word that forces each in another process.
const WAYS: [(Processes, &str); 2] = [(Processes::Kept, "kept"), (Processes::Forked, "forked")];
/// Bytes that pointers lead to.
const POINTEE: usize = 1000;
/// Runs a round, and rounds, of which the fastest counts: the two take turns.
const RUNS: u32 = 300;
const ROUNDS: u32 = 15;
/// Most runs of a search, and searches of each way.
const SEARCH_RUNS: u64 = 2000;
const SEARCHES: u32 = 3;
/// Says how many runs a search has that a process of its own makes.
const SEARCH_ONLY: &str = "TARKA_BENCH_SEARCH";

/// Prints both.
pub fn print(place: &Place) -> Outcome<()> {
    if let Ok(runs) = std::env::var(SEARCH_ONLY) {
        return search(runs.parse()?, place);
    }
    println!("runs per second in a process that is kept against a fork for each");
    let mut ratios = Vec::new();
    for (file, function) in UNITS {
        let mut unit = Unit::new(place.root.join(file), place, &Allow::default())?;
        let mut best = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            for ((processes, _), best) in WAYS.into_iter().zip(&mut best) {
                unit.server.set_processes(processes);
                let begin = Instant::now();
                for _ in 0..RUNS {
                    unit.run_with(function, POINTEE)?;
                }
                *best = (*best).min(begin.elapsed());
            }
        }
        let [kept, forked] = best.map(|time| f64::from(RUNS) / time.as_secs_f64());
        println!("  {function:<22} {kept:8.0} /s against {forked:6.0} /s   ratio {:.2}", kept / forked);
        ratios.push(kept / forked);
    }
    ratios.sort_by(f64::total_cmp);
    println!("  median of the ratios   {:8.2} (asked: at least 2)", f64::midpoint(ratios[4], ratios[5]));
    print_searches()
}

/// One search of each unit.
fn search(runs: u64, place: &Place) -> Outcome<()> {
    UNITS
        .iter()
        .try_for_each(|(file, function)| campaign(&place.root.join(file), function, runs, place).map(drop))
}

/// Seconds of processor time of all processes that ended below this one.
fn used() -> Outcome<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let behind_name = text.rsplit(')').next().ok_or("a process has a name")?;
    let fields: Vec<&str> = behind_name.split_whitespace().collect();
    Ok((fields[13].parse::<f64>()? + fields[14].parse::<f64>()?) / TICKS_PER_SECOND)
}

/// The processor time of searches in a process of its own, and the time that passes.
fn measure(runs: u64, way: &str) -> Outcome<[f64; 2]> {
    let (before, begin) = (used()?, Instant::now());
    let mut again = Command::new(std::env::current_exe()?);
    let status =
        again.arg("persistent").env(SEARCH_ONLY, runs.to_string()).env("TARKA_RUNS_AS", way).status()?;
    if !status.success() {
        return Err("the searches failed".into());
    }
    Ok([used()? - before, begin.elapsed().as_secs_f64()])
}

/// A search builds its target first: what one run takes is no part of the loop.
fn print_searches() -> Outcome<()> {
    let mut best = [[f64::MAX; 2]; 3];
    let searches = [(1, "kept"), (SEARCH_RUNS, WAYS[0].1), (SEARCH_RUNS, WAYS[1].1)];
    for _ in 0..SEARCHES {
        for ((runs, way), best) in searches.into_iter().zip(&mut best) {
            let now = measure(runs, way)?;
            *best = [best[0].min(now[0]), best[1].min(now[1])];
        }
    }
    let [build, kept, forked] = best;
    println!("searches of these units, at most {SEARCH_RUNS} runs each (random-branch), without building");
    for (what, at) in [("processor time", 0), ("time that passes", 1)] {
        let (kept, forked) = (kept[at] - build[at], forked[at] - build[at]);
        println!("  {what:<22} {kept:8.2} s against {forked:6.2} s   ratio {:.2}", forked / kept);
    }
    Ok(())
}
