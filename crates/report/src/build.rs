//! Results and suites into the report's structure.

use std::collections::BTreeMap;

use tarka_events::{FaultSet, Figures, Reached, Status, TruthTable, UnitResult, UnitSuite, Verdict};
use tarka_settings::Silence;
use tarka_source::GoalScope;
use tarka_suite::{LinkedFile, outcome_words};

use crate::baseline::Baseline;
use crate::build_faults::{faults, preconditions};
use crate::fault::Fault;
use crate::fingerprint::RECIPE;
use crate::json::*;
use crate::sources::Sources;
use crate::totals::totals;
use crate::{fingerprint, silence, tarka_toml};

/// One unit with its suite.
pub struct ReportedUnit<'a> {
    /// What the campaign found, after the suite's corrections.
    pub result: &'a UnitResult,
    /// What was written.
    pub suite: &'a UnitSuite,
    /// The user's flags for its file.
    pub flags: &'a [String],
    /// What its tests are linked with.
    pub linked: &'a [LinkedFile],
}

/// What holds for all units.
pub struct Run<'a> {
    /// `tarka 0.1.0`.
    pub tool: &'a str,
    /// The command.
    pub command: &'a str,
    /// The seed.
    pub seed: u64,
    /// The folder of the flags, relative to the report.
    pub directory: &'a str,
    /// Which goals were asked for, in words, if not all.
    pub aim: Option<&'a str>,
    /// What the tests of all units cover together, every function once.
    pub coverage: Figures,
    /// The kinds of fault that were looked for.
    pub looked_for: FaultSet,
    /// The faults of an earlier run, and the file they come from as the user named it.
    pub baseline: Option<(&'a str, &'a Baseline)>,
    /// Faults that somebody has judged, from `tarka.toml`.
    pub silences: &'a [Silence],
    /// Write every time as 0, so that the same seed gives the same bytes.
    pub without_times: bool,
}

/// Builds the report. `sources` holds the text of the C files by name, for excerpts and fingerprints; missing ones are left
/// out.
pub fn build(run: &Run, units: &[ReportedUnit], sources: &BTreeMap<String, String>) -> Report {
    let sources = Sources(sources);
    let mut units: Vec<Unit> = units.iter().map(|unit| build_unit(run, unit, &sources)).collect();
    silence::silence(&mut units, &sources, run.silences);
    rank(&mut units);
    fingerprint::fill(&mut units, &sources);
    let baseline = run.baseline.map(|(file, baseline)| baseline.compare(file, &mut units, run.looked_for));
    Report {
        version: VERSION,
        tool: run.tool.to_string(),
        seed: run.seed,
        fingerprints: RECIPE.to_string(),
        command: run.command.to_string(),
        directory: run.directory.to_string(),
        coverage: coverage(&run.coverage),
        goals: has_goals_of_others(&units).then(|| totals(&units).counts()),
        proofs: sum_proofs(&units),
        baseline,
        units,
    }
}

/// By class, the most serious first, silenced ones last; contracts of which nobody knows whether callers keep them before
/// the others; within these, units and their faults as they come.
fn rank(units: &mut [Unit]) {
    let mut faults: Vec<&mut Fault> = units.iter_mut().flat_map(|unit| &mut unit.faults).collect();
    let is_undecided = |fault: &Fault| fault.reached.as_deref() == Some(Reached::Unknown.name());
    faults.sort_by_key(|fault| (fault.silenced.is_some(), fault.class(), !is_undecided(fault)));
    for (index, fault) in faults.into_iter().enumerate() {
        fault.rank = index as u32 + 1;
    }
}

