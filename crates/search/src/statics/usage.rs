//! What the fault statistics say of every branch: the best weighted usage tuple of all paths behind it (paper 1, §4.3).
//!
//! Takes the usage of the graph's edges. Bottom-up, once: the tuple of a point is that of the way on which weighs most,
//! added to its own. A loop is taken zero times or once: a way back to its head goes on where the loop is left. A call
//! adds the best way through what it calls; behind the end of a function the best way on after any of its callers counts.
//! Recursion adds nothing.
//!
//! The weight of a tuple is the plain sum, as in the paper's figure 2, where eight pointers and three assignments give
//! 4.03. Listing 2 normalises the counts by mean and deviation first: then only their mix counts and not how much lies
//! behind a branch, and on the paper's allocator (`examples/kmalloc.c`) the request for more than a page, which the
//! paper found at run 9, comes up at run 42.

use std::collections::BTreeSet;

use tarka_source::FunctionId;
use tarka_source::cfg::{Icfg, PointId, PointKind, Usage};

use super::dominators::dominates;
use crate::strategy::UnitFacts;

/// How often faults come from pointers, predicates, loops, arithmetic, boolean evaluation and assignments (table 1).
const WEIGHTS: [f64; 6] = [0.47, 0.22, 0.05, 0.11, 0.06, 0.09];

/// A usage tuple, in the order of the weights.
type Tuple = [f64; 6];

/// The weight of a tuple in millionths, so that weights can be ordered.
pub(crate) type Weight = i64;

/// The weight of what lies behind every branch.
#[derive(Default)]
pub(crate) struct UsageWeights {
    behind: Vec<Weight>,
    behind_entry: Weight,
}

impl UsageWeights {
    pub(crate) fn new(unit: UnitFacts) -> UsageWeights {
        let ways = Ways::new(unit.icfg);
        let (callers, within) = (callers(unit), within(unit));
        let inside =
            Tuples::new(unit, |point| ways.targets_with_callees(unit.icfg, point)).fill(|tuples, point| {
                let callees = match &unit.icfg.points[point].kind {
                    PointKind::Call(callees) => tuples.best_entry(unit.icfg, callees),
                    _ => Tuple::default(),
                };
                add(callees, tuples.best_way(&ways, point, None))
            });
        let is_end = |point: usize| {
            let point = &unit.icfg.points[point];
            point.kind == PointKind::Exit && point.function != unit.function
        };
        let callers_of = |point: usize| {
            let all = callers[unit.icfg.points[point].function.0 as usize].iter();
            all.copied().filter(|&call| within[unit.icfg.points[call].function.0 as usize])
        };
        let after = |point: usize| {
            let calls: Vec<usize> = if is_end(point) { callers_of(point).collect() } else { vec![point] };
            calls.into_iter().flat_map(|at| ways.targets(at)).collect::<Vec<_>>()
        };
        let whole = Tuples::new(unit, after).fill(|tuples, point| {
            if is_end(point) {
                return heaviest(callers_of(point).map(|call| tuples.best_way(&ways, call, None)));
            }
            let callees = match &unit.icfg.points[point].kind {
                PointKind::Call(callees) => inside.best_entry(unit.icfg, callees),
                _ => Tuple::default(),
            };
            add(callees, tuples.best_way(&ways, point, None))
        });
        let mut behind = vec![0; unit.sites.branch_count()];
        for (site, point) in unit.icfg.site_points.iter().enumerate() {
            let Some(point) = point else { continue };
            for outcome in 0..unit.sites.outcomes(site as u32) {
                if let Some(branch) = unit.sites.coverage_index(site as u32, outcome) {
                    let best = whole.best_way(&ways, point.0 as usize, Some(outcome));
                    behind[branch as usize] = weight(&best);
                }
            }
        }
        let entry = unit.icfg.entries.get(unit.function.0 as usize).copied().flatten();
        let behind_entry = entry.map_or(0, |entry| weight(&whole.of[entry.0 as usize].unwrap_or_default()));
        UsageWeights { behind, behind_entry }
    }

