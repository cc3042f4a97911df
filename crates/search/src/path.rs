//! The clauses of one run's path, whether or not the tree keeps it.
//!
//! Takes a trace; gives what an input must satisfy to go the same way at every decision that depends on the input, and
//! the checks that failed. Never: the tree, other runs.

use std::collections::HashSet;

use tarka_terms::{Term, Terms};
use tarka_trace::{Event, EventKind};

use crate::constraint::{constraint, outcome_of};
use crate::import::Importer;
use crate::{RunTrace, SiteTable};

/// Every clause of a run's path once, in path order; `None` if part of the path cannot be told, or it has more than
/// `most` clauses.
pub fn path_clauses(
    terms: &mut Terms,
    sites: &SiteTable,
    trace: &RunTrace,
    most: usize,
) -> Option<Vec<Term>> {
    let mut importer = Importer::new(terms, trace);
    let mut known = HashSet::new();
    let mut clauses = Vec::new();
    for event in trace.events.iter().filter(|event| event.label != 0) {
        let kind = EventKind::from_u16(event.kind)?;
        let operand = importer.import(terms, event.label)?;
        let clause = constraint(terms, sites, (kind, event.site), operand, outcome_of(event, kind))?;
        if terms.as_constant(clause).is_none() && known.insert(clause) {
            if clauses.len() >= most {
                return None;
            }
            clauses.push(clause);
        }
    }
    Some(clauses)
}

/// What each outcome of a source site requires of an input, for an event that records one of them; `None` if that cannot
/// be told.
pub fn outcome_clauses(
    terms: &mut Terms,
    sites: &SiteTable,
    trace: &RunTrace,
    event: &Event,
) -> Option<Vec<Term>> {
    let kind = EventKind::from_u16(event.kind)?;
    let operand = Importer::new(terms, trace).import(terms, event.label)?;
    let outcomes = 0..sites.outcomes(event.site).into();
    outcomes.map(|outcome| constraint(terms, sites, (kind, event.site), operand, outcome)).collect()
}

/// Sites of checks that failed on a size the program fixed.
pub fn failed_checks(events: &[Event]) -> Vec<u32> {
    let failed =
        |event: &&Event| event.kind == EventKind::Check as u16 && event.outcome == 0 && event.aux == 0;
    events.iter().filter(failed).map(|event| event.site).collect()
}
