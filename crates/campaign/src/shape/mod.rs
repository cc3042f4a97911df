//! The shape of a unit's inputs: which bytes exist, what they mean, and which objects pointers lead to.
//!
//! Takes the unit's roots (one per parameter, placed by the instrumenter) and types; gives for every input the objects
//! to put into the arena, for every byte its domain, and for every run the typed input with what it left behind.
//!
//! A pointer's place (a *slot*) may be null or point to one fresh object of its own, whose address is reserved when
//! the slot is first needed and never changes for this unit. So a pointer condition is an ordinary constraint.
//!
//! Never: running anything, search.

mod bytes;
pub(crate) mod leaf;
pub(crate) mod record;
pub(crate) mod support;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use tarka_events::Role;
use tarka_instrument::{Address, Root, RootRole};
use tarka_runner::LengthOf;
use tarka_search::Rng;
use tarka_source::{FunctionId, SourceModel, Stub, TypeId, TypeTable};
use tarka_terms::{BinaryOp, Term, Terms};
use tarka_trace::{ARENA_BASE, ARENA_SIZE, MAX_OBJECTS, flag};

pub use bytes::InputBytes;
use leaf::{Leaf, capacity, is_string_element, leaf_at, why_not_pointee};

/// Unused bytes after each object, so that running off its end is noticed.
const GAP: u64 = 256;

/// Objects start at round addresses: easier to read in a fault's message, and enough for every C type.
const OBJECT_ALIGNMENT: u64 = 64;

/// What a shape is made of.
#[derive(Clone, Debug)]
pub(crate) struct ShapeRequest<'a> {
    pub model: &'a SourceModel,
    pub function: FunctionId,
    /// The unit's roots, as the driver binds them.
    pub roots: &'a [Root],
    pub stubs: &'a [Stub],
    /// Functions and variables with a fixed address.
    pub addresses: &'a [Address],
    /// First arena offset that is free for pointees.
    pub first_free: u32,
    pub limits: ShapeLimits,
}

/// How far inputs may grow for now.
#[derive(Clone, Debug)]
pub(crate) struct ShapeLimits {
    /// Pointers that may be followed from a root before only null and aliases are tried.
    pub depth: u32,
    /// Most elements of an object whose size the program does not state.
    pub elements: u64,
    /// Most bytes of a string, its end included.
    pub string: u64,
    /// Calls in a row that are made.
    pub calls: u32,
    /// Most elements of the object that a parameter points to, by the parameter's name.
    pub sizes: BTreeMap<String, u64>,
}

/// How much of a pointer's domain is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum DomainWidth {
    /// Null, the pointer's own fresh object, functions, and its current value.
    Narrow,
    /// Also other objects of the same type.
    Wide,
}

/// A value of an input that differs from its default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LeafValue {
    pub offset: u32,
    pub size: u32,
    pub kind: LeafKind,
    /// The bytes it has by default.
    pub default: Vec<u8>,
}

/// What a value of an input is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LeafKind {
    Integer { bits: u16, signed: bool },
    Bool,
    /// The values of the enumerators.
    Enum(Vec<i128>),
    Char,
    Float { bits: u16 },
    Pointer,
    /// Bit fields, unions.
    Other,
}

/// The shape of one unit's inputs.
pub struct Shape<'a> {
    types: &'a TypeTable,
    limits: ShapeLimits,
    roots: usize,
    default: Rc<Vec<u8>>,
    grown: RefCell<Grown>,
}

/// What grows while the unit is explored.
struct Grown {
    objects: Vec<Rc<ObjectShape>>,
    /// First byte of each object.
    by_offset: BTreeMap<u32, usize>,
    /// Where the pointer at an arena offset leads.
    slots: HashMap<u32, Target>,
    clauses: HashMap<u32, Term>,
    next_free: u64,
}

/// An object that exists in some input.
pub(crate) struct ObjectShape {
    pub offset: u32,
    pub ty: TypeId,
    pub count: u64,
    pub size: u32,
    pub depth: u32,
    /// The slot that leads here; `None` for roots.
    pub slot: Option<u32>,
    /// What a root is; `None` for pointees.
    pub root: Option<Role>,
    /// Number of elements that a parameter's array type states, for the slot of a root.
    array_len: Option<u64>,
    /// The last byte is the end of a string and stays 0.
    pub ends_string: bool,
    pub flags: Vec<u8>,
    /// Its size is part of the input: leaving it is a fault.
    pub exact: bool,
    /// The input value that counts its elements.
    pub length: Option<LengthOf>,
    /// Bytes it may grow to.
    pub capacity: u32,
}

