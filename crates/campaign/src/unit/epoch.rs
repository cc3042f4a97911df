//! Beginning anew with other inputs: larger ones, or ones in which pointers that the unit orders lead into one object.
//!
//! Takes what the runs so far have met; gives a new shape of inputs and an empty path tree. Never: which bounds there are
//! (see `epochs` of `inputs`).

use tarka_inputs::{Met, Needed};

use super::UnitLoop;
use super::findings::Findings;

/// Runs up to which everything is begun anew when pointers turn out to belong together. Later only the paths are: what was
/// covered would take too long to cover again.
const EARLY: u64 = 200;

/// The part of a unit's time in which is found out what larger inputs would be for.
const SETTLE_WHILE_SEARCHING: u32 = 20;

impl UnitLoop<'_> {
    /// Allows larger inputs, or, when none may be larger, tries some in which pointers are equal. False if there is
    /// nothing to try.
    pub(super) fn widen(&mut self) -> bool {
        self.settle_refused(SETTLE_WHILE_SEARCHING);
        let met = Met { calls: self.records.environment.outside().state, ..self.records.losses.met() };
        let effort = self.explorer.effort(self.records.runs);
        if self.executor.input_pool.epochs.grow(met, effort) {
            self.begin();
            return true;
        }
        self.give_room(false) || self.executor.input_pool.share(&self.job)
    }

    /// Begins anew with room behind counted objects that the unit leaves, all of them or only those that no run has used and
    /// ended well, while goals have no test. False if there are none.
    pub(super) fn give_room(&mut self, only_hopeless: bool) -> bool {
        let left = self.executor.input_pool.left(only_hopeless);
        if left.is_empty() || !self.explorer.search.goals().lack_a_test() {
            return false;
        }
        if !self.executor.input_pool.give_room(left) {
            return false;
        }
        self.begin();
        self.explorer.search.take_up();
        true
    }

    /// Begins anew with inputs as they are to be now.
    fn begin(&mut self) {
        self.executor.input_pool.begin(&self.job);
        self.explorer.begin(self.executor.input_pool.epochs.limits().calls);
        self.records.begin();
    }

    /// Begins anew with pointers that belong together in one object.
    pub(super) fn begin_joined(&mut self) {
        if self.records.runs <= EARLY
            && let Ok(search) = self.job.search()
        {
            // Their faults are to be seen again.
            self.executor.input_pool.needed = Needed::default();
            self.findings = Findings::new(self.job.options.faults, search.goals());
            self.records.forget_runs(&self.job);
            self.explorer.search = search;
        }
        self.begin();
    }
}
