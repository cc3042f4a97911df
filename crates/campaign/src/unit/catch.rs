//! What the runs of a unit are kept for: faults, and what becomes a test.
//!
//! Takes runs that count, gives the book of faults and the kept runs, each with what it takes to make it again. Never: whether
//! a run counts, what comes next.

use tarka_events::RunEnd;
use tarka_faults::{Ended, Explaining, FaultBook};
use tarka_inputs::Given;
use tarka_scenario::Executed;
use tarka_search::Goals;
use tarka_trace::FaultSet;

use crate::keep::{Keeper, Offer};

/// What was caught so far.
pub(super) struct Catch<'a> {
    pub faults: FaultBook,
    pub keeper: Keeper,
    /// What each kept run was given, and the first run of each fault.
    pub given_kept: Vec<Given<'a>>,
    pub given_faults: Vec<Given<'a>>,
}

impl<'a> Catch<'a> {
    /// Nothing yet, of faults of these kinds and runs for these goals.
    pub(super) fn new(faults: FaultSet, goals: &Goals) -> Catch<'a> {
        Catch {
            faults: FaultBook::new(faults),
            keeper: Keeper::new(goals.goals(), |goal| goals.is_asked(goal)),
            given_kept: Vec::new(),
            given_faults: Vec::new(),
        }
    }

    /// Takes the faults that a run shows; says how it ended.
    pub(super) fn enter(
        &mut self,
        (ended, number): (&Ended, u64),
        explaining: &mut Explaining,
        given: impl Fn() -> Given<'a>,
        record: impl Fn() -> Executed,
    ) -> RunEnd {
        let known = self.faults.faults.len();
        let entered = self.faults.enter(ended, number, &record);
        explaining.explain(&mut self.faults, known);
        self.given_faults.resize_with(self.faults.faults.len(), &given);
        let shown_again = entered.faults.iter().map(|&fault| fault as usize).zip(entered.moments);
        for (fault, moment) in shown_again.filter(|(fault, _)| *fault < known) {
            if explaining.reconsider(&mut self.faults, (fault, moment), number, &record) {
                self.given_faults[fault] = given();
            }
        }
        entered.end
    }

    /// Keeps a run if it is worth it.
    pub(super) fn offer(
        &mut self,
        offer: Offer,
        given: impl FnOnce() -> Given<'a>,
        record: impl FnOnce() -> Executed,
    ) {
        if self.keeper.offer(offer, record) {
            self.given_kept.push(given());
        }
    }

    /// What the kept runs and the first run of each fault were given, but for those that took all they could get.
    pub(super) fn given(&self) -> impl Iterator<Item = &Given<'a>> {
        self.given_kept.iter().chain(&self.given_faults).filter(|given| !given.is_slow)
    }

    /// Puts the worst faults first.
    pub(super) fn rank(&mut self) {
        let order = self.faults.rank();
        self.keeper.kept.iter_mut().for_each(|kept| kept.end.renumber(&order));
    }
}
