//! The paths of the tree, as far as slicing needs them.
//!
//! Takes decisions of the path tree, each once; gives the path that leads to one. What a path reads stands close together
//! here: the nodes of the tree are several times as large, and most of a path is known from earlier runs.

use tarka_terms::{Support, Terms};

use super::clauses::ClauseHasher;
use super::fingerprint::Bits;
use crate::paths::tree::NodeId;
use crate::strategy::View;

/// A decision on a path.
#[derive(Clone, Copy)]
pub(super) struct PathDecision {
    /// The bytes it reads.
    pub(super) support: Support,
    /// The decision before it, and the clause that this one went as it did.
    pub(super) before: Option<(NodeId, Bits)>,
}

/// The decisions of all paths, by node.
#[derive(Default)]
pub(super) struct PathDecisions(Vec<Option<PathDecision>>);

impl PathDecisions {
    /// The step of a decision.
    #[inline]
    pub(super) fn of(
        &mut self,
        view: View,
        terms: &Terms,
        hasher: &mut ClauseHasher,
        id: NodeId,
    ) -> PathDecision {
        let index = id.index();
        if let Some(&Some(known)) = self.0.get(index) {
            return known;
        }
        let node = view.tree.node(id);
        let before = node.parent.and_then(|(before, edge)| {
            let decision = view.tree.node(before);
            let taken = decision.edges.iter().nth(edge as usize)?;
            Some((before, hasher.clause(terms, decision, taken.outcome).bits()))
        });
        let step = PathDecision { support: terms.support(node.operand), before };
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        self.0[index] = Some(step);
        step
    }
}
