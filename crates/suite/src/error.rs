//! What can go wrong while tests are written and replayed.

use std::io;
use std::path::PathBuf;

/// A failure that concerns one unit's files.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file or folder could not be written or read back.
    #[error("cannot write {}: {source}\n  choose another folder with --out DIR, or make room", .path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A program could not be started.
    #[error("cannot run {}: {source}\n  `tarka doctor` says what is missing", .program.display())]
    CannotRun {
        /// Which.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An emitted file does not compile.
    #[error("{} does not accept the emitted tests: {message}", .program.display())]
    Compile {
        /// Which compiler.
        program: PathBuf,
        /// Its first errors.
        message: String,
        /// What the linker did not find.
        undefined: Vec<String>,
    },
    /// Replay kept finding new differences.
    #[error("the tests of {function} behave differently on every replay; none is kept")]
    Unsettled {
        /// The function.
        function: String,
    },
    /// The work is to end early.
    #[error("interrupted before its tests were replayed")]
    Interrupted,
    /// A bug of ours.
    #[error("{message}")]
    Panicked {
        /// What is known of it.
        message: String,
    },
}
