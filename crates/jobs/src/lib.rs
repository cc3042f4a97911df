//! From files to finished units: searches, tests and fault files of many functions side by side.
//!
//! Takes files with the functions to test; gives the log of each function. Jobs own what they work on, so no one waits for
//! another file, and while one function is searched the tests of another are replayed. Two steps need all functions of a file:
//! its build, and settling which of them tells a fault. A panic in one job is that unit's error. What is finished stands in a journal
//! in the output folder, under a key of everything it depends on, and is not done again by a later call.
//!
//! Never: what a search or a suite does, printing, report formats.

mod file;
mod journal;
mod key;
mod mark;
mod output;
mod pool;

use std::path::{Path, PathBuf};

use tarka_campaign::{CampaignError, Interrupt, Options};
use tarka_events::{Event, UnitLog};
use tarka_source::{FunctionId, SourceModel};
use tarka_suite::{Compilers, Cores, LinkedFile, Objects};

pub use mark::is_own_report;
pub use output::Output;
pub use pool::{Pool, Threads};

/// One file and the functions to test in it.
pub struct FileJob {
    /// The file.
    pub model: SourceModel,
    /// The functions.
    pub units: Vec<FunctionId>,
    /// What is asked of them.
    pub options: Options,
    /// The folder of each function in the output folder.
    pub folders: Vec<String>,
    /// The file by itself, if the model is that of a program of several files: what is tested where that cannot be built.
    pub alone: Option<SourceModel>,
}

/// What came of a file.
pub struct TestedFile {
    /// The logs of its functions in order, without those that were not finished.
    pub logs: Vec<UnitLog>,
    /// The other files that its tests are linked with.
    pub linked: Vec<LinkedFile>,
}

/// What all jobs share.
pub struct Place {
    /// The compiler that builds targets.
    pub clang: PathBuf,
    /// The compilers that replay.
    pub compilers: Compilers,
    /// The output folder.
    pub out: PathBuf,
    /// The folder the user's flags are meant from.
    pub flags_folder: PathBuf,
    /// How much of the machine is used.
    pub cores: Cores,
    /// Set from outside when the work is to end early.
    pub interrupt: Interrupt,
}

/// What came of the jobs.
pub struct Outcome {
    /// Each file.
    pub files: Vec<TestedFile>,
    /// How many functions were not finished because the work ended early.
    pub unfinished: usize,
    /// How many were tested by an earlier call.
    pub reused: usize,
    /// How many of those had the files of their faults as well: nothing was done for them.
    pub untouched: usize,
}

/// Something worth showing while jobs run.
pub enum Notice {
    /// A file is being built.
    Building(PathBuf),
    /// A file is tested without the rest of its program.
    Alone {
        /// Which.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// What a search tells.
    Search(Event),
    /// The tests of a function are being replayed.
    Replaying(String),
}

/// Why jobs could not be run at all. What goes wrong with one unit is in that unit's log instead.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The campaign refuses.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// No temporary folder.
    #[error("cannot make a scratch folder: {0}\n  make room, or set TMPDIR to a folder that can be written")]
    Scratch(#[from] std::io::Error),
    /// The journal cannot be opened.
    #[error("cannot use {}: {source}\n  choose another folder with --out DIR, or make room", .path.display())]
    Journal {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder beside the output folder cannot be used.
    #[error("cannot work beside {}: {source}\n  choose another folder with --out DIR", .path.display())]
    Output {
        /// The output folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another call has the folder.
    #[error("another tarka is at work in {}\n  wait until it is done, or choose another folder with --out DIR", .out.display())]
    Taken {
        /// The folder.
        out: PathBuf,
    },
    /// No threads.
    #[error("cannot start the workers: {0}\n  ask for fewer with -j")]
    Workers(#[from] rayon::ThreadPoolBuildError),
}

/// Whether some call has begun to work in this output folder.
pub fn is_begun(out: &Path) -> bool {
    out.join(journal::NAME).exists()
}

/// Tests the functions of all files by the workers of a pool. The logs come in the order of files and functions, whatever was finished
/// first.
pub fn run(
    files: &[FileJob],
    (place, output): (&Place, &Output),
    pool: &dyn Pool,
    notice: &(dyn Fn(Notice) + Sync),
) -> Result<Outcome, JobError> {
    let objects = Objects::new()?;
    let run_file = |file: usize| file::run(&files[file], (place, &objects), (output, pool), notice);
    let done = pool::in_order(pool, files.len(), run_file);
    let done = done.into_iter().collect::<Result<Vec<_>, JobError>>()?;
    let all: usize = files.iter().map(|file| file.units.len()).sum();
    let reused = done.iter().map(|file| file.reused).sum();
    let untouched = done.iter().map(|file| file.untouched).sum();
    let files: Vec<TestedFile> =
        done.into_iter().map(|file| TestedFile { logs: file.logs, linked: file.linked }).collect();
    let unfinished = all - files.iter().map(|file| file.logs.len()).sum::<usize>();
    Ok(Outcome { files, unfinished, reused, untouched })
}
