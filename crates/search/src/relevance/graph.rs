//! The control-flow graph as one graph to search: points and branches, calls entered and returned from.
//!
//! A run at some point does not know who called it, but whoever it calls returns to it. So every point is there twice:
//! *up*, where leaving the function leads to all of its callers, and *down*, inside a call made on the way, where leaving
//! ends because the call's own continuation is followed anyway. Everything possible is kept, and more than that where
//! the graph is silent: behind functions that others may call back, and behind outcomes without a way.
//!
//! Where something happens is a *spot*: a point, a branch that leaves a site, or the way on from a call. Each spot is a
//! node on both levels.

use tarka_source::cfg::{Icfg, Point, PointId, PointKind};
use tarka_source::{FunctionId, SourceModel, TypeId, TypeKind};

use crate::SiteTable;

/// How deep members of members are looked at for functions; what is deeper may hold one.
const DEEPEST_MEMBER: u32 = 8;

/// Successors of every node.
pub(super) struct Graph {
    pub(super) successors: Vec<Vec<u32>>,
    /// The unit's entry, if the graph knows it.
    pub(super) entry: Option<u32>,
    pub(super) comes_again: bool,
    /// One of the functions with goals may be called by itself.
    pub(super) is_recursive: bool,
    /// Functions that may run where the graph shows no call of them.
    pub(super) unseen: Vec<bool>,
    points: u32,
    branches: u32,
    /// Functions that may run while the unit does.
    within: Vec<bool>,
    first_branch_of_point: Vec<Option<u32>>,
    is_known_branch: Vec<bool>,
}

/// Whether the callers are still to be returned to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Up,
    Down,
}

impl Graph {
    /// The graph of a unit, which is the first of the functions with goals.
    pub(super) fn new(
        model: &SourceModel,
        icfg: &Icfg,
        functions: &[FunctionId],
        sites: &SiteTable,
    ) -> Graph {
        let unit = functions[0];
        let points = icfg.points.len() as u32;
        let branches = sites.branch_count() as u32;
        let first_branch_of_point = icfg.points.iter().map(|point| match point.kind {
            PointKind::Site(site) => sites.coverage_index(site.0, 0),
            _ => None,
        });
        let mut graph = Graph {
            successors: Vec::new(),
            entry: icfg.entries.get(unit.0 as usize).copied().flatten().map(|entry| entry.0),
            comes_again: false,
            is_recursive: false,
            unseen: vec![true; model.functions.len()],
            points,
            branches,
            within: Vec::new(),
            first_branch_of_point: first_branch_of_point.collect(),
            is_known_branch: vec![false; branches as usize],
        };
        if graph.entry.is_none() {
            return graph;
        }
        let calls = Calls::new(model, icfg, functions);
        graph.comes_again = calls.comes_again;
        graph.is_recursive = calls.is_recursive;
        graph.successors = vec![Vec::new(); graph.anywhere() as usize + 1];
        for (index, point) in icfg.points.iter().enumerate() {
            if calls.is_within(point.function) {
                graph.add_point(model, icfg, &calls, index as u32, Level::Up);
                graph.add_point(model, icfg, &calls, index as u32, Level::Down);
            }
        }
        let of_unit = (0..points).filter(|&point| icfg.points[point as usize].function == unit);
        let anywhere = graph.anywhere() as usize;
        graph.successors[anywhere] = of_unit.collect();
        graph.within = calls.within;
        graph.unseen = calls.unseen;
        graph
    }

    /// The node of a spot; on level up the two are the same number.
    fn node(&self, level: Level, spot: u32) -> u32 {
        if level == Level::Up { spot } else { self.spots() + spot }
    }

    /// Points, then branches, then what follows each point that is a call.
    fn spots(&self) -> u32 {
        2 * self.points + self.branches
    }

    /// The node from which every point of the unit may follow.
    fn anywhere(&self) -> u32 {
        2 * self.spots()
    }

    fn branch_spot(&self, branch: u32) -> u32 {
        self.points + branch
    }

    /// Where a call has returned.
    fn after_call(&self, call: u32) -> u32 {
        self.points + self.branches + call
    }

    /// The node of a branch on level up.
    pub(super) fn branch_node(&self, branch: u32) -> Option<u32> {
        let is_known = self.is_known_branch.get(branch as usize).copied().unwrap_or(false);
        is_known.then(|| self.branch_spot(branch))
    }

