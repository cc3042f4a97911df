//! How a run ended: its frames, what went wrong on the way, what its last site was about, and what it lost.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use tarka_events::{FaultKind, FaultSet};
use tarka_instrument::{CheckKind, SiteInfoKind, Symboliser};
use tarka_runner::{End, Run};
use tarka_search::{Absorbed, failed_checks};
use tarka_source::SourceModel;
use tarka_trace::{ARENA_BASE, ARENA_SIZE, Event, EventKind, FaultRecord, flag};

use super::Job;
use crate::faults::{About, Ended, Moment, Recorded, Stack};
use crate::loops::Endless;
use crate::losses::Losses;
use crate::shape::{InputBytes, ObjectShape, Shape};
use crate::since::Since;

/// How far behind the arena an access still counts as one behind an object of it.
const BEHIND: u64 = 1 << 36;

/// Events of a run without an end that are looked at: what goes round and round says little new, and a full log takes as long
/// as thousands of runs and leaves tens of thousands of ways to try.
const MOST_OF_A_HANG: usize = 1 << 14;

/// The path of a run, as far as it is looked at. Whatever was stopped might as well have been stopped earlier.
pub(super) fn looked_at<'r>(run: &'r Run) -> &'r [Event] {
    let events = run.events();
    if run.end() == End::Timeout { &events[..events.len().min(MOST_OF_A_HANG)] } else { events }
}

/// How a run ended. What only our choice of inputs is to blame for is a bound of inputs: an address far behind an
/// object whose size is a guess, and a number that a union of the input also sees as a pointer.
pub(super) fn end_of(run: &Run, shape: &Shape, objects: &[Rc<ObjectShape>], input: &InputBytes) -> End {
    let End::Signal { number: libc::SIGSEGV, address } = run.end() else { return run.end() };
    let is_guess = |object: &Rc<ObjectShape>| object.root.is_none() && !object.exact;
    let behind = ARENA_BASE + ARENA_SIZE..ARENA_BASE + BEHIND;
    let is_bound =
        behind.contains(&address) && objects.iter().any(is_guess) || shape.is_wild(objects, input, address);
    if is_bound { End::InputBound } else { run.end() }
}

/// True if the unit returned or ended the process by itself, and nothing went wrong on the way: a test can repeat that and
/// pass.
pub(super) fn ends_well(run: &Run, end: End, faults: FaultSet) -> bool {
    matches!(end, End::Returned | End::Exited(_))
        && recorded(run, faults).all(|(kind, _)| kind.leaves_a_test())
}

/// The faults after which a run went on, of the kinds that are looked for.
pub(super) fn recorded<'r>(
    run: &'r Run,
    faults: FaultSet,
) -> impl Iterator<Item = (FaultKind, &'r FaultRecord)> {
    let kind = |record: &'r FaultRecord| Some((FaultKind::from_u32(record.kind)?, record));
    run.faults().iter().filter_map(kind).filter(move |(kind, _)| faults.has(*kind))
}

/// Sites whose checks a run has made fail.
pub(super) fn failed_sites(run: &Run) -> impl Iterator<Item = u32> {
    run.faults().iter().filter_map(|record| record.site.checked_sub(1)).chain(run.fault_site())
}

/// True if repeating a run would take all the time or memory that a run may have.
pub(super) fn is_slow(run: &Run, end: End) -> bool {
    matches!(end, End::Timeout | End::Memory) || run.stack_overflow()
}

/// The kinds of fault that an input can be believed about. One that asks for more elements than its object was made with is
/// one that no caller can give, if it asks for enough: what pointers into that object do then says nothing.
pub(super) fn believed(faults: FaultSet, objects: &[Rc<ObjectShape>], input: &InputBytes) -> FaultSet {
    let asks_for_more = |object: &Rc<ObjectShape>| object.asked(input) > u64::from(object.capacity);
    if objects.iter().any(asks_for_more) { faults.without(FaultKind::PointerArithmetic) } else { faults }
}

/// The end of a run with its frames, and the faults of some kinds on the way.
pub(super) fn ended<'a>(
    job: &Job<'a>,
    stacks: &Stacks<'_>,
    (run, end, faults): (&Run, End, FaultSet),
    stack: Stack,
    limit: Duration,
) -> Ended<'a> {
    // Nobody asks a run that ended by itself, and there are many of them.
    let site = match end {
        End::Returned | End::Exited(_) => None,
        _ => run.fault_site().or_else(|| failed_checks(run.events()).last().copied()),
    };
    let unit = job.model.function(job.function());
    let about = |site: u32| {
        let info = job.build.sites.get(site as usize)?;
        let is_message = matches!(info.kind, SiteInfoKind::Check(CheckKind::Compiler(_)));
        Some(About { what: info.what.as_str(), is_message, place: info.place.as_ref() })
    };
    let recorded = recorded(run, faults).map(|(kind, record)| Recorded {
        kind,
        moment: Moment {
            events: record.events as usize,
            site: record.site.checked_sub(1),
            address: record.address,
        },
        stack: stacks.of(&record.backtrace[..record.backtrace_len.min(16) as usize]),
        site: record.site.checked_sub(1).and_then(about),
        bytes: record.address,
    });
    let endless = if end == End::Timeout { Endless::find(job.model, run.coverage(), &stack) } else { None };
    let stack = match &endless {
        Some(endless) => endless.placed(stack),
        None => stack,
    };
    Ended {
        end,
        stack_overflow: run.stack_overflow(),
        stack,
        site: site.and_then(about),
        address: run.fault_address(),
        related: stacks.related(run),
        recorded: recorded.collect(),
        unit: (&unit.name, &unit.place),
        limit_ms: limit.as_millis() as u64,
        asked_in_vain: run.asked_in_vain(),
        endless: endless.map(|endless| endless.text()),
    }
}

