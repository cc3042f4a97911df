//! The inter-procedural control-flow graph over source sites: plain data that the instrumenter fills and the
//! strategies read.
//!
//! A function is a graph of *points*: its entry, its sites, its calls and its exit. An edge leaves a point under one
//! outcome (0 for points with a single way on) and carries what is executed on the way.

use crate::{FunctionId, SiteId};

/// A point of the graph, by index into [`Icfg::points`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct PointId(pub u32);

/// The whole graph.
#[derive(Clone, Debug, Default)]
pub struct Icfg {
    /// All points.
    pub points: Vec<Point>,
    /// Entry point of each function, by [`FunctionId`] (None: the function is not in the program).
    pub entries: Vec<Option<PointId>>,
    /// Functions that each function may call (direct calls, and indirect ones by matching type), sorted.
    pub calls: Vec<Vec<FunctionId>>,
    /// The point of each source site, by [`SiteId`] (None: the compiler dropped it as unreachable).
    pub site_points: Vec<Option<PointId>>,
    /// The ways on which each statement is executed, by statement number: the point they leave and its outcome. Empty
    /// if statements are not marked in the program.
    pub statements: Vec<Vec<(PointId, u32)>>,
    /// The ways that lead nowhere but into a call that always fails (`abort`, a failed assertion, a trap): the point they
    /// leave and its outcome.
    pub failing: Vec<(PointId, u32)>,
}

/// A point.
#[derive(Clone, Debug)]
pub struct Point {
    /// The function it belongs to.
    pub function: FunctionId,
    /// What it is.
    pub kind: PointKind,
    /// Ways on.
    pub edges: Vec<Edge>,
    /// Immediate dominator within the function (None for the entry and for unreachable points).
    pub dominator: Option<PointId>,
}

/// What a point is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// Start of a function.
    Entry,
    /// A source site.
    Site(SiteId),
    /// A call that may reach these functions.
    Call(Vec<FunctionId>),
    /// A return, or a call that never returns.
    Exit,
}

/// A way from one point to the next.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Outcome of the point's site under which this way is taken; 0 for other points.
    pub outcome: u32,
    /// Where it leads.
    pub to: PointId,
    /// What is executed on the way.
    pub usage: Usage,
}

/// How often each kind of statement occurs on an edge (the usage tuple of the fault statistics).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Memory accesses through a pointer.
    pub pointer: u32,
    /// Comparisons.
    pub predicate: u32,
    /// Loop entries.
    pub loops: u32,
    /// Arithmetic.
    pub arithmetic: u32,
    /// Logical and bitwise operations.
    pub boolean: u32,
    /// Stores.
    pub assignment: u32,
}
