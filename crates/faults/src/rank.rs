//! The order in which the faults of a unit are told.
//!
//! Takes a list of faults, gives it back in another order. Never: what a fault is.

use tarka_events::{Fault, FaultKind};

use crate::fault_list::FaultList;

/// Whether a kind mostly takes numbers near the ends of their type, which callers seldom give.
fn takes_extremes(kind: FaultKind) -> bool {
    use FaultKind::*;
    matches!(
        kind,
        SignedOverflow
            | DivisionOverflow
            | FloatConversion
            | PointerArithmetic
            | UnsignedOverflow
            | ImplicitConversion
    )
}

impl FaultList {
    /// Puts the faults first for which a caller had to do least wrong; of equal ones the first that was found. Gives the old
    /// number of each.
    pub fn rank(&mut self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.faults.len()).collect();
        order.sort_by_key(|&index| {
            let Fault { class, kind, .. } = self.faults[index];
            (class, takes_extremes(kind), self.unseen[index], index)
        });
        self.reorder(&order);
        order
    }
}
