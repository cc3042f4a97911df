//! The tables at the top: what came of every unit, and its coverage under every criterion.

use std::fmt::Write as _;

use tarka_events::FaultClass;

use super::escape;
use crate::json::{Coverage, Report, Share, Unit};

/// The numbers of a unit after its covered goals.
const TITLES: [&str; 8] =
    ["Only by faults", "Infeasible", "Open", "Tests", "Runs", "Bugs", "Unchecked", "Contracts"];

/// One row for each unit: status, goals, tests, faults.
pub(super) fn summary(out: &mut String, report: &Report) {
    out.push_str("<h2>Functions</h2>\n<table class=\"cards\">\n<thead><tr><th>Function</th><th>Status</th>");
    for title in std::iter::once("Covered").chain(TITLES) {
        let _ = write!(out, "<th class=\"number\">{title}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (index, unit) in report.units.iter().enumerate() {
        let status = status(unit);
        let goals = &unit.goals;
        let _ = write!(
            out,
            "<tr><th><span><a href=\"#u{index}\">{}</a> <span class=\"quiet\">{}</span></span></th>\
             <td data-label=\"Status\"><span class=\"tag {status}\">{status}</span></td>",
            escape(&unit.function),
            escape(&unit.file),
        );
        let covered = format!("{} of {}", goals.covered, goals.total);
        let of_class = |class: FaultClass| {
            unit.faults.iter().filter(|fault| fault.counts() && fault.class() == class).count() as u64
        };
        let [bugs, unchecked, contracts] =
            [FaultClass::Bug, FaultClass::Unchecked, FaultClass::Contract].map(of_class);
        let by_faults = goals.covered_by_faults_only;
        let open = goals.unknown - by_faults;
        let numbers = [by_faults, goals.infeasible, open, unit.tests, unit.runs, bugs, unchecked, contracts];
        cell(out, "Covered", "", &covered);
        for (title, number) in TITLES.into_iter().zip(numbers) {
            cell(out, title, "", &number.to_string());
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}

/// One row for each unit, and one for all of them.
pub(super) fn coverage(out: &mut String, report: &Report) {
    out.push_str(
        "<h2>Coverage</h2>\n<p class=\"quiet\">What the passing tests cover on the plain program, under every criterion, \
         whichever was asked for.</p>\n<table class=\"cards\">\n<thead><tr><th>Function</th>",
    );
    for (title, _) in shares(&report.coverage) {
        let _ = write!(out, "<th class=\"number\">{title}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (index, unit) in report.units.iter().enumerate() {
        let name = format!("<a href=\"#u{index}\">{}</a>", escape(&unit.function));
        row(out, &name, &unit.coverage);
    }
    out.push_str("</tbody>\n");
    if report.units.len() > 1 {
        out.push_str("<tfoot>\n");
        row(out, "All", &report.coverage);
        out.push_str("</tfoot>\n");
    }
    out.push_str("</table>\n");
}

/// The status of a unit in one word. `budget` is said of a unit for which one ran out; otherwise goals are just open.
pub(super) fn status(unit: &Unit) -> &str {
    let ran_out = || unit.goal_list.iter().any(|goal| goal.cause == "budget");
    match unit.status.as_str() {
        _ if unit.skipped => "skipped",
        "budget" if !ran_out() => "open",
        status => status,
    }
}

fn row(out: &mut String, name: &str, coverage: &Coverage) {
    let _ = write!(out, "<tr><th>{name}</th>");
    for (title, share) in shares(coverage) {
        let class = match share {
            Share { total: 0, .. } => "quiet",
            Share { covered, total } if covered == total => "all",
            Share { covered: 0, .. } => "none",
            _ => "part",
        };
        let text =
            if share.total == 0 { "–".to_string() } else { format!("{}/{}", share.covered, share.total) };
        cell(out, title, class, &text);
    }
    out.push_str("</tr>\n");
}

fn shares(coverage: &Coverage) -> [(&'static str, Share); 7] {
    [
        ("Function", coverage.function),
        ("Statement", coverage.statement),
        ("Branch", coverage.branch),
        ("Condition", coverage.condition),
        ("Decision", coverage.decision),
        ("MC/DC", coverage.mcdc),
        ("Switch", coverage.switch),
    ]
}

fn cell(out: &mut String, title: &str, class: &str, text: &str) {
    let _ =
        write!(out, "<td class=\"number\" data-label=\"{title}\"><span class=\"{class}\">{text}</span></td>");
}
