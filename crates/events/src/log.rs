//! What is found out about a unit, as a log: the search's result, then one correction after the other.
//!
//! Takes events, gives the result that they fold to. Nobody edits a result: whoever knows better records a correction, which
//! listeners, the report and a journal see as well. Never: deciding what is right.

use serde::{Deserialize, Serialize};

use crate::{Caller, Fault, FaultClass, Need, Reached, RunEnd, Status, UnitResult, UnitSuite, Verdict};

/// A correction of what the search found out about a unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Correction {
    /// A kept run ends otherwise on the plain program.
    RunEnded {
        /// Its number.
        run: u64,
        /// How it ends.
        end: RunEnd,
    },
    /// One more fault, behind the others.
    FaultFound(Box<Fault>),
    /// What a fault is to those who read of it.
    FaultSettled {
        /// Index among the unit's faults.
        fault: u32,
        /// What it is.
        settled: Box<Settled>,
    },
    /// The faults stand in another order: the old index of each. Runs that end in one keep it.
    FaultsOrdered(Vec<usize>),
    /// The verdict on a goal.
    GoalJudged {
        /// Index among the unit's goals.
        goal: u32,
        /// What is true of it.
        verdict: Verdict,
    },
    /// The verdict on the unit.
    StatusChanged(Status),
    /// The files of the unit.
    Written(Box<UnitSuite>),
}

/// What a fault is to those who read of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Its class.
    pub class: FaultClass,
    /// Why it is of that class.
    pub why: String,
    /// What would keep it away.
    pub need: Option<Need>,
    /// Whether the callers of a static function get there.
    pub reached: Option<Reached>,
    /// The other functions that show it.
    pub callers: Vec<Caller>,
    /// The function that tells it, if it is another one.
    pub reported_by: Option<String>,
}

impl Settled {
    /// What the fault is so far.
    pub fn of(fault: &Fault) -> Settled {
        Settled {
            class: fault.class,
            why: fault.why.clone(),
            need: fault.need.clone(),
            reached: fault.reached,
            callers: fault.callers.clone(),
            reported_by: fault.reported_by.clone(),
        }
    }
}

/// The log of one unit.
#[derive(Clone, Debug)]
pub struct UnitLog {
    result: UnitResult,
    suite: UnitSuite,
    corrections: Vec<Correction>,
}

impl UnitLog {
    /// Begins with what the search found out.
    pub fn new(searched: UnitResult) -> UnitLog {
        UnitLog { result: searched, suite: UnitSuite::default(), corrections: Vec::new() }
    }

    /// The log with these corrections.
    pub fn replay(searched: UnitResult, corrections: Vec<Correction>) -> UnitLog {
        let mut log = UnitLog::new(searched);
        corrections.into_iter().for_each(|correction| log.record(correction));
        log
    }

    /// What is true by now.
    pub fn result(&self) -> &UnitResult {
        &self.result
    }

    /// What is true by now, for those who want nothing else.
    pub fn into_result(self) -> UnitResult {
        self.result
    }

    /// What was written for the unit.
    pub fn suite(&self) -> &UnitSuite {
        &self.suite
    }

    /// What was corrected, in order.
    pub fn corrections(&self) -> &[Correction] {
        &self.corrections
    }

    /// Records a correction. One of something that is not there changes nothing.
    pub fn record(&mut self, correction: Correction) {
        match &correction {
            Correction::RunEnded { run, end } => {
                let kept = self.result.kept_runs.iter_mut().find(|kept| kept.run == *run);
                if let Some(kept) = kept {
                    kept.end = end.clone();
                }
            }
            Correction::FaultFound(fault) => self.result.faults.push((**fault).clone()),
            Correction::FaultSettled { fault, settled } => {
                if let Some(fault) = self.result.faults.get_mut(*fault as usize) {
                    let Settled { class, why, need, reached, callers, reported_by } = (**settled).clone();
                    *fault = Fault { class, why, need, reached, callers, reported_by, ..fault.clone() };
                }
            }
            Correction::FaultsOrdered(order) => self.order_faults(order),
            Correction::GoalJudged { goal, verdict } => {
                if let Some(goal) = self.result.goals.get_mut(*goal as usize) {
                    goal.verdict = verdict.clone();
                }
            }
            Correction::StatusChanged(status) => self.result.status = status.clone(),
            Correction::Written(suite) => self.suite = (**suite).clone(),
        }
        self.corrections.push(correction);
    }

    fn order_faults(&mut self, order: &[usize]) {
        let faults = order.iter().filter_map(|&old| self.result.faults.get(old).cloned());
        self.result.faults = faults.collect();
        self.result.kept_runs.iter_mut().for_each(|kept| kept.end.renumber(order));
    }
}

#[cfg(test)]
mod tests {
    use tarka_scenario::Executed;
    use tarka_source::{Evidence, GoalKind, GoalScope, Place};
    use tarka_trace::FaultKind;

