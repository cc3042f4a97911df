//! `make bench`: every figure of the README and of the design notes, from one run.
//!
//! Takes the C files of `bench/` and `examples/` and those that `scripts/subjects` names; prints tables. With names of
//! parts (`forks`, `persistent`, `confinement`, `slow-down`, `engine`, `length`, `filter`, `solver`, `hard`, `faults`, `attacks`) it prints only those.
//! Machines are noisy, so each figure stands beside the one it is compared with, taken in the same run; rates are the best of several
//! rounds.
#![allow(clippy::disallowed_macros)] // a benchmark prints

mod attacks;
mod confinement;
mod fault_goals;
mod filtering;
mod hard;
mod persistent;
mod solving;
mod subjects;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tarka_campaign::{Options, run_file};
use tarka_instrument::{Build, BuildRequest, UnitRequest};
use tarka_runner::{Allow, ObjectImage, Processes, RunRequest, Server};
use tarka_source::{FunctionId, SourceModel, SourceRequest};
use tarka_trace::flag;

type Outcome<T> = Result<T, Box<dyn Error>>;

const ROUNDS: u32 = 7;
/// Rounds of the slow-down: they are short, and a busy machine disturbs most of them.
const SHORT_ROUNDS: u32 = 60;

/// Prints one part.
type Print = fn(&Place) -> Outcome<()>;

/// The parts, in the order they are printed.
const PARTS: [(&str, Print); 11] = [
    ("forks", fork_rate),
    ("persistent", persistent::print),
    ("confinement", confinement::print),
    ("slow-down", slow_down),
    ("engine", engine_time),
    ("length", path_length),
    ("filter", filtering::print),
    ("solver", solving::print),
    ("hard", hard::print),
    ("faults", fault_goals::print),
    ("attacks", attacks::print),
];

/// Where to find things and where to put them.
struct Place {
    root: PathBuf,
    clang: PathBuf,
    scratch: PathBuf,
}

/// Prints every part, or those that are named.
fn main() -> Outcome<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let scratch = tempfile::tempdir()?;
    let place = Place { root, clang: tarka_source::find_clang()?, scratch: scratch.path().to_path_buf() };
    let named: Vec<String> = std::env::args().skip(1).collect();
    for (_, print) in PARTS.iter().filter(|(name, _)| named.is_empty() || named.iter().any(|n| n == name)) {
        print(&place)?;
    }
    Ok(())
}

/// One C file, built for all its functions.
struct Unit {
    model: SourceModel,
    build: Build,
    server: Server,
}

impl Unit {
    fn new(file: PathBuf, place: &Place, allow: &Allow) -> Outcome<Unit> {
        let model = analyse(&file, place)?;
        let units = (0..model.functions.len() as u32).map(|number| UnitRequest::plain(FunctionId(number)));
        let units: Vec<UnitRequest> = units.collect();
        let work_dir = place.scratch.join(file.file_stem().ok_or("a file name")?);
        std::fs::create_dir_all(&work_dir)?;
        let build = tarka_instrument::build(&BuildRequest {
            model: &model,
            units: &units,
            work_dir: &work_dir,
            clang: &place.clang,
            self_check: false,
            globals_as_inputs: false,
            library_inputs: &[],
            faults: tarka_trace::FaultSet::NONE,
            promises_kept: false,
        })?;
        let server = Server::start(&build.exe, allow)?;
        Ok(Unit { model, build, server })
    }

    /// Runs one function on zeros and gives the wall-clock time.
    fn run(&mut self, function: &str) -> Outcome<Duration> {
        self.run_with(function, 0)
    }

    /// The same, but what is as wide as a pointer leads to so many zeros.
    fn run_with(&mut self, function: &str, pointee: usize) -> Outcome<Duration> {
        const POINTEE: u32 = 1 << 16;
        let address = (tarka_trace::ARENA_BASE + u64::from(POINTEE)).to_le_bytes();
        let unit = self.model.function_named(function).ok_or("no such function")?.0.0;
        let layout = &self.build.units[unit as usize];
        let bytes = vec![0; 4096];
        let flags = vec![flag::VALID | flag::SYMBOLIC; 4096];
        let mut objects: Vec<ObjectImage> = layout
            .roots
            .iter()
            .map(|root| {
                let size = root.size as usize;
                ObjectImage {
                    offset: root.offset,
                    root: true,
                    bytes: if size == 8 && pointee > 0 { &address } else { &bytes[..size] },
                    flags: &flags[..size],
                    ..Default::default()
                }
            })
            .collect();
        if pointee > 0 {
            let (bytes, flags) = (&bytes[..pointee], &flags[..pointee]);
            objects.push(ObjectImage { offset: POINTEE, bytes, flags, ..Default::default() });
        }
        let request = RunRequest {
            unit,
            objects: &objects,
            time_limit: Duration::from_secs(20),
            memory_limit: 1 << 30,
            self_check: false,
            site_count: self.build.sites.len() as u32,
            coverage_len: self.build.coverage_len,
            ..Default::default()
        };
        let start = Instant::now();
        let run = self.server.run(&request)?;
        let time = start.elapsed();
        match run.end() {
            tarka_runner::End::Returned => Ok(time),
            other => Err(format!("{function} ended with {other:?}").into()),
        }
    }
}

fn analyse(file: &Path, place: &Place) -> Outcome<SourceModel> {
    Ok(tarka_source::analyse(&SourceRequest { file, flags: &[], clang: &place.clang })?)
}

