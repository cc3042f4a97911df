//! Emitted programs as processes: confined, with a time limit, and their output in hand.
//!
//! Takes a program, gives how it ended and what it printed. Never decides what that means.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsFd, BorrowedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use tarka_confine::{Allow, Launch, Manner, Means};

/// How a process ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Exit status or signal; `None` if it was stopped at the time limit.
    pub status: Option<ExitStatus>,
    /// Standard output and error together, at most [`OUTPUT_LIMIT`] bytes.
    pub output: String,
    /// The system ended a process of it, because all of them together had no more memory.
    pub out_of_memory: bool,
}

/// Bytes of address space of a program that is not watched by the sanitizers.
const ADDRESS_SPACE: u64 = 8 << 30;

/// Most bytes of output that are read back.
const OUTPUT_LIMIT: u64 = 1 << 20;

impl Outcome {
    /// It ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// The signal that ended it.
    pub fn signal(&self) -> Option<i32> {
        self.status.and_then(|status| status.signal())
    }

    /// Why it ended, where that was no doing of the code.
    pub fn ended_by_limit(&self) -> Option<&'static str> {
        self.out_of_memory.then_some(
            "was ended by the system, because it took more memory than its processes may have together",
        )
    }
}

/// An emitted program and how it is run.
pub(crate) struct TargetRun<'a> {
    pub program: &'a Path,
    pub args: &'a [String],
    /// Variables it is given.
    pub variables: &'a [(&'a str, &'a Path)],
    /// Descriptors of ours, and their numbers there.
    pub descriptors: &'a [(BorrowedFd<'a>, RawFd)],
    pub folder: &'a Path,
    pub limit: Duration,
    /// Its address space is bounded, which the sanitizers do not bear.
    pub bounded: bool,
    /// The system tells it of another machine, user and time.
    pub is_elsewhere: bool,
    pub allow: &'a Allow,
}

impl TargetRun<'_> {
    /// Runs it confined, then ends it with everything it started.
    pub(crate) fn run(&self) -> io::Result<Outcome> {
        let log = tempfile::tempfile()?;
        let arguments: Vec<OsString> = self.args.iter().map(OsString::from).collect();
        let variables: Vec<(&str, &OsStr)> =
            self.variables.iter().map(|(name, value)| (*name, value.as_os_str())).collect();
        let launch = Launch {
            program: self.program,
            arguments: &arguments,
            folder: self.folder,
            variables: &variables,
            output: Some(log.as_fd()),
            error: Some(log.as_fd()),
            descriptors: self.descriptors,
            address_space: self.bounded.then_some(ADDRESS_SPACE),
            manner: Manner::Refused,
            fixed_addresses: false,
            is_first: false,
            is_elsewhere: self.is_elsewhere,
            allow: self.allow,
            means: Means::found(),
        };
        let mut process = launch.start()?;
        let status = process.wait_for(self.limit)?;
        process.kill()?;
        Ok(Outcome { status, output: read_limited(log)?, out_of_memory: process.ran_out_of_memory() })
    }
}

fn read_limited(mut log: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    log.rewind()?;
    log.take(OUTPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
