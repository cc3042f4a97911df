//! Reading C text: a few questions about tokens, and condition texts as people want to read them.
//!
//! Takes text and offsets; gives tokens, offsets and shortened text. Never: a parser, macros.

/// Longest text of a condition.
const MAX_TEXT: usize = 80;

/// Steps over C text token by token, seeing literals, comments and line markers as one.
pub struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

/// What a step found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// A run of blanks, a comment, a line marker or a spliced line end.
    Space,
    /// A string or character literal.
    Literal,
    /// A word or a number.
    Word,
    /// Any other character.
    Sign(u8),
}

impl<'a> Lexer<'a> {
    /// Starts at an offset that begins a token.
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text: text.as_bytes(), at }
    }

    /// The next token with its first offset and the offset after it.
    fn step(&mut self) -> Option<(Token, usize, usize)> {
        let start = self.at;
        let byte = *self.text.get(start)?;
        let next = self.text.get(start + 1).copied();
        let token = match byte {
            b'/' if next == Some(b'*') => {
                self.at = self.find(start + 2, b"*/").map_or(self.text.len(), |at| at + 2);
                Token::Space
            }
            b'/' if next == Some(b'/') => {
                self.at = self.find(start, b"\n").unwrap_or(self.text.len());
                Token::Space
            }
            b'#' if self.begins_line(start) => {
                self.at = self.find(start, b"\n").unwrap_or(self.text.len());
                Token::Space
            }
            b'\\' if matches!(next, Some(b'\n' | b'\r')) => {
                self.at = start + 2;
                Token::Space
            }
            b'"' | b'\'' => {
                self.at = self.literal_end(start);
                Token::Literal
            }
            _ if byte.is_ascii_whitespace() => {
                self.skip_while(|byte| byte.is_ascii_whitespace());
                Token::Space
            }
            _ if is_word(byte) => {
                self.skip_while(is_word);
                Token::Word
            }
            _ => {
                self.at = start + 1;
                Token::Sign(byte)
            }
        };
        Some((token, start, self.at))
    }

    fn find(&self, from: usize, what: &[u8]) -> Option<usize> {
        let rest = self.text.get(from..)?;
        rest.windows(what.len()).position(|window| window == what).map(|at| from + at)
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = &self.text[..at];
        before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| *byte == b'\n')
    }

    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|byte| belongs(*byte)) {
            self.at += 1;
        }
    }

    fn literal_end(&self, start: usize) -> usize {
        let quote = self.text[start];
        let mut at = start + 1;
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'\\' => at += 2,
                _ if *byte == quote => return at + 1,
                _ => at += 1,
            }
        }
        self.text.len()
    }

    /// The offset after the next semicolon.
    pub fn after_semicolon(mut self) -> Option<usize> {
        while let Some((token, _, end)) = self.step() {
            if token == Token::Sign(b';') {
                return Some(end);
            }
        }
        None
    }

    /// Offsets of the two semicolons in the head of the `for` that starts here.
    pub fn head_semicolons(mut self) -> Option<(usize, usize)> {
        let mut depth = 0;
        let mut first = None;
        while let Some((token, at, _)) = self.step() {
            match token {
                Token::Sign(b'(' | b'[' | b'{') => depth += 1,
                Token::Sign(b')' | b']' | b'}') => depth -= 1,
                Token::Sign(b';') if depth == 1 => match first {
                    None => first = Some(at),
                    Some(first) => return Some((first, at)),
                },
                _ => {}
            }
        }
        None
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The offset itself, or, where `#pragma` lines belong to what stands there, the end of the last line before them.
pub fn before_directives(text: &str, at: usize) -> usize {
    let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let mut line = line_of(at);
    let is_directive = |line: usize| text[line..].trim_start_matches([' ', '\t']).starts_with('#');
    if !is_directive(line) && !text[line..at].trim().is_empty() {
        return at;
    }
    let mut has_pragma = is_directive(line);
    while line > 0 {
        let before = line_of(line - 1);
        if !is_directive(before) && !text[before..line].trim().is_empty() {
            break;
        }
        let words = text[before..line].trim_start_matches([' ', '\t', '#']);
        // Those of the standard must begin their block; they stay where they are.
        let is_kept = words.starts_with("pragma STDC");
        has_pragma |= is_directive(before) && words.starts_with("pragma") && !is_kept;
        line = before;
    }
    if has_pragma && line > 0 { line - 1 } else { at }
}

/// Offsets in `text` of the `?` and the `:` that stand there outside line markers.
pub fn question_and_colon(text: &str) -> Vec<usize> {
    let mut lexer = Lexer::new(text, 0);
    let mut found = Vec::new();
    while let Some((token, at, _)) = lexer.step() {
        if matches!(token, Token::Sign(b'?' | b':')) {
            found.push(at);
        }
    }
    found
}

/// The same tokens on one line, comments and line ends reduced to one blank.
pub fn one_line(text: &str) -> String {
    let mut lexer = Lexer::new(text, 0);
    let mut line = String::with_capacity(text.len());
    while let Some((token, start, end)) = lexer.step() {
        match token {
            Token::Space if line.ends_with(' ') => {}
            Token::Space => line.push(' '),
            _ => line.push_str(&text[start..end]),
        }
    }
    line.trim().to_string()
}

/// Cuts a long text short.
pub fn shorten(text: String) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text;
    }
    let kept: String = text.chars().take(MAX_TEXT - 3).collect();
    kept.trim_end().to_string() + "..."
}

