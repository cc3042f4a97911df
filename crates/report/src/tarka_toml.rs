//! Preconditions as lines for `tarka.toml`.
//!
//! Takes C expressions; gives the table of a function as that file writes it, ready to be put at its end.

/// The table of a function with these preconditions; empty without any.
pub(crate) fn lines<'e>(function: &str, expressions: impl Iterator<Item = &'e str>) -> String {
    let quoted: Vec<String> = expressions.map(quoted).collect();
    if quoted.is_empty() {
        return String::new();
    }
    format!("[function.{}]\nassume = [{}]\n", key(function), quoted.join(", "))
}

/// Names of C functions are bare keys of TOML, but for those with letters that only some compilers take.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_string() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use tarka_settings::Settings;

    #[test]
    fn tarka_toml_reads_the_lines_as_they_were_meant() {
        let expressions = ["p != NULL", r#"s[0] == '"' || s[0] == '\\'"#, "n\t> 0", "grüße > 1"];
        for function in ["parse", "größe", "a$b"] {
            let mut settings = Settings::default();
            settings
                .add_file(Path::new("tarka.toml"), &lines(function, expressions.into_iter()))
                .expect("TOML");
            let read: Vec<&str> = settings.functions[function]
                .assumes
                .iter()
                .map(|assume| assume.expression.as_str())
                .collect();
            assert_eq!(read, expressions, "{function}");
        }
        assert_eq!(lines("parse", ["p != NULL"].into_iter()), "[function.parse]\nassume = [\"p != NULL\"]\n");
        assert_eq!(lines("parse", std::iter::empty()), "");
    }
}
