//! `generational`: whole generations, the most rewarding run's first.

use crate::toy::{Recorder, conditions, explore};

/// Three conditions on different bits, then more goals behind the second than behind the first.
fn unequal(run: &mut Recorder) {
    let first = run.less(0, 0, 1);
    let second = run.less(1, 1, 1);
    if !first {
        run.less(2, 1, 50);
    }
    if !second {
        run.less(3, 0, 50);
        run.less(4, 0, 60);
        run.less(5, 0, 70);
    }
}

#[test]
fn a_generation_is_tried_whole_and_in_path_order_before_the_children_of_the_best_child() {
    let story = explore(&conditions(6), "generational", 1, 4, unequal);
    let tree = story.search.tree();
    let tried: Vec<(u32, u64)> =
        story.tried.iter().map(|&id| (tree.node_of(id).site, tree.node_of(id).run)).collect();
    // Both ways of run 1; then those of run 3, which covered four goals where run 2 covered two, though none of them
    // is feasible; then those of run 2.
    assert_eq!(tried, [(0, 1), (1, 1), (3, 3), (4, 3), (5, 3), (1, 2)]);
}
