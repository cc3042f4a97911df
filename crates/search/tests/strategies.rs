//! Every strategy on hand-made programs.

mod toy;

use std::collections::BTreeSet;

use tarka_search::strategy::{AVAILABLE, by_name};
use tarka_search::{CandidateState, Finished};
use toy::{Recorder, conditions, explore, explore_with};

/// Two nested conditions and one behind them: five paths, six branches.
fn nested(run: &mut Recorder) {
    if run.less(0, 0, 10) {
        run.less(1, 0, 5);
    }
    run.less(2, 1, 100);
}

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
fn depth_first_takes_the_deepest_and_breadth_first_the_shallowest() {
    let depths = |name| {
        let story = explore(&conditions(3), name, 1, 2, nested);
        let first = story.tried[0];
        story.search.tree().node_of(first).depth
    };
    assert_eq!(depths("dfs"), 2);
    assert_eq!(depths("bfs"), 0);
}

#[test]
fn auto_prefers_an_uncovered_branch_to_a_shallow_one() {
    // The second look at byte 0 is covered both ways by the first run; c1's other side is not, though it is deeper.
    let program = |run: &mut Recorder| {
        run.less(0, 0, 5);
        let other = run.input[0] < 9;
        run.coverage[other as usize ^ 1] = 1;
        run.coverage[other as usize] = 1;
        run.less(1, 1, 50);
    };
    let story = explore(&conditions(2), "auto", 1, 2, program);
    assert_eq!(story.search.tree().node_of(story.tried[0]).site, 1);
}

#[test]
fn random_branch_depends_on_the_seed_only() {
    let tried = |seed| explore(&conditions(3), "random-branch", seed, 4, nested).inputs;
    assert_eq!(tried(3), tried(3));
    let different: BTreeSet<_> = (0..8).map(tried).collect();
    assert!(different.len() > 1);
}

#[test]
fn candidates_below_the_bound_of_depth_first_search_wait_but_are_not_lost() {
    use tarka_search::strategy::{DepthFirst, RunSummary, Strategy};
    let story = explore(&conditions(3), "bfs", 1, 1, nested);
    let tree = story.search.tree();
    let view = story.search.view();
    let all: Vec<_> = (0..tree.candidate_count() as u32).map(tarka_search::CandidateId).collect();
    let mut dfs = DepthFirst::with_bound(2);
    let (terms, run) = (tarka_terms::Terms::new(), 1);
    dfs.absorb(view, &all, RunSummary { run, new_goals: &[], depth: 3, last: None, terms: &terms });
    let mut rng = tarka_search::Rng::new(1);
    let order: Vec<u32> =
        std::iter::from_fn(|| dfs.choose(view, &mut rng)).map(|id| tree.node_of(id).depth).collect();
    assert_eq!(order, [1, 0, 2]);
}

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
fn with_the_filter_covered_goals_end_the_search_and_without_it_every_path_is_run() {
    let runs = |filter| explore_with(&conditions(3), "bfs", filter, nested).inputs.len();
    assert_eq!((runs(true), runs(false)), (4, 6));
}

#[test]
fn a_strategy_that_does_not_exist_is_refused_with_those_that_do() {
    let message = |name| by_name(name).err().unwrap().to_string();
    assert_eq!(message("tabu"), "the strategy `tabu` comes later; available: auto, dfs, bfs, random-branch");
    assert_eq!(message("best"), "there is no strategy `best`; available: auto, dfs, bfs, random-branch");
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
