//! How a command ends: the exit statuses, and what makes one unusable.
//!
//! Takes what the crates below refused; gives a message that ends with the next step, and a status. Never: prints.

use std::path::PathBuf;
use std::process::ExitCode;

use tarka_settings::nearest;

/// The exit statuses users and scripts rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finished {
    /// Finished, no fault.
    Clean,
    /// Finished, faults found (or a replayed test failed).
    Faults,
    /// Wrong use or unusable input.
    Unusable,
    /// A bug in Tarka.
    Bug,
}

impl From<Finished> for ExitCode {
    fn from(finished: Finished) -> ExitCode {
        ExitCode::from(match finished {
            Finished::Clean => 0,
            Finished::Faults => 1,
            Finished::Unusable => 2,
            Finished::Bug => 70,
        })
    }
}

/// Why a command could not do its work. Each message ends with the next step.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Promised by the interface, not built yet.
    #[error("{0} comes with a later version; `tarka gen --help` lists what is available")]
    Later(String),
    /// An option's value makes no sense.
    #[error("{0}")]
    Usage(String),
    /// No such function.
    #[error("no function `{name}` in {files}{hint}")]
    NoSuchFunction {
        /// What was asked for.
        name: String,
        /// Where.
        files: String,
        /// Names that look like it, as [`did_you_mean`] tells them.
        hint: String,
    },
    /// git does not know what changed.
    #[error("--since {revision}: git says in {}: {said}\n  it takes a revision of the repository that the C file is in; `git log` lists them", .folder.display())]
    Git {
        /// The revision asked for.
        revision: String,
        /// Where git was asked.
        folder: PathBuf,
        /// git's own message.
        said: String,
    },
    /// The cache cannot be emptied.
    #[error("cannot empty the cache {}: {source}\n  remove the folder by hand, or set TARKA_CACHE to another one", .folder.display())]
    Cache {
        /// Its folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The output folder cannot be used.
    #[error("cannot write to the output folder {}: {source}\n  choose another one with --out DIR", .path.display())]
    Output {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder for questions to the solver cannot be used.
    #[error("cannot write to the folder {} for questions to the solver: {source}\n  choose another one with --dump-queries DIR", .path.display())]
    Dump {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is nothing to test in what was named.
    #[error(transparent)]
    Project(#[from] tarka_project::ProjectError),
    /// A folder that holds no report.
    #[error("no usable report in {}: {reason}\n  make one with `tarka gen -o {} FILE.c`", .folder.display(), .folder.display())]
    NoReport {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder that somebody else may have made.
    #[error("{} was made elsewhere, or changed since: a replay would compile it with the flags its report names, which may run programs\n  flags: {flags}\n  say --trust if you know where it comes from", .folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What its report asks the compiler for.
        flags: String,
    },
    /// A baseline that cannot be used.
    #[error("cannot compare with the baseline {}: {reason}\n  give it the report.json or faults.sarif of an earlier `tarka gen`, or leave --baseline out", .file.display())]
    Baseline {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// gdb cannot be started.
    #[error("cannot start gdb: {0}\n  apt install gdb, and see that it is in PATH")]
    NoGdb(std::io::Error),
    /// What was emitted cannot be built.
    #[error(transparent)]
    Suite(#[from] tarka_suite::SuiteError),
    /// No such test.
    #[error("no test or fault `{name}` in {}{hint}", .folder.display())]
    NoSuchTest {
        /// What was asked for.
        name: String,
        /// Where.
        folder: PathBuf,
        /// Names that look like it, as [`did_you_mean`] tells them.
        hint: String,
    },
    /// A tarka.toml, --assume or --env that cannot be used.
    #[error(transparent)]
    Settings(#[from] tarka_settings::SettingsError),
    /// A precondition that is not C, or names something unknown.
    #[error("{0}")]
    Precondition(String),
    /// The C file or the compiler.
    #[error(transparent)]
    Source(#[from] tarka_source::SourceError),
    /// The campaign cannot start.
    #[error(transparent)]
    Campaign(#[from] tarka_campaign::CampaignError),
    /// The jobs could not be run.
    #[error(transparent)]
    Jobs(#[from] tarka_jobs::JobError),
    /// Signals cannot be watched.
    #[error("cannot watch for Ctrl-C: {0}")]
    Signals(std::io::Error),
    /// No processes.
    #[error("cannot start a process: {0}\n  see that `ulimit -u` leaves room for more of them")]
    Split(std::io::Error),
    /// No thread for the work.
    #[error("cannot start to work: {0}\n  allow more memory (ulimit -v), or end other programs")]
    Thread(std::io::Error),
    /// Scratch space.
    #[error("cannot make a scratch folder: {0}\n  make room, or set TMPDIR to a folder that can be written")]
    Scratch(std::io::Error),
}

/// `; did you mean …?`, or nothing where no known name looks like it.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known).as_slice() {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(", ")),
    }
}
