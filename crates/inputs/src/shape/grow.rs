//! Where pointers lead: each to one fresh object of its own, whose address is reserved when it is first needed.
//!
//! Takes a pointer's place; gives its object, the functions it may point to, or why it stays null.
//! Never: which of these an input has.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use tarka_instrument::AddressOf;
use tarka_runner::LengthOf;
use tarka_source::{Container, StubKind, TypeId, TypeKind, TypeTable};
use tarka_terms::Term;
use tarka_trace::ARENA_SIZE;

use super::alias::Alias;
use super::element::{Element, MAX_OBJECT, MAX_SYMBOLIC, SlotPlace};
use super::object::{Counter, ObjectShape, Tail};
use super::{DomainWidth, InputBytes, Shape};

/// Unused bytes after each object, so that running off its end is noticed.
const GAP: u64 = 256;

/// Objects start at round addresses: easier to read in a fault's message, and enough for every C type.
const OBJECT_ALIGNMENT: u64 = 64;

/// Bytes behind a `void *` of which nothing is known.
const UNTYPED_BYTES: u64 = 32;

/// Bytes behind a pointer to a type that is declared but not defined.
const OPAQUE_BYTES: u64 = 64;

/// Elements of a flexible array member that nothing counts.
const UNCOUNTED_TAIL: u64 = 8;

/// What grows while the unit is explored.
pub(super) struct Grown {
    pub objects: Vec<Rc<ObjectShape>>,
    /// First byte of each object.
    by_offset: BTreeMap<u32, usize>,
    /// Where the pointer at an arena offset leads, for each of the pointers of a union that are there.
    pub targets: HashMap<(u32, usize), PointerTarget>,
    /// What else it may point to, found when there were so many objects.
    pub aliases: HashMap<u32, (usize, Rc<Vec<Alias>>)>,
    /// The clause of a pointer's domain, made when there were so many objects.
    pub clauses: HashMap<(u32, DomainWidth), (usize, Term)>,
    next_free: u64,
}

/// Where a pointer leads by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PointerTarget {
    /// To an object, by index.
    Object(usize),
    /// To one of these addresses of functions.
    Functions(Rc<Vec<u64>>),
    OnlyNull(OnlyNull),
}

/// Why a pointer is only tried as null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum OnlyNull {
    /// Pointers are followed this many levels.
    Depth(u32),
    /// No object can be made of what it points to; in words.
    Unsupported(&'static str),
    /// There is no room for another object.
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

/// A pointer of an input.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Arena offset.
    pub at: u32,
    /// What it points to, as declared.
    pub to: TypeId,
    pub cast_to: Option<TypeId>,
    pub non_null: bool,
    /// A member of a union that is no pointer has the same bytes.
    pub shared: bool,
    /// Number of elements that the program states.
    pub stated: Option<u64>,
    pub length: Option<Counter>,
    /// What it leads into the middle of.
    pub container: Option<Container>,
    /// Bytes behind it that the code reaches by constants.
    pub reach: u64,
    /// A member that the code adds numbers to.
    pub is_moved: bool,
    /// Most elements, as the user's settings say.
    pub most: Option<u64>,
    /// Pointers followed to the object that holds it.
    pub depth: u32,
    /// Which of the pointers of a union it is that have these bytes.
    pub member: usize,
    /// Those behind the first.
    pub others: Vec<SlotPlace>,
    /// Where the value begins that it is a part of.
    start: u32,
}

/// What a pointer's own object consists of.
struct Plan {
    ty: TypeId,
    stride: u64,
    count: u64,
    element: Rc<Element>,
    ends_string: bool,
    length: Option<Counter>,
    /// Elements behind those that the length counts.
    room: u64,
    tail: Option<Tail>,
    size: u64,
    /// What a string may be stretched to; 0 if it may not.
    stretch: u64,
    /// Where the pointer leads in it.
    entry: u64,
    /// It has all the elements that its declaration states.
    is_stated: bool,
}

