//! What the fault statistics say of every branch: the best weighted usage tuple of the unexplored paths behind it (paper 1,
//! §4.3, listing 2).
//!
//! Takes the usage of the graph's edges, once, and the branches that runs are the first to take; gives the weight of each
//! branch. Bottom-up: the tuple of a point is that of the way on which weighs most, added to its own. A loop is taken zero
//! times or once: a way back to its head goes on where the loop is left. A call adds the best way through what it calls;
//! behind the end of a function the best way on after any of its callers counts. Recursion adds nothing. Never: the path
//! tree, candidates.
//!
//! The counts of a tuple are normalised by their mean and deviation, as in listing 2; no deviation gives 0. The paper's
//! figure 2 shows plain sums (eight pointers and three assignments give 4.03) and its §4.4 promises positive values, which the
//! listing does not keep: code that only assigns weighs less than 0. It is the order that counts, and both orders find
//! the paper's faults; listing 2 spreads over the code sooner.
//!
//! Settled here: the set of unexplored paths, which the paper evaluates, is infinite with the first loop, so an edge of the
//! graph is explored when a run has taken it, and what is executed on it counts no more. Where every edge behind a branch
//! is explored the branch has no weight, which is less than any. An edge that leaves no site is explored with what leads
//! there, a call with all it may call. A change goes up to what comes before it, as far as it makes a difference.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use tarka_source::FunctionId;
use tarka_source::cfg::{Icfg, PointId, PointKind, Usage};

use super::dominators::dominates;
use crate::strategy::UnitFacts;

/// How often faults come from pointers, predicates, loops, arithmetic, boolean evaluation and assignments (table 1).
const WEIGHTS: [f64; 6] = [0.47, 0.22, 0.05, 0.11, 0.06, 0.09];

/// The weight of what is unexplored, in millionths, so that weights can be ordered; `None` if all is explored.
pub(crate) type Weight = Option<i64>;

/// The weight of what lies behind every branch and is unexplored.
#[derive(Default)]
pub(crate) struct UsageWeights {
    points: Vec<PointFacts>,
    edges: Vec<EdgeFacts>,
    /// Where paths go on: the points within a function and what it calls, then again with what follows after the function.
    stations: Vec<Station>,
    /// The point of each branch and its outcome there, by index in the coverage map.
    branches: Vec<Option<(usize, u32)>>,
    weights: Vec<Weight>,
    entry: Option<usize>,
}

struct PointFacts {
    /// Its edges, by number.
    edges: std::ops::Range<usize>,
    /// Entries of what it may call.
    called: Vec<usize>,
    /// The branches that leave it.
    branches: Vec<u32>,
    is_site: bool,
    /// Runs have come by; only told of points that are no sites.
    is_passed: bool,
}

struct EdgeFacts {
    outcome: u32,
    to: usize,
    /// What is executed on it and unexplored.
    usage: Tuple,
    /// Stations with a way over it.
    users: Vec<usize>,
}

/// A point with the best tuple from it on.
#[derive(Default)]
struct Station {
    ways: Vec<Way>,
    /// Stations of which the best is passed before any way on: what a call may reach.
    called: Vec<usize>,
    best: Tuple,
    /// Its place in an order in which every station comes after those it depends on; recursion aside.
    rank: usize,
    /// The stations that depend on it.
    before: Vec<usize>,
}

/// One way on, loops left.
#[derive(Clone, Copy)]
struct Way {
    outcome: u32,
    edge: usize,
    /// After a way back to the head of a loop, the edge by which the loop is left.
    leaving: Option<usize>,
    /// `None`: nothing lies behind (a loop that is never left).
    to: Option<usize>,
}

impl Way {
    fn edges(self) -> impl Iterator<Item = usize> {
        std::iter::once(self.edge).chain(self.leaving)
    }
}

/// Stations whose tuple may have changed, by rank.
type Stale = BinaryHeap<Reverse<(usize, usize)>>;

impl UsageWeights {
    pub(crate) fn new(unit: UnitFacts) -> UsageWeights {
        let mut weights = UsageWeights {
            branches: vec![None; unit.sites.branch_count()],
            entry: entries(unit.icfg, &[unit.function]).next(),
            ..UsageWeights::default()
        };
        weights.take_graph(unit);
        weights.stations = stations(unit, &weights.points);
        weights.link();
        weights.work_out();
        weights
    }

