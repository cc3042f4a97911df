//! The jobs of one file: build, search each function, settle its faults, write and replay its files.
//!
//! Takes a file's job; gives the logs of its functions in order. Never: which files there are, printing.

use std::sync::{Mutex, PoisonError};

use tarka_cache::Digest;
use tarka_campaign::{CampaignError, FileSearches, untested, with_file};
use tarka_events::{Status, UnitLog};
use tarka_faults::settle;
use tarka_suite::{
    Builds, Cores, LinkedFile, Objects, Running, SuiteError, SuiteOptions, TestsWritten, linked_files,
};

use crate::journal::{FinishedEntry, Sealed, TestedEntry, digest_of_value};
use crate::pool::{Beside, Pool, beside, guarded, in_order};
use crate::{FileJob, JobError, Notice, Output, Place, key};

/// Names a function in which everything panics: a switch for tests of what a panic spoils.
const PANIC_IN: &str = "TARKA_PANIC_IN";

/// Functions of a file whose tests are written at the same time: they mostly wait for what is built together.
const MOST_WRITERS: usize = 256;

/// What came of a file.
pub(crate) struct FileDone {
    /// The logs of the functions that were finished, in order.
    pub logs: Vec<UnitLog>,
    /// How many of them were tested by an earlier call.
    pub reused: usize,
    /// How many of those had the files of their faults as well.
    pub untouched: usize,
    /// The other files that its tests are linked with.
    pub linked: Vec<LinkedFile>,
}

/// A function on its way: its log, and its tests or why there are none.
struct Tested {
    position: usize,
    log: UnitLog,
    tests: Result<TestsWritten, SuiteError>,
    /// An earlier call got so far.
    is_known: bool,
}

/// How much of a function was done by an earlier call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    Nothing,
    /// It was searched, and its tests were written.
    Tested,
    /// The files of its faults, too.
    Finished,
}

/// What the jobs of a file share.
struct Shared<'a> {
    job: &'a FileJob,
    place: &'a Place,
    output: &'a Output,
    pool: &'a dyn Pool,
    notice: &'a (dyn Fn(Notice) + Sync),
    /// Who builds what the functions' files need.
    builds: &'a Builds<'a>,
    /// What each function's work depends on.
    keys: Vec<Digest>,
}

/// Searches and tests go on side by side; when all functions of the file have theirs, it is settled which of them tells a fault, and the
/// faults get their files.
pub(crate) fn run(
    job: &FileJob,
    (place, objects): (&Place, &Objects),
    (output, pool): (&Output, &dyn Pool),
    notice: &(dyn Fn(Notice) + Sync),
) -> Result<FileDone, JobError> {
    let done = run_once(job, (place, objects), (output, pool), notice);
    match (done, &job.alone) {
        (Err(JobError::Campaign(CampaignError::Build { source, .. })), Some(alone)) => {
            notice(Notice::Alone { file: alone.file.clone(), reason: source.to_string() });
            let (units, options, folders) = (job.units.clone(), job.options.clone(), job.folders.clone());
            let job = FileJob { model: alone.clone(), units, options, folders, alone: None };
            run_once(&job, (place, objects), (output, pool), notice)
        }
        (done, _) => done,
    }
}

