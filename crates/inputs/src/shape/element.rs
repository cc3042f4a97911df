//! What each byte of a C type is for: free, a truth value, part of a pointer, or not ours to choose.
//!
//! Takes types, gives each a map of its bytes and the places of its pointers. Never: objects, addresses.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tarka_source::{Container, Field, TypeId, TypeKind, TypeTable};

/// Largest object of an input: a larger one would fill the arena.
pub(crate) const MAX_OBJECT: u64 = 1 << 20;

/// Most bytes of an object that are inputs.
pub(crate) const MAX_SYMBOLIC: u64 = 1 << 16;

/// Bytes of an x87 `long double` that carry its value; the rest is padding.
pub(crate) const X87_BYTES: u32 = 10;

/// The meaning of one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ByteKind {
    /// A member we cannot give values.
    Fixed,
    /// Any value; padding, too.
    Free,
    /// 0 or 1.
    Bool,
    /// Part of an x87 `long double`.
    X87,
    /// Part of a pointer.
    Pointer,
}

/// The bytes of one value of a type.
#[derive(Debug, Default)]
pub(crate) struct Element {
    /// One entry a byte.
    pub kinds: Vec<ByteKind>,
    /// By offset; no two overlap.
    pub slots: Vec<SlotPlace>,
}

/// The place of a pointer in a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SlotPlace {
    pub offset: u32,
    pub to: TypeId,
    /// For a `void *`: what the unit casts it to.
    pub cast_to: Option<TypeId>,
    /// The number that counts the elements it points to.
    pub length: Option<NumberPlace>,
    /// What it leads into the middle of.
    pub container: Option<Container>,
    /// Bytes behind it that the code reaches by constants.
    pub reach: u64,
    /// A member that the code adds numbers to.
    pub is_moved: bool,
    /// A member of a union that is no pointer has the same bytes.
    pub shared: bool,
    /// Pointers of a union to something else that have the same bytes.
    pub others: Vec<SlotPlace>,
}

/// The place of an integer in a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NumberPlace {
    pub offset: u32,
    pub bits: u16,
    pub signed: bool,
}

impl Element {
    /// The pointer that holds a byte.
    pub(crate) fn slot_at(&self, offset: u32) -> Option<&SlotPlace> {
        let after = self.slots.partition_point(|slot| slot.offset <= offset);
        let slot = &self.slots[after.checked_sub(1)?];
        (offset < slot.offset + 8).then_some(slot)
    }

    fn fixed(size: u64) -> Element {
        Element { kinds: vec![ByteKind::Fixed; size as usize], slots: Vec::new() }
    }

    fn of_kind(kind: ByteKind, size: u64) -> Element {
        Element { kinds: vec![kind; size as usize], slots: Vec::new() }
    }

    /// Puts a member's bytes into this one's.
    fn put(&mut self, at: u32, member: &Element) {
        for (index, &kind) in member.kinds.iter().enumerate() {
            if let Some(byte) = self.kinds.get_mut(at as usize + index) {
                *byte = kind;
            }
        }
        self.slots.extend(member.slots.iter().map(|slot| slot.moved(at)));
    }

    /// Several elements in a row.
    pub(crate) fn repeated(&self, count: usize) -> Element {
        let size = self.kinds.len() as u32;
        let slots = (0..count as u32).flat_map(|index| {
            let at = index * size;
            self.slots.iter().map(move |slot| slot.moved(at))
        });
        Element { kinds: self.kinds.repeat(count), slots: slots.collect() }
    }
}

impl SlotPlace {
    fn moved(&self, by: u32) -> SlotPlace {
        let length =
            self.length.map(|length| NumberPlace { offset: length.offset.wrapping_add(by), ..length });
        let others = self.others.iter().map(|other| other.moved(by)).collect();
        SlotPlace { offset: self.offset + by, length, others, ..self.clone() }
    }
}

