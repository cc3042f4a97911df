//! How far each decision is evaluated at each step of a run's path.
//!
//! Takes the events of a run in order; gives, for a condition about to be decided, the conditions decided before it in
//! the same evaluation. Concrete conditions count as far as they are logged, which is only so often: where the end of one
//! evaluation and the beginning of the next may both be missing from the log, what is given is not certain. A decision that
//! is evaluated again within its own evaluation (recursion) is told apart only roughly.

use tarka_source::{DecisionId, EvaluationStep};
use tarka_trace::{CONCRETE_EVENTS, EventKind, TraceEvent};

use crate::SiteTable;
use crate::goals::vector::Vector;
use crate::paths::tree::NodeId;

/// A condition of a followed decision, as a tree node meets it.
#[derive(Clone, Debug)]
pub(crate) struct Evaluating {
    pub(crate) decision: DecisionId,
    pub(crate) position: u32,
    /// The conditions decided before it.
    pub(crate) before: Vector,
    /// They are surely those of the same evaluation.
    pub(crate) is_certain: bool,
    /// Event with which the evaluation began.
    pub(crate) start: u32,
    /// The first tree node of the same evaluation: evaluations that differ only behind it share it.
    pub(crate) anchor: NodeId,
}

/// The evaluations in progress.
pub(crate) struct Tracker<'a> {
    sites: &'a SiteTable,
    current: Vec<Option<Progress>>,
    /// How often each outcome of each condition was logged.
    logged: Vec<Vec<[u64; 2]>>,
}

#[derive(Clone)]
struct Progress {
    vector: Vector,
    last: u32,
    start: u32,
}

impl<'a> Tracker<'a> {
    pub(crate) fn new(sites: &'a SiteTable) -> Tracker<'a> {
        let conditions = sites.decisions().iter().map(|facts| vec![[0; 2]; facts.conditions as usize]);
        Tracker { sites, current: vec![None; sites.decisions().len()], logged: conditions.collect() }
    }

    /// True if there is anything to follow.
    pub(crate) fn is_needed(&self) -> bool {
        !self.current.is_empty()
    }

    /// Takes event number `index`; for a condition of a followed decision gives what was evaluated before it. The anchor
    /// is left to whoever makes the node.
    pub(crate) fn step(&mut self, event: &TraceEvent, index: u32) -> Option<Evaluating> {
        if event.kind != EventKind::Condition as u16 || !self.is_needed() {
            return None;
        }
        let (slot, position) = self.sites.condition(event.site)?;
        let facts = &self.sites.decisions()[slot];
        let goes_on = |progress: &Progress| match facts.shape.step(&|at| progress.vector.get(at)) {
            EvaluationStep::Needs(next) => position >= next && position > progress.last,
            EvaluationStep::Result(_) => false,
        };
        let progress = self.current[slot].take().filter(goes_on);
        let mut progress = progress.unwrap_or_else(|| Progress {
            vector: Vector::new(facts.conditions),
            last: 0,
            start: index,
        });
        let before = progress.vector.clone();
        let logged = &mut self.logged[slot];
        let may_be_missing =
            |position: u32| logged[position as usize].iter().any(|&times| times >= CONCRETE_EVENTS);
        let first = match facts.shape.step(&|_| None) {
            EvaluationStep::Needs(first) => first,
            EvaluationStep::Result(_) => position,
        };
        let is_certain = !may_be_missing(first) || !may_be_missing(position);
        logged[position as usize][usize::from(event.outcome != 0)] += 1;
        progress.vector.set(position, event.outcome != 0);
        progress.last = position;
        let start = progress.start;
        self.current[slot] = Some(progress);
        Some(Evaluating { decision: facts.id, position, before, is_certain, start, anchor: NodeId::new(0) })
    }
}
