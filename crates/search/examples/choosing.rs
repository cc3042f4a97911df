//! What choosing costs: microseconds of processor time that each strategy spends per run (absorb, choose, learn together)
//! with 100,000 candidates in the pool, for paths of several lengths. `cargo run --release -p tarka-search --example
//! choosing [-- STRATEGY]`. Fails if a strategy costs 20 µs or more with paths of 100 decisions, or if its cost grows
//! clearly more than linearly with the length.
//!
//! The unit is made up: a graph of conditions, walked at random; one outcome in ten is impossible, so that some goals stay
//! open for ever. Paths from the start fill the pool; then every choice is answered, as infeasible or by a run that
//! goes on at random. Filling is measured as well, per decision: there every run is new from its first decision to its last, which
//! shows growth best.
#![allow(clippy::disallowed_macros)] // A measurement prints.

#[path = "../tests/toy/mod.rs"]
#[allow(dead_code)] // the tests use all of it
mod toy;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tarka_search::strategy::{AVAILABLE, RunSummary, Strategy, UnitFacts, View, by_name};
use tarka_search::{CandidateId, CandidateState, Rng, Search};
use tarka_source::cfg::{Icfg, PointKind};
use tarka_source::{Criterion, FunctionId, SiteId, SourceModel};
use tarka_terms::Terms;
use tarka_trace::{Op, input_label};
use toy::{Drawing, Recorder, conditions};

const SITES: u32 = 400;
const CANDIDATES: usize = 100_000;
const CHOICES: u32 = 2_000;

/// Decisions on a path.
const LENGTHS: [usize; 4] = [100, 200, 400, 800];

/// What a run may cost, in microseconds, with paths of the first length.
const MOST: f64 = 20.0;

/// The cost per decision may be so many times as high with the longest paths as with the shortest: something quadratic would
/// be 8 times as high, and memory that no longer fits a cache explains 2.
const MOST_GROWTH: f64 = 3.0;

/// Measurements of each figure; the least counts, since everything that disturbs one makes it larger.
const REPEATS: usize = 3;

/// A strategy, and the time that it takes.
struct Timed {
    inner: Box<dyn Strategy>,
    nanoseconds: Arc<AtomicU64>,
}

impl Timed {
    fn timed<R>(&mut self, work: impl FnOnce(&mut dyn Strategy) -> R) -> R {
        let start = processor_time();
        let result = work(self.inner.as_mut());
        self.nanoseconds.fetch_add(processor_time() - start, Ordering::Relaxed);
        result
    }
}

impl Strategy for Timed {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn prepare(&mut self, unit: UnitFacts) {
        self.timed(|inner| inner.prepare(unit));
    }
    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        self.timed(|inner| inner.absorb(view, new, run));
    }
    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.timed(|inner| inner.choose(view, rng))
    }
    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        self.timed(|inner| inner.learn(view, candidate, state));
    }
    fn restart(&mut self) {
        self.inner.restart();
    }
}

/// Nanoseconds that this thread has had a processor: what else runs on the machine does not count.
fn processor_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Where a site leads.
fn next(site: u32, outcome: bool) -> u32 {
    if outcome { (site * 7 + 3) % SITES } else { (site + 1) % SITES }
}

fn is_possible(site: u32, outcome: bool) -> bool {
    (site * 2 + u32::from(outcome)) % 10 != 7
}

fn unit() -> (SourceModel, Icfg) {
    let model = conditions(SITES as usize);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let points: Vec<_> = (0..SITES).map(|site| drawing.point(0, PointKind::Site(SiteId(site)))).collect();
    let exit = drawing.point(0, PointKind::Exit);
    drawing.edge(entry, 0, points[0]);
    for site in 0..SITES {
        drawing.edge(points[site as usize], 0, points[next(site, false) as usize]);
        drawing.edge(points[site as usize], 1, points[next(site, true) as usize]);
        drawing.edge(points[site as usize], 0, exit);
    }
    (model, drawing.icfg)
}

/// One unit under one strategy.
struct Bench {
    model: SourceModel,
    search: Search,
    terms: Terms,
    paths: Vec<Vec<(u32, bool)>>,
    rng: Rng,
    length: usize,
}

