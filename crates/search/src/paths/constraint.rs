//! What an outcome of a path node says about the input, as a one-bit term.
//!
//! Takes an operand and an outcome; gives the term that holds on inputs which go there. Never: the path before it.

use tarka_terms::{BinaryOp, Term, Terms};
use tarka_trace::{EventKind, TraceEvent};

use crate::SiteTable;

/// Which way a path node went: 0 or 1, an arm, or the operand's value for a switch without a source switch.
pub type Outcome = u64;

/// The target of a candidate at an internal switch: any value that no run has taken yet.
pub const OTHER_VALUE: Outcome = u64::MAX;

/// Bits of an internal switch's operand that an event records.
const RECORDED_BITS: u16 = 48;

/// The outcome an event records.
pub fn outcome_of(event: &TraceEvent, kind: EventKind) -> Outcome {
    match kind {
        EventKind::InternalSwitch => (event.outcome as u64) << 32 | event.aux as u64,
        _ => event.outcome as u64,
    }
}

/// The constraint under which a node with this operand goes `outcome`'s way; `None` if the site has no such outcome.
pub(crate) fn constraint(
    terms: &mut Terms,
    sites: &SiteTable,
    (kind, site): (EventKind, u32),
    operand: Term,
    outcome: Outcome,
) -> Option<Term> {
    match kind {
        EventKind::Condition | EventKind::Internal | EventKind::Check | EventKind::Undefined => {
            let holds = truth(terms, operand);
            Some(if outcome != 0 { holds } else { terms.not(holds) })
        }
        EventKind::Switch => sites.arm_constraint(terms, operand, site, outcome as u32),
        EventKind::InternalSwitch => Some(equals_recorded(terms, operand, outcome)),
    }
}

/// The constraint of a candidate for [`OTHER_VALUE`].
pub(crate) fn none_of(terms: &mut Terms, operand: Term, values: impl Iterator<Item = Outcome>) -> Term {
    let mut all = terms.constant(1, 1);
    for value in values {
        let equal = equals_recorded(terms, operand, value);
        let different = terms.not(equal);
        all = terms.binary(BinaryOp::And, all, different);
    }
    all
}

/// A condition's label may be an `int` that is 0 or 1.
fn truth(terms: &mut Terms, operand: Term) -> Term {
    let width = terms.width(operand);
    if width == 1 {
        return operand;
    }
    let zero = terms.constant(width, 0);
    let is_zero = terms.binary(BinaryOp::Eq, operand, zero);
    terms.not(is_zero)
}

fn equals_recorded(terms: &mut Terms, operand: Term, value: Outcome) -> Term {
    let width = terms.width(operand).min(RECORDED_BITS);
    let low = if terms.width(operand) > width { terms.extract(operand, 0, width) } else { operand };
    let value = terms.constant(width, value as u128 & ((1 << width) - 1));
    terms.binary(BinaryOp::Eq, low, value)
}
