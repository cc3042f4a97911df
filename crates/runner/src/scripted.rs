//! A run without a process: whoever stands in for a target says what it is to leave.
//!
//! Takes a request and a script; writes into memory of its own what a target would have written into shared memory, and gives
//! the same [`Run`]. For tests of what reads runs. Never: starting anything.

use tarka_trace::{EndKind, Node, TraceEvent};

use crate::run::Killed;
use crate::shared::Shared;
use crate::{End, Run, RunRequest, RunnerError};

/// What a run is to leave.
#[derive(Clone, Debug)]
pub struct Script {
    /// How it ends.
    pub end: End,
    /// Its path.
    pub events: Vec<TraceEvent>,
    /// The operations that the path speaks of.
    pub nodes: Vec<Node>,
    /// Positions in the coverage map that it has seen.
    pub seen: Vec<u32>,
    /// Where it ended: code addresses, innermost first.
    pub backtrace: Vec<u64>,
}

impl Default for Script {
    fn default() -> Script {
        let (events, nodes, seen, backtrace) = Default::default();
        Script { end: End::Returned, events, nodes, seen, backtrace }
    }
}

/// Memory for one run at a time.
pub struct Scripted {
    shared: Shared,
}

impl Scripted {
    /// Empty memory.
    pub fn new() -> Result<Scripted, RunnerError> {
        Ok(Scripted { shared: Shared::create()? })
    }

    /// The run that a target would have made which does what the script says.
    pub fn run(&mut self, request: &RunRequest<'_>, script: &Script) -> Result<Run<'_>, RunnerError> {
        request.validate()?;
        self.shared.prepare(request);
        self.shared.play(script);
        Ok(Run::new(&self.shared, Killed::Nothing, request.site_count, request.coverage_len))
    }
}

/// An end as the header spells it: kind, code, address.
pub(crate) fn spelled(end: End) -> (EndKind, i32, u64) {
    match end {
        End::Returned => (EndKind::Returned, 0, 0),
        End::Exited(status) => (EndKind::Exited, status, 0),
        End::Signal { number, address } => (EndKind::Signal, number, address),
        End::Fault(kind) => (EndKind::Fault, kind as i32, 0),
        End::Timeout => (EndKind::Timeout, 0, 0),
        End::Memory => (EndKind::Memory, 0, 0),
        End::InputBound => (EndKind::InputBound, 0, 0),
        End::Assumption(number) => (EndKind::Assumption, number as i32, 0),
        End::BeforeUnit => (EndKind::BeforeUnit, 0, 0),
    }
}
