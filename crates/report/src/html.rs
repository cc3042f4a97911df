//! `index.html`: the report for people. One file, no script, nothing fetched, readable on a narrow screen.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::json::{Goal, Report, Unit};

/// The page. `sources` holds the text of the C files by name, for excerpts; missing ones are left out.
pub fn page(report: &Report, sources: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Tarka report</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Tarka report</h1>\n<p class=\"quiet\">{} · seed {} · <code>{}</code></p>\n",
        escape(&report.tool),
        report.seed,
        escape(&report.command)
    );
    summary(&mut out, report);
    for (index, unit) in report.units.iter().enumerate() {
        section(&mut out, index, unit, sources);
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn summary(out: &mut String, report: &Report) {
    out.push_str(
        "<div class=\"wide\"><table>\n<thead><tr><th>Function</th><th>File</th><th>Status</th><th>Goals</th>\
         <th>Covered</th><th>Infeasible</th><th>Open</th><th>Tests</th><th>Runs</th><th>Faults</th></tr></thead>\n<tbody>\n",
    );
    for (index, unit) in report.units.iter().enumerate() {
        let goals = &unit.goals;
        let status = if unit.skipped { "skipped" } else { &unit.status };
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#u{index}\">{}</a></td><td>{}</td><td><span class=\"tag {status}\">{status}</span></td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&unit.function),
            escape(&unit.file),
            goals.total,
            goals.covered,
            goals.infeasible,
            goals.unknown,
            unit.tests,
            unit.runs,
            unit.faults.len()
        );
    }
    out.push_str("</tbody></table></div>\n");
}

fn section(out: &mut String, index: usize, unit: &Unit, sources: &BTreeMap<String, String>) {
    let _ = writeln!(out, "<section id=\"u{index}\">\n<h2>{}</h2>", escape(&unit.function));
    if !unit.message.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(&unit.message));
    }
    if let Some(aim) = &unit.aim {
        let _ = writeln!(out, "<p class=\"quiet\">Only goals asked for: {}</p>", escape(aim));
    }
    faults(out, unit, sources);
    goals(out, unit, sources);
    tests(out, unit);
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

fn faults(out: &mut String, unit: &Unit, sources: &BTreeMap<String, String>) {
    if unit.faults.is_empty() {
        return;
    }
    out.push_str("<h3>Faults</h3>\n");
    for fault in &unit.faults {
        let _ = writeln!(
            out,
            "<article class=\"fault\"><p><strong>{}</strong> at {}:{} in {}(): {}</p>",
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

fn goals(out: &mut String, unit: &Unit, sources: &BTreeMap<String, String>) {
    if unit.goal_list.is_empty() {
        return;
    }
    out.push_str("<h3>Goals</h3>\n");
    let mut lines: BTreeMap<(&str, u32), Vec<&Goal>> = BTreeMap::new();
    for goal in &unit.goal_list {
        lines.entry((&goal.file, goal.line)).or_default().push(goal);
    }
    for ((file, line), goals) in lines {
        let open = goals.iter().any(|goal| goal.status == "unknown");
        let _ = writeln!(
            out,
            "<details{}><summary><span class=\"quiet\">{line}</span> <code>{}</code> {}</summary>",
            if open { " open" } else { "" },
            escape(source_line(sources, file, line).unwrap_or(&goals[0].text).trim()),
            marks(&goals)
        );
        out.push_str("<ul class=\"goals\">\n");
        for goal in goals {
            let first = goal.first_run.map(|run| format!("run {run}")).unwrap_or_default();
            let reason = if goal.reason.is_empty() { first } else { goal.reason.clone() };
            let _ = writeln!(
                out,
                "<li><span class=\"tag {0}\">{0}</span> <code>{1}</code> is {2} <span class=\"quiet\">{3}</span></li>",
                goal.status,
                escape(&goal.text),
                goal.outcome.replace('-', " "),
                escape(&reason)
            );
        }
        out.push_str("</ul></details>\n");
    }
}

fn marks(goals: &[&Goal]) -> String {
    let covered = goals.iter().filter(|goal| goal.status == "covered").count();
    let class = if covered == goals.len() { "covered" } else { "unknown" };
    format!("<span class=\"tag {class}\">{covered}/{}</span>", goals.len())
}

fn tests(out: &mut String, unit: &Unit) {
    let Some(first) = unit.tests_list.first() else { return };
    let _ = writeln!(out, "<h3>Tests</h3>\n<p><a href=\"{0}\">{0}</a></p>\n<ol>", escape(&first.path));
    for test in &unit.tests_list {
        let arguments: Vec<String> =
            test.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
        let _ = writeln!(
            out,
            "<li><code>{}</code> <span class=\"quiet\">adds {} of the goals</span><pre>{}{}</pre></li>",
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

fn excerpt(out: &mut String, sources: &BTreeMap<String, String>, file: &str, line: u32) {
    let mut shown = String::new();
    for number in line.saturating_sub(2).max(1)..=line + 2 {
        let Some(text) = source_line(sources, file, number) else { continue };
        let mark = if number == line { "▸" } else { " " };
        let _ = writeln!(shown, "{mark}{number:>5}  {}", escape(text));
    }
    if !shown.is_empty() {
        let _ = writeln!(out, "<pre>{shown}</pre>");
    }
}

fn source_line<'a>(sources: &'a BTreeMap<String, String>, file: &str, line: u32) -> Option<&'a str> {
    sources.get(file)?.lines().nth(line.checked_sub(1)? as usize)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --quiet: #777; --good: #1a7f37; --bad: #cf222e; --open: #9a6700; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin-bottom: .3rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid var(--line); border-radius: 4px; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
.quiet { color: var(--quiet); font-size: .875rem; } .note { border-left: 3px solid var(--open); padding-left: .7rem; }
.fault { border-left: 3px solid var(--bad); padding-left: .7rem; margin: .7rem 0; }
.tag { font-size: .8rem; padding: 0 .4rem; border: 1px solid currentColor; border-radius: 4px; white-space: nowrap; }
.covered, .complete { color: var(--good); } .unknown, .budget, .skipped { color: var(--open); }
.infeasible { color: var(--quiet); } .error { color: var(--bad); }
details { border-bottom: 1px solid var(--line); padding: .2rem 0; } summary { cursor: pointer; }
.goals { list-style: none; padding-left: 1rem; margin: .3rem 0; } ol, ul { padding-left: 1.4rem; }
";
