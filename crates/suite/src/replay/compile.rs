//! Compiling emitted files with the plain compilers, and reading their warnings.
//!
//! Takes a file and flags, gives an executable or the compiler's message. Never runs what it built.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::SuiteError;
use crate::format::Sources;
use crate::replay::process::{Outcome, run};
use crate::replay::sanitize::trailing_arrays;

/// Longest a compilation may take.
const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// The compilers a replay uses.
#[derive(Clone, Debug)]
pub struct Compilers {
    /// clang 19.
    pub clang: PathBuf,
    /// The system's compiler, if there is one and it is not clang under another name.
    pub cc: Option<PathBuf>,
}

/// A warning of a compiler.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// `-Wunused-function`.
    pub option: String,
    /// The name of the file in which it stands.
    pub file: String,
    /// That is the emitted file itself.
    pub ours: bool,
}

/// One compiler with the folder and flags of the unit.
#[derive(Clone, Debug)]
pub struct Compiler<'a> {
    /// The program.
    pub program: &'a Path,
    /// The user's flags.
    pub flags: &'a [String],
    /// Where the user's flags are meant.
    pub folder: &'a Path,
}

impl Compiler<'_> {
    /// Compiles C files to an executable, with all usual warnings counted and none an error. Gives those with an option's name.
    pub fn build(
        &self,
        sources: &Sources,
        extra: &[&str],
        out: &Path,
    ) -> Result<BTreeSet<Warning>, SuiteError> {
        let mut args: Vec<String> = Vec::new();
        if !self.flags.iter().any(|flag| flag.starts_with("-std=") || flag == "-ansi") {
            args.push("-std=gnu11".to_string());
        }
        args.extend(self.flags.iter().cloned());
        args.extend(["-Wall", "-Wextra", "-Wno-error"].map(String::from));
        args.extend(extra.iter().map(|flag| flag.to_string()));
        args.extend(trailing_arrays(self.flags, extra).map(String::from));
        args.extend(sources.files.iter().map(|file| file.display().to_string()));
        args.extend(sources.libraries.iter().map(|library| library.to_string()));
        args.extend(["-o".to_string(), out.display().to_string()]);
        let outcome = self.call(&args)?;
        Ok(warnings(&outcome.output, &sources.files))
    }

    /// Calls the compiler with exactly these arguments, unless it is known what they give. `given` is all that this depends on besides
    /// the user's flags; without it the call may read other files.
    pub fn call_once(&self, args: &[String], given: Option<&[&str]>, out: &Path) -> Result<(), SuiteError> {
        let key = given.and_then(|given| tarka_cache::call_key(self.program, self.flags, given));
        tarka_cache::built(key, out, || self.call(args).map(|_| ()))
    }

    /// Calls the compiler with exactly these arguments.
    pub fn call(&self, args: &[String]) -> Result<Outcome, SuiteError> {
        let outcome = run(self.program, args, self.folder, COMPILE_LIMIT)
            .map_err(|source| SuiteError::CannotRun { program: self.program.to_path_buf(), source })?;
        if outcome.success() {
            return Ok(outcome);
        }
        let errors: Vec<&str> = outcome.output.lines().filter(|line| is_error(line)).take(3).collect();
        let message = if errors.is_empty() { outcome.output.trim().to_string() } else { errors.join("\n") };
        let undefined = undefined_names(&outcome.output);
        Err(SuiteError::Compile { program: self.program.to_path_buf(), message, undefined })
    }
}

/// Whether a line of a compiler or linker says what is wrong.
fn is_error(line: &str) -> bool {
    [" error: ", "undefined reference", "multiple definition"].iter().any(|sign| line.contains(sign))
}

/// What the linker did not find, each once.
fn undefined_names(output: &str) -> Vec<String> {
    let names = output.split("undefined reference to `").skip(1).filter_map(|rest| rest.split('\'').next());
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().map(str::to_string).collect()
}

/// `file:line:col: warning: text [-Wname]`, with gcc's `-Wname=` forms cut to what a pragma takes.
fn warnings(output: &str, files: &[PathBuf]) -> BTreeSet<Warning> {
    let names = files.iter().filter_map(|file| file.file_name());
    let names: Vec<String> = names.map(|name| format!("{}:", name.to_string_lossy())).collect();
    let mut found = BTreeSet::new();
    for line in output.lines().filter(|line| line.contains("warning:")) {
        let Some((_, option)) = line.trim_end().rsplit_once("[-W") else { continue };
        let option = option.trim_end_matches(']');
        let option = option.split(',').next().unwrap_or(option);
        let option = option.strip_suffix('=').unwrap_or(option);
        let place = line.split(": warning:").next().unwrap_or_default();
        let place = place.rsplit('/').next().unwrap_or(place);
        let ours = names.iter().any(|name| place.starts_with(name));
        let file = place.split(':').next().unwrap_or(place).to_string();
        found.insert(Warning { option: format!("-W{option}"), file, ours });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_names_are_read_once() {
        let output =
            "u.c:(.text+0x6): undefined reference to `limit'\nld: u.o: undefined reference to `limit'\n";
        assert_eq!(undefined_names(output), ["limit"]);
    }

    #[test]
    fn warnings_are_read_with_their_owner() {
        let output = "x/u.c:3:1: warning: unused function 'f' [-Wunused-function]\n\
                      out/test_f.c:9:1: warning: odd [-Wimplicit-fallthrough=]\n\
                      note: nothing\n";
        let found: Vec<_> = warnings(output, &[PathBuf::from("out/test_f.c")]).into_iter().collect();
        assert_eq!(
            found,
            [
                Warning { option: "-Wimplicit-fallthrough".into(), file: "test_f.c".into(), ours: true },
                Warning { option: "-Wunused-function".into(), file: "u.c".into(), ours: false },
            ]
        );
    }
}
