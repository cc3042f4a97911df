//! Candidates: the ways not taken.
//!
//! Plain data: a node of the tree, the outcome that nobody has seen there, and what became of it. Never: which one to try.

use crate::paths::constraint::Outcome;
use crate::paths::tree::NodeId;

/// A candidate, by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct CandidateId(pub u32);

/// A decision that could have gone another way.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where.
    pub node: NodeId,
    /// The other way.
    pub outcome: Outcome,
    /// Taking it makes a check fail: worth a try for the fault, not for coverage.
    pub is_fault: bool,
    /// It asks for several conditions of a decision at once. What becomes of it says nothing about its branch alone.
    pub is_constructed: bool,
    /// How far we are with it.
    pub state: CandidateState,
}

impl Candidate {
    /// True if it asks for its branch and nothing else: an answer is one about the branch.
    pub fn is_plain(&self) -> bool {
        !self.is_fault && !self.is_constructed
    }
}

/// How far we are with a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CandidateState {
    /// Nobody has tried it.
    Open,
    /// It is being solved or run.
    Running,
    /// No input goes this way.
    Infeasible,
    /// The solver could not tell.
    Unknown,
    /// There was an input for it, but the run went elsewhere.
    Diverged,
    /// A run has gone this way.
    Done,
    /// Nothing that is still open can be reached this way.
    Irrelevant,
}
