//! The part of the path tree next to its root, as plain data that can be shown to people.
//!
//! Takes the tree, gives its first decisions, level by level. Checks that decide nothing are no part of a path and are left
//! out. Never: terms, words.

use std::collections::VecDeque;

use tarka_trace::EventKind;

use crate::paths::candidate::{CandidateId, CandidateState};
use crate::paths::constraint::Outcome;
use crate::paths::tree::{NodeId, PathTree};

/// The first decisions of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SketchedTree {
    /// The decisions, those above before those below.
    pub nodes: Vec<SketchedNode>,
    /// The decisions with nothing above them, by index.
    pub roots: Vec<usize>,
    /// Decisions of the tree that are not among these.
    pub left_out: usize,
}

/// A decision after one particular prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SketchedNode {
    /// The site's number.
    pub site: u32,
    /// What kind of decision.
    pub kind: EventKind,
    /// The ways on, those taken first.
    pub ways: Vec<(Outcome, SketchedWay)>,
}

/// Where a way leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SketchedWay {
    /// To the decision at this index.
    Node(usize),
    /// To decisions that are left out.
    LeftOut,
    /// A run went this way, and the input decided nothing more.
    End,
    /// No run went this way: what became of the candidate.
    NotTaken(CandidateState),
}

impl PathTree {
    /// The first decisions, at most `most`, level by level.
    pub fn sketch(&self, most: usize) -> SketchedTree {
        let mut shown: Vec<NodeId> = Vec::new();
        let mut queue: VecDeque<NodeId> = self.variants(self.first_after(None)).collect();
        while let Some(node) = queue.pop_front().filter(|_| shown.len() < most) {
            shown.push(node);
            let edges = 0..self.node(node).edges.iter().count() as u32;
            queue.extend(edges.flat_map(|edge| self.variants(self.first_after(Some((node, edge))))));
        }
        let mut index_of: Vec<(NodeId, usize)> = shown.iter().copied().zip(0..).collect();
        index_of.sort_unstable();
        let index = |node: NodeId| {
            let found = index_of.binary_search_by_key(&node, |&(known, _)| known);
            found.ok().map(|at| index_of[at].1)
        };
        let decisions = self.nodes.iter().filter(|node| node.kind != EventKind::Undefined).count();
        SketchedTree {
            roots: self.variants(self.first_after(None)).filter_map(index).collect(),
            left_out: decisions.saturating_sub(shown.len()),
            nodes: shown.iter().map(|&node| self.sketched(node, &index)).collect(),
        }
    }

    fn sketched(&self, id: NodeId, index: &dyn Fn(NodeId) -> Option<usize>) -> SketchedNode {
        let node = self.node(id);
        let mut ways = Vec::new();
        for (number, edge) in (0..).zip(node.edges.iter()) {
            let before = ways.len();
            let below = self.variants(self.first_after(Some((id, number))));
            ways.extend(below.filter_map(index).map(|child| (edge.outcome, SketchedWay::Node(child))));
            if ways.len() == before {
                let way = if edge.child.is_some() { SketchedWay::LeftOut } else { SketchedWay::End };
                ways.push((edge.outcome, way));
            }
        }
        let not_taken = node.candidates.clone().map(|id| self.candidate(CandidateId(id)));
        let not_taken = not_taken.filter(|candidate| candidate.state != CandidateState::Done);
        ways.extend(not_taken.map(|left| (left.outcome, SketchedWay::NotTaken(left.state))));
        SketchedNode { site: node.site, kind: node.kind, ways }
    }

    /// The decisions that follow each other under the same prefix in different runs: nearly always one.
    fn variants(&self, first: Option<NodeId>) -> impl Iterator<Item = NodeId> {
        std::iter::successors(first, |&node| self.node(node).next_variant)
    }
}
