//! The values of an input that differ from their default, each with what it is, for whoever makes inputs simpler.
//!
//! Takes an input and its objects; gives its scalars. Never chooses values.

use std::rc::Rc;

use tarka_source::{Field, TypeId, TypeKind, TypeTable};
use tarka_terms::Assignment;

use super::element::{X87_BYTES, bit_field_bytes};
use super::object::ObjectShape;
use super::{InputBytes, Shape};

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
pub enum LeafKind {
    /// An integer.
    Integer {
        /// Its width.
        bits: u16,
        /// It may be negative.
        signed: bool,
    },
    /// `_Bool`.
    Bool,
    /// The values of the enumerators.
    Enum(Vec<i128>),
    /// A character.
    Char,
    /// A floating-point number.
    Float {
        /// Its width.
        bits: u16,
    },
    /// A pointer.
    Pointer,
    /// Part of a bit field, or a whole union that no tag selects a member of.
    Other,
}

/// A scalar of a type: where it starts, its size, what it is.
type Scalar = (u64, u64, LeafKind);

impl Shape<'_> {
    /// The values of an input that differ from their default, by address within each object.
    pub(crate) fn leaves(&self, objects: &[Rc<ObjectShape>], input: &InputBytes) -> Vec<LeafValue> {
        let mut leaves: Vec<LeafValue> = Vec::new();
        for object in objects {
            let mut end = object.offset;
            for &(byte, _) in input.changed_within(object.offset, object.size) {
                if byte < end {
                    continue;
                }
                let (offset, size, kind) = self.leaf_in(object, byte, input);
                let default = (offset..offset + size).map(|byte| input.default_byte(byte)).collect();
                leaves.push(LeafValue { offset, size, kind, default });
                end = offset + size;
            }
        }
        leaves
    }

    /// The value that holds a byte in any input: of a union, the whole.
    pub(super) fn leaf_of(&self, object: &ObjectShape, byte: u32) -> (u32, u32, LeafKind) {
        self.leaf(object, byte, None)
    }

    /// The value that holds a byte in an input: of a union, the member that its tag selects.
    pub(super) fn leaf_in(
        &self,
        object: &ObjectShape,
        byte: u32,
        input: &InputBytes,
    ) -> (u32, u32, LeafKind) {
        self.leaf(object, byte, Some(input))
    }

    fn leaf(&self, object: &ObjectShape, byte: u32, input: Option<&InputBytes>) -> (u32, u32, LeafKind) {
        let (start, ty) = object.element_at(byte);
        let read = input.map(|input| move |at: u64| input.byte(start + at as u32));
        let read = read.as_ref().map(|read| read as &dyn Fn(u64) -> u8);
        let (inside, size, mut kind) = scalar_at(&self.model.types, ty, u64::from(byte - start), read);
        if object.range.is_some_and(|range| range.get() == (0, 1)) {
            kind = LeafKind::Bool;
        }
        (start + inside as u32, size as u32, kind)
    }
}

/// The scalar that holds the byte at `offset` of a value of type `ty`; `read` gives the bytes of the value.
fn scalar_at(types: &TypeTable, ty: TypeId, offset: u64, read: Option<&dyn Fn(u64) -> u8>) -> Scalar {
    let (mut ty, mut start) = (ty, 0);
    loop {
        let size = types.get(ty).size;
        let inside = offset - start;
        match &types.get(ty).kind {
            TypeKind::Array { of, .. } if types.get(*of).size > 0 => {
                start += inside / types.get(*of).size * types.get(*of).size;
                ty = *of;
            }
            TypeKind::Complex { of } => {
                start += inside / types.get(*of).size * types.get(*of).size;
                ty = *of;
            }
            TypeKind::Record { fields, is_union: false } => {
                let holds = |field: &Field, byte: u64| {
                    let at = field.offset_bits / 8;
                    bit_field_bytes(field).is_none() && (at..at + types.get(field.ty).size).contains(&byte)
                };
                let Some(field) = fields.iter().find(|field| holds(field, inside)) else {
                    return (offset, 1, LeafKind::Other);
                };
                let record = start;
                start += field.offset_bits / 8;
                ty = field.ty;
                let byte = read.map(|read| move |at: u64| read(record + at));
                let member = byte.and_then(|byte| types.selected_member(fields, field, &byte));
                if let (Some(member), TypeKind::Record { fields, .. }) = (member, &types.get(ty).kind) {
                    let member = std::slice::from_ref(&fields[member as usize]);
                    let Some(field) = member.iter().find(|field| holds(field, offset - start)) else {
                        return (offset, 1, LeafKind::Other);
                    };
                    start += field.offset_bits / 8;
                    ty = field.ty;
                }
            }
            kind => return (start, value_size(kind, size), leaf_kind(kind)),
        }
    }
}

fn value_size(kind: &TypeKind, size: u64) -> u64 {
    match kind {
        TypeKind::Float { bits: 80 } => u64::from(X87_BYTES),
        _ => size.max(1),
    }
}

fn leaf_kind(kind: &TypeKind) -> LeafKind {
    match kind {
        TypeKind::Bool => LeafKind::Bool,
        TypeKind::Int { is_char: true, .. } => LeafKind::Char,
        TypeKind::Int { bits, signed, .. } => LeafKind::Integer { bits: *bits, signed: *signed },
        TypeKind::Enum { enumerators, .. } => {
            LeafKind::Enum(enumerators.iter().map(|&(_, value)| value).collect())
        }
        TypeKind::Float { bits } => LeafKind::Float { bits: *bits },
        TypeKind::Pointer { .. } => LeafKind::Pointer,
        _ => LeafKind::Other,
    }
}
