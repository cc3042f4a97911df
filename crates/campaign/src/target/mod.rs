//! How the loop meets the program under test: inputs in, runs out.
//!
//! Takes the objects of an input; gives a run. `forked` is the real one, a process behind a fork server; `scripted` plays a
//! program for tests of the loop, which so need neither a compiler nor a process. Never: what a run means.

mod forked;
#[cfg(test)]
pub(crate) mod scripted;

use std::rc::Rc;
use std::time::Duration;

use tarka_inputs::{InputBytes, ObjectShape};
use tarka_runner::{ObjectImage, Run, RunRequest, RunnerError};
use tarka_search::Snapshot;

pub(crate) use forked::Forked;

/// What stays the same for every run of a unit.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub unit: u32,
    pub memory: u64,
    pub site_count: u32,
    pub coverage_len: u32,
    pub self_check: bool,
}

impl Limits {
    /// The request of one run.
    fn request<'r>(
        &self,
        objects: &'r [ObjectImage<'r>],
        calls: u32,
        time_limit: Duration,
    ) -> RunRequest<'r> {
        RunRequest {
            unit: self.unit,
            objects,
            time_limit,
            memory_limit: self.memory,
            self_check: self.self_check,
            calls,
            site_count: self.site_count,
            coverage_len: self.coverage_len,
        }
    }
}

/// The program under test.
pub(crate) trait Target {
    /// Runs the unit on an input whose objects are given with the bytes of each, calling it so many times in a row.
    fn run_bytes(
        &mut self,
        objects: &[Rc<ObjectShape>],
        bytes: &[Vec<u8>],
        calls: u32,
        time_limit: Duration,
    ) -> Result<Run<'_>, RunnerError>;

    /// How long all runs took so far.
    fn executing(&self) -> Duration;

    /// The same with the bytes that the input says.
    fn run(
        &mut self,
        objects: &[Rc<ObjectShape>],
        input: &InputBytes,
        calls: u32,
        time_limit: Duration,
    ) -> Result<Run<'_>, RunnerError> {
        let bytes: Vec<Vec<u8>> = objects.iter().map(|object| object.bytes(input)).collect();
        self.run_bytes(objects, &bytes, calls, time_limit)
    }
}

/// The objects of an input as the runner takes them.
fn images<'i>(objects: &'i [Rc<ObjectShape>], bytes: &'i [Vec<u8>]) -> Vec<ObjectImage<'i>> {
    let both = objects.iter().zip(bytes);
    both.map(|(object, bytes)| ObjectImage {
        offset: object.offset,
        root: object.root.is_some(),
        bytes,
        flags: &object.flags,
        exact: object.exact,
        length: object.length.filter(|_| object.room == 0),
        capacity: object.capacity,
    })
    .collect()
}

/// The snapshots of a run, by number, up to the first that cannot be one.
pub(crate) fn snapshots<'a>(run: &Run<'a>) -> Vec<Snapshot<'a>> {
    let tables = run.tables();
    tables.map(|(header, bytes, shadow)| Snapshot { base: header.base, bytes, shadow }).collect()
}
