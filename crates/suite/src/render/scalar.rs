//! Scalars and texts of the model's types as C text: which literal a type's bytes deserve.
//!
//! Takes a type and its bytes, gives an expression. Never: records, pointers, files.

use tarka_source::{Field, TypeId, TypeKind, TypeTable};

use crate::render::literal;
use crate::render::scene::Unspellable;

/// Bytes of the zero that ends a text of this type; 0 for types that hold no text.
pub fn terminator(types: &TypeTable, ty: TypeId) -> u64 {
    if types.is_char(ty) || is_wide(types, ty) { types.get(ty).size } else { 0 }
}

/// `unsigned char` by any name.
pub fn is_byte(types: &TypeTable, ty: TypeId) -> bool {
    matches!(types.get(ty).kind, TypeKind::Int { is_char: true, signed: false, .. })
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

/// `wchar_t` by its own name.
fn is_wide(types: &TypeTable, ty: TypeId) -> bool {
    types.get(ty).spelling == "wchar_t" && types.get(ty).size == 4
}

/// What to write for a zero of this type.
pub fn zero(types: &TypeTable, ty: TypeId) -> String {
    match &types.get(ty).kind {
        TypeKind::Pointer { .. } => "NULL".to_string(),
        TypeKind::Float { bits: 32 } => "0.0f".to_string(),
        TypeKind::Float { bits: 64 } => "0.0".to_string(),
        TypeKind::Float { .. } => "0.0L".to_string(),
        TypeKind::Record { fields, .. } if fields.is_empty() => "{}".to_string(),
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
        TypeKind::Int { bits: 8, .. } if is_text(types, ty) && literal::character(raw(8) as u8).is_some() => {
            Ok(literal::character(raw(8) as u8).unwrap_or_default())
        }
        TypeKind::Int { .. } if is_wide(types, ty) && literal::wide_character(raw(32) as u32).is_some() => {
            Ok(literal::wide_character(raw(32) as u32).unwrap_or_default())
        }
        TypeKind::Bool => Ok(if raw(8) == 0 { "0" } else { "1" }.to_string()),
        TypeKind::Int { bits, .. } | TypeKind::Enum { bits, .. } => {
            Ok(integer(types, ty, raw(*bits), u32::from(*bits)))
        }
        TypeKind::Float { bits } => literal::float(*bits, raw(*bits)).ok_or_else(|| Unspellable {
            what: format!("a value of type `{}` without a literal", found.spelling),
        }),
        TypeKind::Complex { of } => complex(types, *of, bytes),
        _ => Err(Unspellable { what: format!("a value of type `{}`", types.describe(ty)) }),
    }
}

/// Both parts of a complex number. `I` would lose signed zeros and infinities, and needs a header.
fn complex(types: &TypeTable, of: TypeId, bytes: &[u8]) -> Result<String, Unspellable> {
    let size = types.get(of).size as usize;
    let part = |bytes: &[u8]| {
        let text = value(types, of, bytes)?;
        // The macros are floats, and both parts must have the same type.
        let macro_name = ["NAN", "INFINITY"].contains(&text.trim_start_matches('-'));
        Ok(if macro_name { format!("({}){text}", types.get(of).spelling) } else { text })
    };
    let (real, imaginary) = bytes.split_at(size.min(bytes.len()));
    Ok(format!("__builtin_complex({}, {})", part(real)?, part(imaginary)?))
}

/// An integer or enumeration of `width` bits: by enumerators, as a mask, or as a number.
fn integer(types: &TypeTable, ty: TypeId, raw: u128, width: u32) -> String {
    match &types.get(ty).kind {
        TypeKind::Enum { bits, signed, enumerators } => {
            let number = literal::sign_extend(raw, width, *signed);
            enumerator(enumerators, number)
                .or_else(|| flags(enumerators, number))
                .unwrap_or_else(|| literal::integer(number, u32::from(*bits), *signed))
        }
        TypeKind::Int { bits, signed, .. } => {
            // Nobody counts in hex.
            let counts = types.get(ty).spelling == "size_t";
            let mask = if *signed || counts { None } else { literal::mask(raw) };
            let number = literal::sign_extend(raw, width, *signed);
            mask.unwrap_or_else(|| literal::integer(number, u32::from(*bits), *signed))
        }
        _ => raw.to_string(),
    }
}

fn enumerator(enumerators: &[(String, i128)], number: i128) -> Option<String> {
    enumerators.iter().find(|(_, value)| *value == number).map(|(name, _)| name.clone())
}

/// `READ | WRITE` where the enumerators are bits. Numbers 0, 1, 2 alone may as well be counted.
fn flags(enumerators: &[(String, i128)], number: i128) -> Option<String> {
    let is_bit = |value: i128| value > 0 && value & (value - 1) == 0;
    let all_bits = enumerators.iter().all(|(_, value)| *value == 0 || is_bit(*value));
    if number <= 0 || !all_bits || !enumerators.iter().any(|(_, value)| *value >= 4) {
        return None;
    }
    let mut rest = number;
    let mut names = Vec::new();
    for (name, value) in enumerators {
        if value & rest != 0 {
            names.push(name.as_str());
            rest &= !value;
        }
    }
    (rest == 0).then(|| names.join(" | "))
}

/// The value of a bit field.
pub fn bit_field(types: &TypeTable, field: &Field, bytes: &[u8]) -> String {
    let width = field.bit_width.unwrap_or(0);
    integer(types, field.ty, literal::read_bits(bytes, field.offset_bits, width), width)
}

/// A string literal and how many elements it gives, the terminating zero not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The literal.
    pub literal: String,
    /// Elements before the zeros at the end.
    pub used: u64,
    /// A word: several characters, all of them printable.
    pub is_word: bool,
}

/// A string literal for an array of `of` with these bytes, if they are text that ends within the array.
pub fn string(types: &TypeTable, of: TypeId, bytes: &[u8]) -> Option<Text> {
    if is_wide(types, of) {
        let values: Vec<u32> =
            bytes.chunks_exact(4).map(|chunk| literal::read_bits(chunk, 0, 32) as u32).collect();
        let used = values.iter().rposition(|&value| value != 0).map_or(0, |last| last + 1);
        let literal = literal::wide_string(&values[..used]).filter(|_| used < values.len())?;
        return Some(Text { literal, used: used as u64, is_word: used > 1 });
    }
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let text = &bytes[..used];
    let reads_well = match () {
        _ if is_text(types, of) => literal::reads_as_text(text),
        // Numbers first: only words count as text.
        _ if is_byte(types, of) => used >= 3 && literal::is_plain_text(text),
        _ => false,
    };
    let is_word = used > 1 && literal::is_plain_text(text);
    (used < bytes.len() && reads_well).then(|| Text {
        literal: literal::string(text),
        used: used as u64,
        is_word,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_joined_and_counted_enumerators_are_not() {
        let bits = [("READ", 1), ("WRITE", 2), ("RUN", 4)].map(|(name, value)| (name.to_string(), value));
        assert_eq!(flags(&bits, 5).as_deref(), Some("READ | RUN"));
        assert_eq!(flags(&bits, 9), None);
        assert_eq!(flags(&bits[..2], 3), None);
    }
}
