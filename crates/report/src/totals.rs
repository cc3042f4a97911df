//! The goals of all functions together, each once: a side of a function is a goal of every unit that reaches it.
//!
//! Takes the units of a report; gives counts. Covered is what the tests of any unit cover. What is proved counts as infeasible
//! where the function itself was tested and proved so, and as infeasible from the units where only those who call it were.
//! Never: verdicts of its own.

use std::collections::BTreeMap;

use crate::json::{Goal, GoalCounts, INFEASIBLE, INFEASIBLE_FROM_UNIT, Unit};

/// The goals of a call, each counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All.
    pub total: u64,
    /// Covered by passing tests.
    pub covered: u64,
    /// Shown by fault programs only.
    pub by_faults: u64,
    /// Proved infeasible.
    pub infeasible: u64,
    /// Proved infeasible from every unit that has them; their own functions were not tested.
    pub infeasible_from_units: u64,
    /// The rest, by cause.
    pub open: BTreeMap<String, u64>,
    /// Some goal is one of several units.
    pub shared: bool,
}

/// What makes a goal the same in several units: where it stands, and its name, which has the function's.
type Key<'u> = (&'u str, u32, u32, &'u str);

/// Counts the goals of all units.
pub fn totals(units: &[Unit]) -> Totals {
    let mut same: BTreeMap<Key, Vec<&Goal>> = BTreeMap::new();
    for goal in units.iter().flat_map(|unit| &unit.goal_list) {
        same.entry((&goal.file, goal.line, goal.column, &goal.id)).or_default().push(goal);
    }
    let mut totals = Totals { total: same.len() as u64, ..Totals::default() };
    for goals in same.into_values() {
        totals.shared |= goals.len() > 1;
        totals.add(&goals);
    }
    totals
}

impl Totals {
    /// Adds one goal, as the units tell of it.
    fn add(&mut self, goals: &[&Goal]) {
        let own = goals.iter().find(|goal| goal.function.is_none());
        let is = |goal: &Goal, status: &str| goal.status == status;
        if goals.iter().any(|goal| is(goal, "covered")) {
            self.covered += 1;
        } else if goals.iter().any(|goal| goal.covered_by_faults_only) {
            self.by_faults += 1;
        } else if own.is_some_and(|goal| is(goal, INFEASIBLE)) {
            self.infeasible += 1;
        } else if goals.iter().all(|goal| is(goal, INFEASIBLE_FROM_UNIT)) {
            self.infeasible_from_units += 1;
        } else {
            let told = own.or_else(|| goals.iter().find(|goal| is(goal, "unknown")));
            let cause = told.map(|goal| goal.cause.clone()).unwrap_or_default();
            *self.open.entry(cause).or_default() += 1;
        }
    }

    /// As counts of the report.
    pub fn counts(&self) -> GoalCounts {
        GoalCounts {
            total: self.total,
            covered: self.covered,
            infeasible: self.infeasible + self.infeasible_from_units,
            unknown: self.by_faults + self.open.values().sum::<u64>(),
            covered_by_faults_only: self.by_faults,
            infeasible_from_unit: self.infeasible_from_units,
        }
    }
}
