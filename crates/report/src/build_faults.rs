//! The faults of a unit as the report has them: bugs first, each with excerpt, way there and what it needs of callers.

use tarka_events::Need;

use crate::build::ReportedUnit;
use crate::fault::*;
use crate::sources::Sources;
use crate::tarka_toml;

/// The faults of a unit. Rank, fingerprint and what is new are known only when all units are there.
pub(crate) fn faults(unit: &ReportedUnit, sources: &Sources) -> Vec<Fault> {
    let written = unit.suite.faults.iter().map(Some).chain(std::iter::repeat(None));
    let pairs = unit.result.faults.iter().zip(written);
    let built = |(fault, written): (&tarka_events::Fault, Option<&tarka_suite::WrittenFault>)| Fault {
        kind: fault.kind.name().to_string(),
        file: fault.place.file.clone(),
        line: fault.place.line,
        column: fault.place.column,
        function: fault.function.clone(),
        message: fault.message.clone(),
        class: fault.class.name().to_string(),
        precondition: precondition(&unit.result.function, fault.need.as_ref()),
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
    // Stable: within both classes the campaign's order stays.
    faults.sort_by_key(|fault| !fault.is_bug());
    faults
}

/// What the contracts among these faults need, each once, in their order.
pub(crate) fn preconditions(faults: &[Fault]) -> Vec<Precondition> {
    let mut needs: Vec<Precondition> = Vec::new();
    for need in faults.iter().filter_map(|fault| fault.precondition.as_ref()) {
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

fn step(step: &tarka_events::Step) -> Step {
    Step {
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
