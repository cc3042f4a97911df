//! A fault in `report.json`. Scripts rely on it: fields may be added, never renamed.

use serde::{Deserialize, Serialize};
use tarka_events::FaultClass;

use crate::baseline::Compared;

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
    /// `bug`, `unchecked` (input), `contract` or `limit`.
    #[serde(default)]
    pub class: String,
    /// Why it is of that class, in words.
    #[serde(default)]
    pub why: String,
    /// What a contract needs of callers; null for the other classes.
    #[serde(default)]
    pub precondition: Option<Precondition>,
    /// Whether the callers of a static function get there: `yes`, `no` or `unknown`; null for functions that anybody may
    /// call.
    #[serde(default)]
    pub reached: Option<String>,
    /// The other functions under test that show the same fault.
    #[serde(default)]
    pub callers: Vec<Caller>,
    /// Why nobody is to hear of it any more, if somebody has judged it; null otherwise.
    #[serde(default)]
    pub silenced: Option<Silenced>,
    /// Where it stands among all faults of the report; 1 comes first. The more serious class comes first.
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
    pub history: Vec<FaultStep>,
    /// Places that belong to it: where the object was allocated, where it was freed.
    #[serde(default)]
    pub related: Vec<Related>,
}

impl Fault {
    /// What is not known of it because the plain program did not show it; a fault without a file was not tried there.
    pub fn doubt(&self) -> Option<&'static str> {
        match (self.confirmed, &self.test) {
            (true, _) => None,
            (false, Some(_)) => Some("not confirmed"),
            (false, None) => Some("not replayed"),
        }
    }

    /// Its class; what an older Tarka wrote without one was a bug.
    pub fn class(&self) -> FaultClass {
        FaultClass::from_name(&self.class).unwrap_or(FaultClass::Bug)
    }

    /// Whether it is of this class or a more serious one, and neither silenced nor known: what a run may fail on. One that
    /// was less serious in the baseline is not known.
    pub fn fails(&self, class: FaultClass, baseline: Option<&Compared>) -> bool {
        let has_become_worse = || {
            let changes = baseline.map_or(&[][..], |compared| &compared.changed);
            changes.iter().any(|change| change.fingerprint == self.fingerprint && change.is_worse())
        };
        self.counts() && self.class() <= class && (self.new != Some(false) || has_become_worse())
    }

    /// Counted and told: no limit, and not silenced.
    pub fn counts(&self) -> bool {
        self.class() != FaultClass::Limit && self.silenced.is_none()
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

/// A function under test that shows a fault which another one tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Its name.
    pub unit: String,
    /// What class the fault is, seen from there.
    pub class: String,
    /// What would keep it away from there, in words; null if nothing is known.
    pub needs: Option<String>,
}

/// A fault that somebody has judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silenced {
    /// Their reason.
    pub reason: String,
    /// `file:line` of the comment, or of the table in `tarka.toml`.
    pub at: String,
    /// By a comment in the source, not by `tarka.toml`.
    pub in_source: bool,
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
pub struct FaultStep {
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
