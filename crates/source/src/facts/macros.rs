//! The macros of the user's own files, and what stands in a file where a macro makes the name of a function.
//!
//! Takes the preprocessed text, which says what files there are, and those files; gives names. What conditions of the preprocessor
//! leave out counts as well: a name too many does no harm. Never: what macros expand to, files of the system.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::clang::Cursor;
use crate::syntax::bytes::readable;
use crate::syntax::text::{closing_bracket, words_and_signs};

/// Bytes of a macro with its arguments.
const LONGEST_CALL: usize = 1024;

/// Names of macros, each with whether it takes arguments.
pub struct Macros(BTreeMap<String, bool>);

impl Macros {
    /// Those that the files of a text define.
    pub fn of(text: &str) -> Macros {
        let mut found = BTreeMap::new();
        for file in own_files(text) {
            let content = readable(&std::fs::read(file).unwrap_or_default());
            found.extend(content.lines().filter_map(defined));
        }
        Macros(found)
    }

    /// All names.
    pub fn names(&self) -> BTreeSet<String> {
        self.0.keys().cloned().collect()
    }

    /// What stands where the function's name does: a macro with its arguments, or the name itself.
    pub fn written_name(&self, function: Cursor) -> String {
        let (name, location) = (function.name(), function.location());
        let behind = location.expansion().text_behind().unwrap_or_default();
        let text = readable(&behind[..behind.len().min(LONGEST_CALL)]);
        let word = word_at(&text);
        match self.0.get(word) {
            _ if word == name => name,
            Some(true) => {
                let arguments = text[word.len()..].trim_start();
                let end = closing_bracket(arguments).map_or(0, |at| at + 1);
                word.to_string() + &words_and_signs(&arguments[..end]).collect::<Vec<&str>>().join("")
            }
            Some(false) => word.to_string(),
            None => name,
        }
    }
}

/// The name that a line gives to a macro, and whether that takes arguments.
fn defined(line: &str) -> Option<(String, bool)> {
    let after = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let rest = after.strip_prefix([' ', '\t'])?.trim_start();
    let name = word_at(rest);
    (!name.is_empty()).then(|| (name.to_string(), rest[name.len()..].starts_with('(')))
}

fn word_at(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The files that line markers name (`# 12 "file.h" 1`), without those of the system, which have a 3 behind them.
fn own_files(text: &str) -> BTreeSet<PathBuf> {
    let file = |line: &str| {
        let (_, named) = line.strip_prefix("# ")?.split_once('"')?;
        let (name, flags) = named.rsplit_once('"')?;
        let is_own = !name.starts_with('<') && !flags.split_whitespace().any(|flag| flag == "3");
        is_own.then(|| PathBuf::from(name.replace("\\\\", "\\").replace("\\\"", "\"")))
    };
    text.lines().filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_read_from_their_lines() {
        assert_eq!(defined("#  define NS(x) lib_##x"), Some(("NS".to_string(), true)));
        assert_eq!(defined("#define f pre_f"), Some(("f".to_string(), false)));
        assert_eq!(defined("#define PLAIN"), Some(("PLAIN".to_string(), false)));
        assert_eq!(defined("#defined f"), None);
    }

    #[test]
    fn files_of_the_system_are_left_out() {
        let text = "# 1 \"u.c\"\n# 1 \"<built-in>\" 1\n# 1 \"/usr/include/stdio.h\" 1 3 4\n# 2 \"my \\\"own\\\".h\" 1\n";
        let files: Vec<PathBuf> = own_files(text).into_iter().collect();
        assert_eq!(files, [PathBuf::from("my \"own\".h"), PathBuf::from("u.c")]);
    }
}
