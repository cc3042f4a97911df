//! The typed record of an input: what the unit was given and what it left.

use std::rc::Rc;

use tarka_events::{Input, InputObject, Role};
use tarka_trace::{ARENA_BASE, flag};

use super::{InputBytes, ObjectShape, Shape};

/// Bytes and flags of the arena after a run.
pub(crate) trait ArenaAfter {
    /// `len` bytes from an offset.
    fn bytes(&self, offset: u32, len: u32) -> &[u8];
    /// Their flags.
    fn flags(&self, offset: u32, len: u32) -> &[u8];
}

impl ObjectShape {
    /// The object's bytes in an input.
    pub(crate) fn bytes(&self, input: &InputBytes) -> Vec<u8> {
        input.within(self.offset, self.size)
    }
}

impl Shape<'_> {
    /// The record of a run that was given `input`, whose objects are `objects`.
    pub(crate) fn record(
        &self,
        objects: &[Rc<ObjectShape>],
        input: &InputBytes,
        after: &dyn ArenaAfter,
    ) -> Input {
        let holder_of = |slot: u32| {
            let holds =
                |holder: &Rc<ObjectShape>| (holder.offset..holder.offset + holder.size).contains(&slot);
            let index = objects.iter().position(holds).unwrap_or(0);
            Role::Pointee { object: index as u32, offset: (slot - objects[index].offset) as u64 }
        };
        let objects = objects.iter().map(|object| {
            let before = object.bytes(input);
            let role = match (&object.root, object.slot) {
                (Some(root), _) => root.clone(),
                (None, slot) => holder_of(slot.unwrap_or(0)),
            };
            // A parameter is the callee's own copy: nobody sees what becomes of it.
            if object.root.is_some() {
                let (after, touched) = (before.clone(), before.len() as u64);
                return object.typed(role, before, after, touched, false);
            }
            let flags = after.flags(object.offset, object.size);
            let touched = flags.iter().rposition(|bits| bits & (flag::READ | flag::WRITTEN) != 0);
            let freed = flags.iter().any(|bits| bits & flag::FREED != 0);
            let after = after.bytes(object.offset, object.size).to_vec();
            object.typed(role, before, after, touched.map_or(0, |last| last as u64 + 1), freed)
        });
        Input { objects: objects.collect(), calls: 1 }
    }
}

impl ObjectShape {
    fn typed(&self, role: Role, before: Vec<u8>, after: Vec<u8>, touched: u64, freed: bool) -> InputObject {
        let address = ARENA_BASE + self.offset as u64;
        let (initial, exact) = (Vec::new(), false);
        InputObject {
            role,
            ty: self.ty,
            count: self.count,
            address,
            before,
            after,
            touched,
            freed,
            initial,
            exact,
        }
    }
}
