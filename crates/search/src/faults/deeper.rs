//! Ways on into loops, for what cannot go wrong in their first rounds.
//!
//! Takes the candidates of each run; gives, once nothing else is worth a try, those that make a loop go on which the path has
//! been through before: a sum overflows in its second round at the earliest, and an index that counts rounds leaves its array
//! after enough of them. At last rounds go on that take another way inside: an index may count commas, not characters.
//! Never: more than a few.

use std::collections::VecDeque;

use tarka_trace::EventKind;

use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::tree::PathTree;

/// Choices in all. Whoever wants to go deeper has goals to cover there.
const MOST: u32 = 64;

/// So many of them come first and only make loops go on.
const MOST_ROUNDS: u32 = 16;

/// Candidates kept, and new candidates of a run that are looked at, from its end.
const MOST_KEPT: usize = 64;

/// Decisions above a candidate that are looked at.
const REACH: usize = 64;

/// Candidates that go on in a loop.
#[derive(Default)]
pub(crate) struct Deeper {
    kept: VecDeque<CandidateId>,
    chosen: u32,
    /// The site of the last choice.
    last: Option<u32>,
}

impl Deeper {
    pub(crate) fn absorb(&mut self, tree: &PathTree, new: &[CandidateId]) {
        if self.chosen >= MOST {
            return;
        }
        let last = &new[new.len().saturating_sub(MOST_KEPT)..];
        self.kept.extend(last.iter().copied().filter(|&id| is_in_a_loop(tree, id)));
        let surplus = self.kept.len().saturating_sub(MOST_KEPT);
        // The oldest and the newest are the ones that are asked for.
        let middle = (self.kept.len() - surplus) / 2;
        self.kept.drain(middle..middle + surplus);
    }

    /// Forgets candidates, but not how many were chosen.
    pub(crate) fn restart(&mut self) {
        self.kept.clear();
    }

    /// By turns the newest, which goes on where the last one went, and the oldest; later the newest at another site than the
    /// last: then the next round begins, and the branch inside it is turned.
    pub(crate) fn choose(&mut self, tree: &PathTree) -> Option<CandidateId> {
        let untried = |&id: &CandidateId| {
            matches!(tree.candidate(id).state, CandidateState::Open | CandidateState::Irrelevant)
        };
        if self.chosen >= MOST {
            return None;
        }
        self.kept.retain(untried);
        let site = |id: CandidateId| tree.node_of(id).site;
        let takes_oldest = self.chosen < MOST_ROUNDS && self.chosen % 4 == 3;
        let other = || self.kept.iter().rposition(|&id| Some(site(id)) != self.last);
        let index = match self.chosen {
            _ if takes_oldest => 0,
            0..MOST_ROUNDS => self.kept.len().checked_sub(1)?,
            _ => other().or(self.kept.len().checked_sub(1))?,
        };
        let next = self.kept.remove(index)?;
        self.chosen += 1;
        self.last = Some(site(next));
        Some(next)
    }
}

fn is_in_a_loop(tree: &PathTree, id: CandidateId) -> bool {
    let node = tree.node_of(id);
    let mut above = std::iter::successors(tree.above(node), |at| tree.above(at)).take(REACH);
    node.kind != EventKind::Check && above.any(|at| at.site == node.site)
}
