//! One report for each root cause of a file, and what its callers make of a fault in a static function.
//!
//! Takes the results of a file's units; gives each fault of the same kind at the same place to one of them, which tells it,
//! and names the others as its callers. A fault that callers could prevent is what the functions that anybody may call make
//! of it: if one of these gets there, it is of the class that it has from there; if the search from all of them ended without
//! it, which is no proof, it is a contract ("if called so"); if nobody knows, it is a contract of which that is said.
//! Never: confirming anything, inputs.

use std::collections::{BTreeMap, BTreeSet};

use tarka_events::{Caller, Fault, FaultClass, FaultKind, Reached, Status, UnitResult};
use tarka_source::{FunctionId, SourceModel};

/// A fault of a unit: positions in the results and in the unit's list.
type At = (usize, usize);

/// Settles the faults of all units of a file.
pub(crate) fn settle(model: &SourceModel, results: &mut [UnitResult]) {
    let callers = Callers::of(model);
    let mut causes: BTreeMap<(FaultKind, String, u32), Vec<At>> = BTreeMap::new();
    for (unit, result) in results.iter().enumerate() {
        for (index, fault) in result.faults.iter().enumerate() {
            let (kind, file, line) = fault.root_cause();
            causes.entry((kind, file.to_string(), line)).or_default().push((unit, index));
        }
    }
    for shows in causes.into_values() {
        settle_one(model, &callers, results, &shows);
    }
    for result in results {
        rank(result);
    }
}

fn settle_one(model: &SourceModel, callers: &Callers, results: &mut [UnitResult], shows: &[At]) {
    let id = |unit: usize| model.function_named(&results[unit].function).map(|(id, _)| id);
    let is_entry = |at: &At| id(at.0).is_some_and(|id| callers.is_entry(id));
    let fault = |at: &At| &results[at.0].faults[at.1];
    // The most serious first; then the function it is in, so that its callers stand below it; then the shortest way.
    let order = |at: &&At| {
        let fault = fault(at);
        let is_inside = fault.function == results[at.0].function;
        (!is_entry(at), fault.class, !is_inside, fault.stack.len(), **at)
    };
    let Some(&teller) = shows.iter().min_by_key(order) else { return };
    let reached = match (is_entry(&teller), id(teller.0)) {
        // A function that anybody may call needs no caller; its static ones are reached.
        (true, _) => shows.iter().any(|at| !is_entry(at)).then_some(Reached::Yes),
        (false, Some(id)) => Some(callers.reached(id, results)),
        (false, None) => Some(Reached::Unknown),
    };
    let name = results[teller.0].function.clone();
    let mut others: Vec<At> = shows.iter().copied().filter(|at| at.0 != teller.0).collect();
    others.sort_by_key(|at| order(&at));
    // Each function once, with the most serious of what it shows.
    let mut seen = BTreeSet::new();
    others.retain(|at| seen.insert(at.0));
    let others = others.iter().map(|at| {
        let Fault { class, need, .. } = fault(at);
        Caller { unit: results[at.0].function.clone(), class: *class, need: need.clone() }
    });
    let others: Vec<Caller> = others.collect();
    let class = fault(&teller).class;
    for at in shows.iter().filter(|at| **at != teller) {
        let fault = &mut results[at.0].faults[at.1];
        fault.told_by = Some(name.clone());
        // What is worse than a contract is mended, not asked of callers.
        fault.need.take_if(|_| class < FaultClass::Contract);
    }
    let told = &mut results[teller.0].faults[teller.1];
    (told.callers, told.reached) = (others, reached);
    let why = match reached {
        Some(Reached::No) => "if called so: the search from its callers in the file ended without it",
        Some(Reached::Unknown) => "if called so: whether its callers in the file do is not known",
        _ => return,
    };
    if told.is_preventable && told.class < FaultClass::Limit {
        told.why = format!("{why}; {}", told.why);
        told.class = FaultClass::Contract;
    }
}

/// Puts the faults of a unit in order once more: those whose class has changed move. What a fault's number stands for in
/// kept runs moves with it.
fn rank(result: &mut UnitResult) {
    let faults = &result.faults;
    let mut order: Vec<usize> = (0..faults.len()).collect();
    // Stable: within a class the order stays. A contract of which nobody knows whether it is kept comes first, and what
    // another function tells comes last, so that the files of the others are numbered without gaps.
    order.sort_by_key(|&index| {
        let Fault { class, reached, ref told_by, .. } = faults[index];
        (told_by.is_some(), class, reached.unwrap_or(Reached::Yes))
    });
    result.reorder_faults(&order);
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
    fn reached(&self, function: FunctionId, results: &[UnitResult]) -> Reached {
        let mut seen = vec![false; self.by_function.len()];
        let mut open = vec![function];
        let mut is_settled = true;
        while let Some(next) = open.pop() {
            for &caller in &self.by_function[next.0 as usize] {
                if std::mem::replace(&mut seen[caller.0 as usize], true) {
                    continue;
                }
                match self.is_entry(caller) {
                    true => is_settled &= self.is_complete(caller, results),
                    false => open.push(caller),
                }
            }
        }
        if is_settled { Reached::No } else { Reached::Unknown }
    }

    fn is_complete(&self, function: FunctionId, results: &[UnitResult]) -> bool {
        let name = &self.model.function(function).name;
        results.iter().any(|result| result.function == *name && result.status == Status::Complete)
    }
}