    /// The weight of what lies behind a branch, by its index in the coverage map; behind the start without one.
    pub(crate) fn behind(&self, branch: Option<u32>) -> Weight {
        match branch {
            Some(branch) => self.behind.get(branch as usize).copied().unwrap_or(0),
            None => self.behind_entry,
        }
    }
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

/// The counts, each times its share of all faults.
fn weight(tuple: &Tuple) -> Weight {
    let value: f64 = tuple.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum();
    (value * 1e6).round() as Weight
}

fn add(a: Tuple, b: Tuple) -> Tuple {
    std::array::from_fn(|index| a[index] + b[index])
}

fn tuple(usage: Usage) -> Tuple {
    let Usage { pointer, predicate, loops, arithmetic, boolean, assignment } = usage;
    [pointer, predicate, loops, arithmetic, boolean, assignment].map(f64::from)
}

/// The tuple that weighs most, the first among equals.
fn heaviest(tuples: impl Iterator<Item = Tuple>) -> Tuple {
    let heavier = |best: Tuple, next: Tuple| if weight(&next) > weight(&best) { next } else { best };
    tuples.reduce(heavier).unwrap_or_default()
}

/// One way on from a point, loops left.
#[derive(Clone, Copy)]
struct Way {
    outcome: u32,
    usage: Tuple,
    /// `None`: nothing lies behind (a loop that is never left).
    to: Option<PointId>,
}

/// The ways on from every point. There is no cycle among them within a function whose loops have one entry each.
struct Ways(Vec<Vec<Way>>);

impl Ways {
    fn new(icfg: &Icfg) -> Ways {
        let loops = Loops::new(icfg);
        let ways = icfg.points.iter().enumerate().map(|(index, point)| {
            let mut ways = Vec::new();
            for edge in &point.edges {
                let way = Way { outcome: edge.outcome, usage: tuple(edge.usage), to: Some(edge.to) };
                if !dominates(icfg, edge.to, PointId(index as u32)) {
                    ways.push(way);
                    continue;
                }
                let exits = loops.exits(icfg, edge.to);
                if exits.is_empty() {
                    ways.push(Way { to: None, ..way });
                }
                let leave = |(usage, to)| Way { usage: add(way.usage, usage), to: Some(to), ..way };
                ways.extend(exits.into_iter().map(leave));
            }
            ways
        });
        Ways(ways.collect())
    }

    fn targets(&self, point: usize) -> impl Iterator<Item = usize> {
        self.0[point].iter().filter_map(|way| way.to).map(|to| to.0 as usize)
    }

    fn targets_with_callees(&self, icfg: &Icfg, point: usize) -> Vec<usize> {
        let callees = match &icfg.points[point].kind {
            PointKind::Call(callees) => callees.as_slice(),
            _ => &[],
        };
        self.targets(point).chain(entries(icfg, callees)).collect()
    }
}

fn entries<'a>(icfg: &'a Icfg, functions: &'a [FunctionId]) -> impl Iterator<Item = usize> + 'a {
    let entry = |function: &FunctionId| icfg.entries.get(function.0 as usize).copied().flatten();
    functions.iter().filter_map(entry).map(|entry| entry.0 as usize)
}

/// The best tuple from every point on.
struct Tuples {
    of: Vec<Option<Tuple>>,
    /// Every point after those it depends on.
    order: Vec<usize>,
}

impl Tuples {
    fn new(unit: UnitFacts, needs: impl Fn(usize) -> Vec<usize>) -> Tuples {
        let count = unit.icfg.points.len();
        let (mut order, mut seen) = (Vec::with_capacity(count), vec![false; count]);
        for start in 0..count {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut open = vec![(start, needs(start))];
            while let Some((point, left)) = open.last_mut() {
                match left.pop() {
                    Some(next) if !std::mem::replace(&mut seen[next], true) => open.push((next, needs(next))),
                    Some(_) => {}
                    None => {
                        order.push(*point);
                        open.pop();
                    }
                }
            }
        }
        Tuples { of: vec![None; count], order }
    }

    fn fill(mut self, value: impl Fn(&Tuples, usize) -> Tuple) -> Tuples {
        for point in std::mem::take(&mut self.order) {
            self.of[point] = Some(value(&self, point));
        }
        self
    }

    /// The heaviest of the ways on, of those with this outcome if there are any. A point that is not known yet is met
    /// again by recursion.
    fn best_way(&self, ways: &Ways, point: usize, outcome: Option<u32>) -> Tuple {
        let all = &ways.0[point];
        let is_wanted = |way: &&Way| outcome.is_none_or(|outcome| way.outcome == outcome);
        let any = all.iter().any(|way| is_wanted(&way));
        let wanted = all.iter().filter(|way| !any || is_wanted(way));
        heaviest(wanted.map(|way| {
            let behind = way.to.and_then(|to| self.of[to.0 as usize]);
            add(way.usage, behind.unwrap_or_default())
        }))
    }

    fn best_entry(&self, icfg: &Icfg, callees: &[FunctionId]) -> Tuple {
        heaviest(entries(icfg, callees).map(|entry| self.of[entry].unwrap_or_default()))
    }
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

    /// How the loop is left: from its head if it can be, otherwise from anywhere in it.
    fn exits(&self, icfg: &Icfg, head: PointId) -> Vec<(Tuple, PointId)> {
        let body = self.body(icfg, head);
        let from = |point: usize| {
            let leaving =
                icfg.points[point].edges.iter().filter(|edge| !body.contains(&(edge.to.0 as usize)));
            leaving.map(|edge| (tuple(edge.usage), edge.to)).collect::<Vec<_>>()
        };
        let exits = from(head.0 as usize);
        if !exits.is_empty() {
            return exits;
        }
        body.iter().copied().flat_map(from).collect()
    }
}
