//! Which branches every path to a site must take: dominators, told of branches instead of points.
//!
//! Takes the graph's immediate dominators. A branch leads to a point; it dominates what that point dominates if nobody
//! else gets to the point, save from behind it (a loop's way back). Only branches of the same function count.

use tarka_source::cfg::{Icfg, PointId, PointKind};

use crate::strategy::UnitFacts;

/// For every site, the branches that dominate it.
#[derive(Default)]
pub(crate) struct BranchDominators {
    /// By site: branches by their index in the coverage map, sorted.
    of_site: Vec<Vec<u32>>,
}

impl BranchDominators {
    pub(crate) fn new(unit: UnitFacts) -> BranchDominators {
        let guards = guards(unit);
        let of_site = unit.icfg.site_points.iter().map(|&point| {
            let above = point.into_iter().flat_map(|point| dominators(unit.icfg, point));
            let mut branches: Vec<u32> = above.filter_map(|at| guards[at.0 as usize]).collect();
            branches.sort_unstable();
            branches
        });
        BranchDominators { of_site: of_site.collect() }
    }

    /// True if every path to the site takes the branch.
    pub(crate) fn dominates(&self, branch: u32, site: u32) -> bool {
        self.of_site.get(site as usize).is_some_and(|branches| branches.binary_search(&branch).is_ok())
    }
}

/// True if every path to `other` passes `point`; each point dominates itself.
pub(super) fn dominates(icfg: &Icfg, point: PointId, other: PointId) -> bool {
    dominators(icfg, other).any(|at| at == point)
}

/// The point itself and all that dominate it, nearest first.
fn dominators(icfg: &Icfg, point: PointId) -> impl Iterator<Item = PointId> {
    std::iter::successors(Some(point), |&at| icfg.points[at.0 as usize].dominator)
}

/// The ways into a point from where it has not been passed yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WaysIn {
    None,
    /// All under one branch, or from one point that is no site.
    One(Option<u32>),
    Many,
}

/// For every point, the one branch by which paths first come to it, if there is only one.
fn guards(unit: UnitFacts) -> Vec<Option<u32>> {
    let icfg = unit.icfg;
    let mut ways_in = vec![WaysIn::None; icfg.points.len()];
    for (index, point) in icfg.points.iter().enumerate() {
        for edge in point.edges.iter().filter(|edge| !dominates(icfg, edge.to, PointId(index as u32))) {
            let branch = match point.kind {
                PointKind::Site(site) => unit.sites.coverage_index(site.0, edge.outcome),
                _ => None,
            };
            let ways = &mut ways_in[edge.to.0 as usize];
            let is_same = *ways == WaysIn::One(branch) && branch.is_some();
            *ways = if is_same || *ways == WaysIn::None { WaysIn::One(branch) } else { WaysIn::Many };
        }
    }
    let guard = |ways| match ways {
        WaysIn::One(branch) => branch,
        WaysIn::None | WaysIn::Many => None,
    };
    ways_in.into_iter().map(guard).collect()
}
