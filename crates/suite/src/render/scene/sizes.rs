//! How large the variables of a test must be: what the unit touched, what it was given, and what is pointed to.
//!
//! Takes objects of the input, gives sizes. Never text.

use tarka_scenario::Role;
use tarka_source::{Field, TypeId, TypeKind};

use super::{Scene, SceneObject, window};
use crate::render::{literal, scalar};

impl<'a> Scene<'a> {
    /// Size of one element, never zero.
    pub fn element_size(&self, object: SceneObject) -> u64 {
        self.model.types.get(object.ty).size.max(1)
    }

    /// `N` where the pointee belongs to a parameter written `T name[N]`.
    pub(super) fn declared_length(&self, object: SceneObject) -> Option<u64> {
        let Role::Pointee { object: holder, offset: 0 } = *object.role else { return None };
        match *self.objects.get(holder as usize)?.role {
            Role::Argument { position, .. } => self.function.params.get(position as usize)?.array_len,
            _ => None,
        }
    }

    /// How many elements a test needs.
    pub(super) fn elements(&self, index: usize) -> u64 {
        let object = self.objects[index];
        if self.flexible_member(object.ty).is_some() {
            // Nothing can follow such a struct but its own elements.
            return 1;
        }
        if object.exact {
            return object.count;
        }
        let count = object.count.max(1);
        if self.declared_length(object).is_some() || !matches!(*object.role, Role::Pointee { .. }) {
            return count;
        }
        self.used_bytes(index).div_ceil(self.element_size(object)).clamp(1, count)
    }

    /// How many bytes a test needs of an object with a flexible array member.
    pub(super) fn flexible_bytes(&self, index: usize) -> u64 {
        let object = self.objects[index];
        let whole = object.before.len() as u64;
        let size = self.element_size(object);
        let Some(tail) = self.flexible_member(object.ty).filter(|_| whole > size) else { return size };
        let (start, element) = self.flexible_layout(tail);
        let used = if object.exact { whole } else { self.used_bytes(index) };
        let elements = used.saturating_sub(start).div_ceil(element).min((whole - start) / element);
        start + elements * element
    }

    /// Where the elements of a flexible array member begin and how large each is.
    pub(super) fn flexible_layout(&self, tail: &Field) -> (u64, u64) {
        let element = match self.model.types.get(tail.ty).kind {
            TypeKind::Array { of, .. } => self.model.types.get(of).size.max(1),
            _ => 1,
        };
        (tail.offset_bits / 8, element)
    }

    /// The last member of a struct, if it is an array without a length of its own.
    pub(super) fn flexible_member(&self, ty: TypeId) -> Option<&'a Field> {
        let model = self.model;
        let TypeKind::Record { fields, is_union: false } = &model.types.get(ty).kind else { return None };
        let is_open = |field: &&Field| {
            matches!(model.types.get(field.ty).kind, TypeKind::Array { len: None | Some(0), .. })
        };
        fields.last().filter(is_open)
    }

    /// Leading bytes that the unit touched, was given, changed, or that something points to.
    fn used_bytes(&self, index: usize) -> u64 {
        let object = self.objects[index];
        let end = |last: Option<usize>| last.map_or(0, |last| last as u64 + 1);
        let given = end(object.before.iter().rposition(|&byte| byte != 0));
        let mut pairs = object.before.iter().zip(object.after);
        let changed = end(pairs.rposition(|(before, after)| before != after));
        if object.touched == 0 && given.max(changed) > 0 {
            // Used by code that leaves no trace of its accesses: trust nothing but the whole object.
            return object.before.len() as u64;
        }
        // Numbers end at any byte of their last one.
        let terminator = if given > 0 { scalar::terminator(&self.model.types, object.ty) } else { 0 };
        object
            .touched
            .max(given.next_multiple_of(self.element_size(object)) + terminator)
            .max(changed)
            .max(self.reached[index])
    }

    /// Notes how far into each object pointers reach, before and after the run.
    pub(super) fn find_reached(&mut self) {
        let mut addresses = Vec::new();
        for object in &self.objects {
            for bytes in [object.before, object.after] {
                self.addresses_in_elements(object.ty, bytes, &mut addresses);
            }
        }
        for address in addresses {
            if let Some((index, offset)) = self.object_at(address) {
                self.reached[index] = self.reached[index].max(offset);
            }
        }
    }

    fn addresses_in_elements(&self, of: TypeId, bytes: &[u8], found: &mut Vec<u64>) {
        let size = self.model.types.get(of).size;
        if size == 0 || !self.holds_pointers(of) {
            return;
        }
        if self.flexible_member(of).is_some() {
            return self.addresses_in(of, bytes, found);
        }
        for index in 0..bytes.len() as u64 / size {
            self.addresses_in(of, window(bytes, index * size, size), found);
        }
    }

    fn addresses_in(&self, ty: TypeId, bytes: &[u8], found: &mut Vec<u64>) {
        match &self.model.types.get(ty).kind {
            TypeKind::Pointer { .. } => {
                let address = literal::read_bits(bytes, 0, 64) as u64;
                if address != 0 {
                    found.push(address);
                }
            }
            TypeKind::Array { of, .. } => self.addresses_in_elements(*of, bytes, found),
            TypeKind::Record { fields, .. } => {
                for field in fields.iter().filter(|field| field.bit_width.is_none()) {
                    self.addresses_in(field.ty, self.field_bytes(field, bytes), found);
                }
            }
            _ => {}
        }
    }

    /// The bytes of a member; those of a flexible array go to the end.
    pub fn field_bytes<'b>(&self, field: &Field, bytes: &'b [u8]) -> &'b [u8] {
        let ty = self.model.types.get(field.ty);
        let is_open = matches!(ty.kind, TypeKind::Array { len: None | Some(0), .. });
        window(bytes, field.offset_bits / 8, if is_open { bytes.len() as u64 } else { ty.size })
    }

    fn holds_pointers(&self, ty: TypeId) -> bool {
        match &self.model.types.get(ty).kind {
            TypeKind::Pointer { .. } => true,
            TypeKind::Array { of, .. } => self.holds_pointers(*of),
            TypeKind::Record { fields, .. } => fields.iter().any(|field| self.holds_pointers(field.ty)),
            _ => false,
        }
    }
}
