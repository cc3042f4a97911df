//! From files to finished units: searches, tests and fault files of many functions side by side.
//!
//! Takes files with the functions to test; gives the log of each function. Jobs own what they work on, so no one waits for
//! another file, and while one function is searched the tests of another are replayed. Two steps need all functions of a file:
//! its build, and settling which of them tells a fault. A panic in one job is that unit's error.
//!
//! Never: what a search or a suite does, printing, report formats.

mod file;
mod pool;

use std::path::PathBuf;

use tarka_campaign::{CampaignError, Options};
use tarka_events::{Event, UnitLog};
use tarka_source::{FunctionId, SourceModel};
use tarka_suite::Compilers;

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
}

/// Something worth showing while jobs run.
pub enum Notice {
    /// A file is being built.
    Building(PathBuf),
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
    /// No threads.
    #[error("cannot start the workers: {0}\n  ask for fewer with -j")]
    Pool(#[from] rayon::ThreadPoolBuildError),
}

/// Tests the functions of all files, so many jobs at a time. The logs come in the order of files and functions, whatever was finished
/// first.
pub fn run(
    files: &[FileJob],
    place: &Place,
    jobs: usize,
    notice: &(dyn Fn(Notice) + Sync),
) -> Result<Vec<Vec<UnitLog>>, JobError> {
    let finished =
        pool::with(jobs, || pool::in_order(files.len(), |file| file::run(&files[file], place, notice)))?;
    finished.into_iter().collect()
}
