//! Which lines of the sources the page shows: the functions around goals and faults.
//!
//! Takes places and the texts; gives ranges of lines. A function is found by how C is laid out: it begins and ends in the first
//! column. Where that is not so, some lines around the place are shown. Never: parsing C.

use crate::sources::Sources;

/// Lines shown around a place whose function is not found.
const AROUND: u32 = 4;
/// How far a function's beginning and end are looked for.
const FARTHEST: u32 = 400;

/// First and last line.
pub(super) type Range = (u32, u32);

/// The ranges around these lines, in order, those that touch joined.
pub(super) fn ranges(sources: &Sources, file: &str, mut lines: Vec<u32>) -> Vec<Range> {
    let Some(text) = sources.0.get(file) else { return Vec::new() };
    let text: Vec<&str> = text.lines().collect();
    lines.retain(|&line| line >= 1 && line as usize <= text.len());
    lines.sort_unstable();
    lines.dedup();
    let mut ranges: Vec<Range> = Vec::new();
    for line in lines {
        if ranges.last().is_some_and(|&(_, last)| line <= last) {
            continue;
        }
        ranges.push((first(&text, line), last(&text, line)));
    }
    joined(ranges)
}

/// Ranges in order, those that touch joined.
pub(super) fn joined(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut joined: Vec<Range> = Vec::new();
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}

fn first(text: &[&str], line: u32) -> u32 {
    let mut number = line;
    while number >= 1 && line - number < FARTHEST {
        let here = text[number as usize - 1];
        if number < line && here.starts_with('}') {
            break;
        }
        if is_head(here) {
            let before = number.checked_sub(2).map_or("", |above| text[above as usize]);
            // The type may stand on a line of its own.
            let has_type = before.starts_with(is_word) && !before.trim_end().ends_with([';', '}', ':']);
            return if has_type { number - 1 } else { number };
        }
        number -= 1;
    }
    line.saturating_sub(AROUND).max(1)
}

fn last(text: &[&str], line: u32) -> u32 {
    let end = (text.len() as u32).min(line.saturating_add(FARTHEST));
    let closing = (line..=end).find(|&number| text[number as usize - 1].starts_with('}'));
    closing.unwrap_or_else(|| line.saturating_add(AROUND).min(text.len() as u32))
}

/// The line begins in the first column with a word and opens parentheses: no declaration, label or macro.
fn is_head(line: &str) -> bool {
    line.starts_with(is_word) && line.contains('(') && !line.trim_end().ends_with([';', ':'])
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn shown(text: &str, lines: &[u32]) -> Vec<Range> {
        let texts = BTreeMap::from([("u.c".to_string(), text.to_string())]);
        ranges(&Sources(&texts), "u.c", lines.to_vec())
    }

    const TWO: &str = "int x;\n\nstatic int\nf(int a)\n{\n  if (a)\n    return 1;\n  return 0;\n}\n\nint g(void)\n{\n  return f(2);\n}\n";

    #[test]
    fn the_whole_function_is_shown_with_its_type() {
        assert_eq!(shown(TWO, &[6]), [(3, 9)]);
        assert_eq!(shown(TWO, &[13]), [(11, 14)]);
        assert_eq!(shown(TWO, &[13, 6, 7]), [(3, 9), (11, 14)]);
    }

    #[test]
    fn a_layout_without_first_columns_shows_what_is_around() {
        let text = "  int f(int a) {\n    return a;\n  }\n".repeat(4);
        assert_eq!(shown(&text, &[8]), [(4, 12)]);
    }

    #[test]
    fn lines_that_are_not_there_are_left_out() {
        assert!(shown("one\n", &[0, 2, u32::MAX]).is_empty());
        assert!(ranges(&Sources(&BTreeMap::new()), "u.c", vec![1]).is_empty());
    }

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(joined(vec![(5, 6), (1, 4), (9, 9)]), [(1, 6), (9, 9)]);
    }
}