fn run_once(
    job: &FileJob,
    (place, objects): (&Place, &Objects),
    (output, pool): (&Output, &dyn Pool),
    notice: &(dyn Fn(Notice) + Sync),
) -> Result<FileDone, JobError> {
    let compilers = (&place.compilers, place.flags_folder.as_path());
    let builds = &Builds::new(&job.model, job.units.len(), compilers, (&place.cores, objects))?;
    let shared = Shared { job, place, output, pool, notice, builds, keys: key::keys(job, place) };
    let (mut logs, rest): (Vec<UnitLog>, Vec<_>) = shared
        .tested()?
        .into_iter()
        .map(|Tested { position, log, tests, is_known }| (log, (position, tests, is_known)))
        .unzip();
    settle(&job.model, &mut logs);
    let (mut running, writers) = (shared.running(logs.len()), &Cores::new(MOST_WRITERS));
    let finished: Vec<(UnitLog, Before)> = std::thread::scope(|scope| {
        let begin = |(log, (position, tests, is_known))| {
            let (running, writer) = (running.pop(), writers.take());
            let tested = Tested { position, log, tests, is_known };
            let shared = &shared;
            let finish = |(tested, running, writer)| (shared.finished(tested), drop((running, writer))).0;
            beside(scope, (tested, running, writer), finish)
        };
        let begun: Vec<_> = logs.into_iter().zip(rest).map(begin).collect();
        begun.into_iter().filter_map(Beside::result).collect()
    });
    let count = |least| finished.iter().filter(|(_, before)| *before >= least).count();
    let (reused, untouched) = (count(Before::Tested), count(Before::Finished));
    let logs = finished.into_iter().map(|(log, _)| log).collect();
    Ok(FileDone { logs, reused, untouched, linked: linked_files(&job.model) })
}

