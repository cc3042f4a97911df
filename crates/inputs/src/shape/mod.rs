//! The shape of a unit's inputs: which bytes exist, what they mean, and which objects pointers lead to.
//!
//! Takes the unit's roots (parameters, globals and stub values, placed by the instrumenter) and types; gives for every
//! input the objects to put into the arena, for every byte its domain, and for every run the typed input with what it
//! left behind.
//!
//! A pointer's place (a *slot*) may be null or point to one fresh object of its own, whose address is reserved when
//! the slot is first needed and never changes for this unit, or to what other pointers lead to. So a pointer condition
//! is an ordinary constraint.
//!
//! Never: running anything, search.

mod alias;
mod bytes;
mod domain;
mod element;
mod grow;
mod legal;
mod needed;
mod object;
mod placements;
mod random;
mod ranges;
mod record;
mod room;
mod support;
mod tagged;
#[cfg(test)]
mod tests;
mod text;
mod value;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use tarka_instrument::{Address, Root};
use tarka_library::Fact;
use tarka_scenario::Role;
use tarka_source::{Function, FunctionId, SourceModel, Stub, TypeId, TypeKind};
use tarka_trace::{ARENA_BASE, ARENA_SIZE, MAX_OBJECTS};

pub use bytes::InputBytes;
pub use domain::DomainWidth;
pub use grow::OnlyNull;
pub use legal::Leaf;
pub use needed::Needed;
pub use object::ObjectShape;
pub use placements::{Placement, Touches};
pub use ranges::{Ranges, SlotPath};
pub use record::ArenaAfter;
pub use room::Overruns;
pub use support::{KeptZero, why_not_testable};
pub use tagged::Misled;
pub use value::LeafKind;
pub(crate) use value::LeafValue;

use element::Elements;
use grow::{Grown, PointerTarget};
use object::{Counter, RootPointer};

/// What a shape is made of.
#[derive(Clone, Debug)]
pub struct ShapeRequest<'a> {
    /// The program.
    pub model: &'a SourceModel,
    /// The unit.
    pub function: FunctionId,
    /// The unit's roots, as the driver binds them.
    pub roots: &'a [Root],
    /// What stands in for functions that nobody defines.
    pub stubs: &'a [Stub],
    /// Functions and variables with a fixed address.
    pub addresses: &'a [Address],
    /// First arena offset that is free for pointees.
    pub first_free: u32,
    /// How far inputs may grow.
    pub limits: ShapeLimits,
    /// Pointers that lead into one object.
    pub ranges: Ranges,
    /// Pointers to more than their length says.
    pub roomy: BTreeSet<SlotPath>,
}

/// How far inputs may grow for now.
#[derive(Clone, Debug)]
pub struct ShapeLimits {
    /// Pointers that may be followed from a root before only null and aliases are tried.
    pub depth: u32,
    /// Most elements of an object whose size the program does not state.
    pub elements: u64,
    /// Most bytes of a string, its end included.
    pub string: u64,
    /// Most bytes of a string that is longer than that because a copy of it may not fit.
    pub stretch: u64,
    /// Calls in a row that are made.
    pub calls: u32,
    /// Most elements of the object that a parameter points to, by the parameter's name.
    pub sizes: BTreeMap<String, u64>,
}

/// The shape of one unit's inputs.
pub struct Shape<'a> {
    model: &'a SourceModel,
    function: FunctionId,
    stubs: &'a [Stub],
    addresses: &'a [Address],
    limits: ShapeLimits,
    elements: Elements<'a>,
    /// How many of the objects are roots: they come first.
    roots: usize,
    /// `unsigned char`, or another character type.
    byte_type: Option<TypeId>,
    ranges: Ranges,
    roomy: BTreeSet<SlotPath>,
    default: Arc<Vec<u8>>,
    grown: RefCell<Grown>,
}

