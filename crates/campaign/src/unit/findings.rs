//! What the runs of a unit are kept for: faults, and what becomes a test.
//!
//! Takes runs that count, gives the list of faults and the kept runs, each with what it takes to make it again. Never: whether
//! a run counts, what comes next.

use tarka_events::RunEnd;
use tarka_faults::{Ended, Explaining, FaultList};
use tarka_inputs::ReplayInput;
use tarka_scenario::Executed;
use tarka_search::Goals;
use tarka_trace::FaultSet;

use crate::kept_runs::{KeptRuns, Offer};

/// What was caught so far.
pub(super) struct Findings<'a> {
    pub faults: FaultList,
    pub kept_runs: KeptRuns,
    /// What each kept run was given, and the first run of each fault.
    pub kept_inputs: Vec<ReplayInput<'a>>,
    pub fault_inputs: Vec<ReplayInput<'a>>,
}

impl<'a> Findings<'a> {
    /// Nothing yet, of faults of these kinds and runs for these goals.
    pub(super) fn new(faults: FaultSet, goals: &Goals) -> Findings<'a> {
        Findings {
            faults: FaultList::new(faults),
            kept_runs: KeptRuns::new(goals.goals(), |goal| goals.is_asked(goal)),
            kept_inputs: Vec::new(),
            fault_inputs: Vec::new(),
        }
    }

    /// Takes the faults that a run shows; says how it ended.
    pub(super) fn enter(
        &mut self,
        (ended, number): (&Ended, u64),
        explaining: &mut Explaining,
        given: impl Fn() -> ReplayInput<'a>,
        record: impl Fn() -> Executed,
    ) -> RunEnd {
        let known = self.faults.faults.len();
        let entered = self.faults.enter(ended, number, &record);
        explaining.explain(&mut self.faults, known);
        self.fault_inputs.resize_with(self.faults.faults.len(), &given);
        let shown_again = entered.faults.iter().map(|&fault| fault as usize).zip(entered.moments);
        for (fault, moment) in shown_again.filter(|(fault, _)| *fault < known) {
            if explaining.reconsider(&mut self.faults, (fault, moment), number, &record) {
                self.fault_inputs[fault] = given();
            }
        }
        entered.end
    }

    /// Keeps a run if it is worth it.
    pub(super) fn offer(
        &mut self,
        offer: Offer,
        given: impl FnOnce() -> ReplayInput<'a>,
        record: impl FnOnce() -> Executed,
    ) {
        if self.kept_runs.offer(offer, record) {
            self.kept_inputs.push(given());
        }
    }

    /// What the kept runs and the first run of each fault were given, but for those that took all they could get.
    pub(super) fn given(&self) -> impl Iterator<Item = &ReplayInput<'a>> {
        self.kept_inputs.iter().chain(&self.fault_inputs).filter(|given| !given.is_slow)
    }

    /// Puts the worst faults first.
    pub(super) fn rank(&mut self) {
        let order = self.faults.rank();
        self.kept_runs.kept.iter_mut().for_each(|kept| kept.end.renumber(&order));
    }
}
