//! The jobs of one file: build, search each function, settle its faults, write and replay its files.
//!
//! Takes a file's job; gives the logs of its functions in order. Never: which files there are, printing.

use tarka_campaign::{CampaignError, settle, untested, with_file};
use tarka_events::{Status, UnitLog, UnitResult};
use tarka_suite::{SuiteError, SuiteOptions};

use crate::pool::{guarded, in_order};
use crate::{FileJob, JobError, Notice, Place};

/// Names a function in which everything panics: a switch for tests of what a panic spoils.
const PANIC_IN: &str = "TARKA_PANIC_IN";

pub(crate) fn run(
    job: &FileJob,
    place: &Place,
    notice: &(dyn Fn(Notice) + Sync),
) -> Result<Vec<UnitLog>, JobError> {
    notice(Notice::Building(job.model.file.clone()));
    let mut logs: Vec<UnitLog> = searched(job, place, notice)?.into_iter().map(UnitLog::new).collect();
    settle(&job.model, &mut logs);
    let slots: Vec<std::sync::Mutex<UnitLog>> = logs.into_iter().map(std::sync::Mutex::new).collect();
    Ok(in_order(slots.len(), |position| {
        let mut log = slots[position].lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
        notice(Notice::Replaying(log.result().function.clone()));
        write(job, place, position, &mut log);
        log
    }))
}

/// What the searches of all functions find out. One file that cannot be built does not spoil the others.
fn searched(
    job: &FileJob,
    place: &Place,
    notice: &(dyn Fn(Notice) + Sync),
) -> Result<Vec<UnitResult>, JobError> {
    let scratch = tempfile::tempdir()?;
    let FileJob { model, units, options, .. } = job;
    let error =
        |position: usize, message: String| untested(model, units[position], options, Status::Error(message));
    let sink = |event| notice(Notice::Search(event));
    let found = with_file(model, units, options, &place.clang, scratch.path(), |file| {
        in_order(units.len(), |position| {
            let search = || {
                let name = &model.function(units[position]).name;
                assert!(std::env::var(PANIC_IN).as_ref() != Ok(name), "{PANIC_IN} asks for it");
                file.search(position, &sink)
            };
            guarded(search).unwrap_or_else(|panic| error(position, a_bug(&panic)))
        })
    });
    match found {
        Ok(results) => Ok(results),
        Err(unbuilt @ CampaignError::Build { .. }) => {
            Ok((0..units.len()).map(|position| error(position, unbuilt.to_string())).collect())
        }
        Err(other) => Err(other.into()),
    }
}

/// Writes and replays the files of one function; without them nothing is claimed.
fn write(job: &FileJob, place: &Place, position: usize, log: &mut UnitLog) {
    let options = SuiteOptions {
        out: place.out.clone(),
        folder: job.folders[position].clone(),
        compilers: place.compilers.clone(),
        flags_folder: place.flags_folder.clone(),
        faults: job.options.faults,
    };
    let written = guarded(|| tarka_suite::write_suite(&job.model, log, &options));
    match written.unwrap_or_else(|panic| Err(SuiteError::Panicked { message: a_bug(&panic) })) {
        Ok(()) => {}
        Err(error) => tarka_suite::withdraw(&job.model, log, &error),
    }
}

fn a_bug(panic: &str) -> String {
    format!("a bug in Tarka ended the work on this function, please report it: {panic}")
}
