//! Why a call is about nothing: what is wrong, and the next step.

use std::path::PathBuf;

use thiserror::Error;

/// Why no file can be tested.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// The folder of `-p`.
    #[error("the build folder {} cannot be used: {source}", .folder.display())]
    BuildDir {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The compilation database.
    #[error("{0}")]
    Database(String),
    /// A glob that is none.
    #[error(
        "`{pattern}` is no glob: {reason}\n  * stands for any name, ** for any folders, ? for one character; put a literal [ in brackets, as in [[]"
    )]
    Pattern {
        /// What was typed.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Neither names nor a database.
    #[error(
        "no C file is named, and there is no compile_commands.json in {}, its build folders and above\n  name C files, folders or globs, as in `tarka gen src`; CMake writes the file with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other builds with `bear -- make`",
        .folder.display()
    )]
    NothingNamed {
        /// Where one was looked for.
        folder: PathBuf,
    },
    /// A database without a C file that can be used.
    #[error("{database} names no C file that can be tested{}\n  name C files, folders or globs, or build the project first", .why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    NothingBuilt {
        /// The database.
        database: String,
        /// What it names instead.
        why: Option<String>,
    },
    /// All of them.
    #[error("--exclude leaves nothing of the C files ({0}); take one of the globs away")]
    AllExcluded(usize),
}
