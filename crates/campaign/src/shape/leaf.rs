//! What each byte of a C type is for: free, a truth value, part of a pointer, or not ours to choose.

use tarka_source::{Field, Type, TypeId, TypeKind, TypeTable};

/// Largest element of an input object, so that one huge array does not fill the arena.
pub(crate) const MAX_ELEMENT: u64 = 1 << 20;

/// The meaning of one byte of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// Any value.
    Free,
    /// 0 or 1.
    Bool,
    /// A byte of the pointer that starts at this offset of the element.
    Pointer { start: u64, to: TypeId },
    /// Padding, or a member we cannot give values: always 0.
    Fixed,
}

/// The meaning of the byte at `offset` of a value of type `ty`.
pub(crate) fn leaf_at(types: &TypeTable, ty: TypeId, offset: u64) -> Leaf {
    let (mut ty, mut start) = (ty, 0);
    loop {
        let inside = offset - start;
        match &types.get(ty).kind {
            TypeKind::Bool => return Leaf::Bool,
            TypeKind::Int { .. } | TypeKind::Enum { .. } => return Leaf::Free,
            TypeKind::Float { bits: 32 | 64 } => return Leaf::Free,
            TypeKind::Pointer { to, .. } => return Leaf::Pointer { start, to: *to },
            TypeKind::Array { of, .. } => {
                let size = types.get(*of).size;
                if size == 0 {
                    return Leaf::Fixed;
                }
                start += inside / size * size;
                ty = *of;
            }
            TypeKind::Record { fields, is_union: false } => {
                if fields.iter().any(|field| bit_field_holds(field, inside)) {
                    return Leaf::Free;
                }
                let holds = |field: &&Field| {
                    let at = field.offset_bits / 8;
                    field.bit_width.is_none() && (at..at + types.get(field.ty).size).contains(&inside)
                };
                let Some(field) = fields.iter().find(holds) else { return Leaf::Fixed };
                start += field.offset_bits / 8;
                ty = field.ty;
            }
            _ => return Leaf::Fixed,
        }
    }
}

fn bit_field_holds(field: &Field, byte: u64) -> bool {
    let Some(width) = field.bit_width.filter(|&width| width > 0) else { return false };
    (field.offset_bits / 8..=(field.offset_bits + width as u64 - 1) / 8).contains(&byte)
}

/// How many elements a fresh object has that a pointer to `element` points to. Sizes that the program does not state
/// are guesses; leaving a guessed object is an input bound, not a fault.
pub(crate) fn capacity(element: &Type) -> u64 {
    match &element.kind {
        TypeKind::Int { is_char: true, .. } => 32,
        TypeKind::Record { .. } | TypeKind::Array { .. } => (256 / element.size.max(1)).max(1),
        _ => 16,
    }
}

/// True for the types whose arrays are strings as a rule: the last byte of a guessed object stays 0.
pub(crate) fn is_string_element(element: &Type) -> bool {
    matches!(element.kind, TypeKind::Int { is_char: true, .. })
}

/// Why no object can be made for a pointer to this type; `None` if one can.
pub(crate) fn why_not_pointee(element: &Type) -> Option<&'static str> {
    match &element.kind {
        TypeKind::Void => Some("a pointer to void"),
        TypeKind::Function { .. } => Some("a function pointer"),
        TypeKind::Incomplete => Some("a pointer to an incomplete type"),
        TypeKind::Record { is_union: true, .. } => Some("a pointer to a union"),
        TypeKind::Float { bits } if !matches!(bits, 32 | 64) => Some("a pointer to long double"),
        TypeKind::Array { len: None, .. } => Some("a pointer to an array of unknown length"),
        TypeKind::Complex { .. } | TypeKind::Other(_) => {
            Some("a pointer to a type beyond C's numbers, arrays and structs")
        }
        _ if element.size == 0 => Some("a pointer to a type without size"),
        _ if element.size > MAX_ELEMENT => Some("a pointer to an object of more than 1 MiB"),
        _ => None,
    }
}
