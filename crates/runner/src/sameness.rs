//! Whether two runs of the same input left the same.
//!
//! Takes a run and what its input lay in; gives a short record of all that the engine may read of it, part by part. Never: times,
//! and which process made the run.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{End, Run, RunRequest};

/// Sums of the parts of a run, by name.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Record {
    end: End,
    parts: Vec<(&'static str, u64)>,
}

fn sum(part: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    part.hash(&mut hasher);
    hasher.finish()
}

impl Record {
    pub(crate) fn of(run: &Run<'_>, request: &RunRequest<'_>) -> Record {
        let events: Vec<_> =
            run.events().iter().map(|e| (e.site, e.kind, e.outcome, e.label, e.aux)).collect();
        let nodes: Vec<_> = run.nodes().iter().map(|n| (n.op, n.width, n.a, n.b, n.c)).collect();
        let tables: Vec<_> =
            run.tables().map(|(header, bytes, entries)| (header.base, header.size, bytes, entries)).collect();
        let input: Vec<_> = request
            .objects
            .iter()
            .map(|image| (image.offset, image.bytes.len() as u32))
            .map(|(offset, size)| (run.arena(offset, size), run.arena_flags(offset, size)))
            .collect();
        let faults: Vec<_> = run
            .faults()
            .iter()
            .map(|f| (f.kind, f.site, f.events, f.address, &f.backtrace[..f.backtrace_len.min(16) as usize]))
            .collect();
        let attempts: Vec<_> =
            (0..8).map_while(|number| run.attempt(number)).map(|attempt| attempt.to_string()).collect();
        let stubs = (
            run.stub_exhausted(),
            run.stub_exhausted_events(),
            run.stub_cut().map(|(stub, events)| (stub, events.len())),
        );
        let ends = (run.fault_site(), run.fault_address(), run.stack_overflow(), run.asked_in_vain());
        let parts = vec![
            ("path", sum(events)),
            ("nodes", sum(nodes)),
            ("snapshots", sum(tables)),
            ("coverage", sum(run.coverage())),
            ("evaluations", sum((run.evaluations(), run.evaluations_dropped()))),
            ("concretised", sum(run.concretised())),
            ("input afterwards", sum(input)),
            ("result", sum(run.result())),
            ("place of the end", sum((ends, run.backtrace()))),
            ("places of the block", sum((run.allocated_at(), run.freed_at()))),
            ("faults", sum(faults)),
            ("attempts", sum(attempts)),
            ("texts", sum((run.long_texts(), run.compared_words()))),
            ("stubs", sum(stubs)),
            ("what was too much", sum(run.truncated())),
        ];
        Record { end: run.end(), parts }
    }

    /// The first part that differs; a run that was stopped by a clock is like any other.
    pub(crate) fn difference(&self, other: &Record) -> Option<String> {
        if [self.end, other.end].contains(&End::Timeout) {
            return None;
        }
        if self.end != other.end {
            return Some(format!("{:?} and {:?}", self.end, other.end));
        }
        let differs = self.parts.iter().zip(&other.parts).find(|(mine, others)| mine != others);
        differs.map(|((name, _), _)| (*name).to_owned())
    }
}
