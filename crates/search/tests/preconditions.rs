//! Decisions that stand before or beside the unit's own: preconditions, and calls through pointers.

use std::collections::BTreeSet;

use crate::toy::{Recorder, branch_search, conditions, drive, explore};
use tarka_search::Finished;
use tarka_search::strategy::AVAILABLE;
use tarka_source::SiteId;

const ASSUMPTION: u32 = 50;

/// Nothing of the unit is seen before both bytes are as required; zero is not.
fn guarded(run: &mut Recorder) {
    let wrong = run.requires_less(ASSUMPTION, 0, 1);
    run.refused = wrong;
    if !wrong && run.requires_less(ASSUMPTION + 1, 0, 9) {
        run.less(0, 1, 40);
    }
}

#[test]
fn every_strategy_gets_past_a_precondition_that_the_first_input_breaks() {
    for name in AVAILABLE {
        let story = explore(&conditions(1), name, 1, 100, guarded);
        assert_eq!(story.finished, Some(Finished::AllCovered), "{name}");
    }
}

#[test]
fn a_precondition_that_nothing_satisfies_is_exhausted_and_nothing_is_covered() {
    let contradictory = |run: &mut Recorder| {
        let small = run.requires_less(ASSUMPTION, 0, 5);
        run.refused = true;
        if !small && !run.requires_less(ASSUMPTION + 1, 0, 5) {
            run.less(0, 1, 40);
        }
    };
    for name in AVAILABLE {
        let story = explore(&conditions(1), name, 1, 100, contradictory);
        assert_eq!(story.finished, Some(Finished::Exhausted), "{name}");
        assert_eq!(story.search.goals().covered(), 0, "{name}");
        assert_eq!(story.search.tree().open_candidates(), 0, "{name}");
    }
}

#[test]
fn a_run_that_a_precondition_ended_covers_nothing_but_its_path_is_known() {
    // The unit's own first condition is its assertion: where it fails, the run is no test.
    let asserting = |run: &mut Recorder| {
        run.refused = run.less(0, 0, 10);
    };
    let story = explore(&conditions(1), "auto", 1, 100, asserting);
    assert_eq!(story.finished, Some(Finished::Exhausted));
    assert_eq!((story.search.goals().covered(), story.inputs.len()), (1, 2));
}

#[test]
fn a_goal_that_a_precondition_rules_out_is_not_waited_for() {
    // One condition is the assertion, the other is in a loop that goes on for long.
    let program = |run: &mut Recorder| {
        run.refused = run.less(0, 0, 1);
        if !run.refused {
            (1..200).for_each(|limit| _ = run.less(1, 1, limit));
        }
    };
    let model = conditions(2);
    let mut search = branch_search(&model, "auto", 1);
    search.exclude(SiteId(0), 1);
    let story = drive(&model, search, 100, program);
    let goals = story.search.goals();
    assert_eq!(story.finished, Some(Finished::AllCovered));
    assert_eq!((goals.covered(), goals.open()), (3, 0));
    assert!((0..4).all(|goal| goals.is_excluded(goal) == (goal == 1)));
    assert!(story.inputs.len() < 10, "{} runs", story.inputs.len());
}

#[test]
fn every_function_a_pointer_may_hold_is_called() {
    // Addresses are wider than 32 bits; the pointer's domain are six functions.
    let program = |run: &mut Recorder| {
        let known = run.requires_less(ASSUMPTION, 0, 6);
        if known && run.call_through(60, 0, 0x5555_4000_1000) == 5 {
            run.less(0, 1, 7);
        }
    };
    for name in AVAILABLE {
        let story = explore(&conditions(1), name, 1, 100, program);
        assert_eq!(story.finished, Some(Finished::AllCovered), "{name}");
        // All are tried where nothing is left to cover but what never comes.
        let story = explore(&conditions(2), name, 1, 100, program);
        assert_eq!(story.finished, Some(Finished::Exhausted), "{name}");
        let called: BTreeSet<u8> = story.inputs.iter().map(|input| input[0]).collect();
        assert!((0..6).all(|function| called.contains(&function)), "{name}: {called:?}");
        assert_eq!(story.search.tree().open_candidates(), 0, "{name}");
    }
}

#[test]
fn a_unit_without_goals_is_searched_until_a_run_meets_its_precondition() {
    // Zero is what the precondition does not allow.
    let program = |run: &mut Recorder| run.refused = run.requires_less(ASSUMPTION, 0, 1);
    for name in AVAILABLE {
        let story = explore(&conditions(0), name, 1, 100, program);
        assert_eq!((story.finished, story.inputs.len()), (Some(Finished::AllCovered), 2), "{name}");
    }
}
