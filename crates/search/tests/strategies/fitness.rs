//! `fitness`: a comparison that only earlier branches can move.

use tarka_trace::{Op, input_label};

use super::toy::{Recorder, Story, conditions, explore};

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
    // One run enters, then one more element counts in every run: two to four of them and the goal.
    assert!(search("fitness", 1).inputs.len() <= 7, "{:?}", search("fitness", 1).inputs);
    assert!(search("bfs", 1).inputs.len() > 14, "breadth-first search counts every combination");
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
