//! `compare.html`: the comparison for people. One file, no script, nothing fetched, readable in light and dark and on a
//! narrow screen.

use std::fmt::Write as _;

use super::curves::curves;
use super::json::{ComparedUnit, Comparison};
use super::table::{Table, difference_words, headline, total_table, unit_table};
use crate::html::BASE;

/// Colours of the lines, light and dark. Lines beyond these have the same colours again, dashed.
const COLOURS: [(&str, &str); 8] = [
    ("#0b62c4", "#6cb6ff"),
    ("#b45309", "#f0a04b"),
    ("#1a7f37", "#4ac26b"),
    ("#c81e2b", "#ff7b72"),
    ("#7a3fc0", "#c297ff"),
    ("#57606a", "#b1bac4"),
    ("#b5267d", "#ff8ad0"),
    ("#0f766e", "#39d0c0"),
];

/// What the page has beside the style of every page.
const STYLE: &str = "\
figure { margin: .5rem 0; } figure > div { overflow-x: auto; } figure svg { display: block; width: 100%; min-width: 22rem; max-width: 46rem; height: auto; }
svg text { font-size: 13px; fill: var(--quiet); } .grid { stroke: var(--line); fill: none; }
.curve, .sample { fill: none; stroke-width: 2; stroke-linejoin: round; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .875rem; padding: 0; margin: .3rem 0; border: 0; }
.legend label { display: inline-flex; align-items: center; gap: .3rem; cursor: pointer; }
.wide { overflow-x: auto; } .wide th { white-space: nowrap; } .wide td, .wide th { padding: .3rem .4rem; }
.wide th:first-child { position: sticky; left: 0; background: Canvas; }
figure .legend svg { width: 24px; min-width: 24px; height: 8px; }
";

/// How the columns are meant.
const HOW_TO_READ: &str = "\
<h2>How to read this</h2>\n<ul>\n\
<li><b>goals</b>: covered at the end of a trial, mean ± deviation over the trials; <b>at 100</b>, <b>1000</b>, <b>4000</b>: after so many runs.</li>\n\
<li><b>runs to N</b>: until N goals were covered, N being the common coverage that every trial of every strategy reached; \
<b>50%</b>, <b>90%</b>, <b>100%</b>: of what the best trial covered. Where only some trials got there, their number \
stands behind, and the mean is theirs alone.</li>\n\
<li><b>p goals</b>, <b>p runs</b>: probability of a difference to the best strategy at least this large if there were none \
(Mann-Whitney U, two-sided), in the goals and in the runs to N. The best strategy covers most in the mean and, among equals, \
reaches its last goal first. A p is not corrected for the number of strategies, and a strategy that \
draws nothing at random gives the same trial again and again, which is no evidence.</li>\n\
<li><b>only</b>: goals that no other strategy covered in any trial; <b>missed</b>: goals that another one covered and this one never did.</li>\n\
<li><b>first on</b>: functions on which no strategy covers more in the mean; <b>behind on</b>: functions on which it covers \
fewer goals than the best, with p below 0.05.</li>\n\
<li>A trial ends when no goal is open, nothing is left to try, or its runs or time are used up. Faults are not looked for.</li>\n</ul>\n";

/// The page.
pub fn compare_page(comparison: &Comparison) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Tarka: strategies compared</title>\n\
         <style>\n{}{STYLE}{}</style>\n</head>\n<body>\n<h1>Strategies compared</h1>\n\
         <p class=\"quiet\">{} · criterion {} · seeds {} to {} · <code>{}</code></p>\n",
        BASE,
        line_styles(comparison.strategies.len()),
        escape(&comparison.tool),
        escape(&comparison.criterion),
        comparison.seed,
        comparison.seed.saturating_add(comparison.repeat.saturating_sub(1)),
        escape(&comparison.command)
    );
    if let Some(total) = total_table(comparison) {
        out.push_str("<h2>All functions</h2>\n<p class=\"quiet\">Sums of the means.</p>\n");
        table(&mut out, &total);
    }
    for unit in &comparison.units {
        section(&mut out, comparison, unit);
    }
    out.push_str(HOW_TO_READ);
    out.push_str("</body>\n</html>\n");
    out
}

