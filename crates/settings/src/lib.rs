//! What the user says about units beside the sources: preconditions, bounds of inputs, library answers as inputs.
//!
//! Takes the text of a `tarka.toml` and of `--assume`; gives [`Settings`]. Whether an expression is C, and whether a
//! function exists, is for those who know the sources.
//! Never: reading files, C, printing.

mod error;
mod file;
mod flag;
mod names;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use error::SettingsError;
pub use names::nearest;

/// Everything said, for all functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Bounds for all functions.
    pub bounds: BoundsGiven,
    /// What is said about one function, by name.
    pub functions: BTreeMap<String, FunctionSettings>,
    /// Faults that somebody has judged.
    pub silences: Vec<Silence>,
}

/// A fault that somebody has judged and does not want to hear of again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// The kind of fault.
    pub kind: String,
    /// The function it is in; `None`: any.
    pub function: Option<String>,
    /// Text of the line it is on; `None`: any.
    pub line: Option<String>,
    /// Why.
    pub reason: String,
    /// Where that is said.
    pub origin: Origin,
}

/// What is said about one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionSettings {
    /// Preconditions, in the order given.
    pub assumes: Vec<Assume>,
    /// Bounds of its own.
    pub bounds: BoundsGiven,
    /// Most elements of the object that a parameter points to, by the parameter's name.
    pub sizes: BTreeMap<String, u64>,
    /// Where the function is first spoken of.
    pub origin: Origin,
}

/// A precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assume {
    /// A C expression over parameters and globals.
    pub expression: String,
    /// Where its text begins.
    pub origin: Origin,
}

/// Where something was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    #[default]
    CommandLine,
    /// A file, line and column (from 1).
    File {
        /// The file as found.
        file: PathBuf,
        /// Line.
        line: u32,
        /// Column.
        column: u32,
    },
}

/// Bounds as given: what is not said keeps its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundsGiven {
    /// See [`Bounds::depth`].
    pub depth: Option<u32>,
    /// See [`Bounds::elements`].
    pub elements: Option<u64>,
    /// See [`Bounds::string`].
    pub string: Option<u64>,
    /// See [`Bounds::calls`].
    pub calls: Option<u32>,
    /// See [`Bounds::stub_calls`].
    pub stub_calls: Option<u32>,
}

/// How far inputs may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Pointers that may be followed from a root before only null and aliases are tried.
    pub depth: u32,
    /// Most elements of an object whose size the program does not state.
    pub elements: u64,
    /// Most bytes of a string, its end included.
    pub string: u64,
    /// Most calls in a row of a unit that keeps state in static variables of functions.
    pub calls: u32,
    /// Most calls of a stub that give a value of their own.
    pub stub_calls: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { depth: 8, elements: 256, string: 256, calls: 4, stub_calls: 8 }
    }
}

impl Settings {
    /// The bounds of a function: its own, else those for all, else the defaults.
    pub fn bounds_of(&self, function: &str) -> Bounds {
        let own = self.functions.get(function).map(|settings| settings.bounds).unwrap_or_default();
        let (all, default) = (self.bounds, Bounds::default());
        Bounds {
            depth: own.depth.or(all.depth).unwrap_or(default.depth),
            elements: own.elements.or(all.elements).unwrap_or(default.elements),
            string: own.string.or(all.string).unwrap_or(default.string),
            calls: own.calls.or(all.calls).unwrap_or(default.calls),
            stub_calls: own.stub_calls.or(all.stub_calls).unwrap_or(default.stub_calls),
        }
    }

    /// The preconditions of a function.
    pub fn assumes_of(&self, function: &str) -> &[Assume] {
        self.functions.get(function).map_or(&[], |settings| &settings.assumes)
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::CommandLine => write!(f, "--assume"),
            Origin::File { file, line, column } => write!(f, "{}:{line}:{column}", file.display()),
        }
    }
}
