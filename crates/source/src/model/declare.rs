//! How C declares a variable of a type: pointers, arrays, functions and unnamed types included.
//!
//! Takes types of the model, gives text. Never values.

use crate::{TypeId, TypeKind, TypeTable};

/// `declare(int[3], "grid")` gives `int grid[3]`; `None` for types C cannot name here.
pub fn declare(types: &TypeTable, ty: TypeId, name: &str) -> Option<String> {
    declare_qualified(types, ty, name, false)
}

/// A pointer variable: `declare_pointer(int[3], "grid")` gives `int (*grid)[3]`.
pub fn declare_pointer(types: &TypeTable, to: TypeId, name: &str) -> Option<String> {
    declare_qualified(types, to, &starred(types, to, name), false)
}

/// The type's name for a cast or `sizeof`.
pub fn type_name(types: &TypeTable, ty: TypeId) -> Option<String> {
    declare(types, ty, "").map(|text| text.trim_end().to_string())
}

/// Whether C code outside the type's own declaration can name it.
fn has_plain_name(spelling: &str) -> bool {
    let is_written_out = spelling.starts_with("struct {");
    is_written_out || !spelling.is_empty() && !spelling.contains(['*', '[', '(', '^'])
}

fn starred(types: &TypeTable, to: TypeId, name: &str) -> String {
    let named = has_plain_name(&types.get(to).spelling);
    match types.get(to).kind {
        TypeKind::Array { .. } | TypeKind::Function { .. } if !named => format!("(*{name})"),
        _ => format!("*{name}"),
    }
}

fn declare_qualified(types: &TypeTable, ty: TypeId, name: &str, is_const: bool) -> Option<String> {
    let declared = types.get(ty);
    let qualifier = if is_const { "const " } else { "" };
    if has_plain_name(&declared.spelling) {
        let space = if name.is_empty() || name.starts_with('[') { "" } else { " " };
        return Some(format!("{qualifier}{}{space}{name}", declared.spelling));
    }
    match &declared.kind {
        TypeKind::Pointer { to, .. }
            if matches!(types.get(*to).kind, TypeKind::Function { .. })
                && !has_plain_name(&types.get(*to).spelling) =>
        {
            let (before, after) = declared.spelling.split_once("(*)")?;
            Some(format!("{before}(*{qualifier}{name}){after}"))
        }
        TypeKind::Pointer { to, to_const } => {
            let inner = starred(types, *to, &format!("{qualifier}{name}"));
            declare_qualified(types, *to, &inner, *to_const)
        }
        TypeKind::Array { of, len } => {
            let len = len.map(|len| len.to_string()).unwrap_or_default();
            declare_qualified(types, *of, &format!("{name}[{len}]"), is_const)
        }
        _ => None,
    }
}

/// The name a person would give an object of this type: the tag or typedef without `struct` and `_t`.
pub fn base_name(spelling: &str) -> Option<String> {
    if !has_plain_name(spelling) {
        return None;
    }
    let word = spelling.split_whitespace().last()?;
    let word = word.strip_suffix("_t").unwrap_or(word);
    let lower = word.to_lowercase();
    (lower.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')).then_some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    fn table(types: &[(TypeKind, &str)]) -> TypeTable {
        let make = |(kind, spelling): &(TypeKind, &str)| Type {
            kind: kind.clone(),
            size: 8,
            align: 8,
            spelling: spelling.to_string(),
        };
        TypeTable { types: types.iter().map(make).collect(), ..TypeTable::default() }
    }

    #[test]
    fn declarators_nest_as_in_c() {
        let int = TypeKind::Int { bits: 32, signed: true, is_char: false };
        let pointer = |to, to_const| TypeKind::Pointer { to: TypeId(to), to_const };
        let types = table(&[
            (int, "int"),
            (pointer(0, false), "int *"),
            (TypeKind::Array { of: TypeId(0), len: Some(3) }, "int[3]"),
            (pointer(2, false), "int (*)[3]"),
            (pointer(1, true), "int *const *"),
            (pointer(0, true), "const int *"),
            (
                TypeKind::Function { result: TypeId(0), params: vec![TypeId(0)], is_variadic: false },
                "int (int)",
            ),
            (pointer(6, false), "int (*)(int)"),
            (pointer(0, false), "handle"),
            (
                TypeKind::Function { result: TypeId(0), params: vec![TypeId(0)], is_variadic: false },
                "callback",
            ),
            (pointer(9, false), "callback *"),
        ]);
        let shown = |id| declare(&types, TypeId(id), "x").unwrap();
        assert_eq!(shown(1), "int *x");
        assert_eq!(shown(2), "int x[3]");
        assert_eq!(shown(3), "int (*x)[3]");
        assert_eq!(shown(4), "int *const *x");
        assert_eq!(shown(5), "const int *x");
        assert_eq!(shown(7), "int (*x)(int)");
        assert_eq!(shown(8), "handle x");
        assert_eq!(shown(10), "callback *x");
        assert_eq!(declare_pointer(&types, TypeId(2), "x").unwrap(), "int (*x)[3]");
        assert_eq!(type_name(&types, TypeId(3)).unwrap(), "int (*)[3]");
    }

    #[test]
    fn objects_are_named_after_their_type() {
        assert_eq!(base_name("struct node").as_deref(), Some("node"));
        assert_eq!(base_name("Table_t").as_deref(), Some("table"));
        assert_eq!(base_name("int *"), None);
    }
}
