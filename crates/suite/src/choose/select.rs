//! The smallest suite we can find: few tests that together cover what all of them cover, none that could be left out.
//!
//! Takes what each test shows, gives the chosen tests: first some that are easily found, then the smallest number of
//! them (`covering` is that problem, `smallest` solves it). A condition is shown to decide on its own by a pair of
//! evaluations, so a goal may take two tests. Deterministic: ties go to the earlier test. Never looks at bytes.

use std::collections::BTreeSet;

use tarka_source::{DecisionId, EvaluationKey, GoalKind, independence_pair};

use crate::choose::bits::Bits;
use crate::choose::covering::{Covering, Ways};
use crate::choose::smallest::{Smallest, smallest};

/// Most tests among which the smallest suite is looked for; among more, an easily found one must do.
const MOST_TESTS: usize = 1000;

/// What one test shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCoverage {
    /// Goals it covers on its own.
    pub alone: BTreeSet<u32>,
    /// How it evaluates decisions.
    pub evaluations: BTreeSet<EvaluationKey>,
}

/// The goals that take a pair of evaluations.
#[derive(Clone, Debug, Default)]
pub struct Pairs(Vec<Pair>);

#[derive(Clone, Copy, Debug)]
struct Pair {
    goal: u32,
    decision: DecisionId,
    position: u32,
}

impl Pairs {
    /// Those among these goals.
    pub fn of(goals: impl IntoIterator<Item = GoalKind>) -> Pairs {
        let pairs = goals.into_iter().enumerate().filter_map(|(goal, kind)| match kind {
            GoalKind::Independence { decision, position } => {
                Some(Pair { goal: goal as u32, decision, position })
            }
            _ => None,
        });
        Pairs(pairs.collect())
    }

    /// The evaluations that a pair may need.
    pub fn relevant(&self, evaluations: &BTreeSet<EvaluationKey>) -> BTreeSet<EvaluationKey> {
        let wanted: BTreeSet<DecisionId> = self.0.iter().map(|pair| pair.decision).collect();
        evaluations.iter().filter(|evaluation| wanted.contains(&evaluation.decision)).cloned().collect()
    }

    /// The goals that some tests cover together.
    pub fn covered<'t>(&self, tests: impl IntoIterator<Item = &'t TestCoverage>) -> BTreeSet<u32> {
        let mut covered = BTreeSet::new();
        let mut evaluations: BTreeSet<&EvaluationKey> = BTreeSet::new();
        for test in tests {
            covered.extend(&test.alone);
            evaluations.extend(&test.evaluations);
        }
        for pair in &self.0 {
            if !covered.contains(&pair.goal)
                && independence_pair(pair.decision, pair.position, evaluations.iter().copied()).is_some()
            {
                covered.insert(pair.goal);
            }
        }
        covered
    }
}

/// Chooses from tests in order of their run.
///
/// A test that covers nothing is chosen only if nothing can be covered at all and `keep_one` asks for it.
pub fn select(tests: &[&TestCoverage], pairs: &Pairs, keep_one: bool) -> Smallest {
    let all = pairs.covered(tests.iter().copied());
    if all.is_empty() {
        let one = if keep_one && !tests.is_empty() { vec![0] } else { Vec::new() };
        return Smallest { tests: one, proved: true };
    }
    let easy = easily_found(tests, pairs, &all);
    if tests.len() > MOST_TESTS {
        return Smallest { tests: easy, proved: false };
    }
    smallest(problem(tests, pairs, &all), easy)
}

/// A small suite without search: what pairs need, then whatever covers most, without those that prove needless. Gives
/// indices, ascending.
fn easily_found(tests: &[&TestCoverage], pairs: &Pairs, all: &BTreeSet<u32>) -> Vec<usize> {
    let mut chosen = Vec::new();
    // Pairs first: they bring most other goals along.
    for pair in pairs.0.iter().filter(|pair| all.contains(&pair.goal)) {
        let added = cheapest(tests, &chosen, pair);
        chosen.extend(added);
    }
    let covered = pairs.covered(chosen.iter().map(|index: &usize| tests[*index]));
    let mut open: BTreeSet<u32> = all.difference(&covered).copied().collect();
    while !open.is_empty() {
        let gain = |index: &usize| tests[*index].alone.intersection(&open).count();
        let Some(best) = (0..tests.len()).max_by_key(|index| (gain(index), usize::MAX - index)) else {
            break;
        };
        open.retain(|goal| !tests[best].alone.contains(goal));
        chosen.push(best);
    }
    drop_redundant(tests, pairs, all, &mut chosen);
    chosen.sort_unstable();
    chosen
}

