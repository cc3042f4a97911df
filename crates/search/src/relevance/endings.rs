//! Which goals a run can cover and still end well.
//!
//! Behind the failing side of an assertion no run returns; a goal there gets no passing test however often it is tried.
//! Takes the graph's ways into calls that always fail. A function ends well if some way through it returns or ends the
//! process; a call goes on if one of its callees ends well. Where nothing is known, a run may end well.

use std::collections::HashSet;

use tarka_source::cfg::{Icfg, Point, PointId, PointKind};
use tarka_source::{BoolShape, Decision, EvaluationStep, FunctionId, GoalKind, SiteId, SourceModel};

/// Evaluations of a decision that are looked at.
const MOST_STEPS: u32 = 4096;

/// For each goal, whether a run that covers it may end well.
pub(super) fn may_end_well(
    model: &SourceModel,
    icfg: &Icfg,
    unit: FunctionId,
    goals: &[GoalKind],
) -> Vec<bool> {
    if icfg.failing.is_empty() || icfg.entries.get(unit.0 as usize).copied().flatten().is_none() {
        return vec![true; goals.len()];
    }
    let endings = Endings::new(icfg);
    let by_site = |site: SiteId, outcome: u32| {
        let point = icfg.site_points.get(site.0 as usize).copied().flatten();
        point.is_none_or(|point| endings.way_ends_well(icfg, (point, outcome)))
    };
    goals
        .iter()
        .map(|goal| match goal {
            GoalKind::Outcome { site, outcome, taken } => (0..model.site(*site).outcomes())
                .filter(|at| (at == outcome) == *taken)
                .any(|at| by_site(*site, at)),
            GoalKind::Decision { decision, outcome } => {
                result_ends_well(model.decision(*decision), *outcome, &by_site)
            }
            // It takes an evaluation with either result.
            GoalKind::Independence { decision, .. } => {
                let decision = model.decision(*decision);
                [false, true].into_iter().all(|result| result_ends_well(decision, result, &by_site))
            }
            GoalKind::Statement(number) => match icfg.statements.get(*number as usize) {
                Some(ways) if !ways.is_empty() => ways.iter().any(|&way| endings.way_ends_well(icfg, way)),
                _ => true,
            },
        })
        .collect()
}

/// True if some evaluation has this result with a last condition after which a run may end well.
fn result_ends_well(decision: &Decision, result: bool, ends_well: &impl Fn(SiteId, u32) -> bool) -> bool {
    let mut values: Vec<Option<bool>> = vec![None; decision.conditions.len()];
    // Conditions in the order they were evaluated, and whether the second value is being tried.
    let mut order: Vec<(u32, bool)> = Vec::new();
    for _ in 0..MOST_STEPS {
        match step(&decision.shape, &values) {
            EvaluationStep::Needs(at) => {
                values[at as usize] = Some(false);
                order.push((at, false));
                continue;
            }
            EvaluationStep::Result(found) => {
                let last =
                    order.last().map(|&(at, second)| (decision.conditions[at as usize], u32::from(second)));
                if found == result && last.is_none_or(|(site, outcome)| ends_well(site, outcome)) {
                    return true;
                }
            }
        }
        while let Some((at, true)) = order.last().copied() {
            values[at as usize] = None;
            order.pop();
        }
        let Some((at, second)) = order.last_mut() else { return false };
        *second = true;
        values[*at as usize] = Some(true);
    }
    true
}

fn step(shape: &BoolShape, values: &[Option<bool>]) -> EvaluationStep {
    shape.step(&|at| values.get(at as usize).copied().flatten())
}

/// Which functions and points may be followed by a good end.
struct Endings<'a> {
    failing: HashSet<&'a (PointId, u32)>,
    functions: Vec<bool>,
    points: Vec<bool>,
}

impl Endings<'_> {
    fn new(icfg: &Icfg) -> Endings<'_> {
        let mut endings = Endings {
            failing: icfg.failing.iter().collect(),
            functions: vec![false; icfg.entries.len()],
            points: vec![false; icfg.points.len()],
        };
        // Only ever from false to true, so this ends; the graph is small.
        while (0..icfg.points.len()).rev().filter(|&point| endings.settle(icfg, point)).count() > 0 {}
        endings
    }

    /// Looks at one point again; true if it is now known to end well.
    fn settle(&mut self, icfg: &Icfg, index: usize) -> bool {
        if self.points[index] {
            return false;
        }
        let point = &icfg.points[index];
        let ends_well = match &point.kind {
            PointKind::Exit => true,
            kind => {
                let mut outcomes: Vec<u32> = point.edges.iter().map(|edge| edge.outcome).collect();
                outcomes.dedup();
                self.goes_on(kind)
                    && outcomes.into_iter().any(|at| self.way_ends_well(icfg, (PointId(index as u32), at)))
            }
        };
        self.points[index] = ends_well;
        if ends_well && point.kind == PointKind::Entry {
            self.functions[point.function.0 as usize] = true;
        }
        ends_well
    }

    fn goes_on(&self, kind: &PointKind) -> bool {
        match kind {
            PointKind::Call(callees) => {
                callees.iter().any(|callee| self.functions.get(callee.0 as usize).copied().unwrap_or(true))
            }
            _ => true,
        }
    }

    fn way_ends_well(&self, icfg: &Icfg, (point, outcome): (PointId, u32)) -> bool {
        let Point { edges, .. } = &icfg.points[point.0 as usize];
        let mut ways = edges.iter().filter(|edge| edge.outcome == outcome).peekable();
        if self.failing.contains(&(point, outcome)) {
            return false;
        }
        // No way is known: then any may follow.
        ways.peek().is_none() || ways.any(|edge| self.points[edge.to.0 as usize])
    }
}
