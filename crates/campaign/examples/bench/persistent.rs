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
/// Runs a round, and rounds, of which the fastest counts: the two take turns.
const RUNS: u32 = 300;
const ROUNDS: u32 = 15;
/// Most runs of a search, and searches of each way: a search also builds its target, so it is the runs that are told apart.
const SEARCH_RUNS: u64 = 2000;
const SEARCHES: u32 = 3;
/// Names the way of the searches that a process of its own makes.
const SEARCH_ONLY: &str = "TARKA_BENCH_SEARCH";

/// Prints both.
pub fn print(place: &Place) -> Outcome<()> {
    if std::env::var_os(SEARCH_ONLY).is_some() {
        return search(place);
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
                    unit.run(function)?;
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

/// One search of each unit; prints the sums of runs, of milliseconds of the runs and of all milliseconds.
fn search(place: &Place) -> Outcome<()> {
    let mut sums = [0.0; 3];
    for (file, function) in UNITS {
        let [runs, execute, _, total] = campaign(&place.root.join(file), function, SEARCH_RUNS, place)?;
        for (sum, value) in sums.iter_mut().zip([runs, execute, total]) {
            *sum += value;
        }
    }
    println!("{} {} {}", sums[0], sums[1], sums[2]);
    Ok(())
}

fn print_searches() -> Outcome<()> {
    let mut best = [[f64::MAX; 3]; 2];
    for _ in 0..SEARCHES {
        for ((_, way), best) in WAYS.into_iter().zip(&mut best) {
            let mut again = Command::new(std::env::current_exe()?);
            let output = again.arg("persistent").env(SEARCH_ONLY, "1").env("TARKA_RUNS_AS", way).output()?;
            let text = String::from_utf8(output.stdout)?;
            let sums: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            let [runs, execute, total] = sums[..] else { return Err("the searches failed".into()) };
            if total < best[2] {
                *best = [runs, execute, total];
            }
        }
    }
    let [kept, forked] = best;
    println!("searches of these units, at most {SEARCH_RUNS} runs each (random-branch, {} runs)", kept[0]);
    for (what, at) in [("the runs", 1), ("the whole loop", 2)] {
        let (kept, forked) = (kept[at], forked[at]);
        println!("  {what:<22} {kept:8.0} ms against {forked:6.0} ms   ratio {:.2}", forked / kept);
    }
    Ok(())
}
