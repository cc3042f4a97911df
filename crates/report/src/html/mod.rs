//! `index.html`: the report for people. One file, no script, nothing fetched, readable on a narrow screen.
//!
//! Takes the same data as `report.json`, gives the page. `coverage`, `goals` and `decisions` write its parts.

mod coverage;
mod decisions;
mod goals;
pub(crate) mod style;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::json::{Report, Unit};

/// The texts of the C files by name, as far as they are there.
struct Sources<'a>(&'a BTreeMap<String, String>);

impl<'a> Sources<'a> {
    fn line(&self, file: &str, line: u32) -> Option<&'a str> {
        self.0.get(file)?.lines().nth(line.checked_sub(1)? as usize)
    }
}

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
    faults(out, index, unit, sources);
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

fn faults(out: &mut String, index: usize, unit: &Unit, sources: &Sources) {
    if unit.faults.is_empty() {
        return;
    }
    out.push_str("<h3>Faults</h3>\n");
    for fault in &unit.faults {
        let _ = writeln!(
            out,
            "<article class=\"fault\"{}><p><strong>{}</strong> at {}:{} in {}(): {}</p>",
            anchor(index, fault.test.as_deref()),
            escape(&fault.kind),
            escape(&fault.file),
            fault.line,
            escape(&fault.function),
            escape(&fault.message)
        );
        excerpt(out, sources, &fault.file, fault.line);
        if let Some(path) = &fault.test {
            let _ = write!(out, "<p><a href=\"{0}\">{0}</a> ", escape(path));
            let _ = writeln!(out, "<span class=\"quiet\">{}</span></p>", escape(&fault.shown));
        }
        out.push_str("</article>\n");
    }
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

/// The place that links to a fault file lead to.
fn anchor(index: usize, path: Option<&str>) -> String {
    let name = path.and_then(|path| path.rsplit('/').next()?.strip_suffix(".c"));
    name.map(|name| format!(" id=\"u{index}-{}\"", escape(name))).unwrap_or_default()
}

fn list(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let items: String = lines.map(|line| format!("<li>{}</li>\n", escape(&line))).collect();
    if !items.is_empty() {
        let _ = writeln!(out, "<h3>{title}</h3>\n<ul>\n{items}</ul>");
    }
}

fn excerpt(out: &mut String, sources: &Sources, file: &str, line: u32) {
    let mut shown = String::new();
    for number in line.saturating_sub(2).max(1)..=line + 2 {
        let Some(text) = sources.line(file, number) else { continue };
        let mark = if number == line { "▸" } else { " " };
        let _ = writeln!(shown, "{mark}{number:>5}  {}", escape(text));
    }
    if !shown.is_empty() {
        let _ = writeln!(out, "<pre>{shown}</pre>");
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
