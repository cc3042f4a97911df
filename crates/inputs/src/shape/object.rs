//! The objects of inputs: where they are, how large, what their bytes are for.
//!
//! Takes elements and counts; gives objects, and for an input the object in the size that the input gives it.
//! Never: where pointers lead.

use std::rc::Rc;

use tarka_library::Fact;
use tarka_runner::LengthOf;
use tarka_scenario::Role;
use tarka_source::{Container, TypeId, TypeTable};
use tarka_trace::{ARENA_BASE, flag};

use super::InputBytes;
use super::element::{ByteKind, Element, MAX_SYMBOLIC, NumberPlace};

/// An object that exists in some input.
#[derive(Clone, Debug)]
pub struct ObjectShape {
    /// Where in the arena it begins.
    pub offset: u32,
    /// Type of one element.
    pub ty: TypeId,
    /// Number of elements.
    pub count: u64,
    /// In bytes; with a length, as large as the input says, up to `capacity`.
    pub size: u32,
    /// What a root is; `None` for pointees.
    pub root: Option<Role>,
    /// The last element is the end of a string and stays 0.
    pub ends_string: bool,
    /// What the target may do with each byte ([`tarka_trace::flag`]).
    pub flags: Vec<u8>,
    /// Its size is part of the input: leaving it is a fault.
    pub exact: bool,
    /// The input value that counts its elements.
    pub length: Option<LengthOf>,
    /// Elements behind those that its length counts; 0 for an object that ends where its length says.
    pub room: u32,
    /// Bytes it may grow to.
    pub capacity: u32,
    /// Bytes that a string may have where an input makes it longer than others; 0 if it may not.
    pub(super) stretch: u32,
    /// Where its own pointer leads in it.
    pub(super) entry: u32,
    /// Pointers that were followed to get here.
    pub(super) depth: u32,
    /// The pointer whose own object this is.
    pub(super) slot: Option<u32>,
    /// Bytes of one element.
    pub(super) stride: u32,
    pub(super) element: Rc<Element>,
    /// What follows a record that ends in an array without a size.
    pub(super) tail: Option<Tail>,
    /// What is special about the pointer that a root is.
    pub(super) pointer: Option<RootPointer>,
    /// Least and largest value of an integer root.
    pub(super) range: Option<Fact<(i64, i64)>>,
}

/// The elements of a flexible array member.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    /// Where they begin in the object.
    pub at: u32,
    pub ty: TypeId,
    pub stride: u32,
    pub element: Rc<Element>,
    /// The value that counts them.
    pub length: Option<Counter>,
}

/// An input value that counts elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counter {
    /// Arena offset.
    pub offset: u32,
    pub bits: u16,
    pub signed: bool,
}

/// What a parameter says of the pointer that it is.
#[derive(Clone, Debug, Default)]
pub(super) struct RootPointer {
    pub non_null: bool,
    /// Number of elements the user wrote for an array parameter.
    pub stated: Option<u64>,
    pub cast_to: Option<TypeId>,
    pub length: Option<Counter>,
    /// What it leads into the middle of.
    pub container: Option<Container>,
    /// Bytes behind it that the code reaches by constants.
    pub reach: u64,
    /// Most elements, as the user's settings say.
    pub most: Option<u64>,
}

impl Counter {
    pub(super) fn at(base: u32, place: NumberPlace) -> Counter {
        Counter { offset: base.wrapping_add(place.offset), bits: place.bits, signed: place.signed }
    }

    /// How many elements an input asks for; negative counts are none.
    pub(super) fn value(&self, input: &InputBytes) -> u64 {
        let unused = 64 - u32::from(self.bits);
        let word = input.word(self.offset) << unused;
        if self.signed { ((word as i64) >> unused).max(0) as u64 } else { word >> unused }
    }

    /// How many elements a negative count may mean, as in numbers whose sign is that of their length; 0 for others.
    fn negated(&self, input: &InputBytes) -> u64 {
        let unused = 64 - u32::from(self.bits);
        let word = ((input.word(self.offset) << unused) as i64) >> unused;
        if self.signed && word < 0 { word.unsigned_abs() } else { 0 }
    }

    pub(super) fn of(length: &LengthOf) -> Counter {
        Counter { offset: length.offset, bits: length.bits, signed: length.signed }
    }
}

impl ObjectShape {
    /// Bytes that an input asks for by the object's length; 0 without one.
    pub fn asked(&self, input: &InputBytes) -> u64 {
        let elements = self.length.as_ref().map_or(0, |length| Counter::of(length).value(input));
        elements.saturating_mul(u64::from(self.stride))
    }

