//! The faults of a report in a few lines each: bugs and unchecked input by rank, then what functions need of their callers,
//! how many were limits or silenced, and what is gone.
//!
//! Takes the report, gives text for the terminal. How each fault is reached is on the page and in its file, and here only
//! on request.

use std::path::Path;

use tarka_events::{FaultClass, FaultKind};
use tarka_report::{Fault, Report, Unit};
use tarka_suite::step_sentence;

/// Most calls told; the page has all.
const CALLS_TOLD: usize = 6;
/// Most decisions told with `-v`; of longer ways the last ones.
const STEPS_TOLD: usize = 6;

/// All of it; each line begins with a line feed.
pub fn fault_lines(report: &Report, out: &Path, verbose: bool) -> String {
    let mut faults: Vec<(&Unit, &Fault)> =
        report.units.iter().flat_map(|unit| unit.faults.iter().map(move |fault| (unit, fault))).collect();
    faults.sort_by_key(|(_, fault)| fault.rank);
    let (told, untold): (Vec<_>, Vec<_>) = faults.into_iter().partition(|(_, fault)| fault.counts());
    let (outside, told): (Vec<_>, Vec<_>) = told.into_iter().partition(|(_, fault)| is_outside(fault));
    let (contracts, told): (Vec<_>, Vec<_>) =
        told.into_iter().partition(|(_, fault)| fault.class() == FaultClass::Contract);
    let mut text = String::new();
    for (_, fault) in told {
        text += &one(fault, out, verbose);
    }
    if !contracts.is_empty() {
        text += "\ncontracts: no fault as long as callers and the module's own data keep to them";
        // The same need may show at several places: it is one need.
        let is_same = |one: &(&Unit, &Fault), other: &(&Unit, &Fault)| {
            let words = |fault: &Fault| fault.precondition.as_ref().map(|need| need.words.clone());
            one.0.function == other.0.function && words(one.1) == words(other.1) && one.1.new == other.1.new
        };
        for (index, told) in contracts.iter().enumerate() {
            if contracts[..index].iter().any(|earlier| is_same(earlier, told)) {
                continue;
            }
            let places = contracts[index..].iter().filter(|later| is_same(told, later)).count();
            text += &contract(told.0, told.1, out);
            if places > 1 {
                text += &format!(" at {places} places");
            }
        }
    }
    if !outside.is_empty() {
        text += "\noutside: what functions reach for beyond their tests; it was refused, and no test does it";
        for (unit, fault) in &outside {
            let (file, line) = (&fault.file, fault.line);
            text += &format!("\n  {} {} ({file}:{line}){}", unit.function, fault.message, mark(fault));
        }
    }
    let toml: String = report.units.iter().map(|unit| unit.tarka_toml.as_str()).collect();
    if !toml.is_empty() {
        text += "\nif so, say it in tarka.toml:";
        toml.lines().for_each(|line| text += &format!("\n  {line}"));
    }
    let silenced = untold.iter().filter(|(_, fault)| fault.silenced.is_some()).count();
    for (count, what) in [
        (untold.len() - silenced, "met limits of the search, not the program's: see the page"),
        (silenced, "silenced with a reason"),
    ] {
        match count {
            0 => {}
            1 => text += &format!("\n1 fault {what}"),
            _ => text += &format!("\n{count} faults {what}"),
        }
    }
    text + &since_baseline(report)
}

/// It is about what lies outside the tests.
fn is_outside(fault: &Fault) -> bool {
    fault.kind == FaultKind::OutsideEffect.name()
}

fn one(fault: &Fault, out: &Path, verbose: bool) -> String {
    let mut text = format!(
        "\n{}: {} at {}:{} in {}(){}: {}",
        if fault.class() == FaultClass::Unchecked { "unchecked input" } else { "bug" },
        fault.kind,
        fault.file,
        fault.line,
        fault.function,
        mark(fault),
        fault.message
    );
    if !fault.why.is_empty() {
        text += &format!("\n       {}", fault.why);
    }
    let others = fault.callers.iter().filter(|caller| caller.unit != fault.function);
    let names: Vec<String> = others.map(|caller| format!("{}()", caller.unit)).collect();
    if !names.is_empty() {
        let more = if names.len() > CALLS_TOLD { ", …" } else { "" };
        text += &format!("\n       also from {}{more}", names[..names.len().min(CALLS_TOLD)].join(", "));
    }
    // One frame says no more than the place.
    if fault.stack.len() > 1 {
        let calls = fault.calls();
        let more = if calls.len() > CALLS_TOLD { ", …" } else { "" };
        let told = &calls[..calls.len().min(CALLS_TOLD)];
        text += &format!("\n       calls: {}{more}", told.join(", from "));
    }
    if verbose {
        text += &way(fault);
    }
    text + &file(fault, out, "\n       ", "")
}

fn contract(unit: &Unit, fault: &Fault, out: &Path) -> String {
    let need = match &fault.precondition {
        Some(need) => need.words.clone(),
        None => format!("relies on its callers: {} at {}:{}", fault.kind, fault.file, fault.line),
    };
    let doubt = match fault.reached.as_deref() {
        Some("unknown") => " (whether its callers do is not known)".to_string(),
        _ => fault.doubt().map(|doubt| format!(" ({doubt})")).unwrap_or_default(),
    };
    format!("\n  {} {need}{doubt}{}{}", unit.function, mark(fault), file(fault, out, "  (", ")"))
}

fn mark(fault: &Fault) -> &'static str {
    match fault.new {
        Some(true) => " [new]",
        Some(false) => " [known]",
        None => "",
    }
}

fn file(fault: &Fault, out: &Path, before: &str, after: &str) -> String {
    fault.test.as_ref().map(|path| format!("{before}{}{after}", out.join(path).display())).unwrap_or_default()
}

/// The decisions nearest to the fault, and the places that belong to it.
fn way(fault: &Fault) -> String {
    let mut text = String::new();
    for step in fault.history.iter().skip(fault.history.len().saturating_sub(STEPS_TOLD)) {
        let sentence = step_sentence(&step.text, &step.outcome, step.times);
        text += &format!("\n       since {sentence} ({}:{})", step.file, step.line);
    }
    for related in &fault.related {
        text += &format!("\n       {} at {}:{}", related.what, related.file, related.line);
    }
    text
}

fn since_baseline(report: &Report) -> String {
    let Some(compared) = &report.baseline else { return String::new() };
    let mut text = format!(
        "\nsince {}: {} new, {} known, {} gone",
        compared.file,
        compared.new,
        compared.known,
        compared.absent.len()
    );
    if compared.not_looked_for > 0 {
        text += &format!(", {} not looked for in this run", compared.not_looked_for);
    }
    for change in &compared.changed {
        text += &format!(
            "\n  {} at {}:{} was {}, is {}: {}",
            change.kind, change.file, change.line, change.from, change.to, change.why
        );
    }
    for fault in &compared.absent {
        text += &format!(
            "\n  gone: {} in {}() of {} (then on line {})",
            fault.kind, fault.function, fault.file, fault.line
        );
    }
    text
}
