//! The running target of one unit: inputs in, runs out, in the words of this crate.

use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tarka_runner::{ObjectImage, Run, RunRequest, RunnerError, Server};
use tarka_search::Snapshot;

use crate::shape::record::ArenaAfter;
use crate::shape::{InputBytes, ObjectShape};

/// What stays the same for every run of a unit.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub unit: u32,
    pub memory: u64,
    pub site_count: u32,
    pub coverage_len: u32,
    pub self_check: bool,
}

/// A fork server and the clock on it.
pub(crate) struct Target {
    server: Server,
    limits: Limits,
    pub executing: Duration,
}

impl Target {
    /// Starts the server.
    pub(crate) fn start(exe: &Path, limits: Limits) -> Result<Target, RunnerError> {
        let server = Server::start(exe)?;
        Ok(Target { server, limits, executing: Duration::ZERO })
    }

    /// Runs the unit on an input whose objects are given, calling it so many times in a row.
    pub(crate) fn run(
        &mut self,
        objects: &[Rc<ObjectShape>],
        input: &InputBytes,
        calls: u32,
        time_limit: Duration,
    ) -> Result<Run<'_>, RunnerError> {
        let bytes: Vec<Vec<u8>> = objects.iter().map(|object| object.bytes(input)).collect();
        self.run_bytes(objects, &bytes, calls, time_limit)
    }

    /// The same with the bytes of each object given.
    pub(crate) fn run_bytes(
        &mut self,
        objects: &[Rc<ObjectShape>],
        bytes: &[Vec<u8>],
        calls: u32,
        time_limit: Duration,
    ) -> Result<Run<'_>, RunnerError> {
        let images: Vec<ObjectImage> = objects
            .iter()
            .zip(bytes)
            .map(|(object, bytes)| ObjectImage {
                offset: object.offset,
                root: object.root.is_some(),
                bytes,
                flags: &object.flags,
                exact: object.exact,
                length: object.length.filter(|_| object.room == 0),
                capacity: object.capacity,
            })
            .collect();
        let request = RunRequest {
            unit: self.limits.unit,
            objects: &images,
            time_limit,
            memory_limit: self.limits.memory,
            self_check: self.limits.self_check,
            calls,
            site_count: self.limits.site_count,
            coverage_len: self.limits.coverage_len,
        };
        let started = Instant::now();
        let run = self.server.run(&request);
        self.executing += started.elapsed();
        run
    }
}

/// The snapshots of a run, by number.
pub(crate) fn snapshots<'a>(run: &Run<'a>) -> Vec<Snapshot<'a>> {
    let empty = Snapshot { base: 0, bytes: &[], shadow: &[] };
    (0..run.table_count())
        .map(|index| match run.table(index) {
            Some((header, bytes, shadow)) => Snapshot { base: header.base, bytes, shadow },
            None => empty,
        })
        .collect()
}

impl ArenaAfter for Run<'_> {
    fn bytes(&self, offset: u32, len: u32) -> &[u8] {
        self.arena(offset, len)
    }

    fn flags(&self, offset: u32, len: u32) -> &[u8] {
        self.arena_flags(offset, len)
    }

    fn stubs_go_on(&self) -> bool {
        self.stub_exhausted().is_some()
    }

    fn result(&self) -> &[u8] {
        Run::result(self)
    }
}
