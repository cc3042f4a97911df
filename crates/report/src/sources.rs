//! Lines of the user's files, for excerpts and fingerprints.
//!
//! Takes the texts of the files by name; gives single lines of them. Never reads a file.

use std::collections::BTreeMap;

use crate::fault::ExcerptLine;

/// Lines shown before and after a place.
const AROUND: u32 = 2;
/// Longest line that is quoted in full; generated code has lines of any length.
const LONGEST: usize = 400;

/// The texts of the C files by name, as far as they are there.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a>(pub &'a BTreeMap<String, String>);

impl<'a> Sources<'a> {
    /// A line, the first being 1.
    pub fn line(&self, file: &str, line: u32) -> Option<&'a str> {
        self.0.get(file)?.lines().nth(line.checked_sub(1)? as usize)
    }

    /// The lines around a place; empty if the file is not there or has no such line.
    pub fn excerpt(&self, file: &str, line: u32) -> Vec<ExcerptLine> {
        if self.line(file, line).is_none() {
            return Vec::new();
        }
        let numbers = line.saturating_sub(AROUND).max(1)..=line.saturating_add(AROUND);
        let shown = numbers.filter_map(|number| {
            let text = shortened(self.line(file, number)?);
            Some(ExcerptLine { line: number, text, here: number == line })
        });
        shown.collect()
    }
}

/// A line, cut if it is very long.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_ends_with_the_file_and_marks_its_line() {
        let texts = BTreeMap::from([("u.c".to_string(), "one\ntwo\nthree\nfour\n".to_string())]);
        let sources = Sources(&texts);
        let shown = |line| {
            let lines = sources.excerpt("u.c", line).into_iter();
            lines.map(|l| format!("{}{}", l.line, if l.here { "!" } else { "" })).collect::<Vec<_>>()
        };
        assert_eq!(shown(1), ["1!", "2", "3"]);
        assert_eq!(shown(4), ["2", "3", "4!"]);
        for nowhere in [0, 5, u32::MAX] {
            assert!(shown(nowhere).is_empty());
        }
        assert!(sources.excerpt("other.c", 1).is_empty());
    }

    #[test]
    fn a_line_without_end_is_cut_between_characters() {
        let texts = BTreeMap::from([("u.c".to_string(), "é".repeat(1000))]);
        assert_eq!(Sources(&texts).excerpt("u.c", 1)[0].text.chars().count(), LONGEST + 1);
    }
}
