//! Everything at hand while the files of one unit are written and replayed.
//!
//! Takes a unit's model and options; gives the compilers, scratch folders and runs of programs, and keeps what the compilers
//! have taught about how the files must be written. Never decides about tests (see `rounds`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tarka_compilers::{Answer, Call};
use tarka_confine::ScratchFolder;
use tarka_events::UnitResult;
use tarka_source::{Function, GoalKind, SourceModel, Stub, plan_undefined};

use crate::SuiteError;
use crate::choose::select::{Pairs, TestCoverage};
use crate::format::library::Library;
use crate::format::plain::PlainC;
use crate::format::program::{LIBRARIES, Program};
use crate::format::stubs::{FileStubs, stand_ins};
use crate::format::unit::{IgnoredWarnings, Preamble, UnitText};
use crate::format::{Format, Sources, TestFiles};
use crate::names;
use crate::paths::{self, write};
use crate::render::tree::Script;
use crate::replay::builds::{Builds, Executable, Wanted};
use crate::replay::compile::Warning;
use crate::replay::linked::{LinkedFile, LinkedObjects, linked_files};
use crate::replay::probe::{Probed, UninitialisedFill};
use crate::replay::process::{Outcome, TargetRun};
use crate::replay::rounds::TEST_LIMIT;
use crate::replay::sanitize::{SanitizerReport, asks_for_sanitizers, sanitizer_reports};
use crate::replay::symbolize::{with_places, without_symbolizer};
use crate::suite::SuiteOptions;

/// How long addresses may take to become places.
const SYMBOLIZER_LIMIT: Duration = Duration::from_secs(60);

/// Everything needed while one unit's files are written.
pub(crate) struct ReplayContext<'a> {
    pub model: &'a SourceModel,
    pub function: &'a Function,
    pub options: &'a SuiteOptions,
    pub builds: &'a Builds<'a>,
    /// How tests are written.
    pub format: &'static dyn Format,
    pub unit_text: UnitText,
    pub ignored: IgnoredWarnings,
    pub folder: PathBuf,
    pub scratch: PathBuf,
    pub notes: Vec<String>,
    /// The goals, and those of them that take a pair.
    pub goals: Vec<GoalKind>,
    pub pairs: Pairs,
    /// What the stopped runs show that became faults.
    pub demoted: Vec<TestCoverage>,
    /// Variables that the unit uses and inline functions that the linker does not find.
    pub missing: BTreeSet<String>,
    /// The stubs of the build, then those for functions that only other parts of the file call.
    pub stubs: Vec<Stub>,
    /// Runs whose input has no text in C, with the reason.
    pub unspellable_runs: Vec<(u64, String)>,
    pub cc_works: bool,
    pub sanitizers_work: bool,
}

/// The program's other files, as seen from the folder of an emitted one.
fn linked_texts(model: &SourceModel, folder: &Path, flags_folder: &Path) -> Vec<LinkedFile> {
    let seen = |file: LinkedFile| LinkedFile {
        file: paths::include_path(folder, &flags_folder.join(&file.file)).into(),
        ..file
    };
    linked_files(model).into_iter().map(seen).collect()
}

/// Where a program runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surroundings {
    Here,
    /// The system tells it of another machine, user and time.
    Elsewhere,
    /// Here; it was built with the sanitizers.
    Sanitized,
}

/// What the compilers have taught about how files of a unit must be written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BuildFindings {
    one_by_one: bool,
    ignored: IgnoredWarnings,
    missing: BTreeSet<String>,
    stubs: Vec<Stub>,
    without_cc: bool,
    without_sanitizers: bool,
}

impl BuildFindings {
    /// What is known before anything was compiled.
    pub(crate) fn at_first(unit: &UnitResult, builds: &Builds) -> BuildFindings {
        let without_cc = builds.compilers().cc.is_none();
        BuildFindings { stubs: unit.stubs.clone(), without_cc, ..BuildFindings::default() }
    }
}

