//! What a call is about: C files, and the flags that the build of each one uses.
//!
//! Takes what was named on the command line (files, folders, globs, or nothing) and what lies in the file system, with its compilation
//! database; gives the C files in a stable order, each with flags for clang on this machine, and notes about all that was left out.
//! Never: what stands in a C file, running the build, running what it built.

mod commands;
mod error;
mod files;
mod find;
mod flags;

pub use error::ProjectError;
pub use find::find;
pub use flags::without_outputs;

use std::path::{Path, PathBuf};

/// What was asked for.
pub struct Request<'a> {
    /// Files, folders and globs, in the order they were named; none: all that a compilation database names.
    pub named: &'a [PathBuf],
    /// Globs of what is left out.
    pub excludes: &'a [String],
    /// The folder of the compilation database; `None`: one is looked for.
    pub build_dir: Option<&'a Path>,
    /// Flags for every file, after those of its build.
    pub flags: &'a [String],
    /// The output folder, in which no sources are looked for.
    pub out: &'a Path,
    /// clang, which knows what flags it takes.
    pub clang: &'a Path,
}

/// The answer.
#[derive(Debug, Default)]
pub struct Project {
    /// The C files, each once.
    pub files: Vec<SourceFile>,
    /// What the user should know, one sentence each.
    pub notes: Vec<String>,
    /// What was asked for and cannot be used, one sentence each with the next step.
    pub refused: Vec<String>,
}

/// A C file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path, as it was named where it was named.
    pub path: PathBuf,
    /// Its flags; paths in those of a build hold from anywhere.
    pub flags: Vec<String>,
}
