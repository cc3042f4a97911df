//! How much there is behind the pointers of an input, where the unit goes beyond one of its objects.
//!
//! Takes the case with its input; gives the pointers that lead to the object which is left, and what is wrong with what is
//! said about how much they have: nothing says it, a negative length does, or one that is larger than the object, which
//! only an input of ours has. Never: objects of the unit's own, which nobody else answers for.

use tarka_events::FaultKind;
use tarka_scenario::{Object, Role};
use tarka_source::{Param, TypeKind, is_count_name};
use tarka_trace::{ARENA_BASE, ARENA_SIZE};

use super::name::{Leaf, Origin, element_of};
use super::range::Number;
use super::{Case, Classed};

/// No object has so many elements.
const LARGEST_OBJECT: i128 = 1 << 40;

impl Case<'_> {
    /// What a fault is because of what is said about how much there is, whatever the unit does.
    pub(super) fn by_length(&self) -> Option<Classed> {
        self.leading_to(self.left()?).find_map(|(object, param)| {
            let counter = self.sibling(object, param.length?)?;
            let count = self.value(counter);
            if count < 0 {
                let name = &self.function.params[param.length? as usize].name;
                return Some(Classed::contract(
                    format!("{name} is negative, and then nothing says how much there is"),
                    format!("needs to know how much there is where {name} is negative"),
                ));
            }
            let holder = self.object_of(self.value(object) as u64)?;
            let end = i128::from(holder.address) + holder.bytes.len() as i128;
            let lies = self.value(object) + count * i128::from(self.element(param)) > end;
            let why = || format!("less is behind {} than its length says, which no caller does", param.name);
            lies.then(|| Classed::limit(why()))
        })
    }

    /// What a fault is that takes a length which no object has: less than nothing, or more than there is memory. Arrays of
    /// the unit's own must be kept from such lengths by the unit.
    pub(super) fn by_impossible_length(&self, leaves: &[Leaf]) -> Option<Classed> {
        use FaultKind::*;
        // A null pointer that is moved is the caller's, too.
        let is_of_caller = !self.is_own_object() || self.address == 0;
        let is_moved = self.kind == PointerArithmetic && is_of_caller;
        let is_meant = match self.kind {
            SignedOverflow | Assertion | Abort => true,
            PointerArithmetic | OutOfBounds | WildDereference => is_of_caller,
            _ => false,
        };
        let is_length = |leaf: &&Leaf| {
            let by_type = is_count_name(self.model.types.get(leaf.ty).spelling.trim_end_matches("_t"));
            let is_named = by_type || leaf.name.as_ref().is_some_and(|name| is_count_name(name));
            leaf.origin == Origin::Scalar && (self.is_count(leaf) || is_named || is_moved)
        };
        leaves.iter().filter(is_length).find_map(|leaf| {
            let value = self.number(leaf).filter(|_| is_meant)?.value(self.bytes);
            let is_negative = value < 0 && self.is_count(leaf);
            let name = leaf.name.as_ref().filter(|_| is_negative || value.abs() >= LARGEST_OBJECT)?;
            let why = format!("{name} is {value}, and no object has so many elements");
            Some(Classed::contract(why, format!("needs {name} to be a length that objects have")))
        })
    }

    /// What is for the caller to get right, where the unit goes beyond the end of one of its objects and has nothing to hold
    /// that to.
    pub(super) fn for_the_caller(&self, leaves: &[Leaf]) -> Option<Classed> {
        let name = self.unmeasured(leaves).or_else(|| self.unmeasured_by_numbers(leaves));
        if let Some(name) = name {
            let why = format!("how much there is behind {name}, nothing but the caller says");
            return Some(Classed::contract(why, format!("needs enough behind {name} for all that it uses")));
        }
        let (pointer, number) = self.miscounted(leaves)?;
        let why = format!("{number} counts more than there is behind {pointer}, and is not held to that");
        Some(Classed::contract(why, format!("needs at least {number} elements behind {pointer}")))
    }

    /// A parameter that leads to the object that is left, and whose end nothing states: no number counts what is behind it,
    /// and it is no text, which ends itself. Where another pointer leads there, too, a length says how much that one has.
    fn unmeasured(&self, leaves: &[Leaf]) -> Option<&str> {
        let types = &self.model.types;
        let is_unmeasured = |param: &Param| {
            let is_text = types.pointee(param.ty).is_none_or(|to| types.is_char(to));
            !is_text && param.length.is_none() && param.array_len.is_none()
        };
        let left = self.left().filter(|_| self.is_about_room(leaves))?;
        let mut params = self.leading_to(left).filter(|(_, param)| is_unmeasured(param));
        params.next().map(|(_, param)| param.name.as_str())
    }

    /// The same where numbers of the caller decide how far it goes: then the end of a text does not count, either.
    fn unmeasured_by_numbers(&self, leaves: &[Leaf]) -> Option<&str> {
        let is_measured = |param: &Param| param.length.is_some() || param.array_len.is_some();
        if !self.is_by_numbers(leaves) {
            return None;
        }
        let left = self.left_at_its_end(leaves)?;
        let mut params = self.leading_to(left);
        let (_, first) = params.next().filter(|(_, param)| !is_measured(param))?;
        // A second pointer into the object may be its end.
        params.next().is_none().then_some(first.name.as_str())
    }

    /// A pointer to the object that is left at its end because of a number with the name of a count, which the way there
    /// never holds to how much there is; and that number. It is the length of something else, or of an earlier time.
    fn miscounted(&self, leaves: &[Leaf]) -> Option<(&str, String)> {
        let left = self.left_at_its_end(leaves).filter(|_| self.is_by_numbers(leaves))?;
        let (_, param) = self.leading_to(left).next().filter(|(_, param)| param.array_len.is_none())?;
        let is_room = |leaf: &Leaf| self.is_pointer(leaf) || self.is_count(leaf);
        let is_held = |number: &Leaf| {
            let orders = self.looks.iter().filter(|look| look.is_source && look.is_order);
            let mut orders = orders.filter(|look| look.bytes.iter().any(|byte| number.holds(*byte)));
            orders.any(|look| self.leaves(&look.bytes).iter().any(is_room))
        };
        let mut numbers = leaves.iter().filter(|leaf| !is_room(leaf));
        let number = numbers.next()?;
        let name = number.name.clone().filter(|name| is_count_name(name) && !is_held(number))?;
        numbers.next().is_none().then_some((&param.name, name))
    }

    /// Whether nothing but numbers and pointers of the caller decide, and at least one number does.
    fn is_by_numbers(&self, leaves: &[Leaf]) -> bool {
        let is_number = |leaf: &Leaf| leaf.origin == Origin::Scalar && !self.is_pointer(leaf);
        let is_pointer = |leaf: &Leaf| leaf.origin == Origin::Pointer && self.is_pointer(leaf);
        leaves.iter().any(is_number) && leaves.iter().all(|leaf| is_number(leaf) || is_pointer(leaf))
    }

    /// Whether the input has a pointer to the very end of the object that is left: a range that is empty, which the unit
    /// takes for something that is there.
    pub(super) fn begins_at_the_end(&self) -> bool {
        let Some(left) = self.left() else { return false };
        let end = i128::from(left.address) + left.bytes.len() as i128;
        let is_parameter = |object: &&Object| matches!(object.role, Role::Argument { .. });
        let mut pointers = self.scenario.objects.iter().filter(is_parameter);
        pointers.any(|object| {
            self.model.types.pointee(element_of(self.model, object)).is_some() && self.value(object) == end
        })
    }

    /// Whether a check depends on nothing but how much room an object of the caller has: what was asked of it is decided
    /// elsewhere.
    pub(super) fn is_about_room(&self, leaves: &[Leaf]) -> bool {
        let leads = |leaf: &Leaf| self.is_pointer(leaf) && leaf.origin != Origin::State;
        self.kind == FaultKind::OutOfBounds && leaves.iter().all(|leaf| leads(leaf) || self.is_count(leaf))
    }

    /// A number that says how much there is behind a pointer.
    pub(super) fn is_count(&self, leaf: &Leaf) -> bool {
        let position = self.parameter(leaf);
        position.is_some() && self.function.params.iter().any(|param| param.length == position)
    }

    /// The pointer of the input that the object which is left hangs on.
    pub(super) fn holder(&self) -> Option<Leaf> {
        let Role::Pointee { object: holder, offset } = self.left()?.role else { return None };
        let pointer = self.scenario.objects.get(holder as usize)?.address + offset;
        self.leaves(&[(pointer - ARENA_BASE) as u32]).pop()
    }

    /// The object of the input that the unit goes beyond.
    fn left(&self) -> Option<&Object> {
        let is_input = self.kind == FaultKind::OutOfBounds && !self.is_own_object();
        self.object_of(self.address).filter(|_| is_input)
    }

    /// The object of the input that is left at its end: the one that the pointer leads to which decides, or the one that the
    /// address is nearest to. A number that no object can have wraps around, and may come out anywhere.
    fn left_at_its_end(&self, leaves: &[Leaf]) -> Option<&Object> {
        use FaultKind::*;
        if !matches!(self.kind, OutOfBounds | WildDereference | PointerArithmetic) {
            return None;
        }
        let mut pointers = leaves.iter().filter(|leaf| self.is_pointer(leaf));
        let pointer = pointers.next().filter(|_| pointers.next().is_none());
        let start = pointer.map(|leaf| Number { offset: leaf.offset, size: leaf.size, signed: false });
        let start = start.map(|number| number.value(self.bytes) as u64);
        let left = self.object_of(start.or((!self.is_own_object()).then_some(self.address))?)?;
        let wraps = |leaf: &Leaf| {
            let number = self.number(leaf).filter(|number| !number.signed);
            number.is_some_and(|number| number.value(self.bytes) > i128::from(ARENA_SIZE))
        };
        let is_beyond =
            self.address >= left.address + left.bytes.len() as u64 && !self.is_below_another(left);
        (is_beyond || leaves.iter().any(wraps)).then_some(left)
    }

    /// Whether the address is nearer to the start of the next object than to the end of this one.
    fn is_below_another(&self, left: &Object) -> bool {
        let starts = self.scenario.objects.iter().map(|object| object.address);
        let next = starts.filter(|start| *start > self.address).min().unwrap_or(u64::MAX);
        self.address.saturating_sub(left.address + left.bytes.len() as u64) >= next - self.address
    }

    /// The object of the input that an address is in, or behind.
    pub(super) fn object_of(&self, address: u64) -> Option<&Object> {
        let objects = self.scenario.objects.iter();
        objects.filter(|object| object.address <= address).max_by_key(|object| object.address)
    }

    /// The parameters that lead to an object, with the roots that hold them.
    fn leading_to(&self, left: &Object) -> impl Iterator<Item = (&Object, &Param)> {
        let start = left.address;
        self.scenario.objects.iter().filter_map(move |object| {
            let Role::Argument { position, .. } = object.role else { return None };
            let param = self.function.params.get(position as usize)?;
            self.model.types.pointee(param.ty)?;
            let leads_there = self.object_of(self.value(object) as u64)?.address == start;
            leads_there.then_some((object, param))
        })
    }

    /// Another parameter of the same call.
    pub(super) fn sibling(&self, object: &Object, position: u32) -> Option<&Object> {
        let Role::Argument { step: call, .. } = object.role else { return None };
        self.scenario.objects.iter().find(|other| other.role == Role::Argument { step: call, position })
    }

    /// The number or address that a root holds.
    pub(super) fn value(&self, object: &Object) -> i128 {
        let signed = matches!(
            self.model.types.get(element_of(self.model, object)).kind,
            TypeKind::Int { signed: true, .. }
        );
        let (offset, size) = ((object.address - ARENA_BASE) as u32, object.bytes.len().min(8) as u32);
        Number { offset, size, signed }.value(self.bytes)
    }

    fn element(&self, param: &Param) -> u64 {
        let types = &self.model.types;
        let to = types.pointee(param.ty).filter(|to| !types.is_void(*to)).or(param.cast_to);
        to.map_or(1, |to| types.get(to).size.max(1))
    }
}
