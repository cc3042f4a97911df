//! Call sites expanded: a function called from two places is there twice, so that whoever enters it from one place does
//! not come out at the other.
//!
//! Takes the control-flow graph, gives *contexts*: a function together with the calls that led to it. A function that is
//! already on the way there is not entered a second time but returned to, as a loop is. Functions without a branch are
//! passed over, and so are all that would make the graph larger than it may be; those nearest to the unit come first.

use std::collections::{HashMap, VecDeque};

use tarka_source::FunctionId;
use tarka_source::cfg::{Icfg, PointId, PointKind};

/// Branches in all contexts together. A unit that calls half a library would otherwise cost more to prepare than to run.
const MAX_BRANCHES: usize = 1 << 14;

/// A function as called from one place.
pub(super) struct Context {
    pub(super) function: FunctionId,
    /// Where it was first entered from, `None` for the unit.
    parent: Option<u32>,
    /// The calls it returns to.
    pub(super) returns: Vec<(u32, PointId)>,
}

/// The contexts of one unit; the unit's own is the first.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) contexts: Vec<Context>,
    /// The contexts that a call in a context enters.
    entered: HashMap<(u32, PointId), Vec<u32>>,
    /// Points of each function.
    points: Vec<Vec<PointId>>,
}

impl Calls {
    pub(super) fn new(icfg: &Icfg, unit: FunctionId) -> Calls {
        let mut calls = Calls::default();
        let is_known = icfg.entries.get(unit.0 as usize).copied().flatten().is_some();
        if !is_known {
            return calls;
        }
        calls.points = vec![Vec::new(); icfg.entries.len()];
        for (index, point) in icfg.points.iter().enumerate() {
            calls.points[point.function.0 as usize].push(PointId(index as u32));
        }
        let branches: Vec<usize> = calls.points.iter().map(|points| count_branches(icfg, points)).collect();
        let is_worth_entering = leads_to_branches(icfg, &branches);
        let mut room = MAX_BRANCHES.saturating_sub(branches[unit.0 as usize]);
        calls.contexts.push(Context { function: unit, parent: None, returns: Vec::new() });
        let mut open = VecDeque::from([0]);
        while let Some(context) = open.pop_front() {
            let function = calls.contexts[context as usize].function;
            for point in calls.points[function.0 as usize].clone() {
                let PointKind::Call(callees) = &icfg.points[point.0 as usize].kind else { continue };
                for &callee in callees.iter().filter(|callee| is_worth_entering[callee.0 as usize]) {
                    let size = branches[callee.0 as usize].max(1);
                    let known = calls.on_the_way(context, callee);
                    if known.is_none() && size > room {
                        continue;
                    }
                    let target = known.unwrap_or_else(|| {
                        room -= size;
                        let returns = Vec::new();
                        calls.contexts.push(Context { function: callee, parent: Some(context), returns });
                        open.push_back(calls.contexts.len() as u32 - 1);
                        calls.contexts.len() as u32 - 1
                    });
                    calls.contexts[target as usize].returns.push((context, point));
                    calls.entered.entry((context, point)).or_default().push(target);
                }
            }
        }
        calls
    }

    /// The context of a function on the way from the unit to a context.
    fn on_the_way(&self, context: u32, function: FunctionId) -> Option<u32> {
        let parent = |&at: &u32| self.contexts[at as usize].parent;
        std::iter::successors(Some(context), parent)
            .find(|&at| self.contexts[at as usize].function == function)
    }

    /// The contexts that a call enters.
    pub(super) fn entered(&self, context: u32, call: PointId) -> &[u32] {
        self.entered.get(&(context, call)).map_or(&[], Vec::as_slice)
    }

    /// The points of a function.
    pub(super) fn points(&self, function: FunctionId) -> &[PointId] {
        &self.points[function.0 as usize]
    }
}

fn count_branches(icfg: &Icfg, points: &[PointId]) -> usize {
    let of_point = |point: &PointId| match icfg.points[point.0 as usize].kind {
        PointKind::Site(_) => icfg.points[point.0 as usize].edges.len().max(2),
        _ => 0,
    };
    points.iter().map(of_point).sum()
}

/// The functions that have a branch or may call one that has.
fn leads_to_branches(icfg: &Icfg, branches: &[usize]) -> Vec<bool> {
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); branches.len()];
    for (caller, callees) in icfg.calls.iter().enumerate() {
        callees.iter().for_each(|callee| callers[callee.0 as usize].push(caller as u32));
    }
    let mut found = vec![false; branches.len()];
    let is_entered = |function: usize| icfg.entries[function].is_some();
    let mut open: Vec<u32> =
        (0..branches.len() as u32).filter(|&function| branches[function as usize] > 0).collect();
    while let Some(function) = open.pop() {
        if is_entered(function as usize) && !std::mem::replace(&mut found[function as usize], true) {
            open.extend(&callers[function as usize]);
        }
    }
    found
}
