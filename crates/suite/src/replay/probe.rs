//! Seeing which way everything went when a test runs on the plain program.
//!
//! Takes a test file and the unit's text with probes; builds the same tests around that text with a small recorder,
//! and gives what each test has shown: outcomes taken, statements executed, ways decisions were evaluated. The unit is
//! compiled by the plain compiler: nothing else is added to it. Never decides what that means for the suite.

use std::os::fd::{AsFd, RawFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_confine::Allow;
use tarka_source::{Evidence, SourceModel};

use crate::SuiteError;
use crate::format::Sources;
use crate::format::unit::UnitPart;
use crate::paths::write;
use crate::replay::compile::Compiler;
use crate::replay::process::TargetRun;
use crate::replay::recorder;
use crate::replay::sanitize::asks_for_sanitizers;

/// The descriptor on which a recording program finds its map.
const OUTCOMES: RawFd = 250;

const MARK: &str = "#pragma tarka_unit_end";

/// The text of an emitted file, and where the unit stands in it.
pub struct Emitted<'a, 'o> {
    /// The file.
    pub text: &'a str,
    /// Where the unit stands in it.
    pub unit: &'a UnitPart,
    /// The files of the program; this is the text of the first.
    pub sources: &'a Sources,
    /// The folder it stands in.
    pub folder: &'a Path,
    /// The unit's `main` has another name in the file.
    pub renames_main: bool,
    /// What it may do beyond its own work.
    pub allow: &'o Allow,
}

impl Emitted<'_, '_> {
    /// The file with the probed text in the unit's place. The same text is not preprocessed twice.
    fn probed(&self, model: &SourceModel, clang: &Compiler, scratch: &Path) -> Result<PathBuf, SuiteError> {
        // The part after the unit is preprocessed behind the real unit, so it sees the unit's macros, and then put
        // behind the probed text instead.
        let (head, tail) = self.text.split_at(self.unit.end);
        let (marked, text) = (scratch.join("marked.c"), format!("{head}{MARK}\n{tail}"));
        let probed = scratch.join("probed.i");
        if probed.exists() && std::fs::read_to_string(&marked).is_ok_and(|known| known == text) {
            return Ok(probed);
        }
        write(&marked, &text)?;
        let preprocessed = scratch.join("marked.i");
        let mut args = clang.flags.to_vec();
        args.extend(["-E", "-w", "-iquote"].map(String::from));
        args.push(self.folder.display().to_string());
        args.extend([marked.display().to_string(), "-o".into(), preprocessed.display().to_string()]);
        clang.call(&args)?;
        let whole = std::fs::read_to_string(&preprocessed)
            .map_err(|source| SuiteError::Write { path: preprocessed.clone(), source })?;
        let tail = whole.split_once(MARK).map(|(_, tail)| tail).unwrap_or_default();
        // The scratch folder has another name every time; what is built from the same text is built once.
        let tail = tail.replace(&*marked.to_string_lossy(), "emitted");
        let unit =
            if self.renames_main { rename_main(&model.probed_text) } else { model.probed_text.clone() };
        let redirections: String = self.unit.redirections.iter().map(|line| format!("{line}\n")).collect();
        write(&probed, &format!("{redirections}{unit}\n# 1 \"emitted\"\n{tail}"))?;
        Ok(probed)
    }
}

/// The recorder, compiled once for all programs of a scratch folder.
fn compiled_recorder(model: &SourceModel, clang: &Compiler, scratch: &Path) -> Result<PathBuf, SuiteError> {
    let (text, object) = (scratch.join("recorder.i"), scratch.join("recorder.o"));
    if !object.exists() {
        let recorder = recorder::text(model);
        write(&text, &recorder)?;
        let options = ["-w", "-Wno-error", "-c", "-x", "cpp-output"];
        let options: Vec<&str> = recorder::FLAGS.into_iter().chain(options).collect();
        let mut args = clang.flags.to_vec();
        args.extend(options.iter().map(|option| option.to_string()));
        args.extend([text.display().to_string(), "-o".into(), object.display().to_string()]);
        let given: Vec<&str> = options.into_iter().chain([recorder.as_str()]).collect();
        clang.call_once(&args, Some(&given), &object)?;
    }
    Ok(object)
}

/// What variables and fresh memory hold while uninitialised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum UninitialisedFill {
    /// Whatever was there.
    Anything,
    /// Zeros.
    Zeros,
    /// A pattern that is no small number and no address.
    Pattern,
}

