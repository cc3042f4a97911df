//! The unit's own part of the control-flow graph, without the branches that are proved infeasible.
//!
//! Takes the graph; says which points can be reached under which branches. Calls are passed over: whoever is called
//! returns, or the way ends there. Never: why a branch is infeasible.

use tarka_source::cfg::{Icfg, Point, PointId, PointKind};
use tarka_source::{FunctionId, SiteId, SourceModel};

/// The graph of one function.
pub(crate) struct Flow<'a> {
    icfg: &'a Icfg,
    entry: PointId,
}

/// Points that can be reached, by number.
pub(crate) struct Reached(Vec<bool>);

impl Reached {
    pub fn point(&self, point: PointId) -> bool {
        self.0[point.0 as usize]
    }
}

impl<'a> Flow<'a> {
    /// `None` if the graph does not know the function.
    pub fn new(icfg: &'a Icfg, function: FunctionId) -> Option<Flow<'a>> {
        let entry = icfg.entries.get(function.0 as usize).copied().flatten()?;
        Some(Flow { icfg, entry })
    }

    /// The point of a site, if the compiler left it in the program.
    pub fn point(&self, site: SiteId) -> Option<PointId> {
        self.icfg.site_points.get(site.0 as usize).copied().flatten()
    }

    /// What can be reached from the function's entry by branches that are allowed. Where the graph does not say where an
    /// outcome leads, it may lead to all that the others do.
    pub fn reached(&self, model: &SourceModel, is_allowed: impl Fn(SiteId, u32) -> bool) -> Reached {
        let mut seen = vec![false; self.icfg.points.len()];
        let mut open = vec![self.entry];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at.0 as usize], true) {
                continue;
            }
            let point = &self.icfg.points[at.0 as usize];
            let PointKind::Site(site) = point.kind else {
                open.extend(point.edges.iter().map(|edge| edge.to));
                continue;
            };
            let is_silent = |&outcome: &u32| is_allowed(site, outcome) && !leads(point, outcome);
            let is_blind = (0..model.site(site).outcomes()).any(|outcome| is_silent(&outcome));
            let ways = point.edges.iter().filter(|edge| is_blind || is_allowed(site, edge.outcome));
            open.extend(ways.map(|edge| edge.to));
        }
        Reached(seen)
    }

    /// True if the graph knows where each outcome of a site leads.
    pub(crate) fn knows_outcomes(&self, site: SiteId, outcomes: u32) -> bool {
        let Some(point) = self.point(site) else { return false };
        (0..outcomes).all(|outcome| leads(&self.icfg.points[point.0 as usize], outcome))
    }

    /// The ways on which a statement is executed, with the site whose outcome they follow, if it is one.
    pub fn ways(&self, statement: u32) -> impl Iterator<Item = (PointId, Option<SiteId>, u32)> {
        let ways = self.icfg.statements.get(statement as usize).into_iter().flatten();
        ways.map(|&(point, outcome)| {
            let site = match self.icfg.points[point.0 as usize].kind {
                PointKind::Site(site) => Some(site),
                _ => None,
            };
            (point, site, outcome)
        })
    }
}

fn leads(point: &Point, outcome: u32) -> bool {
    point.edges.iter().any(|edge| edge.outcome == outcome)
}
