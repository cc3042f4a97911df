//! Running the compiler: where it is, what it makes of the file, and its messages when it refuses.
//!
//! Takes a file and the user's flags; gives preprocessed text with line markers. Never runs the user's program.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tarka_compilers::{Answer, Call};

use crate::SourceError;
use crate::syntax::bytes::literals_escaped;

/// Finds clang 19: the one `TARKA_CLANG` names, else `clang-19` on the PATH, else Debian's own folder for it.
pub fn find_clang() -> Result<PathBuf, SourceError> {
    find_clang_in(
        std::env::var_os("TARKA_CLANG"),
        std::env::var_os("PATH"),
        Path::new("/usr/lib/llvm-19/bin/clang"),
    )
}

fn find_clang_in(
    named: Option<OsString>,
    path: Option<OsString>,
    usual: &Path,
) -> Result<PathBuf, SourceError> {
    if let Some(named) = named.filter(|value| !value.is_empty()) {
        let named = PathBuf::from(named);
        return if answers(&named) {
            Ok(named)
        } else {
            Err(SourceError::ClangMissing { tried: format!("TARKA_CLANG names {}", named.display()) })
        };
    }
    let on_path = path
        .map(|path| std::env::split_paths(&path).map(|folder| folder.join("clang-19")).collect::<Vec<_>>())
        .unwrap_or_default();
    on_path
        .into_iter()
        .chain([usual.to_path_buf()])
        .find(|candidate| candidate.is_file() && answers(candidate))
        .ok_or_else(|| SourceError::ClangMissing { tried: "clang-19 is not on the PATH".into() })
}

fn answers(clang: &Path) -> bool {
    own_headers(clang, &[]).is_some()
}

/// A compiler and the flags it is asked with.
type Question = (PathBuf, Vec<String>);

/// The folder of a compiler's own headers, asked for once: a start of clang costs as much as a small file.
fn own_headers(clang: &Path, flags: &[String]) -> Option<PathBuf> {
    static KNOWN: Mutex<BTreeMap<Question, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let ask = || {
        let asked = Call::new(clang).args(flags).arg("-print-resource-dir").run().ok()?;
        let folder = String::from_utf8_lossy(&asked.output).trim().to_string();
        (asked.success() && !folder.is_empty()).then(|| PathBuf::from(folder))
    };
    known.entry((clang.to_path_buf(), flags.to_vec())).or_insert_with(ask).clone()
}

/// What clang calls an error and other compilers of its time warn of: calls without a declaration, and what goes with them.
pub const TOLERATED: [&str; 5] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

/// Flags with every warning a warning: what the user's build refuses in the user's text, it refuses there.
pub fn warnings_stay_warnings(flags: &[String]) -> Vec<String> {
    let of_warning = |flag: &String| match flag.as_str() {
        "-Werror" | "-Wfatal-errors" => None,
        "-pedantic-errors" => Some("-pedantic".to_string()),
        other => Some(other.strip_prefix("-Werror=").map_or(other.to_string(), |name| format!("-W{name}"))),
    };
    flags.iter().filter_map(of_warning).collect()
}

/// The user's flags without those that say what to produce and where, and which warnings are errors: they are decided here.
pub fn compile_flags(flags: &[String]) -> Vec<String> {
    const DROPPED: &[&str] =
        &["-c", "-S", "-E", "-P", "-C", "-CC", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "--"];
    const DROPPED_WITH_VALUE: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ", "-x"];
    const DROPPED_JOINED: &[&str] =
        &["-o", "-MF", "-MT", "-MQ", "-MJ", "-x", "-save-temps", "--save-temps", "-dD", "-dM"];
    let mut kept = Vec::new();
    let flags = warnings_stay_warnings(flags);
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if DROPPED_WITH_VALUE.contains(&flag.as_str()) {
            flags.next();
        } else if !DROPPED.contains(&flag.as_str())
            && !DROPPED_JOINED.iter().any(|start| flag.starts_with(start))
        {
            kept.push(flag.clone());
        }
    }
    kept
}

/// The compiler with a file's flags.
pub struct Compiler<'a> {
    /// clang itself.
    pub clang: &'a Path,
    /// The C file.
    pub file: &'a Path,
    /// From [`compile_flags`].
    pub flags: &'a [String],
}

impl Compiler<'_> {
    fn run(&self, arguments: &[&str]) -> Result<Answer, SourceError> {
        Call::new(self.clang)
            .args(self.flags)
            // Warnings are the user's build's affair; here only what stops compilation matters.
            .args(TOLERATED)
            .args(["-w", "-fno-color-diagnostics"])
            .args(arguments)
            .run()
            .map_err(|error| SourceError::ClangMissing {
                tried: format!("{}: {error}", self.clang.display()),
            })
    }

    /// The folder of the compiler's own headers.
    pub fn resource_dir(&self) -> Result<PathBuf, SourceError> {
        // Other flags have no say in it.
        let is_theirs = self.flags.iter().any(|flag| flag.starts_with("-resource-dir"));
        let own = if is_theirs { self.flags } else { &[] };
        let tried = || format!("{} does not name its header folder", self.clang.display());
        own_headers(self.clang, own).ok_or_else(|| SourceError::ClangMissing { tried: tried() })
    }

    /// The preprocessed text, line markers kept.
    pub fn preprocess(&self) -> Result<String, SourceError> {
        let file = self.file.to_string_lossy();
        let answer = self.run(&["-E", "-o", "-", &file])?;
        if !answer.success() {
            let reason = answer.message();
            self.check()?;
            return Err(SourceError::DoesNotCompile { file: self.file.into(), messages: reason });
        }
        Ok(literals_escaped(answer.output))
    }

    /// Fails with the compiler's own messages if the file does not compile.
    pub fn check(&self) -> Result<(), SourceError> {
        let file = self.file.to_string_lossy();
        let answer = self.run(&["-fsyntax-only", &file])?;
        if answer.success() {
            return Ok(());
        }
        let messages = answer.message();
        Err(SourceError::DoesNotCompile { file: self.file.into(), messages })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_clang_the_message_says_how_to_get_it() {
        let nowhere = Path::new("/no/such/clang");
        let error = find_clang_in(None, Some("/no/such/folder".into()), nowhere).unwrap_err();
        assert!(error.to_string().contains("apt install clang-19"), "{error}");
        let error =
            find_clang_in(Some("/wrong/clang".into()), std::env::var_os("PATH"), nowhere).unwrap_err();
        assert!(error.to_string().contains("TARKA_CLANG names /wrong/clang"), "{error}");
    }

    #[test]
    fn flags_that_choose_an_output_are_dropped() {
        let flags = [
            "-c", "-O2", "-Werror", "-o", "x.o", "-ofoo", "-MD", "-MF", "x.d", "-Iinc", "-std=c11", "-x", "c",
        ];
        let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
        assert_eq!(compile_flags(&flags), ["-O2", "-Iinc", "-std=c11"]);
    }
}