    /// Weighs everything.
    fn work_out(&mut self) {
        for station in self.order() {
            self.stations[station].best = self.weigh(station);
        }
        let count = self.branches.len() as u32;
        self.weights = (0..count).map(|branch| self.weigh_branch(branch)).collect();
    }

    fn take_graph(&mut self, unit: UnitFacts) {
        for point in &unit.icfg.points {
            let first = self.edges.len();
            self.edges.extend(point.edges.iter().map(|edge| EdgeFacts {
                outcome: edge.outcome,
                to: edge.to.0 as usize,
                usage: Tuple::of(edge.usage),
                users: Vec::new(),
            }));
            let called = match &point.kind {
                PointKind::Call(callees) => entries(unit.icfg, callees).collect(),
                _ => Vec::new(),
            };
            let is_site = matches!(point.kind, PointKind::Site(_));
            let edges = first..self.edges.len();
            self.points.push(PointFacts { edges, called, branches: Vec::new(), is_site, is_passed: false });
        }
        for (site, point) in unit.icfg.site_points.iter().enumerate() {
            let Some(PointId(point)) = *point else { continue };
            for outcome in 0..unit.sites.outcomes(site as u32) {
                if let Some(branch) = unit.sites.coverage_index(site as u32, outcome) {
                    self.branches[branch as usize] = Some((point as usize, outcome));
                    self.points[point as usize].branches.push(branch);
                }
            }
        }
    }

    /// Makes known who depends on what, and the order that follows from it.
    fn link(&mut self) {
        for station in 0..self.stations.len() {
            for needed in self.needs(station) {
                self.stations[needed].before.push(station);
            }
            for edge in self.stations[station].ways.iter().flat_map(|way| way.edges()) {
                self.edges[edge].users.push(station);
            }
        }
        for (rank, station) in self.order().into_iter().enumerate() {
            self.stations[station].rank = rank;
        }
    }

    fn needs(&self, station: usize) -> Vec<usize> {
        let Station { ways, called, .. } = &self.stations[station];
        ways.iter().filter_map(|way| way.to).chain(called.iter().copied()).collect()
    }

    /// Every station after those it depends on.
    fn order(&self) -> Vec<usize> {
        let count = self.stations.len();
        let (mut order, mut seen) = (Vec::with_capacity(count), vec![false; count]);
        for start in 0..count {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut open = vec![(start, self.needs(start))];
            while let Some((station, left)) = open.last_mut() {
                match left.pop() {
                    Some(next) if !std::mem::replace(&mut seen[next], true) => {
                        open.push((next, self.needs(next)));
                    }
                    Some(_) => {}
                    None => {
                        order.push(*station);
                        open.pop();
                    }
                }
            }
        }
        order
    }

    /// The tuple of a station as another one sees it: one that comes later in the order is met again by recursion.
    fn seen_from(&self, station: usize, seen: usize) -> Tuple {
        let is_known = self.stations[seen].rank < self.stations[station].rank;
        if is_known { self.stations[seen].best } else { Tuple::default() }
    }

    fn weigh_way(&self, station: usize, way: Way) -> Tuple {
        let behind = way.to.map_or(Tuple::default(), |to| self.seen_from(station, to));
        way.edges().fold(behind, |tuple, edge| tuple.plus(self.edges[edge].usage))
    }

    fn weigh(&self, station: usize) -> Tuple {
        let Station { ways, called, .. } = &self.stations[station];
        let called = heaviest(called.iter().map(|&called| self.seen_from(station, called)));
        called.plus(heaviest(ways.iter().map(|&way| self.weigh_way(station, way))))
    }

    /// The heaviest of the ways on under a branch; of all ways of its site if the graph has none under it.
    fn weigh_branch(&self, branch: u32) -> Weight {
        let (point, outcome) = self.branches[branch as usize]?;
        let station = self.points.len() + point;
        let ways = &self.stations[station].ways;
        let any = ways.iter().any(|way| way.outcome == outcome);
        let wanted = ways.iter().filter(|way| !any || way.outcome == outcome);
        heaviest(wanted.map(|&way| self.weigh_way(station, way))).weight()
    }