    use super::*;
    use crate::{AttackFigures, Cause, Goal, KeptRun, PathSketch, SolverFigures};

    fn place(line: u32) -> Place {
        Place { file: "unit.c".into(), line, column: 1 }
    }

    fn fault(line: u32) -> Fault {
        Fault::new(FaultKind::NullDereference, "f".into(), place(line), Executed::default())
    }

    fn searched() -> UnitResult {
        let goal = |index: u32| Goal {
            id: format!("f:s{index}"),
            what: GoalKind::Statement(index),
            callee: None,
            place: place(index + 1),
            kind: "statement".into(),
            text: "x++;".into(),
            verdict: Verdict::Covered { run: 1, ms: 0, pair: None },
            attacks: 0,
            refutations: 0,
        };
        let run = |run: u64, end: RunEnd| KeptRun {
            run,
            executed: Executed::default(),
            covers: vec![0],
            evidence: Evidence { outcomes: vec![0, 1, 0], statements: vec![0; 4], ..Evidence::default() },
            end,
        };
        UnitResult {
            file: "unit.c".into(),
            function: "f".into(),
            criterion: "branch".into(),
            scope: GoalScope::Unit,
            strategy: "auto".into(),
            seed: 1,
            has_drawn: false,
            status: Status::Complete,
            runs: 3,
            divergences: 0,
            solver: SolverFigures::default(),
            execute_ms: 0,
            total_ms: 0,
            goals: vec![goal(0), goal(1)],
            kept_runs: vec![run(1, RunEnd::Returned), run(2, RunEnd::Fault(0)), run(3, RunEnd::Fault(1))],
            faults: vec![fault(3), fault(7)],
            concretisations: Vec::new(),
            limits: Vec::new(),
            attack: AttackFigures::default(),
            refuted: Vec::new(),
            stubs: Vec::new(),
            named_addresses: Vec::new(),
            calls: Vec::new(),
            paths: PathSketch::default(),
        }
    }

    fn corrected() -> UnitLog {
        let mut log = UnitLog::new(searched());
        log.record(Correction::FaultFound(Box::new(fault(9))));
        log.record(Correction::RunEnded { run: 1, end: RunEnd::Fault(2) });
        log.record(Correction::FaultsOrdered(vec![2, 0, 1]));
        let settled = Settled { class: FaultClass::Contract, ..Settled::of(&fault(9)) };
        log.record(Correction::FaultSettled { fault: 0, settled: Box::new(settled) });
        let verdict =
            Verdict::Unknown { cause: Cause::Fault, place: None, reason: "no test".into(), advice: None };
        log.record(Correction::GoalJudged { goal: 1, verdict });
        log.record(Correction::StatusChanged(Status::Budget));
        log.record(Correction::Written(Box::new(UnitSuite {
            notes: vec!["read me".into()],
            ..Default::default()
        })));
        log
    }

    #[test]
    fn corrections_fold_into_the_result() {
        let log = corrected();
        let result = log.result();
        let lines: Vec<u32> = result.faults.iter().map(|fault| fault.place.line).collect();
        assert_eq!(lines, [9, 3, 7]);
        assert_eq!((result.faults[0].class, result.faults[1].class), (FaultClass::Contract, FaultClass::Bug));
        let ends: Vec<&RunEnd> = result.kept_runs.iter().map(|kept| &kept.end).collect();
        assert_eq!(ends, [&RunEnd::Fault(0), &RunEnd::Fault(1), &RunEnd::Fault(2)]);
        assert!(matches!(result.goals[1].verdict, Verdict::Unknown { .. }));
        assert_eq!(result.status, Status::Budget);
        assert_eq!(log.suite().notes, ["read me"]);
    }

    #[test]
    fn a_log_that_was_written_down_and_read_again_folds_to_the_same_result() {
        let log = corrected();
        let written = serde_json::to_string(&(searched(), log.corrections())).unwrap();
        let (base, corrections) = serde_json::from_str::<(UnitResult, Vec<Correction>)>(&written).unwrap();
        let again = UnitLog::replay(base, corrections);
        let text = |log: &UnitLog| serde_json::to_string(&(log.result(), log.suite())).unwrap();
        assert_eq!(text(&again), text(&log));
    }

    #[test]
    fn a_correction_of_something_that_is_not_there_changes_nothing() {
        let mut log = UnitLog::new(searched());
        let before = serde_json::to_string(log.result()).unwrap();
        log.record(Correction::RunEnded { run: 99, end: RunEnd::Returned });
        let verdict = Verdict::Covered { run: 1, ms: 1, pair: None };
        log.record(Correction::GoalJudged { goal: 99, verdict });
        let settled = Box::new(Settled::of(&fault(1)));
        log.record(Correction::FaultSettled { fault: 99, settled });
        assert_eq!(serde_json::to_string(log.result()).unwrap(), before);
    }
}
