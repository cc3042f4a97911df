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
