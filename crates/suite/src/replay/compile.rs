//! Compiling emitted files with the plain compilers, and reading their warnings.
//!
//! Takes a file and flags, gives an executable or the compiler's message. Never runs what it built.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tarka_compilers::{Answer, Call};

use crate::SuiteError;
use crate::format::Sources;
use crate::replay::builds::linking::Linking;
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
    /// How what it built is linked, if not as it does by itself.
    pub linking: Option<&'a Linking>,
}

impl Compiler<'_> {
    /// Compiles C files to an executable, with all usual warnings counted and none an error; without a place for it, they are only
    /// read. Gives the warnings with an option's name.
    pub fn build(
        &self,
        sources: &Sources,
        extra: &[&str],
        out: Option<&Path>,
    ) -> Result<BTreeSet<Warning>, SuiteError> {
        let mut options: Vec<String> = Vec::new();
        options.extend(self.default_standard());
        options.extend(self.flags.iter().cloned());
        options.extend(["-Wall", "-Wextra", "-Wno-error"].map(String::from));
        options.extend(extra.iter().map(|flag| flag.to_string()));
        options.extend(trailing_arrays(self.flags, extra).map(String::from));
        let mut found = BTreeSet::new();
        let mut objects: Vec<PathBuf> = Vec::new();
        // A driver that has one thing to do does it itself, and starts no further process.
        for (number, file) in sources.files.iter().enumerate() {
            let object = out.map(|out| out.with_extension(format!("{number}.o")));
            let made = object.as_deref().unwrap_or(Path::new("/dev/null"));
            let mut args = in_order(&options).0;
            args.push(if object.is_some() { "-c" } else { "-S" }.to_string());
            args.extend([file.display().to_string(), "-o".to_string(), made.display().to_string()]);
            found.extend(warnings(&self.call(&args)?.text(), &sources.files));
            objects.extend(object);
        }
        if let Some(out) = out {
            let parts: Vec<PathBuf> = objects.iter().chain(&sources.linked.objects).cloned().collect();
            let linked = sources.linked.options.iter().map(String::as_str);
            let libraries: Vec<&str> = linked.chain(sources.libraries.iter().copied()).collect();
            self.link(&options, &parts, &libraries, out)?;
        }
        for object in objects {
            // Their folder goes away with the program.
            let _ = std::fs::remove_file(object);
        }
        Ok(found)
    }

    /// The standard that files are written for, unless the user's flags name one.
    pub(crate) fn default_standard(&self) -> Option<String> {
        let is_named = self.flags.iter().any(|flag| flag.starts_with("-std=") || flag == "-ansi");
        (!is_named).then(|| "-std=gnu11".to_string())
    }

    /// Makes an executable of objects, and of C files that nobody is warned of.
    pub fn link(
        &self,
        options: &[String],
        parts: &[PathBuf],
        libraries: &[&str],
        out: &Path,
    ) -> Result<(), SuiteError> {
        let (mut args, behind) = in_order(options);
        args.extend(self.linking.iter().flat_map(|linking| linking.options(options)));
        args.extend(parts.iter().map(|part| part.display().to_string()));
        args.extend(behind);
        args.extend(libraries.iter().map(|library| library.to_string()));
        args.extend(["-o".to_string(), out.display().to_string()]);
        self.call(&args).map(|_| ())
    }

    /// Has `make` make a file with this compiler, unless it is known what that gives. `given` is all that this depends on besides the
    /// user's flags; without it other files may be read.
    pub fn make_once(
        &self,
        given: Option<&[&str]>,
        out: &Path,
        make: impl FnOnce() -> Result<(), SuiteError>,
    ) -> Result<(), SuiteError> {
        let linking: Vec<String> =
            self.linking.iter().flat_map(|linking| linking.options(self.flags)).collect();
        let key = given.and_then(|given| {
            let given = given.iter().copied().chain(linking.iter().map(String::as_str));
            tarka_cache::call_key(self.program, self.flags, given)
        });
        tarka_cache::built(key, out, make)
    }

    /// Calls the compiler with exactly these arguments.
    pub fn call(&self, args: &[String]) -> Result<Answer, SuiteError> {
        let call = Call::new(self.program).args(args).folder(self.folder).limit(COMPILE_LIMIT);
        let answer = call
            .run()
            .map_err(|source| SuiteError::CannotRun { program: self.program.to_path_buf(), source })?;
        if answer.success() {
            return Ok(answer);
        }
        let output = answer.text();
        let errors: Vec<&str> = output.lines().filter(|line| is_error(line)).take(3).collect();
        let message = if errors.is_empty() { output.trim().to_string() } else { errors.join("\n") };
        let undefined = undefined_names(&output);
        Err(SuiteError::Compile { program: self.program.to_path_buf(), message, undefined })
    }
}

/// Flags in the order in which they do something: those that stand before the files, and libraries and objects, in which the linker
/// looks only for what files before them lack.
pub(crate) fn in_order(flags: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let is_object = !flag.starts_with('-') && [".o", ".a", ".so"].iter().any(|end| flag.ends_with(end));
        if flag == "-l" {
            behind.extend([flag].into_iter().chain(rest.next()).cloned());
        } else if flag.starts_with("-l")
            || is_object && !before.last().is_some_and(|last: &String| takes_file(last))
        {
            behind.push(flag.clone());
        } else {
            before.push(flag.clone());
        }
    }
    (before, behind)
}

/// Whether what follows a flag is a file, whatever its name.
fn takes_file(flag: &str) -> bool {
    matches!(flag, "-include" | "-imacros" | "-Xlinker" | "-T" | "-D" | "-I")
}

/// Whether a line of a compiler or linker says what is wrong.
fn is_error(line: &str) -> bool {
    [" error: ", "undefined reference", "multiple definition"].iter().any(|sign| line.contains(sign))
}

/// What the linker did not find, each once.
fn undefined_names(output: &str) -> Vec<String> {
    // Linkers begin the name with different signs.
    let after =
        output.split("undefined reference to ").skip(1).filter_map(|rest| rest.strip_prefix(['`', '\'']));
    let names: BTreeSet<&str> = after.filter_map(|rest| rest.split('\'').next()).collect();
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
    fn libraries_come_behind_the_files() {
        let flags = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<String>>();
        let all = flags("-Iinc -lz -O1 extra.o -l m -include x.o -L /opt");
        assert_eq!(in_order(&all), (flags("-Iinc -O1 -include x.o -L /opt"), flags("-lz extra.o -l m")));
    }

    #[test]
    fn undefined_names_are_read_once() {
        let output =
            "u.c:(.text+0x6): undefined reference to `limit'\nld: u.o: undefined reference to `limit'\n";
        assert_eq!(undefined_names(output), ["limit"]);
        let gold = "u.o:u.c:function f: error: undefined reference to 'limit'\n";
        assert_eq!(undefined_names(gold), ["limit"]);
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