/// Which tests each goal wants.
fn problem(tests: &[&TestCoverage], pairs: &Pairs, all: &BTreeSet<u32>) -> Covering {
    let ways = |goal: &u32| {
        let alone = holders(tests, |test| test.alone.contains(goal));
        let mut ways = Ways { alone, beside: Vec::new() };
        if let Some(pair) = pairs.0.iter().find(|pair| pair.goal == *goal) {
            add_twos(&mut ways, tests, pair);
        }
        ways
    };
    Covering::new(tests.len(), all.iter().map(ways).collect())
}

fn holders(tests: &[&TestCoverage], holds: impl Fn(&TestCoverage) -> bool) -> Bits {
    let mut holders = Bits::new(tests.len());
    (0..).zip(tests).filter(|(_, test)| holds(test)).for_each(|(index, _)| holders.insert(index));
    holders
}

/// Adds the tests that show a pair of evaluations together, or each alone.
fn add_twos(ways: &mut Ways, tests: &[&TestCoverage], pair: &Pair) {
    let speaks = |evaluation: &&EvaluationKey| {
        evaluation.decision == pair.decision && evaluation.value(pair.position).is_some()
    };
    let known: BTreeSet<&EvaluationKey> =
        tests.iter().flat_map(|test| test.evaluations.iter().filter(speaks)).collect();
    let (held, failed): (Vec<_>, Vec<_>) = known
        .into_iter()
        .map(|evaluation| (evaluation, holders(tests, |test| test.evaluations.contains(evaluation))))
        .partition(|(evaluation, _)| evaluation.result);
    ways.beside = vec![Bits::new(tests.len()); tests.len()];
    for (one, with_one) in &held {
        for (_, with_other) in failed.iter().filter(|(other, _)| one.shows(other) == Some(pair.position)) {
            with_one.iter().for_each(|test| ways.beside[test].add(with_other));
            with_other.iter().for_each(|test| ways.beside[test].add(with_one));
        }
    }
    for test in 0..tests.len() {
        if ways.beside[test].contains(test) {
            ways.alone.insert(test);
        }
    }
}

/// The fewest further tests that show a pair beside those chosen: none, one or two.
fn cheapest(tests: &[&TestCoverage], chosen: &[usize], pair: &Pair) -> Vec<usize> {
    // Each evaluation with the test to take it from: a chosen one if there is one, else the first.
    let order = chosen.iter().copied().chain((0..tests.len()).filter(|index| !chosen.contains(index)));
    let mut holders: Vec<(&EvaluationKey, usize)> = Vec::new();
    let mut known = BTreeSet::new();
    let mut best: Option<Vec<usize>> = None;
    let mut offer = |found: BTreeSet<usize>| {
        let added: Vec<usize> = found.into_iter().filter(|index| !chosen.contains(index)).collect();
        if best.as_ref().is_none_or(|best| (added.len(), &added) < (best.len(), best)) {
            best = Some(added);
        }
    };
    for index in order {
        if tests[index].alone.contains(&pair.goal) {
            offer(BTreeSet::from([index]));
        }
        for evaluation in tests[index].evaluations.iter() {
            let speaks = evaluation.decision == pair.decision && evaluation.value(pair.position).is_some();
            if speaks && known.insert(evaluation) {
                holders.push((evaluation, index));
            }
        }
    }
    for (position, (one, first)) in holders.iter().enumerate() {
        for (other, second) in &holders[position + 1..] {
            if one.shows(other) == Some(pair.position) {
                offer(BTreeSet::from([*first, *second]));
            }
        }
    }
    best.unwrap_or_default()
}

