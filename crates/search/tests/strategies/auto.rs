//! `auto`.

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