impl<'a> Shape<'a> {
    /// The shape of a unit's inputs.
    pub fn new(request: &ShapeRequest<'a>) -> Shape<'a> {
        let mut shape = Shape {
            model: request.model,
            function: request.function,
            stubs: request.stubs,
            addresses: request.addresses,
            limits: request.limits.clone(),
            elements: Elements::new(&request.model.types),
            roots: 0,
            byte_type: byte_type(request.model),
            ranges: request.ranges.clone(),
            roomy: request.roomy.clone(),
            default: Arc::default(),
            grown: RefCell::new(Grown::new(request.first_free)),
        };
        let mut roots: Vec<&Root> = request.roots.iter().filter(|root| shape.is_used(root)).collect();
        // Inputs list parameters, globals and stubs in this order.
        roots.sort_by_key(|root| match root.role {
            Role::Argument { .. } => 0,
            Role::Global(_) => 1,
            Role::Stub { .. } => 2,
            Role::Pointee { .. } => 3,
        });
        shape.roots = roots.len();
        for root in roots {
            let object = shape.root_object(request, root);
            shape.grown.get_mut().add(object);
        }
        shape.default = Arc::new(shape.default_bytes(request));
        shape
    }

    /// Parameters of calls that are not made are no inputs.
    fn is_used(&self, root: &Root) -> bool {
        !matches!(root.role, Role::Argument { step: call, .. } if call >= self.limits.calls.max(1))
    }

    fn root_object(&self, request: &ShapeRequest, root: &Root) -> ObjectShape {
        let types = &self.model.types;
        let stride = types.get(root.ty).size.max(1);
        let function = self.model.function(request.function);
        let is_pointer = matches!(types.get(root.ty).kind, TypeKind::Pointer { .. });
        let pointer = is_pointer.then(|| RootPointer {
            most: self.limits.sizes.get(&root.name).copied(),
            ..self.parameter(request, function, root)
        });
        let mut object = ObjectShape {
            offset: root.offset,
            ty: root.ty,
            count: (root.size / stride).max(1),
            size: root.size as u32,
            root: Some(root.role.clone()),
            ends_string: false,
            flags: Vec::new(),
            exact: false,
            length: None,
            room: 0,
            capacity: root.size as u32,
            stretch: 0,
            entry: 0,
            depth: 0,
            slot: None,
            stride: stride as u32,
            element: self.elements.of(root.ty),
            tail: None,
            pointer,
            range: self.range_of(root),
        };
        object.flags = object.fresh_flags();
        object
    }

    /// What a parameter's declaration says of the pointer that it is.
    fn parameter(&self, request: &ShapeRequest, function: &Function, root: &Root) -> RootPointer {
        let Role::Argument { step: call, position } = root.role else { return RootPointer::default() };
        let Some(param) = function.params.get(position as usize) else { return RootPointer::default() };
        let counter = param.length.and_then(|position| {
            let role = Role::Argument { step: call, position };
            let counting = request.roots.iter().find(|root| root.role == role)?;
            Some(Counter::at(counting.offset, self.elements.number(counting.ty)?))
        });
        RootPointer {
            non_null: param.non_null,
            stated: param.array_len,
            cast_to: param.cast_to,
            length: counter,
            container: param.container,
            reach: param.reach,
            most: None,
        }
    }

    /// The numbers that a stub may hand out, where they are fewer than its type has. Only facts: what the solver refutes
    /// with them is refuted for good.
    fn range_of(&self, root: &Root) -> Option<Fact<(i64, i64)>> {
        let Role::Stub { stub, part, .. } = root.role else { return None };
        self.stubs.get(stub as usize)?.numbers(&self.model.types, part)
    }

    fn default_bytes(&self, request: &ShapeRequest) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |offset: u32, value: &[u8]| {
            let end = offset as usize + value.len();
            bytes.resize(bytes.len().max(end), 0);
            bytes[offset as usize..end].copy_from_slice(value);
        };
        for root in request.roots {
            put(root.offset, &root.initial);
        }
        let roots: Vec<Rc<ObjectShape>> = self.grown.borrow().objects.clone();
        for root in roots.iter().filter(|root| root.pointer.as_ref().is_some_and(|pointer| pointer.non_null))
        {
            let slot = self.slot_at(root, root.offset);
            let address = slot.and_then(|slot| self.own_addresses(&slot).first().copied());
            put(root.offset, &address.unwrap_or(0).to_le_bytes());
        }
        bytes
    }

    /// The input in which everything has its default: globals as they are by themselves, parameters that must not be null
    /// lead to their object, everything else is zero.
    pub fn default_input(&self) -> InputBytes {
        InputBytes::over(self.default.clone())
    }

    /// The input of the first run: as by default, but every parameter that is a pointer leads to an object of its own, all
    /// zero but for pointers that the unit adds to. A unit that dies of a null pointer at once would show nothing of itself.
    pub fn first_input(&self) -> InputBytes {
        let roots: Vec<Rc<ObjectShape>> = self.grown.borrow().objects[..self.roots].to_vec();
        let is_parameter = |root: &&Rc<ObjectShape>| matches!(root.root, Some(Role::Argument { .. }));
        let pointers = roots.iter().filter(is_parameter).filter(|root| root.pointer.is_some());
        let first = pointers.fold(self.default_input(), |input, root| {
            let slot = self.slot_at(root, root.offset);
            let address = slot.and_then(|slot| self.own_addresses(&slot).first().copied());
            address.map_or(input.clone(), |address| input.with_word(root.offset, address))
        });
        self.joined(self.with_moved(first))
    }

