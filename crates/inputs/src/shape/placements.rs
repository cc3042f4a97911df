//! Sharing that no condition asks for: what the unit writes through one pointer may be what it reads through another.
//!
//! Takes what runs have read and written behind each pointer; gives the places where one pointer could lead into what
//! another has touched, so that the write of one meets an access of the other, with an input for each that can be tried.
//! Two pointers whose accesses never meet, wherever they lead, give none. Pointers of global variables that have only led
//! where they were initialised are to lead elsewhere, too. Never: running anything.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use tarka_scenario::Role;
use tarka_source::{TypeId, TypeKind};
use tarka_trace::flag;

use super::grow::Slot;
use super::object::ObjectShape;
use super::record::ArenaAfter;
use super::{InputBytes, Shape};

/// Most places of one pointer in one object.
const MOST_PLACES: usize = 4;

/// What runs did with the objects behind pointers, by arena offset.
#[derive(Default)]
pub struct Touches {
    objects: BTreeMap<u32, Touched>,
}

/// What runs did with one object.
struct Touched {
    read: Option<Range<u32>>,
    written: Option<Range<u32>>,
    /// The input of a run that did.
    input: InputBytes,
}

/// A pointer that could lead into something that another has touched.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The pointer.
    pub slot: u32,
    /// Where to.
    pub address: u64,
    /// An input in which it does; `None` where trying it would tie knots that nobody would build.
    pub input: Option<InputBytes>,
}

impl Touches {
    /// Takes in what a run has done with the objects of its input.
    pub fn absorb(&mut self, objects: &[Rc<ObjectShape>], input: &InputBytes, after: &impl ArenaAfter) {
        for object in objects.iter().filter(|object| object.root.is_none()) {
            let flags = after.flags(object.offset, object.size);
            let extent = |bit: u8| {
                let mut places = (0..).zip(flags).filter(|(_, flags)| **flags & bit != 0).map(|(at, _)| at);
                let first: u32 = places.next()?;
                Some(first..places.last().unwrap_or(first) + 1)
            };
            let (read, written) = (extent(flag::READ), extent(flag::WRITTEN));
            if read.is_none() && written.is_none() {
                continue;
            }
            let known = self.objects.entry(object.offset).or_insert_with(|| Touched {
                read: None,
                written: None,
                input: input.clone(),
            });
            known.read = union(known.read.take(), read);
            known.written = union(known.written.take(), written);
        }
    }
}

impl Touched {
    /// Everything it did.
    fn all(&self) -> Range<u32> {
        union(self.read.clone(), self.written.clone()).unwrap_or(0..0)
    }

    /// True if a write of one meets an access of the other, when the first begins `distance` bytes into the second.
    fn meets(&self, other: &Touched, distance: u64) -> bool {
        let moved = |range: &Range<u32>| u64::from(range.start) + distance..u64::from(range.end) + distance;
        let wide = |range: &Range<u32>| u64::from(range.start)..u64::from(range.end);
        let meet = |a: Range<u64>, b: Range<u64>| a.start < b.end && b.start < a.end;
        let writes = self.written.as_ref().is_some_and(|written| meet(moved(written), wide(&other.all())));
        let is_written =
            other.written.as_ref().is_some_and(|written| meet(moved(&self.all()), wide(written)));
        writes || is_written
    }
}

fn union(one: Option<Range<u32>>, other: Option<Range<u32>>) -> Option<Range<u32>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.start.min(other.start)..one.end.max(other.end)),
        (one, other) => one.or(other),
    }
}

