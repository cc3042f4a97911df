//! What the user says about the functions of one file: its `tarka.toml`, `--assume`, and whether both make sense there.
//!
//! Takes a source model and the command line's settings; gives the settings for that file, or the first thing in them
//! that cannot be used, with its place and the nearest name.

use std::path::{Path, PathBuf};

use tarka_events::FaultKind;
use tarka_settings::{Assume, FunctionSettings, Origin, Settings, nearest};
use tarka_source::{ExpressionError, FunctionId, SourceModel, check_expression};

use crate::failure::{Failure, did_you_mean};

/// The file's name beside the sources.
const FILE: &str = "tarka.toml";

/// The settings of one C file, and remarks about them.
pub struct FileSettings {
    /// What holds for its functions.
    pub settings: Settings,
    /// Things that may be mistakes, one sentence each.
    pub remarks: Vec<String>,
}

/// The settings for the functions of `model`; `said` is what the command line says.
pub fn settings_for(model: &SourceModel, said: &Settings, clang: &Path) -> Result<FileSettings, Failure> {
    let mut settings = Settings::default();
    let beside = toml_beside(&model.file);
    match std::fs::read_to_string(&beside) {
        Ok(text) => settings.add_file(&beside, &text)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => {
            let message = format!("{} cannot be read: {error}", beside.display());
            return Err(Failure::Precondition(message));
        }
    }
    for silence in &settings.silences {
        if FaultKind::from_name(&silence.kind).is_none() {
            let hint = did_you_mean(&silence.kind, FaultKind::ALL.iter().map(|kind| kind.name()));
            return Err(Failure::Precondition(format!(
                "{}: there is no kind of fault `{}`{hint}",
                silence.origin, silence.kind
            )));
        }
    }
    under_own_names(&mut settings, model);
    let remarks = unknown_functions(model, &settings);
    for (name, function) in &said.functions {
        let known = settings.functions.entry(name.clone()).or_default();
        known.assumes.extend(function.assumes.iter().cloned());
    }
    for (name, function) in &settings.functions {
        let own = model.function_named(name).filter(|(id, _)| model.is_own(*id));
        let Some((id, unit)) = own else { continue };
        let parameters = || unit.params.iter().map(|param| param.name.as_str());
        for parameter in function.sizes.keys() {
            if !parameters().any(|known| known == parameter) {
                let hint = did_you_mean(parameter, parameters());
                return Err(Failure::Precondition(format!(
                    "{}: `{name}` has no parameter `{parameter}`{hint}",
                    function.origin
                )));
            }
        }
        for assume in &function.assumes {
            check_expression(model, clang, id, &assume.expression)
                .map_err(|error| Failure::Precondition(refusal(model, id, assume, &error)))?;
        }
    }
    Ok(FileSettings { settings, remarks })
}

/// `--assume` speaks of a function that some file must have.
pub fn check_functions(said: &Settings, models: &[SourceModel]) -> Result<(), Failure> {
    for name in said.functions.keys() {
        if models.iter().any(|model| model.function_named(name).is_some()) {
            continue;
        }
        let known = models.iter().flat_map(|model| &model.functions).map(|function| function.name.as_str());
        let hint = did_you_mean(name, known);
        return Err(Failure::Precondition(format!("--assume: there is no function `{name}`{hint}")));
    }
    Ok(())
}

fn toml_beside(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.join(FILE),
        _ => PathBuf::from(FILE),
    }
}

/// What is said about a function under the name that stands in the file (`#define f pre_f`) is said about that function.
fn under_own_names(settings: &mut Settings, model: &SourceModel) {
    for (name, said) in std::mem::take(&mut settings.functions) {
        let own = model.functions_called(&name).next().map(|function| function.name.clone());
        settings.functions.entry(own.unwrap_or(name)).or_insert(said);
    }
}

/// A `tarka.toml` serves all files of its folder, so an unknown name is worth a remark if it looks like a typing mistake, or if no C
/// file beside it has such a word.
fn unknown_functions(model: &SourceModel, settings: &Settings) -> Vec<String> {
    let known = || model.functions.iter().map(|function| function.name.as_str());
    let unknown = settings.functions.iter().filter(|(name, _)| model.function_named(name).is_none());
    let remark = |(name, function): (&String, &FunctionSettings)| {
        let near = nearest(name, known());
        let near_enough = |best: &&str| strsim::normalized_levenshtein(name, best) > 0.7;
        let file = model.file.display();
        if let Some(best) = near.first().filter(|best| near_enough(best)) {
            return Some(format!(
                "{}: no function `{name}` in {file}; did you mean {best}?",
                function.origin
            ));
        }
        let hint = near.first().map(|best| format!("; the nearest is {best}")).unwrap_or_default();
        let is_elsewhere = c_texts_beside(&model.file).any(|text| has_word(&text, name));
        (!is_elsewhere).then(|| {
            format!("{}: no function `{name}` in {file} or another C file there{hint}", function.origin)
        })
    };
    unknown.filter_map(remark).collect()
}

/// The texts of the C files in the folder of one.
fn c_texts_beside(file: &Path) -> impl Iterator<Item = String> {
    let folder =
        toml_beside(file).parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_path_buf);
    let entries = std::fs::read_dir(folder.unwrap_or(PathBuf::from("."))).into_iter().flatten().flatten();
    let is_c = |path: &PathBuf| path.extension().is_some_and(|end| end == "c" || end == "h");
    let paths = entries.map(|entry| entry.path()).filter(is_c);
    paths.filter_map(|path| Some(tarka_source::readable(&std::fs::read(path).ok()?)))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

/// Place, what is wrong, the expression with a caret, and the nearest name.
fn refusal(model: &SourceModel, function: FunctionId, assume: &Assume, error: &ExpressionError) -> String {
    let place = match &assume.origin {
        Origin::CommandLine => format!("--assume, column {}", error.column),
        Origin::File { file, line, column } => {
            format!("{}:{line}:{}", file.display(), column + error.column - 1)
        }
    };
    let name = &model.function(function).name;
    let what = match (&error.unknown, &error.nearest) {
        (Some(unknown), Some(near)) => {
            format!("`{name}` has no parameter and sees no variable `{unknown}`; did you mean `{near}`?")
        }
        (Some(unknown), None) => format!("`{name}` has no parameter and sees no variable `{unknown}`"),
        _ => error.message.clone(),
    };
    let caret = " ".repeat(error.column.saturating_sub(1) as usize);
    format!(
        "{place}: the precondition of `{name}` cannot be used: {what}\n    {}\n    {caret}^",
        assume.expression
    )
}
