//! `tarka replay`: the emitted files of an output folder, compiled and run again on the plain program.
//!
//! Takes a folder and the flags of each unit; gives one verdict for each test and fault file. Writes nothing there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_confine::{Allow, ScratchFolder};
use tarka_events::FaultKind;

use crate::SuiteError;
use crate::format::Sources;
use crate::format::program::sanitizers_of;
use crate::replay::compile::Compiler;
use crate::replay::linked::{LinkedFile, Objects};
use crate::replay::process::TargetRun;
use crate::replay::sanitize::{SanitizerReport, asks_for_sanitizers, sanitizer_reports};
use crate::replay::showing;
use crate::replay::symbolize::without_symbolizer;

/// One emitted file to replay.
#[derive(Clone, Debug)]
pub struct ReplayFile {
    /// The C file.
    pub path: PathBuf,
    /// Its unit's flags.
    pub flags: Vec<String>,
    /// The files that it is linked with.
    pub linked: Vec<LinkedFile>,
    /// The folder those flags are meant from.
    pub flags_folder: PathBuf,
    /// The tests in it; empty for a fault file.
    pub tests: Vec<String>,
    /// The kind of its fault, if it is a fault file of a known kind.
    pub kind: Option<FaultKind>,
    /// The fault needs the sanitizers to show.
    pub sanitizer: bool,
}

/// What became of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Test or fault name.
    pub name: String,
    /// A test passed, a fault showed.
    pub good: bool,
    /// What happened otherwise.
    pub detail: String,
}

/// Builds an emitted file with what it is linked with.
pub(crate) fn build_file(
    file: &ReplayFile,
    compiler: &Path,
    extra: &[&str],
    program: &Path,
) -> Result<(), SuiteError> {
    let compiler =
        Compiler { program: compiler, flags: &file.flags, folder: &file.flags_folder, linking: None };
    let objects =
        Objects::new().map_err(|source| SuiteError::Write { path: std::env::temp_dir(), source })?;
    let linked = objects.of(&compiler, &file.linked, extra)?;
    let sources = Sources { linked, ..Sources::of_program(&file.path) };
    compiler.build(&sources, extra, Some(program)).map(|_| ())
}

/// Compiles one file and runs the tests in it whose name is `only`, or all.
pub fn replay_file(
    file: &ReplayFile,
    compiler: &Path,
    only: Option<&str>,
    allow: &Allow,
) -> Result<Vec<Replayed>, SuiteError> {
    let scratch =
        tempfile::tempdir().map_err(|source| SuiteError::Write { path: std::env::temp_dir(), source })?;
    let program = scratch.path().join("replayed");
    let sanitizers = match file.sanitizer {
        true => sanitizers_of(&std::fs::read_to_string(&file.path).unwrap_or_default()),
        false => Vec::new(),
    };
    let extra: Vec<&str> = std::iter::once("-g").chain(sanitizers.iter().map(String::as_str)).collect();
    build_file(file, compiler, &extra, &program)?;
    // It starts no symbolizer: what kind of fault it is needs none.
    let variables = &without_symbolizer();
    let bounded = !file.sanitizer && !asks_for_sanitizers(&file.flags);
    let run = |args: &[String]| {
        let (program, limit) = (program.as_path(), Duration::from_secs(20));
        let cannot_run = |source| SuiteError::CannotRun { program: program.to_path_buf(), source };
        // Each begins in an empty folder, as it did when it was written.
        let folder = ScratchFolder::below(scratch.path()).map_err(cannot_run)?;
        TargetRun {
            program,
            args,
            variables,
            descriptors: &[],
            folder: folder.path(),
            limit,
            bounded,
            is_elsewhere: false,
            allow,
        }
        .run()
        .map_err(cannot_run)
    };
    if file.tests.is_empty() {
        let name = file.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let outcome = run(&[])?;
        let kind = file.kind.unwrap_or(FaultKind::Undefined);
        let is_it = |sanitizer_report: &SanitizerReport| showing::is_same(sanitizer_report.kind, kind);
        let shown = match file.sanitizer {
            true => sanitizer_reports(&outcome.output, &BTreeSet::new()).iter().any(is_it),
            false if outcome.out_of_memory => kind == FaultKind::OutOfMemory,
            false => outcome.signal().is_some(),
        };
        let limit = outcome.ended_by_limit().map(|limit| format!(": it {limit}"));
        let detail = if shown {
            String::new()
        } else {
            format!("the fault did not show{}", limit.unwrap_or_default())
        };
        return Ok(vec![Replayed { name, good: shown, detail }]);
    }
    let mut replayed = Vec::new();
    for name in file.tests.iter().filter(|name| only.is_none_or(|only| only == name.as_str())) {
        let outcome = run(std::slice::from_ref(name))?;
        let detail = match outcome.ended_by_limit() {
            _ if outcome.success() => String::new(),
            Some(limit) => format!("it {limit}"),
            None => outcome.output.trim().to_string(),
        };
        replayed.push(Replayed { name: name.clone(), good: outcome.success(), detail });
    }
    Ok(replayed)
}
