//! What the replays mean for the goals: covered is what an emitted file takes on the plain program.
//!
//! Takes a unit's result and what was written for it; corrects the verdicts. Never: files, processes.

use tarka_events::{RunEnd, Status, UnitResult, Verdict};

use crate::SuiteError;
use crate::suite::{WrittenFault, WrittenTest};

/// Corrects every verdict. A goal is covered by a passing test, or by a fault file that shows its fault; `lost` names
/// the runs that gave no test, with the reason.
pub fn correct(
    unit: &mut UnitResult,
    tests: &[WrittenTest],
    faults: &[WrittenFault],
    lost: &[(u64, String)],
) {
    let mut verdicts = Vec::new();
    for (index, goal) in unit.goals.iter().enumerate() {
        let index = index as u32;
        let by_test = tests.iter().find(|test| test.covers.contains(&index)).map(|test| test.run);
        let by_fault = faults
            .iter()
            .zip(&unit.faults)
            .find(|(written, _)| written.confirmed && written.covers.contains(&index))
            .map(|(_, fault)| fault.run);
        verdicts.push(match (by_test.or(by_fault), &goal.verdict) {
            (Some(run), Verdict::Infeasible(_) | Verdict::Unknown(_)) => Verdict::Covered { run, ms: 0 },
            (None, Verdict::Covered { .. }) => Verdict::Unknown(why_not_shown(unit, index, lost)),
            (_, verdict) => verdict.clone(),
        });
    }
    for (goal, verdict) in unit.goals.iter_mut().zip(verdicts) {
        goal.verdict = verdict;
    }
    let open = unit.goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown(_)));
    if open && unit.status == Status::Complete {
        unit.status = Status::Budget;
    }
}

/// Takes back every claim of coverage of a unit whose tests could not be written or replayed.
pub fn withdraw(unit: &mut UnitResult, error: &SuiteError) {
    for goal in &mut unit.goals {
        if matches!(goal.verdict, Verdict::Covered { .. }) {
            let reason = "seen only in the instrumented program: no test could be replayed";
            goal.verdict = Verdict::Unknown(reason.to_string());
        }
    }
    unit.status = Status::Error(error.to_string());
}

/// Why a goal the search covered is taken by no emitted file.
fn why_not_shown(unit: &UnitResult, goal: u32, lost: &[(u64, String)]) -> String {
    let mut reached = unit.kept_runs.iter().filter(|kept| kept.covers.contains(&goal));
    let reason = reached.clone().find_map(|kept| lost.iter().find(|(run, _)| *run == kept.run));
    if let Some((_, reason)) = reason {
        return reason.clone();
    }
    let text = if reached.clone().any(|kept| matches!(kept.end, RunEnd::Fault(_))) {
        "reached only on the way to a fault that another input shows"
    } else if reached.any(|kept| kept.end == RunEnd::InputBound) {
        "reached only with an input that needs a larger object than Tarka builds"
    } else {
        "seen only in the instrumented program"
    };
    text.to_string()
}
