//! The part of the goals that was asked for: those on some lines, or at some places, of the sources.
//!
//! Takes lines and places by the names that files have in the source model; says which goals stand there, and leaves the
//! others out of a unit's result. Never: where the lines come from.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use tarka_events::{Status, UnitResult};
use tarka_search::FaultGoalsLeft;
use tarka_source::{GoalKind, Place, SiteKind, SourceModel};
use tarka_verdicts::{goal_place, status};

/// Goals that are asked for. Files are named as in the places of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// Lines of which every goal is asked for that stands on one of them, by file.
    pub lines: BTreeMap<String, Vec<RangeInclusive<u32>>>,
    /// Places of which every goal is asked for: file, line, and column if only that one is meant.
    pub places: BTreeSet<(String, u32, Option<u32>)>,
}

impl Aim {
    /// Whether a goal is asked for.
    pub fn asks(&self, model: &SourceModel, goal: GoalKind) -> bool {
        let place = goal_place(model, goal);
        let is_named = |column| self.places.contains(&(place.file.clone(), place.line, column));
        is_named(None) || is_named(Some(place.column)) || self.hits(model, goal)
    }

    /// Whether a goal stands on one of the lines.
    fn hits(&self, model: &SourceModel, goal: GoalKind) -> bool {
        goal_lines(model, goal).iter().any(|(file, lines)| {
            let asked = self.lines.get(*file).map_or(&[][..], Vec::as_slice);
            asked.iter().any(|asked| asked.start() <= lines.end() && lines.start() <= asked.end())
        })
    }
}

/// The lines a change of which touches a goal. A condition stands on its own lines; whether it decides alone is a matter of
/// the whole decision; a case stands on its label and on the operand of its switch.
fn goal_lines(model: &SourceModel, goal: GoalKind) -> Vec<(&str, RangeInclusive<u32>)> {
    let place = goal_place(model, goal);
    let until = |place: &'_ Place, last: u32| place.line..=last.max(place.line);
    match goal {
        GoalKind::Statement(number) => {
            let function = model.function(goal.function(model));
            let statement = &function.statements[(number - function.first_statement) as usize];
            vec![(&place.file, until(place, statement.end_line))]
        }
        GoalKind::Outcome { site, .. } => {
            let site = model.site(site);
            let own = (site.place.file.as_str(), site.lines.clone());
            match site.kind {
                SiteKind::Condition { .. } => vec![own],
                SiteKind::Switch { .. } => vec![own, (&place.file, until(place, place.line))],
            }
        }
        GoalKind::Decision { decision, .. } | GoalKind::Independence { decision, .. } => {
            let decision = model.decision(decision);
            vec![(&decision.place.file, until(&decision.place, decision.end_line))]
        }
    }
}

/// Leaves the goals that nobody asked for out of a result. Runs that show nothing else have no goal then, and the unit
/// counts as complete when the rest is.
pub(crate) fn restrict(result: &mut UnitResult, is_asked: impl Fn(usize) -> bool) {
    let mut next = 0;
    let numbers: Vec<Option<u32>> = (0..result.goals.len())
        .map(|goal| {
            is_asked(goal).then(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    let mut goals = numbers.iter();
    result.goals.retain(|_| goals.next().is_some_and(Option::is_some));
    let refuted = result.refuted.iter_mut().map(|refuted| &mut refuted.run);
    for run in result.kept_runs.iter_mut().chain(refuted) {
        run.covers = run.covers.iter().filter_map(|&goal| numbers[goal as usize]).collect();
    }
    let leaves_out = numbers.iter().any(Option::is_none);
    if leaves_out && matches!(result.status, Status::Complete | Status::Budget) {
        // Whoever asks for some goals does not ask for all faults.
        result.status = status(&result.goals, FaultGoalsLeft::default());
    }
}