    /// Takes the branches that a run was the first to take; gives those whose weight changed.
    pub(crate) fn explore(&mut self, taken: &[u32]) -> Vec<u32> {
        let (mut stale, mut reached) = (Stale::new(), Vec::from_iter(self.entry));
        for &branch in taken {
            let Some(&Some((point, outcome))) = self.branches.get(branch as usize) else { continue };
            for edge in self.points[point].edges.clone() {
                if self.edges[edge].outcome == outcome {
                    self.explore_edge(edge, &mut stale, &mut reached);
                }
            }
        }
        while let Some(point) = reached.pop() {
            let facts = &mut self.points[point];
            if facts.is_site || std::mem::replace(&mut facts.is_passed, true) {
                continue;
            }
            reached.extend(&facts.called);
            for edge in facts.edges.clone() {
                self.explore_edge(edge, &mut stale, &mut reached);
            }
        }
        self.refresh(stale)
    }

    fn explore_edge(&mut self, edge: usize, stale: &mut Stale, reached: &mut Vec<usize>) {
        let facts = &mut self.edges[edge];
        facts.usage = Tuple::default();
        reached.push(facts.to);
        stale.extend(facts.users.iter().map(|&user| Reverse((self.stations[user].rank, user))));
    }

    /// Weighs stations anew and those before them, as far as it makes a difference; gives the branches whose weight changed.
    fn refresh(&mut self, mut stale: Stale) -> Vec<u32> {
        let (mut changed, mut last) = (Vec::new(), None);
        while let Some(Reverse((rank, station))) = stale.pop() {
            if last.replace(rank) == Some(rank) {
                continue;
            }
            if let Some(point) = station.checked_sub(self.points.len()) {
                for index in 0..self.points[point].branches.len() {
                    let branch = self.points[point].branches[index];
                    let weight = self.weigh_branch(branch);
                    if std::mem::replace(&mut self.weights[branch as usize], weight) != weight {
                        changed.push(branch);
                    }
                }
            }
            let best = self.weigh(station);
            if std::mem::replace(&mut self.stations[station].best, best) != best {
                let before = self.stations[station].before.iter();
                let ranked = before.map(|&before| (self.stations[before].rank, before));
                stale.extend(ranked.filter(|&(before, _)| before > rank).map(Reverse));
            }
        }
        changed
    }

    /// The weight of what lies behind a branch, by its index in the coverage map; behind the start without one.
    pub(crate) fn behind(&self, branch: Option<u32>) -> Weight {
        match branch {
            Some(branch) => self.weights.get(branch as usize).copied().flatten(),
            None => self.stations.get(self.points.len() + self.entry?)?.best.weight(),
        }
    }
}

/// The counts of what is executed and unexplored, in the order of the weights.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Tuple {
    counts: [f64; 6],
    /// An edge with nothing on it is unexplored all the same.
    is_unexplored: bool,
}

impl Tuple {
    fn of(usage: Usage) -> Tuple {
        let Usage { pointer, predicate, loops, arithmetic, boolean, assignment } = usage;
        let counts = [pointer, predicate, loops, arithmetic, boolean, assignment].map(f64::from);
        Tuple { counts, is_unexplored: true }
    }

    fn plus(self, other: Tuple) -> Tuple {
        Tuple {
            counts: std::array::from_fn(|index| self.counts[index] + other.counts[index]),
            is_unexplored: self.is_unexplored || other.is_unexplored,
        }
    }

    /// The normalised counts, each times its share of all faults.
    fn weight(&self) -> Weight {
        let mean = self.counts.iter().sum::<f64>() / 6.0;
        let variance = self.counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / 6.0;
        let weighted = self.counts.iter().zip(WEIGHTS).map(|(count, weight)| (count - mean) * weight);
        let value = if variance > 0.0 { weighted.sum::<f64>() / variance.sqrt() } else { 0.0 };
        self.is_unexplored.then_some((value * 1e6).round() as i64)
    }
}

/// The tuple that weighs most, the first among equals.
fn heaviest(tuples: impl Iterator<Item = Tuple>) -> Tuple {
    let heavier = |best: Tuple, next: Tuple| if next.weight() > best.weight() { next } else { best };
    tuples.reduce(heavier).unwrap_or_default()
}

/// The stations of a unit: every point within its function, then every point with what follows after the function.
fn stations(unit: UnitFacts, points: &[PointFacts]) -> Vec<Station> {
    let ways = ways(unit.icfg, points);
    let (callers, within) = (callers(unit), within(unit));
    let is_within = |call: usize| within[unit.icfg.points[call].function.0 as usize];
    let inside = |point: usize| Station {
        ways: ways[point].clone(),
        called: points[point].called.clone(),
        ..Station::default()
    };
    let with_callers = |point: usize| {
        let facts = &unit.icfg.points[point];
        let is_end = facts.kind == PointKind::Exit && facts.function != unit.function;
        let from = match is_end {
            true => callers[facts.function.0 as usize].as_slice(),
            false => &[point],
        };
        let all = from.iter().filter(|&&from| !is_end || is_within(from)).flat_map(|&from| &ways[from]);
        let ways = all.map(|way| Way { to: way.to.map(|to| points.len() + to), ..*way }).collect();
        Station { ways, called: points[point].called.clone(), ..Station::default() }
    };
    let all = 0..points.len();
    all.clone().map(inside).chain(all.map(with_callers)).collect()
}

