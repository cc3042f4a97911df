//! Goals in words.
//!
//! Takes a goal, gives text. Test files, report and terminal speak of goals in the same way.

use tarka_events::Goal;
use tarka_source::GoalKind;

/// How a goal is spoken of in a test's comment.
pub fn goal_sentence(goal: &Goal) -> String {
    let file = goal.place.file.rsplit('/').next().unwrap_or_default();
    let within = goal.callee.as_ref().map(|callee| format!(" in {callee}()")).unwrap_or_default();
    format!(
        "{file}:{}: `{}` is {}{within}",
        goal.place.line,
        goal.text,
        outcome_words(goal).replace('-', " ")
    )
}

/// The outcome of a goal: `executed`, `true`, `false`, `taken`, `not-taken` or `independent`.
pub fn outcome_words(goal: &Goal) -> &'static str {
    match goal.what {
        GoalKind::Statement(_) => "executed",
        GoalKind::Outcome { outcome, .. } if goal.kind == "condition" => truth(outcome != 0),
        GoalKind::Outcome { taken: true, .. } => "taken",
        GoalKind::Outcome { taken: false, .. } => "not-taken",
        GoalKind::Decision { outcome, .. } => truth(outcome),
        GoalKind::Independence { .. } => "independent",
    }
}

fn truth(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}
