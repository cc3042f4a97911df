//! The jobs of one file: build, search each function, settle its faults, write and replay its files.
//!
//! Takes a file's job; gives the logs of its functions in order. Never: which files there are, printing.

use std::sync::{Mutex, PoisonError};

use tarka_campaign::{CampaignError, settle, untested, with_file};
use tarka_events::{Status, UnitLog};
use tarka_suite::{SuiteError, SuiteOptions, TestsWritten};

use crate::pool::{guarded, in_order};
use crate::{FileJob, JobError, Notice, Place};

/// Names a function in which everything panics: a switch for tests of what a panic spoils.
const PANIC_IN: &str = "TARKA_PANIC_IN";

/// A function on its way: its log, and its tests or why there are none.
type Tested = (UnitLog, Result<TestsWritten, SuiteError>);

/// Searches and tests go on side by side; when all functions of the file have theirs, it is settled which of them tells a fault, and the
/// faults get their files.
pub(crate) fn run(
    job: &FileJob,
    place: &Place,
    notice: &(dyn Fn(Notice) + Sync),
) -> Result<Vec<UnitLog>, JobError> {
    notice(Notice::Building(job.model.file.clone()));
    let (mut logs, tests): (Vec<UnitLog>, Vec<_>) = tested(job, place, notice)?.into_iter().unzip();
    settle(&job.model, &mut logs);
    let slots: Vec<Mutex<Option<Tested>>> =
        logs.into_iter().zip(tests).map(|unit| Mutex::new(Some(unit))).collect();
    let written = in_order(slots.len(), |position| {
        let mut slot = slots[position].lock().unwrap_or_else(PoisonError::into_inner);
        let (mut log, tests) = slot.take()?;
        let options = suite_options(job, place, position);
        let mut write = |tests| tarka_suite::write_faults(&job.model, &mut log, &options, tests);
        let written =
            tests.and_then(|tests| guarded(|| write(tests)).unwrap_or_else(|panic| Err(a_bug(&panic))));
        if let Err(error) = written {
            tarka_suite::withdraw(&job.model, &mut log, &error);
        }
        Some(log)
    });
    Ok(written.into_iter().flatten().collect())
}

/// What the searches of all functions find out, with their tests. One file that cannot be built does not spoil the others.
fn tested(job: &FileJob, place: &Place, notice: &(dyn Fn(Notice) + Sync)) -> Result<Vec<Tested>, JobError> {
    let scratch = tempfile::tempdir()?;
    let FileJob { model, units, options, .. } = job;
    let error = |position: usize, message: String| {
        UnitLog::new(untested(model, units[position], options, Status::Error(message)))
    };
    let sink = |event| notice(Notice::Search(event));
    let found = with_file(model, units, options, &place.clang, scratch.path(), |file| {
        in_order(units.len(), |position| {
            let search = || {
                let name = &model.function(units[position]).name;
                assert!(std::env::var(PANIC_IN).as_ref() != Ok(name), "{PANIC_IN} asks for it");
                UnitLog::new(file.search(position, &sink))
            };
            let mut log = guarded(search).unwrap_or_else(|panic| error(position, a_bug(&panic).to_string()));
            notice(Notice::Replaying(log.result().function.clone()));
            let options = suite_options(job, place, position);
            let write = || tarka_suite::write_tests(model, &mut log, &options);
            let tests = guarded(write).unwrap_or_else(|panic| Err(a_bug(&panic)));
            (log, tests)
        })
    });
    match found {
        Ok(tested) => Ok(tested),
        Err(unbuilt @ CampaignError::Build { .. }) => {
            let unit = |position| (error(position, unbuilt.to_string()), Ok(TestsWritten::default()));
            Ok((0..units.len()).map(unit).collect())
        }
        Err(other) => Err(other.into()),
    }
}

fn suite_options(job: &FileJob, place: &Place, position: usize) -> SuiteOptions {
    SuiteOptions {
        out: place.out.clone(),
        folder: job.folders[position].clone(),
        compilers: place.compilers.clone(),
        flags_folder: place.flags_folder.clone(),
        faults: job.options.faults,
    }
}

fn a_bug(panic: &str) -> SuiteError {
    let message = format!("a bug in Tarka ended the work on this function, please report it: {panic}");
    SuiteError::Panicked { message }
}