/// Colour and dashes of each line; a line whose name is not ticked is hidden, and pointing at a name fades the others.
fn line_styles(count: usize) -> String {
    let mut out = String::new();
    for index in 0..count {
        let (light, dark) = COLOURS[index % COLOURS.len()];
        let dashes = match index / COLOURS.len() {
            0 => String::new(),
            times => format!(" stroke-dasharray: {} 3;", 10 / times),
        };
        let _ = writeln!(
            out,
            ".s{index} {{ stroke: light-dark({light}, {dark});{dashes} }} \
             figure:has(.i{index}:not(:checked)) .curve.s{index} {{ display: none; }} \
             figure:has(.l{index}:hover) .curve:not(.s{index}) {{ opacity: .15; }}"
        );
    }
    out
}

fn section(out: &mut String, comparison: &Comparison, unit: &ComparedUnit) {
    let _ = writeln!(
        out,
        "<section>\n<h2>{}</h2>\n<p class=\"quiet\">{}</p>",
        escape(&unit.function),
        escape(&unit.file)
    );
    if !unit.message.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>\n</section>", escape(&unit.message));
        return;
    }
    let _ = writeln!(out, "<p>{}.</p>", escape(&headline(comparison, unit)));
    if unit.timed_out > 0 {
        let _ = writeln!(
            out,
            "<p class=\"note\">Trials ended by the time limit: {}. Their figures depend on the machine.</p>",
            unit.timed_out
        );
    }
    out.push_str("<figure>\n<div>\n");
    curves(out, comparison, unit);
    out.push_str("</div>\n<figcaption><fieldset class=\"legend\">\n");
    for (index, figures) in unit.strategies.iter().enumerate() {
        let _ = writeln!(
            out,
            "<label class=\"l{index}\"><input type=\"checkbox\" class=\"i{index}\" checked>\
             <svg viewBox=\"0 0 24 8\" aria-hidden=\"true\"><path class=\"sample s{index}\" d=\"M0 4H24\"/></svg>{}</label>",
            escape(&figures.strategy)
        );
    }
    out.push_str("</fieldset></figcaption>\n</figure>\n");
    table(out, &unit_table(comparison, unit));
    differences(out, comparison, unit);
    out.push_str("</section>\n");
}

fn table(out: &mut String, table: &Table) {
    out.push_str("<div class=\"wide\"><table class=\"cards\">\n<thead><tr>");
    for (column, title) in table.header.iter().enumerate() {
        let class = if column == 0 { "" } else { " class=\"number\"" };
        let _ = write!(out, "<th{class}>{}</th>", escape(title));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, (cell, title)) in row.iter().zip(&table.header).enumerate() {
            let _ = match column {
                0 => write!(out, "<th>{}</th>", escape(cell)),
                _ => {
                    write!(out, "<td class=\"number\" data-label=\"{}\">{}</td>", escape(title), escape(cell))
                }
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn differences(out: &mut String, comparison: &Comparison, unit: &ComparedUnit) {
    let differences = difference_words(comparison, unit);
    if differences.is_empty() {
        out.push_str("<p class=\"quiet\">Every strategy covered the same goals.</p>\n");
        return;
    }
    let _ = writeln!(
        out,
        "<details><summary>Goals that not every strategy covered ({})</summary>\n<ul class=\"goals\">",
        differences.len()
    );
    for (goal, who) in differences {
        let _ = writeln!(out, "<li>{} <span class=\"quiet\">{}</span></li>", escape(&goal), escape(&who));
    }
    out.push_str("</ul></details>\n");
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
