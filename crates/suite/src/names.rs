//! Names that a unit and the files that include it both want.
//!
//! Takes what the unit has; gives what else a thing is called. A file includes the unit and calls the library for itself, so a function
//! of the unit that is called like one of the library steps aside, as `main` does; macros of the unit that stand in a file's own text
//! are taken back; and what the file has of its own has another name where the unit has it too. Never: types, values.

use std::collections::BTreeSet;

use tarka_source::SourceModel;

use crate::format::library;

/// What every file of tests defines for itself.
pub(crate) const DEFINED: [&str; 8] = [
    "tarka_failed_checks",
    "tarka_check",
    "tarka_test",
    "tarka_tests",
    "tarka_run",
    "tarka_forget",
    "TARKA_PASSED",
    "TARKA_FAILED",
];

/// The macro that it checks with.
const CHECK: &str = "CHECK";

/// All names that a file of tests has of its own.
fn own() -> impl Iterator<Item = &'static str> {
    DEFINED.into_iter().chain([CHECK])
}

/// What files call a function of the unit.
pub(crate) fn emitted(function: &str) -> String {
    if steps_aside(function) { format!("unit_{function}") } else { function.to_string() }
}

fn steps_aside(function: &str) -> bool {
    function == "main" || library::has_function(function)
}

/// The functions of the unit that have another name in files.
pub(crate) fn stepping_aside(model: &SourceModel) -> BTreeSet<String> {
    let functions = model.own_functions().iter().map(|function| &function.name);
    functions.filter(|name| steps_aside(name)).cloned().collect()
}

/// The macros of the unit that the text of a file has as words; `errno` is what the unit makes of it.
pub(crate) fn hidden(text: &str, model: &SourceModel) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_word(text, |word| {
        if word != "errno" && model.macros.contains(word) {
            found.insert(word.to_string());
        }
    });
    found
}

/// A name that the unit does not mention.
pub(crate) fn free(name: &str, model: &SourceModel) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names.find(|name| !mentions(&model.probed_text, name)).unwrap_or_default()
}

/// A name for a variable of a test that no function or variable of the unit has.
pub(crate) fn free_beside(name: &str, model: &SourceModel) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let is_taken = |name: &str| {
        let globals = model.globals.iter().chain(&model.declared_variables);
        let functions = model.functions.iter().map(|function| &function.name);
        let declared = model.declared_functions.iter().map(|function| &function.name);
        functions.chain(declared).chain(globals.map(|global| &global.name)).any(|known| known == name)
    };
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// Whether the unit has names that files of tests have, so that they must call them otherwise.
pub(crate) fn clash(model: &SourceModel) -> bool {
    own().any(|name| mentions(&model.probed_text, name))
}

/// A text of ours with other names for what the unit has as well.
pub(crate) fn of_our_own(text: &str, model: &SourceModel) -> String {
    match clash(model) {
        true => replaced(text, |word| own().any(|name| name == word).then(|| free(word, model))),
        false => text.to_string(),
    }
}

/// What `#define name unit_name` does to these functions, on text that is already preprocessed.
pub(crate) fn step_aside(text: &str, names: &BTreeSet<String>) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') {
            out.push_str(line);
        } else {
            out.push_str(&replaced(line, |word| names.contains(word).then(|| emitted(word))));
        }
    }
    out
}

/// Whether a word stands in a text.
pub(crate) fn mentions(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// The text with other words for some; what stands in literals and comments stays.
fn replaced(text: &str, other: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    each_piece(text, |piece, is_word| match is_word.then(|| other(piece)).flatten() {
        Some(other) => out.push_str(&other),
        None => out.push_str(piece),
    });
    out
}

fn each_word<'t>(text: &'t str, mut see: impl FnMut(&'t str)) {
    each_piece(text, |piece, is_word| {
        if is_word {
            see(piece);
        }
    });
}

/// Shows a text piece by piece, and whether each is a word of the program.
fn each_piece<'t>(text: &'t str, mut see: impl FnMut(&'t str, bool)) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let is_word = is_part(next);
        let length = match next {
            '"' | '\'' => quoted_length(rest),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ if is_word => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            other => other.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        see(piece, is_word);
        rest = after;
    }
}

fn quoted_length(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (index, &byte) in text.as_bytes().iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_identifier_main_steps_aside() {
        let text = "# 1 \"main.c\"\nint main(void) { puts(\"main\\\"main\"); return domain + main_2; }\n";
        assert_eq!(
            step_aside(text, &["main".to_string()].into()),
            "# 1 \"main.c\"\nint unit_main(void) { puts(\"main\\\"main\"); return domain + main_2; }\n"
        );
    }

    #[test]
    fn what_the_library_does_for_a_file_is_not_done_by_the_unit() {
        assert_eq!(
            ["main", "exit", "memcpy", "f"].map(emitted),
            ["unit_main", "unit_exit", "unit_memcpy", "f"]
        );
    }

    #[test]
    fn words_in_literals_and_comments_are_none() {
        let mut words = Vec::new();
        each_word("/* it's */ f(\"CHECK\", 'x'); CHECK(1)", |word| words.push(word));
        assert_eq!(words, ["f", "CHECK", "1"]);
    }

    #[test]
    fn words_are_whole() {
        assert!(mentions("x = stub_f;", "stub_f") && !mentions("stub_f2 my_stub_f", "stub_f"));
    }
}
