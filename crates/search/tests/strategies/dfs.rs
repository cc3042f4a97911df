//! `dfs`, and `bfs` beside it.

use super::nested;
use crate::toy::{conditions, explore};

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
fn candidates_below_the_bound_of_depth_first_search_wait_but_are_not_lost() {
    use tarka_search::strategy::{DepthFirst, RunSummary, Strategy};
    let story = explore(&conditions(3), "bfs", 1, 1, nested);
    let tree = story.search.tree();
    let view = story.search.view();
    let all: Vec<_> = (0..tree.candidate_count() as u32).map(tarka_search::CandidateId).collect();
    let mut dfs = DepthFirst::with_bound(2);
    let (terms, run) = (tarka_terms::Terms::new(), 1);
    dfs.absorb(
        view,
        &all,
        RunSummary {
            run,
            new_goals: &[],
            covers: &[],
            depth: 3,
            last: None,
            terms: &terms,
            input: &Vec::new(),
        },
    );
    let mut rng = tarka_search::Rng::new(1);
    let order: Vec<u32> =
        std::iter::from_fn(|| dfs.choose(view, &mut rng)).map(|id| tree.node_of(id).depth).collect();
    assert_eq!(order, [1, 0, 2]);
}