impl Bench {
    /// A run that begins like this and goes on at random.
    fn run(&mut self, mut path: Vec<(u32, bool)>) {
        let mut recorder = Recorder::new(&[0]);
        recorder.coverage = vec![0; 2 * SITES as usize];
        while path.len() < self.length {
            let site = path.last().map_or(0, |&(site, outcome)| next(site, outcome));
            let wish = self.rng.below(2) == 1;
            path.push((site, if is_possible(site, wish) { wish } else { !wish }));
        }
        for (depth, &(site, outcome)) in path.iter().enumerate() {
            // Every decision of a path reads a byte of its own, so none settles another.
            let limit = tarka_trace::node_label(0);
            if depth == 0 {
                recorder.constant(8, 7);
            }
            let index = recorder.nodes.len() as u32;
            let [a, b] = [input_label(depth as u32), limit];
            recorder.nodes.push(tarka_trace::Node { op: Op::Ult as u8, pad: 0, width: 1, a, b, c: 0 });
            recorder.condition(site, outcome, tarka_trace::node_label(index));
        }
        self.paths.push(path);
        let evidence = recorder.evidence(&self.model);
        let number = self.paths.len() as u64;
        self.search.absorb(
            &mut self.terms,
            &recorder.trace(),
            &evidence,
            (number, tarka_search::HowEnded::Well),
        );
    }

    /// One choice and its answer; false if there was none to make.
    fn choose(&mut self) -> bool {
        let Ok(candidate) = self.search.choose() else { return false };
        let tree = self.search.tree();
        let (node, outcome) = (tree.node_of(candidate), tree.candidate(candidate).outcome == 1);
        if !is_possible(node.site, outcome) {
            self.search.learn(candidate, CandidateState::Infeasible);
            return true;
        }
        let mut path = self.paths[node.run as usize - 1][..node.depth as usize].to_vec();
        path.push((node.site, outcome));
        self.run(path);
        self.search.learn(candidate, CandidateState::Done);
        true
    }
}

/// Microseconds of one strategy with paths of one length.
#[derive(Clone, Copy)]
struct Cost {
    /// Per run while the pool is filled.
    filling: f64,
    /// Per run afterwards.
    per_run: f64,
}

fn measure(name: &str, length: usize) -> Cost {
    let nanoseconds = Arc::new(AtomicU64::new(0));
    let strategy = Timed { inner: by_name(name).expect("registered"), nanoseconds: Arc::clone(&nanoseconds) };
    let (model, icfg) = unit();
    let search = Search::new(&model, &icfg, (&[FunctionId(0)], Criterion::Branch), Box::new(strategy), 1);
    let mut bench = Bench { model, search, terms: Terms::new(), paths: Vec::new(), rng: Rng::new(1), length };
    nanoseconds.store(0, Ordering::Relaxed);
    while bench.search.tree().open_candidates() < CANDIDATES {
        bench.run(Vec::new());
    }
    let filling = nanoseconds.swap(0, Ordering::Relaxed) as f64 / 1000.0 / bench.paths.len() as f64;
    let choices = (0..CHOICES).take_while(|_| bench.choose()).count();
    Cost { filling, per_run: nanoseconds.load(Ordering::Relaxed) as f64 / 1000.0 / choices as f64 }
}

fn least(name: &str, length: usize) -> Cost {
    let least =
        |a: Cost, b: Cost| Cost { filling: a.filling.min(b.filling), per_run: a.per_run.min(b.per_run) };
    (0..REPEATS).map(|_| measure(name, length)).reduce(least).expect("at least one measurement")
}

fn main() -> ExitCode {
    let only = std::env::args().nth(1);
    if let Some(unknown) = only.as_deref().and_then(|only| by_name(only).err()) {
        println!("{unknown}");
        return ExitCode::FAILURE;
    }
    println!("µs per run with {CANDIDATES} candidates      | taking in a new path, µs per 100 decisions");
    println!("strategy        100   200   400   800 |   100   200   400   800 decisions on a path");
    let mut failed = Vec::new();
    for name in AVAILABLE.iter().filter(|name| only.as_deref().is_none_or(|only| only == **name)) {
        let costs = LENGTHS.map(|length| least(name, length));
        let row = |of: &dyn Fn(usize) -> f64| -> String {
            (0..LENGTHS.len()).map(|index| format!(" {:5.1}", of(index))).collect()
        };
        let taking_in = |index: usize| costs[index].filling * 100.0 / LENGTHS[index] as f64;
        let (short, long) = (costs[0].per_run, costs[LENGTHS.len() - 1].per_run);
        println!("{name:14}{} |{}", row(&|index| costs[index].per_run), row(&taking_in));
        if short >= MOST {
            failed.push(format!("{name} costs {short:.1} µs per run, which is not below {MOST}"));
        }
        let times = LENGTHS[LENGTHS.len() - 1] as f64 / LENGTHS[0] as f64;
        if long > short * times * MOST_GROWTH || taking_in(LENGTHS.len() - 1) > taking_in(0) * MOST_GROWTH {
            failed.push(format!("{name} costs more than linearly in the length of a path"));
        }
    }
    failed.iter().for_each(|why| println!("{why}"));
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
