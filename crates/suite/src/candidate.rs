//! Runs that may become tests, and the choice among them.
//!
//! Takes what each run claims to show, later what it was seen to show; gives the tests of the suite and the goals each
//! adds. Never: files, processes.

use std::collections::BTreeSet;

use tarka_source::{Evidence, GoalKind, SourceModel, covered};

use crate::emit::TestCase;
use crate::sanitize::Objection;
use crate::select::{Pairs, Shown, select};
use crate::smallest::Smallest;

/// A run that may become a test.
pub(crate) struct Candidate {
    pub case: TestCase,
    pub run: u64,
    /// What the instrumented program claims, and once probed what the plain one shows.
    pub shown: Shown,
    /// What was recorded on the plain program.
    pub probed: Option<Evidence>,
    /// It ran under the sanitizers.
    pub sanitized: bool,
    /// Why it cannot be a test.
    pub excluded: Option<Exclusion>,
}

/// Why a run cannot be a test.
pub(crate) struct Exclusion {
    pub reason: String,
    /// What the sanitizers say of the unit.
    pub objection: Option<Objection>,
}

/// The goals that evidence covers on its own, and its evaluations that pairs may need.
pub(crate) fn shown_by(model: &SourceModel, goals: &[GoalKind], pairs: &Pairs, evidence: &Evidence) -> Shown {
    let covered = covered(model, goals, evidence);
    let alone = (0..).zip(covered).filter(|(_, covered)| *covered).map(|(goal, _)| goal).collect();
    Shown { alone, evaluations: pairs.relevant(&evidence.evaluations) }
}

/// The candidates that make the suite, by index. Those that stand beside `demoted` runs in a pair that takes one of
/// them are chosen too.
pub(crate) fn choose(candidates: &[Candidate], demoted: &[Shown], pairs: &Pairs, keep_one: bool) -> Smallest {
    let live: Vec<usize> =
        (0..candidates.len()).filter(|index| candidates[*index].excluded.is_none()).collect();
    let shown: Vec<Shown> = live.iter().map(|index| candidates[*index].shown.clone()).collect();
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
    Smallest { tests: found.tests.into_iter().map(|position| live[position]).collect(), ..found }
}

/// For each chosen candidate the goals it adds to those before it; a pair counts for the later of its two, and for the
/// test if the other is a `demoted` run.
pub(crate) fn new_goals(
    candidates: &[Candidate],
    demoted: &[Shown],
    pairs: &Pairs,
    chosen: &[usize],
) -> Vec<Vec<u32>> {
    let by_demoted = pairs.covered(demoted);
    let mut seen = BTreeSet::new();
    (1..=chosen.len())
        .map(|count| {
            let tests = || chosen[..count].iter().map(|index| &candidates[*index].shown);
            let mut together = pairs.covered(tests());
            together.extend(pairs.covered(demoted.iter().chain(tests())).difference(&by_demoted));
            together.into_iter().filter(|goal| seen.insert(*goal)).collect()
        })
        .collect()
}
