//! What a failed check says about its run: the condition that did not hold, and what the program had looked at before.
//!
//! Takes a trace and how much of it lies before the fault; gives the condition as a term and the input bytes that
//! conditions of the source had depended on. Never: the tree, whose mistake it is.

use std::collections::BTreeSet;

use tarka_terms::{BinaryOp, Term, Terms};
use tarka_trace::{Event, EventKind, Label, Node, Op, node_index};

use crate::RunTrace;
use crate::import::Importer;

/// Longer paths are not looked at.
const LONGEST_PATH: usize = 20_000;

/// A check that failed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// True if the check passes.
    pub passes: Term,
    /// The signed arithmetic of 32 bits that must not overflow, if the check is just that.
    pub arithmetic: Option<Arithmetic>,
    /// Input bytes that conditions and switches of the source depended on before it.
    pub looked_at: BTreeSet<u32>,
}

/// A sum, difference or product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arithmetic {
    /// `+`, `-` or `*`.
    pub operator: char,
    /// Left and right.
    pub operands: [Term; 2],
}

/// The last check among the first `before` events that failed: with a site, one at that site after which the run went on;
/// `None` if there is none, or it cannot be told.
pub fn violation(terms: &mut Terms, trace: &RunTrace, before: usize, site: Option<u32>) -> Option<Violation> {
    let kind = if site.is_some() { EventKind::Undefined } else { EventKind::Check };
    let is_failed = |event: &&Event| {
        let is_there = event.kind == kind as u16 && site.is_none_or(|site| event.site == site);
        is_there && event.outcome == 0 && event.label != 0
    };
    let events = &trace.events[..before.min(trace.events.len())];
    // A call through a null pointer of the input: the pointer is told, and nothing comes after it.
    let calls_null = |event: &Event| {
        event.kind == EventKind::InternalSwitch as u16
            && (event.outcome, event.aux) == (0, 0)
            && event.label != 0
    };
    let last = events.len().checked_sub(1).filter(|&last| site.is_none() && calls_null(&events[last]));
    // A check that failed and ended the run all the same: nothing comes after it.
    let ended_by = |event: &Event| {
        event.kind == EventKind::Undefined as u16 && (event.outcome, site) == (0, None) && event.label != 0
    };
    let ends = events.len().checked_sub(1).filter(|&last| ended_by(&events[last]));
    let position = last.or(ends).or_else(|| events.iter().rposition(|event| is_failed(&event)))?;
    if position > LONGEST_PATH {
        return None;
    }
    let mut importer = Importer::new(terms, trace);
    let mut passes = importer.import(terms, events[position].label)?;
    if last.is_some() {
        let null = terms.constant(terms.width(passes), 0);
        let is_null = terms.binary(BinaryOp::Eq, passes, null);
        passes = terms.not(is_null);
    }
    let arithmetic = arithmetic(terms, &mut importer, trace, events[position].label);
    let mut looked_at = BTreeSet::new();
    let is_branch =
        |event: &&Event| [EventKind::Condition as u16, EventKind::Switch as u16].contains(&event.kind);
    for event in events[..position].iter().filter(is_branch).filter(|event| event.label != 0) {
        let operand = importer.import(terms, event.label)?;
        looked_at.extend(terms.inputs(operand));
    }
    Some(Violation { passes, arithmetic, looked_at })
}

/// The input bytes of the last condition or switch among the first `before` events that depends on any, those inside library
/// functions included: they decide how long a text is.
pub fn last_decision(terms: &mut Terms, trace: &RunTrace, before: usize) -> Vec<u32> {
    let events = &trace.events[..before.min(trace.events.len())];
    let is_branch = |event: &&Event| {
        let kinds = [EventKind::Condition, EventKind::Switch, EventKind::Internal];
        kinds.iter().any(|&kind| kind as u16 == event.kind)
    };
    let last = events.iter().rev().filter(is_branch).find(|event| event.label != 0);
    let operand = last.and_then(|event| Importer::new(terms, trace).import(terms, event.label));
    operand.map(|operand| terms.inputs(operand).to_vec()).unwrap_or_default()
}

/// The arithmetic whose overflow a label denies: `overflows ^ 1`.
fn arithmetic(
    terms: &mut Terms,
    importer: &mut Importer,
    trace: &RunTrace,
    label: Label,
) -> Option<Arithmetic> {
    let node = |label: Label| trace.nodes.get(node_index(label)? as usize);
    let not: &Node = node(label).filter(|node| Op::from_u8(node.op) == Some(Op::Xor))?;
    let overflow = [not.a, not.b].into_iter().filter_map(node).find_map(|node| {
        let operator = match Op::from_u8(node.op)? {
            Op::SAddO => '+',
            Op::SSubO => '-',
            Op::SMulO => '*',
            _ => return None,
        };
        Some((operator, [node.a, node.b]))
    });
    let (operator, [left, right]) = overflow?;
    let operands = [importer.import(terms, left)?, importer.import(terms, right)?];
    (terms.width(operands[0]) == 32).then_some(Arithmetic { operator, operands })
}
