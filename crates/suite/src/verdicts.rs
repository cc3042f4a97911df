//! What the replays mean for the goals: covered is what an emitted file takes on the plain program.
//!
//! Takes a unit's result and what was written for it; corrects the verdicts. Never: files, processes.

use std::collections::BTreeMap;

use tarka_events::{Cause, RunEnd, Status, UnitResult, Verdict};
use tarka_source::SourceModel;

use crate::SuiteError;
use crate::shown::{Showing, pair_of};
use crate::suite::nothing_written;
use crate::written::UnitSuite;

/// Corrects every verdict. A goal is covered by a passing test, by a fault file that shows its fault, or by two of these
/// where it takes a pair; `lost` names the runs that gave no test, with the reason. Gives the names of those files for
/// every covered goal, and the names of the pairs.
pub(crate) fn correct(
    unit: &mut UnitResult,
    showings: &[Showing],
    lost: &[(u64, String)],
) -> (BTreeMap<u32, Vec<String>>, BTreeMap<u32, [String; 2]>) {
    let mut verdicts = Vec::new();
    let mut shown_by = BTreeMap::new();
    let mut pairs = BTreeMap::new();
    for (index, goal) in (0..).zip(&unit.goals) {
        let pair = pair_of(goal.what, showings);
        let alone: Vec<&Showing> =
            showings.iter().filter(|showing| showing.covers.contains(&index)).collect();
        let mut names: Vec<String> = alone.iter().map(|showing| showing.name.clone()).collect();
        if let Some(pair) = pair {
            let pair = pair.map(|at| showings[at].name.clone());
            if names.is_empty() {
                names = pair.to_vec();
            }
            pairs.insert(index, pair);
        }
        if !names.is_empty() {
            shown_by.insert(index, names);
        }
        let pair = pair.map(|pair| pair.map(|at| showings[at].run));
        let alone = alone.first().map(|showing| showing.run);
        let shown = pair.map(|[held, failed]| held.max(failed)).or(alone);
        verdicts.push(match (shown, &goal.verdict) {
            (Some(_), Verdict::Covered { run, ms, .. }) => Verdict::Covered { run: *run, ms: *ms, pair },
            (Some(run), _) => Verdict::Covered { run, ms: 0, pair },
            (None, Verdict::Covered { pair, .. }) => not_shown(why_not_shown(unit, index, *pair, lost)),
            (None, verdict) => verdict.clone(),
        });
    }
    for (goal, verdict) in unit.goals.iter_mut().zip(verdicts) {
        goal.verdict = verdict;
    }
    let open = unit.goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown { .. }));
    if open && unit.status == Status::Complete {
        unit.status = Status::Budget;
    }
    (shown_by, pairs)
}

/// Goals that were called infeasible and that an emitted file takes all the same: a bug that must not go unseen.
pub(crate) fn wrong_proofs(unit: &UnitResult, showings: &[Showing]) -> Vec<String> {
    let taken = |index: u32| showings.iter().find(|showing| showing.covers.contains(&index));
    let proved =
        (0..).zip(&unit.goals).filter(|(_, goal)| matches!(goal.verdict, Verdict::Infeasible { .. }));
    proved
        .filter_map(|(index, goal)| {
            let (name, place) = (&taken(index)?.name, &goal.place);
            let what = &goal.text;
            Some(format!("a bug in Tarka, please report it: {place}: `{what}` was called infeasible, and {name} takes it"))
        })
        .collect()
}

/// Takes back every claim of coverage of a unit whose tests could not be written or replayed. Gives what is left to
/// report of it.
pub fn withdraw(model: &SourceModel, unit: &mut UnitResult, error: &SuiteError) -> UnitSuite {
    for goal in &mut unit.goals {
        if matches!(goal.verdict, Verdict::Covered { .. }) {
            let reason = "seen only in the instrumented program: no test could be replayed";
            goal.verdict = not_shown(reason.to_string());
        }
    }
    unit.status = Status::Error(error.to_string());
    let known = model.function_named(&unit.function);
    known.map(|(function, _)| nothing_written(model, function)).unwrap_or_default()
}

/// The verdict on a goal that the search covered and no emitted file takes.
fn not_shown(reason: String) -> Verdict {
    Verdict::Unknown { cause: Cause::Replay, place: None, reason, advice: None }
}

/// Why a goal the search covered is taken by no emitted file. `pair` are the runs that showed it together.
fn why_not_shown(unit: &UnitResult, goal: u32, pair: Option<[u64; 2]>, lost: &[(u64, String)]) -> String {
    let is_half = |run: u64| pair.is_some_and(|pair| pair.contains(&run));
    let mut reached = unit.kept_runs.iter().filter(|kept| kept.covers.contains(&goal) || is_half(kept.run));
    let reason = reached.clone().find_map(|kept| lost.iter().find(|(run, _)| *run == kept.run));
    if let Some((_, reason)) = reason {
        return reason.clone();
    }
    let text = if reached.clone().any(|kept| matches!(kept.end, RunEnd::Fault(_))) {
        "reached only on the way to a fault that another input shows"
    } else if reached.clone().any(|kept| kept.end == RunEnd::NotLookedFor) {
        "reached only on the way to a fault of a kind that is not looked for"
    } else if reached.any(|kept| kept.end == RunEnd::InputBound) {
        "reached only with an input that needs a larger object than Tarka builds"
    } else {
        "seen only in the instrumented program"
    };
    text.to_string()
}