    /// The same, where pointers that the unit moves lead somewhere: adding to null is undefined, and no test could do it.
    fn with_moved(&self, input: InputBytes) -> InputBytes {
        // Of several records, the first is the one that most callers have.
        let first_slots = |object: Rc<ObjectShape>| {
            let end = object.offset + object.stride;
            object.slots().into_iter().filter(move |&at| at < end)
        };
        let slots = self.objects(&input).into_iter().flat_map(first_slots);
        let moved = slots.filter(|&at| input.word(at) == 0 && self.is_moved(at)).collect::<Vec<_>>();
        moved.into_iter().filter_map(|at| self.slot_of(at)).fold(input, |input, slot| {
            let address = self.own_addresses(&slot).first().copied();
            address.map_or(input.clone(), |address| input.with_word(slot.at, address))
        })
    }

    /// The objects of an input: roots in order, then what pointers lead to, by address.
    pub fn objects(&self, input: &InputBytes) -> Vec<Rc<ObjectShape>> {
        let roots: Vec<Rc<ObjectShape>> = self.grown.borrow().objects[..self.roots].to_vec();
        let types = &self.model.types;
        let find = |byte: u32| self.grown.borrow().reached(byte).map(|object| object.sized(input, types));
        let reached = follow(&roots, input, find);
        roots.into_iter().chain(reached.into_iter().map(|(object, _)| object)).collect()
    }

    /// Where the pointer starts that holds this byte.
    pub fn pointer_slot(&self, byte: u32) -> Option<u32> {
        let object = self.grown.borrow().containing(byte)?;
        let (element, inside) = object.byte_at(byte);
        element.slot_at(inside).map(|place| byte - inside + place.offset)
    }

    /// Why the pointer that holds this byte is only tried as null; `None` for all other bytes.
    pub fn only_null(&self, byte: u32) -> Option<OnlyNull> {
        let slot = self.slot_of(byte)?;
        match self.target(&slot) {
            PointerTarget::OnlyNull(why) if self.own_addresses(&slot).is_empty() => Some(why),
            PointerTarget::OnlyNull(_) | PointerTarget::Object(_) | PointerTarget::Functions(_) => None,
        }
    }

    /// The input without bytes that no pointer leads to any more.
    pub fn reachable(&self, input: &InputBytes) -> InputBytes {
        let mut objects = self.objects(input);
        objects.sort_by_key(|object| object.offset);
        input.filtered(|byte| holding(&objects, byte).is_some_and(|object| object.is_symbolic(byte)))
    }

    /// Offset and size of each root.
    pub fn roots(&self) -> Vec<(u32, u32)> {
        self.grown.borrow().objects[..self.roots].iter().map(|object| (object.offset, object.size)).collect()
    }
}

/// The object of a list sorted by offset that holds a byte; one past its end does not count.
fn holding(sorted: &[Rc<ObjectShape>], byte: u32) -> Option<&Rc<ObjectShape>> {
    let after = sorted.partition_point(|object| object.offset <= byte);
    let object = &sorted[after.checked_sub(1)?];
    (byte < object.offset + object.size).then_some(object)
}

/// What the pointers of some objects lead to, directly or not, by address; each with a pointer that leads there, its own
/// if possible. `find` gives the object at an arena offset.
fn follow(
    roots: &[Rc<ObjectShape>],
    input: &InputBytes,
    find: impl Fn(u32) -> Option<Rc<ObjectShape>>,
) -> Vec<(Rc<ObjectShape>, u32)> {
    let mut found: BTreeMap<u32, (Rc<ObjectShape>, u32)> = BTreeMap::new();
    let mut open: Vec<Rc<ObjectShape>> = roots.iter().rev().cloned().collect();
    let taken: HashSet<u32> = roots.iter().map(|root| root.offset).collect();
    while let Some(object) = open.pop() {
        for slot in object.slots() {
            let address = input.word(slot);
            if !(ARENA_BASE..ARENA_BASE + ARENA_SIZE).contains(&address) {
                continue;
            }
            let Some(target) = find((address - ARENA_BASE) as u32) else { continue };
            if target.root.is_some() || taken.contains(&target.offset) {
                continue;
            }
            if let Some((known, via)) = found.get_mut(&target.offset) {
                if known.slot == Some(slot) {
                    *via = slot;
                }
            } else if roots.len() + found.len() < MAX_OBJECTS as usize {
                found.insert(target.offset, (target.clone(), slot));
                open.push(target);
            }
        }
    }
    found.into_values().collect()
}

/// The type of single bytes: `unsigned char` if the program mentions it, otherwise another character type.
fn byte_type(model: &SourceModel) -> Option<TypeId> {
    let find = |wanted: fn(&TypeKind) -> bool| {
        let index = model.types.types.iter().position(|ty| wanted(&ty.kind))?;
        Some(TypeId(index as u32))
    };
    find(|kind| matches!(kind, TypeKind::Int { is_char: true, signed: false, .. }))
        .or_else(|| find(|kind| matches!(kind, TypeKind::Int { is_char: true, .. })))
}