impl Shape<'_> {
    /// Where pointers could lead so that what is written through one is what is accessed through another.
    pub fn placements(&self, touches: &Touches, is_reachable: &dyn Fn(&str) -> bool) -> Vec<Placement> {
        let objects = self.grown.borrow().objects.clone();
        let touched: Vec<(usize, &Rc<ObjectShape>, &Touched)> = objects
            .iter()
            .enumerate()
            .filter_map(|(index, object)| Some((index, object, touches.objects.get(&object.offset)?)))
            .collect();
        let mut found = Vec::new();
        for &(index, object, own) in &touched {
            let Some(slot) = object.slot.and_then(|slot| self.slot_of(slot)) else { continue };
            for &(other_index, other, others) in &touched {
                let hangs = self.grown.borrow().hangs_on(other, index);
                if index == other_index || hangs {
                    continue;
                }
                let input = if own.input.word(slot.at) == 0 { &others.input } else { &own.input };
                let places = self.places(&slot, other.ty, other.count, u64::from(other.size));
                let places: Vec<u64> = places.into_iter().filter(|&at| own.meets(others, at)).collect();
                self.place(&slot, (other.address(), &places), Some(other), input, &mut found);
            }
            for (base, ty) in self.variables_of_unit(is_reachable) {
                let size = self.model.types.get(ty).size;
                let places = self.places(&slot, ty, 1, size);
                self.place(&slot, (base, &places), None, &own.input, &mut found);
            }
        }
        found
    }

    /// The types of what the unit looked into though they are only declared, behind the pointers that were followed. Handles
    /// of the library are not among them: only the library looks into those.
    pub fn opaque(&self, followed: &BTreeSet<u32>) -> BTreeSet<String> {
        let types = &self.model.types;
        let pointees = followed.iter().filter_map(|&at| self.slot_of(at)).map(|slot| self.pointee(&slot));
        let declared = pointees.filter(|&to| matches!(types.get(to).kind, TypeKind::Incomplete));
        let declared = declared.filter(|&to| types.handle(to).is_none());
        declared.map(|to| types.get(to).spelling.clone()).collect()
    }

    /// Pointers of global variables, of those that were followed, that lead to an object of their own instead of what they are
    /// initialised with: what is there is no input.
    pub fn moved_from_initial(&self, followed: &BTreeSet<u32>) -> Vec<Placement> {
        let first = self.first_input();
        let moved = followed.iter().filter_map(|&at| {
            let slot = self.slot_of(at)?;
            let holder = self.grown.borrow().containing(at)?;
            let is_set = matches!(holder.root, Some(Role::Global(_))) && first.default_word(slot.at) != 0;
            let address = self.own_object(&slot).filter(|_| is_set)?.entrance();
            let input = Some(first.with_word(slot.at, address));
            Some(Placement { slot: slot.at, address, input })
        });
        moved.collect()
    }

    /// Offsets in something of a type at which a pointer may lead to what it points to.
    fn places(&self, slot: &Slot, ty: TypeId, count: u64, size: u64) -> Vec<u64> {
        let wanted = self.pointee(slot);
        let stride = self.model.types.get(wanted).size.max(1);
        let rows = self.rows(ty, wanted, count);
        if rows.is_empty() && self.model.types.is_char(wanted) {
            return (0..size).collect();
        }
        rows.iter().flat_map(|row| (0..row.count).map(|index| row.offset + index * stride)).collect()
    }

    /// Adds placements; only pointers that are parameters are tried, and only so many of them.
    fn place(
        &self,
        slot: &Slot,
        (base, places): (u64, &[u64]),
        into: Option<&Rc<ObjectShape>>,
        input: &InputBytes,
        found: &mut Vec<Placement>,
    ) {
        let holder = self.grown.borrow().containing(slot.at);
        let is_parameter = holder.is_some_and(|holder| matches!(holder.root, Some(Role::Argument { .. })));
        for (number, &at) in places.iter().enumerate() {
            let can_be_tried = is_parameter && number < MOST_PLACES;
            let input = can_be_tried.then(|| self.shared(slot, base, at, into, input));
            found.push(Placement { slot: slot.at, address: base + at, input });
            if !can_be_tried {
                return;
            }
        }
    }

    /// The input with the pointer there; what it counts is made to fit.
    fn shared(
        &self,
        slot: &Slot,
        base: u64,
        at: u64,
        into: Option<&Rc<ObjectShape>>,
        input: &InputBytes,
    ) -> InputBytes {
        let input = match into.and_then(|object| object.slot) {
            Some(other) if input.word(other) == 0 => input.with_word(other, base),
            _ => input.clone(),
        };
        let input = input.with_word(slot.at, base + at);
        let Some(length) = slot.length else { return input };
        let stride = self.model.types.get(self.pointee(slot)).size.max(1);
        let size = into.map_or(u64::MAX, |object| u64::from(object.sized(&input, &self.model.types).size));
        let room = size.saturating_sub(at) / stride;
        if length.value(&input) <= room {
            return input;
        }
        let bytes = u32::from(length.bits) / 8;
        let fitting = room.to_le_bytes();
        let changes: Vec<(u32, u8)> = (length.offset..length.offset + bytes).zip(fitting).collect();
        input.with(&changes)
    }
}