impl UninitialisedFill {
    /// The option of the compiler, and the complement of the byte that glibc fills fresh memory with.
    fn filling(self) -> Option<(&'static str, &'static str)> {
        match self {
            UninitialisedFill::Anything => None,
            UninitialisedFill::Zeros => Some(("-ftrivial-auto-var-init=zero", "255")),
            UninitialisedFill::Pattern => Some(("-ftrivial-auto-var-init=pattern", "85")),
        }
    }
}

/// An emitted program that records what its tests show.
pub struct Probed<'a> {
    model: &'a SourceModel,
    program: PathBuf,
    map: PathBuf,
    fill: UninitialisedFill,
    allow: &'a Allow,
}

impl<'a> Probed<'a> {
    /// Builds the file around the probed text.
    pub fn build(
        model: &'a SourceModel,
        clang: &Compiler,
        emitted: &Emitted<'_, 'a>,
        fill: UninitialisedFill,
        scratch: &Path,
    ) -> Result<Self, SuiteError> {
        let probed = emitted.probed(model, clang, scratch)?;
        let recorder = compiled_recorder(model, clang, scratch)?;
        let option = fill.filling().map(|(option, _)| option);
        let program = scratch.join(format!("probed{}", option.unwrap_or_default()));
        let options =
            recorder::FLAGS.into_iter().chain(option).chain(["-w", "-Wno-error", "-x", "cpp-output"]);
        let options: Vec<&str> = options.collect();
        let mut args = clang.flags.to_vec();
        args.extend(options.iter().map(|option| option.to_string()));
        args.extend([probed.display().to_string(), "-x".into(), "none".into()]);
        args.push(recorder.display().to_string());
        args.extend(emitted.sources.files.iter().skip(1).map(|file| file.display().to_string()));
        args.extend(emitted.sources.libraries.iter().map(|library| library.to_string()));
        args.extend(["-o".into(), program.display().to_string()]);
        let text = std::fs::read_to_string(&probed)
            .map_err(|source| SuiteError::Write { path: probed.clone(), source })?;
        let texts = [text, recorder::text(model)];
        let given = options.iter().copied().chain(texts.iter().map(String::as_str));
        let given: Vec<&str> = given.chain(emitted.sources.libraries.iter().copied()).collect();
        // Further files of the program include what they like.
        let is_alone = emitted.sources.files.len() == 1;
        clang.call_once(&args, is_alone.then_some(&given), &program)?;
        Ok(Probed { model, program, map: scratch.join("outcomes"), fill, allow: emitted.allow })
    }

    /// Runs it, with one test's name or nothing, and gives what it has shown.
    pub fn run(&self, args: &[String], folder: &Path, limit: Duration) -> Result<Evidence, SuiteError> {
        let io = |source| SuiteError::Write { path: self.map.clone(), source };
        std::fs::write(&self.map, []).map_err(io)?;
        let map = std::fs::OpenOptions::new().read(true).write(true).open(&self.map).map_err(io)?;
        map.set_len(recorder::map_size(self.model) as u64).map_err(io)?;
        let bounded = !asks_for_sanitizers(&self.model.flags);
        let number = OUTCOMES.to_string();
        let mut variables = vec![("TARKA_OUTCOMES", Path::new(&number))];
        variables.extend(self.fill.filling().map(|(_, byte)| ("MALLOC_PERTURB_", Path::new(byte))));
        // Its way shall depend on the machine as little as on what memory happens to hold.
        let is_elsewhere = bounded && self.fill == UninitialisedFill::Pattern;
        let (program, descriptors, allow) = (self.program.as_path(), &[(map.as_fd(), OUTCOMES)], self.allow);
        TargetRun {
            program,
            args,
            variables: &variables,
            descriptors,
            folder,
            limit,
            bounded,
            is_elsewhere,
            allow,
        }
        .run()
        .map_err(|source| SuiteError::CannotRun { program: self.program.clone(), source })?;
        let bytes = std::fs::read(&self.map).map_err(io)?;
        Ok(recorder::evidence(self.model, &bytes))
    }
}

/// What `#define main unit_main` does, on text that is already preprocessed.
fn rename_main(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') {
            out.push_str(line);
        } else {
            rename_in_line(line, &mut out);
        }
    }
    out
}

fn rename_in_line(line: &str, out: &mut String) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let len = match next {
            '"' | '\'' => quoted_length(rest),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        out.push_str(if token == "main" { "unit_main" } else { token });
        rest = after;
    }
}

fn quoted_length(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (index, &byte) in text.as_bytes().iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_identifier_main_steps_aside() {
        let text = "# 1 \"main.c\"\nint main(void) { puts(\"main\\\"main\"); return domain + main_2; }\n";
        assert_eq!(
            rename_main(text),
            "# 1 \"main.c\"\nint unit_main(void) { puts(\"main\\\"main\"); return domain + main_2; }\n"
        );
    }
}
