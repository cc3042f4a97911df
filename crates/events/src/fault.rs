//! A fault: what went wrong, where, on which way, and what class of fault it is.

use serde::{Deserialize, Serialize};
use tarka_scenario::Executed;
use tarka_source::Place;
use tarka_trace::FaultKind;

/// A fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What kind.
    #[serde(with = "by_name")]
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
    /// The smallest scenario found that shows it.
    pub executed: Executed,
    /// The decisions of the source that lead there, in order.
    pub history: Vec<FaultStep>,
    /// What it is to those who read of it.
    pub class: FaultClass,
    /// Why it is of that class, in words: "n is checked, but not enough".
    pub why: String,
    /// What would keep it away, for a contract.
    pub need: Option<Need>,
    /// Some value of the input decides over it: callers could prevent it.
    pub is_preventable: bool,
    /// Whether the callers of a static function get there; `None` for functions that anybody may call.
    pub reached: Option<Reached>,
    /// The other functions under test that show the same fault, the first callers first.
    pub callers: Vec<Caller>,
    /// The function under test whose list tells this fault, if it is another one: it is one of that fault's callers.
    pub reported_by: Option<String>,
}

/// Whether the callers of a static function get to a fault in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reached {
    /// Nobody knows: the search from some caller did not come to its end.
    Unknown,
    /// Some caller does.
    Yes,
    /// The search from every caller in the file came to its end without it. That is no proof.
    No,
}

impl Reached {
    /// As the report writes it.
    pub fn name(self) -> &'static str {
        match self {
            Reached::Unknown => "unknown",
            Reached::Yes => "yes",
            Reached::No => "no",
        }
    }
}

/// A function under test that shows a fault which another one tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Its name.
    pub unit: String,
    /// What the fault is seen from there.
    pub class: FaultClass,
    /// What would keep it away from there.
    pub need: Option<Need>,
}

/// One decision on the way to a fault; the same one taken the same way several times in a row is one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultStep {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl Fault {
    /// A fault of which nothing is known yet but what went wrong, where and in which scenario: a bug until somebody looks.
    pub fn new(kind: FaultKind, function: String, place: Place, executed: Executed) -> Fault {
        Fault {
            kind,
            place,
            function,
            message: kind.words().to_string(),
            run: 0,
            stack: Vec::new(),
            related: Vec::new(),
            executed,
            history: Vec::new(),
            class: FaultClass::Bug,
            why: String::new(),
            need: None,
            is_preventable: false,
            reached: None,
            callers: Vec::new(),
            reported_by: None,
        }
    }

    /// What makes two reports one: kind, file and line.
    pub fn root_cause(&self) -> (FaultKind, &str, u32) {
        (self.kind, &self.place.file, self.place.line)
    }
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// In words: "needs p != NULL".
    pub words: String,
    /// As a precondition in C over parameters and globals, ready for `tarka.toml`; `None` if it cannot be said so.
    pub expression: Option<String>,
}

/// A kind of fault by its name, as reports write it.
mod by_name {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tarka_trace::FaultKind;

    pub(super) fn serialize<S: Serializer>(kind: &FaultKind, serializer: S) -> Result<S::Ok, S::Error> {
        kind.name().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaultKind, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("no kind of fault is called {name}"));
        FaultKind::from_name(&name).ok_or_else(unknown)
    }
}
