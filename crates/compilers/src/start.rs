//! A compiler that is started for one call.
//!
//! Takes a call and its streams; gives how it ended. Never: keeps anything.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::{Call, Streams};

/// How long a call without a limit is waited for at a time.
const LONG: Duration = Duration::from_secs(3600);

/// Starts the program; `None` if it was stopped at the limit.
pub(crate) fn run(call: &Call, streams: &Streams) -> io::Result<Option<ExitStatus>> {
    let mut command = Command::new(call.program);
    command
        .args(&call.arguments)
        .stdin(streams.input.try_clone()?)
        .stdout(streams.output.try_clone()?)
        .stderr(streams.errors.try_clone()?)
        .process_group(0);
    if let Some(folder) = &call.folder {
        command.current_dir(folder);
    }
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let ends = pidfd_open(group, PidfdFlags::empty())?;
    let started = Instant::now();
    let has_ended = loop {
        let left = call.limit.map_or(LONG, |limit| limit.saturating_sub(started.elapsed()));
        let left = left.try_into().ok();
        match poll(&mut [PollFd::new(&ends, PollFlags::IN)], left.as_ref()) {
            Ok(0) if call.limit.is_none() => {}
            Ok(0) => break false,
            Ok(_) => break true,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    if !has_ended {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait()?;
    Ok(has_ended.then_some(status))
}
