//! What `--lines`, `--goal` and `--since` ask for, as typed and checked by itself.
//!
//! Takes the words of the command line, gives ranges, places and a revision. Which goals of which file that means is in
//! `aiming`, which lines changed in `git`.

use std::ops::RangeInclusive;

use crate::failure::Failure;

/// A request for a part of the goals: the union of everything in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AimRequest {
    /// `--lines`.
    pub lines: Vec<AskedLines>,
    /// `--goal`.
    pub goals: Vec<AskedGoal>,
    /// `--since`.
    pub since: Option<String>,
}

/// `[FILE:]FIRST[-LAST]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedLines {
    /// The file as typed; `None`: the only one.
    pub file: Option<String>,
    /// The lines.
    pub lines: RangeInclusive<u32>,
    /// The whole as typed.
    pub typed: String,
}

/// `[FILE:]LINE[:COLUMN]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedGoal {
    /// The file as typed; `None`: the only one.
    pub file: Option<String>,
    /// Line of the goals.
    pub line: u32,
    /// Column of the goals, if only that one is meant.
    pub column: Option<u32>,
    /// The whole as typed.
    pub typed: String,
}

impl AimRequest {
    /// Checks what was typed; `None` if nothing was.
    pub fn new(
        lines: &[String],
        goals: &[String],
        since: Option<&str>,
    ) -> Result<Option<AimRequest>, Failure> {
        if lines.is_empty() && goals.is_empty() && since.is_none() {
            return Ok(None);
        }
        let lines = lines.iter().map(|typed| asked_lines(typed));
        let goals = goals.iter().map(|typed| asked_goal(typed));
        Ok(Some(AimRequest {
            lines: lines.collect::<Result<_, _>>()?,
            goals: goals.collect::<Result<_, _>>()?,
            since: since.map(revision).transpose()?,
        }))
    }

    /// The request in words, for the report.
    pub fn words(&self) -> String {
        let lines = self.lines.iter().map(|asked| format!("lines {}", asked.typed));
        let goals = self.goals.iter().map(|asked| format!("goals at {}", asked.typed));
        let since = self.since.iter().map(|revision| format!("lines changed since {revision}"));
        lines.chain(goals).chain(since).collect::<Vec<_>>().join(", ")
    }
}

fn asked_lines(typed: &str) -> Result<AskedLines, Failure> {
    let wrong = |why: String| {
        Failure::Usage(format!(
            "--lines {typed}: {why}\n  lines are written as 120-180, 120, or with their file: src/parser.c:120-180"
        ))
    };
    let (file, range) = file_and(typed);
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let number = |word: &str| match word.parse::<u32>() {
        Ok(0) => Err(wrong("the first line is line 1".to_string())),
        Ok(number) => Ok(number),
        Err(_) => Err(wrong(format!("`{word}` is no line number"))),
    };
    let (first, last) = (number(first)?, number(last)?);
    if last < first {
        return Err(wrong(format!("line {last} stands before line {first}")));
    }
    Ok(AskedLines { file, lines: first..=last, typed: typed.to_string() })
}

fn asked_goal(typed: &str) -> Result<AskedGoal, Failure> {
    let wrong = |why: String| {
        Failure::Usage(format!(
            "--goal {typed}: {why}\n  a goal is written as src/parser.c:120, src/parser.c:120:9 (with its column), or 120 \
             when there is one file"
        ))
    };
    let number = |word: &str| match word.parse::<u32>() {
        Ok(0) => Err(wrong("lines and columns are counted from 1".to_string())),
        Ok(number) => Ok(number),
        Err(_) => Err(wrong(format!("`{word}` is no line number"))),
    };
    let (before, last) = file_and(typed);
    let last = number(last)?;
    let typed = typed.to_string();
    // Two numbers at the end are line and column.
    if let Some(before) = &before
        && let (file, line) = file_and(before)
        && line.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Ok(AskedGoal { file, line: number(line)?, column: Some(last), typed });
    }
    Ok(AskedGoal { file: before, line: last, column: None, typed })
}

/// What stands before the last colon, and what behind it.
fn file_and(typed: &str) -> (Option<String>, &str) {
    match typed.rsplit_once(':') {
        Some((file, rest)) if !file.is_empty() => (Some(file.to_string()), rest),
        _ => (None, typed),
    }
}

/// A revision cannot be mistaken for an option of git.
fn revision(typed: &str) -> Result<String, Failure> {
    let wrong = |why: &str| {
        Failure::Usage(format!(
            "--since '{typed}': {why}\n  it takes one revision, such as HEAD, HEAD~1, main or a commit's name"
        ))
    };
    if typed.trim().is_empty() {
        return Err(wrong("this is no revision"));
    }
    if typed.starts_with('-') {
        return Err(wrong("a revision does not begin with `-`"));
    }
    Ok(typed.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(typed: &str) -> Option<(Option<String>, RangeInclusive<u32>)> {
        asked_lines(typed).ok().map(|asked| (asked.file, asked.lines))
    }

    fn goal(typed: &str) -> Option<(Option<String>, u32, Option<u32>)> {
        asked_goal(typed).ok().map(|asked| (asked.file, asked.line, asked.column))
    }

    #[test]
    fn lines_have_a_first_a_last_and_perhaps_a_file() {
        assert_eq!(lines("120-180"), Some((None, 120..=180)));
        assert_eq!(lines("7"), Some((None, 7..=7)));
        assert_eq!(lines("src/my file-2.c:7-9"), Some((Some("src/my file-2.c".to_string()), 7..=9)));
        assert_eq!(lines("a:b.c:7"), Some((Some("a:b.c".to_string()), 7..=7)));
        for wrong in ["", "abc", "9-3", "0", "0-4", "-4", "4-", "1-2-3", "a.c", "a.c:", ":3", "99999999999"] {
            assert_eq!(lines(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn goals_have_a_line_perhaps_a_file_and_a_column() {
        assert_eq!(goal("12"), Some((None, 12, None)));
        assert_eq!(goal("12:5"), Some((None, 12, Some(5))));
        assert_eq!(goal("a b.c:12"), Some((Some("a b.c".to_string()), 12, None)));
        assert_eq!(goal("a.c:12:5"), Some((Some("a.c".to_string()), 12, Some(5))));
        for wrong in ["", "a.c", "a.c:", "0", "a.c:0:3", "a.c:3:0", "3-4", "a.c:x"] {
            assert_eq!(goal(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn words_name_everything_asked_for() {
        let request = AimRequest::new(
            &["a.c:3-9".to_string()],
            &["12:5".to_string(), "b.c:4".to_string()],
            Some("main"),
        );
        let words = request.expect("fine").expect("something").words();
        assert_eq!(words, "lines a.c:3-9, goals at 12:5, goals at b.c:4, lines changed since main");
        assert_eq!(AimRequest::new(&[], &[], None).expect("fine"), None);
        assert!(AimRequest::new(&[], &[], Some("--output=x")).is_err());
    }
}
