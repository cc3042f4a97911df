//! Which values an input may have, without terms: for whoever makes inputs by hand.
//!
//! Takes a byte, gives the value that holds it and, of a pointer, where it may lead; takes an input, says whether its
//! pointers lead where a caller's may. The same rules as in `domain`, which says them to a solver.
//! Never: choosing.

use std::rc::Rc;

use tarka_library::Fact;

use super::alias::{Alias, Enough};
use super::element::ByteKind;
use super::grow::Slot;
use super::object::ObjectShape;
use super::value::LeafKind;
use super::{InputBytes, Shape};

/// A value of an input that may be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Where in the arena it begins.
    pub offset: u32,
    /// In bytes.
    pub size: u32,
    /// What it is.
    pub kind: LeafKind,
    /// Least and largest number, where not all of the type's are possible.
    pub range: Option<(i64, i64)>,
}

impl Shape<'_> {
    /// The value that holds a byte of an object; `None` if it is not ours to choose.
    pub fn chosen_at(&self, object: &ObjectShape, byte: u32) -> Option<Leaf> {
        let is_free = |byte: u32| {
            let kind = object.kind_at(byte);
            object.is_symbolic(byte) && !matches!(kind, ByteKind::X87 | ByteKind::Fixed)
        };
        let end = object.offset + object.size;
        let whole = |leaf: &Leaf| {
            let bytes = leaf.offset..leaf.offset + leaf.size;
            bytes.end <= end && bytes.clone().all(is_free)
        };
        if object.kind_at(byte) == ByteKind::Pointer {
            let slot = self.slot_at(object, byte)?;
            let leaf = Leaf { offset: slot.at, size: 8, kind: LeafKind::Pointer, range: None };
            return Some(leaf).filter(whole);
        }
        let (offset, size, kind) = self.leaf_of(object, byte);
        // Of what is several things at once, only the byte: a pointer may be among them.
        let single = || Leaf { offset: byte, size: 1, kind: LeafKind::Other, range: None };
        let leaf = match kind {
            LeafKind::Other | LeafKind::Pointer => single(),
            kind => Leaf { offset, size, kind, range: object.range.map(Fact::get) },
        };
        let is_bool = object.kind_at(byte) == ByteKind::Bool;
        let leaf = if is_bool { Leaf { kind: LeafKind::Bool, ..leaf } } else { leaf };
        Some(leaf).filter(whole)
    }

    /// The values that the pointer at an offset may have: null, its own object or functions, and what it may share.
    pub fn pointer_values(&self, at: u32, input: &InputBytes) -> Vec<u64> {
        let Some(slot) = self.slot_of(at) else { return Vec::new() };
        let mut values = self.own_addresses(&slot);
        if !slot.non_null || values.is_empty() {
            values.push(0);
        }
        values.push(input.default_word(slot.at));
        for alias in self.aliases(&slot).iter() {
            let all = (0..alias.count).map(|index| alias.base + index * alias.stride);
            values.extend(all.filter(|&value| holds(alias, value, input)));
        }
        values
    }

    /// Whether every pointer of an input leads where a caller's may.
    pub fn is_legal(&self, objects: &[Rc<ObjectShape>], input: &InputBytes) -> bool {
        let slots = objects.iter().flat_map(|object| object.slots());
        slots.filter_map(|at| self.slot_of(at)).all(|slot| self.may_have(&slot, input))
    }

    fn may_have(&self, slot: &Slot, input: &InputBytes) -> bool {
        let value = input.word(slot.at);
        if slot.shared || value == input.default_word(slot.at) {
            return true;
        }
        let own = self.own_addresses(slot);
        if own.contains(&value) || value == 0 && (!slot.non_null || own.is_empty()) {
            return true;
        }
        let leads_there = |alias: &Alias| {
            let inside = value.wrapping_sub(alias.base);
            inside.is_multiple_of(alias.stride)
                && inside / alias.stride < alias.count
                && holds(alias, value, input)
        };
        self.aliases(slot).iter().any(leads_there)
    }
}

/// Whether there are elements enough for a pointer to lead there.
fn holds(alias: &Alias, value: u64, input: &InputBytes) -> bool {
    match alias.condition {
        None => true,
        Some(Enough::Any(counter)) => counter.value(input) > 0,
        Some(Enough::NoMoreThan(mine, theirs)) => mine.value(input) <= theirs.value(input),
        Some(Enough::AtMost(mine, most)) => mine.value(input) <= most,
        Some(Enough::Within(counter, element)) => {
            value - alias.base <= counter.value(input).saturating_mul(element)
        }
    }
}
