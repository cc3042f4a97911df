//! MC/DC by construction: the evaluation that is missing is asked for, not hoped for.

use crate::toy::{Drawing, Recorder, Story, conditions, conjunction, decision, drive, search_on};
use tarka_search::strategy::AVAILABLE;
use tarka_search::{CandidateId, Finished, HowEnded, Relevance, Search};
use tarka_source::cfg::{Icfg, PointKind};
use tarka_source::{
    BoolShape, Criterion, DecisionId, EvaluationKey, EvaluationStep, GoalKind, SiteId, SourceModel,
};
use tarka_terms::Terms;
use tarka_trace::{Op, input_label};

fn condition(position: u32) -> BoolShape {
    BoolShape::Condition(position)
}

fn and(left: BoolShape, right: BoolShape) -> BoolShape {
    BoolShape::And(Box::new(left), Box::new(right))
}

fn or(left: BoolShape, right: BoolShape) -> BoolShape {
    BoolShape::Or(Box::new(left), Box::new(right))
}

/// `(c0 && c1 || c2 && c3) && (c4 || c5)`.
fn six_conditions() -> SourceModel {
    let left = or(and(condition(0), condition(1)), and(condition(2), condition(3)));
    decision(and(left, or(condition(4), condition(5))), 6)
}

/// Condition `position` as "bit `bit` of the first byte is set".
fn bit(run: &mut Recorder, position: u32, bit: u32) -> bool {
    let (mask, zero) = (run.constant(8, 1 << bit), run.constant(8, 0));
    let masked = run.node(Op::And, 8, [input_label(0), mask, 0]);
    let label = run.node(Op::Ne, 1, [masked, zero, 0]);
    run.condition(position, run.input[0] >> bit & 1 == 1, label)
}

/// Evaluates the decision as C does; `bit_of` says which bit each condition is about.
fn evaluate(run: &mut Recorder, model: &SourceModel, bit_of: impl Fn(u32) -> u32) -> bool {
    let mut values = vec![None; model.decisions[0].conditions.len()];
    loop {
        match model.decisions[0].shape.step(&|at| values[at as usize]) {
            EvaluationStep::Needs(at) => values[at as usize] = Some(bit(run, at, bit_of(at))),
            EvaluationStep::Result(result) => {
                run.evaluations.insert(EvaluationKey::of_conditions(DecisionId(0), &values, result));
                return result;
            }
        }
    }
}

fn mcdc(model: &SourceModel, strategy: &str) -> Search {
    search_on(model, &Icfg::default(), Criterion::Mcdc, strategy, 1)
}

fn shown(story: &Story) -> Vec<u32> {
    let goals = story.search.goals();
    let is_shown = |(index, goal): (usize, &GoalKind)| match goal {
        GoalKind::Independence { position, .. } if goals.first_run(index).is_some() => Some(*position),
        _ => None,
    };
    goals.goals().iter().enumerate().filter_map(is_shown).collect()
}

#[test]
fn six_conditions_are_shown_in_a_few_runs_by_every_strategy() {
    let model = six_conditions();
    for name in AVAILABLE {
        let story = drive(&model, mcdc(&model, name), 200, |run| _ = evaluate(run, &model, |at| at));
        assert_eq!(story.finished, Some(Finished::AllCovered), "{name}");
        assert_eq!(shown(&story), [0, 1, 2, 3, 4, 5], "{name}");
        // Seven evaluations are the least for six conditions; there are 64 inputs. Strategies that look at branches alone
        // waste a turn or two.
        assert!(story.inputs.len() <= 12, "{name}: {} runs", story.inputs.len());
        for (index, goal) in story.search.goals().goals().iter().enumerate() {
            let &GoalKind::Independence { position, .. } = goal else { continue };
            let ((held, first), (failed, second)) = story.search.goals().pair(index).unwrap();
            assert_eq!(held.shows(&failed), Some(position), "{name}");
            assert!(held.result && first != second && first.max(second) <= story.inputs.len() as u64);
        }
    }
}