/// The ways on from every point. There is no cycle among them within a function whose loops have one entry each.
fn ways(icfg: &Icfg, points: &[PointFacts]) -> Vec<Vec<Way>> {
    let loops = Loops::new(icfg);
    let of_point = |from: usize| {
        let mut ways = Vec::new();
        for (edge, number) in icfg.points[from].edges.iter().zip(points[from].edges.clone()) {
            let way =
                Way { outcome: edge.outcome, edge: number, leaving: None, to: Some(edge.to.0 as usize) };
            if !dominates(icfg, edge.to, PointId(from as u32)) {
                ways.push(way);
                continue;
            }
            let exits = loops.exits(icfg, edge.to);
            if exits.is_empty() {
                ways.push(Way { to: None, ..way });
            }
            ways.extend(exits.into_iter().map(|(point, at)| {
                let to = icfg.points[point].edges[at].to.0 as usize;
                Way { leaving: Some(points[point].edges.start + at), to: Some(to), ..way }
            }));
        }
        ways
    };
    (0..points.len()).map(of_point).collect()
}

/// Call points of each function, by function.
fn callers(unit: UnitFacts) -> Vec<Vec<usize>> {
    let mut callers = vec![Vec::new(); unit.model.functions.len()];
    for (index, point) in unit.icfg.points.iter().enumerate() {
        if let PointKind::Call(callees) = &point.kind {
            callees.iter().for_each(|callee| callers[callee.0 as usize].push(index));
        }
    }
    callers
}

/// The unit and all it may call.
fn within(unit: UnitFacts) -> Vec<bool> {
    let mut within = vec![false; unit.model.functions.len()];
    let mut open = vec![unit.function];
    while let Some(function) = open.pop() {
        if !std::mem::replace(&mut within[function.0 as usize], true) {
            open.extend(unit.icfg.calls.get(function.0 as usize).into_iter().flatten());
        }
    }
    within
}

fn entries<'a>(icfg: &'a Icfg, functions: &'a [FunctionId]) -> impl Iterator<Item = usize> + 'a {
    let entry = |function: &FunctionId| icfg.entries.get(function.0 as usize).copied().flatten();
    functions.iter().filter_map(entry).map(|entry| entry.0 as usize)
}

/// The loops of all functions, by their heads.
struct Loops {
    predecessors: Vec<Vec<usize>>,
}

impl Loops {
    fn new(icfg: &Icfg) -> Loops {
        let mut predecessors = vec![Vec::new(); icfg.points.len()];
        for (index, point) in icfg.points.iter().enumerate() {
            point.edges.iter().for_each(|edge| predecessors[edge.to.0 as usize].push(index));
        }
        Loops { predecessors }
    }

    /// The points of the loop with this head.
    fn body(&self, icfg: &Icfg, head: PointId) -> BTreeSet<usize> {
        let mut body = BTreeSet::from([head.0 as usize]);
        let is_back = |&&from: &&usize| dominates(icfg, head, PointId(from as u32));
        let mut open: Vec<usize> =
            self.predecessors[head.0 as usize].iter().filter(is_back).copied().collect();
        while let Some(point) = open.pop() {
            if body.insert(point) {
                open.extend(&self.predecessors[point]);
            }
        }
        body
    }

    /// How the loop is left: from its head if it can be, otherwise from anywhere in it. A point and which of its edges.
    fn exits(&self, icfg: &Icfg, head: PointId) -> Vec<(usize, usize)> {
        let body = self.body(icfg, head);
        let from = |point: usize| {
            let edges = icfg.points[point].edges.iter().enumerate();
            let leaving = edges.filter(|(_, edge)| !body.contains(&(edge.to.0 as usize)));
            leaving.map(|(at, _)| (point, at)).collect::<Vec<_>>()
        };
        let exits = from(head.0 as usize);
        if !exits.is_empty() {
            return exits;
        }
        body.iter().copied().flat_map(from).collect()
    }
}