/// Removes tests without which nothing is lost, the least useful (chosen last) first.
fn drop_redundant(tests: &[&TestCoverage], pairs: &Pairs, all: &BTreeSet<u32>, chosen: &mut Vec<usize>) {
    for position in (0..chosen.len()).rev() {
        let others = chosen.iter().enumerate().filter(|(other, _)| *other != position);
        if pairs.covered(others.map(|(_, index)| tests[*index])) == *all {
            chosen.remove(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DECISION: DecisionId = DecisionId(0);

    fn sets(goals: &[&[u32]]) -> Vec<TestCoverage> {
        let shown = |goals: &&[u32]| TestCoverage {
            alone: goals.iter().copied().collect(),
            ..TestCoverage::default()
        };
        goals.iter().map(shown).collect()
    }

    fn chosen(tests: &[TestCoverage], pairs: &Pairs, keep_one: bool) -> Vec<usize> {
        select(&tests.iter().collect::<Vec<_>>(), pairs, keep_one).tests
    }

    fn without_pairs(goals: &[&[u32]], keep_one: bool) -> Vec<usize> {
        chosen(&sets(goals), &Pairs::default(), keep_one)
    }

    /// Goals 0, 1 and 2: each condition of `a && (b || c)`.
    fn three_conditions() -> Pairs {
        Pairs::of((0..3).map(|position| GoalKind::Independence { decision: DECISION, position }))
    }

    /// A test that evaluates `a && (b || c)` once.
    fn evaluates(conditions: [Option<bool>; 3]) -> TestCoverage {
        let [a, b, c] = conditions.map(|value| value == Some(true));
        let key = EvaluationKey::of_conditions(DECISION, &conditions, a && (b || c));
        TestCoverage { evaluations: [key].into(), ..TestCoverage::default() }
    }

    #[test]
    fn a_run_covered_by_later_choices_is_dropped() {
        // Greedy takes the middle run first; the outer two then make it useless.
        assert_eq!(without_pairs(&[&[1, 2, 5], &[2, 3, 4, 5], &[3, 4, 6]], false), vec![0, 2]);
    }

    #[test]
    fn a_function_without_goals_keeps_one_test() {
        assert_eq!(without_pairs(&[&[], &[]], true), vec![0]);
        assert_eq!(without_pairs(&[&[], &[]], false), Vec::<usize>::new());
        assert_eq!(without_pairs(&[], true), Vec::<usize>::new());
    }

    #[test]
    fn ties_go_to_the_earlier_run() {
        assert_eq!(without_pairs(&[&[1], &[1, 2], &[2, 1]], false), vec![1]);
    }

    #[test]
    fn three_conditions_take_four_tests() {
        let (t, f) = (Some(true), Some(false));
        let tests = [
            evaluates([f, None, None]),
            evaluates([t, f, f]),
            evaluates([t, t, None]),
            evaluates([t, f, t]),
            evaluates([t, t, None]),
        ];
        assert_eq!(chosen(&tests, &three_conditions(), false), vec![0, 1, 2, 3]);
        assert_eq!(chosen(&tests[..3], &three_conditions(), false), vec![0, 1, 2]);
        assert_eq!(chosen(&tests[..1], &three_conditions(), false), Vec::<usize>::new());
    }

    #[test]
    fn a_test_that_shows_a_pair_on_its_own_is_better_than_two() {
        let (t, f) = (Some(true), Some(false));
        let mut both = evaluates([t, f, t]);
        both.evaluations.extend(evaluates([t, f, f]).evaluations);
        both.alone.insert(2);
        assert_eq!(
            chosen(&[evaluates([t, f, f]), evaluates([t, f, t]), both], &three_conditions(), false),
            [2]
        );
    }

    #[test]
    fn what_greedy_choice_misses_is_found() {
        // Greedy takes the first test, which covers most, and then needs two more.
        let tests: &[&[u32]] = &[&[0, 1, 3, 4], &[0, 1, 2], &[3, 4, 5]];
        assert_eq!(without_pairs(tests, false), vec![1, 2]);
        let tests: &[&[u32]] = &[&[1, 2, 4, 5, 6, 7], &[0, 1, 2, 3], &[4, 5, 6, 7, 8], &[0, 8], &[3]];
        let shown = sets(tests);
        let found = select(&shown.iter().collect::<Vec<_>>(), &Pairs::default(), false);
        assert_eq!(found, Smallest { tests: vec![1, 2], proved: true });
    }

    #[test]
    fn among_very_many_tests_nothing_is_proved_and_nothing_is_lost() {
        let shown: Vec<TestCoverage> = (0..MOST_TESTS as u32 + 1)
            .map(|test| TestCoverage { alone: [test / 2].into(), ..TestCoverage::default() })
            .collect();
        let found = select(&shown.iter().collect::<Vec<_>>(), &Pairs::default(), false);
        assert_eq!((found.tests.len(), found.proved), (MOST_TESTS / 2 + 1, false));
    }

    /// The size of the smallest suite, by trying every set of tests.
    fn by_brute_force(tests: &[TestCoverage], pairs: &Pairs) -> usize {
        let all = pairs.covered(tests);
        let of = |set: u32| (0..tests.len()).filter(move |index| set >> index & 1 == 1);
        let sets =
            (0u32..1 << tests.len()).filter(|set| pairs.covered(of(*set).map(|index| &tests[index])) == all);
        sets.map(u32::count_ones).min().unwrap_or(0) as usize
    }

    fn any_test() -> impl Strategy<Value = TestCoverage> {
        let alone = prop::collection::btree_set(3u32..12, 0..6);
        let ways = prop::collection::vec(prop::array::uniform3(any::<bool>()), 0..3);
        (alone, ways).prop_map(|(alone, ways)| {
            let mut shown = TestCoverage { alone, ..TestCoverage::default() };
            for [a, b, c] in ways {
                let way = [Some(a), a.then_some(b), (a && !b).then_some(c)];
                shown.evaluations.extend(evaluates(way).evaluations);
            }
            let together = three_conditions().covered([&shown]);
            TestCoverage { alone: together, ..shown }
        })
    }

    /// Tests of two decisions like [`three_conditions`] whose goals are mixed with others, one way each: as unfriendly
    /// as they get.
    fn any_thin_test() -> impl Strategy<Value = TestCoverage> {
        let alone = prop::collection::btree_set(6u32..14, 1..4);
        (alone, any::<bool>(), prop::array::uniform3(any::<bool>())).prop_map(|(alone, second, [a, b, c])| {
            let conditions = [Some(a), a.then_some(b), (a && !b).then_some(c)];
            let decision = DecisionId(u32::from(second));
            let key = EvaluationKey::of_conditions(decision, &conditions, a && (b || c));
            TestCoverage { alone, evaluations: [key].into() }
        })
    }

    fn six_conditions() -> Pairs {
        let decisions = [DECISION, DecisionId(1)];
        let goals = decisions
            .into_iter()
            .flat_map(|decision| (0..3).map(move |position| GoalKind::Independence { decision, position }));
        Pairs::of(goals)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

        #[test]
        fn nothing_is_lost_and_no_suite_is_smaller(
            (tests, pairs) in prop_oneof![
                (prop::collection::vec(any_test(), 0..11), Just(three_conditions())),
                (prop::collection::vec(any_thin_test(), 0..11), Just(six_conditions())),
            ]
        ) {
            let all = pairs.covered(&tests);
            let references: Vec<&TestCoverage> = tests.iter().collect();
            let found = select(&references, &pairs, false);
            prop_assert_eq!(pairs.covered(found.tests.iter().map(|index| &tests[*index])), all.clone());
            prop_assert!(found.proved);
            prop_assert_eq!(found.tests.len(), by_brute_force(&tests, &pairs));
            prop_assert!(found.tests.is_sorted());
            prop_assert_eq!(&select(&references, &pairs, false), &found);
            let easy = easily_found(&references, &pairs, &all);
            prop_assert_eq!(pairs.covered(easy.iter().map(|index| &tests[*index])), all);
        }
    }
}