fn build_unit(run: &Run, unit: &ReportedUnit, sources: &Sources) -> Unit {
    let result = unit.result;
    let faults = faults(unit, sources);
    let preconditions = preconditions(unit);
    let ms = |ms: u64| if run.without_times { 0 } else { ms };
    let (status, message, skipped) = match &result.status {
        Status::Complete => ("complete", String::new(), false),
        Status::Budget => ("budget", String::new(), false),
        Status::Skipped(reason) => ("error", reason.clone(), true),
        Status::Error(message) => ("error", message.clone(), false),
    };
    let solver = &result.solver;
    Unit {
        file: result.file.clone(),
        function: result.function.clone(),
        criterion: result.criterion.clone(),
        goals_scope: goals_scope(result).map(str::to_string),
        strategy: result.strategy.clone(),
        seed: result.seed,
        runs: result.runs,
        tests: unit.suite.tests.len() as u64,
        solver: Solver {
            queries: solver.queries,
            sat: solver.sat,
            unsat: solver.unsat,
            unknown: solver.unknown,
            cached: solver.cached,
            optimistic: solver.optimistic,
            optimistic_hits: solver.optimistic_hits,
            hopeful: solver.optimistic,
            hopes_come_true: solver.optimistic_hits,
            wrong_models: solver.wrong_models,
            ms: ms(solver.ms),
            layers: solver
                .layers
                .iter()
                .map(|layer| SolverLayer {
                    name: layer.name.clone(),
                    asked: layer.asked,
                    hits: layer.answered,
                    misses: layer.asked - layer.answered,
                    us: ms(layer.us),
                })
                .collect(),
        },
        execute_ms: ms(result.execute_ms),
        total_ms: ms(result.total_ms),
        status: status.to_string(),
        message,
        skipped,
        goals: count(result, unit.suite),
        aim: run.aim.map(str::to_string),
        coverage: coverage(&unit.suite.coverage),
        suite: Suite {
            kept_runs: unit.suite.choice.runs,
            tests: unit.suite.tests.len() as u64,
            smallest: unit.suite.choice.smallest,
        },
        goal_list: (0..)
            .zip(&result.goals)
            .map(|(index, goal)| build_goal((index, goal), unit.suite, &ms))
            .collect(),
        coverage_by_run: goals_scope(result).map(|_| coverage_by_run(result)),
        decisions: unit.suite.decisions.iter().map(decision).collect(),
        faults,
        tarka_toml: tarka_toml::lines(
            &result.function,
            preconditions.iter().filter_map(|need| need.expression.as_deref()),
        ),
        preconditions,
        proofs: Proofs {
            attacked: result.goals.iter().filter(|goal| goal.attacks > 0).count() as u64,
            runs: result.attack.runs,
            refuted: result.refuted.len() as u64,
            ms: ms(result.attack.ms),
        },
        refuted: refuted(unit),
        concretisations: result
            .concretisations
            .iter()
            .map(|found| Concretisation {
                file: found.place.file.clone(),
                line: found.place.line,
                what: found.what.clone(),
                count: found.count,
            })
            .collect(),
        tests_list: tests(unit),
        divergences: result.divergences,
        limits: result.limits.clone(),
        notes: unit.suite.notes.clone(),
        flags: unit.flags.to_vec(),
        linked: unit.linked.iter().map(linked).collect(),
        calls: result.calls.clone(),
        paths: result.paths.clone(),
    }
}

fn linked(file: &LinkedFile) -> Linked {
    Linked { file: file.file.display().to_string(), flags: file.flags.clone(), has_main: file.has_main }
}

fn coverage(figures: &tarka_events::Figures) -> Coverage {
    let share = |share: tarka_events::Share| Share { covered: share.covered, total: share.total };
    Coverage {
        statement: share(figures.statement),
        branch: share(figures.branch),
        condition: share(figures.condition),
        decision: share(figures.decision),
        mcdc: share(figures.mcdc),
        function: share(figures.function),
        switch: share(figures.switch),
    }
}

/// Whose goals were asked for, if not only the unit's own.
fn goals_scope(result: &UnitResult) -> Option<&'static str> {
    let has_others = result.goals.iter().any(|goal| goal.callee.is_some());
    match result.scope {
        GoalScope::Unit => has_others.then_some("callees"),
        wider => Some(wider.name()),
    }
}

fn has_goals_of_others(units: &[Unit]) -> bool {
    units.iter().flat_map(|unit| &unit.goal_list).any(|goal| goal.function.is_some())
}

/// How many of the covered goals were so after each run that covered one first.
fn coverage_by_run(result: &UnitResult) -> Vec<CoveredByRun> {
    let covered = result.goals.iter().filter_map(|goal| match goal.verdict {
        Verdict::Covered { run, .. } => Some(run),
        _ => None,
    });
    let mut runs: Vec<u64> = covered.collect();
    runs.sort_unstable();
    let mut curve: Vec<CoveredByRun> = Vec::new();
    for (covered, runs) in (1..).zip(runs) {
        match curve.last_mut() {
            Some(last) if last.runs == runs => last.covered = covered,
            _ => curve.push(CoveredByRun { runs, covered }),
        }
    }
    curve
}

