//! How a run ended: what it is to the list of faults, with what went wrong on the way and what its last site was about.
//!
//! Takes a run, its input and the frames of its end; gives how it ended as far as that tells of faults. Never: whether a fault
//! is known, what class it has.

use std::rc::Rc;
use std::time::Duration;

use tarka_events::{FaultKind, FaultSet};
use tarka_inputs::{InputBytes, ObjectShape, Shape, Subject};
use tarka_instrument::{CheckKind, SiteInfoKind};
use tarka_runner::{End, Run};
use tarka_search::failed_checks;
use tarka_trace::{ARENA_BASE, ARENA_SIZE, FaultRecord};

use crate::fault_list::{About, Ended, Moment, Recorded, Stack};
use crate::loops::Endless;
use crate::stacks::Stacks;

/// How far behind the arena an access still counts as one behind an object of it.
const BEHIND: u64 = 1 << 36;

/// How a run ended. What only our choice of inputs is to blame for is a bound of inputs: an address far behind an
/// object whose size is a guess, and a number that a union of the input also sees as a pointer.
pub fn end_of(run: &Run, shape: &Shape, objects: &[Rc<ObjectShape>], input: &InputBytes) -> End {
    let End::Signal { number: libc::SIGSEGV, address } = run.end() else { return run.end() };
    let is_guess = |object: &Rc<ObjectShape>| object.root.is_none() && !object.exact;
    let behind = ARENA_BASE + ARENA_SIZE..ARENA_BASE + BEHIND;
    let is_bound =
        behind.contains(&address) && objects.iter().any(is_guess) || shape.is_wild(objects, input, address);
    if is_bound { End::InputBound } else { run.end() }
}

/// True if the unit returned or ended the process by itself, and nothing went wrong on the way: a test can repeat that and
/// pass.
pub fn ends_well(run: &Run, end: End, faults: FaultSet) -> bool {
    matches!(end, End::Returned | End::Exited(_))
        && !run.reached_outside()
        && recorded(run, faults).all(|(kind, _)| kind.leaves_a_test())
}

/// The faults after which a run went on, of the kinds that are looked for.
pub fn recorded<'r>(run: &'r Run, faults: FaultSet) -> impl Iterator<Item = (FaultKind, &'r FaultRecord)> {
    let kind = |record: &'r FaultRecord| Some((FaultKind::from_u32(record.kind)?, record));
    run.faults().iter().filter_map(kind).filter(move |(kind, _)| faults.has(*kind))
}

/// Sites whose checks a run has made fail.
pub fn failed_sites(run: &Run) -> impl Iterator<Item = u32> {
    run.faults().iter().filter_map(|record| record.site.checked_sub(1)).chain(run.fault_site())
}

/// True if repeating a run would take all the time or memory that a run may have.
pub fn is_slow(run: &Run, end: End) -> bool {
    matches!(end, End::Timeout | End::Memory) || run.stack_overflow()
}

/// The kinds of fault that an input can be believed about. One that asks for more elements than its object was made with is
/// one that no caller can give, if it asks for enough: what pointers into that object do then says nothing.
pub fn believed(faults: FaultSet, objects: &[Rc<ObjectShape>], input: &InputBytes) -> FaultSet {
    let asks_for_more = |object: &Rc<ObjectShape>| object.asked(input) > u64::from(object.capacity);
    if objects.iter().any(asks_for_more) { faults.without(FaultKind::PointerArithmetic) } else { faults }
}

/// The end of a run with its frames, and the faults of some kinds on the way. The limits: how long it was allowed to take, and
/// how long a run may take at all.
pub fn ended<'a>(
    of: Subject<'a>,
    stacks: &Stacks<'_>,
    (run, end, faults): (&Run, End, FaultSet),
    stack: Stack,
    (limit, longest): (Duration, Duration),
) -> Ended<'a> {
    // Nobody asks a run that ended by itself, and there are many of them.
    let site = match end {
        End::Returned | End::Exited(_) => None,
        _ => run.fault_site().or_else(|| failed_checks(run.events()).last().copied()),
    };
    let unit = of.model.function(of.function);
    let about = |site: u32| {
        let info = of.build.sites.get(site as usize)?;
        let is_message = matches!(info.kind, SiteInfoKind::Check(CheckKind::Compiler(_)));
        Some(About { what: info.what.as_str(), is_message, place: info.place.as_ref() })
    };
    let recorded = recorded(run, faults).map(|(kind, record)| Recorded {
        kind,
        moment: Moment {
            events: record.events as usize,
            site: record.site.checked_sub(1),
            // Of what was refused it is the number of the record.
            address: if kind == FaultKind::OutsideEffect { 0 } else { record.address },
        },
        stack: stacks.of(&record.backtrace[..record.backtrace_len.min(16) as usize]),
        site: record.site.checked_sub(1).and_then(about),
        bytes: record.address,
        attempt: (kind == FaultKind::OutsideEffect).then(|| run.attempt(record.address)).flatten(),
    });
    let endless = if end == End::Timeout { Endless::find(of.model, run.coverage(), &stack) } else { None };
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
        reached_outside: run.reached_outside(),
        endless: endless.map(|endless| endless.text()),
        is_short: limit < longest,
    }
}
