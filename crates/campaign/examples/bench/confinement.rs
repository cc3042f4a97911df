//! What confinement costs: runs per second of a target, and its start, against the same without.
//!
//! Takes nothing but the place; prints ratios from one run. Never: whether it holds.

use std::time::{Duration, Instant};

use tarka_runner::{Allow, Processes, Server};

use crate::{Outcome, Place, Unit};

/// Runs a round, starts a round, and rounds, of which the fastest counts: the two take turns.
const RUNS: u32 = 1000;
const STARTS: u32 = 20;
const ROUNDS: u32 = 7;

/// Prints them.
pub fn print(place: &Place) -> Outcome<()> {
    let open = Allow { unconfined: true, ..Allow::default() };
    let file = || place.root.join("examples/bubble.c");
    let mut units = [Unit::new(file(), place, &open)?, Unit::new(file(), place, &Allow::default())?];
    // An unconfined target makes each run in a process of its own, so both do.
    units.iter_mut().for_each(|unit| unit.server.set_processes(Processes::Forked));
    let (mut runs, mut starts) = ([Duration::MAX; 2], [Duration::MAX; 2]);
    for _ in 0..ROUNDS {
        for (which, unit) in units.iter_mut().enumerate() {
            let begin = Instant::now();
            for _ in 0..RUNS {
                unit.run("bubble")?;
            }
            runs[which] = runs[which].min(begin.elapsed());
            let allow = if which == 0 { &open } else { &Allow::default() };
            let begin = Instant::now();
            for _ in 0..STARTS {
                drop(Server::start(&unit.build.exe, allow)?);
            }
            starts[which] = starts[which].min(begin.elapsed());
        }
    }
    let each = |all: Duration, count: u32| all.as_secs_f64() * 1e3 / f64::from(count);
    let rate = |all: Duration| f64::from(RUNS) / all.as_secs_f64();
    println!("confined against unconfined (bubble), a process for each run");
    println!("  runs per second        {:8.0} /s against {:.0} /s", rate(runs[1]), rate(runs[0]));
    let lost = 100.0 * (1.0 - rate(runs[1]) / rate(runs[0]));
    println!("  lost                   {lost:8.1} %  (asked: at most 2)");
    let (open, confined) = (each(starts[0], STARTS), each(starts[1], STARTS));
    println!("  a unit's start and end {confined:8.2} ms against {open:.2} ms");
    println!("  more                   {:8.2} ms (asked: at most 5)", confined - open);
    Ok(())
}
