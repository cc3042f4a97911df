//! When a loop should go on by more than one round.
//!
//! Takes the candidates whose questions are asked; says for which of them the solver had better doubles_loop: those at a site that
//! the path has passed several times already. Every other one, so that the next round is tried as well.

use std::collections::BTreeMap;

use tarka_search::{CandidateId, PathTree};

/// Times a site is passed before its loop is taken for a long one.
const ROUNDS: usize = 3;

/// Decisions above a candidate that are looked at.
const REACH: usize = 64;

/// What was asked so far.
#[derive(Default)]
pub(crate) struct LongLoops {
    /// Questions at each site after some rounds.
    asked: BTreeMap<u32, u64>,
}

impl LongLoops {
    /// Whether to double the loop of this candidate.
    pub(crate) fn wanted(&mut self, tree: &PathTree, candidate: CandidateId) -> bool {
        let node = tree.node_of(candidate);
        let above = std::iter::successors(tree.above(node), |at| tree.above(at));
        let rounds = above.take(REACH).filter(|at| at.site == node.site).take(ROUNDS).count();
        if rounds < ROUNDS {
            return false;
        }
        let asked = self.asked.entry(node.site).or_default();
        *asked += 1;
        *asked % 2 == 1
    }
}
