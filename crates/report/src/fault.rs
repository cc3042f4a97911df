//! A fault in `report.json`. Scripts rely on it: fields may be added, never renamed.

use serde::{Deserialize, Serialize};

/// A fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Kind.
    pub kind: String,
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Function the place is in.
    pub function: String,
    /// One sentence.
    pub message: String,
    /// `bug`, or `contract`: it happens only if the caller does not give what the unit may expect.
    #[serde(default)]
    pub class: String,
    /// What a contract needs of callers; null for a bug.
    #[serde(default)]
    pub precondition: Option<Precondition>,
    /// Where it stands among all faults of the report; 1 comes first. Bugs come before contracts.
    #[serde(default)]
    pub rank: u32,
    /// The same for the same fault in another run, on another machine, and after lines were added above it.
    #[serde(default)]
    pub fingerprint: String,
    /// Not in the baseline; null without one.
    #[serde(default)]
    pub new: Option<bool>,
    /// The run that met it first.
    pub run: u64,
    /// The fault file, relative to the report; null if the input has no text in C.
    pub test: Option<String>,
    /// Seen again on the plain program.
    pub confirmed: bool,
    /// What that replay showed.
    pub shown: String,
    /// It takes the address sanitizer to show it.
    pub sanitizer: bool,
    /// A few lines of source around the place.
    #[serde(default)]
    pub excerpt: Vec<ExcerptLine>,
    /// Call stack, innermost first.
    pub stack: Vec<Frame>,
    /// The decisions that lead there, in order.
    #[serde(default)]
    pub history: Vec<Step>,
    /// Places that belong to it: where the object was allocated, where it was freed.
    #[serde(default)]
    pub related: Vec<Related>,
}

/// The class of a fault that is the unit's own.
pub const BUG: &str = "bug";
/// The class of a fault that callers can keep away.
pub const CONTRACT: &str = "contract";

impl Fault {
    /// The unit's own mistake.
    pub fn is_bug(&self) -> bool {
        self.class != CONTRACT
    }

    /// A bug that nobody knew of: without a baseline every one.
    pub fn is_new_bug(&self) -> bool {
        self.is_bug() && self.new != Some(false)
    }

    /// The calls of the stack in words, the innermost first; a call that repeats itself, as in a recursion, once.
    pub fn calls(&self) -> Vec<String> {
        let alike = self.stack.chunk_by(|one, other| one == other);
        let words = |frames: &[Frame]| {
            let frame = &frames[0];
            let often = if frames.len() > 1 { format!(" ({} times)", frames.len()) } else { String::new() };
            format!("{}() at {}:{}{often}", frame.function, frame.file, frame.line)
        };
        alike.map(words).collect()
    }

    /// The source line it is on, if the file could be read.
    pub fn line_text(&self) -> Option<&str> {
        self.excerpt.iter().find(|line| line.here).map(|line| line.text.as_str())
    }
}

/// What a unit needs of its callers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Precondition {
    /// In words: `needs p != NULL`.
    pub words: String,
    /// As a C expression over parameters and globals; null if it cannot be said so.
    pub expression: Option<String>,
    /// The same as lines of `tarka.toml`; null without an expression.
    pub toml: Option<String>,
}

/// A line of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcerptLine {
    /// Its number.
    pub line: u32,
    /// Its text; a very long one ends with `…`.
    pub text: String,
    /// The fault is on this line.
    pub here: bool,
}

/// A place of a call stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Function.
    pub function: String,
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
}

/// A decision on the way to a fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// Source text of the condition or of the switch's operand.
    pub text: String,
    /// `true`, `false`, or the case as the source writes it.
    pub outcome: String,
    /// How often in a row.
    pub times: u32,
}

/// A place that belongs to a fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Related {
    /// What happens there.
    pub what: String,
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
}
