//! Goals are covered run by run, by llvm-cov's definitions.

use crate::toy::{conditions, conjunction, model, switch};
use tarka_search::{Goals, HowEnded, SiteTable};
use tarka_source::{
    Context, Criterion, DecisionId, EvaluationKey, Evidence, FunctionId, GoalKind, SiteKind, SourceModel,
};

fn goals(model: &SourceModel, criterion: Criterion) -> Goals {
    Goals::new(model, &SiteTable::new(model), &[FunctionId(0)], criterion)
}

fn seen(model: &SourceModel, map: &[u8]) -> Evidence {
    Evidence::of_map(model, map)
}

#[test]
fn a_condition_has_two_goals_and_a_switch_two_for_each_arm() {
    let model = model(vec![
        SiteKind::Condition { context: Context::If, always: None },
        switch(&[(1, 1), (2, 2)], true),
    ]);
    let mut goals = goals(&model, Criterion::Branch);
    let name = |goal: &GoalKind| match *goal {
        GoalKind::Outcome { site, outcome, taken } => (site.0, outcome, taken),
        _ => panic!("{goal:?} is no goal of branch coverage"),
    };
    let names: Vec<_> = goals.goals().iter().map(name).collect();
    assert_eq!(
        names,
        [
            (0, 0, true),
            (0, 1, true),
            (1, 0, true),
            (1, 0, false),
            (1, 1, true),
            (1, 1, false),
            (1, 2, true),
            (1, 2, false)
        ]
    );
    // Condition true; the switch took its second arm: that arm is taken, the two others are not taken.
    let first = goals.absorb(&seen(&model, &[0, 1, 0, 1, 0]), 1, HowEnded::Well);
    assert_eq!(first.new, [1, 3, 4, 7]);
    assert!(goals.is_open_outcome(1, 0) && !goals.is_open_outcome(1, 1));
    // The default is taken too: only now was the second arm not taken.
    let second = goals.absorb(&seen(&model, &[0, 1, 0, 0, 1]), 2, HowEnded::Well);
    assert_eq!(second.covers, [1, 3, 5, 6]);
    assert_eq!(second.new, [5, 6]);
    assert_eq!((goals.covered(), goals.open()), (6, 2));
    assert_eq!((goals.first_run(1), goals.first_run(6), goals.first_run(0)), (Some(1), Some(2), None));
}

#[test]
fn a_site_that_was_not_reached_covers_nothing() {
    let model = model(vec![switch(&[(1, 1)], true)]);
    let mut goals = goals(&model, Criterion::Branch);
    assert!(goals.absorb(&seen(&model, &[0, 0]), 1, HowEnded::Well).covers.is_empty());
}

/// `TF-` reads: true, false, not evaluated.
fn vector(text: &str, result: bool) -> EvaluationKey {
    let value = |letter| match letter {
        'T' => Some(true),
        'F' => Some(false),
        _ => None,
    };
    EvaluationKey::of_conditions(DecisionId(0), &text.chars().map(value).collect::<Vec<_>>(), result)
}

fn shown(vectors: &[(&str, bool)]) -> Evidence {
    Evidence {
        evaluations: vectors.iter().map(|&(text, result)| vector(text, result)).collect(),
        ..Evidence::default()
    }
}

#[test]
fn a_condition_is_shown_by_evaluations_of_two_runs() {
    let model = conjunction(2);
    let mut goals = goals(&model, Criterion::Mcdc);
    // Four outcomes, two results, two conditions to be shown.
    assert_eq!(goals.goals().len(), 8);
    let first = goals.absorb(&shown(&[("TT", true)]), 1, HowEnded::Well);
    assert_eq!((first.new.as_slice(), first.new_evaluations), ([5].as_slice(), true));
    let again = goals.absorb(&shown(&[("TT", true)]), 2, HowEnded::Well);
    assert_eq!((again.covers.as_slice(), again.new.len(), again.new_evaluations), ([5].as_slice(), 0, false));
    let second = goals.absorb(&shown(&[("F-", false)]), 3, HowEnded::Well);
    assert_eq!((second.covers.as_slice(), second.new.as_slice()), ([4].as_slice(), [4, 6].as_slice()));
    assert_eq!(goals.pair(6), Some(((vector("TT", true), 1), (vector("F-", false), 3))));
    assert_eq!((goals.pair(7), goals.first_run(6), goals.first_run(7)), (None, Some(3), None));
    let alone = goals.absorb(&shown(&[("TT", true), ("TF", false)]), 4, HowEnded::Well);
    assert_eq!((alone.covers.as_slice(), alone.new.as_slice()), ([4, 5, 7].as_slice(), [7].as_slice()));
    let runs: Vec<_> = goals.evaluations(DecisionId(0)).iter().map(|&(_, run)| run).collect();
    assert_eq!(runs, [1, 3, 4]);
}

#[test]
fn statements_are_goals_of_their_own() {
    let mut model = conditions(1);
    let place = model.functions[0].place.clone();
    model.functions[0].statements = vec![tarka_source::Statement { place, end_line: 1 }; 3];
    let mut goals = goals(&model, Criterion::Statement);
    let first = goals.absorb(&seen(&model, &[1, 0, 1, 0, 1]), 1, HowEnded::Well);
    assert_eq!((first.new.as_slice(), goals.open()), ([0, 2].as_slice(), 1));
}

#[test]
fn what_nobody_asks_for_counts_as_covered() {
    let model = conditions(2);
    let mut goals = goals(&model, Criterion::Branch);
    goals.aim(|index, _| index >= 2);
    assert_eq!((goals.open(), goals.covered()), (2, 0));
    assert!(!goals.is_open_outcome(0, 0) && goals.is_open_outcome(1, 0) && !goals.is_asked(0));
    let coverage = goals.absorb(&seen(&model, &[1, 0, 1, 0]), 1, HowEnded::Well);
    assert_eq!((coverage.covers.as_slice(), coverage.new.as_slice()), ([0, 2].as_slice(), [2].as_slice()));
    assert_eq!((goals.open(), goals.covered(), goals.first_run(0)), (1, 1, Some(1)));
}

#[test]
fn a_goal_that_is_ruled_out_and_yet_covered_counts_once() {
    let model = conditions(1);
    let mut goals = goals(&model, Criterion::Branch);
    assert_eq!(goals.exclude(tarka_source::SiteId(0), 1), Some(1));
    assert_eq!(goals.exclude(tarka_source::SiteId(0), 1), None);
    assert_eq!((goals.open(), goals.is_excluded(1)), (1, true));
    goals.absorb(&seen(&model, &[1, 1]), 1, HowEnded::Well);
    assert_eq!((goals.open(), goals.covered(), goals.is_excluded(1)), (0, 2, false));
}

#[test]
fn more_evaluations_than_are_kept_make_nothing_certain() {
    let model = conjunction(13);
    let mut goals = goals(&model, Criterion::Decision);
    // Every run evaluates the conditions in another way.
    let bits = |number: u32| (0..13).map(|at| Some(number >> at & 1 == 1)).collect::<Vec<_>>();
    for number in 0..4200 {
        assert_eq!(goals.forgot_evaluations(DecisionId(0)), number > 4096, "{number}");
        let evaluation = EvaluationKey::of_conditions(DecisionId(0), &bits(number), false);
        let evidence = Evidence { evaluations: [evaluation].into(), ..Evidence::default() };
        goals.absorb(&evidence, u64::from(number) + 1, HowEnded::Well);
    }
    assert_eq!(goals.evaluations(DecisionId(0)).len(), 4096);
}
