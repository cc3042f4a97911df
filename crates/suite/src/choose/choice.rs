//! The choice among the runs that may become tests.
//!
//! Takes what each run claims to show, later what it was seen to show; gives the tests of the suite and the goals each
//! adds. Never: files, processes.

use std::collections::BTreeSet;

use tarka_source::{Evidence, GoalKind, SourceModel, covered};

use crate::choose::select::{Pairs, TestCoverage, select};
use crate::choose::smallest::Smallest;

/// The goals that evidence covers on its own, and its evaluations that pairs may need.
pub(crate) fn shown_by(
    model: &SourceModel,
    goals: &[GoalKind],
    pairs: &Pairs,
    evidence: &Evidence,
) -> TestCoverage {
    let covered = covered(model, goals, evidence);
    let alone = (0..).zip(covered).filter(|(_, covered)| *covered).map(|(goal, _)| goal).collect();
    TestCoverage { alone, evaluations: pairs.relevant(&evidence.evaluations) }
}

/// The runs that make the suite, by the number that stands beside each. Those that stand beside `demoted` runs in a pair
/// that takes one of them are chosen too.
pub(crate) fn choose(
    live: &[(usize, &TestCoverage)],
    demoted: &[TestCoverage],
    pairs: &Pairs,
    keep_one: bool,
) -> Smallest {
    let shown: Vec<TestCoverage> = live.iter().map(|(_, shown)| (*shown).clone()).collect();
    let mut wanted = shown.clone();
    if !demoted.is_empty() {
        // What tests show among themselves, passing tests shall show.
        let mut without = pairs.covered(&shown);
        without.extend(pairs.covered(demoted));
        for (test, wanted) in shown.iter().zip(&mut wanted) {
            let together = pairs.covered(demoted.iter().chain([test]));
            wanted.alone.extend(together.difference(&without));
        }
    }
    let found = select(&wanted.iter().collect::<Vec<_>>(), pairs, keep_one);
    Smallest { tests: found.tests.into_iter().map(|position| live[position].0).collect(), ..found }
}

/// For each chosen run the goals it adds to those before it; a pair counts for the later of its two, and for the
/// test if the other is a `demoted` run.
pub(crate) fn new_goals(chosen: &[&TestCoverage], demoted: &[TestCoverage], pairs: &Pairs) -> Vec<Vec<u32>> {
    let by_demoted = pairs.covered(demoted);
    let mut seen = BTreeSet::new();
    (1..=chosen.len())
        .map(|count| {
            let tests = || chosen[..count].iter().copied();
            let mut together = pairs.covered(tests());
            together.extend(pairs.covered(demoted.iter().chain(tests())).difference(&by_demoted));
            together.into_iter().filter(|goal| seen.insert(*goal)).collect()
        })
        .collect()
}
