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
        self.shared.prepare(request, false);
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

#[cfg(test)]
mod tests {
    use tarka_trace as trace;

    use super::*;

    const REQUEST: RunRequest<'static> = RunRequest {
        unit: 0,
        objects: &[],
        time_limit: std::time::Duration::from_secs(1),
        memory_limit: 1 << 20,
        self_check: false,
        calls: 1,
        site_count: 8,
        coverage_len: 8,
    };

    /// Everything that a run gives, as far as it can be asked for; how many records that were.
    fn read_all(run: &Run) -> usize {
        let tables: Vec<_> = run.tables().collect();
        let bytes: usize = tables.iter().map(|(_, bytes, shadow)| bytes.len() + 4 * shadow.len()).sum();
        assert!(bytes as u64 <= trace::TABLE_DATA_SIZE);
        let _ = (run.end(), run.waited(), run.used(), run.asked_in_vain(), run.truncated());
        let _ = (run.stub_exhausted(), run.stub_cut(), run.fault_site(), run.self_check_clash());
        let short = run.backtrace().len() + run.allocated_at().len() + run.freed_at().len();
        let counted = run.events().len() + run.nodes().len() + run.evaluations().len() + run.faults().len();
        let values = run.values().len() + run.values_known().len();
        let texts = run.long_texts().len() + run.compared_words().len() + run.result().len();
        for index in [0, 1, u32::MAX] {
            run.table(index);
        }
        short + counted + values + texts + run.coverage().len() + run.concretised().len()
    }

    /// What a target may leave: every word of the header and of the table headers with values at the edges, then noise.
    #[test]
    fn whatever_stands_in_the_shared_memory_a_run_can_be_read() {
        let mut memory = Scripted::new().unwrap();
        memory.run(&REQUEST, &Script::default()).unwrap();
        let words = size_of::<trace::Header>() / 4;
        let edges = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX - 3, u32::MAX];
        for word in 0..words {
            for edge in edges {
                memory.shared.scribble(0, word, &[edge]);
                read_all(&Run::new(&memory.shared, Killed::Nothing, 8, 8));
            }
            memory.shared.scribble(0, word, &[0]);
        }
        let mut random = 7_u64;
        let mut noise = |count: usize| -> Vec<u32> {
            let mut next = || {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                // Small numbers, and numbers near the ends of what a word holds, as often as others.
                match random >> 61 {
                    0 => (random >> 50) as u32 & 0xff,
                    1 => u32::MAX - ((random >> 50) as u32 & 0xff),
                    _ => (random >> 29) as u32,
                }
            };
            (0..count).map(|_| next()).collect()
        };
        let mut read = 0;
        for _ in 0..200 {
            let (header, tables) = (noise(words), noise(6 * 64));
            memory.shared.scribble(0, 0, &header);
            memory.shared.scribble(trace::TABLES_OFF, 0, &tables);
            read += read_all(&Run::new(&memory.shared, Killed::Nothing, 8, 8));
        }
        assert!(read > 1_000_000, "the noise hides most of what could be read: {read}");
    }

    /// A run that the system killed says nothing itself; what stands there of the signal is no crash of the unit.
    #[test]
    fn a_run_that_was_killed_for_memory_ran_out_of_it() {
        let mut memory = Scripted::new().unwrap();
        memory.run(&REQUEST, &Script::default()).unwrap();
        let end = std::mem::offset_of!(trace::Header, end) / 4;
        let status = std::mem::offset_of!(trace::Header, wait_status) / 4;
        memory.shared.scribble(0, end, &[0]);
        memory.shared.scribble(0, status, &[libc::SIGKILL as u32]);
        let end = |killed| Run::new(&memory.shared, killed, 8, 8).end();
        assert_eq!(end(Killed::Nothing), End::Signal { number: libc::SIGKILL, address: 0 });
        assert_eq!(end(Killed::ForMemory), End::Memory);
    }

    #[test]
    fn snapshots_that_share_their_bytes_are_not_read_over_and_over() {
        let mut memory = Scripted::new().unwrap();
        memory.run(&REQUEST, &Script::default()).unwrap();
        let size = 1 << 22;
        let headers: Vec<u32> = (0..trace::MAX_TABLES).flat_map(|_| [0, 0, size, 0, 0, 0]).collect();
        memory.shared.scribble(trace::TABLES_OFF, 0, &headers);
        let count = std::mem::offset_of!(trace::Header, table_count) / 4;
        memory.shared.scribble(0, count, &[u32::MAX]);
        assert_eq!(Run::new(&memory.shared, Killed::Nothing, 8, 8).tables().count(), 3);
    }
}
