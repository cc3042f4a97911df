//! A fault: what went wrong, where, on which way, and what class of fault it is.

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
    /// What it is to those who read of it.
    pub class: FaultClass,
    /// Why it is of that class, in words: "n is checked, but not enough".
    pub why: String,
    /// What would keep it away, for a contract.
    pub need: Option<Need>,
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

/// What a fault is to those who read of it; the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultClass {
    /// Any caller that keeps to the interface can make it happen.
    Bug,
    /// It depends on bytes of a buffer or stream that the unit does not check, or not enough.
    Unchecked,
    /// Callers can keep it away: it depends on pointers and scalars that the unit does not look at, or on its own mutable
    /// structs being consistent.
    Contract,
    /// A limit of ours: a stub ran out of answers, a size was a guess, no caller can build the input. Counted nowhere.
    Limit,
}

impl FaultClass {
    /// All of them, the most serious first.
    pub const ALL: [FaultClass; 4] =
        [FaultClass::Bug, FaultClass::Unchecked, FaultClass::Contract, FaultClass::Limit];

    /// As reports and options write it.
    pub fn name(self) -> &'static str {
        match self {
            FaultClass::Bug => "bug",
            FaultClass::Unchecked => "unchecked",
            FaultClass::Contract => "contract",
            FaultClass::Limit => "limit",
        }
    }

    /// The class of that name.
    pub fn from_name(name: &str) -> Option<FaultClass> {
        FaultClass::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// What a unit needs of its callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// In words: "needs p != NULL".
    pub words: String,
    /// As a precondition in C over parameters and globals, ready for `tarka.toml`; `None` if it cannot be said so.
    pub expression: Option<String>,
}