impl Grown {
    pub(super) fn new(first_free: u32) -> Grown {
        Grown {
            objects: Vec::new(),
            by_offset: BTreeMap::new(),
            targets: HashMap::new(),
            aliases: HashMap::new(),
            clauses: HashMap::new(),
            next_free: u64::from(first_free),
        }
    }

    pub(super) fn add(&mut self, object: ObjectShape) -> usize {
        let index = self.objects.len();
        self.by_offset.insert(object.offset, index);
        self.objects.push(Rc::new(object));
        index
    }

    /// The object that a byte belongs to.
    pub(super) fn containing(&self, byte: u32) -> Option<Rc<ObjectShape>> {
        self.reached(byte).filter(|object| byte < object.offset + object.capacity).cloned()
    }

    /// The object that an address belongs to; one past its end still does.
    pub(super) fn reached(&self, byte: u32) -> Option<&Rc<ObjectShape>> {
        let (_, &index) = self.by_offset.range(..=byte).next_back()?;
        let object = &self.objects[index];
        (byte <= object.offset + object.capacity).then_some(object)
    }

    /// Whether an object exists only because another one holds a pointer, directly or not.
    pub(super) fn hangs_on(&self, object: &ObjectShape, other: usize) -> bool {
        let other = self.objects[other].offset;
        let holder_of = |object: &ObjectShape| object.slot.and_then(|slot| self.containing(slot));
        std::iter::successors(holder_of(object), |holder| holder_of(holder))
            .any(|holder| holder.offset == other)
    }

    /// Whether objects may take more room than they need at first.
    fn has_plenty_of_room(&self) -> bool {
        self.next_free < ARENA_SIZE / 2
    }

    /// Reserves room for an object and the gap after it.
    fn reserve(&mut self, size: u64, align: u64) -> Option<u32> {
        let offset = self.next_free.next_multiple_of(align.max(OBJECT_ALIGNMENT));
        if offset + size + GAP > ARENA_SIZE {
            return None;
        }
        self.next_free = offset + size + GAP;
        Some(offset as u32)
    }
}

