//! How a run ended: its frames, what its last site was about, and what it lost.

use std::rc::Rc;
use std::time::Duration;

use tarka_instrument::Symboliser;
use tarka_runner::{End, Run};
use tarka_search::{Absorbed, failed_checks};
use tarka_source::{Place, SourceModel};
use tarka_trace::{ARENA_BASE, ARENA_SIZE, flag};

use super::Job;
use crate::faults::Ended;
use crate::losses::Losses;
use crate::shape::{InputBytes, ObjectShape, Shape};
use crate::since::Since;

/// How far behind the arena an access still counts as one behind an object of it.
const BEHIND: u64 = 1 << 36;

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

/// True if the unit returned or ended the process by itself: a test can repeat that and pass.
pub(super) fn ends_well(end: End) -> bool {
    matches!(end, End::Returned | End::Exited(_))
}

/// The end of a run with its frames.
pub(super) fn ended<'a>(
    job: &Job<'a>,
    stack: Vec<(String, Place)>,
    run: &Run,
    end: End,
    limit: Duration,
) -> Ended<'a> {
    let site = run.fault_site().or(failed_checks(run.events()).last().copied());
    let unit = job.model.function(job.function());
    Ended {
        end,
        stack_overflow: run.stack_overflow(),
        stack,
        site: site.and_then(|site| {
            let info = job.build.sites.get(site as usize)?;
            Some((info.what.as_str(), info.place.as_ref()))
        }),
        unit: (&unit.name, &unit.place),
        limit_ms: limit.as_millis() as u64,
    }
}

/// The frames of a run's end that have a place, innermost first, so a crash in a library function is placed where it
/// was called. Frames cost a look into the debug information: only for runs that end badly.
pub(super) fn stack(symboliser: &Symboliser, run: &Run) -> Vec<(String, Place)> {
    if matches!(run.end(), End::Returned | End::Exited(_) | End::InputBound | End::Assumption(_)) {
        return Vec::new();
    }
    let addresses = run.backtrace().iter().enumerate();
    // All but the first are return addresses: one less lies inside the call.
    let frames =
        addresses.flat_map(|(index, &address)| symboliser.frames(address.saturating_sub((index > 0).into())));
    frames.filter_map(|frame| Some((frame.function, frame.place?))).collect()
}

/// Notes what a run could not tell.
pub(super) fn note_losses(
    losses: &mut Losses,
    model: &SourceModel,
    (run, end): (&Run, End),
    path: &Absorbed,
    objects: &[Rc<ObjectShape>],
) {
    let since = Since::last_of(model, run.events());
    losses.cut += u64::from(path.cut || run.truncated());
    losses.evaluations_dropped += u64::from(run.evaluations_dropped());
    if matches!(end, End::Timeout | End::Memory) {
        *losses.stopped.entry(since).or_default() += 1;
    }
    if let Some(stub) = run.stub_exhausted() {
        *losses.stub_exhausted.entry(stub).or_default() += 1;
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