    /// The spot at which a way begins: the point it leaves, under one outcome.
    pub(super) fn way_spot(&self, icfg: &Icfg, (point, outcome): (PointId, u32)) -> Option<u32> {
        match icfg.points.get(point.0 as usize)?.kind {
            PointKind::Site(_) => self.branch_at(icfg, point, outcome).map(|branch| self.branch_spot(branch)),
            PointKind::Call(_) => Some(self.after_call(point.0)),
            PointKind::Entry | PointKind::Exit => Some(point.0),
        }
    }

    /// The nodes on level up from which each point goes on, by outcome; none where the unit never comes.
    pub(super) fn nodes_of_ways(&self, icfg: &Icfg, sites: &SiteTable) -> Vec<Vec<u32>> {
        let ways = |(index, point): (usize, &Point)| {
            let is_within = self.within.get(point.function.0 as usize).copied().unwrap_or(false);
            let outcomes = match point.kind {
                PointKind::Site(site) => sites.outcomes(site.0),
                _ => 1,
            };
            let outcomes = if is_within { outcomes } else { 0 };
            (0..outcomes).filter_map(|at| self.way_spot(icfg, (PointId(index as u32), at))).collect()
        };
        icfg.points.iter().enumerate().map(ways).collect()
    }

    /// The branch that leaves a point under an outcome, if the point is a site.
    pub(super) fn branch_at(&self, icfg: &Icfg, point: PointId, outcome: u32) -> Option<u32> {
        matches!(icfg.points.get(point.0 as usize)?.kind, PointKind::Site(_))
            .then(|| self.first_branch_of_point[point.0 as usize].map(|first| first + outcome))?
    }

    /// The spot that a node stands for, on either level.
    pub(super) fn spot_of(&self, node: u32) -> Option<u32> {
        (node != self.anywhere()).then(|| node % self.spots())
    }

    fn add_point(&mut self, model: &SourceModel, icfg: &Icfg, calls: &Calls, index: u32, level: Level) {
        let point = &icfg.points[index as usize];
        let from = self.node(level, index) as usize;
        match &point.kind {
            PointKind::Site(site) => {
                let Some(first) = self.first_branch_of_point[index as usize] else { return };
                let all: Vec<u32> = point.edges.iter().map(|edge| self.node(level, edge.to.0)).collect();
                for outcome in 0..model.site(*site).outcomes() {
                    let branch = first + outcome;
                    let node = self.node(level, self.branch_spot(branch));
                    let ways = point.edges.iter().filter(|edge| edge.outcome == outcome);
                    let ways: Vec<u32> = ways.map(|edge| self.node(level, edge.to.0)).collect();
                    self.successors[node as usize] = if ways.is_empty() { all.clone() } else { ways };
                    self.successors[from].push(node);
                    self.is_known_branch[branch as usize] = true;
                }
                return;
            }
            PointKind::Call(callees) => {
                for callee in callees {
                    let entry = icfg.entries.get(callee.0 as usize).copied().flatten();
                    let entry = entry.map(|entry| self.node(Level::Down, entry.0));
                    self.successors[from].extend(entry);
                }
                let after = self.node(level, self.after_call(index));
                let ways = point.edges.iter().map(|edge| self.node(level, edge.to.0)).collect();
                self.successors[after as usize] = ways;
                self.successors[from].push(after);
                return;
            }
            PointKind::Exit if level == Level::Up => {
                for &call in calls.callers(point.function) {
                    let after = self.after_call(call);
                    self.successors[from].push(after);
                }
                if model.function(point.function).address_taken {
                    let anywhere = self.anywhere();
                    self.successors[from].push(anywhere);
                }
            }
            PointKind::Entry | PointKind::Exit => {}
        }
        let ways: Vec<u32> = point.edges.iter().map(|edge| self.node(level, edge.to.0)).collect();
        self.successors[from].extend(ways);
    }
}

/// Who may call whom while the unit runs.
struct Calls {
    /// The unit and what it may call; functions whose address is taken count, whoever calls them.
    within: Vec<bool>,
    callers: Vec<Vec<u32>>,
    comes_again: bool,
    is_recursive: bool,
    unseen: Vec<bool>,
}

