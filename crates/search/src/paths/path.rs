//! The clauses of one run's path, whether or not the tree keeps it.
//!
//! Takes a trace; gives what an input must satisfy to go the same way at every decision that depends on the input, and
//! the checks that failed. Never: the tree, other runs.

use std::collections::HashSet;

use tarka_terms::{BinaryOp, Term, Terms};
use tarka_trace::{CHECK_OF_GUESS, EventKind, Node, Op, TraceEvent, node_label};

use crate::import::Importer;
use crate::paths::constraint::{constraint, outcome_of};
use crate::{RunTrace, SiteTable};

/// Every clause of a run's path once, in path order, with those of the checks beside it; `None` if part of the path cannot be told, or it has more than
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

/// The sums of 64 bits that a run computed from its input, whatever became of them; at most so many nodes are looked at.
pub fn sums(terms: &mut Terms, trace: &RunTrace, most: usize) -> Vec<Term> {
    let mut importer = Importer::new(terms, trace);
    let is_sum = |(_, node): &(u32, &Node)| node.op == Op::Add as u8 && node.width == 64;
    let nodes = (0..).zip(trace.nodes).take(most).filter(is_sum);
    nodes.filter_map(|(index, _)| importer.import(terms, node_label(index))).collect()
}

/// What an input must satisfy that goes a run's way and makes no check beside the path fail: what the run did already, and
/// what it did not. `None` if part of the path cannot be told, it has more than `most` clauses, or there is no failed check.
pub fn fault_free_clauses(
    terms: &mut Terms,
    sites: &SiteTable,
    trace: &RunTrace,
    most: usize,
) -> Option<(Vec<Term>, Term)> {
    let failed = |event: &&TraceEvent| is_failed_check(event) && event.label != 0;
    let failed: Vec<TraceEvent> = trace.events.iter().filter(failed).copied().collect();
    let others: Vec<TraceEvent> =
        trace.events.iter().filter(|event| !is_failed_check(event)).copied().collect();
    let kept = path_clauses(terms, sites, &RunTrace { events: &others, ..*trace }, most)?;
    let mut importer = Importer::new(terms, trace);
    let mut mended: Option<Term> = None;
    for event in failed {
        let passes = importer.import(terms, event.label).filter(|&passes| terms.width(passes) == 1)?;
        mended = Some(match mended {
            Some(others) => terms.binary(BinaryOp::And, others, passes),
            None => passes,
        });
    }
    Some((kept, mended?))
}

fn is_failed_check(event: &TraceEvent) -> bool {
    event.kind == EventKind::Undefined as u16 && event.outcome == 0
}

/// What each outcome of a source site requires of an input, for an event that records one of them; `None` if that cannot
/// be told.
pub fn outcome_clauses(
    terms: &mut Terms,
    sites: &SiteTable,
    trace: &RunTrace,
    event: &TraceEvent,
) -> Option<Vec<Term>> {
    let kind = EventKind::from_u16(event.kind)?;
    let operand = Importer::new(terms, trace).import(terms, event.label)?;
    let outcomes = 0..sites.outcomes(event.site).into();
    outcomes.map(|outcome| constraint(terms, sites, (kind, event.site), operand, outcome)).collect()
}

/// Sites of checks that failed on a size the program fixed.
pub fn failed_checks(events: &[TraceEvent]) -> Vec<u32> {
    failed_check_events(events).map(|event| event.site).collect()
}

/// The events of such checks.
pub(crate) fn failed_check_events(events: &[TraceEvent]) -> impl Iterator<Item = &TraceEvent> {
    let is_check = |event: &&TraceEvent| event.kind == EventKind::Check as u16 && event.outcome == 0;
    events.iter().filter(is_check).filter(|event| event.aux != CHECK_OF_GUESS)
}
