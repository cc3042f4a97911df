//! What a run could not tell, and how much of a run is looked at.
//!
//! Takes a run and how it ended; notes what was lost. Never: what that keeps from being proved.

use std::rc::Rc;

use tarka_inputs::ObjectShape;
use tarka_runner::{End, Run};
use tarka_search::Absorbed;
use tarka_source::SourceModel;
use tarka_trace::{ARENA_BASE, EventKind, TraceEvent, flag};

use crate::losses::Losses;
use crate::since::Since;

/// Events of a run without an end that are looked at: what goes round and round says little new, and a full log takes as long
/// as thousands of runs and leaves tens of thousands of ways to try.
const MOST_OF_A_HANG: usize = 1 << 14;

/// The path of a run, as far as it is looked at. Whatever was stopped might as well have been stopped earlier.
pub fn looked_at<'r>(run: &'r Run) -> &'r [TraceEvent] {
    let events = run.events();
    if run.end() == End::Timeout { &events[..events.len().min(MOST_OF_A_HANG)] } else { events }
}

/// Notes what a run could not tell.
pub fn note_losses(
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