    /// Where it starts.
    pub(super) fn address(&self) -> u64 {
        ARENA_BASE + u64::from(self.offset)
    }

    /// Where its own pointer leads.
    pub(super) fn entrance(&self) -> u64 {
        self.address() + u64::from(self.entry)
    }

    /// The object's bytes in an input.
    pub fn bytes(&self, input: &InputBytes) -> Vec<u8> {
        input.within(self.offset, self.size)
    }

    /// The element that holds a byte: its arena offset and its type.
    pub(super) fn element_at(&self, byte: u32) -> (u32, TypeId) {
        let inside = byte - self.offset;
        match &self.tail {
            Some(tail) if inside >= tail.at => {
                let index = (inside - tail.at) / tail.stride;
                (self.offset + tail.at + index * tail.stride, tail.ty)
            }
            _ => (self.offset + inside / self.stride * self.stride, self.ty),
        }
    }

    /// The element that holds a byte, and the byte's offset in it.
    pub(super) fn byte_at(&self, byte: u32) -> (&Element, u32) {
        let inside = byte - self.offset;
        match &self.tail {
            Some(tail) if inside >= tail.at => (&tail.element, (inside - tail.at) % tail.stride),
            _ => (&self.element, inside % self.stride),
        }
    }

    pub(super) fn kind_at(&self, byte: u32) -> ByteKind {
        let (element, inside) = self.byte_at(byte);
        element.kinds.get(inside as usize).copied().unwrap_or(ByteKind::Fixed)
    }

    /// Arena offsets of all pointers in it.
    pub fn slots(&self) -> Vec<u32> {
        let head_end = self.tail.as_ref().map_or(self.size, |tail| tail.at.min(self.size));
        let mut slots = slots_of(&self.element, self.offset, self.offset + head_end, self.stride);
        if let Some(tail) = &self.tail {
            let start = self.offset + tail.at;
            slots.extend(slots_of(&tail.element, start, self.offset + self.size, tail.stride));
        }
        slots
    }

    /// The object in the size that an input gives it.
    pub(super) fn sized(self: &Rc<ObjectShape>, input: &InputBytes, types: &TypeTable) -> Rc<ObjectShape> {
        if self.room > 0 {
            return self.clone();
        }
        if let Some(length) = &self.length {
            let counter = Counter::of(length);
            let wanted = counter.value(input);
            let count = wanted.max(counter.negated(input)).min(self.count);
            return self.cut(count, count as u32 * self.stride, wanted <= self.count);
        }
        if self.stretch > 0 {
            return self.stretched(input);
        }
        let Some((tail, counter)) = self.tail.as_ref().and_then(|tail| Some((tail, tail.length?))) else {
            return self.clone();
        };
        let room = (self.capacity - tail.at) / tail.stride;
        let wanted = counter.value(input);
        let count = wanted.min(u64::from(room)) as u32;
        let size = (tail.at + count * tail.stride).max(types.get(self.ty).size as u32);
        self.cut(1, size, wanted <= u64::from(room))
    }

    fn cut(&self, count: u64, size: u32, exact: bool) -> Rc<ObjectShape> {
        let flags = self.flags[..size as usize].to_vec();
        Rc::new(ObjectShape { count, size, exact, flags, ..self.clone() })
    }

    /// Flag bytes of the object: all valid, those we may choose symbolic.
    pub(super) fn fresh_flags(&self) -> Vec<u8> {
        let last_element = self.size.saturating_sub(self.stride);
        (0..self.size)
            .map(|inside| {
                let ends = self.ends_string && inside >= last_element;
                let beyond = u64::from(inside) >= MAX_SYMBOLIC;
                match self.kind_at(self.offset + inside) {
                    ByteKind::Fixed => flag::VALID,
                    _ if ends || beyond => flag::VALID,
                    _ => flag::VALID | flag::SYMBOLIC,
                }
            })
            .collect()
    }

    /// A byte that we may choose.
    pub(super) fn is_symbolic(&self, byte: u32) -> bool {
        self.flags.get((byte - self.offset) as usize).is_some_and(|bits| bits & flag::SYMBOLIC != 0)
    }
}

fn slots_of(element: &Element, start: u32, end: u32, stride: u32) -> Vec<u32> {
    if element.slots.is_empty() {
        return Vec::new();
    }
    let starts = (start..end).step_by(stride as usize);
    let all = starts.flat_map(|at| element.slots.iter().map(move |slot| at + slot.offset));
    all.filter(|slot| slot + 8 <= end).collect()
}