#[test]
fn what_is_missing_is_found_among_branches_that_do_not_matter() {
    // Ten conditions on another byte stand before the decision: breadth-first search would try them all first.
    let mut model = conditions(16);
    model.decisions = six_conditions().decisions;
    let program = |run: &mut Recorder| {
        (0..10).for_each(|noise| _ = run.less(6 + noise, 1, 20 * (noise as u8 + 1)));
        evaluate(run, &model, |at| at);
    };
    let mut search = mcdc(&model, "bfs");
    search.aim(|_, goal| matches!(goal, GoalKind::Independence { .. }));
    let story = drive(&model, search, 200, program);
    assert_eq!(shown(&story).len(), 6);
    let (constructed, runs) = (story.search.filter_figures().constructed, story.inputs.len());
    assert!(constructed > 0 && runs <= 12, "{runs} runs, {constructed} constructed");
}

#[test]
fn coupled_conditions_end_the_search_without_their_pair() {
    // `c0 && c1 || c2 && c3` where c0 and c2 are the same bit: c2 is false only when c0 was.
    let shape = or(and(condition(0), condition(1)), and(condition(2), condition(3)));
    let model = decision(shape, 4);
    for name in AVAILABLE {
        let search = mcdc(&model, name);
        let story = drive(&model, search, 200, |run| _ = evaluate(run, &model, |at| at % 2 + at / 3 * 2));
        assert_eq!(story.finished, Some(Finished::Exhausted), "{name}");
        assert!(story.inputs.len() <= 16, "{name}: {} runs", story.inputs.len());
        assert!(!shown(&story).contains(&2), "{name}: {:?}", shown(&story));
    }
}

#[test]
fn the_filter_keeps_evaluations_that_are_still_wanted() {
    // The decision stands in a loop: whatever happens in one round can happen in the next.
    let model = six_conditions();
    let program = |run: &mut Recorder| {
        for _ in 0..3 {
            if evaluate(run, &model, |at| at) {
                return;
            }
        }
    };
    let story = drive(&model, mcdc(&model, "dfs"), 300, program);
    assert_eq!(story.search.goals().open(), 0);
}

#[test]
fn an_evaluation_whose_log_has_gaps_drops_no_candidate() {
    // `c0 && c1` in a loop. Concrete outcomes are only logged so often, so that after many rounds it cannot be told
    // whether a condition belongs to the evaluation that the log shows before it.
    let model = conjunction(2);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let [first, second] = [0, 1].map(|site| drawing.point(0, PointKind::Site(SiteId(site))));
    let exit = drawing.point(0, PointKind::Exit);
    for (from, outcome, to) in
        [(entry, 0, first), (first, 0, exit), (first, 1, second), (second, 0, exit), (second, 1, exit)]
    {
        drawing.edge(from, outcome, to);
    }
    for (rounds, relevance) in [(2, Relevance::Irrelevant), (40, Relevance::May)] {
        let mut search = search_on(&model, &drawing.icfg, Criterion::Mcdc, "dfs", 1);
        let mut recorder = Recorder::new(&[0, 0]);
        for _ in 0..rounds {
            recorder.condition(0, true, 0);
            recorder.condition(1, true, 0);
        }
        recorder.condition(0, true, 0);
        recorder.less(1, 1, 5);
        for (values, result) in [([true, true], true), ([true, false], false)] {
            let values = values.map(Some);
            recorder.evaluations.insert(EvaluationKey::of_conditions(DecisionId(0), &values, result));
        }
        search.absorb(&mut Terms::new(), &recorder.trace(), &recorder.evidence(&model), (1, HowEnded::Well));
        search.aim(|goal, _| goal != 2);
        // The only candidate is 1F. `TF` is known, but is it that?
        assert_eq!(search.view().relevance(CandidateId(0)), relevance, "{rounds} rounds");
    }
}