/// Where a slot leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Object(usize),
    OnlyNull(OnlyNull),
}

/// Why a pointer is only tried as null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum OnlyNull {
    /// Pointers are followed this many levels.
    Depth(u32),
    Unsupported(&'static str),
    ArenaFull,
}

impl std::fmt::Display for OnlyNull {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OnlyNull::Depth(levels) => {
                write!(f, "pointers are followed {levels} levels deep and null beyond")
            }
            OnlyNull::Unsupported(what) => write!(f, "{what} is kept null"),
            OnlyNull::ArenaFull => write!(f, "the input arena is full: further pointers are kept null"),
        }
    }
}

impl<'a> Shape<'a> {
    /// The shape of a unit's inputs.
    pub(crate) fn new(request: &ShapeRequest<'a>) -> Shape<'a> {
        let types = &request.model.types;
        let params = &request.model.function(request.function).params;
        let mut grown = Grown {
            objects: Vec::new(),
            by_offset: BTreeMap::new(),
            slots: HashMap::new(),
            clauses: HashMap::new(),
            next_free: request.first_free as u64,
        };
        for root in request.roots {
            let (role, array_len) = match &root.role {
                RootRole::Param { call, position } => (
                    Role::Param { call: *call, position: *position },
                    params[*position as usize].array_len,
                ),
                RootRole::Global(name) => (Role::Global(name.clone()), None),
                RootRole::Stub { stub, call, part } => {
                    (Role::Stub { stub: *stub, call: *call, part: *part }, None)
                }
            };
            grown.add(ObjectShape {
                offset: root.offset,
                ty: root.ty,
                count: 1,
                size: types.get(root.ty).size as u32,
                depth: 0,
                slot: None,
                root: Some(role),
                array_len,
                ends_string: false,
                flags: flags(types, root.ty, 1, false),
                exact: false,
                length: None,
                capacity: types.get(root.ty).size as u32,
            });
        }
        Shape {
            types,
            limits: request.limits.clone(),
            roots: request.roots.len(),
            default: Rc::default(),
            grown: RefCell::new(grown),
        }
    }

    /// The input of the first run: globals as they are by themselves, parameters that must not be null lead to their
    /// object, everything else is zero.
    pub(crate) fn default_input(&self) -> InputBytes {
        InputBytes::over(self.default.clone())
    }

    /// Whether the wide domain of the pointer that holds this byte differs from the narrow one.
    pub(crate) fn has_aliases(&self, _byte: u32) -> bool {
        false
    }

    /// Where the pointer starts that holds this byte.
    pub(crate) fn pointer_slot(&self, byte: u32) -> Option<u32> {
        let object = self.grown.borrow().containing(byte)?;
        self.slot_at(&object, byte).map(|(slot, _)| slot)
    }

    /// The values of an input that differ from their default.
    pub(crate) fn leaves(&self, _objects: &[Rc<ObjectShape>], _input: &InputBytes) -> Vec<LeafValue> {
        Vec::new()
    }

    /// A few inputs in which pointers to the same type are equal.
    pub(crate) fn alias_seeds(&self) -> Vec<InputBytes> {
        Vec::new()
    }

    /// The objects of an input: roots in order, then what non-null pointers lead to, by address.
    pub(crate) fn objects(&self, input: &InputBytes) -> Vec<Rc<ObjectShape>> {
        let mut objects: Vec<Rc<ObjectShape>> = self.grown.borrow().objects[..self.roots].to_vec();
        let mut next = 0;
        while next < objects.len() && objects.len() < MAX_OBJECTS as usize {
            let object = objects[next].clone();
            next += 1;
            let mut previous = None;
            for &(offset, _) in input.changed_within(object.offset, object.size) {
                let Some(slot) = self.slot_at(&object, offset).filter(|slot| previous != Some(slot.0)) else {
                    continue;
                };
                previous = Some(slot.0);
                if let Target::Object(target) = self.target(&object, slot) {
                    let target = self.grown.borrow().objects[target].clone();
                    if input.word(slot.0) == ARENA_BASE + target.offset as u64 {
                        objects.push(target);
                    }
                }
            }
        }
        objects[self.roots..].sort_by_key(|object| object.offset);
        objects
    }

    /// What values a byte may have: `None` if all, otherwise a one-bit term over it and the bytes it belongs with.
    pub(crate) fn domain(
        &self,
        terms: &mut Terms,
        byte: u32,
        _current: &InputBytes,
        _width: DomainWidth,
    ) -> Option<Term> {
        let object = self.grown.borrow().containing(byte)?;
        if let Some(slot) = self.slot_at(&object, byte) {
            if let Some(&clause) = self.grown.borrow().clauses.get(&slot.0) {
                return Some(clause);
            }
            let clause = pointer_clause(terms, slot.0, self.address_of(&object, slot));
            self.grown.borrow_mut().clauses.insert(slot.0, clause);
            return Some(clause);
        }
        (self.leaf(&object, byte) == Leaf::Bool).then(|| {
            let (value, one) = (terms.input(byte), terms.constant(8, 1));
            terms.binary(BinaryOp::Ule, value, one)
        })
    }

    /// Why the pointer that holds this byte is only tried as null; `None` for all other bytes.
    pub(crate) fn only_null(&self, byte: u32) -> Option<OnlyNull> {
        let object = self.grown.borrow().containing(byte)?;
        let slot = self.slot_at(&object, byte)?;
        match self.target(&object, slot) {
            Target::OnlyNull(why) => Some(why),
            Target::Object(_) => None,
        }
    }

    /// The input without bytes that no pointer leads to any more, and without pointers to nowhere.
    pub fn reachable(&self, input: &InputBytes) -> InputBytes {
        let objects = self.objects(input);
        let holds = |offset: u32| {
            let object =
                objects.iter().find(|object| (object.offset..object.offset + object.size).contains(&offset));
            object.is_some_and(|object| object.flags[(offset - object.offset) as usize] & flag::SYMBOLIC != 0)
        };
        input.filtered(holds)
    }

    /// Offset and size of each root.
    pub(crate) fn roots(&self) -> Vec<(u32, u32)> {
        self.grown.borrow().objects[..self.roots].iter().map(|object| (object.offset, object.size)).collect()
    }

    /// An input with random values; each pointer is null or leads to its object.
    pub(crate) fn random(&self, rng: &mut Rng) -> InputBytes {
        let mut input = self.default_input();
        let mut filled = 0;
        loop {
            let objects = self.objects(&input);
            let Some(object) =
                objects.iter().filter(|object| object.offset >= filled).min_by_key(|object| object.offset)
            else {
                return input;
            };
            filled = object.offset + object.size.max(1);
            input = input.with(&self.random_object(object, rng));
        }
    }

    fn random_object(&self, object: &ObjectShape, rng: &mut Rng) -> Vec<(u32, u8)> {
        let mut bytes = Vec::new();
        // Small numbers as often as large ones: most comparisons are with small ones.
        let small = rng.below(2) == 0;
        for byte in object.offset..object.offset + object.size {
            if object.flags[(byte - object.offset) as usize] & flag::SYMBOLIC == 0 {
                continue;
            }
            match self.leaf(object, byte) {
                Leaf::Bool => bytes.push((byte, rng.below(2) as u8)),
                Leaf::Free if small && rng.below(4) != 0 => {}
                Leaf::Free => bytes.push((byte, rng.below(256) as u8)),
                Leaf::Pointer { .. } => {
                    let slot = self.slot_at(object, byte).filter(|slot| slot.0 == byte);
                    let address =
                        slot.filter(|_| rng.below(3) != 0).and_then(|slot| self.address_of(object, slot));
                    let bytes_of = |address: u64| (byte..byte + 8).zip(address.to_le_bytes());
                    bytes.extend(address.into_iter().flat_map(bytes_of));
                }
                Leaf::Fixed => {}
            }
        }
        bytes
    }

    fn leaf(&self, object: &ObjectShape, byte: u32) -> Leaf {
        let inside = (byte - object.offset) as u64 % self.types.get(object.ty).size.max(1);
        leaf_at(self.types, object.ty, inside)
    }

    /// The pointer that holds a byte: its arena offset and what it points to.
    fn slot_at(&self, object: &ObjectShape, byte: u32) -> Option<(u32, TypeId)> {
        let element = self.types.get(object.ty).size.max(1);
        let Leaf::Pointer { start, to } = self.leaf(object, byte) else { return None };
        let element_start = object.offset as u64 + (byte - object.offset) as u64 / element * element;
        Some(((element_start + start) as u32, to))
    }

    fn address_of(&self, object: &ObjectShape, slot: (u32, TypeId)) -> Option<u64> {
        match self.target(object, slot) {
            Target::Object(index) => Some(ARENA_BASE + self.grown.borrow().objects[index].offset as u64),
            Target::OnlyNull(_) => None,
        }
    }

    /// Where a slot leads; an address is reserved at the first question.
    fn target(&self, holder: &ObjectShape, (slot, to): (u32, TypeId)) -> Target {
        let mut grown = self.grown.borrow_mut();
        if let Some(&known) = grown.slots.get(&slot) {
            return known;
        }
        let element = self.types.get(to);
        let target = if let Some(what) = why_not_pointee(element) {
            Target::OnlyNull(OnlyNull::Unsupported(what))
        } else if holder.depth >= self.limits.depth {
            Target::OnlyNull(OnlyNull::Depth(self.limits.depth))
        } else {
            let stated = holder.array_len.filter(|&len| len > 0 && len * element.size <= leaf::MAX_ELEMENT);
            let count = stated.unwrap_or_else(|| capacity(element));
            let ends_string = stated.is_none() && is_string_element(element);
            let size = count * element.size;
            let offset = grown.next_free.next_multiple_of(element.align.max(OBJECT_ALIGNMENT));
            if offset + size > ARENA_SIZE {
                Target::OnlyNull(OnlyNull::ArenaFull)
            } else {
                grown.next_free = offset + size + GAP;
                Target::Object(grown.add(ObjectShape {
                    offset: offset as u32,
                    ty: to,
                    count,
                    size: size as u32,
                    depth: holder.depth + 1,
                    slot: Some(slot),
                    root: None,
                    array_len: None,
                    ends_string,
                    flags: flags(self.types, to, count, ends_string),
                    exact: false,
                    length: None,
                    capacity: size as u32,
                }))
            }
        };
        grown.slots.insert(slot, target);
        target
    }
}

impl Grown {
    fn add(&mut self, object: ObjectShape) -> usize {
        let index = self.objects.len();
        self.by_offset.insert(object.offset, index);
        self.objects.push(Rc::new(object));
        index
    }

