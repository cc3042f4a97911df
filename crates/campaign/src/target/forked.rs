//! The real target: a process behind a fork server, and the clock on it.
//!
//! Takes an executable; gives its runs. Never: what a run means.

use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tarka_confine::Allow;
use tarka_inputs::ObjectShape;
use tarka_runner::{Run, RunnerError, Server};

use super::{Limits, Target, images};

/// A fork server and the clock on it.
pub(crate) struct Forked {
    server: Server,
    limits: Limits,
    executing: Duration,
}

impl Forked {
    /// Starts the server, confined but for what is allowed.
    pub(crate) fn start(exe: &Path, limits: Limits, allow: &Allow) -> Result<Forked, RunnerError> {
        let server = Server::start(exe, allow)?;
        Ok(Forked { server, limits, executing: Duration::ZERO })
    }
}

impl Target for Forked {
    fn run_bytes(
        &mut self,
        objects: &[Rc<ObjectShape>],
        bytes: &[Vec<u8>],
        calls: u32,
        time_limit: Duration,
    ) -> Result<Run<'_>, RunnerError> {
        let images = images(objects, bytes);
        let request = self.limits.request(&images, calls, time_limit);
        let started = Instant::now();
        let run = self.server.run(&request);
        self.executing += started.elapsed();
        run
    }

    fn executing(&self) -> Duration {
        self.executing
    }
}
