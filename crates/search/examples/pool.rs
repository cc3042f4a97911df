//! What one more run costs with a thousand candidates in the pool and with a million.
//!
//! `cargo run --release -p tarka-search --example pool` prints, for every strategy, the time of one more run (absorb it,
//! choose the next candidate with the filter on, learn what became of that) in both pools, and their ratio; once for runs
//! that cover nothing and once for runs that each cover a goal. Both pools take turns in one process, and the median of
//! many runs counts. A ratio above 2 ends the program with status 1.
//!
//! The unit is drawn by hand: a loop over two conditions, then a row of conditions of which every measured run covers one
//! more. A run forks off a known path early and adds a few decisions; nothing is compiled or solved. Not measured is a run
//! after which most of the pool is irrelevant: each of those candidates is dropped once, when it would be chosen, which
//! costs less than making it did.
// The library has no clock and prints nothing; measuring is nothing but that.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tarka_search::{CandidateState, HowEnded, RunTrace, Search, strategy};
use tarka_source::cfg::{Edge, Icfg, Point, PointId, PointKind, Usage};
use tarka_source::{
    Context, Criterion, Evidence, Function, FunctionId, Place, Site, SiteId, SiteKind, SourceModel, TypeId,
    TypeTable,
};
use tarka_terms::Terms;
use tarka_trace::{EventKind, Node, Op, TraceEvent, input_label, node_label};

/// Candidates of the two pools.
const POOLS: [usize; 2] = [1_000, 1_000_000];

/// Decisions of the runs that fill the pool, and of the measured ones.
const LENGTH: u32 = 100;

/// Measured runs of each kind.
const MEASURED: u32 = 2_000;

/// Conditions behind the loop.
const ROW: u32 = MEASURED + 2;

/// The first condition of the row; 0 and 1 are the loop's.
const FIRST_IN_ROW: u32 = 2;

fn main() -> ExitCode {
    let (model, icfg) = unit();
    let mut is_worse = false;
    println!("strategy       runs that        10^3 candidates  10^6 candidates  ratio");
    for name in strategy::AVAILABLE {
        let mut pools = POOLS.map(|size| Pool::filled(&model, &icfg, name, size));
        for (what, covers) in [("cover nothing", false), ("cover a goal", true)] {
            let mut times = [Vec::new(), Vec::new()];
            for _ in 0..MEASURED {
                for (pool, times) in pools.iter_mut().zip(&mut times) {
                    times.push(pool.one_more(covers));
                }
            }
            let [small, large] = times.map(median);
            let ratio = large.as_secs_f64() / small.as_secs_f64();
            is_worse |= ratio > 2.0;
            let micros = |time: Duration| format!("{:.1} µs", time.as_secs_f64() * 1e6);
            println!("{name:<14} {what:<16} {:>15}  {:>15}  {ratio:>5.2}", micros(small), micros(large));
        }
    }
    ExitCode::from(u8::from(is_worse))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A search with many candidates.
struct Pool<'a> {
    model: &'a SourceModel,
    search: Search,
    terms: Terms,
    runs: u64,
    /// How many of the row's conditions were covered.
    covered: u32,
}

impl<'a> Pool<'a> {
    fn filled(model: &'a SourceModel, icfg: &Icfg, name: &str, size: usize) -> Pool<'a> {
        let strategy = strategy::by_name(name).expect("the strategy is available");
        let search = Search::new(model, icfg, (&[FunctionId(0)], Criterion::Branch), strategy, 1);
        let mut pool = Pool { model, search, terms: Terms::new(), runs: 0, covered: 0 };
        while pool.search.tree().open_candidates() < size {
            let run = pool.next_run(false);
            pool.take(&run, &Evidence::of_map(model, &run.coverage));
        }
        pool
    }

    /// Takes one more run and asks for what to do next; how long that took.
    fn one_more(&mut self, covers: bool) -> Duration {
        let run = self.next_run(covers);
        self.covered += u32::from(covers);
        let evidence = Evidence::of_map(self.model, &run.coverage);
        let start = Instant::now();
        self.take(&run, &evidence);
        let chosen = self.search.choose().expect("a goal is open");
        self.search.learn(chosen, CandidateState::Infeasible);
        start.elapsed()
    }

    fn take(&mut self, run: &Recorded, evidence: &Evidence) {
        let trace = RunTrace { events: &run.events, nodes: &run.nodes, tables: &[], input: &Vec::new() };
        self.runs += 1;
        self.search.absorb(&mut self.terms, &trace, evidence, (self.runs, HowEnded::Well));
    }

    /// A run that no run before it was like: its number, in binary, says how its first decisions went.
    fn next_run(&self, covers: bool) -> Recorded {
        let outcomes = 2 * (FIRST_IN_ROW + ROW) as usize;
        let mut run = Recorded { events: Vec::new(), nodes: Vec::new(), coverage: vec![0; outcomes] };
        let number = self.runs;
        for index in 0..LENGTH {
            let holds = index >= 32 || number >> index & 1 == 0;
            run.decision(index & 1, index, holds);
        }
        run.event(0, false, 0);
        if covers {
            run.event(FIRST_IN_ROW + self.covered, true, 0);
        }
        run
    }
}

/// A run, as a target would have left it.
struct Recorded {
    events: Vec<TraceEvent>,
    nodes: Vec<Node>,
    coverage: Vec<u8>,
}

impl Recorded {
    /// `(input[0], input[1]) < number` decides.
    fn decision(&mut self, site: u32, number: u32, holds: bool) {
        let wide = self.node(Op::Concat, 16, [input_label(1), input_label(0), 0]);
        let limit = self.node(Op::Const, 16, [0, number + 1, 0]);
        let label = self.node(Op::Ult, 1, [wide, limit, 0]);
        self.event(site, holds, label);
    }

