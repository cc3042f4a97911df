//! What was written for a unit: tests, fault files, what the tests cover and what only fault files show.
//!
//! Plain data for the report. Never: logic.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tarka_source::{Evidence, Place};

/// What was written for a unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Runs that can be a test.
    pub runs: u64,
    /// Proved: no smaller choice of these runs shows as many goals, by what the runs themselves have shown.
    pub smallest: bool,
}

/// A test in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
    pub fn name(&self) -> String {
        let path = self.path.as_ref().map(Path::new).and_then(Path::file_stem);
        path.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// What the passing tests of a unit cover under every criterion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Statements.
    pub statement: Share,
    /// Outcomes of conditions; switch arms taken and not taken.
    pub branch: Share,
    /// Outcomes of conditions.
    pub condition: Share,
    /// Outcomes of conditions and of decisions; switch arms.
    pub decision: Share,
    /// Conditions shown to decide on their own, of those that `llvm-cov` counts.
    pub mcdc: Share,
    /// Functions entered.
    pub function: Share,
    /// Switch arms taken, with the `default` of every switch, written or not.
    pub switch: Share,
}

impl Figures {
    /// The sums of both.
    pub fn with(self, other: Figures) -> Figures {
        let add = |one: Share, other: Share| Share {
            covered: one.covered + other.covered,
            total: one.total + other.total,
        };
        Figures {
            statement: add(self.statement, other.statement),
            branch: add(self.branch, other.branch),
            condition: add(self.condition, other.condition),
            decision: add(self.decision, other.decision),
            mcdc: add(self.mcdc, other.mcdc),
            function: add(self.function, other.function),
            switch: add(self.switch, other.switch),
        }
    }
}

/// Goals covered, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Covered.
    pub covered: u64,
    /// All.
    pub total: u64,
}

/// A decision with the evaluations that were made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthTable {
    /// Where it begins.
    pub place: Place,
    /// Its source text.
    pub text: String,
    /// `llvm-cov` has a figure for it, and so it is part of [`Figures::mcdc`].
    pub counted: bool,
    /// Its conditions, left to right.
    pub conditions: Vec<TruthCondition>,
    /// The ways in which it was evaluated, those with result true first.
    pub rows: Vec<TruthRow>,
}

/// A condition of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthCondition {
    /// Its source text.
    pub text: String,
    /// The tests that show together that it decides alone, the one with result true first.
    pub pair: Option<[String; 2]>,
}

/// One way in which a decision was evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthRow {
    /// Values of the conditions; `None` where one was not evaluated and does not matter.
    pub values: Vec<Option<bool>>,
    /// The decision's result.
    pub result: bool,
    /// The tests or fault files that evaluate it so.
    pub tests: Vec<String>,
}
