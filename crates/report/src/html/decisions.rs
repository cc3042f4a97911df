//! Decisions with several conditions: a truth table of what the tests evaluated, and for each condition the pair of tests
//! that shows it to decide alone.

use std::fmt::Write as _;

use super::{escape, test_links};
use crate::json::{Decision, Unit};

/// Every decision of a unit for which MC/DC is asked.
pub(super) fn decisions(out: &mut String, index: usize, unit: &Unit) {
    if unit.decisions.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<h3>Decisions (MC/DC)</h3>\n<p class=\"quiet\">T true, F false, - not evaluated: it does not matter.</p>"
    );
    for decision in &unit.decisions {
        one(out, index, decision);
    }
}

fn one(out: &mut String, index: usize, decision: &Decision) {
    let shown = decision.conditions.iter().filter(|condition| condition.pair.is_some()).count();
    let all = decision.conditions.len();
    let class = if shown == all { "all" } else { "part" };
    let _ = writeln!(
        out,
        "<h4><span class=\"quiet\">{}:{}</span> <code>{}</code> <span class=\"tag {class}\">{shown}/{all}</span></h4>\n<ol>",
        escape(&decision.file),
        decision.line,
        escape(&decision.text)
    );
    for condition in &decision.conditions {
        let pair = match &condition.pair {
            Some(pair) if pair[0] == pair[1] => {
                format!("decides alone within {}", test_links(index, &pair[..1]))
            }
            Some(pair) => format!("decides alone: {}", test_links(index, pair)),
            None => "<span class=\"part\">not shown to decide alone</span>".to_string(),
        };
        let _ = writeln!(
            out,
            "<li><code>{}</code> <span class=\"quiet\">{pair}</span></li>",
            escape(&condition.text)
        );
    }
    out.push_str("</ol>\n");
    if !decision.counted {
        out.push_str("<p class=\"quiet\">llvm-cov has no MC/DC figure for this decision.</p>\n");
    }
    if decision.evaluations.is_empty() {
        out.push_str("<p class=\"quiet\">No test evaluates it.</p>\n");
        return;
    }
    let numbers: String = (1..=all).map(|number| format!("<span>{number}</span>")).collect();
    let _ = writeln!(
        out,
        "<table class=\"truth\">\n<thead><tr><th><div class=\"values\">{numbers}</div></th><th>Result</th><th>Tests</th></tr></thead>\n<tbody>"
    );
    for evaluation in &decision.evaluations {
        let values: String = evaluation.values.chars().map(value).collect();
        let result = value(if evaluation.result { 'T' } else { 'F' });
        let _ = writeln!(
            out,
            "<tr><td><div class=\"values\">{values}</div></td><td><div class=\"values\">{result}</div></td>\
             <td class=\"quiet\">{}</td></tr>",
            test_links(index, &evaluation.tests)
        );
    }
    out.push_str("</tbody></table>\n");
}

fn value(value: char) -> String {
    let class = match value {
        'T' => "t",
        'F' => "f",
        _ => "d",
    };
    format!("<span class=\"{class}\">{value}</span>")
}