fn fork_rate(place: &Place) -> Outcome<()> {
    const COUNT: u32 = 1000;
    let mut unit = Unit::new(place.root.join("examples/bubble.c"), place, &Allow::default())?;
    unit.server.set_processes(Processes::Forked);
    let (mut bare, mut runs) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        bare = bare.min(unit.server.bare_forks(COUNT)?);
        let start = Instant::now();
        for _ in 0..COUNT {
            unit.run("bubble")?;
        }
        runs = runs.min(start.elapsed());
    }
    let rate = |time: Duration| COUNT as f64 / time.as_secs_f64();
    println!("runs per second against a bare fork and wait of the same process (bubble)");
    println!("  bare fork and wait     {:8.0} /s", rate(bare));
    println!(
        "  traced runs, forked    {:8.0} /s   ratio {:.2} (asked: at least 0.50)",
        rate(runs),
        rate(runs) / rate(bare)
    );
    Ok(())
}

/// The time one call of a function takes in the plain `-O0` build.
fn plain_time(program: &Path, function: &str) -> Outcome<Duration> {
    let output = Command::new(program).arg(function).output()?;
    let nanoseconds: u64 = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok(Duration::from_nanos(nanoseconds))
}

fn slow_down(place: &Place) -> Outcome<()> {
    let functions = ["compute_concrete", "compute_symbolic"];
    let driver = place.scratch.join("plain.c");
    let file = place.root.join("bench/compute.c");
    std::fs::write(
        &driver,
        format!(
            "#include \"{}\"\n#include <stdio.h>\n#include <string.h>\n#include <time.h>\n\
         int main(int argc, char **argv) {{\n  struct timespec a, b;\n  volatile unsigned sink;\n\
         clock_gettime(CLOCK_MONOTONIC, &a);\n\
         sink = argc > 1 && strcmp(argv[1], \"compute_concrete\") == 0 ? compute_concrete(0) : compute_symbolic(0);\n\
         clock_gettime(CLOCK_MONOTONIC, &b);\n  (void)sink;\n\
         printf(\"%lld\\n\", (b.tv_sec - a.tv_sec) * 1000000000LL + (b.tv_nsec - a.tv_nsec));\n}}\n",
            file.display()
        ),
    )?;
    let program = place.scratch.join("plain");
    let status = Command::new(&place.clang).arg("-O0").arg(&driver).arg("-o").arg(&program).status()?;
    if !status.success() {
        return Err("the plain build of bench/compute.c failed".into());
    }
    let mut unit = Unit::new(file, place, &Allow::default())?;
    println!("slow-down against the plain -O0 build (one call, best of {SHORT_ROUNDS})");
    for (function, asked) in functions.into_iter().zip([" (asked: at most 4)", ""]) {
        let (mut plain, mut traced) = (Duration::MAX, Duration::MAX);
        for _ in 0..SHORT_ROUNDS {
            plain = plain.min(plain_time(&program, function)?);
            traced = traced.min(unit.run(function)?);
        }
        let ratio = traced.as_secs_f64() / plain.as_secs_f64();
        println!(
            "  {function:<22} {:8.2} ms against {:.2} ms   ratio {ratio:.2}{asked}",
            ms(traced),
            ms(plain)
        );
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// One campaign with a fixed number of runs: (runs, execution, solver, everything) in milliseconds.
fn campaign(file: &Path, function: &str, runs: u64, place: &Place) -> Outcome<[f64; 4]> {
    let model = analyse(file, place)?;
    let (id, _) = model.function_named(function).ok_or("no such function")?;
    let options =
        Options { time: None, runs: Some(runs), strategy: "random-branch".to_owned(), ..Options::default() };
    let work_dir = place.scratch.join(function);
    std::fs::create_dir_all(&work_dir)?;
    let results = run_file(&model, &[id], &options, &place.clang, &work_dir, &|_| {})?;
    let unit = results.first().ok_or("no result")?.result();
    Ok([unit.runs as f64, unit.execute_ms as f64, unit.solver.ms as f64, unit.total_ms as f64])
}

fn engine_time(place: &Place) -> Outcome<()> {
    println!("where the time of a campaign goes, per run (random-branch)");
    for (file, function, count) in
        [("examples/loop_count.c", "loop", 200), ("bench/path.c", "walk_100", 1000)]
    {
        let [runs, execute, solver, total] = campaign(&place.root.join(file), function, count, place)?;
        println!(
            "  {function:<22} {runs:5} runs: execute {:7.1} µs, solver {:7.1} µs, engine {:7.1} µs",
            execute * 1e3 / runs,
            solver * 1e3 / runs,
            (total - execute - solver) * 1e3 / runs
        );
    }
    Ok(())
}

fn path_length(place: &Place) -> Outcome<()> {
    println!("time per run by path length, without the solver (linear: time per branch stays level)");
    for (function, length, runs) in
        [("walk_100", 1e2, 1000), ("walk_1000", 1e3, 300), ("walk_10000", 1e4, 60)]
    {
        let [runs, execute, solver, total] =
            campaign(&place.root.join("bench/path.c"), function, runs, place)?;
        let engine = (total - execute - solver) * 1e3 / runs;
        println!(
            "  {function:<22} execute {:8.1} µs, engine {engine:9.1} µs, solver {:9.1} µs; execute + engine per branch {:.3} µs",
            execute * 1e3 / runs,
            solver * 1e3 / runs,
            (execute * 1e3 / runs + engine) / length
        );
    }
    Ok(())
}
