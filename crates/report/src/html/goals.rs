//! The goals of a unit: first what is left open and what to do about it, then what only fault programs show, then what can
//! never be covered and why, then all of them line by line with the tests that show them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{escape, test_links};
use crate::json::{Goal, INFEASIBLE, INFEASIBLE_FROM_UNIT, Unit};
use crate::sources::Sources;

/// All lists.
pub(super) fn goals(out: &mut String, index: usize, unit: &Unit, sources: &Sources) {
    let open = |goal: &Goal| goal.status == "unknown" && !goal.covered_by_faults_only;
    uncovered(out, unit, open, "Not covered", "open");
    uncovered(out, unit, |goal| goal.covered_by_faults_only, "Shown only by fault programs", "open");
    uncovered(out, unit, |goal| goal.status == INFEASIBLE, "Proved infeasible", "never");
    let from_unit = format!("Proved infeasible from {}()", escape(&unit.function));
    uncovered(out, unit, |goal| goal.status == INFEASIBLE_FROM_UNIT, &from_unit, "never");
    by_line(out, index, unit, sources);
}

/// The goals that are wanted, with reason, cause and advice.
fn uncovered(out: &mut String, unit: &Unit, wanted: impl Fn(&Goal) -> bool, title: &str, class: &str) {
    let goals: Vec<&Goal> = unit.goal_list.iter().filter(|goal| wanted(goal)).collect();
    if goals.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h3>{title} ({})</h3>", goals.len());
    for goal in goals {
        let _ = write!(
            out,
            "<article class=\"{class}\"><p><span class=\"quiet\">{}:{}</span> {}",
            escape(&goal.file),
            goal.line,
            sentence(goal)
        );
        if !goal.cause.is_empty() {
            let _ = write!(out, " <span class=\"tag {}\">{}</span>", class_of(goal), escape(&goal.cause));
        }
        let at = goal.cause_at.as_ref().map(|at| format!(" ({})", escape(at))).unwrap_or_default();
        let _ = writeln!(out, "</p>\n<p class=\"quiet\">{}{at}</p>", escape(&goal.reason));
        if let Some(advice) = &goal.advice {
            let _ = writeln!(out, "<p>→ {}</p>", escape(advice));
        }
        out.push_str("</article>\n");
    }
}

fn by_line(out: &mut String, index: usize, unit: &Unit, sources: &Sources) {
    if unit.goal_list.is_empty() {
        return;
    }
    out.push_str("<h3>Goals by line</h3>\n");
    // The unit's own first, then function by function.
    for goals in unit.goal_list.chunk_by(|one, other| one.function == other.function) {
        if let Some(function) = &goals[0].function {
            let marks = marks(&goals.iter().collect::<Vec<_>>());
            let _ = writeln!(out, "<h4>In <code>{}()</code> {marks}</h4>", escape(function));
        }
        of_function(out, index, goals, sources);
    }
}

/// The goals of one function of a unit, line by line.
fn of_function(out: &mut String, index: usize, goals: &[Goal], sources: &Sources) {
    let mut lines: BTreeMap<(&str, u32), Vec<&Goal>> = BTreeMap::new();
    for goal in goals {
        lines.entry((&goal.file, goal.line)).or_default().push(goal);
    }
    for ((file, line), goals) in lines {
        let _ = writeln!(
            out,
            "<details><summary><span class=\"quiet\">{line}</span> <code>{}</code> {}</summary>\n<ul class=\"goals\">",
            escape(sources.line(file, line).unwrap_or(&goals[0].text).trim()),
            marks(&goals)
        );
        for goal in goals {
            let shown =
                if goal.tests.is_empty() { escape(&goal.cause) } else { test_links(index, &goal.tests) };
            let _ = writeln!(
                out,
                "<li><span class=\"tag {}\">{}</span> {} <span class=\"quiet\">{shown}</span></li>",
                class_of(goal),
                goal.status.replace('-', " "),
                sentence(goal)
            );
        }
        out.push_str("</ul></details>\n");
    }
}

/// How its status looks.
fn class_of(goal: &Goal) -> &str {
    if goal.status == INFEASIBLE_FROM_UNIT { INFEASIBLE } else { &goal.status }
}

/// What is asked for, in words.
fn sentence(goal: &Goal) -> String {
    let text = escape(&goal.text);
    match goal.outcome.as_str() {
        "independent" => format!("<code>{text}</code> decides alone"),
        outcome => format!("<code>{text}</code> is {}", outcome.replace('-', " ")),
    }
}

fn marks(goals: &[&Goal]) -> String {
    let covered = goals.iter().filter(|goal| goal.status == "covered").count();
    let class = if covered == goals.len() { "covered" } else { "unknown" };
    format!("<span class=\"tag {class}\">{covered}/{}</span>", goals.len())
}