impl<'a> ReplayContext<'a> {
    pub(crate) fn open(
        (model, function): (&'a SourceModel, &'a Function),
        unit: &UnitResult,
        (options, builds): (&'a SuiteOptions, &'a Builds<'a>),
        (folder, scratch): (PathBuf, &Path),
        learned: BuildFindings,
    ) -> ReplayContext<'a> {
        let library = match learned.one_by_one {
            true => Library::one_by_one(&model.probed_text),
            false => Library::Headers,
        };
        let unit_text = UnitText {
            include: paths::include_path(&folder, &builds.flags_folder().join(&model.file)),
            shown_file: model.file.display().to_string(),
            stepping_aside: names::stepping_aside(model),
            flags: model.flags.clone(),
            linked: linked_texts(model, &folder, builds.flags_folder()),
            library,
            criterion: unit.criterion.clone(),
        };
        ReplayContext {
            model,
            function,
            options,
            builds,
            format: &PlainC,
            unit_text,
            ignored: learned.ignored,
            folder,
            scratch: scratch.to_path_buf(),
            notes: Vec::new(),
            goals: unit.goals.iter().map(|goal| goal.what).collect(),
            pairs: Pairs::of(unit.goals.iter().map(|goal| goal.what)),
            demoted: Vec::new(),
            missing: learned.missing,
            stubs: learned.stubs,
            unspellable_runs: Vec::new(),
            cc_works: !learned.without_cc,
            sanitizers_work: !learned.without_sanitizers,
        }
    }

    pub(crate) fn learned(&self) -> BuildFindings {
        BuildFindings {
            one_by_one: self.unit_text.library != Library::Headers,
            ignored: self.ignored.clone(),
            missing: self.missing.clone(),
            stubs: self.stubs.clone(),
            without_cc: !self.cc_works,
            without_sanitizers: !self.sanitizers_work,
        }
    }

    /// What the sources lack, in a file with these scripts.
    pub(crate) fn file_stubs<'s>(&'s self, scripts: impl Iterator<Item = &'s Script>) -> FileStubs<'s> {
        FileStubs::new(self.model, &self.stubs, &self.missing, scripts)
    }

