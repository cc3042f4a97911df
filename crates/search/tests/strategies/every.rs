//! What holds for every strategy.

use tarka_search::Finished;
use tarka_search::strategy::{AVAILABLE, by_name};

use super::nested;
use crate::toy::{Recorder, conditions, explore};

/// A loop over the first byte, then a condition that only holds after five rounds.
fn looping(run: &mut Recorder) {
    let mut rounds = 0;
    while !run.less(0, 0, rounds + 1) && rounds < 20 {
        rounds += 1;
    }
    run.condition(1, rounds == 5, 0);
}

#[test]
fn every_strategy_covers_nested_conditions() {
    for name in AVAILABLE {
        let story = explore(&conditions(3), name, 1, 100, nested);
        assert_eq!(story.search.goals().open(), 0, "{name}");
        assert_eq!(story.finished, Some(Finished::AllCovered), "{name}");
        assert!(story.inputs.len() <= 6, "{name} took {} runs", story.inputs.len());
    }
}

#[test]
fn every_strategy_finds_the_round_of_a_loop_that_matters() {
    for name in AVAILABLE {
        let story = explore(&conditions(2), name, 1, 100, looping);
        assert_eq!(story.search.goals().open(), 0, "{name}");
    }
}

#[test]
fn every_strategy_exhausts_a_tree_with_an_impossible_branch() {
    // c1 can never be true: the byte is below 10 there.
    let program = |run: &mut Recorder| {
        if run.less(0, 0, 10) {
            let limit = run.constant(8, 10);
            let label = run.node(tarka_trace::Op::Ule, 1, [limit, tarka_trace::input_label(0), 0]);
            run.condition(1, run.input[0] >= 10, label);
            run.less(2, 1, 7);
        }
    };
    for name in AVAILABLE {
        let story = explore(&conditions(3), name, 1, 100, program);
        assert_eq!(story.finished, Some(Finished::Exhausted), "{name}");
        assert_eq!(story.search.goals().open(), 1, "{name}");
        assert_eq!(story.search.tree().open_candidates(), 0, "{name}");
        assert!(story.inputs.len() <= 4, "{name}: no path is run twice, so at most one run per path");
    }
}

#[test]
fn a_failed_check_is_flipped_like_a_condition() {
    // The first input, zero, fails the check: everything else is behind it.
    let program = |run: &mut Recorder| {
        if run.check_not(10, 0, 0, false) {
            run.less(0, 1, 50);
        }
    };
    for name in AVAILABLE {
        let story = explore(&conditions(1), name, 1, 100, program);
        assert_eq!(story.search.goals().open(), 0, "{name}");
    }
}

#[test]
fn a_strategy_that_does_not_exist_is_refused_with_those_that_do() {
    let message = by_name("best").err().unwrap().to_string();
    assert_eq!(message, format!("there is no strategy `best`; available: {}", AVAILABLE.join(", ")));
    assert!(message.contains("available: auto, dfs, bfs, "), "{message}");
}

#[test]
fn a_strategy_has_the_name_it_is_asked_for_by() {
    for name in AVAILABLE {
        assert_eq!(by_name(name).unwrap().name(), *name);
    }
}
