//! The C files that figures are taken on: the examples, and the real code that `scripts/subjects` names.

use std::path::{Path, PathBuf};
use std::process::Command;

use tarka_campaign::{Options, run_file};
use tarka_events::{UnitLog, UnitResult};
use tarka_source::{FunctionId, LibraryInput, SourceModel, SourceRequest};

use super::{Outcome, Place};

/// A C file with what is asked of it.
pub(super) struct Subject {
    pub(super) file: PathBuf,
    pub(super) flags: Vec<String>,
    /// `None`: every function.
    units: Option<Vec<String>>,
    inputs: Vec<LibraryInput>,
}

impl Subject {
    /// The name of the file without its folder and ending.
    pub(super) fn stem(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Tests the units with these options, in a folder of this name.
    pub(super) fn run(&self, place: &Place, options: &Options, folder: &str) -> Outcome<Vec<UnitResult>> {
        let request = SourceRequest { file: &self.file, flags: &self.flags, clang: &place.clang };
        let model = tarka_source::analyse(&request)?;
        let units = self.chosen(&model)?;
        let mut options = Options { library_inputs: self.inputs.clone(), ..options.clone() };
        let beside = self.file.with_file_name("tarka.toml");
        if beside.exists() {
            options.settings.add_file(&beside, &std::fs::read_to_string(&beside)?)?;
        }
        let work_dir = place.scratch.join(format!("{}-{folder}", self.stem()));
        std::fs::create_dir_all(&work_dir)?;
        let logs = run_file(&model, &units, &options, &place.clang, &work_dir, &|_| {})?;
        Ok(logs.into_iter().map(UnitLog::into_result).collect())
    }

    fn chosen(&self, model: &SourceModel) -> Outcome<Vec<FunctionId>> {
        match &self.units {
            Some(names) => names
                .iter()
                .map(|name| Ok(model.function_named(name).ok_or_else(|| format!("no function {name}"))?.0))
                .collect(),
            None => Ok((0..model.functions.len() as u32).map(FunctionId).collect()),
        }
    }
}

/// One function of a file that needs nothing.
pub(super) fn one_function(file: PathBuf, function: &str) -> Subject {
    Subject { file, flags: Vec::new(), units: Some(vec![function.to_owned()]), inputs: Vec::new() }
}

/// Every example.
pub(super) fn examples(root: &Path) -> Outcome<Vec<Subject>> {
    let mut files = Vec::new();
    for folder in ["examples", "examples/inputs"] {
        for entry in std::fs::read_dir(root.join(folder))? {
            files.push(entry?.path());
        }
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    let subjects = files.into_iter().map(|file| {
        let text = std::fs::read_to_string(&file)?;
        let options = asked(&text, "tarka-options:");
        let inputs = options.iter().filter(|word| !word.starts_with("--")).flat_map(|names| names.split(','));
        let inputs = inputs.filter_map(LibraryInput::by_name).collect();
        Ok(Subject { flags: asked(&text, "tarka-flags:"), units: None, inputs, file })
    });
    subjects.collect()
}

/// The words behind a mark in a comment.
fn asked(text: &str, mark: &str) -> Vec<String> {
    let line = text.split(mark).nth(1).and_then(|rest| rest.split("*/").next());
    line.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// The units of real code that are wanted by name.
pub(super) fn real_code(root: &Path, is_wanted: impl Fn(&str) -> bool) -> Outcome<Vec<Subject>> {
    let listed = Command::new(root.join("scripts/subjects")).output()?;
    if !listed.status.success() {
        println!("  without real code: {}", String::from_utf8_lossy(&listed.stderr).trim());
        return Ok(Vec::new());
    }
    let listed = String::from_utf8(listed.stdout)?;
    let subjects = listed.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (file, units) = (fields.next()?.into(), fields.next()?.split(','));
        let units: Vec<String> = units.filter(|name| is_wanted(name)).map(str::to_owned).collect();
        let flags = fields.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let any = !units.is_empty();
        any.then_some(Subject { file, flags, units: Some(units), inputs: Vec::new() })
    });
    Ok(subjects.collect())
}