impl Shape<'_> {
    /// The pointer that holds a byte of an object.
    pub(super) fn slot_at(&self, object: &ObjectShape, byte: u32) -> Option<Slot> {
        let (element, inside) = object.byte_at(byte);
        let place = element.slot_at(inside)?;
        let start = byte - inside;
        let own = object.pointer.clone().unwrap_or_default();
        Some(Slot {
            at: start + place.offset,
            to: place.to,
            cast_to: place.cast_to.or(own.cast_to),
            non_null: own.non_null,
            shared: place.shared,
            stated: own.stated,
            length: place.length.map(|length| Counter::at(start, length)).or(own.length),
            container: place.container.or(own.container),
            reach: place.reach.max(own.reach),
            is_moved: place.is_moved,
            most: own.most,
            depth: object.depth,
            member: 0,
            others: place.others.clone(),
            start,
        })
    }

    /// The pointers to something else that have the bytes of a pointer, in a union.
    pub(super) fn others(&self, slot: &Slot) -> Vec<Slot> {
        let other = |(index, place): (usize, &SlotPlace)| Slot {
            to: place.to,
            cast_to: place.cast_to,
            length: place.length.map(|length| Counter::at(slot.start, length)),
            container: place.container,
            reach: place.reach,
            is_moved: false,
            member: index + 1,
            others: Vec::new(),
            ..slot.clone()
        };
        slot.others.iter().enumerate().map(other).collect()
    }

    /// Inputs in which a pointer of a union leads to what another member points to: to functions where it is called, else to
    /// an object.
    pub fn as_other_members(&self, input: &InputBytes, at: u32, is_call: bool) -> Vec<InputBytes> {
        let Some(slot) = self.slot_of(at).filter(|slot| !slot.others.is_empty()) else { return Vec::new() };
        let members = [slot.clone()].into_iter().chain(self.others(&slot));
        let fits = |member: &Slot| matches!(self.target(member), PointerTarget::Functions(_)) == is_call;
        let addresses = members.filter(fits).flat_map(|member| self.addresses_of(&member));
        let others = addresses.filter(|&address| address != input.word(at));
        others.map(|address| self.reachable(&input.with_word(at, address))).collect()
    }

    /// The pointer that holds a byte of the input.
    pub(super) fn slot_of(&self, byte: u32) -> Option<Slot> {
        let object = self.grown.borrow().containing(byte)?;
        self.slot_at(&object, byte)
    }

    /// A pointer that a caller would not leave null: the code adds numbers to it, and no length says that it may be nothing.
    pub fn is_moved(&self, at: u32) -> bool {
        self.slot_of(at).is_some_and(|slot| slot.is_moved && slot.length.is_none())
    }

    /// The addresses that a pointer has by itself, beside null: in a union, those of the first pointer there that has any.
    pub(super) fn own_addresses(&self, slot: &Slot) -> Vec<u64> {
        let own = self.addresses_of(slot);
        if own.is_empty() {
            self.others(slot)
                .iter()
                .map(|other| self.addresses_of(other))
                .find(|found| !found.is_empty())
                .unwrap_or_default()
        } else {
            own
        }
    }

    fn addresses_of(&self, slot: &Slot) -> Vec<u64> {
        match self.target(slot) {
            PointerTarget::Object(index) => vec![self.grown.borrow().objects[index].entrance()],
            PointerTarget::Functions(addresses) => addresses.to_vec(),
            PointerTarget::OnlyNull(_) => Vec::new(),
        }
    }

    /// Where a pointer leads; an address is reserved at the first question.
    pub(super) fn target(&self, slot: &Slot) -> PointerTarget {
        if let Some(known) = self.grown.borrow().targets.get(&(slot.at, slot.member)) {
            return known.clone();
        }
        let target = self.find_target(slot);
        self.grown.borrow_mut().targets.insert((slot.at, slot.member), target.clone());
        target
    }

    /// The object that a pointer has by itself.
    pub(super) fn own_object(&self, slot: &Slot) -> Option<Rc<ObjectShape>> {
        let PointerTarget::Object(index) = self.target(slot) else { return None };
        Some(self.grown.borrow().objects[index].clone())
    }

    fn find_target(&self, slot: &Slot) -> PointerTarget {
        if let Some(leader) = self.leader(slot).filter(|_| slot.member == 0) {
            return self.target(&leader);
        }
        if let TypeKind::Function { .. } = self.model.types.get(slot.to).kind {
            let functions = self.functions_of_type(slot.to);
            if functions.is_empty() {
                let why = "a pointer to a function of a type that no function has";
                return PointerTarget::OnlyNull(OnlyNull::Unsupported(why));
            }
            return PointerTarget::Functions(Rc::new(functions));
        }
        let ty = self.pointee(slot);
        if let Some(what) = why_not_pointee(&self.model.types, ty) {
            return PointerTarget::OnlyNull(OnlyNull::Unsupported(what));
        }
        if slot.depth >= self.limits.depth {
            return PointerTarget::OnlyNull(OnlyNull::Depth(self.limits.depth));
        }
        let plan = match slot.container {
            Some(container) => self.plan_around(slot, ty, container),
            None => self.plan(slot, ty),
        };
        let align = self.model.types.get(plan.ty).align;
        let mut grown = self.grown.borrow_mut();
        let plan = if grown.has_plenty_of_room() { plan } else { Plan { stretch: 0, ..plan } };
        let Some(offset) = grown.reserve(plan.size.max(plan.stretch), align) else {
            return PointerTarget::OnlyNull(OnlyNull::ArenaFull);
        };
        PointerTarget::Object(grown.add(plan.object(offset, slot)))
    }

    /// Type of an element behind a pointer.
    pub(super) fn pointee(&self, slot: &Slot) -> TypeId {
        let types = &self.model.types;
        let cast = slot.cast_to.filter(|&to| why_not_pointee(types, to).is_none() && !types.is_void(to));
        match types.get(slot.to).kind {
            TypeKind::Void => cast.or(self.byte_type).unwrap_or(slot.to),
            TypeKind::Incomplete => cast.unwrap_or(slot.to),
            _ => slot.to,
        }
    }

    pub(super) fn functions_of_type(&self, ty: TypeId) -> Vec<u64> {
        let types = &self.model.types;
        let fits = |what: &AddressOf| match what {
            AddressOf::Function(id) => {
                let function = self.model.function(*id);
                function.address_taken && types.same_type(function.ty, ty)
            }
            AddressOf::Stub(index) => self
                .stubs
                .get(*index as usize)
                .is_some_and(|stub| stub.kind == StubKind::Pointer && types.same_type(stub.ty, ty)),
            AddressOf::Global(_) => false,
        };
        self.addresses.iter().filter(|address| fits(&address.what)).map(|address| address.address).collect()
    }

    fn plan(&self, slot: &Slot, ty: TypeId) -> Plan {
        let found = self.model.types.get(ty);
        let element = self.elements.of(ty);
        let stride = found.size.max(1);
        let most = |count: u64| count.min((MAX_SYMBOLIC / stride).max(1));
        // A size that is a guess is none that the code's own constants speak against.
        let guess = |count: u64| most(count.max(slot.reach.div_ceil(stride)));
        let plain = |count: u64| Plan {
            ty,
            stride,
            count,
            element: element.clone(),
            ends_string: false,
            length: None,
            room: 0,
            tail: None,
            size: count * stride,
            stretch: 0,
            entry: 0,
            is_stated: false,
        };
        if matches!(found.kind, TypeKind::Incomplete) {
            return plain(OPAQUE_BYTES);
        }
        if let Some(tail) = self.tail(ty) {
            return self.plan_with_tail(slot, plain(1), tail);
        }
        if let Some(stated) = slot.stated.filter(|&count| count > 0) {
            let plan = plain(most(slot.most.unwrap_or(stated)));
            return Plan { is_stated: plan.count == stated, ..plan };
        }
        if let Some(length) = slot.length {
            let count = most(slot.most.unwrap_or(self.limits.elements));
            let room = self.room_behind(slot);
            return Plan { length: Some(length), room, ..plain(count + room) };
        }
        if let Some(count) = slot.most {
            return Plan { ends_string: is_string_element(&self.model.types, ty), ..plain(most(count)) };
        }
        if self.model.types.is_void(slot.to) && slot.cast_to.is_none() {
            return plain(guess(UNTYPED_BYTES));
        }
        if is_string_element(&self.model.types, ty) {
            // The end of a string is none of the elements that are reached.
            let reached = if slot.reach > 0 { most(slot.reach.div_ceil(stride)) + 1 } else { 0 };
            let count = most((self.limits.string / stride).max(2)).max(reached);
            return Plan { ends_string: true, stretch: self.limits.stretch, ..plain(count) };
        }
        let elements = self.limits.elements.max(1);
        plain(guess(match found.kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => (elements * 16 / stride).clamp(1, elements),
            _ => elements,
        }))
    }

    /// Something that the pointer leads into the middle of: a record, or elements with more of them in front.
    fn plan_around(&self, slot: &Slot, ty: TypeId, container: Container) -> Plan {
        let entry = container.offset;
        if self.model.types.same_type(container.ty, ty) {
            let plan = self.plan(&Slot { length: None, ..slot.clone() }, ty);
            let count = plan.count + entry / plan.stride;
            return Plan { count, size: plan.size + entry, stretch: 0, entry, ..plan };
        }
        let whole = Slot { to: container.ty, cast_to: None, length: None, stated: Some(1), ..slot.clone() };
        // It may be one of many.
        Plan { entry, is_stated: false, ..self.plan(&whole, container.ty) }
    }

    /// A record that ends in an array without a size, with some elements in it.
    fn plan_with_tail(&self, slot: &Slot, record: Plan, tail: Tail) -> Plan {
        let count = match tail.length {
            Some(_) => slot.most.unwrap_or(self.limits.elements),
            None => slot.most.unwrap_or(UNCOUNTED_TAIL),
        };
        let count = count.min((MAX_SYMBOLIC / u64::from(tail.stride)).max(1));
        let size = (u64::from(tail.at) + count * u64::from(tail.stride)).max(record.stride);
        Plan { size, tail: Some(tail), ..record }
    }

    /// The flexible array member of a record; its counter's offset is still relative to the record.
    fn tail(&self, ty: TypeId) -> Option<Tail> {
        let types = &self.model.types;
        let TypeKind::Record { fields, is_union: false } = &types.get(ty).kind else { return None };
        let last = fields.last()?;
        let TypeKind::Array { of, len: None | Some(0) } = types.get(last.ty).kind else { return None };
        let stride = types.get(of).size;
        if why_not_pointee(types, of).is_some() || stride > MAX_SYMBOLIC {
            return None;
        }
        let counter = last.length.and_then(|index| fields.get(index as usize));
        let length = counter.filter(|field| field.bit_width.is_none()).and_then(|field| {
            Some(Counter::at((field.offset_bits / 8) as u32, self.elements.number(field.ty)?))
        });
        let at = (last.offset_bits / 8) as u32;
        Some(Tail { at, ty: of, stride: stride as u32, element: self.elements.of(of), length })
    }
}