fn decision(table: &TruthTable) -> Decision {
    let sign = |value: &Option<bool>| match value {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '-',
    };
    Decision {
        file: table.place.file.clone(),
        line: table.place.line,
        column: table.place.column,
        text: table.text.clone(),
        counted: table.counted,
        conditions: table
            .conditions
            .iter()
            .map(|condition| DecisionCondition { text: condition.text.clone(), pair: condition.pair.clone() })
            .collect(),
        evaluations: table
            .rows
            .iter()
            .map(|row| Evaluation {
                values: row.values.iter().map(sign).collect(),
                result: row.result,
                tests: row.tests.clone(),
            })
            .collect(),
    }
}

fn count(result: &UnitResult, suite: &UnitSuite) -> GoalCounts {
    let mut counts = GoalCounts {
        total: result.goals.len() as u64,
        covered: 0,
        infeasible: 0,
        unknown: 0,
        covered_by_faults_only: suite.by_faults_only.len() as u64,
        infeasible_from_unit: 0,
    };
    for goal in &result.goals {
        match goal.verdict {
            Verdict::Covered { .. } => counts.covered += 1,
            Verdict::Infeasible { .. } => {
                counts.infeasible += 1;
                counts.infeasible_from_unit += u64::from(goal.callee.is_some());
            }
            Verdict::Unknown { .. } => counts.unknown += 1,
        }
    }
    counts
}

/// Why a goal is not covered.
#[derive(Default)]
struct Why {
    cause: String,
    at: Option<String>,
    reason: String,
    advice: Option<String>,
}

fn build_goal((index, goal): (u32, &tarka_events::Goal), suite: &UnitSuite, ms: &dyn Fn(u64) -> u64) -> Goal {
    let (status, why, first) = match &goal.verdict {
        Verdict::Covered { run, ms, .. } => ("covered", Why::default(), Some((*run, *ms))),
        Verdict::Infeasible { proof, reason, advice } => {
            let cause = proof.name().to_string();
            let status = if goal.callee.is_some() { INFEASIBLE_FROM_UNIT } else { INFEASIBLE };
            (status, Why { cause, at: None, reason: reason.clone(), advice: advice.clone() }, None)
        }
        Verdict::Unknown { cause, place, reason, advice } => {
            let (cause, at) = (cause.name().to_string(), place.as_ref().map(ToString::to_string));
            ("unknown", Why { cause, at, reason: reason.clone(), advice: advice.clone() }, None)
        }
    };
    Goal {
        id: goal.id.clone(),
        function: goal.callee.clone(),
        file: goal.place.file.clone(),
        line: goal.place.line,
        column: goal.place.column,
        kind: goal.kind.to_string(),
        text: goal.text.clone(),
        outcome: outcome_words(goal).to_string(),
        status: status.to_string(),
        reason: why.reason,
        cause: why.cause,
        cause_at: why.at,
        advice: why.advice,
        first_run: first.map(|(run, _)| run),
        first_ms: first.map(|(_, at)| ms(at)),
        tests: suite.shown_by.get(&index).cloned().unwrap_or_default(),
        covered_by_faults_only: suite.by_faults_only.contains(&index),
        pair: suite.pairs.get(&index).cloned(),
        attacks: goal.attacks.into(),
        refutations: goal.refutations.into(),
    }
}

fn sum_proofs(units: &[Unit]) -> Proofs {
    units.iter().map(|unit| unit.proofs).fold(Proofs::default(), |total, unit| Proofs {
        attacked: total.attacked + unit.attacked,
        runs: total.runs + unit.runs,
        refuted: total.refuted + unit.refuted,
        ms: total.ms + unit.ms,
    })
}

fn refuted(unit: &ReportedUnit) -> Vec<Refuted> {
    let all = unit.result.refuted.iter().enumerate();
    let written = all.map(|(index, refuted)| (refuted, unit.suite.refuted.get(index)));
    written
        .map(|(refuted, written)| Refuted {
            goal: refuted.goal.clone(),
            proof: refuted.claim.clone(),
            path: written.and_then(|written| written.path.clone()),
            confirmed: written.is_some_and(|written| written.confirmed),
            inputs: written.map_or(&[][..], |written| &written.inputs).iter().map(argument).collect(),
        })
        .collect()
}

fn argument((name, value): &(String, String)) -> Argument {
    Argument { name: name.clone(), value: value.clone() }
}

fn tests(unit: &ReportedUnit) -> Vec<Test> {
    let goal_id = |index: &u32| unit.result.goals[*index as usize].id.clone();
    unit.suite
        .tests
        .iter()
        .map(|test| Test {
            name: test.name.clone(),
            path: test.path.clone(),
            inputs: test.inputs.iter().map(argument).collect(),
            setup: test.setup.clone(),
            new_goals: test.new_goals.iter().map(goal_id).collect(),
            run: test.run,
        })
        .collect()
}
