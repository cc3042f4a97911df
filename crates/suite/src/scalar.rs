//! Scalars of the model's types as C text: which literal a type's bytes deserve.
//!
//! Takes a type and its bytes, gives an expression. Never: records, pointers, files.

use tarka_source::{Field, TypeId, TypeKind, TypeTable};

use crate::literal;
use crate::scene::Unspellable;

/// Whether two types are the same as far as C's assignment cares.
pub fn same_type(types: &TypeTable, left: TypeId, right: TypeId) -> bool {
    let (a, b) = (types.get(left), types.get(right));
    left == right || !a.spelling.is_empty() && a.spelling == b.spelling
}

/// A character type.
pub fn is_char(types: &TypeTable, ty: TypeId) -> bool {
    matches!(types.get(ty).kind, TypeKind::Int { is_char: true, .. })
}

/// A character type that holds text rather than small numbers.
fn is_text(types: &TypeTable, ty: TypeId) -> bool {
    let found = types.get(ty);
    match found.kind {
        TypeKind::Int { is_char: true, signed: true, .. } => {
            found.spelling != "signed char" && found.spelling != "int8_t"
        }
        TypeKind::Int { is_char: true, signed: false, .. } => found.spelling == "unsigned char",
        _ => false,
    }
}

/// What to write for a zero of this type.
pub fn zero(types: &TypeTable, ty: TypeId) -> String {
    match &types.get(ty).kind {
        TypeKind::Pointer { .. } => "NULL".to_string(),
        TypeKind::Float { bits: 32 } => "0.0f".to_string(),
        TypeKind::Float { bits: 64 } => "0.0".to_string(),
        TypeKind::Float { .. } => "0.0L".to_string(),
        TypeKind::Record { .. } | TypeKind::Array { .. } => "{0}".to_string(),
        TypeKind::Enum { enumerators, .. } => enumerator(enumerators, 0).unwrap_or_else(|| "0".to_string()),
        _ => "0".to_string(),
    }
}

/// A scalar of an arithmetic type.
pub fn value(types: &TypeTable, ty: TypeId, bytes: &[u8]) -> Result<String, Unspellable> {
    let found = types.get(ty);
    let raw = |bits: u16| literal::read_bits(bytes, 0, u32::from(bits));
    match &found.kind {
        TypeKind::Bool => Ok(if raw(8) == 0 { "0" } else { "1" }.to_string()),
        TypeKind::Int { bits, signed, .. } => {
            let number = literal::sign_extend(raw(*bits), u32::from(*bits), *signed);
            let shown = if is_text(types, ty) { literal::character(raw(8) as u8) } else { None };
            Ok(shown.unwrap_or_else(|| literal::integer(number, u32::from(*bits), *signed)))
        }
        TypeKind::Enum { bits, signed, enumerators } => {
            let number = literal::sign_extend(raw(*bits), u32::from(*bits), *signed);
            let name = enumerator(enumerators, number);
            Ok(name.unwrap_or_else(|| literal::integer(number, u32::from(*bits), *signed)))
        }
        TypeKind::Float { bits } => literal::float(*bits, raw(*bits)).ok_or_else(|| Unspellable {
            what: format!("a value of type `{}` without a literal", found.spelling),
        }),
        _ => Err(Unspellable { what: format!("a value of type `{}`", found.spelling) }),
    }
}

fn enumerator(enumerators: &[(String, i128)], number: i128) -> Option<String> {
    enumerators.iter().find(|(_, value)| *value == number).map(|(name, _)| name.clone())
}

/// The value of a bit field.
pub fn bit_field(types: &TypeTable, field: &Field, bytes: &[u8]) -> String {
    let width = field.bit_width.unwrap_or(0);
    let raw = literal::read_bits(bytes, field.offset_bits, width);
    match &types.get(field.ty).kind {
        TypeKind::Int { bits, signed, .. } => {
            literal::integer(literal::sign_extend(raw, width, *signed), u32::from(*bits), *signed)
        }
        TypeKind::Enum { bits, signed, enumerators } => {
            let number = literal::sign_extend(raw, width, *signed);
            enumerator(enumerators, number)
                .unwrap_or_else(|| literal::integer(number, u32::from(*bits), *signed))
        }
        _ => raw.to_string(),
    }
}

/// A string literal for an array of `of` with these bytes, if they are text that ends within the array.
pub fn string(types: &TypeTable, of: TypeId, bytes: &[u8]) -> Option<String> {
    if !is_text(types, of) {
        return None;
    }
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let fits = used < bytes.len();
    (fits && literal::reads_as_text(&bytes[..used])).then(|| literal::string(&bytes[..used]))
}
