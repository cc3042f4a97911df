//! What the replays mean for the goals: covered is what a passing test takes on the plain program.
//!
//! Takes a unit's log and what was written for it; records corrections of the verdicts. Never: files, processes.

use std::collections::{BTreeMap, BTreeSet};

use tarka_events::{Cause, Correction, RunEnd, Status, UnitLog, UnitResult, UnitSuite, Verdict};
use tarka_source::{FunctionId, GoalKind, GoalScope, Place, SourceModel};

use crate::SuiteError;
use crate::replay::emitted::{EmittedProgram, EmittedPrograms, emitted, figures, pair_of};
use crate::replay::truth::truth_tables;

/// What the replays say beside the verdicts.
pub(crate) struct CorrectedVerdicts {
    /// For every goal that some emitted file shows: the names of the files that show it alone, or else those of its pair.
    pub shown_by: BTreeMap<u32, Vec<String>>,
    /// The names of the pairs.
    pub pairs: BTreeMap<u32, [String; 2]>,
    /// The goals among them that no test shows, or no two tests together.
    pub by_faults_only: BTreeSet<u32>,
}

/// Corrects every verdict. A goal is covered by a passing test, or by two of them where it takes a pair. What takes a fault
/// file to show is open, and says so; `lost` names the runs that gave no test, with the reason.
pub(crate) fn correct(
    log: &mut UnitLog,
    emitted: &EmittedPrograms,
    lost: &[(u64, String)],
) -> CorrectedVerdicts {
    let unit = log.result();
    let mut verdicts = Vec::new();
    let mut corrected = CorrectedVerdicts {
        shown_by: BTreeMap::new(),
        pairs: BTreeMap::new(),
        by_faults_only: BTreeSet::new(),
    };
    for (index, goal) in (0..).zip(&unit.goals) {
        let by_tests = Shows::of(index, goal.what, emitted.tests());
        let by_any = || Shows::of(index, goal.what, emitted.all());
        let is_covered = by_tests.is_some();
        let Some(shows) = by_tests.or_else(by_any) else {
            verdicts.push(match &goal.verdict {
                Verdict::Covered { pair, .. } => not_shown(unit, index, *pair, lost),
                verdict => verdict.clone(),
            });
            continue;
        };
        if is_covered {
            let pair = shows.pair.map(|pair| pair.map(|program| program.run));
            verdicts.push(match &goal.verdict {
                Verdict::Covered { run, ms, .. } => Verdict::Covered { run: *run, ms: *ms, pair },
                _ => Verdict::Covered { run: shows.run(), ms: 0, pair },
            });
        } else {
            verdicts.push(by_faults(unit, &shows));
            corrected.by_faults_only.insert(index);
        }
        corrected.shown_by.insert(index, shows.names());
        let pair = shows.pair.map(|pair| pair.map(|program| program.name.clone()));
        corrected.pairs.extend(pair.map(|pair| (index, pair)));
    }
    for (goal, verdict) in (0..).zip(verdicts) {
        if log.result().goals[goal as usize].verdict != verdict {
            log.record(Correction::GoalJudged { goal, verdict });
        }
    }
    let unit = log.result();
    let open = unit.goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown { .. }));
    if open && unit.status == Status::Complete {
        log.record(Correction::StatusChanged(Status::Budget));
    }
    corrected
}

/// How some emitted files show a goal.
struct Shows<'s> {
    /// Those that show it alone, else the two that show it together.
    by: Vec<&'s EmittedProgram<'s>>,
    /// The two that show it together.
    pair: Option<[&'s EmittedProgram<'s>; 2]>,
}

impl<'s> Shows<'s> {
    fn of(index: u32, goal: GoalKind, emitted: &'s [EmittedProgram<'s>]) -> Option<Shows<'s>> {
        let pair = pair_of(goal, emitted).map(|pair| pair.map(|at| &emitted[at]));
        let mut by: Vec<&EmittedProgram> =
            emitted.iter().filter(|program| program.covers.contains(&index)).collect();
        if let Some(pair) = pair.filter(|_| by.is_empty()) {
            by = pair.to_vec();
        }
        (!by.is_empty()).then_some(Shows { by, pair })
    }

    fn names(&self) -> Vec<String> {
        self.by.iter().map(|program| program.name.clone()).collect()
    }

    /// The run that showed it, of a pair the later one.
    fn run(&self) -> u64 {
        self.pair.map_or(self.by[0].run, |[held, failed]| held.run.max(failed.run))
    }
}

