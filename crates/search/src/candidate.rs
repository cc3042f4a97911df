//! Candidates: the ways not taken.

use crate::constraint::Outcome;
use crate::tree::NodeId;

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
    /// How far we are with it.
    pub state: CandidateState,
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
}
