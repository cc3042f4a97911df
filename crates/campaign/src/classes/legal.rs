//! Whether an input keeps its own promises: what a number says is behind a pointer must be there.
//!
//! Takes the case with its input; gives the pointer for which that is not so. Such an input is ours alone: an answer of the
//! solver that moved one of two pointers into one object, or a length beyond what objects may have. Never: who is to blame.

use tarka_events::{InputObject, Role};
use tarka_source::{Param, TypeId, TypeKind};
use tarka_trace::ARENA_BASE;

use super::Case;

impl Case<'_> {
    /// A length that is less than nothing: units that take one mean something else by it, as that a text ends at its zero.
    pub(super) fn negative_length(&self) -> Option<&str> {
        self.params().find_map(|(object, param)| {
            let length = param.length?;
            let is_negative = (self.value(self.sibling(object, length)?) as i64) < 0;
            let is_signed = self.is_signed(self.function.params.get(length as usize)?.ty);
            (is_negative && is_signed).then(|| self.function.params[length as usize].name.as_str())
        })
    }

    /// A parameter whose length says more than its object has.
    pub(super) fn lying_length(&self) -> Option<&str> {
        self.params().find_map(|(object, param)| {
            let start = self.value(object);
            let (holder, counter) = (self.object_at(start)?, self.sibling(object, param.length?)?);
            let count = self.value(counter);
            let end = i128::from(holder.address) + holder.before.len() as i128;
            let said = i128::from(start) + i128::from(count as i64) * i128::from(self.element(param));
            (said > end).then_some(param.name.as_str())
        })
    }

    /// The parameters of all calls with the objects that hold them.
    pub(super) fn params(&self) -> impl Iterator<Item = (&InputObject, &Param)> {
        self.input.objects.iter().filter_map(|object| match object.role {
            Role::Param { position, .. } => Some((object, self.function.params.get(position as usize)?)),
            _ => None,
        })
    }

    /// Another parameter of the same call.
    fn sibling(&self, object: &InputObject, wanted: u32) -> Option<&InputObject> {
        let Role::Param { call, .. } = object.role else { return None };
        let role = Role::Param { call, position: wanted };
        self.input.objects.iter().find(|other| other.role == role)
    }

    /// The value of a root as a number; narrow signed ones are extended.
    pub(super) fn value(&self, object: &InputObject) -> u64 {
        let at = (object.address - ARENA_BASE) as u32;
        let bytes = object.before.len().min(8) as u32;
        let value: u64 = (0..bytes).map(|byte| u64::from(self.bytes.byte(at + byte)) << (8 * byte)).sum();
        let unused = 64 - 8 * bytes;
        if self.is_signed(object.ty) { ((value << unused) as i64 >> unused) as u64 } else { value }
    }

    fn is_signed(&self, ty: TypeId) -> bool {
        matches!(self.model.types.get(ty).kind, TypeKind::Int { signed: true, .. })
    }

    /// The object of the input that an address is in, or at the end of.
    fn object_at(&self, address: u64) -> Option<&InputObject> {
        let holds = |object: &&InputObject| {
            (object.address..=object.address + object.before.len() as u64).contains(&address)
        };
        self.input.objects.iter().filter(holds).max_by_key(|object| object.address)
    }

    fn element(&self, param: &Param) -> u64 {
        let types = &self.model.types;
        let to = types.pointee(param.ty).filter(|to| !types.is_void(*to)).or(param.cast_to);
        to.map_or(1, |to| types.get(to).size.max(1))
    }
}
