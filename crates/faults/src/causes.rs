//! One report for each root cause of a file, and what its callers make of a fault in a static function.
//!
//! Takes the logs of a file's units; gives each fault of the same kind at the same place to one of them, which tells it,
//! and names the others as its callers. A fault that callers could prevent is what the functions that anybody may call make
//! of it: if one of these gets there, it is of the class that it has from there; if the search from all of them ended without
//! it, which is no proof, it is a contract ("if called so"); if nobody knows, it is a contract of which that is said.
//! Never: confirming anything, inputs.

use std::collections::{BTreeMap, BTreeSet};

use tarka_events::{Caller, Correction, Fault, FaultClass, FaultKind, Reached, Settled, Status, UnitLog};
use tarka_source::{FunctionId, SourceModel};

/// A fault of a unit: positions in the results and in the unit's list.
type At = (usize, usize);

/// Settles the faults of all units of a file.
pub fn settle(model: &SourceModel, logs: &mut [UnitLog]) {
    let callers = Callers::of(model);
    let mut causes: BTreeMap<(FaultKind, String, u32), Vec<At>> = BTreeMap::new();
    for (unit, log) in logs.iter().enumerate() {
        for (index, fault) in log.result().faults.iter().enumerate() {
            let (kind, file, line) = fault.root_cause();
            causes.entry((kind, file.to_string(), line)).or_default().push((unit, index));
        }
    }
    for shows in causes.into_values() {
        settle_one(model, &callers, logs, &shows);
    }
    for log in logs {
        rank(log);
    }
}

fn settle_one(model: &SourceModel, callers: &Callers, logs: &mut [UnitLog], shows: &[At]) {
    let name = |unit: usize| logs[unit].result().function.as_str();
    let id = |unit: usize| model.function_named(name(unit)).map(|(id, _)| id);
    let is_entry = |at: &At| id(at.0).is_some_and(|id| callers.is_entry(id));
    let fault = |at: &At| &logs[at.0].result().faults[at.1];
    // The most serious first; then the function it is in, so that its callers stand below it; then the shortest way.
    let order = |at: &&At| {
        let fault = fault(at);
        let is_inside = fault.function == name(at.0);
        (!is_entry(at), fault.class, !is_inside, fault.stack.len(), **at)
    };
    let Some(&reporter) = shows.iter().min_by_key(order) else { return };
    let reached = match (is_entry(&reporter), id(reporter.0)) {
        // A function that anybody may call needs no caller; its static ones are reached.
        (true, _) => shows.iter().any(|at| !is_entry(at)).then_some(Reached::Yes),
        (false, Some(id)) => Some(callers.reached(id, logs)),
        (false, None) => Some(Reached::Unknown),
    };
    let mut others: Vec<At> = shows.iter().copied().filter(|at| at.0 != reporter.0).collect();
    others.sort_by_key(|at| order(&at));
    // Each function once, with the most serious of what it shows.
    let mut seen = BTreeSet::new();
    others.retain(|at| seen.insert(at.0));
    let others = others.iter().map(|at| {
        let Fault { class, need, .. } = fault(at);
        Caller { unit: name(at.0).to_string(), class: *class, need: need.clone() }
    });
    let class = fault(&reporter).class;
    let told = shows.iter().filter(|at| **at != reporter).map(|at| {
        let mut settled =
            Settled { reported_by: Some(name(reporter.0).to_string()), ..Settled::of(fault(at)) };
        // What is worse than a contract is fixed, not asked of callers.
        settled.need.take_if(|_| class < FaultClass::Contract);
        (*at, settled)
    });
    let mut settled = Settled { callers: others.collect(), reached, ..Settled::of(fault(&reporter)) };
    let why = match reached {
        Some(Reached::No) => Some("if called so: the search from its callers in the file ended without it"),
        Some(Reached::Unknown) => Some("if called so: whether its callers in the file do is not known"),
        _ => None,
    };
    if let Some(why) = why.filter(|_| fault(&reporter).is_preventable && class < FaultClass::Limit) {
        settled.why = format!("{why}; {}", settled.why);
        settled.class = FaultClass::Contract;
    }
    let all: Vec<(At, Settled)> = told.chain([(reporter, settled)]).collect();
    for ((unit, index), settled) in all {
        if settled != Settled::of(&logs[unit].result().faults[index]) {
            let settled = Box::new(settled);
            logs[unit].record(Correction::FaultSettled { fault: index as u32, settled });
        }
    }
}

/// Puts the faults of a unit in order once more: those whose class has changed move. What a fault's number stands for in
/// kept runs moves with it.
fn rank(log: &mut UnitLog) {
    let faults = &log.result().faults;
    let mut order: Vec<usize> = (0..faults.len()).collect();
    // Stable: within a class the order stays. A contract of which nobody knows whether it is kept comes first, and what
    // another function tells comes last, so that the files of the others are numbered without gaps.
    order.sort_by_key(|&index| {
        let Fault { class, reached, ref reported_by, .. } = faults[index];
        (reported_by.is_some(), class, reached.unwrap_or(Reached::Yes))
    });
    if !order.is_sorted() {
        log.record(Correction::FaultsOrdered(order));
    }
}

/// Who calls whom in a file.
struct Callers<'a> {
    model: &'a SourceModel,
    /// By function: the functions that mention it.
    by_function: Vec<Vec<FunctionId>>,
}

impl Callers<'_> {
    fn of(model: &SourceModel) -> Callers<'_> {
        let mut by_function = vec![Vec::new(); model.functions.len()];
        for (caller, function) in model.functions.iter().enumerate() {
            for called in &function.uses.functions {
                by_function[called.0 as usize].push(FunctionId(caller as u32));
            }
        }
        Callers { model, by_function }
    }

    /// Whether anybody may call a function: one that is static only if its address is taken, or a header has it.
    fn is_entry(&self, function: FunctionId) -> bool {
        let function = self.model.function(function);
        !function.is_static || function.address_taken || !function.in_main_file
    }

    /// Whether the functions that anybody may call get to a fault in a static one, of which none of them has shown it.
    fn reached(&self, function: FunctionId, logs: &[UnitLog]) -> Reached {
        let mut seen = vec![false; self.by_function.len()];
        let mut open = vec![function];
        let mut is_settled = true;
        while let Some(next) = open.pop() {
            for &caller in &self.by_function[next.0 as usize] {
                if std::mem::replace(&mut seen[caller.0 as usize], true) {
                    continue;
                }
                match self.is_entry(caller) {
                    true => is_settled &= self.is_complete(caller, logs),
                    false => open.push(caller),
                }
            }
        }
        if is_settled { Reached::No } else { Reached::Unknown }
    }

    fn is_complete(&self, function: FunctionId, logs: &[UnitLog]) -> bool {
        let name = &self.model.function(function).name;
        logs.iter().map(UnitLog::result).any(|unit| unit.function == *name && unit.status == Status::Complete)
    }
}
