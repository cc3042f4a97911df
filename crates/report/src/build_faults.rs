//! The faults of a unit as the report has them: the most serious first, each with excerpt, way there, callers and what it
//! needs of them. One that another unit tells is left out; what was not seen on the plain program is a limit at most.

use tarka_events::{FaultClass, Need};

use crate::build::ReportedUnit;
use crate::fault::*;
use crate::sources::Sources;
use crate::tarka_toml;

/// The faults of a unit. Rank, fingerprint and what is new are known only when all units are there.
pub(crate) fn faults(unit: &ReportedUnit, sources: &Sources) -> Vec<Fault> {
    let written = unit.suite.faults.iter().map(Some).chain(std::iter::repeat(None));
    let pairs = unit.result.faults.iter().zip(written).filter(|(fault, _)| fault.reported_by.is_none());
    let built = |(fault, written): (&tarka_events::Fault, Option<&tarka_events::WrittenFault>)| Fault {
        kind: fault.kind.name().to_string(),
        file: fault.place.file.clone(),
        line: fault.place.line,
        column: fault.place.column,
        function: fault.function.clone(),
        message: fault.message.clone(),
        class: class(fault, written).name().to_string(),
        why: why(fault, written),
        precondition: precondition(&unit.result.function, fault.need.as_ref()),
        reached: fault.reached.map(|reached| reached.name().to_string()),
        callers: fault.callers.iter().map(caller).collect(),
        silenced: None,
        rank: 0,
        fingerprint: String::new(),
        new: None,
        run: fault.run,
        test: written.and_then(|written| written.path.clone()),
        confirmed: written.is_some_and(|written| written.confirmed),
        shown: written.map(|written| written.shown.clone()).unwrap_or_default(),
        sanitizer: written.is_some_and(|written| written.sanitizer),
        excerpt: sources.excerpt(&fault.place.file, fault.place.line),
        stack: fault.stack.iter().map(frame).collect(),
        history: fault.history.iter().map(step).collect(),
        related: fault.related.iter().map(related).collect(),
    };
    let mut faults: Vec<Fault> = pairs.map(built).collect();
    // Stable: within a class the campaign's order stays.
    faults.sort_by_key(Fault::class);
    faults
}

/// Whether nobody has seen on the plain program what is called a fault of it.
fn is_unseen(fault: &tarka_events::Fault, written: Option<&tarka_events::WrittenFault>) -> bool {
    fault.class < FaultClass::Contract && !written.is_some_and(|written| written.confirmed)
}

fn class(fault: &tarka_events::Fault, written: Option<&tarka_events::WrittenFault>) -> FaultClass {
    if is_unseen(fault, written) { FaultClass::Limit } else { fault.class }
}

fn why(fault: &tarka_events::Fault, written: Option<&tarka_events::WrittenFault>) -> String {
    match is_unseen(fault, written) {
        true => format!("not seen on the plain program, else {}: {}", fault.class.name(), fault.why),
        false => fault.why.clone(),
    }
}

fn caller(caller: &tarka_events::Caller) -> Caller {
    Caller {
        unit: caller.unit.clone(),
        class: caller.class.name().to_string(),
        needs: caller.need.as_ref().map(|need| need.words.clone()),
    }
}

/// What the contracts of a unit need, each once, in their order; also of those that another unit tells.
pub(crate) fn preconditions(unit: &ReportedUnit) -> Vec<Precondition> {
    let contracts = unit.result.faults.iter().filter(|fault| fault.class == FaultClass::Contract);
    let all: Vec<Precondition> =
        contracts.filter_map(|fault| precondition(&unit.result.function, fault.need.as_ref())).collect();
    let mut needs: Vec<Precondition> = Vec::new();
    for need in &all {
        let same = |known: &Precondition| match &need.expression {
            Some(_) => known.expression == need.expression,
            None => known.words == need.words,
        };
        if !needs.iter().any(same) {
            needs.push(need.clone());
        }
    }
    needs
}

fn precondition(function: &str, need: Option<&Need>) -> Option<Precondition> {
    let need = need?;
    Some(Precondition {
        words: need.words.clone(),
        expression: need.expression.clone(),
        toml: need
            .expression
            .as_deref()
            .map(|expression| tarka_toml::lines(function, [expression].into_iter())),
    })
}

fn frame((function, place): &(String, tarka_source::Place)) -> Frame {
    Frame { function: function.clone(), file: place.file.clone(), line: place.line }
}

fn step(step: &tarka_events::FaultStep) -> FaultStep {
    FaultStep {
        file: step.place.file.clone(),
        line: step.place.line,
        column: step.place.column,
        text: step.text.clone(),
        outcome: step.outcome.clone(),
        times: step.times,
    }
}

fn related((what, place): &(String, tarka_source::Place)) -> Related {
    Related { what: what.clone(), file: place.file.clone(), line: place.line }
}