impl Shared<'_> {
    /// All functions that are tested, by an earlier call or by this one. Where all are, nothing is built. One file that cannot be
    /// built does not spoil the others.
    fn tested(&self) -> Result<Vec<Tested>, JobError> {
        let FileJob { model, units, options, .. } = self.job;
        let known: Vec<Option<Tested>> = (0..units.len()).map(|position| self.known(position)).collect();
        if known.iter().all(Option::is_some) {
            return Ok(known.into_iter().flatten().collect());
        }
        (self.notice)(Notice::Building(model.file.clone()));
        let scratch = tempfile::tempdir()?;
        let begin = |known: Option<Tested>| match known {
            Some(known) => Mutex::new((Some(known), None)),
            None => Mutex::new((None, Some(self.builds.begin()))),
        };
        let slots: Vec<_> = known.into_iter().map(begin).collect();
        let take = |position: usize| {
            std::mem::take(&mut *slots[position].lock().unwrap_or_else(PoisonError::into_inner))
        };
        let writers = &Cores::new(MOST_WRITERS);
        let found = with_file(model, units, options, &self.place.clang, scratch.path(), |file| {
            std::thread::scope(|scope| {
                let begun = in_order(self.pool, units.len(), |position| match take(position) {
                    (Some(known), _) => Some(Beside::Done(Some(Some(known)))),
                    (None, running) => {
                        let log = self.search(file, position)?;
                        let write = move |(log, running, writer)| {
                            (self.test(position, log), drop((running, writer))).0
                        };
                        Some(beside(scope, (log, running, writers.take()), write))
                    }
                });
                let tested = begun.into_iter().map(|begun| begun.and_then(Beside::result).flatten());
                tested.collect::<Vec<Option<Tested>>>()
            })
        });
        match found {
            Ok(tested) => Ok(tested.into_iter().flatten().collect()),
            Err(unbuilt @ CampaignError::Build { .. }) if self.job.alone.is_none() => {
                let unit = |position| Tested {
                    position,
                    log: self.error(position, unbuilt.to_string()),
                    tests: Ok(TestsWritten::default()),
                    is_known: false,
                };
                Ok((0..units.len()).map(unit).collect())
            }
            Err(other) => Err(other.into()),
        }
    }

    /// What an earlier call made of a function.
    fn known(&self, position: usize) -> Option<Tested> {
        let TestedEntry { result, tests, .. } = self.output.journal.tested(self.keys[position])?.clone();
        Some(Tested { position, log: UnitLog::new(result), tests: Ok(tests), is_known: true })
    }

    /// Searches a function; nothing if the work ends before it is done.
    fn search(&self, file: &FileSearches, position: usize) -> Option<UnitLog> {
        let _core = self.place.cores.take();
        if self.is_interrupted() {
            return None;
        }
        let search = || {
            let name = &self.job.model.function(self.job.units[position]).name;
            assert!(std::env::var(PANIC_IN).as_ref() != Ok(name), "{PANIC_IN} asks for it");
            UnitLog::new(file.search(position, &|event| (self.notice)(Notice::Search(event))))
        };
        let log = guarded(search).unwrap_or_else(|panic| self.error(position, a_bug(&panic).to_string()));
        (!self.is_interrupted()).then_some(log)
    }

    /// Writes the tests of a function that was searched; nothing if the work ends before it is done.
    fn test(&self, position: usize, mut log: UnitLog) -> Option<Tested> {
        let model = &self.job.model;
        (self.notice)(Notice::Replaying(log.result().function.clone()));
        let options = self.suite_options(position);
        let write = || tarka_suite::write_tests(model, &mut log, (&options, self.builds));
        let tests = guarded(write).unwrap_or_else(|panic| Err(a_bug(&panic)));
        match &tests {
            // Ctrl-C reaches the compilers as well.
            Err(_) if self.is_interrupted() => return None,
            Ok(tests) if !matches!(log.result().status, Status::Error(_)) => {
                let (result, tests) = (log.result().clone(), tests.clone());
                let files = self.sealed(position, &["test_"]);
                self.output.journal.add_tested(self.keys[position], TestedEntry { result, tests, files });
            }
            _ => {}
        }
        Some(Tested { position, log, tests, is_known: false })
    }

    /// A function with the files of its faults, and how much of it was done before.
    fn finished(&self, tested: Tested) -> (UnitLog, Before) {
        let Tested { position, mut log, tests, is_known } = tested;
        let settled = digest_of_value(&log.result().faults);
        let known = self.output.journal.finished(self.keys[position], settled).filter(|_| is_known);
        if let Some(known) = known {
            known.corrections.iter().for_each(|correction| log.record(correction.clone()));
            return (log, Before::Finished);
        }
        let before = log.corrections().len();
        let options = self.suite_options(position);
        let mut write =
            |tests| tarka_suite::write_faults(&self.job.model, &mut log, (&options, self.builds), tests);
        let written =
            tests.and_then(|tests| guarded(|| write(tests)).unwrap_or_else(|panic| Err(a_bug(&panic))));
        match written {
            Err(error) => tarka_suite::withdraw(&self.job.model, &mut log, &error),
            Ok(()) if !self.is_interrupted() => {
                let corrections = log.corrections()[before..].to_vec();
                let files = self.sealed(position, &["fault_", "refuted_"]);
                let entry = FinishedEntry { settled, corrections, files };
                self.output.journal.add_finished(self.keys[position], entry);
            }
            Ok(()) => {}
        }
        (log, if is_known { Before::Tested } else { Before::Nothing })
    }

    fn running(&self, units: usize) -> Vec<Running<'_>> {
        (0..units).map(|_| self.builds.begin()).collect()
    }

    fn is_interrupted(&self) -> bool {
        self.place.interrupt.is_set()
    }

    fn error(&self, position: usize, message: String) -> UnitLog {
        let FileJob { model, units, options, .. } = self.job;
        UnitLog::new(untested(model, units[position], options, Status::Error(message)))
    }

    fn sealed(&self, position: usize, prefixes: &[&str]) -> Vec<Sealed> {
        Sealed::all(self.output.folder(), &self.job.folders[position], prefixes)
    }

    fn suite_options(&self, position: usize) -> SuiteOptions {
        SuiteOptions {
            out: self.output.folder().to_path_buf(),
            folder: self.job.folders[position].clone(),
            faults: self.job.options.faults,
            allow: self.job.options.allow.clone(),
            interrupt: self.place.interrupt.0.clone(),
        }
    }
}

fn a_bug(panic: &str) -> SuiteError {
    let message = format!("a bug in Tarka ended the work on this function, please report it: {panic}");
    SuiteError::Panicked { message }
}
