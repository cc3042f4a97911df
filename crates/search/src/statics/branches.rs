//! The branch graph: which branches can come next after each branch, calls entered and returned from.
//!
//! Takes the inter-procedural control-flow graph. A branch of a function that is called from several places *occurs*
//! several times; the edges are between occurrences. What is asked about a branch is answered for the best of its
//! occurrences, because a candidate does not know who called. Two branches have an edge if no other branch lies between
//! them; loops lead back.
//!
//! The start of the unit counts as a branch of its own, so that what comes first can be asked for like the rest. The unit's
//! exit has no successors. Branches that the graph does not know occur once if their function has goals, else never.

use tarka_source::cfg::{Point, PointId, PointKind};

use super::calls::Calls;
use crate::strategy::UnitFacts;

/// Which branches come next.
#[derive(Clone, Debug, Default)]
pub(crate) struct BranchGraph {
    /// The branch of each occurrence, by its index in the coverage map; the start of the unit is one more than all.
    branch: Vec<u32>,
    successors: Vec<Vec<u32>>,
    predecessors: Vec<Vec<u32>>,
    occurrences: Vec<Vec<u32>>,
    /// Points whose way on lies between an occurrence and its successors: entries, and calls returned from.
    passed: Vec<Vec<PointId>>,
}

impl BranchGraph {
    pub(crate) fn new(unit: UnitFacts) -> BranchGraph {
        let calls = Calls::new(unit.icfg, unit.function);
        let mut graph = BranchGraph::default();
        let branches = unit.sites.branch_count() as u32;
        graph.occurrences = vec![Vec::new(); branches as usize + 1];
        let start = graph.add(branches);
        let mut walk = Walk::new(unit, &calls, &mut graph);
        walk.fill(start);
        for site in unit.functions.iter().flat_map(|&function| &unit.model.function(function).sites) {
            for outcome in 0..unit.sites.outcomes(site.0) {
                let branch = unit.sites.coverage_index(site.0, outcome).unwrap_or(branches);
                if graph.occurrences[branch as usize].is_empty() {
                    graph.add(branch);
                }
            }
        }
        graph.link_back();
        graph
    }

    /// A graph drawn by hand: every branch occurs once, the start is the last.
    #[cfg(test)]
    pub(crate) fn drawn(branches: u32, edges: &[(u32, u32)]) -> BranchGraph {
        let mut graph =
            BranchGraph { occurrences: vec![Vec::new(); branches as usize], ..BranchGraph::default() };
        (0..branches).for_each(|branch| _ = graph.add(branch));
        edges.iter().for_each(|&(from, to)| graph.successors[from as usize].push(to));
        graph.link_back();
        graph
    }

    fn link_back(&mut self) {
        self.predecessors = vec![Vec::new(); self.len()];
        for (from, successors) in self.successors.iter_mut().enumerate() {
            successors.sort_unstable();
            successors.dedup();
            successors.iter().for_each(|&to| self.predecessors[to as usize].push(from as u32));
        }
    }

    fn add(&mut self, branch: u32) -> u32 {
        let occurrence = self.branch.len() as u32;
        self.branch.push(branch);
        self.successors.push(Vec::new());
        self.passed.push(Vec::new());
        self.occurrences[branch as usize].push(occurrence);
        occurrence
    }

    /// Number of occurrences.
    pub(crate) fn len(&self) -> usize {
        self.branch.len()
    }

    /// The start of the unit, as a branch.
    pub(crate) fn start(&self) -> u32 {
        self.occurrences.len().saturating_sub(1) as u32
    }

    /// The branch that occurs.
    pub(crate) fn branch(&self, occurrence: u32) -> u32 {
        self.branch[occurrence as usize]
    }

    /// Where a branch occurs; the start of the unit is the first occurrence of all.
    pub(crate) fn occurrences(&self, branch: u32) -> &[u32] {
        self.occurrences.get(branch as usize).map_or(&[], Vec::as_slice)
    }

    /// The occurrences that can come next.
    pub(crate) fn successors(&self, occurrence: u32) -> &[u32] {
        &self.successors[occurrence as usize]
    }

    /// The occurrences that can come before.
    pub(crate) fn predecessors(&self, occurrence: u32) -> &[u32] {
        &self.predecessors[occurrence as usize]
    }

    /// The entries and calls whose way on lies between an occurrence and its successors.
    pub(crate) fn passed(&self, occurrence: u32) -> &[PointId] {
        &self.passed[occurrence as usize]
    }
}

/// The walk from each branch to the next.
struct Walk<'a> {
    unit: UnitFacts<'a>,
    calls: &'a Calls,
    graph: &'a mut BranchGraph,
    /// The first occurrence of each context's sites: by context, the place of the point in its function.
    first_occurrence: Vec<Vec<u32>>,
    /// The place of each point in its function.
    place: Vec<u32>,
    /// The walk in which each place of each context was last seen.
    seen: Vec<Vec<u32>>,
    round: u32,
}