impl Plan {
    fn object(self, offset: u32, slot: &Slot) -> ObjectShape {
        let tail = self.tail.map(|tail| Tail {
            length: tail.length.map(|length| Counter { offset: offset + length.offset, ..length }),
            ..tail
        });
        let mut object = ObjectShape {
            offset,
            ty: self.ty,
            count: self.count,
            size: self.size as u32,
            root: None,
            ends_string: self.ends_string,
            flags: Vec::new(),
            exact: self.is_stated
                || self.length.is_some() && self.room == 0
                || tail.as_ref().is_some_and(|tail| tail.length.is_some()),
            length: self.length.map(|length| LengthOf {
                offset: length.offset,
                bits: length.bits,
                signed: length.signed,
                element: self.stride as u32,
            }),
            room: self.room as u32,
            capacity: self.size as u32,
            stretch: self.stretch as u32,
            entry: self.entry as u32,
            depth: slot.depth + 1,
            slot: Some(slot.at),
            stride: self.stride as u32,
            element: self.element,
            tail,
            pointer: None,
            range: None,
        };
        object.flags = object.fresh_flags();
        object
    }
}

/// True for the types whose arrays are strings as a rule: the last element of a guessed object stays 0.
pub(super) fn is_string_element(types: &TypeTable, ty: TypeId) -> bool {
    let found = types.get(ty);
    types.is_char(ty) || (found.spelling == "wchar_t" && matches!(found.kind, TypeKind::Int { .. }))
}

/// Why no object can be made for a pointer to this type; `None` if one can. Functions are not objects and not asked.
pub(crate) fn why_not_pointee(types: &TypeTable, ty: TypeId) -> Option<&'static str> {
    let element = types.get(ty);
    match &element.kind {
        TypeKind::Void => None,
        TypeKind::Incomplete => None,
        TypeKind::Function { .. } => Some("a pointer to a function"),
        TypeKind::Array { len: None, .. } => Some("a pointer to an array of unknown length"),
        TypeKind::Other(name) if name == "va_list" => Some("a pointer to va_list"),
        TypeKind::Other(_) => Some("a pointer to a type beyond C's numbers, arrays, structs and unions"),
        _ if element.size == 0 => Some("a pointer to a type without size"),
        _ if element.size > MAX_OBJECT => Some("a pointer to an object of more than 1 MiB"),
        _ => None,
    }
}
