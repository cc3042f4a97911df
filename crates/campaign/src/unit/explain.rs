//! What is told about a fault beyond its kind and place: the way there, and whose mistake it is.
//!
//! Takes the run that showed it first, while its trace is at hand. Questions to the solver asked here are few and short,
//! and about one value each.

use std::time::Duration;

use tarka_events::{Blame, Fault, FaultKind, RunEnd};
use tarka_search::{RunTrace, violation};
use tarka_solver::{Answer, Query, Solver};
use tarka_source::SourceModel;
use tarka_terms::{Term, Terms};

use super::{Job, UnitLoop};
use crate::blame::Case;
use crate::faults::{FaultBook, Moment};
use crate::history::steps;
use crate::shape::{DomainWidth, InputBytes, Shape};

/// How long a proof about a precondition may take.
const PROOF_LIMIT: Duration = Duration::from_millis(200);

/// What it takes to explain a fault.
pub(super) struct Explaining<'e, 'a> {
    pub job: Job<'a>,
    pub shape: &'e Shape<'a>,
    pub terms: &'e mut Terms,
    pub solver: &'e mut (dyn Solver + Send),
    pub trace: &'e RunTrace<'e>,
    pub input: &'e InputBytes,
}

impl Explaining<'_, '_> {
    /// Completes the faults from this number on, which the run has just shown.
    pub(super) fn explain(&mut self, book: &mut FaultBook, first: usize) {
        for index in first..book.faults.len() {
            book.unseen[index] = self.explain_one(&mut book.faults[index], book.moments[index]);
        }
    }

    /// Fills in the way to a fault and its blame; gives how many values that nobody looked at it takes.
    fn explain_one(&mut self, fault: &mut Fault, moment: Moment) -> u32 {
        let model = self.job.model;
        let before = moment.events.min(self.trace.events.len());
        fault.history = steps(model, &self.trace.events[..before]);
        let Some(violation) = violation(self.terms, self.trace, before, moment.site) else { return 0 };
        let (shape, solver, input) = (self.shape, &mut *self.solver, self.input);
        let case = Case {
            model,
            function: model.function(self.job.function()),
            stubs: &self.job.build.stubs,
            kind: fault.kind,
            violation: &violation,
            input: &fault.input,
            bytes: input,
            null: if knows_null(model) { "NULL" } else { "0" },
        };
        let never = |terms: &mut Terms, term: Term| {
            if let Some(value) = terms.as_constant(term) {
                return value == 0;
            }
            let domain = |terms: &mut Terms, byte: u32| shape.domain(terms, byte, input, DomainWidth::Wide);
            let query = Query {
                prefix: &[],
                flipped: term,
                domain: &domain,
                current: input,
                time_limit: PROOF_LIMIT,
                leap: false,
            };
            solver.solve(terms, &query) == Answer::Unsat
        };
        let (blame, unseen) = case.blame(self.terms, never);
        fault.blame = blame;
        unseen
    }
}

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

/// Whether the file uses the name `NULL`, so that a precondition may.
fn knows_null(model: &SourceModel) -> bool {
    std::fs::read_to_string(&model.file).is_ok_and(|text| text.contains("NULL"))
}

impl UnitLoop<'_> {
    /// Puts the faults first for which a caller had to do least wrong; of equal ones the first that was found.
    pub(super) fn rank_faults(&mut self) {
        let faults = &self.faults.faults;
        let mut order: Vec<usize> = (0..faults.len()).collect();
        order.sort_by_key(|&index| {
            let is_contract = matches!(faults[index].blame, Blame::Caller(_));
            (is_contract, takes_extremes(faults[index].kind), self.faults.unseen[index], index)
        });
        self.faults.reorder(&order);
        for kept in &mut self.keeper.kept {
            if let RunEnd::Fault(index) = &mut kept.end {
                let position = order.iter().position(|&old| old == *index as usize);
                *index = position.unwrap_or(0) as u32;
            }
        }
    }
}
