//! A fault: what went wrong, where, on which way, and whose mistake it is.

use tarka_source::Place;
use tarka_trace::FaultKind;

use crate::Input;

/// A fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// Where.
    pub place: Place,
    /// Function the place is in.
    pub function: String,
    /// One sentence.
    pub message: String,
    /// First run that showed it.
    pub run: u64,
    /// Call stack, innermost first.
    pub stack: Vec<(String, Place)>,
    /// Places that belong to it, in words: where the object was allocated, where it was freed.
    pub related: Vec<(String, Place)>,
    /// The smallest input found that shows it.
    pub input: Input,
    /// The decisions of the source that lead there, in order.
    pub history: Vec<Step>,
    /// Whose mistake it is.
    pub blame: Blame,
}

/// One decision on the way to a fault; the same one taken the same way several times in a row is one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where.
    pub place: Place,
    /// Source text of the condition or of the switch's operand.
    pub text: String,
    /// `true`, `false`, or the case as the source writes it (`case 3`, `default`).
    pub outcome: String,
    /// How often in a row.
    pub times: u32,
}

/// Whose mistake a fault is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The unit's: it happens with inputs that the unit itself let pass, or whatever the caller does.
    Unit,
    /// The caller's, if the unit may expect something of it: nothing on the way there looks at the inputs that decide
    /// over the fault.
    Caller(Need),
}

/// What a unit needs of its callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// In words: "needs p != NULL".
    pub words: String,
    /// As a precondition in C over parameters and globals, ready for `tarka.toml`; `None` if it cannot be said so.
    pub expression: Option<String>,
}
