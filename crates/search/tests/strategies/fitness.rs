//! `fitness`: a comparison that only earlier branches can move.

use tarka_search::CandidateState;
use tarka_trace::{Op, input_label};

use crate::toy::{Recorder, Story, conditions, explore};

/// Sites of paper 2's `loop`: `x == 2`, `v[i] == 3`, `x == 6`.
const START: u32 = 0;
const COUNTED: u32 = 1;
const GOAL: u32 = 2;

/// Paper 2, §V.D: `x` is byte 1, whether `v[i]` is 3 is bit i of byte 0.
fn counting(run: &mut Recorder) {
    let (two, x) = (run.constant(8, 2), run.input[1]);
    let label = run.node(Op::Eq, 1, [input_label(1), two, 0]);
    if !run.condition(START, x == 2, label) {
        return;
    }
    let mut count = 0;
    for bit in 0..6 {
        let (mask, zero) = (run.constant(8, 1 << bit), run.constant(8, 0));
        let masked = run.node(Op::And, 8, [input_label(0), mask, 0]);
        let label = run.node(Op::Ne, 1, [masked, zero, 0]);
        count += u8::from(run.condition(COUNTED, run.input[0] >> bit & 1 == 1, label));
    }
    let (count_label, six) = (run.constant(8, count as u64), run.constant(8, 6));
    let sum = run.node(Op::Add, 8, [input_label(1), count_label, 0]);
    let label = run.node(Op::Eq, 1, [sum, six, 0]);
    run.condition(GOAL, x + count == 6, label);
}

fn search(strategy: &str, seed: u64) -> Story {
    let story = explore(&conditions(3), strategy, seed, 70, counting);
    assert_eq!(story.search.goals().open(), 0, "{strategy}");
    story
}

#[test]
fn the_counter_is_moved_step_by_step_to_the_value_compared_with() {
    // One run comes by, one enters, one counts an element and shows what that brings, and the last counts all that are
    // missing at once.
    assert_eq!(search("fitness", 1).inputs, [[0, 0], [0, 2], [1, 2], [0b1111, 2]]);
    assert!(search("bfs", 1).inputs.len() > 14, "breadth-first search counts every combination");
}

#[test]
fn steps_that_cannot_be_made_at_once_are_made_one_by_one() {
    // Two of the seven exclude each other: bit 0, and bit 1 without bit 0.
    let program = |run: &mut Recorder| {
        let mut count = 0;
        for (mask, wanted) in [(1, 1), (3, 2), (4, 4), (8, 8), (16, 16), (32, 32), (64, 64)] {
            let [mask_label, wanted_label] = [mask, wanted].map(|value| run.constant(8, value as u64));
            let masked = run.node(Op::And, 8, [input_label(0), mask_label, 0]);
            let label = run.node(Op::Eq, 1, [masked, wanted_label, 0]);
            count += u8::from(run.condition(0, run.input[0] & mask == wanted, label));
        }
        // Adding a byte that is pinned to zero makes the count depend on the input, as far as anybody can see.
        if run.less(1, 1, 1) {
            let (count_label, four) = (run.constant(8, count as u64), run.constant(8, 4));
            let sum = run.node(Op::Add, 8, [input_label(1), count_label, 0]);
            let label = run.node(Op::Eq, 1, [sum, four, 0]);
            run.condition(2, run.input[1] + count == 4, label);
        }
    };
    let story = explore(&conditions(3), "fitness", 1, 70, program);
    assert_eq!(story.search.goals().open(), 0);
    let tree = story.search.tree();
    let jumps: Vec<CandidateState> = story
        .tried
        .iter()
        .map(|&id| tree.candidate(id))
        .filter(|candidate| candidate.is_constructed)
        .map(|candidate| candidate.state)
        .collect();
    assert!(jumps.contains(&CandidateState::Infeasible), "{jumps:?}");
    assert_eq!(jumps.last(), Some(&CandidateState::Done), "from where it was possible, it jumped: {jumps:?}");
    assert!(story.inputs.len() <= 7, "{:?}", story.inputs);
}

#[test]
fn a_comparison_that_can_be_solved_is_flipped_directly() {
    let program = |run: &mut Recorder| {
        run.less(0, 0, 10);
        let seven = run.constant(8, 7);
        let label = run.node(Op::Eq, 1, [input_label(1), seven, 0]);
        run.condition(1, run.input[1] == 7, label);
    };
    let story = explore(&conditions(2), "fitness", 1, 10, program);
    assert_eq!(story.inputs.len(), 3);
}

#[test]
fn pps_in_turn_with_fitness_needs_a_third_of_the_runs_of_pps_alone() {
    use tarka_search::Search;
    use tarka_search::strategy::{Strategy, by_name};
    use tarka_source::cfg::{Icfg, PointKind};
    use tarka_source::{Criterion, FunctionId, SiteId};

    use crate::toy::{Drawing, drive};

    let model = conditions(3);
    let mut drawing = Drawing::new(&model);
    let entry = drawing.point(0, PointKind::Entry);
    let [start, counted, goal] =
        [START, COUNTED, GOAL].map(|site| drawing.point(0, PointKind::Site(SiteId(site))));
    let exit = drawing.point(0, PointKind::Exit);
    drawing.edge(entry, 0, start);
    drawing.edge(start, 0, exit);
    drawing.edge(start, 1, counted);
    for outcome in 0..2 {
        drawing.edge(counted, outcome, counted);
        drawing.edge(counted, outcome, goal);
        drawing.edge(goal, outcome, exit);
    }
    let icfg: Icfg = drawing.icfg;
    let runs = |strategy: Box<dyn Strategy>, seed| {
        let search = Search::new(&model, &icfg, (&[FunctionId(0)], Criterion::Branch), strategy, seed);
        drive(&model, search, 70, counting).inputs.len()
    };
    let named = |name| by_name(name).unwrap();
    let alone: usize = (1..=10).map(|seed| runs(named("pps"), seed)).sum();
    let together: usize = (1..=10).map(|seed| runs(named("pps+fitness"), seed)).sum();
    assert!(3 * together <= alone, "{together} runs in turn, {alone} alone");
}