/// Whether two texts have the same tokens.
pub fn same_tokens(a: &str, b: &str) -> bool {
    tokens(a).eq(tokens(b))
}

/// Words, literals and signs of a text, blanks left out.
pub fn words_and_signs(text: &str) -> impl Iterator<Item = &str> {
    tokens(text)
}

/// What the string literals of an expression say, one after the other, for people to read.
pub fn string_value(expression: &str) -> String {
    let mut value = String::new();
    for literal in tokens(expression) {
        let Some(inner) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { continue };
        let mut characters = inner.chars();
        while let Some(character) = characters.next() {
            match character {
                // The preprocessor escapes quotes and backslashes of what it turns into a string.
                '\\' => value.extend(characters.next()),
                _ => value.push(character),
            }
        }
    }
    value
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut lexer = Lexer::new(text, 0);
    std::iter::from_fn(move || {
        loop {
            let (token, start, end) = lexer.step()?;
            if token != Token::Space {
                return Some(&text[start..end]);
            }
        }
    })
}

/// Whether the text reads as one expression on its own: brackets closed, no comma or semicolon outside them.
pub fn is_self_contained(text: &str) -> bool {
    stray_sign(text).is_none() && !text.trim().is_empty()
}

/// Offset of the first sign that keeps the text from being one expression: a bracket without its partner, or a comma or
/// semicolon outside brackets.
pub fn stray_sign(text: &str) -> Option<usize> {
    let mut lexer = Lexer::new(text, 0);
    let mut open = Vec::new();
    while let Some((token, at, _)) = lexer.step() {
        match token {
            Token::Sign(b'(' | b'[' | b'{') => open.push(at),
            Token::Sign(b')' | b']' | b'}') if open.pop().is_none() => return Some(at),
            Token::Sign(b',' | b';') if open.is_empty() => return Some(at),
            _ => {}
        }
    }
    open.pop()
}

/// Offset of the bracket that closes the one the text begins with.
pub fn closing_bracket(text: &str) -> Option<usize> {
    let mut lexer = Lexer::new(text, 0);
    let mut depth = 0;
    while let Some((token, at, _)) = lexer.step() {
        match token {
            Token::Sign(b'(') => depth += 1,
            Token::Sign(b')') if depth == 1 => return Some(at),
            Token::Sign(b')') => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semicolons_of_a_for_are_found_around_literals_and_statement_expressions() {
        let text = "for (c = ';'; f(\"; ;\", ({ 1; 2; })); ) x;";
        let (first, second) = Lexer::new(text, 0).head_semicolons().unwrap();
        assert_eq!(&text[..=first], "for (c = ';';");
        assert_eq!(&text[second..], "; ) x;");
    }

    #[test]
    fn a_condition_is_shown_on_one_line_without_comments() {
        assert_eq!(one_line("a  &&\n\t/* note */ b // end\n == \"x  y\""), "a && b == \"x  y\"");
        assert_eq!(one_line("a\n# 12 \"f.c\"\n  > b"), "a > b");
    }

    #[test]
    fn long_texts_are_cut_to_eighty_characters() {
        assert_eq!(shorten("x".repeat(100)).len(), 80);
        assert_eq!(shorten("x".repeat(80)).len(), 80);
    }

    #[test]
    fn a_string_made_by_the_preprocessor_reads_as_before() {
        assert_eq!(string_value(r#"("s[0] == '\\0'" " && \"x\"")"#), r#"s[0] == '\0' && "x""#);
    }

    #[test]
    fn a_macro_argument_list_is_not_an_expression() {
        assert!(!is_self_contained("x, y"));
        assert!(!is_self_contained("x) && (y"));
        assert!(is_self_contained("MAX(x, y)"));
    }

    #[test]
    fn the_question_mark_in_a_line_marker_is_left_alone() {
        let text = "\n# 3 \"what?.c\"\n ? : ";
        assert_eq!(question_and_colon(text), [text.len() - 4, text.len() - 2]);
    }
}
