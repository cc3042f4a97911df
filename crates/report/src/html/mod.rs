//! `index.html`: the report for people. One file, no script, nothing fetched, readable on a narrow screen.
//!
//! Takes the same data as `report.json`, gives the page. `coverage`, `faults`, `goals` and `decisions` write its parts.

mod coverage;
mod decisions;
mod faults;
mod goals;
pub(crate) mod style;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::json::{Report, Unit};
use crate::sources::Sources;

/// The page. `sources` holds the text of the C files by name, for excerpts; missing ones are left out.
pub fn page(report: &Report, sources: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Tarka report</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<h1>Tarka report</h1>\n<p class=\"quiet\">{} · seed {} · <code>{}</code></p>\n",
        style::STYLE,
        escape(&report.tool),
        report.seed,
        escape(&report.command)
    );
    faults::compared(&mut out, report);
    coverage::summary(&mut out, report);
    coverage::coverage(&mut out, report);
    for (index, unit) in report.units.iter().enumerate() {
        section(&mut out, index, unit, &Sources(sources));
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn section(out: &mut String, index: usize, unit: &Unit, sources: &Sources) {
    let status = coverage::status(unit);
    let _ = writeln!(
        out,
        "<section id=\"u{index}\">\n<h2>{} <span class=\"tag {status}\">{status}</span></h2>\n\
         <p class=\"quiet\">{} · criterion {} · strategy {}</p>",
        escape(&unit.function),
        escape(&unit.file),
        escape(&unit.criterion),
        escape(&unit.strategy)
    );
    if !unit.message.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(&unit.message));
    }
    if let Some(aim) = &unit.aim {
        let _ = writeln!(out, "<p class=\"quiet\">Only goals asked for: {}</p>", escape(aim));
    }
    if let Some(scope) = &unit.goals_scope {
        let whose = match scope.as_str() {
            "callees" => "it has no branch of its own: its goals are those of its callees in the file",
            "file" => "its goals, and those of every function of the file that it reaches",
            _ => "its goals, and those of every function of the program that it reaches",
        };
        let _ = writeln!(out, "<p class=\"quiet\">Goals: {whose}</p>");
    }
    faults::faults(out, index, unit);
    goals::goals(out, index, unit, sources);
    decisions::decisions(out, index, unit);
    tests(out, index, unit);
    list(
        out,
        "Where values became concrete",
        unit.concretisations
            .iter()
            .map(|found| format!("{}:{}: {} ({}×)", found.file, found.line, found.what, found.count)),
    );
    list(out, "Limits met", unit.limits.iter().cloned());
    list(out, "Notes of the replay", unit.notes.iter().cloned());
    out.push_str("</section>\n");
}

/// Names of tests and fault files, each a link to where the page shows it.
fn test_links(index: usize, names: &[String]) -> String {
    let link = |name: &String| format!("<a href=\"#u{index}-{0}\">{0}</a>", escape(name));
    names.iter().map(link).collect::<Vec<_>>().join(", ")
}

fn tests(out: &mut String, index: usize, unit: &Unit) {
    let Some(first) = unit.tests_list.first() else { return };
    let _ = writeln!(
        out,
        "<h3>Tests</h3>\n<p><a href=\"{0}\">{0}</a></p>\n<p class=\"quiet\">{1} of the {2} runs that can be a test{3}</p>\n<ol>",
        escape(&first.path),
        unit.suite.tests,
        unit.suite.kept_runs,
        if unit.suite.smallest { ": no smaller choice of these covers as much." } else { "." }
    );
    for test in &unit.tests_list {
        let arguments: Vec<String> =
            test.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
        let _ = writeln!(
            out,
            "<li id=\"u{index}-{0}\"><code>{0}</code> <span class=\"quiet\">adds {1} of the goals</span><pre>{2}{3}</pre></li>",
            escape(&test.name),
            test.new_goals.len(),
            escape(&test.setup.iter().map(|line| format!("{line}\n")).collect::<String>()),
            escape(&arguments.join(", "))
        );
    }
    out.push_str("</ol>\n");
}

fn list(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let items: String = lines.map(|line| format!("<li>{}</li>\n", escape(&line))).collect();
    if !items.is_empty() {
        let _ = writeln!(out, "<h3>{title}</h3>\n<ul>\n{items}</ul>");
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
