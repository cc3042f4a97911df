//! Which runs are worth keeping: those that covered a goal first, and those that covered it first without a fault.

use tarka_events::{Input, KeptRun, RunEnd};
use tarka_search::Coverage;

/// The kept runs of a unit.
pub(crate) struct Keeper {
    pub kept: Vec<KeptRun>,
    /// Goals that a run covered which came back from the unit: only those can become passing tests.
    covered_returning: Vec<bool>,
    any_returned: bool,
}

impl Keeper {
    pub(crate) fn new(goals: usize) -> Keeper {
        Keeper { kept: Vec::new(), covered_returning: vec![false; goals], any_returned: false }
    }

    /// Takes a run; `record` gives its input if it is kept.
    pub(crate) fn offer(
        &mut self,
        run: u64,
        coverage: &Coverage,
        end: RunEnd,
        result: &[u8],
        record: impl FnOnce() -> Input,
    ) {
        let mut keep = !coverage.new.is_empty();
        if end == RunEnd::Returned {
            // Also a unit without a single branch gets its test.
            keep |= !self.any_returned;
            self.any_returned = true;
            for &goal in &coverage.covers {
                keep |= !std::mem::replace(&mut self.covered_returning[goal as usize], true);
            }
        }
        if keep {
            let result = if end == RunEnd::Returned { result.to_vec() } else { Vec::new() };
            self.kept.push(KeptRun { run, input: record(), covers: coverage.covers.clone(), end, result });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_returning_run_is_kept_for_a_goal_that_only_a_faulting_run_had_covered() {
        let mut keeper = Keeper::new(2);
        let mut offer = |run, covers: &[u32], new: &[u32], end| {
            let coverage = Coverage { covers: covers.to_vec(), new: new.to_vec() };
            keeper.offer(run, &coverage, end, &[1], Input::default);
        };
        offer(1, &[0], &[0], RunEnd::Fault(0));
        offer(2, &[0], &[], RunEnd::Fault(0));
        offer(3, &[0], &[], RunEnd::Returned);
        offer(4, &[0], &[], RunEnd::Returned);
        offer(5, &[0, 1], &[1], RunEnd::Returned);
        let runs: Vec<_> = keeper.kept.iter().map(|kept| (kept.run, kept.result.len())).collect();
        assert_eq!(runs, [(1, 0), (3, 1), (5, 1)]);
    }

    #[test]
    fn a_unit_without_branches_keeps_its_first_returning_run() {
        let mut keeper = Keeper::new(0);
        for run in 1..4 {
            keeper.offer(run, &Coverage::default(), RunEnd::Returned, &[], Input::default);
        }
        assert_eq!(keeper.kept.len(), 1);
    }
}