impl<'a> Walk<'a> {
    fn new(unit: UnitFacts<'a>, calls: &'a Calls, graph: &'a mut BranchGraph) -> Walk<'a> {
        let mut place = vec![0; unit.icfg.points.len()];
        for context in &calls.contexts {
            for (index, point) in calls.points(context.function).iter().enumerate() {
                place[point.0 as usize] = index as u32;
            }
        }
        let sizes = || calls.contexts.iter().map(|context| calls.points(context.function).len());
        let first_occurrence = sizes().map(|size| vec![u32::MAX; size]).collect();
        let seen = sizes().map(|size| vec![0; size]).collect();
        Walk { unit, calls, graph, first_occurrence, place, seen, round: 0 }
    }

    fn point(&self, id: PointId) -> &'a Point {
        &self.unit.icfg.points[id.0 as usize]
    }

    fn outcomes(&self, id: PointId) -> u32 {
        match self.point(id).kind {
            PointKind::Site(site) => self.unit.sites.outcomes(site.0),
            _ => 0,
        }
    }

    /// Adds every occurrence, then the edges.
    fn fill(&mut self, start: u32) {
        for context in 0..self.calls.contexts.len() {
            for &id in self.calls.points(self.calls.contexts[context].function) {
                let PointKind::Site(site) = self.point(id).kind else { continue };
                let Some(first_branch) = self.unit.sites.coverage_index(site.0, 0) else { continue };
                self.first_occurrence[context][self.place[id.0 as usize] as usize] = self.graph.len() as u32;
                (0..self.outcomes(id)).for_each(|outcome| _ = self.graph.add(first_branch + outcome));
            }
        }
        if self.calls.contexts.is_empty() {
            return;
        }
        let entry = self.unit.icfg.entries[self.unit.function.0 as usize];
        self.walk(start, entry.into_iter().map(|entry| (0, entry)).collect());
        for context in 0..self.calls.contexts.len() as u32 {
            for &id in self.calls.points(self.calls.contexts[context as usize].function) {
                let first = self.first_occurrence[context as usize][self.place[id.0 as usize] as usize];
                for outcome in (0..self.outcomes(id)).filter(|_| first != u32::MAX) {
                    let targets = ways(self.point(id), outcome).map(|to| (context, to)).collect();
                    self.walk(first + outcome, targets);
                }
            }
        }
    }

    /// Finds the branches that come next from these points on.
    fn walk(&mut self, from: u32, mut open: Vec<(u32, PointId)>) {
        self.round += 1;
        while let Some((context, id)) = open.pop() {
            let place = self.place[id.0 as usize] as usize;
            if std::mem::replace(&mut self.seen[context as usize][place], self.round) == self.round {
                continue;
            }
            let point = self.point(id);
            match &point.kind {
                PointKind::Site(_) if self.first_occurrence[context as usize][place] != u32::MAX => {
                    let first = self.first_occurrence[context as usize][place];
                    let next = first..first + self.outcomes(id);
                    self.graph.successors[from as usize].extend(next);
                }
                PointKind::Call(callees) => {
                    let entered = self.calls.entered(context, id);
                    for &inside in entered {
                        let function = self.calls.contexts[inside as usize].function;
                        let entry = self.unit.icfg.entries[function.0 as usize];
                        open.extend(entry.map(|entry| (inside, entry)));
                    }
                    if entered.len() < callees.len() || callees.is_empty() {
                        self.leave(from, context, id, &mut open);
                    }
                }
                PointKind::Exit => {
                    for &(caller, call) in &self.calls.contexts[context as usize].returns {
                        self.leave(from, caller, call, &mut open);
                    }
                    open.extend(point.edges.iter().map(|edge| (context, edge.to)));
                }
                PointKind::Entry => self.leave(from, context, id, &mut open),
                PointKind::Site(_) => open.extend(point.edges.iter().map(|edge| (context, edge.to))),
            }
        }
    }

    /// Goes on after an entry or a call.
    fn leave(&mut self, from: u32, context: u32, id: PointId, open: &mut Vec<(u32, PointId)>) {
        self.graph.passed[from as usize].push(id);
        open.extend(self.point(id).edges.iter().map(|edge| (context, edge.to)));
    }
}

/// Where a site leads under an outcome; if the graph does not say, wherever it leads at all.
fn ways(point: &Point, outcome: u32) -> impl Iterator<Item = PointId> {
    let is_known = point.edges.iter().any(|edge| edge.outcome == outcome);
    point.edges.iter().filter(move |edge| edge.outcome == outcome || !is_known).map(|edge| edge.to)
}
