//! The server process: starting it, speaking to it, waiting no longer than allowed.
//!
//! Takes an executable and the shared memory; gives answers, or that the server is late or gone. Never: what a run did.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use tarka_confine::{Allow, Launch, Manner, Means, Process as Target, Watch};
use tarka_trace as trace;

use crate::RunnerError;

/// How long a server that has closed its pipe may take to end.
const LAST_WORDS: Duration = Duration::from_millis(20);
/// How long constructors may take.
const START_LIMIT: Duration = Duration::from_secs(10);
/// Descriptors made here lie above the numbers the target expects, so giving them those numbers overwrites none.
const LOWEST_DESCRIPTOR: RawFd = 210;
/// How much of a failed start's output is kept.
const OUTPUT_KEPT: usize = 2000;

/// A fork server that said it is ready.
pub(crate) struct Process {
    target: Target,
    commands: File,
    status: File,
}

/// What came on the status pipe.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// One command is done (or, once, the server is ready).
    Byte(u8),
    /// The server is gone.
    Gone,
    /// Nothing in time.
    Late,
}

impl Process {
    pub(crate) fn start(
        exe: &Path,
        folder: &Path,
        shared: BorrowedFd<'_>,
        allow: &Allow,
    ) -> Result<Process, RunnerError> {
        let (command_read, command_write) = pipe()?;
        let (status_read, status_write) = pipe()?;
        let shared = above(shared)?;
        let mut output = memory_file()?;
        let launch = Launch {
            program: exe,
            arguments: &[],
            folder,
            variables: &[],
            output: None,
            error: Some(output.as_fd()),
            descriptors: &[
                (shared.as_fd(), trace::SHARED_FD),
                (command_read.as_fd(), trace::COMMAND_FD),
                (status_write.as_fd(), trace::STATUS_FD),
            ],
            address_space: None,
            manner: Manner::Watched,
            fixed_addresses: true,
            // A run is never the first process of its namespace: its server is, and outlives whatever a run does.
            is_first: true,
            is_elsewhere: false,
            allow,
            means: Means::found(),
        };
        let target = launch.start().map_err(|source| RunnerError::Start { exe: exe.to_owned(), source })?;
        drop((command_read, status_write, shared));
        let mut process =
            Process { target, commands: File::from(command_write), status: File::from(status_read) };
        match process.answer(START_LIMIT) {
            Answer::Byte(_) => Ok(process),
            Answer::Late => Err(RunnerError::HungAtStart { seconds: START_LIMIT.as_secs() }),
            Answer::Gone => {
                let how = process.end().map_or_else(|| "unknown reason".to_owned(), describe);
                Err(RunnerError::DiedAtStart { how, output: printed(&mut output) })
            }
        }
    }

    /// What the target's runtime has to know of how it is confined.
    pub(crate) fn watch(&self) -> Watch {
        self.target.watch()
    }

    /// Whether the system ended one of its processes for memory, since this was last asked.
    pub(crate) fn ran_out_of_memory(&mut self) -> bool {
        self.target.ran_out_of_memory()
    }

    /// Sends one command; false if the server is gone.
    pub(crate) fn send(&mut self, commands: &[u8]) -> bool {
        self.commands.write_all(commands).is_ok()
    }

    /// Waits for one byte of status.
    pub(crate) fn answer(&mut self, limit: Duration) -> Answer {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.status, PollFlags::IN)], Some(&left)) {
                Ok(0) => return Answer::Late,
                Ok(_) => {
                    let mut byte = [0];
                    return match self.status.read(&mut byte) {
                        Ok(1) => Answer::Byte(byte[0]),
                        _ => Answer::Gone,
                    };
                }
                Err(Errno::INTR) => {}
                Err(_) => return Answer::Gone,
            }
        }
    }

    /// Ends the server, if it still lives, with all its runs, and says how it ended.
    pub(crate) fn end(&mut self) -> Option<ExitStatus> {
        // A server that closed its pipe is usually just about to end by itself, and its own reason is the better one.
        match self.target.wait_for(LAST_WORDS) {
            Ok(Some(status)) => Some(status),
            _ => self.target.kill().ok(),
        }
    }
}

/// "exit status 3" or "signal 11".
fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => "unknown reason".to_owned(),
    }
}

/// What a failed start printed, set off by a newline.
fn printed(output: &mut File) -> String {
    let mut bytes = Vec::new();
    if output.rewind().and_then(|()| output.read_to_end(&mut bytes)).is_err() {
        return String::new();
    }
    bytes.truncate(OUTPUT_KEPT);
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim();
    if text.is_empty() { String::new() } else { format!("\n{text}") }
}

fn memory_file() -> Result<File, RunnerError> {
    let file = memfd_create("tarka-output", MemfdFlags::CLOEXEC);
    file.map(File::from).map_err(RunnerError::system("create a file for the target's messages"))
}

/// A duplicate with a number out of the way.
fn above(descriptor: impl AsFd) -> Result<OwnedFd, RunnerError> {
    fcntl_dupfd_cloexec(descriptor, LOWEST_DESCRIPTOR)
        .map_err(RunnerError::system("duplicate a descriptor (is `ulimit -n` above 256?)"))
}

/// Read end and write end.
fn pipe() -> Result<(OwnedFd, OwnedFd), RunnerError> {
    let (read, write) = io::pipe().map_err(RunnerError::system("create a pipe"))?;
    Ok((above(read)?, above(write)?))
}
