//! Which runs are worth keeping: those that covered a goal first, and those that covered it first and came to an end that
//! a passing test can repeat (the unit returned, or ended the process by itself). Where conditions are to be shown to
//! decide alone, also runs that evaluated their decision in a new way: it takes two for a pair.

use std::collections::BTreeSet;

use tarka_events::{KeptRun, RunEnd};
use tarka_scenario::Executed;
use tarka_search::Coverage;
use tarka_source::{DecisionId, EvaluationKey, Evidence, GoalKind};

/// A run that may be kept.
pub(crate) struct Offer<'a> {
    pub run: u64,
    pub coverage: &'a Coverage,
    pub evidence: &'a Evidence,
    pub end: RunEnd,
}

/// The kept runs of a unit.
pub(crate) struct KeptRuns {
    pub kept: Vec<KeptRun>,
    /// Goals that a run covered which ended well: only those can become passing tests.
    covered_well: Vec<bool>,
    /// Decisions of which pairs are wanted.
    paired: BTreeSet<DecisionId>,
    /// Their evaluations in runs that ended well.
    evaluated_well: BTreeSet<EvaluationKey>,
    any_ended_well: bool,
}

impl KeptRuns {
    /// Nothing is kept for goals that are not asked for.
    pub(crate) fn new(goals: &[GoalKind], is_asked: impl Fn(usize) -> bool) -> KeptRuns {
        let asked = goals.iter().enumerate().filter(|(index, _)| is_asked(*index));
        let paired = asked.filter_map(|(_, goal)| match goal {
            GoalKind::Independence { decision, .. } => Some(*decision),
            _ => None,
        });
        KeptRuns {
            kept: Vec::new(),
            covered_well: (0..goals.len()).map(|goal| !is_asked(goal)).collect(),
            paired: paired.collect(),
            evaluated_well: BTreeSet::new(),
            any_ended_well: false,
        }
    }

    /// The evaluations of decisions of which pairs are wanted.
    pub(crate) fn of_pairs<'e>(&self, evidence: &'e Evidence) -> impl Iterator<Item = &'e EvaluationKey> {
        evidence.evaluations.iter().filter(|evaluation| self.paired.contains(&evaluation.decision))
    }

    /// Takes a run; `record` gives its scenario if it is kept. True if it is.
    pub(crate) fn offer(&mut self, offer: Offer, record: impl FnOnce() -> Executed) -> bool {
        let Offer { run, coverage, evidence, end } = offer;
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
            let evaluations: Vec<EvaluationKey> = self.of_pairs(evidence).cloned().collect();
            for evaluation in evaluations {
                keep |= self.evaluated_well.insert(evaluation);
            }
        }
        if keep {
            let (covers, evidence) = (coverage.covers.clone(), evidence.clone());
            self.kept.push(KeptRun { run, executed: record(), covers, evidence, end });
        }
        keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarka_source::SiteId;

    fn outcomes(count: u32) -> Vec<GoalKind> {
        (0..count).map(|outcome| GoalKind::Outcome { site: SiteId(0), outcome, taken: true }).collect()
    }

    fn offer(kept_runs: &mut KeptRuns, run: u64, covers: &[u32], new: &[u32], end: RunEnd) {
        let coverage = Coverage { covers: covers.to_vec(), new: new.to_vec(), new_evaluations: false };
        let evidence = Evidence::default();
        kept_runs.offer(Offer { run, coverage: &coverage, evidence: &evidence, end }, Executed::default);
    }

    fn kept(kept_runs: &KeptRuns) -> Vec<u64> {
        kept_runs.kept.iter().map(|kept| kept.run).collect()
    }

    #[test]
    fn a_returning_run_is_kept_for_a_goal_that_only_a_faulting_run_had_covered() {
        let mut kept_runs = KeptRuns::new(&outcomes(2), |_| true);
        offer(&mut kept_runs, 1, &[0], &[0], RunEnd::Fault(0));
        offer(&mut kept_runs, 2, &[0], &[], RunEnd::Fault(0));
        offer(&mut kept_runs, 3, &[0], &[], RunEnd::Returned);
        offer(&mut kept_runs, 4, &[0], &[], RunEnd::Returned);
        offer(&mut kept_runs, 5, &[0, 1], &[1], RunEnd::Returned);
        offer(&mut kept_runs, 6, &[0, 1], &[], RunEnd::Exited(3));
        assert_eq!(kept(&kept_runs), [1, 3, 5]);
    }

    #[test]
    fn a_run_that_covers_only_what_nobody_asked_for_is_not_kept() {
        let mut kept_runs = KeptRuns::new(&outcomes(3), |goal| goal == 1);
        offer(&mut kept_runs, 1, &[0], &[], RunEnd::Returned);
        offer(&mut kept_runs, 2, &[0, 2], &[], RunEnd::Returned);
        offer(&mut kept_runs, 3, &[1, 2], &[1], RunEnd::Returned);
        // The first run that ends well is kept whatever it covers.
        assert_eq!(kept(&kept_runs), [1, 3]);
    }

    #[test]
    fn a_unit_without_branches_keeps_its_first_returning_run() {
        let mut kept_runs = KeptRuns::new(&[], |_| true);
        for run in 1..4 {
            offer(&mut kept_runs, run, &[], &[], RunEnd::Returned);
        }
        assert_eq!(kept_runs.kept.len(), 1);
    }

    #[test]
    fn a_run_that_ends_the_process_is_as_good_as_one_that_returns() {
        let mut kept_runs = KeptRuns::new(&outcomes(1), |_| true);
        for (run, end) in [(1, RunEnd::Precondition), (2, RunEnd::Exited(0)), (3, RunEnd::Returned)] {
            offer(&mut kept_runs, run, &[0], &[], end);
        }
        assert_eq!(kept(&kept_runs), [2]);
    }

    #[test]
    fn a_run_is_kept_for_a_new_evaluation_where_pairs_are_wanted() {
        let decision = DecisionId(7);
        let evaluated = |conditions: &[Option<bool>], result| Evidence {
            evaluations: [EvaluationKey::of_conditions(decision, conditions, result)].into(),
            ..Evidence::default()
        };
        let runs = [
            (evaluated(&[Some(false), None], false), RunEnd::Fault(0)),
            (evaluated(&[Some(false), None], false), RunEnd::Returned),
            (evaluated(&[Some(false), None], false), RunEnd::Returned),
            (evaluated(&[Some(true), Some(true)], true), RunEnd::Returned),
        ];
        for (goals, expected) in [
            (vec![GoalKind::Independence { decision, position: 0 }], vec![2, 4]),
            (vec![GoalKind::Decision { decision, outcome: true }], vec![2]),
        ] {
            let mut kept_runs = KeptRuns::new(&goals, |_| true);
            for (run, (evidence, end)) in (1..).zip(&runs) {
                let coverage = Coverage::default();
                let offer = Offer { run, coverage: &coverage, evidence, end: end.clone() };
                kept_runs.offer(offer, Executed::default);
            }
            assert_eq!(kept_runs.kept.iter().map(|kept| kept.run).collect::<Vec<_>>(), expected);
        }
    }
}
