//! The faults of all functions: bugs first, then what a function needs of callers, each with excerpt, calls, way there and file.
//!
//! Takes the report, gives markup. Never: ranking.

use maud::{Markup, html};
use tarka_events::FaultClass;
use tarka_suite::step_sentence;

use super::names::{Names, fault_file};
use crate::fault::{Caller, Fault};
use crate::json::{Report, Unit};

/// A longer way has lost its middle: this many steps are kept of it.
const STEPS_KEPT: usize = 40;

/// How the faults compare with those of the baseline.
pub(super) fn compared(report: &Report) -> Markup {
    let Some(compared) = &report.baseline else { return html! {} };
    html! {
        section #baseline {
            h2 { "Since the baseline" }
            p {
                (compared.new) " new, " (compared.known) " known, " (compared.absent.len()) " gone "
                span.quiet { "(" (compared.file) ")" }
            }
            @if !compared.absent.is_empty() {
                ul { @for fault in &compared.absent {
                    li { "gone: " (fault.kind) " in " (fault.function) "() of " (fault.file) " " span.quiet { "(then on line " (fault.line) ")" } }
                } }
            }
            @for change in &compared.changed {
                p { (change.kind) " at " (change.file) ":" (change.line) " was " (change.from) ", is " (change.to) ": " (change.why) }
            }
            @if compared.not_looked_for > 0 {
                p.quiet { (compared.not_looked_for) " of the baseline were not looked for in this run." }
            }
        }
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

/// A fault and the function that tells it, by index.
type Told<'a> = (usize, &'a Unit, &'a Fault);

/// A list for each class, and one of what was silenced.
pub(super) fn faults(report: &Report, names: &Names) -> Markup {
    let mut all: Vec<Told> = Vec::new();
    for (index, unit) in report.units.iter().enumerate() {
        all.extend(unit.faults.iter().map(|fault| (index, unit, fault)));
    }
    all.sort_by_key(|(_, _, fault)| fault.rank);
    let (silenced, told): (Vec<Told>, Vec<Told>) =
        all.into_iter().partition(|(_, _, fault)| fault.silenced.is_some());
    let settings: String = report.units.iter().map(|unit| unit.tarka_toml.as_str()).collect();
    html! {
        section #faults {
            h2 { "Faults" }
            @if told.is_empty() && silenced.is_empty() { p.quiet { "None were found. That is no proof that there are none." } }
            @for class in FaultClass::ALL {
                @let of_class = told.iter().filter(|(_, _, fault)| fault.class() == class).copied().collect::<Vec<_>>();
                (list(names, &of_class, title(class), class.name()))
            }
            (list(names, &silenced, ("Silenced", "Judged before, with a reason."), "limit"))
            @if !settings.is_empty() {
                p { "If callers do keep to the contracts, say it in " code { "tarka.toml" } ":" }
                pre { (settings) }
            }
        }
    }
}

fn list(names: &Names, faults: &[Told], (title, meaning): (&str, &str), class: &str) -> Markup {
    html! {
        @if !faults.is_empty() {
            h3 { (title) " (" (faults.len()) ")" }
            p.quiet { (meaning) }
            @for (position, told) in faults.iter().enumerate() {
                // What is most serious is read without a click.
                (article(names, *told, class, class == "bug" && position < 3))
            }
        }
    }
}

fn article(names: &Names, (index, unit, fault): Told, class: &str, open: bool) -> Markup {
    html! {
        details.finding.(class) id=(names.fault(fault)) data-function=(names.slug(index)) open[open] {
            summary {
                span.tag.(fault.class) { (fault.class) } " "
                @if let Some(need) = &fault.precondition { strong { (unit.function) " " (need.words) } ": " }
                strong { (fault.kind) } " at " (fault.file) ":" (fault.line) " in " (fault.function) "(): " (fault.message)
                @if let Some(new) = fault.new {
                    @let word = if new { "new" } else { "known" };
                    " " span.tag.(word) { (word) }
                }
                @if let Some(doubt) = fault.doubt() { " " span.tag.unknown { (doubt) } }
            }
            div.story { (story(names, (index, unit, fault))) }
        }
    }
}

/// What explains a fault.
fn story(names: &Names, (index, unit, fault): Told) -> Markup {
    html! {
        @if let Some(silenced) = &fault.silenced {
            p { "Silenced: " (silenced.reason) " " span.quiet { "(" (silenced.at) ")" } }
        }
        @if !fault.why.is_empty() { p.quiet { (fault.class) ": " (fault.why) } }
        (excerpt(fault))
        (way(fault))
        // One frame says no more than the first line.
        @if fault.stack.len() > 1 {
            h4 { "Calls, the innermost first" }
            ol { @for call in fault.calls() { li { (call) } } }
        }
        @if !fault.callers.is_empty() {
            h4 { "Also shown by" }
            ul { @for caller in &fault.callers { li { (words_of(caller)) } } }
        }
        @if !fault.related.is_empty() {
            h4 { "Places that belong to it" }
            ul { @for related in &fault.related { li { (related.what) " at " (related.file) ":" (related.line) } } }
        }
        @if let Some(path) = &fault.test {
            p id=[fault_file(fault).map(|name| names.test(index, name))] {
                "Program that shows it: " a href=(path) { (path) } " " span.quiet { (fault.shown) }
            }
        } @else if !fault.shown.is_empty() {
            p.quiet { (fault.shown) }
        }
        p.quiet {
            "Found while testing " a href={ "#" (names.function(index)) } { (unit.function) } ", in run " (fault.run)
            @if !fault.fingerprint.is_empty() { " · " a href={ "#" (names.fault(fault)) } { "link" } " · fingerprint " code { (fault.fingerprint) } }
        }
    }
}

/// The decisions that lead there.
fn way(fault: &Fault) -> Markup {
    html! {
        @if !fault.history.is_empty() {
            h4 { "The way there" }
            @if fault.history.len() >= STEPS_KEPT { p.quiet { "Of a long way, the first and the last steps." } }
            ol.way { @for step in &fault.history {
                li { span.quiet { (step.file) ":" (step.line) ": " } (step_sentence(&step.text, &step.outcome, step.times)) }
            } }
        }
    }
}

fn words_of(caller: &Caller) -> String {
    match &caller.needs {
        Some(needs) => format!("{}() ({}): {needs}", caller.unit, caller.class),
        None => format!("{}() ({})", caller.unit, caller.class),
    }
}

/// The lines around the place, and a mark below it.
fn excerpt(fault: &Fault) -> Markup {
    html! {
        @if !fault.excerpt.is_empty() {
            pre.excerpt {
                @for line in &fault.excerpt {
                    @let mark = if line.here { "▸" } else { " " };
                    span.here[line.here] { (mark) (format!("{:>5}  ", line.line)) (line.text) }
                    @if line.here { span.under { (under(&line.text, fault.column)) } }
                }
            }
        }
    }
}

/// A mark below a line at a column, or below all of it where only the line is known: then the column is 1.
fn under(text: &str, column: u32) -> String {
    let indent = text.len() - text.trim_start().len();
    let (start, length) = match (column as usize).saturating_sub(1) {
        0 => (indent, text.trim().chars().count()),
        start => (start, 1),
    };
    let before = text.get(..start).unwrap_or_default();
    let blank = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' });
    " ".repeat(8) + &blank.collect::<String>() + &"^".repeat(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_below_the_place_or_the_line() {
        assert_eq!(under("\tx = *p;", 6), "        \t    ^");
        assert_eq!(under("  x = *p;", 1), "          ^^^^^^^");
        assert_eq!(under("x", 99), "        ^");
    }
}
