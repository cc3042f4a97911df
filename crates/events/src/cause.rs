//! Why a goal is not covered: the kinds of proof, and the kinds of what stands in the way.

use serde::{Deserialize, Serialize};

/// Why a goal can never be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Proof {
    /// Every way that may lead there was tried.
    Exhausted,
    /// What must hold to get there contradicts itself, whatever happens on the way.
    Contradiction,
    /// No way through the program leads there.
    Unreachable,
    /// A precondition of the user rules it out.
    Precondition,
}

impl Proof {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Proof::Exhausted => "exhausted",
            Proof::Contradiction => "contradiction",
            Proof::Unreachable => "unreachable",
            Proof::Precondition => "precondition",
        }
    }
}

/// What keeps a goal from being covered or proved infeasible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// Time or runs were used up while there were ways left to try.
    Budget,
    /// The solver gave no answer.
    Solver,
    /// A value that depends on the inputs was followed no further.
    Concretisation,
    /// A stub has too few values.
    Stub,
    /// A function without a body here, of the library or in assembly, is not modelled.
    Model,
    /// Inputs are not made larger or deeper than this.
    Bound,
    /// Something decides that is not an input.
    Environment,
    /// Pointers may share objects in more ways than were tried.
    Sharing,
    /// It depends on the number that a pointer is.
    Address,
    /// A fault on the way leaves behind what nobody can tell.
    Fault,
    /// Runs were stopped before their end, or their path was too long to keep.
    Stopped,
    /// The search covered it, but no emitted test does.
    Replay,
    /// It was called infeasible, and an input takes it on the plain program: a mistake of ours.
    Refuted,
    /// The unit could not be run.
    Error,
}

impl Cause {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Budget => "budget",
            Cause::Solver => "solver",
            Cause::Concretisation => "concretisation",
            Cause::Stub => "stub",
            Cause::Model => "model",
            Cause::Bound => "bound",
            Cause::Environment => "environment",
            Cause::Sharing => "sharing",
            Cause::Address => "address",
            Cause::Fault => "fault",
            Cause::Stopped => "stopped",
            Cause::Replay => "replay",
            Cause::Refuted => "refuted",
            Cause::Error => "error",
        }
    }
}
