//! A run as an executed scenario: what the unit was given and what it left.
//!
//! Takes an input, its objects and the arena after the run; gives plain data for tests and reports.

use std::rc::Rc;

use tarka_runner::Run;
use tarka_scenario::{Executed, Left, Object, Observation, Role, Scenario};
use tarka_trace::{ARENA_BASE, flag};

use super::{InputBytes, ObjectShape, Shape, follow, holding};

/// Bytes and flags of the arena after a run.
pub trait ArenaAfter {
    /// `len` bytes from an offset.
    fn bytes(&self, offset: u32, len: u32) -> &[u8];
    /// Their flags.
    fn flags(&self, offset: u32, len: u32) -> &[u8];
    /// A stub was called more often than the input has values for it.
    fn stubs_go_on(&self) -> bool;
    /// Bytes of the unit's result; empty if it did not return.
    fn result(&self) -> &[u8];
}

impl ArenaAfter for Run<'_> {
    fn bytes(&self, offset: u32, len: u32) -> &[u8] {
        self.arena(offset, len)
    }

    fn flags(&self, offset: u32, len: u32) -> &[u8] {
        self.arena_flags(offset, len)
    }

    fn stubs_go_on(&self) -> bool {
        self.stub_exhausted().is_some()
    }

    fn result(&self) -> &[u8] {
        Run::result(self)
    }
}

impl Shape<'_> {
    /// The record of a run that was given `input`, whose objects are `objects`. What a stub would have handed out if it
    /// had been called is left out.
    pub fn record(
        &self,
        objects: &[Rc<ObjectShape>],
        input: &InputBytes,
        after: &dyn ArenaAfter,
    ) -> Executed {
        let was_given = |root: &&Rc<ObjectShape>| match root.root {
            Some(Role::Stub { .. }) => {
                after.flags(root.offset, root.size).iter().any(|bits| bits & flag::READ != 0)
            }
            Some(_) => true,
            None => false,
        };
        let roots: Vec<Rc<ObjectShape>> = objects.iter().filter(was_given).cloned().collect();
        let mut sorted = objects.to_vec();
        sorted.sort_by_key(|object| object.offset);
        let find = |byte: u32| {
            let after = sorted.partition_point(|object| object.offset <= byte);
            let object = &sorted[after.checked_sub(1)?];
            (byte <= object.offset + object.capacity).then(|| object.clone())
        };
        let reached = follow(&roots, input, find);
        let kept: Vec<Rc<ObjectShape>> =
            roots.iter().cloned().chain(reached.iter().map(|(object, _)| object.clone())).collect();
        let index_of = |offset: u32| kept.iter().position(|object| object.offset == offset).unwrap_or(0);
        let roles =
            roots.iter().filter_map(|root| root.root.clone()).chain(reached.iter().map(|&(_, slot)| {
                let holder = holding(&sorted, slot).map_or(0, |holder| holder.offset);
                Role::Pointee { object: index_of(holder) as u32, offset: u64::from(slot - holder) }
            }));
        let recorded =
            kept.iter().zip(roles).map(|(object, role)| self.record_object(object, role, input, after));
        let (given, left): (Vec<Object>, Vec<Left>) = recorded.unzip();
        let function = &self.model.function(self.function).name;
        Executed {
            scenario: Scenario::of_calls(function, self.limits.calls, given),
            observation: Observation {
                result: after.result().to_vec(),
                objects: left,
                stubs_go_on: after.stubs_go_on(),
            },
        }
    }

    fn record_object(
        &self,
        object: &ObjectShape,
        role: Role,
        input: &InputBytes,
        after: &dyn ArenaAfter,
    ) -> (Object, Left) {
        let given = object.bytes(input);
        let initial = match role {
            Role::Global(_) => {
                (object.offset..object.offset + object.size).map(|at| input.default_byte(at)).collect()
            }
            _ => Vec::new(),
        };
        let flags = after.flags(object.offset, object.size);
        let last_touched = flags.iter().rposition(|bits| bits & (flag::READ | flag::WRITTEN) != 0);
        let touched = last_touched.map_or(0, |last| last as u64 + 1);
        let (after, touched) = match role {
            // A parameter is the callee's own copy: nobody sees what becomes of it.
            Role::Argument { .. } => (given.clone(), given.len() as u64),
            Role::Stub { .. } => (given.clone(), touched),
            Role::Global(_) => (after.bytes(object.offset, object.size).to_vec(), given.len() as u64),
            Role::Pointee { .. } => (after.bytes(object.offset, object.size).to_vec(), touched),
        };
        let left = Left { bytes: after, touched, freed: flags.iter().any(|bits| bits & flag::FREED != 0) };
        let given = Object {
            role,
            ty: self.model.types.key(object.ty),
            count: object.count,
            address: ARENA_BASE + u64::from(object.offset),
            bytes: given,
            initial,
            exact: object.exact,
        };
        (given, left)
    }
}
