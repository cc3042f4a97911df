//! Which runs are worth keeping: those that covered a goal first, and those that covered it first and came to an end that
//! a passing test can repeat (the unit returned, or ended the process by itself).

use tarka_events::{Input, KeptRun, RunEnd};
use tarka_search::Coverage;

/// The kept runs of a unit.
pub(crate) struct Keeper {
    pub kept: Vec<KeptRun>,
    /// Goals that a run covered which ended well: only those can become passing tests.
    covered_well: Vec<bool>,
    any_ended_well: bool,
}

impl Keeper {
    pub(crate) fn new(goals: usize) -> Keeper {
        Keeper { kept: Vec::new(), covered_well: vec![false; goals], any_ended_well: false }
    }

    /// Takes a run; `record` gives its input if it is kept. True if it is.
    pub(crate) fn offer(
        &mut self,
        run: u64,
        coverage: &Coverage,
        end: RunEnd,
        result: &[u8],
        record: impl FnOnce() -> Input,
    ) -> bool {
        if end == RunEnd::Precondition {
            return false;
        }
        let mut keep = !coverage.new.is_empty();
        if matches!(end, RunEnd::Returned | RunEnd::Exited(_)) {
            // Also a unit without a single branch gets its test.
            keep |= !self.any_ended_well;
            self.any_ended_well = true;
            for &goal in &coverage.covers {
                keep |= !std::mem::replace(&mut self.covered_well[goal as usize], true);
            }
        }
        if keep {
            let result = if end == RunEnd::Returned { result.to_vec() } else { Vec::new() };
            self.kept.push(KeptRun { run, input: record(), covers: coverage.covers.clone(), end, result });
        }
        keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_returning_run_is_kept_for_a_goal_that_only_a_faulting_run_had_covered() {
        let mut keeper = Keeper::new(2);
        let mut offer = |run, covers: &[u32], new: &[u32], end| {
            let coverage = Coverage { covers: covers.to_vec(), new: new.to_vec(), new_evaluations: false };
            keeper.offer(run, &coverage, end, &[1], Input::default);
        };
        offer(1, &[0], &[0], RunEnd::Fault(0));
        offer(2, &[0], &[], RunEnd::Fault(0));
        offer(3, &[0], &[], RunEnd::Returned);
        offer(4, &[0], &[], RunEnd::Returned);
        offer(5, &[0, 1], &[1], RunEnd::Returned);
        offer(6, &[0, 1], &[], RunEnd::Exited(3));
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

    #[test]
    fn a_run_that_ends_the_process_is_as_good_as_one_that_returns() {
        let mut keeper = Keeper::new(1);
        let coverage = Coverage { covers: vec![0], ..Coverage::default() };
        for (run, end) in [(1, RunEnd::Precondition), (2, RunEnd::Exited(0)), (3, RunEnd::Returned)] {
            keeper.offer(run, &coverage, end, &[1], Input::default);
        }
        let kept: Vec<_> = keeper.kept.iter().map(|kept| (kept.run, kept.result.len())).collect();
        assert_eq!(kept, [(2, 0)]);
    }
}