    /// What every file of the unit begins with.
    pub(crate) fn preamble<'s>(&'s self, file_stubs: &'s FileStubs<'s>) -> Preamble<'s> {
        Preamble { unit: &self.unit_text, ignored: &self.ignored, file_stubs }
    }

    /// The files of the tests as a program.
    pub(crate) fn test_sources(&self) -> Sources {
        let names = self.format.files(&self.function.name).into_iter();
        Sources {
            files: names.map(|name| self.folder.join(name)).collect(),
            libraries: self.format.libraries(),
            linked: LinkedObjects::default(),
        }
    }

    /// Writes the files of the tests.
    pub(crate) fn write_tests(&self, files: &TestFiles) -> Result<(), SuiteError> {
        self.test_sources().files.iter().zip(&files.texts).try_for_each(|(path, text)| write(path, text))
    }

    /// Removes the files of the tests.
    pub(crate) fn remove_tests(&self) {
        for path in self.test_sources().files {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Writes a program with a `main` of its own, perhaps one of several of the unit; gives it as it is to be built.
    pub(crate) fn write_program(
        &self,
        path: &Path,
        program: Program,
        has_company: bool,
    ) -> Result<Wanted, SuiteError> {
        write(path, &program.text)?;
        Ok(Wanted {
            text: program.text,
            unit: program.unit,
            path: path.to_path_buf(),
            more: Vec::new(),
            libraries: LIBRARIES,
            takes_arguments: false,
            address_options: program.address_options,
            has_company: has_company || self.builds.is_shared(),
        })
    }

    /// Whether the file can be written differently, so that this error goes away.
    pub(crate) fn can_retry(&mut self, error: &SuiteError) -> bool {
        let SuiteError::Compile { undefined, .. } = error else { return false };
        let known = |name: &&String| {
            let mut variables = self.model.declared_variables.iter();
            variables.any(|global| global.name == **name) || self.model.inline_definitions.contains_key(*name)
        };
        let missing: Vec<String> = undefined.iter().filter(known).cloned().collect();
        let before = self.missing.len() + self.stubs.len();
        self.missing.extend(missing);
        for function in self.model.declared_functions.iter().filter(|known| undefined.contains(&known.name)) {
            let is_new = self.stubs.iter().all(|stub| stub.name != function.name);
            self.stubs.extend(plan_undefined(self.model, function).ok().filter(|_| is_new));
        }
        self.missing.len() + self.stubs.len() > before || self.declare_one_by_one()
    }

    /// Leaves out headers that the unit does not include itself; false if that was done before.
    fn declare_one_by_one(&mut self) -> bool {
        let first = self.unit_text.library == Library::Headers;
        if first {
            self.unit_text.library = Library::one_by_one(&self.model.probed_text);
        }
        first
    }

    /// The tests, as they are to be built.
    pub(crate) fn wanted_tests(&self, tests: &TestFiles) -> Wanted {
        let Sources { mut files, libraries, .. } = self.test_sources();
        let more = files.split_off(1);
        Wanted {
            text: tests.texts[0].clone(),
            unit: tests.unit.clone(),
            path: files.remove(0),
            more,
            libraries,
            takes_arguments: true,
            address_options: String::new(),
            has_company: self.builds.is_shared(),
        }
    }

    /// Switches off what the unit warns of; true if that changes the file.
    pub(crate) fn ignore(&mut self, warnings: &BTreeSet<Warning>, clang: bool) -> bool {
        let mut changed = false;
        for warning in warnings {
            let names = if clang { &mut self.ignored.clang } else { &mut self.ignored.gcc };
            changed |= names.insert(warning.option.clone());
            if warning.ours && !self.ignored.whole_file {
                self.ignored.whole_file = true;
                changed = true;
            }
        }
        changed
    }

    /// A program that was built around the probed text.
    pub(crate) fn probed(&self, program: Executable, fill: UninitialisedFill) -> Probed<'a> {
        let (model, allow, cores) = (self.model, &self.options.allow, self.builds.cores());
        Probed { model, program, map: self.scratch.join("outcomes"), fill, allow, cores }
    }

    /// What the sanitizers object to in a program's output, in order. What stands for a library function in a test is no more
    /// at fault than the library's would be.
    pub(crate) fn sanitizer_reports(&self, output: &str) -> Vec<SanitizerReport> {
        sanitizer_reports(output, &stand_ins(&self.stubs))
    }

    pub(crate) fn run_in_scratch(
        &self,
        program: &Executable,
        args: &[String],
    ) -> Result<Outcome, SuiteError> {
        let folder = self.fresh_folder()?;
        self.run_target((program, args), Surroundings::Here, folder.path())
    }

    /// Runs a program that was built with the sanitizers.
    pub(crate) fn run_sanitized(&self, program: &Executable, args: &[String]) -> Result<Outcome, SuiteError> {
        let folder = self.fresh_folder()?;
        self.run_target((program, args), Surroundings::Sanitized, folder.path())
    }

    /// Runs a program in a folder. What was built with the sanitizers starts no other program from there: their addresses become
    /// places afterwards.
    pub(crate) fn run_target(
        &self,
        (program, args): (&Executable, &[String]),
        surroundings: Surroundings,
        folder: &Path,
    ) -> Result<Outcome, SuiteError> {
        let is_sanitized = surroundings == Surroundings::Sanitized;
        let symbolizer_options = without_symbolizer();
        let variables: &[(&str, &Path)] = if is_sanitized { &symbolizer_options } else { &[] };
        let bounded = !is_sanitized && !asks_for_sanitizers(&self.model.flags);
        let (program, args) = (program.path(), &program.arguments(args));
        let _core = self.builds.cores().take();
        let outcome = TargetRun {
            program,
            args,
            variables,
            descriptors: &[],
            folder,
            limit: TEST_LIMIT,
            bounded,
            is_elsewhere: bounded && surroundings == Surroundings::Elsewhere,
            allow: &self.options.allow,
        }
        .run()
        .map_err(|source| SuiteError::CannotRun { program: program.to_path_buf(), source })?;
        if !is_sanitized {
            return Ok(outcome);
        }
        // It stands beside the real clang; without it, reports have addresses in place of lines.
        let clang = self.builds.compilers().clang.canonicalize().unwrap_or_default();
        let symbolizer = clang.with_file_name("llvm-symbolizer");
        let ask = |args: &[String]| {
            let call = Call::new(&symbolizer).args(args).folder(&self.scratch).limit(SYMBOLIZER_LIMIT);
            call.run().ok().filter(Answer::success).map(|answer| answer.text())
        };
        Ok(Outcome { output: with_places(&outcome.output, program, ask), ..outcome })
    }

    pub(crate) fn fresh_folder(&self) -> Result<ScratchFolder, SuiteError> {
        ScratchFolder::below(&self.scratch)
            .map_err(|source| SuiteError::Write { path: self.scratch.clone(), source })
    }
}
