//! What a failed check says about its run: the condition that did not hold, and what the program had looked at before.
//!
//! Takes a trace and how much of it lies before the fault; gives the condition as a term and the input bytes that
//! conditions of the source had depended on. Never: the tree, whose mistake it is.

use std::collections::BTreeSet;

use tarka_terms::{Term, Terms};
use tarka_trace::{Event, EventKind};

use crate::RunTrace;
use crate::import::Importer;

/// Longer paths are not looked at.
const LONGEST_PATH: usize = 20_000;

/// A check that failed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// True if the check passes.
    pub passes: Term,
    /// Input bytes that conditions and switches of the source depended on before it.
    pub looked_at: BTreeSet<u32>,
}

/// The last check among the first `before` events that failed, at a site if one is given; `None` if there is none, or it
/// cannot be told.
pub fn violation(terms: &mut Terms, trace: &RunTrace, before: usize, site: Option<u32>) -> Option<Violation> {
    let is_failed = |event: &&Event| {
        let is_check = [EventKind::Check as u16, EventKind::Undefined as u16].contains(&event.kind);
        is_check && event.outcome == 0 && event.label != 0 && site.is_none_or(|site| event.site == site)
    };
    let events = &trace.events[..before.min(trace.events.len())];
    let position = events.iter().rposition(|event| is_failed(&event))?;
    if position > LONGEST_PATH {
        return None;
    }
    let mut importer = Importer::new(terms, trace);
    let passes = importer.import(terms, events[position].label)?;
    let mut looked_at = BTreeSet::new();
    let is_branch =
        |event: &&Event| [EventKind::Condition as u16, EventKind::Switch as u16].contains(&event.kind);
    for event in events[..position].iter().filter(is_branch).filter(|event| event.label != 0) {
        let operand = importer.import(terms, event.label)?;
        looked_at.extend(terms.inputs(operand));
    }
    Some(Violation { passes, looked_at })
}
