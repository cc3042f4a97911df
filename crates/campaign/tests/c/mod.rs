//! C text in, results out: the one helper of the end-to-end tests.

pub mod faults_as_text;

use std::path::PathBuf;
use std::sync::Mutex;

use tarka_campaign::{Options, run_file};
use tarka_events::{Event, UnitLog, UnitResult, Verdict};
use tarka_source::{FunctionId, SourceModel, SourceRequest, analyse, find_clang};

/// A C file in a folder of its own.
pub struct Unit {
    /// Gone with the unit.
    _folder: tempfile::TempDir,
    pub clang: PathBuf,
    pub model: SourceModel,
}

impl Unit {
    pub fn new(text: &str) -> Unit {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("unit.c");
        std::fs::write(&file, text).expect("the C file can be written");
        let clang = find_clang().expect("clang 19 is installed");
        let request = SourceRequest { file: &file, flags: &[], clang: &clang };
        let model = analyse(&request).unwrap_or_else(|error| panic!("{error}"));
        Unit { _folder: folder, clang, model }
    }

    /// All functions of the file.
    pub fn functions(&self) -> Vec<FunctionId> {
        (0..self.model.functions.len() as u32).map(FunctionId).collect()
    }

    pub fn test_all(&self, options: &Options) -> Vec<UnitResult> {
        self.test_all_with_events(options).0
    }

    pub fn test_all_with_events(&self, options: &Options) -> (Vec<UnitResult>, Vec<Event>) {
        let events = Mutex::new(Vec::new());
        let sink = |event| events.lock().unwrap().push(event);
        let work = tempfile::tempdir().expect("a temporary folder");
        let results = run_file(&self.model, &self.functions(), options, &self.clang, work.path(), &sink)
            .unwrap_or_else(|error| panic!("{error}"));
        (results.into_iter().map(UnitLog::into_result).collect(), events.into_inner().unwrap())
    }
}

/// Tests the only function of a C text with the default options.
pub fn test(text: &str) -> UnitResult {
    test_with(text, &Options::default())
}

pub fn test_with(text: &str, options: &Options) -> UnitResult {
    let mut results = Unit::new(text).test_all(options);
    results.pop().expect("the text defines a function")
}

/// Goals covered, and goals in all.
pub fn covered(result: &UnitResult) -> (usize, usize) {
    let covered = result.goals.iter().filter(|goal| matches!(goal.verdict, Verdict::Covered { .. })).count();
    (covered, result.goals.len())
}

/// What everything but times says of a result, for comparisons.
pub fn fingerprint(result: &UnitResult) -> String {
    let goals: Vec<String> = result
        .goals
        .iter()
        .map(|goal| match &goal.verdict {
            Verdict::Covered { run, .. } => format!("{} run {run}", goal.id),
            other => format!("{} {other:?}", goal.id),
        })
        .collect();
    format!(
        "{:?} runs {} divergences {} queries {}\n{}\n{:#?}\n{:#?}\n{:?}",
        result.status,
        result.runs,
        result.divergences,
        result.solver.queries,
        goals.join("\n"),
        result.kept_runs,
        result.faults,
        result.limits
    )
}

/// What is not covered, each goal with its verdict.
pub fn open(result: &UnitResult) -> Vec<String> {
    let open = result.goals.iter().filter(|goal| !matches!(goal.verdict, Verdict::Covered { .. }));
    open.map(|goal| format!("{} `{}` {:?}", goal.id, goal.text, goal.verdict)).collect()
}

/// Options with preconditions of `f`, as `--assume` gives them, and bounds for all functions.
pub fn assuming(expressions: &[&str]) -> Options {
    let mut options = Options::default();
    let assumes = expressions.iter().map(|expression| tarka_settings::Assume {
        expression: expression.to_string(),
        origin: tarka_settings::Origin::CommandLine,
    });
    options.settings.functions.entry("f".to_string()).or_default().assumes = assumes.collect();
    options
}

/// The bytes of the parameter at a position, as they were given.
pub fn param(input: &tarka_scenario::Executed, wanted: u32) -> &[u8] {
    let is_it = |role: &tarka_scenario::Role| matches!(role, tarka_scenario::Role::Argument { step: 0, position } if *position == wanted);
    &input
        .scenario
        .objects
        .iter()
        .find(|object| is_it(&object.role))
        .expect("the parameter is in the input")
        .bytes
}

/// An `int` parameter of the first call.
pub fn int_param(input: &tarka_scenario::Executed, position: u32) -> i32 {
    i32::from_le_bytes(param(input, position)[..4].try_into().expect("an int has four bytes"))
}