/// The elements of all types, each looked at once.
pub(crate) struct Elements<'a> {
    types: &'a TypeTable,
    known: RefCell<HashMap<TypeId, Rc<Element>>>,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(types: &'a TypeTable) -> Elements<'a> {
        Elements { types, known: RefCell::default() }
    }

    /// The bytes of a value of this type; none for a type that is too large for an input.
    pub(crate) fn of(&self, ty: TypeId) -> Rc<Element> {
        if let Some(known) = self.known.borrow().get(&ty) {
            return known.clone();
        }
        let size = self.types.get(ty).size;
        let element = if size > MAX_OBJECT { Element::default() } else { self.look(ty, size) };
        let element = Rc::new(element);
        self.known.borrow_mut().insert(ty, element.clone());
        element
    }

    fn look(&self, ty: TypeId, size: u64) -> Element {
        match &self.types.get(ty).kind {
            TypeKind::Bool => Element::of_kind(ByteKind::Bool, size),
            TypeKind::Int { .. } | TypeKind::Enum { .. } => Element::of_kind(ByteKind::Free, size),
            TypeKind::Float { bits: 32 | 64 } => Element::of_kind(ByteKind::Free, size),
            TypeKind::Float { bits: 80 } => {
                let mut element = Element::fixed(size);
                element.kinds[..X87_BYTES as usize].fill(ByteKind::X87);
                element
            }
            TypeKind::Complex { of } => self.of(*of).repeated(2),
            TypeKind::Pointer { to, .. } => Element {
                slots: vec![SlotPlace {
                    offset: 0,
                    to: *to,
                    cast_to: None,
                    length: None,
                    container: None,
                    reach: 0,
                    is_moved: false,
                    shared: false,
                    others: Vec::new(),
                }],
                ..Element::of_kind(ByteKind::Pointer, size)
            },
            TypeKind::Array { of, len: Some(len) } => self.of(*of).repeated(*len as usize),
            TypeKind::Record { fields, is_union: false } => self.structure(fields, size),
            TypeKind::Record { fields, is_union: true } => self.union(fields, size),
            TypeKind::Float { .. }
            | TypeKind::Array { len: None, .. }
            | TypeKind::Void
            | TypeKind::Function { .. }
            | TypeKind::Incomplete
            | TypeKind::Other(_) => Element::fixed(size),
        }
    }

    /// Padding is free: C says nothing of its bytes, and `memcmp` sees them.
    fn structure(&self, fields: &[Field], size: u64) -> Element {
        let mut whole = Element::of_kind(ByteKind::Free, size);
        for field in fields {
            if let Some(bytes) = bit_field_bytes(field) {
                whole.kinds[bytes].fill(ByteKind::Free);
            } else {
                whole.put((field.offset_bits / 8) as u32, &self.member(fields, field));
            }
        }
        whole.slots.sort_by_key(|slot| slot.offset);
        whole
    }

    /// A member's bytes; a pointer knows its length and its cast from the record.
    fn member(&self, fields: &[Field], field: &Field) -> Rc<Element> {
        let element = self.of(field.ty);
        let is_pointer = matches!(self.types.get(field.ty).kind, TypeKind::Pointer { .. });
        let is_told = field.length.is_some() || field.cast_to.is_some() || field.container.is_some();
        let has_facts = is_told || field.reach > 0 || field.is_moved;
        if !is_pointer || !has_facts {
            return element;
        }
        let length = field.length.and_then(|index| fields.get(index as usize));
        let place = length.and_then(|length| {
            let number = self.number(length.ty).filter(|_| length.bit_width.is_none())?;
            // Relative to the pointer itself, from where it is moved to its place in the record.
            let offset = (length.offset_bits / 8) as u32;
            Some(NumberPlace { offset: offset.wrapping_sub((field.offset_bits / 8) as u32), ..number })
        });
        let slots = element.slots.iter().map(|slot| SlotPlace {
            cast_to: field.cast_to,
            length: place,
            container: field.container,
            reach: field.reach,
            is_moved: field.is_moved,
            ..slot.clone()
        });
        Rc::new(Element { kinds: element.kinds.clone(), slots: slots.collect() })
    }

    /// An integer that may count elements.
    pub(crate) fn number(&self, ty: TypeId) -> Option<NumberPlace> {
        match self.types.get(ty).kind {
            TypeKind::Int { bits, signed, .. } if bits <= 64 => Some(NumberPlace { offset: 0, bits, signed }),
            _ => None,
        }
    }

    /// All members at the same place: a byte is free if any of them may choose it. A pointer among them stays a pointer,
    /// marked if others see its bytes as something else, and knows what other pointers with its bytes lead to.
    fn union(&self, fields: &[Field], size: u64) -> Element {
        let mut whole = Element::fixed(size);
        let members: Vec<Rc<Element>> = fields
            .iter()
            .map(|field| match bit_field_bytes(field) {
                Some(bytes) => Rc::new(Element::of_kind(ByteKind::Free, bytes.end as u64)),
                None => self.member(fields, field),
            })
            .collect();
        for slot in members.iter().flat_map(|member| &member.slots) {
            let overlaps =
                |other: &&mut SlotPlace| slot.offset < other.offset + 8 && other.offset < slot.offset + 8;
            match whole.slots.iter_mut().find(overlaps) {
                None => whole.slots.push(slot.clone()),
                Some(first) if first.offset == slot.offset => self.add_other(first, slot),
                Some(_) => {}
            }
        }
        whole.slots.sort_by_key(|slot| slot.offset);
        for (at, kind) in members.iter().flat_map(|member| member.kinds.iter().copied().enumerate()) {
            let within = |slot: &&mut SlotPlace| (slot.offset..slot.offset + 8).contains(&(at as u32));
            match whole.slots.iter_mut().find(within) {
                Some(slot) => {
                    slot.shared |= !matches!(kind, ByteKind::Pointer | ByteKind::Fixed);
                    whole.kinds[at] = ByteKind::Pointer;
                }
                None => whole.kinds[at] = merged(whole.kinds[at], kind),
            }
        }
        whole
    }
}

impl Elements<'_> {
    /// Adds what else a pointer of a union may lead to, each type once.
    fn add_other(&self, first: &mut SlotPlace, slot: &SlotPlace) {
        let alone = SlotPlace { others: Vec::new(), ..slot.clone() };
        for other in [&alone].into_iter().chain(&slot.others) {
            let is_known = |known: &SlotPlace| {
                known.cast_to == other.cast_to && self.types.same_type(known.to, other.to)
            };
            if !is_known(first) && !first.others.iter().any(is_known) {
                first.others.push(other.clone());
            }
        }
    }
}

/// What a byte is that two members of a union share.
fn merged(one: ByteKind, other: ByteKind) -> ByteKind {
    match (one, other) {
        (ByteKind::Fixed, kind) | (kind, ByteKind::Fixed) if kind != ByteKind::Pointer => kind,
        (one, other) if one == other && one != ByteKind::Pointer => one,
        _ => ByteKind::Free,
    }
}

/// The bytes that a bit field lies in; `None` for other members.
pub(crate) fn bit_field_bytes(field: &Field) -> Option<std::ops::Range<usize>> {
    let width = u64::from(field.bit_width?);
    let (first, end) = (field.offset_bits, field.offset_bits + width);
    Some((first / 8) as usize..end.div_ceil(8) as usize)
}
