//! The faults of a unit: its bugs, then what it needs of callers, each with excerpt, calls, way there and file.

use std::fmt::Write as _;

use tarka_events::FaultClass;
use tarka_suite::step_sentence;

use super::escape;
use crate::fault::{Caller, Fault, Related};
use crate::json::{Report, Unit};

/// How the faults compare with those of the baseline.
pub(super) fn compared(out: &mut String, report: &Report) {
    let Some(compared) = &report.baseline else { return };
    let _ = writeln!(
        out,
        "<h2>Since the baseline</h2>\n<p>{} new, {} known, {} gone <span class=\"quiet\">({})</span></p>",
        compared.new,
        compared.known,
        compared.absent.len(),
        escape(&compared.file)
    );
    if !compared.absent.is_empty() {
        out.push_str("<ul>\n");
        for fault in &compared.absent {
            let _ = writeln!(
                out,
                "<li>gone: {} in {}() of {} <span class=\"quiet\">(then on line {})</span></li>",
                escape(&fault.kind),
                escape(&fault.function),
                escape(&fault.file),
                fault.line
            );
        }
        out.push_str("</ul>\n");
    }
    for change in &compared.changed {
        let _ = writeln!(
            out,
            "<p>{} at {}:{} was {}, is {}: {}</p>",
            escape(&change.kind),
            escape(&change.file),
            change.line,
            escape(&change.from),
            escape(&change.to),
            escape(&change.why)
        );
    }
    if compared.not_looked_for > 0 {
        let _ = writeln!(
            out,
            "<p class=\"quiet\">{} of the baseline were not looked for in this run.</p>",
            compared.not_looked_for
        );
    }
}

/// Title and meaning of the list of a class.
fn title(class: FaultClass) -> (&'static str, &'static str) {
    match class {
        FaultClass::Bug => ("Bugs", "Any caller that keeps to the interface can make them happen."),
        FaultClass::Unchecked => (
            "Unchecked input",
            "They depend on bytes of a buffer or stream that nothing checks, or not enough.",
        ),
        FaultClass::Contract => (
            "Contracts",
            "What the function expects of callers, or of its own data, without looking: no fault as long as that holds.",
        ),
        FaultClass::Limit => ("Limits", "Met by inputs that say nothing about the program. Counted nowhere."),
    }
}

/// A list for each class, and one of what was silenced.
pub(super) fn faults(out: &mut String, index: usize, unit: &Unit) {
    let (silenced, told): (Vec<&Fault>, Vec<&Fault>) =
        unit.faults.iter().partition(|fault| fault.silenced.is_some());
    for class in FaultClass::ALL {
        let (title, meaning) = title(class);
        let style = if class == FaultClass::Bug { "fault" } else { class.name() };
        let of_class = told.iter().filter(|fault| fault.class() == class).copied().collect();
        list(out, index, unit, of_class, (title, meaning, style));
    }
    list(out, index, unit, silenced, ("Silenced", "Judged before, with a reason.", "limit"));
    if !unit.tarka_toml.is_empty() {
        let _ = writeln!(
            out,
            "<p>If that is so, say it in <code>tarka.toml</code>:</p>\n<pre>{}</pre>",
            escape(&unit.tarka_toml)
        );
    }
}

fn list(
    out: &mut String,
    index: usize,
    unit: &Unit,
    faults: Vec<&Fault>,
    (title, meaning, style): (&str, &str, &str),
) {
    if faults.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h3>{title} ({})</h3>\n<p class=\"quiet\">{meaning}</p>", faults.len());
    faults.iter().for_each(|fault| article(out, index, unit, fault, style));
}

fn article(out: &mut String, index: usize, unit: &Unit, fault: &Fault, class: &str) {
    let _ = write!(out, "<article class=\"{class}\"{}><p>", anchor(index, fault.test.as_deref()));
    if let Some(need) = &fault.precondition {
        let _ = write!(out, "<strong>{} {}</strong>: ", escape(&unit.function), escape(&need.words));
    }
    let _ = write!(
        out,
        "<strong>{}</strong> at {}:{} in {}(): {}",
        escape(&fault.kind),
        escape(&fault.file),
        fault.line,
        escape(&fault.function),
        escape(&fault.message)
    );
    if let Some(new) = fault.new {
        let word = if new { "new" } else { "known" };
        let _ = write!(out, " <span class=\"tag {word}\">{word}</span>");
    }
    if let Some(doubt) = fault.doubt() {
        let _ = write!(out, " <span class=\"tag unknown\">{doubt}</span>");
    }
    out.push_str("</p>\n");
    if let Some(silenced) = &fault.silenced {
        let (reason, at) = (escape(&silenced.reason), escape(&silenced.at));
        let _ = writeln!(out, "<p>Silenced: {reason} <span class=\"quiet\">({at})</span></p>");
    }
    if !fault.why.is_empty() {
        let _ = writeln!(out, "<p class=\"quiet\">{}: {}</p>", escape(&fault.class), escape(&fault.why));
    }
    excerpt(out, fault);
    // One frame says no more than the first line.
    if fault.stack.len() > 1 {
        items(out, "Calls, the innermost first", "ol", fault.calls().into_iter());
    }
    let caller = |caller: &Caller| match &caller.needs {
        Some(needs) => format!("{}() ({}): {needs}", caller.unit, caller.class),
        None => format!("{}() ({})", caller.unit, caller.class),
    };
    items(out, "Also shown by", "ul", fault.callers.iter().map(caller));
    let steps = fault.history.iter().map(|step| {
        let sentence = step_sentence(&step.text, &step.outcome, step.times);
        format!("{}:{}: {sentence}", step.file, step.line)
    });
    items(out, "The way there", "ol", steps);
    let place = |related: &Related| format!("{} at {}:{}", related.what, related.file, related.line);
    items(out, "Places that belong to it", "ul", fault.related.iter().map(place));
    if let Some(path) = &fault.test {
        let _ = write!(out, "<p><a href=\"{0}\">{0}</a> ", escape(path));
        let _ = writeln!(out, "<span class=\"quiet\">{}</span></p>", escape(&fault.shown));
    } else if !fault.shown.is_empty() {
        let _ = writeln!(out, "<p class=\"quiet\">{}</p>", escape(&fault.shown));
    }
    if !fault.fingerprint.is_empty() {
        let _ = writeln!(out, "<p class=\"quiet\">fingerprint {}</p>", escape(&fault.fingerprint));
    }
    out.push_str("</article>\n");
}

fn excerpt(out: &mut String, fault: &Fault) {
    if fault.excerpt.is_empty() {
        return;
    }
    out.push_str("<pre>");
    for line in &fault.excerpt {
        let mark = if line.here { "▸" } else { " " };
        let _ = writeln!(out, "{mark}{:>5}  {}", line.line, escape(&line.text));
    }
    out.push_str("</pre>\n");
}

/// A titled list; nothing if it is empty.
fn items(out: &mut String, title: &str, list: &str, lines: impl Iterator<Item = String>) {
    let items: String = lines.map(|line| format!("<li>{}</li>\n", escape(&line))).collect();
    if !items.is_empty() {
        let _ = writeln!(out, "<p class=\"quiet\">{title}</p>\n<{list}>\n{items}</{list}>");
    }
}

/// The place that links to a fault file lead to.
fn anchor(index: usize, path: Option<&str>) -> String {
    let name = path.and_then(|path| path.rsplit('/').next()?.strip_suffix(".c"));
    name.map(|name| format!(" id=\"u{index}-{}\"", escape(name))).unwrap_or_default()
}
