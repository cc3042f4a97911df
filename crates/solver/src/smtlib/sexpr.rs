//! Text to S-expressions.
//!
//! Takes SMT-LIB text; gives its top-level expressions, each with its line. Knows parentheses, atoms, quoted symbols,
//! strings and comments, and nothing of what they mean. Nesting is limited, so that whoever walks the result may call
//! itself.

use super::read::ReadError;

/// Deeper nesting is refused.
const DEEPEST: usize = 400;

/// An expression of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expr<'t> {
    Atom(&'t str),
    List(Vec<Expr<'t>>),
}

impl<'t> Expr<'t> {
    /// The parts of a list; an atom has none.
    pub(super) fn list(&self) -> &[Expr<'t>] {
        match self {
            Expr::List(parts) => parts,
            Expr::Atom(_) => &[],
        }
    }

    /// The text of an atom; a list has none.
    pub(super) fn atom(&self) -> &'t str {
        match self {
            Expr::Atom(text) => text,
            Expr::List(_) => "",
        }
    }
}

/// The top-level expressions with the lines they begin on.
pub(super) fn parse(text: &str) -> Result<Vec<(usize, Expr<'_>)>, ReadError> {
    let mut top = Vec::new();
    let mut open: Vec<Vec<Expr>> = Vec::new();
    let (mut at, mut line, mut began) = (0, 1, 1);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        let done = match byte {
            b'\n' => {
                line += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => continue,
            b';' => {
                at += bytes[at..].iter().take_while(|byte| **byte != b'\n').count();
                continue;
            }
            b'(' => {
                if open.is_empty() {
                    began = line;
                }
                if open.len() >= DEEPEST {
                    return Err(ReadError::new(line, "nested too deeply"));
                }
                open.push(Vec::new());
                continue;
            }
            b')' => {
                let parts = open.pop().ok_or_else(|| ReadError::new(line, "`)` without `(`"))?;
                Expr::List(parts)
            }
            b'|' | b'"' => {
                let length = bytes[at..].iter().position(|other| *other == byte);
                let length = length.ok_or_else(|| ReadError::new(line, "a quote that does not end"))?;
                line += bytes[at..at + length].iter().filter(|byte| **byte == b'\n').count();
                at += length + 1;
                Expr::Atom(&text[start + 1..at - 1])
            }
            _ => {
                let ends = |byte: &u8| matches!(byte, b'(' | b')' | b';' | b' ' | b'\t' | b'\r' | b'\n');
                at += bytes[at..].iter().take_while(|byte| !ends(byte)).count();
                Expr::Atom(&text[start..at])
            }
        };
        match open.last_mut() {
            Some(parts) => parts.push(done),
            None => top.push((began, done)),
        }
    }
    if open.is_empty() { Ok(top) } else { Err(ReadError::new(line, "the text ends inside an expression")) }
}
