//! Macros of the file that have the name of something else.
//!
//! Takes the file's text and its types; gives names. Whoever writes such a name behind the file gets the macro. Never: what a macro
//! stands for.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use crate::{TypeKind, TypeTable};

/// The names that a file gives to macros.
pub fn defined(file: &Path) -> HashSet<String> {
    let text = std::fs::read(file).unwrap_or_default();
    let name = |line: &str| {
        let after = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let name = after.strip_prefix([' ', '\t'])?.trim_start();
        Some(name.split(|c: char| !c.is_alphanumeric() && c != '_').next()?.to_string())
    };
    String::from_utf8_lossy(&text).lines().filter_map(name).collect()
}

/// The macros that have the name of a type or a member.
pub fn hiding(types: &TypeTable, macros: &HashSet<String>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for ty in &types.types {
        let words = ty.spelling.split(|c: char| !c.is_alphanumeric() && c != '_');
        found.extend(words.filter_map(|word| macros.get(word)));
        if let TypeKind::Record { fields, .. } = &ty.kind {
            found.extend(fields.iter().filter_map(|field| macros.get(&field.name)));
        }
    }
    found.into_iter().cloned().collect()
}
