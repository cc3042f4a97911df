//! `auto`.

use tarka_trace::{Op, input_label};

use crate::toy::{Recorder, conditions, explore};

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

/// After paper 3's `total`: six orders in a row. Byte 0 says which of them are large (site 0), and only a large one can be
/// very large (site 1): if byte 1 says so, too.
fn orders(run: &mut Recorder) {
    for order in 0..6 {
        let (mask, zero) = (run.constant(8, 1 << order), run.constant(8, 0));
        let masked = run.node(Op::And, 8, [input_label(0), mask, 0]);
        let is_large = run.node(Op::Ne, 1, [masked, zero, 0]);
        let limit = run.constant(8, 200);
        let is_huge = run.node(Op::Ult, 1, [limit, input_label(1), 0]);
        let both = run.node(Op::And, 1, [is_large, is_huge, 0]);
        let large = run.input[0] >> order & 1 == 1;
        run.condition(0, large, is_large);
        run.condition(1, large && run.input[1] > 200, both);
    }
}

#[test]
fn a_branch_that_is_refused_twice_is_tried_behind_another_branch() {
    let in_vain = |strategy, seed| {
        let story = explore(&conditions(2), strategy, seed, 64, orders);
        assert_eq!(story.search.goals().open(), 0, "{strategy}");
        let view = story.search.view();
        let asked = story.tried.iter().filter(|&&candidate| view.branch(candidate) == (1, 1)).count();
        asked - 1
    };
    let refused = |strategy| (1..=8).map(|seed| in_vain(strategy, seed)).collect::<Vec<_>>();
    assert!(refused("auto").iter().all(|&times| times <= 2), "{:?}", refused("auto"));
    let most = refused("expectation").into_iter().max();
    assert!(most > Some(2), "alone, its best member asks again where the order is not large: {most:?}");
}
