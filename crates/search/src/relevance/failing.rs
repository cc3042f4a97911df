//! The sides of called functions behind which every run fails: an assertion, an `abort`.
//!
//! Takes the control-flow graph and which branches runs have taken; gives which of those sides nobody took, and whether one
//! of them may lie behind a branch. Sides of functions with goals are no part of this: they are goals of coverage.

use tarka_source::cfg::{Icfg, PointKind};
use tarka_source::{FunctionId, SourceModel};

use super::components;
use super::graph::Graph;
use super::has;
use crate::SiteTable;
use crate::goals::explored::Explored;

/// Where the failing sides are, and which of them were taken.
#[derive(Debug, Default)]
pub(crate) struct FailingSides {
    /// By their index in the coverage map; those that were taken are gone.
    open: Vec<(u32, usize)>,
    /// The set of sides behind each branch, by its index in the coverage map; `None` where the graph does not know it.
    behind: Vec<Option<u32>>,
    behind_start: Option<u32>,
    /// Different sets, one bit a side.
    sets: Vec<Vec<u64>>,
    /// For each set, whether one of its sides is open.
    leads_on: Vec<bool>,
}

impl FailingSides {
    pub(crate) fn new(
        model: &SourceModel,
        icfg: &Icfg,
        functions: &[FunctionId],
        sites: &SiteTable,
    ) -> FailingSides {
        let is_callees = |&&(point, _): &&(tarka_source::cfg::PointId, u32)| {
            let point = &icfg.points[point.0 as usize];
            !functions.contains(&point.function) && matches!(point.kind, PointKind::Site(_))
        };
        if !icfg.failing.iter().any(|way| is_callees(&way)) {
            return FailingSides::default();
        }
        let graph = Graph::new(model, icfg, functions, sites);
        let Some(entry) = graph.entry else { return FailingSides::default() };
        let ways = icfg.failing.iter().filter(is_callees);
        let sides = ways.filter_map(|&(point, outcome)| graph.branch_at(icfg, point, outcome));
        let mut sides: Vec<(u32, u32)> =
            sides.filter_map(|branch| Some((graph.branch_node(branch)?, branch))).collect();
        sides.sort_unstable();
        sides.dedup();
        let reached = components::reached(&graph.successors, |node| {
            let spot = graph.spot_of(node)?;
            sides.binary_search_by_key(&spot, |&(at, _)| at).ok().map(|place| place as u32)
        });
        let set_of = |node: u32| reached.set_of_node[node as usize];
        let behind = (0..sites.branch_count() as u32).map(|branch| graph.branch_node(branch).map(set_of));
        let start = set_of(entry);
        let open = sides.iter().enumerate().map(|(place, &(_, branch))| (branch, place));
        let mut failing = FailingSides {
            open: open.filter(|&(_, place)| has_place(&reached.sets[start as usize], place)).collect(),
            behind: behind.collect(),
            behind_start: Some(start),
            leads_on: Vec::new(),
            sets: reached.sets,
        };
        failing.count();
        failing
    }

    fn count(&mut self) {
        let open = &self.open;
        let any = |set: &Vec<u64>| open.iter().any(|&(_, place)| has_place(set, place));
        self.leads_on = self.sets.iter().map(any).collect();
    }

    /// Takes note of what runs have taken.
    pub(crate) fn update(&mut self, explored: &Explored) {
        let before = self.open.len();
        self.open.retain(|&(branch, _)| !explored.is_taken(branch));
        if self.open.len() < before {
            self.count();
        }
    }

    /// How many of them nobody took.
    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    /// Whether one of them may lie behind a branch; without one, behind the start of the unit.
    pub(crate) fn may_follow(&self, branch: Option<u32>) -> bool {
        let set = match branch {
            Some(branch) => self.behind.get(branch as usize).copied().flatten(),
            None => self.behind_start,
        };
        !self.open.is_empty() && set.is_none_or(|set| self.leads_on[set as usize])
    }

    /// Whether a branch is one of them, and nobody took it.
    pub(crate) fn is_one(&self, branch: u32) -> bool {
        self.open.iter().any(|&(open, _)| open == branch)
    }
}

/// A set may have fewer words than there are places.
fn has_place(set: &[u64], place: usize) -> bool {
    place / 64 < set.len() && has(set, place)
}
