//! What the text of a unit says before any run, for the strategies that ask: one subject a file.
//!
//! Takes the source model and the inter-procedural control-flow graph, once; what depends on coverage is kept up to date
//! as goals are covered. Never: the path tree, candidates.

pub(crate) mod branches;
mod calls;
pub(crate) mod dependence;
pub(crate) mod distance;
pub(crate) mod dominators;
pub(crate) mod expectation;
pub(crate) mod goals;
pub(crate) mod nearby;
pub(crate) mod usage;

use branches::BranchGraph;
use goals::{Change, GoalMap};

use crate::strategy::{RunSummary, UnitFacts, View};

/// The branch graph of a unit with its goals on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    /// Which branches come next.
    pub(crate) graph: BranchGraph,
    /// What is open, and where.
    pub(crate) goals: GoalMap,
}

impl Ground {
    pub(crate) fn new(unit: UnitFacts) -> Ground {
        let graph = BranchGraph::new(unit);
        Ground { goals: GoalMap::new(unit, &graph), graph }
    }

    /// Takes what a run covered.
    pub(crate) fn update(&mut self, view: View, run: RunSummary) -> Change {
        self.goals.update(&self.graph, view.sites, view.goals, run.new_goals)
    }
}

#[cfg(test)]
mod tests {
    //! What is kept up to date is the same as what is worked out anew.

    use super::branches::BranchGraph;
    use super::distance::{Distances, FAR};
    use super::expectation::Weights;
    use super::goals::GoalMap;
    use super::nearby::Nearby;
    use crate::rng::Rng;

    /// A random graph with loops, and the order in which its goals are covered.
    fn random(seed: u64) -> (BranchGraph, Vec<u32>) {
        let mut rng = Rng::new(seed);
        let branches = 2 + rng.below(30) as u32;
        let mut any = || rng.below(branches as usize) as u32;
        let edges: Vec<_> = (0..2 * branches).map(|_| (any(), any())).collect();
        let mut order: Vec<u32> = (0..branches).collect();
        (0..order.len()).for_each(|at| order.swap(at, any() as usize));
        (BranchGraph::drawn(branches, &edges), order)
    }

    #[test]
    fn covering_goals_one_by_one_or_several_at_once_gives_what_a_fresh_look_gives() {
        for seed in 0..300 {
            let (graph, order) = random(seed);
            let count = order.len() as u32;
            let mut goals = GoalMap::drawn(count, |_| true);
            let mut distances = Distances::new(&graph, &goals);
            let mut weights = Weights::new(&graph, &goals);
            let mut nearby = Nearby::new(&graph, &goals, 3);
            for (index, closed) in order.chunks(1 + seed as usize % 3).enumerate() {
                let still_open =
                    |goal| !order[..(index * (1 + seed as usize % 3) + closed.len())].contains(&goal);
                goals = GoalMap::drawn(count, still_open);
                let before: Vec<_> = (0..count).map(|at| weights.of_branch(&graph, at)).collect();
                distances.close(&graph, closed);
                nearby.close(&graph, closed);
                let changed = weights.close(&graph, &goals, closed);
                let fresh = Distances::new(&graph, &goals);
                let fresh_weights = Weights::new(&graph, &goals);
                let fresh_nearby = Nearby::new(&graph, &goals, 3);
                for branch in 0..count {
                    let context = format!("seed {seed}, branch {branch}");
                    assert_eq!(
                        distances.of_branch(&graph, branch),
                        fresh.of_branch(&graph, branch),
                        "{context}"
                    );
                    assert_eq!(
                        nearby.of_branch(&graph, branch),
                        fresh_nearby.of_branch(&graph, branch),
                        "{context}"
                    );
                    let weight = weights.of_branch(&graph, branch);
                    assert_eq!(weight, fresh_weights.of_branch(&graph, branch), "{context}");
                    assert_eq!(changed.contains(&branch), weight != before[branch as usize], "{context}");
                }
            }
            assert!((0..count).all(|branch| distances.of_branch(&graph, branch) == FAR));
        }
    }

    #[test]
    fn weights_follow_the_three_rules_of_the_paper() {
        // 0 and 1 have no successors; 2 leads to both, 3 to 0 alone, 4 to 2 and back to itself, 5 to 3 and 4.
        let graph = BranchGraph::drawn(6, &[(2, 0), (2, 1), (3, 0), (4, 2), (4, 4), (5, 3), (5, 4)]);
        let weights = |open: &[u32]| {
            let weights = Weights::new(&graph, &GoalMap::drawn(6, |goal| open.contains(&goal)));
            [0, 1, 2, 3, 4, 5].map(|branch| weights.of_branch(&graph, branch))
        };
        assert_eq!(weights(&[]), [0.0; 6]);
        // Rule 1: 1 or 0. Rule 3: the mean, three quarters of it where all successors weigh the same. 4 is cut off from itself.
        assert_eq!(weights(&[0]), [1.0, 0.0, 0.5, 0.75, 0.25, 0.5]);
        assert_eq!(weights(&[0, 1]), [1.0, 1.0, 0.75, 0.75, 0.375, 0.5625]);
        // Rule 2: one more than the mean, the same or not.
        assert_eq!(weights(&[0, 1, 2, 4]), [1.0, 1.0, 2.0, 0.75, 2.5, 1.625]);
    }

    #[test]
    fn distances_count_branches_and_goals_are_near_down_to_the_last_level() {
        // 0 leads to 1, that to 2 and so on to 4, and back to 0.
        let graph = BranchGraph::drawn(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
        let goals = GoalMap::drawn(5, |goal| goal == 3);
        let distances = Distances::new(&graph, &goals);
        assert_eq!([0, 1, 2, 3, 4].map(|branch| distances.of_branch(&graph, branch)), [3, 2, 1, 0, 4]);
        let nearby = Nearby::new(&graph, &goals, 3);
        assert_eq!([0, 1, 2, 3, 4].map(|branch| nearby.of_branch(&graph, branch)), [1, 1, 1, 1, 0]);
    }
}
