//! An input that is to be run next, and what it is for.
//!
//! Plain data, from whoever makes inputs to whoever runs them. Never: which one comes first.

use tarka_inputs::InputBytes;
use tarka_search::CandidateId;
use tarka_solver::Reason;

/// An input to run.
pub(super) struct Next {
    pub input: InputBytes,
    /// The candidate it is for.
    pub aim: Option<CandidateId>,
    pub aliasing: Aliasing,
    /// Why the path to it could not be kept in mind: where the run goes is anyone's guess.
    pub optimistic: Option<Reason>,
    /// It goes the way of a run before, and is to do so without faults.
    pub is_retry: bool,
}

/// Whether pointers of an input may lead to one and the same object. Where such a pointer is followed, the run reads
/// other bytes than the path it was made from, so going elsewhere says nothing about the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aliasing {
    None,
    Some,
    /// Even pointers that the path had followed lead elsewhere now: one way of many, taken to see what happens.
    Moved,
}

impl Next {
    /// Where the run goes says something about the program: nothing else could have led it elsewhere.
    pub(super) fn is_alone(&self) -> bool {
        self.aliasing == Aliasing::None && self.optimistic.is_none()
    }

    /// An input that is for no candidate: the run shows what comes of it.
    pub(super) fn tried(input: InputBytes, aliasing: Aliasing) -> Next {
        Next { input, aim: None, aliasing, optimistic: None, is_retry: false }
    }
}