#[cfg(test)]
mod tests {
    //! Listing 2's arithmetic, and that what is kept up to date is the same as what is worked out anew.

    use super::*;
    use crate::rng::Rng;

    fn weight(counts: [u32; 6]) -> Weight {
        Tuple { counts: counts.map(f64::from), is_unexplored: true }.weight()
    }

    #[test]
    fn the_mix_of_a_tuple_counts_and_not_its_size() {
        // Mean 1, deviation 2: (6 - 1) / 2 and five times (0 - 1) / 2.
        let pointers_only = ((0.47 * 2.236_068 - 0.53 * 0.447_214) * 1e6_f64).round() as i64;
        assert_eq!(weight([6, 0, 0, 0, 0, 0]), Some(pointers_only));
        assert_eq!(weight([60, 0, 0, 0, 0, 0]), Some(pointers_only));
        assert!(weight([3, 0, 0, 0, 0, 3]) < Some(pointers_only), "assignments water pointers down");
        assert!(weight([0, 0, 0, 0, 0, 4]) < Some(0), "what only assigns weighs less than nothing");
    }

    #[test]
    fn no_deviation_weighs_nothing_and_what_is_explored_less_than_anything() {
        assert_eq!(weight([0; 6]), Some(0));
        assert_eq!(weight([2; 6]), Some(0));
        let explored = Tuple::default().weight();
        assert_eq!(explored, None);
        assert!(explored < weight([0, 0, 0, 0, 0, 4]));
    }

    /// A random graph with loops and calls; two thirds of its points are sites with two branches each.
    fn random(rng: &mut Rng) -> UsageWeights {
        let count = 3 + rng.below(20);
        let mut weights = UsageWeights { entry: Some(0), ..UsageWeights::default() };
        for point in 0..count {
            let first = weights.edges.len();
            let is_site = point % 3 != 0;
            for outcome in 0..if is_site { 2 } else { 1 } {
                let mut any = || rng.below(3) as u32;
                let [pointer, predicate, loops] = [any(), any(), any()];
                let [arithmetic, boolean, assignment] = [any(), any(), any()];
                let usage = Usage { pointer, predicate, loops, arithmetic, boolean, assignment };
                let (to, users) = (rng.below(count), Vec::new());
                weights.edges.push(EdgeFacts { outcome, to, usage: Tuple::of(usage), users });
            }
            let edges = first..weights.edges.len();
            let called = Vec::from_iter((!is_site && rng.below(2) == 0).then(|| rng.below(count)));
            let first_branch = weights.branches.len() as u32;
            let branches = Vec::from_iter(first_branch..first_branch + if is_site { 2 } else { 0 });
            weights.branches.extend((0..branches.len() as u32).map(|outcome| Some((point, outcome))));
            weights.points.push(PointFacts { edges, called, branches, is_site, is_passed: false });
        }
        for layer in [0, count] {
            for point in 0..count {
                let facts = &weights.points[point];
                let way = |edge: usize| {
                    let EdgeFacts { outcome, to, .. } = weights.edges[edge];
                    let leaving = (to <= point).then(|| rng.below(weights.edges.len()));
                    Way { outcome, edge, leaving, to: Some(layer + to) }
                };
                let ways = facts.edges.clone().map(way).collect();
                weights.stations.push(Station { ways, called: facts.called.clone(), ..Station::default() });
            }
        }
        weights.link();
        weights.work_out();
        weights
    }

    #[test]
    fn exploring_branch_by_branch_gives_what_a_fresh_look_gives() {
        let mut changes = 0;
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut weights = random(&mut rng);
            for _ in 0..weights.branches.len() {
                let before = weights.weights.clone();
                let taken = [rng.below(before.len()) as u32, rng.below(before.len()) as u32];
                let mut told = weights.explore(&taken);
                let kept: Vec<Tuple> = weights.stations.iter().map(|station| station.best).collect();
                let kept_weights = weights.weights.clone();
                weights.work_out();
                let fresh: Vec<Tuple> = weights.stations.iter().map(|station| station.best).collect();
                assert_eq!(kept, fresh, "seed {seed}");
                assert_eq!(kept_weights, weights.weights, "seed {seed}");
                told.sort_unstable();
                let differ = |branch: &u32| before[*branch as usize] != kept_weights[*branch as usize];
                assert_eq!(told, Vec::from_iter((0..before.len() as u32).filter(differ)), "seed {seed}");
                changes += told.len();
            }
        }
        assert!(changes > 1000, "the graphs are worth the look: {changes} changes");
    }
}
