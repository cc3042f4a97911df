//! What a run left in shared memory.

use std::time::Duration;

use tarka_trace::{
    self as trace, ComparedWord, EndKind, Evaluation, FaultKind, FaultRecord, Header, LongText, Node,
    TableHeader, TraceEvent,
};

use crate::attempt::Attempt;
use crate::shared::Shared;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The unit returned.
    Returned,
    /// It ended the process with this status.
    Exited(i32),
    /// A signal ended it.
    Signal {
        /// Signal number.
        number: i32,
        /// Where the faulting access pointed; `u64::MAX` if the processor does not say (an address that is not
        /// canonical), 0 for signals without an address.
        address: u64,
    },
    /// The runtime saw a fault.
    Fault(FaultKind),
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The unit went past the end of an input object whose size was our guess.
    InputBound,
    /// The input does not meet the precondition with this number.
    Assumption(u32),
    /// The target ended before the unit was called.
    BeforeUnit,
}

/// What the engine had to do to end a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Killed {
    Nothing,
    Child,
    Server,
    /// The system did, because all processes of the target together had no more memory.
    ForMemory,
}

/// The result of one run. Its slices lie in the shared memory and are gone with the next run.
pub struct Run<'s> {
    shared: &'s Shared,
    header: Header,
    killed: Killed,
    site_count: u32,
    coverage_len: u32,
}

impl<'s> Run<'s> {
    pub(crate) fn new(shared: &'s Shared, killed: Killed, site_count: u32, coverage_len: u32) -> Run<'s> {
        Run { shared, header: shared.header(), killed, site_count, coverage_len }
    }

    /// Why the run is over.
    pub fn end(&self) -> End {
        let header = &self.header;
        match EndKind::from_u32(header.end) {
            Some(EndKind::Returned) => End::Returned,
            Some(EndKind::Exited) => End::Exited(header.end_code),
            Some(EndKind::Signal) => End::Signal { number: header.end_code, address: header.fault_address },
            Some(EndKind::Fault) => match FaultKind::from_u32(header.end_code as u32) {
                Some(kind) => End::Fault(kind),
                None => self.end_by_status(),
            },
            Some(EndKind::Timeout) => End::Timeout,
            Some(EndKind::Memory) => End::Memory,
            Some(EndKind::InputBound) => End::InputBound,
            Some(EndKind::Assumption) => End::Assumption(header.end_code as u32),
            Some(EndKind::BeforeUnit) if self.killed != Killed::Child => End::BeforeUnit,
            Some(EndKind::BeforeUnit) | None => self.end_by_status(),
        }
    }

    /// Processor time of the run, with what it took to start it.
    pub fn used(&self) -> Duration {
        Duration::from_nanos(self.header.used_ns)
    }

    /// True if the process of this run had made another before.
    pub fn was_kept(&self) -> bool {
        self.header.kept != 0
    }

    /// True if the time limit was reached by the clock alone: the run waited for something.
    pub fn waited(&self) -> bool {
        let said = EndKind::from_u32(self.header.end) == Some(EndKind::Timeout);
        self.end() == End::Timeout && (!said || self.header.end_code == 1)
    }

    /// True if the run was ended because it asked a stub without answers again and again.
    pub fn asked_in_vain(&self) -> bool {
        self.header.end == EndKind::Timeout as u32 && self.header.end_code == 2
    }

    /// The child said nothing: what the system saw of it.
    fn end_by_status(&self) -> End {
        let status = self.header.wait_status;
        match self.killed {
            Killed::Child => End::Timeout,
            Killed::ForMemory => End::Memory,
            // The unit took the server with it; all that is certain is that it was killed.
            Killed::Server => End::Signal { number: libc::SIGKILL, address: 0 },
            Killed::Nothing if libc::WIFEXITED(status) => End::Exited(libc::WEXITSTATUS(status)),
            Killed::Nothing if libc::WTERMSIG(status) == libc::SIGABRT => End::Fault(FaultKind::Abort),
            Killed::Nothing => End::Signal { number: libc::WTERMSIG(status), address: 0 },
        }
    }

    /// The stub that was called more often than there are input values for.
    pub fn stub_exhausted(&self) -> Option<u32> {
        self.header.stub_exhausted.checked_sub(1)
    }

    /// How many events were logged before that.
    pub fn stub_exhausted_events(&self) -> usize {
        self.header.stub_exhausted_events as usize
    }

    /// The stub that had more to write than there are input values for, with the events before that.
    pub fn stub_cut(&self) -> Option<(u32, &'s [TraceEvent])> {
        let stub = self.header.stub_cut.checked_sub(1)?;
        let before = self.events().get(..self.header.stub_cut_events as usize);
        Some((stub, before.unwrap_or_default()))
    }

    /// True if the signal was a SIGSEGV because the stack was full.
    pub fn stack_overflow(&self) -> bool {
        self.header.stack_overflow != 0
    }

    /// The path.
    pub fn events(&self) -> &'s [TraceEvent] {
        self.shared.section(trace::EVENTS_OFF, bounded(self.header.event_count, trace::MAX_EVENTS))
    }

