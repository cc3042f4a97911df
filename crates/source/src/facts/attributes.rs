//! What attributes and array declarators promise about a function's parameters and about what it gives.
//!
//! Takes declarations in the preprocessed text, where attributes are spelled out; gives null-freedom and lengths.
//! Never looks at bodies.

use std::collections::HashMap;

use crate::Param;
use crate::clang::{Cursor, node};
use crate::syntax::text::words_and_signs;

/// All declarations of functions and variables at file scope, by name.
#[derive(Default)]
pub struct FileScope<'tu> {
    by_name: HashMap<String, Vec<Cursor<'tu>>>,
}

impl<'tu> FileScope<'tu> {
    /// Of these declarations.
    pub fn new(top: &[Cursor<'tu>]) -> Self {
        let mut scope = Self::default();
        for cursor in top.iter().filter(|cursor| matches!(cursor.kind(), node::FUNCTION | node::VARIABLE)) {
            scope.by_name.entry(cursor.name()).or_default().push(*cursor);
        }
        scope
    }

    /// Every declaration of a name.
    pub fn declarations(&self, name: &str) -> &[Cursor<'tu>] {
        self.by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Notes what the declarations say about the parameters.
pub fn apply(declarations: &[Cursor], text: &str, params: &mut [Param]) {
    let is_pointer = |cursor: &Cursor| {
        let canonical = cursor.ty().canonical();
        canonical.is_array() || canonical.kind() == crate::clang::ty::POINTER
    };
    for declaration in declarations {
        let parameters = declaration.parameters();
        for attribute in attributes(*declaration, text) {
            let Some(positions) = nonnull_positions(attribute) else { continue };
            for (position, param) in params.iter_mut().enumerate() {
                // Without a list, all pointers are meant.
                let is_meant = positions.contains(&(position + 1))
                    || positions.is_empty() && parameters.get(position).is_some_and(is_pointer);
                param.non_null |= is_meant;
            }
        }
        for (position, parameter) in parameters.iter().enumerate() {
            if position < params.len() {
                apply_declarator(*parameter, position, text, params);
            }
        }
    }
}

/// `T *_Nonnull p`, `T *p __attribute__((nonnull))`, `T p[static n]`, `T p[n]`.
fn apply_declarator(parameter: Cursor, position: usize, text: &str, params: &mut [Param]) {
    let is_marked =
        attributes(parameter, text).iter().any(|attribute| nonnull_positions(attribute).is_some());
    let declared = text_of(parameter, text);
    params[position].non_null |= is_marked || declared.contains("_Nonnull");
    if !parameter.ty().is_array() {
        return;
    }
    let Some(bound) = ArrayBound::of(declared) else { return };
    params[position].non_null |= bound.is_static;
    let counter = params.iter().position(|param| param.name == bound.size);
    if let Some(counter) = counter.filter(|&counter| counter != position) {
        params[position].length = Some(counter as u32);
    }
}

/// The function never returns.
pub fn is_noreturn(declaration: Cursor, text: &str) -> bool {
    declaration.ty().spelling().contains("noreturn")
        || attributes(declaration, text).iter().any(|attribute| {
            matches!(words_and_signs(attribute).next(), Some("_Noreturn" | "noreturn" | "__noreturn__"))
        })
}

/// Another definition comes before this one.
pub fn is_weak(declarations: &[Cursor], text: &str) -> bool {
    declarations
        .iter()
        .flat_map(|&declaration| attributes(declaration, text))
        .any(|attribute| matches!(words_and_signs(attribute).next(), Some("weak" | "__weak__")))
}

/// Positions, from 0, of the parameters whose product is the size of the fresh memory that the function gives, if its
/// declarations promise all of it: that it is fresh, its size, and that it is there.
pub fn allocates(declarations: &[Cursor], text: &str) -> Vec<u32> {
    let all: Vec<&str> = declarations.iter().flat_map(|&declaration| attributes(declaration, text)).collect();
    let has = |names: [&str; 2]| {
        all.iter()
            .any(|attribute| words_and_signs(attribute).next().is_some_and(|word| names.contains(&word)))
    };
    if !has(["malloc", "__malloc__"]) || !has(["returns_nonnull", "__returns_nonnull__"]) {
        return Vec::new();
    }
    all.iter().find_map(|attribute| size_positions(attribute)).unwrap_or_default()
}

/// The positions, from 0, that an `alloc_size` attribute lists; `None` for other attributes.
fn size_positions(attribute: &str) -> Option<Vec<u32>> {
    let mut words = words_and_signs(attribute);
    let is_it = matches!(words.next(), Some("alloc_size" | "__alloc_size__"));
    let positions = || words.filter_map(|word| word.parse::<u32>().ok()?.checked_sub(1)).collect();
    is_it.then(positions)
}

fn attributes<'a>(declaration: Cursor, text: &'a str) -> Vec<&'a str> {
    let children = declaration.children();
    children.into_iter().filter(|child| child.is_attribute()).map(|child| text_of(child, text)).collect()
}

fn text_of<'a>(cursor: Cursor, text: &'a str) -> &'a str {
    let (start, end) = cursor.range();
    text.get(start..end).unwrap_or_default()
}

/// The positions, from 1, that a `nonnull` attribute lists; `None` for other attributes.
fn nonnull_positions(attribute: &str) -> Option<Vec<usize>> {
    let mut words = words_and_signs(attribute);
    match words.next() {
        Some("nonnull" | "__nonnull__") => Some(words.filter_map(|word| word.parse().ok()).collect()),
        _ => None,
    }
}

/// The outermost brackets of an array parameter.
struct ArrayBound<'a> {
    is_static: bool,
    size: &'a str,
}

impl<'a> ArrayBound<'a> {
    fn of(declarator: &'a str) -> Option<Self> {
        let open = declarator.find('[')?;
        let close = open + declarator[open..].find(']')?;
        let mut bound = Self { is_static: false, size: "" };
        let mut size = Vec::new();
        for word in words_and_signs(&declarator[open + 1..close]) {
            match word {
                "static" => bound.is_static = true,
                "const" | "restrict" | "volatile" | "__restrict" => {}
                _ => size.push(word),
            }
        }
        // Only a bare name can be a parameter.
        if let [name] = size[..] {
            bound.size = name;
        }
        Some(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonnull_lists_positions_or_means_all() {
        assert_eq!(nonnull_positions("nonnull"), Some(vec![]));
        assert_eq!(nonnull_positions("__nonnull__ (1, 3)"), Some(vec![1, 3]));
        assert_eq!(nonnull_positions("unused"), None);
    }

    #[test]
    fn alloc_size_lists_one_position_or_two() {
        assert_eq!(size_positions("alloc_size (1)"), Some(vec![0]));
        assert_eq!(size_positions("__alloc_size__ (2, 1)"), Some(vec![1, 0]));
        assert_eq!(size_positions("malloc"), None);
    }

    #[test]
    fn an_array_bound_may_be_static_and_a_parameter() {
        let bound = |text| ArrayBound::of(text).map(|bound| (bound.is_static, bound.size));
        assert_eq!(bound("int a[static n]"), Some((true, "n")));
        assert_eq!(bound("int a[const restrict n]"), Some((false, "n")));
        assert_eq!(bound("int a[n + 1][3]"), Some((false, "")));
        assert_eq!(bound("int *a"), None);
    }
}
