//! Lines, comments and words of emitted files.
//!
//! Takes text, gives text. Never: what it means.

use crate::format::layout::LINE_WIDTH;

/// Text with the number of its next line.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) text: String,
    pub(crate) count: u32,
}

impl Lines {
    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.count += 1 + text.matches('\n').count() as u32;
    }

    pub(crate) fn next_line(&self) -> u32 {
        self.count + 1
    }
}

/// Text that cannot end or nest a comment.
pub(crate) fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}

pub(crate) fn wrapped(text: &str, pad: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = pad.to_string();
    for word in text.split_whitespace() {
        if line.len() > pad.len() && line.len() + 1 + word.len() > LINE_WIDTH {
            lines.push(std::mem::replace(&mut line, pad.to_string()));
        }
        if line.len() > pad.len() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