    fn node(&mut self, op: Op, width: u16, [a, b, c]: [u32; 3]) -> u32 {
        self.nodes.push(Node { op: op as u8, pad: 0, width, a, b, c });
        node_label(self.nodes.len() as u32 - 1)
    }

    fn event(&mut self, site: u32, holds: bool, label: u32) {
        self.coverage[2 * site as usize + usize::from(holds)] = 1;
        let kind = EventKind::Condition as u16;
        self.events.push(TraceEvent { site, kind, outcome: holds.into(), label, aux: 0 });
    }
}

/// `while (c0) c1; c2; c3; …`: the true side of each condition of the row returns.
fn unit() -> (SourceModel, Icfg) {
    let place = |line| Place { file: "pool.c".to_string(), line, column: 1 };
    let count = FIRST_IN_ROW + ROW;
    let site = |index: u32| Site {
        id: SiteId(index),
        function: FunctionId(0),
        place: place(index + 1),
        lines: index + 1..=index + 1,
        text: String::new(),
        decision: index,
        position: 0,
        is_assertion: false,
        is_relative: false,
        refuses: false,
        adjusts: false,
        governs: 1..=1,
        kind: SiteKind::Condition { context: Context::If, always: None },
    };
    let sites: Vec<Site> = (0..count).map(site).collect();
    let function = Function {
        name: "unit".to_string(),
        written: "unit".to_string(),
        place: place(1),
        end_line: count,
        is_static: false,
        is_inline: false,
        is_weak: false,
        is_named: true,
        is_variadic: false,
        in_main_file: true,
        params: Vec::new(),
        result: TypeId(0),
        sites: sites.iter().map(|site| site.id).collect(),
        loops: Vec::new(),
        statements: Vec::new(),
        ty: TypeId(0),
        address_taken: false,
        may_fall_off: false,
        uses: tarka_source::Uses::default(),
        first_statement: 0,
    };
    let model = SourceModel {
        file: PathBuf::from("pool.c"),
        flags: Vec::new(),
        types: TypeTable::default(),
        functions: vec![function],
        globals: Vec::new(),
        sites,
        probed_text: String::new(),
        others: Vec::new(),
        declared_functions: Vec::new(),
        macros: Default::default(),
        inline_definitions: Default::default(),
        declared_variables: Vec::new(),
        mentions_errno: false,
        handed_fresh: Vec::new(),
        led_into: Vec::new(),
        decisions: Vec::new(),
    };
    let site_point = |site: u32| PointId(site + 1);
    let exit = PointId(count + 1);
    let edge = |outcome, to| Edge { outcome, to, usage: Usage::default() };
    let point = |kind, edges| Point { function: FunctionId(0), kind, edges, dominator: None };
    let mut points = vec![point(PointKind::Entry, vec![edge(0, site_point(0))])];
    for index in 0..count {
        let next = if index + 1 < count { site_point(index + 1) } else { exit };
        let edges = match index {
            0 => vec![edge(0, site_point(FIRST_IN_ROW)), edge(1, site_point(1))],
            1 => vec![edge(0, site_point(0)), edge(1, site_point(0))],
            _ => vec![edge(0, next), edge(1, exit)],
        };
        points.push(point(PointKind::Site(SiteId(index)), edges));
    }
    points.push(point(PointKind::Exit, Vec::new()));
    let icfg = Icfg {
        points,
        entries: vec![Some(PointId(0))],
        calls: vec![Vec::new()],
        site_points: (0..count).map(|site| Some(site_point(site))).collect(),
        ..Icfg::default()
    };
    (model, icfg)
}
