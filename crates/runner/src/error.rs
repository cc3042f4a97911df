//! What can go wrong with a target as such, as opposed to one of its runs.

use std::io;
use std::path::PathBuf;

/// The target cannot be run, or was asked for something impossible.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The executable could not be started.
    #[error("cannot start {}: {source}", exe.display())]
    Start {
        /// The executable.
        exe: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It ended before its first run: a constructor or the loader.
    #[error(
        "the program ended before any function could be called ({how}): something that runs before `main` fails; look \
         at the constructors of this file and of the libraries it links{output}"
    )]
    DiedAtStart {
        /// Its exit status or signal.
        how: String,
        /// What it printed, on lines of its own, or nothing.
        output: String,
    },
    /// It did not get ready in time.
    #[error(
        "the program was not ready after {seconds} s: something that runs before `main` does not end; look at the \
         constructors of this file and of the libraries it links"
    )]
    HungAtStart {
        /// How long it was given.
        seconds: u64,
    },
    /// It was built by another version of this tool.
    #[error(
        "the target speaks version {found} of the trace, this tool version {expected}: instrument it again"
    )]
    WrongVersion {
        /// What the target wrote.
        found: u32,
        /// What this tool wants.
        expected: u32,
    },
    /// Shared memory, pipes or the scratch folder could not be made.
    #[error("cannot {what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Only in checks: a run in a process that was kept is not the run of a process of its own.
    #[error("a run in a process that was kept differs from the same run in a process of its own: {0}")]
    Different(String),
    /// The request does not fit the layout of the shared memory.
    #[error("impossible run request: {0}")]
    BadRequest(String),
}

impl RunnerError {
    /// Puts what the system said in the context of what was tried.
    pub(crate) fn system<E: Into<io::Error>>(what: &'static str) -> impl Fn(E) -> RunnerError {
        move |source| RunnerError::System { what, source: source.into() }
    }
}
