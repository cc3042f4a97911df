//! What the search does around any strategy: faults, the filter, runs that go elsewhere.

use tarka_search::{CandidateState, Finished};

use super::nested;
use crate::toy::{Recorder, conditions, explore, explore_with};

#[test]
fn a_check_is_made_to_fail_once_and_after_the_goals() {
    let program = |run: &mut Recorder| {
        for _ in 0..3 {
            if !run.check_not(10, 0, 77, false) {
                return;
            }
        }
        run.less(0, 1, 50);
    };
    let story = explore(&conditions(1), "bfs", 1, 100, program);
    assert_eq!(story.search.goals().open(), 0);
    let failing: Vec<_> = story.inputs.iter().filter(|input| input[0] == 77).collect();
    assert_eq!(failing.len(), 1, "{:?}", story.inputs);
    assert_eq!(story.inputs.last().unwrap()[0], 77, "coverage comes first");
}

#[test]
fn a_check_that_cannot_fail_gets_a_few_attempts_only() {
    // Ten checks on every path, on none of them can the byte be 200.
    let program = |run: &mut Recorder| {
        if !run.less(0, 1, 150) {
            return;
        }
        for limit in 1..11 {
            run.less(2, 1, limit);
            run.check_not(10, 1, 200, false);
        }
        run.condition(1, false, 0);
    };
    let story = explore(&conditions(3), "bfs", 1, 50, program);
    let attempts = story.tried.iter().filter(|&&id| story.search.tree().candidate(id).is_fault).count();
    assert!((1..=6).contains(&attempts), "{attempts}");
}

#[test]
fn leaving_an_object_of_guessed_size_is_never_tried() {
    let program = |run: &mut Recorder| {
        run.check_not(10, 0, 77, true);
        run.less(0, 1, 50);
    };
    let story = explore(&conditions(1), "bfs", 1, 100, program);
    assert!(story.inputs.iter().all(|input| input[0] != 77));
}

#[test]
fn with_the_filter_covered_goals_end_the_search_and_without_it_every_path_is_run() {
    let runs = |filter| explore_with(&conditions(3), "bfs", filter, nested).inputs.len();
    assert_eq!((runs(true), runs(false)), (4, 6));
}

#[test]
fn a_run_that_goes_elsewhere_is_a_divergence() {
    // What decides c0 is not what the trace says: the other side is never taken.
    let program = |run: &mut Recorder| {
        let limit = run.constant(8, 10);
        let label = run.node(tarka_trace::Op::Ult, 1, [tarka_trace::input_label(0), limit, 0]);
        run.condition(0, true, label);
    };
    let story = explore(&conditions(1), "bfs", 1, 10, program);
    assert_eq!(story.search.tree().candidate(story.tried[0]).state, CandidateState::Diverged);
    assert_eq!(story.finished, Some(Finished::Exhausted));
}