/// Most call stacks whose frames are remembered.
const MOST_STACKS: usize = 4096;

/// Code addresses to frames. A look into the debug information costs more than a run, and runs of a unit fail in the same
/// places.
pub(super) struct Stacks<'a> {
    symboliser: &'a Symboliser,
    known: RefCell<HashMap<Vec<u64>, Stack>>,
}

impl<'a> Stacks<'a> {
    pub(super) fn new(symboliser: &'a Symboliser) -> Stacks<'a> {
        Stacks { symboliser, known: RefCell::default() }
    }

    /// The frames of a run's end. None for a run that ended by itself.
    pub(super) fn of_end(&self, run: &Run) -> Stack {
        match run.end() {
            End::Returned | End::Exited(_) | End::InputBound | End::Assumption(_) => Vec::new(),
            _ => self.of(run.backtrace()),
        }
    }

    /// Where the object was allocated and freed that the end of a run is about, as far as that is known.
    fn related(&self, run: &Run) -> Stack {
        let known = [("allocated here", run.allocated_at()), ("freed here", run.freed_at())];
        let place = |addresses| self.of(addresses).into_iter().next().map(|(_, place)| place);
        known.into_iter().filter_map(|(words, at)| Some((words.to_string(), place(at)?))).collect()
    }

    /// The frames that have a place, innermost first, so a crash in a library function is placed where it was called.
    pub(super) fn of(&self, addresses: &[u64]) -> Stack {
        let mut known = self.known.borrow_mut();
        if let Some(frames) = known.get(addresses) {
            return frames.clone();
        }
        // All but the first are return addresses: one less lies inside the call.
        let places = addresses.iter().enumerate();
        let frames = places
            .flat_map(|(index, &address)| self.symboliser.frames(address.saturating_sub((index > 0).into())));
        let frames: Stack = frames.filter_map(|frame| Some((frame.function, frame.place?))).collect();
        if known.len() >= MOST_STACKS {
            known.clear();
        }
        known.insert(addresses.to_vec(), frames.clone());
        frames
    }
}

/// Notes what a run could not tell.
pub(super) fn note_losses(
    losses: &mut Losses,
    model: &SourceModel,
    (run, end): (&Run, End),
    path: &Absorbed,
    objects: &[Rc<ObjectShape>],
) {
    let since = Since::last_of(model, looked_at(run));
    losses.cut += u64::from(path.cut || run.truncated());
    losses.evaluations_dropped += u64::from(run.evaluations_dropped());
    if matches!(end, End::Timeout | End::Memory) {
        *losses.stopped.entry(since).or_default() += 1;
    }
    // A check that failed is a decision with another side; without one, nobody knows what could have come next.
    let has_other_side = run
        .events()
        .last()
        .is_some_and(|event| event.kind == EventKind::Check as u16 && event.outcome == 0 && event.label != 0);
    if matches!(end, End::Signal { .. } | End::Fault(_)) && !has_other_side {
        *losses.faulted.entry(since).or_default() += 1;
    }
    if let Some(stub) = run.stub_exhausted() {
        *losses.stub_exhausted.entry(stub).or_default() += 1;
    }
    if let Some((stub, before)) = run.stub_cut() {
        let since = Since::last_of(model, before);
        *losses.stub_cut.entry(stub).or_default().entry(since).or_default() += 1;
    }
    let read_to_the_end = |object: &Rc<ObjectShape>| {
        let last = object.offset + object.size.max(1) - 1;
        object.ends_string && run.arena_flags(last, 1)[0] & flag::READ != 0
    };
    if end != End::InputBound {
        // The run went on behind it.
        if objects.iter().any(read_to_the_end) {
            *losses.left_string.entry(Since::Start).or_default() += 1;
        }
        return;
    }
    let object = left(objects, run.fault_address());
    if object.is_none_or(|object| object.ends_string) {
        *losses.left_string.entry(since).or_default() += 1;
    }
    if object.is_none_or(|object| !object.ends_string) {
        *losses.left_object.entry(since).or_default() += 1;
    }
}

/// The object whose end an address lies behind.
fn left(objects: &[Rc<ObjectShape>], address: u64) -> Option<&Rc<ObjectShape>> {
    let offset = u32::try_from(address.checked_sub(ARENA_BASE)?).ok()?;
    let before = objects.iter().filter(|object| object.root.is_none() && object.offset <= offset);
    before.max_by_key(|object| object.offset)
}
