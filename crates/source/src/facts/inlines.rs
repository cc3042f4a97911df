//! Functions that are defined for inlining only: `inline` in C99, `extern inline` in GNU C.
//!
//! Takes definitions; gives, by name, the declaration that makes of each a definition for every caller. Bodies in headers of the
//! system count as well: without optimisation nobody inlines them. Never: changes a definition.

use std::collections::BTreeMap;

use crate::clang::{Cursor, node, storage};
use crate::facts::attributes::FileScope;
use crate::syntax::text::words_and_signs;

/// The declarations, by the name of the function.
pub fn find(top: &[Cursor], scope: &FileScope, text: &str, flags: &[String]) -> BTreeMap<String, String> {
    let is_old = has_old_inline(flags);
    let mut found = BTreeMap::new();
    for function in top.iter().filter(|cursor| cursor.kind() == node::FUNCTION && cursor.is_definition()) {
        let head = head(*function, text);
        if function.storage() == storage::STATIC || !words_and_signs(head).any(is_inline) {
            continue;
        }
        let name = function.name();
        let of_gnu = |cursor: &Cursor| words_and_signs(self::head(*cursor, text)).any(is_gnu_inline);
        // Nothing but the name of the type is repeated: it may hold names that only the definition sees.
        let declared = format!("__typeof__({name}) {name};");
        let declared = match () {
            () if scope.declarations(&name).iter().any(of_gnu) => {
                format!("__attribute__((__gnu_inline__)) __inline__ {declared}")
            }
            () if is_old => format!("__inline__ {declared}"),
            () => format!("extern {declared}"),
        };
        found.insert(name, declared);
    }
    found
}

/// What stands before the body.
fn head<'t>(function: Cursor, text: &'t str) -> &'t str {
    let (start, end) = function.range();
    let body = function.children().into_iter().rfind(|child| child.kind() == node::COMPOUND);
    text.get(start..body.map_or(end, |body| body.range().0)).unwrap_or_default()
}

fn is_inline(word: &str) -> bool {
    matches!(word, "inline" | "__inline" | "__inline__")
}

fn is_gnu_inline(word: &str) -> bool {
    matches!(word, "gnu_inline" | "__gnu_inline__")
}

/// Whether the flags ask for a language in which `extern inline` is for inlining only.
fn has_old_inline(flags: &[String]) -> bool {
    const OLD: [&str; 6] = ["c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409"];
    flags.iter().fold(false, |old, flag| match flag.as_str() {
        "-ansi" | "-fgnu89-inline" => true,
        "-fno-gnu89-inline" => false,
        flag => flag.strip_prefix("-std=").map_or(old, |language| OLD.contains(&language)),
    })
}
