//! Counted objects with more behind than their length says: text with its end, a list with a mark behind the last element.
//!
//! Takes what runs did to objects whose length the input states; gives the pointers whose objects the unit always leaves, so
//! that inputs can have room behind these. Where there is room, leaving what is counted is no fault any more: that it is
//! one without has been seen by then. Never: how large objects are.

use std::collections::BTreeMap;
use std::rc::Rc;

use tarka_runner::{End, Run};
use tarka_trace::{ARENA_BASE, FaultKind, flag};

use super::grow::Slot;
use super::{ObjectShape, Shape};

/// Elements behind those that a length counts: a character of four bytes, and two more of them.
const ROOM: u64 = 12;

/// Runs that leave an object, without one that used it and ended well, after which room is tried.
const HOPELESS: u32 = 16;

/// What runs did to one object.
#[derive(Default)]
struct Seen {
    left: u32,
    used_well: bool,
}

/// What runs did to counted objects, by the pointers that have them.
#[derive(Default)]
pub struct Overruns {
    seen: BTreeMap<u32, Seen>,
}

impl Overruns {
    /// Takes note of a run.
    pub fn absorb(&mut self, objects: &[Rc<ObjectShape>], run: &Run, end: End, ended_well: bool) {
        let mut counted = objects.iter().filter(|object| object.length.is_some() && object.exact);
        if ended_well {
            for object in counted {
                let flags = run.arena_flags(object.offset, object.size);
                let is_used = flags.iter().any(|bits| bits & (flag::READ | flag::WRITTEN) != 0);
                if let Some(slot) = object.slot.filter(|_| is_used) {
                    self.seen.entry(slot).or_default().used_well = true;
                }
            }
        } else if end == End::Fault(FaultKind::OutOfBounds) {
            let behind = run.fault_address().wrapping_sub(ARENA_BASE);
            let is_left = |object: &&Rc<ObjectShape>| {
                let first = u64::from(object.offset + object.size);
                (first..first + ROOM * u64::from(object.stride)).contains(&behind)
            };
            if let Some(slot) = counted.rfind(is_left).and_then(|object| object.slot) {
                self.seen.entry(slot).or_default().left += 1;
            }
        }
    }

    /// Pointers whose objects were left, at all or so that no use of them seems to end well.
    pub fn left(&self, only_hopeless: bool) -> Vec<u32> {
        let is_hopeless = |seen: &Seen| seen.left >= HOPELESS && !seen.used_well;
        let left =
            self.seen.iter().filter(|(_, seen)| seen.left > 0 && (!only_hopeless || is_hopeless(seen)));
        left.map(|(&slot, _)| slot).collect()
    }
}

impl ObjectShape {
    /// Elements that its length may count.
    pub(super) fn counted(&self) -> u64 {
        self.count - u64::from(self.room)
    }
}

impl Shape<'_> {
    /// How many elements lie behind those that a pointer's length counts.
    pub(super) fn room_behind(&self, slot: &Slot) -> u64 {
        let is_roomy =
            !self.roomy.is_empty() && self.path_of(slot.at).is_some_and(|path| self.roomy.contains(&path));
        if is_roomy { ROOM } else { 0 }
    }
}
