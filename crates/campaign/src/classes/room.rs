//! How much there is behind the pointers of an input, where the unit goes beyond one of its objects.
//!
//! Takes the case with its input; gives the pointers that lead to the object which is left, and what is wrong with what is
//! said about how much they have: nothing says it, a negative length does, or one that is larger than the object, which
//! only an input of ours has. Never: objects of the unit's own, which nobody else answers for.

use tarka_events::{FaultKind, InputObject, Role};
use tarka_source::{Param, TypeKind};
use tarka_trace::ARENA_BASE;

use super::name::{Leaf, Origin};
use super::range::Number;
use super::{Case, Classed};

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
            let end = i128::from(holder.address) + holder.before.len() as i128;
            let lies = self.value(object) + count * i128::from(self.element(param)) > end;
            let why = || format!("less is behind {} than its length says, which no caller does", param.name);
            lies.then(|| Classed::limit(why()))
        })
    }

    /// A parameter that leads to the object that is left, and whose end nothing states: no number counts what is behind it,
    /// and it is no text, which ends itself. Where another pointer leads there, too, a length says how much that one has.
    pub(super) fn unmeasured(&self, leaves: &[Leaf]) -> Option<&str> {
        let types = &self.model.types;
        let is_unmeasured = |param: &Param| {
            let is_text = types.pointee(param.ty).is_none_or(|to| types.is_char(to));
            !is_text && param.length.is_none() && param.array_len.is_none()
        };
        let left = self.left().filter(|_| self.is_about_room(leaves))?;
        let mut params = self.leading_to(left).filter(|(_, param)| is_unmeasured(param));
        params.next().map(|(_, param)| param.name.as_str())
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
        let pointer = self.input.objects.get(holder as usize)?.address + offset;
        self.leaves(&[(pointer - ARENA_BASE) as u32]).pop()
    }

    /// The object of the input that the unit goes beyond.
    fn left(&self) -> Option<&InputObject> {
        let is_input = self.kind == FaultKind::OutOfBounds && !self.is_own_object();
        self.object_of(self.address).filter(|_| is_input)
    }

    /// The object of the input that an address is in, or behind.
    fn object_of(&self, address: u64) -> Option<&InputObject> {
        let objects = self.input.objects.iter();
        objects.filter(|object| object.address <= address).max_by_key(|object| object.address)
    }

    /// The parameters that lead to an object, with the roots that hold them.
    fn leading_to(&self, left: &InputObject) -> impl Iterator<Item = (&InputObject, &Param)> {
        let start = left.address;
        self.input.objects.iter().filter_map(move |object| {
            let Role::Param { position, .. } = object.role else { return None };
            let param = self.function.params.get(position as usize)?;
            self.model.types.pointee(param.ty)?;
            let leads_there = self.object_of(self.value(object) as u64)?.address == start;
            leads_there.then_some((object, param))
        })
    }

    /// Another parameter of the same call.
    fn sibling(&self, object: &InputObject, position: u32) -> Option<&InputObject> {
        let Role::Param { call, .. } = object.role else { return None };
        self.input.objects.iter().find(|other| other.role == Role::Param { call, position })
    }

    /// The number or address that a root holds.
    fn value(&self, object: &InputObject) -> i128 {
        let signed = matches!(self.model.types.get(object.ty).kind, TypeKind::Int { signed: true, .. });
        let (offset, size) = ((object.address - ARENA_BASE) as u32, object.before.len().min(8) as u32);
        Number { offset, size, signed }.value(self.bytes)
    }

    fn element(&self, param: &Param) -> u64 {
        let types = &self.model.types;
        let to = types.pointee(param.ty).filter(|to| !types.is_void(*to)).or(param.cast_to);
        to.map_or(1, |to| types.get(to).size.max(1))
    }
}