impl Calls {
    fn new(model: &SourceModel, icfg: &Icfg, functions: &[FunctionId]) -> Calls {
        let unit = functions[0];
        let count = model.functions.len();
        let mut targets: Vec<Vec<FunctionId>> = vec![Vec::new(); count];
        for point in &icfg.points {
            if let PointKind::Call(callees) = &point.kind {
                targets[point.function.0 as usize].extend(callees);
            }
        }
        let taken: Vec<FunctionId> =
            (0..count as u32).map(FunctionId).filter(|&id| model.function(id).address_taken).collect();
        let from_pointers = closure(&targets, &taken);
        let mut within = closure(&targets, &targets[unit.0 as usize]);
        let called = within.clone();
        within[unit.0 as usize] = true;
        within.iter_mut().zip(&from_pointers).for_each(|(within, from_pointer)| *within |= from_pointer);
        let used = (0..count).filter(|&id| within[id]).map(|id| &model.functions[id].uses);
        let declared: Vec<_> = used.flat_map(|uses| &uses.declared_functions).collect();
        let calls_back = declared.iter().any(|&&index| takes_function(model, index as usize));
        let called_back = |function: FunctionId| from_pointers[function.0 as usize] && calls_back;
        let jumps = declared.iter().any(|&&index| {
            model.declared_functions.get(index as usize).is_some_and(|known| known.name.contains("setjmp"))
        });
        let calls_itself =
            |function: FunctionId| closure(&targets, &targets[function.0 as usize])[function.0 as usize];
        let is_recursive = jumps || functions.iter().any(|&id| calls_itself(id) || called_back(id));
        let may_call_back = declared.iter().any(|&&index| is_given_function(model, index as usize));
        let unseen = |id: usize| !called[id] || may_call_back && from_pointers[id];
        let unseen = (0..count).map(unseen).collect();
        let mut callers = vec![Vec::new(); count];
        for (index, point) in icfg.points.iter().enumerate() {
            if let (PointKind::Call(callees), true) = (&point.kind, within[point.function.0 as usize]) {
                callees.iter().for_each(|callee| callers[callee.0 as usize].push(index as u32));
            }
        }
        Calls { within, callers, comes_again: called_back(unit) || jumps, is_recursive, unseen }
    }

    fn is_within(&self, function: FunctionId) -> bool {
        self.within[function.0 as usize]
    }

    fn callers(&self, function: FunctionId) -> &[u32] {
        &self.callers[function.0 as usize]
    }
}

/// Whether a function without a body here is given a function, and so may call back.
fn takes_function(model: &SourceModel, declared: usize) -> bool {
    let is_function = |ty| matches!(model.types.get(ty).kind, TypeKind::Function { .. });
    model.declared_functions.get(declared).is_some_and(|declared| {
        declared.params.iter().any(|param| model.types.pointee(param.ty).is_some_and(is_function))
    })
}

/// Whether a function without a body here is given a function, by itself or as a member of something.
fn is_given_function(model: &SourceModel, declared: usize) -> bool {
    model.declared_functions.get(declared).is_some_and(|declared| {
        let pointees = declared.params.iter().filter_map(|param| model.types.pointee(param.ty));
        pointees.into_iter().any(|pointee| holds_function(model, pointee, 0))
    })
}

/// Whether a function is, or stands behind a pointer in, an object of this type.
fn holds_function(model: &SourceModel, ty: TypeId, depth: u32) -> bool {
    match &model.types.get(ty).kind {
        TypeKind::Function { .. } => true,
        _ if depth > DEEPEST_MEMBER => true,
        TypeKind::Array { of, .. } => holds_function(model, *of, depth + 1),
        TypeKind::Pointer { to, .. } => {
            matches!(model.types.get(*to).kind, TypeKind::Function { .. })
        }
        TypeKind::Record { fields, .. } => {
            fields.iter().any(|field| holds_function(model, field.ty, depth + 1))
        }
        _ => false,
    }
}

/// Everything that can be called from these functions on, themselves included.
fn closure(targets: &[Vec<FunctionId>], from: &[FunctionId]) -> Vec<bool> {
    let mut found = vec![false; targets.len()];
    let mut open = from.to_vec();
    while let Some(function) = open.pop() {
        if !std::mem::replace(&mut found[function.0 as usize], true) {
            open.extend(&targets[function.0 as usize]);
        }
    }
    found
}