/// The verdict on a goal that takes a fault file to show.
fn by_faults(unit: &UnitResult, shows: &Shows) -> Verdict {
    let fault = shows.by.iter().find_map(|program| unit.faults.get(program.fault?));
    let what = fault.map(|fault| format!(", {} at {}", fault.kind.name(), fault.place));
    let reason = format!(
        "only fault programs show it ({}{}): no input was found that comes there and passes",
        shows.names().join(", "),
        what.unwrap_or_default()
    );
    open_by_fault(reason, fault.map(|fault| fault.place.clone()))
}

fn open_by_fault(reason: String, place: Option<Place>) -> Verdict {
    let advice = Some("fix the fault, or rule it out with `--assume`".to_string());
    Verdict::Unknown { cause: Cause::Fault, place, reason, advice }
}

/// Goals that were called infeasible and that an emitted file takes all the same: a bug that must not go unseen.
pub(crate) fn wrong_proofs(unit: &UnitResult, emitted: &[EmittedProgram]) -> Vec<String> {
    let taken = |index: u32| emitted.iter().find(|program| program.covers.contains(&index));
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

/// What is known of a function for which there is no test.
pub(crate) fn nothing_written(model: &SourceModel, function: FunctionId, scope: GoalScope) -> UnitSuite {
    let functions = model.goal_functions(function, scope);
    let nothing = emitted(&[], &[], std::iter::empty());
    let coverage = figures(model, &functions, nothing.tests());
    let decisions = truth_tables(model, &functions, &nothing);
    UnitSuite { coverage, decisions, ..UnitSuite::default() }
}

/// Takes back every claim of coverage of a unit whose tests could not be written or replayed.
pub fn withdraw(model: &SourceModel, log: &mut UnitLog, error: &SuiteError) {
    for goal in 0..log.result().goals.len() as u32 {
        if matches!(log.result().goals[goal as usize].verdict, Verdict::Covered { .. }) {
            let reason = "seen only in the instrumented program: no test could be replayed";
            log.record(Correction::GoalJudged { goal, verdict: only_seen(reason.to_string()) });
        }
    }
    log.record(Correction::StatusChanged(Status::Error(error.to_string())));
    if let Some((function, _)) = model.function_named(&log.result().function) {
        let nothing = nothing_written(model, function, log.result().scope);
        log.record(Correction::Written(Box::new(nothing)));
    }
}

/// The verdict on a goal that was seen in the instrumented program, and that no emitted file takes.
fn only_seen(reason: String) -> Verdict {
    Verdict::Unknown { cause: Cause::Replay, place: None, reason, advice: None }
}

/// The verdict on a goal the search covered and no emitted file takes. `pair` are the runs that showed it together.
fn not_shown(unit: &UnitResult, goal: u32, pair: Option<[u64; 2]>, lost: &[(u64, String)]) -> Verdict {
    let is_half = |run: u64| pair.is_some_and(|pair| pair.contains(&run));
    let mut reached = unit.kept_runs.iter().filter(|kept| kept.covers.contains(&goal) || is_half(kept.run));
    let reason = reached.clone().find_map(|kept| lost.iter().find(|(run, _)| *run == kept.run));
    if let Some((_, reason)) = reason {
        return only_seen(reason.clone());
    }
    let fault = reached.clone().find_map(|kept| match kept.end {
        RunEnd::Fault(index) => unit.faults.get(index as usize),
        _ => None,
    });
    if let Some(fault) = fault {
        let (kind, place) = (fault.kind.name(), &fault.place);
        let reason =
            format!("reached only on the way to a fault that another input shows: {kind} at {place}");
        return open_by_fault(reason, Some(place.clone()));
    }
    let text = if reached.clone().any(|kept| kept.end == RunEnd::NotLookedFor) {
        "reached only on the way to a fault of a kind that is not looked for"
    } else if reached.any(|kept| kept.end == RunEnd::InputBound) {
        "reached only with an input that needs a larger object than Tarka builds"
    } else {
        "seen only in the instrumented program"
    };
    only_seen(text.to_string())
}
