//! What a failed check says about its run: the condition that did not hold, and what the program had looked at before.
//!
//! Takes a trace and how much of it lies before the fault; gives the condition as a term and the input bytes that each
//! decision had depended on. Never: the tree, what class of fault it is.

use std::collections::HashSet;

use tarka_terms::{BinaryOp, Node, Term, Terms, UnaryOp};
use tarka_trace::{EventKind, Label, Op, TraceEvent, node_index};

use crate::RunTrace;
use crate::import::Importer;

/// Longer paths are not looked at.
const LONGEST_PATH: usize = 20_000;

/// Most looks told apart.
const MOST_LOOKS: usize = 200;

/// A check that failed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// True if the check passes.
    pub passes: Term,
    /// The signed arithmetic of 32 bits that must not overflow, if the check is just that.
    pub arithmetic: Option<Arithmetic>,
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
    let is_failed = |event: &&TraceEvent| {
        let is_there = event.kind == kind as u16 && site.is_none_or(|site| event.site == site);
        is_there && event.outcome == 0 && event.label != 0
    };
    let events = &trace.events[..before.min(trace.events.len())];
    // A call through a null pointer of the input: the pointer is told, and nothing comes after it.
    let calls_null = |event: &TraceEvent| {
        event.kind == EventKind::InternalSwitch as u16
            && (event.outcome, event.aux) == (0, 0)
            && event.label != 0
    };
    let last = events.len().checked_sub(1).filter(|&last| site.is_none() && calls_null(&events[last]));
    // A check that failed and ended the run all the same: nothing comes after it.
    let ended_by = |event: &TraceEvent| {
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
    Some(Violation { passes, arithmetic })
}

/// A decision that depended on the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputDecision {
    /// Its site.
    pub site: u32,
    /// The input bytes.
    pub bytes: Vec<u32>,
    /// A condition or switch of the source, not a branch of a library model.
    pub is_source: bool,
    /// It asks which of two numbers is greater.
    pub is_order: bool,
    /// It asks whether two values are the same, or for certain values, and was told that it is none of them; of a switch, perhaps
    /// that it is one.
    pub equality: Option<Equality>,
    /// Which way it went.
    pub outcome: u16,
}

/// What certain values a decision asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Equality {
    /// Only 0, which stands for the smallest and for none.
    Zero,
    /// Others.
    Other,
}

/// The decisions among the first `before` events that depend on the input, each kind of look once, in the order in which
/// they were last made.
pub fn input_decisions(terms: &mut Terms, trace: &RunTrace, before: usize) -> Vec<InputDecision> {
    let events = &trace.events[..before.min(trace.events.len())];
    let mut importer = Importer::new(terms, trace);
    let mut looks: Vec<InputDecision> = Vec::new();
    let mut seen: HashSet<(u32, Label)> = HashSet::new();
    // A loop that never ends may have forgotten long ago what it depends on: its beginning counts, too.
    let begins = events.len().saturating_sub(LONGEST_PATH).min(LONGEST_PATH);
    let watched = events.iter().rev().take(LONGEST_PATH).chain(events[..begins].iter().rev());
    for event in watched.filter(|event| event.label != 0) {
        let (is_source, is_switch) = match EventKind::from_u16(event.kind) {
            Some(EventKind::Condition) => (true, false),
            Some(EventKind::Switch) => (true, true),
            Some(EventKind::Internal) => (false, false),
            Some(EventKind::InternalSwitch) => (false, true),
            _ => continue,
        };
        if !seen.insert((event.site, event.label)) {
            continue;
        }
        let Some(operand) = importer.import(terms, event.label) else { continue };
        // `p != p + 1` depends on nothing.
        if terms.inputs(operand).is_empty() {
            continue;
        }
        let look = InputDecision {
            site: event.site,
            bytes: terms.inputs(operand).to_vec(),
            is_source,
            is_order: is_order(terms, operand),
            equality: match is_switch {
                true => Some(Equality::Other),
                false => {
                    let asked = equality(terms, operand);
                    let held = Some(event.outcome == 1);
                    asked.filter(|(_, truth)| *truth != held).map(|(equality, _)| equality)
                }
            },
            outcome: event.outcome,
        };
        if !looks.contains(&look) {
            looks.push(look);
        }
        if looks.len() >= MOST_LOOKS {
            break;
        }
    }
    looks.reverse();
    looks
}

fn is_order(terms: &Terms, operand: Term) -> bool {
    match *terms.node(operand) {
        Node::Binary(BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle, ..) => true,
        // A negation.
        Node::Binary(BinaryOp::Xor, left, right) => is_order(terms, left) || is_order(terms, right),
        Node::Unary(_, inner) => is_order(terms, inner),
        _ => false,
    }
}

/// What an equality asks for, and the truth value that says that it is this constant.
fn equality(terms: &Terms, operand: Term) -> Option<(Equality, Option<bool>)> {
    let constant = |side| match *terms.node(side) {
        Node::Const(0) => Some((Equality::Zero, Some(true))),
        Node::Const(_) => Some((Equality::Other, Some(true))),
        _ => None,
    };
    let negated = |(equality, truth): (Equality, Option<bool>)| (equality, truth.map(|truth: bool| !truth));
    match *terms.node(operand) {
        Node::Binary(BinaryOp::Eq, left, right) => {
            constant(left).or_else(|| constant(right)).or(Some((Equality::Other, None)))
        }
        Node::Binary(BinaryOp::Xor, left, right) => {
            equality(terms, left).or_else(|| equality(terms, right)).map(negated)
        }
        // Byte by byte.
        Node::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            let ((left, truth), (right, _)) = (equality(terms, left)?, equality(terms, right)?);
            Some((left.max(right), truth))
        }
        Node::Unary(UnaryOp::Not, inner) => equality(terms, inner).map(negated),
        Node::ZExt(inner) => equality(terms, inner),
        _ => None,
    }
}

/// The arithmetic whose overflow a label denies: `overflows ^ 1`.
fn arithmetic(
    terms: &mut Terms,
    importer: &mut Importer,
    trace: &RunTrace,
    label: Label,
) -> Option<Arithmetic> {
    let node = |label: Label| trace.nodes.get(node_index(label)? as usize);
    let not: &tarka_trace::Node = node(label).filter(|node| Op::from_u8(node.op) == Some(Op::Xor))?;
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