    fn containing(&self, byte: u32) -> Option<Rc<ObjectShape>> {
        let (_, &index) = self.by_offset.range(..=byte).next_back()?;
        let object = &self.objects[index];
        (byte < object.offset + object.size).then(|| object.clone())
    }
}

/// `slot == 0 || slot == address`.
fn pointer_clause(terms: &mut Terms, slot: u32, address: Option<u64>) -> Term {
    let mut pointer = terms.input(slot);
    for byte in 1..8 {
        let high = terms.input(slot + byte);
        pointer = terms.concat(high, pointer);
    }
    let null = terms.constant(64, 0);
    let is_null = terms.binary(BinaryOp::Eq, pointer, null);
    let Some(address) = address else { return is_null };
    let address = terms.constant(64, address as u128);
    let is_object = terms.binary(BinaryOp::Eq, pointer, address);
    terms.binary(BinaryOp::Or, is_null, is_object)
}

/// Flag bytes of an object: all valid, those we may choose symbolic.
fn flags(types: &TypeTable, ty: TypeId, count: u64, ends_string: bool) -> Vec<u8> {
    let element = types.get(ty).size;
    let one: Vec<u8> = (0..element)
        .map(|offset| match leaf_at(types, ty, offset) {
            Leaf::Fixed => flag::VALID,
            _ => flag::VALID | flag::SYMBOLIC,
        })
        .collect();
    let mut all = one.repeat(count as usize);
    if let (true, Some(last)) = (ends_string, all.last_mut()) {
        *last = flag::VALID;
    }
    all
}
