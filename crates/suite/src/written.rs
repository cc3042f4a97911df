//! What was written for a unit: tests, fault files, what the tests cover and what only fault files show.
//!
//! Plain data for the report. Never: logic.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tarka_source::Evidence;

use crate::shown::Figures;
use crate::truth::TruthTable;

/// What was written for a unit.
#[derive(Clone, Debug, Default)]
pub struct UnitSuite {
    /// Passing tests in order.
    pub tests: Vec<WrittenTest>,
    /// One entry for each fault of the unit, in order.
    pub faults: Vec<WrittenFault>,
    /// One entry for each refuted proof of the unit, in order.
    pub refuted: Vec<WrittenRefuted>,
    /// What the reader should know: removed checks, dropped tests.
    pub notes: Vec<String>,
    /// What the tests cover, under every criterion.
    pub coverage: Figures,
    /// For goals (indices) that take a pair: the tests that show it together, else the tests and fault files that do.
    pub pairs: BTreeMap<u32, [String; 2]>,
    /// For every goal (index) that is covered or in `by_faults_only`: the tests or fault files that show it alone, or else
    /// those of its pair.
    pub shown_by: BTreeMap<u32, Vec<String>>,
    /// Goals (indices) that no test shows, and that fault files show, or a fault file together with a test.
    pub by_faults_only: BTreeSet<u32>,
    /// How tests and shown faults evaluate the decisions whose conditions are to decide alone.
    pub decisions: Vec<TruthTable>,
    /// What the tests were chosen from.
    pub choice: Choice,
}

/// The choice of the tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Runs that can be a test.
    pub runs: u64,
    /// Proved: no smaller choice of these runs shows as many goals, by what the runs themselves have shown.
    pub smallest: bool,
}

/// A test in a file.
#[derive(Clone, Debug)]
pub struct WrittenTest {
    /// Its name.
    pub name: String,
    /// Its file, relative to the output folder.
    pub path: String,
    /// Parameter names and arguments as C text.
    pub inputs: Vec<(String, String)>,
    /// Declarations and statements before the call.
    pub setup: Vec<String>,
    /// The run it was made from.
    pub run: u64,
    /// Goals (indices) it covers on its own.
    pub covers: Vec<u32>,
    /// Goals (indices) that the earlier tests do not cover without it.
    pub new_goals: Vec<u32>,
    /// What it was seen to do on the plain program.
    pub evidence: Evidence,
}

/// A fault file.
#[derive(Clone, Debug, Default)]
pub struct WrittenFault {
    /// The file, relative to the output folder; `None` if the input has no text in C.
    pub path: Option<String>,
    /// Seen again on the plain program.
    pub confirmed: bool,
    /// What the replay showed, in one sentence.
    pub shown: String,
    /// Goals (indices) the file takes before it fails.
    pub covers: Vec<u32>,
    /// What it was seen to do on the plain program, if it shows its fault.
    pub evidence: Evidence,
    /// It takes the sanitizers to show it.
    pub sanitizer: bool,
}

/// A file that runs an input which refutes a proof.
#[derive(Clone, Debug, Default)]
pub struct WrittenRefuted {
    /// The file, relative to the output folder; `None` if the input has no text in C.
    pub path: Option<String>,
    /// The plain program was seen to take what was called infeasible.
    pub confirmed: bool,
    /// Parameter names and arguments as C text.
    pub inputs: Vec<(String, String)>,
}

impl WrittenFault {
    /// The name of its file without folder and ending.
    pub(crate) fn name(&self) -> String {
        let path = self.path.as_ref().map(Path::new).and_then(Path::file_stem);
        path.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}