    /// How compound decisions were evaluated, each way once. The records of a decision with more than 32 conditions stand
    /// in a row, from chunk 0 on.
    pub fn evaluations(&self) -> &'s [Evaluation] {
        self.shared
            .section(trace::EVALUATIONS_OFF, bounded(self.header.evaluation_count, trace::MAX_EVALUATIONS))
    }

    fn node_count(&self) -> usize {
        bounded(self.header.node_count, trace::MAX_NODES)
    }

    /// The node table.
    pub fn nodes(&self) -> &'s [Node] {
        self.shared.section(trace::NODES_OFF, self.node_count())
    }

    /// Number of snapshot tables.
    pub fn table_count(&self) -> u32 {
        bounded(self.header.table_count, trace::MAX_TABLES) as u32
    }

    /// One snapshot: its header, its bytes and their shadow entries. `None` if there is no such table.
    pub fn table(&self, index: u32) -> Option<(TableHeader, &'s [u8], &'s [u32])> {
        if index >= self.table_count() {
            return None;
        }
        let table = self.shared.section::<TableHeader>(trace::TABLES_OFF, index as usize + 1)[index as usize];
        let size = u64::from(table.size);
        let entries = table.data.checked_add(size)?.checked_next_multiple_of(4)?;
        if entries.checked_add(4 * size)? > trace::TABLE_DATA_SIZE {
            return None;
        }
        let bytes = self.shared.section(trace::TABLE_DATA_OFF + table.data, size as usize);
        Some((table, bytes, self.shared.section(trace::TABLE_DATA_OFF + entries, size as usize)))
    }

    /// Snapshots in the order of their numbers, up to the first that cannot be one: together they have no more bytes than there is
    /// room for, whatever the target says.
    pub fn tables(&self) -> impl Iterator<Item = (TableHeader, &'s [u8], &'s [u32])> + '_ {
        let mut room = trace::TABLE_DATA_SIZE / 5;
        (0..self.table_count()).map_while(move |index| {
            let table = self.table(index)?;
            room = room.checked_sub(u64::from(table.0.size))?;
            Some(table)
        })
    }

    /// The coverage map: not 0 where an outcome was seen or, behind the outcomes, a statement executed.
    pub fn coverage(&self) -> &'s [u8] {
        self.shared.section(trace::COVERAGE_OFF, self.coverage_len as usize)
    }

    /// How often a value was concretised, by site.
    pub fn concretised(&self) -> &'s [u32] {
        self.shared.section(trace::CONCRETISED_OFF, self.site_count as usize)
    }

    /// Bytes of the arena as the unit left them.
    ///
    /// # Panics
    /// If the range lies outside the arena.
    pub fn arena(&self, offset: u32, len: u32) -> &'s [u8] {
        assert!(u64::from(offset) + u64::from(len) <= trace::ARENA_SIZE, "outside the arena");
        self.shared.section(trace::ARENA_OFF + u64::from(offset), len as usize)
    }

    /// Their flags ([`tarka_trace::flag`]).
    ///
    /// # Panics
    /// If the range lies outside the arena.
    pub fn arena_flags(&self, offset: u32, len: u32) -> &'s [u8] {
        assert!(u64::from(offset) + u64::from(len) <= trace::ARENA_SIZE, "outside the arena");
        self.shared.section(trace::ARENA_FLAGS_OFF + u64::from(offset), len as usize)
    }

    /// The bytes of the unit's return value; empty if it did not return one.
    pub fn result(&self) -> &'s [u8] {
        self.shared.section(trace::RESULT_OFF, bounded(self.header.result_size, trace::MAX_RESULT))
    }

    /// Where it ended: an address inside the faulting instruction, then return addresses, innermost first.
    pub fn backtrace(&self) -> &[u64] {
        let len = (self.header.backtrace_len as usize).min(self.header.backtrace.len());
        &self.header.backtrace[..len]
    }

    /// Where the heap block was allocated that the end of the run is about, as in [`Run::backtrace`]; empty if there is none.
    pub fn allocated_at(&self) -> &[u64] {
        let len = (self.header.allocated_len as usize).min(self.header.allocated_at.len());
        &self.header.allocated_at[..len]
    }

    /// Where the heap block or input object was freed that the end of the run is about; empty if it was not.
    pub fn freed_at(&self) -> &[u64] {
        let len = (self.header.freed_len as usize).min(self.header.freed_at.len());
        &self.header.freed_at[..len]
    }

    /// Faults after which the run went on, in the order in which they happened.
    pub fn faults(&self) -> &'s [FaultRecord] {
        self.shared.section(trace::FAULTS_OFF, bounded(self.header.fault_count, trace::MAX_FAULTS))
    }

    /// True if something outside was reached for and refused.
    pub fn reached_outside(&self) -> bool {
        self.header.attempt_count > 0
    }

    /// What the unit reached for outside and was refused, by the number in its fault record.
    pub fn attempt(&self, number: u64) -> Option<Attempt> {
        let count = (self.header.attempt_count as usize).min(self.header.attempts.len());
        let attempts = &self.header.attempts[..count];
        attempts.get(usize::try_from(number).ok()?).map(Attempt::of)
    }

    /// Texts of the input that were copied to where longer ones would not fit.
    pub fn long_texts(&self) -> &[LongText] {
        let len = (self.header.long_text_count as usize).min(self.header.long_texts.len());
        &self.header.long_texts[..len]
    }

    /// Words that texts copied from the input were compared with in vain.
    pub fn compared_words(&self) -> &[ComparedWord] {
        let len = (self.header.met_word_count as usize).min(self.header.compared_words.len());
        &self.header.compared_words[..len]
    }

    /// The site of the check or access that ended the run, if one did.
    pub fn fault_site(&self) -> Option<u32> {
        self.header.fault_site.checked_sub(1)
    }

    /// The address that ended the run: of the faulting access, or what was passed to `free`.
    pub fn fault_address(&self) -> u64 {
        self.header.fault_address
    }

    /// True if the path or the node table was cut short because it was full.
    pub fn truncated(&self) -> bool {
        self.header.events_dropped != 0 || self.header.nodes_dropped != 0
    }

    /// True if the run evaluated decisions in more ways than [`Run::evaluations`] can hold.
    pub fn evaluations_dropped(&self) -> bool {
        self.header.evaluations_dropped != 0
    }

    /// Self-check: the low 64 bits of each node's concrete value, where known.
    pub fn values(&self) -> &'s [u64] {
        self.shared.section(trace::VALUES_OFF, self.node_count())
    }

    /// Self-check: 1 where [`Run::values`] was recorded.
    pub fn values_known(&self) -> &'s [u8] {
        self.shared.section(trace::VALUES_KNOWN_OFF, self.node_count())
    }

    /// Self-check: a label that had two different values in this run.
    pub fn self_check_clash(&self) -> Option<trace::Label> {
        Some(self.header.self_check_clash).filter(|&label| label != 0)
    }
}

/// A count the target wrote, never more than the section holds.
fn bounded(count: u32, most: u64) -> usize {
    u64::from(count).min(most) as usize
}
