//! Initialisers as a tree, and their layout on the page.
//!
//! Takes a tree, gives text that fits the line: short ones on one line, long ones with a member a line.
//! Never looks at types or bytes.

/// Longest line the emitted files aim for.
pub const LINE_WIDTH: usize = 100;

/// What stands after the `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// All bytes zero: left out inside a list.
    Zero,
    /// One expression.
    Atom(String),
    /// `{…}`.
    List(Vec<Item>),
}

/// A member of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// `.name` or `[3]`; empty for the next element in order.
    pub designator: String,
    /// Its value.
    pub value: Init,
}

impl Init {
    /// The text, where `indent` is that of the line it starts on and `column` where on that line it starts.
    /// `zero` is what to write when everything is zero.
    pub fn text(&self, zero: &str, indent: usize, column: usize) -> String {
        let flat = self.flat(zero);
        match self {
            Init::List(items) if column + flat.len() + 1 > LINE_WIDTH => broken(items, indent),
            _ => flat,
        }
    }

    fn flat(&self, zero: &str) -> String {
        match self {
            Init::Zero => zero.to_string(),
            Init::Atom(text) => text.clone(),
            Init::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| item.prefix() + &item.value.flat("0")).collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }
}

impl Item {
    fn prefix(&self) -> String {
        if self.designator.is_empty() { String::new() } else { format!("{} = ", self.designator) }
    }
}

/// A list over several lines; plain elements share lines, members stand alone.
fn broken(items: &[Item], indent: usize) -> String {
    let pad = " ".repeat(indent + 4);
    let mut text = String::from("{\n");
    let mut column = 0;
    for item in items {
        let prefix = item.prefix();
        let value = item.value.text("0", indent + 4, indent + 4 + prefix.len());
        let piece = format!("{prefix}{value},");
        let shares_line = item.designator.is_empty() && !piece.contains('\n');
        if column > 0 && (!shares_line || column + 1 + piece.len() > LINE_WIDTH) {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push_str(&pad);
            column = pad.len();
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(&piece);
        column += piece.len();
        if !shares_line {
            text.push('\n');
            column = 0;
        }
    }
    if column > 0 {
        text.push('\n');
    }
    text + &" ".repeat(indent) + "}"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lists_stay_on_their_line_and_long_ones_break() {
        let atom = |text: &str| Init::Atom(text.to_string());
        let member = |name: &str, value| Item { designator: name.to_string(), value };
        let short = Init::List(vec![member(".a", atom("1")), member(".b", atom("2"))]);
        assert_eq!(short.text("{0}", 4, 20), "{.a = 1, .b = 2}");
        let wide = Init::List(vec![member(".numbers", short), member(".text", atom(&"x".repeat(80)))]);
        assert_eq!(
            wide.text("{0}", 4, 20),
            format!(
                "{{\n        .numbers = {{.a = 1, .b = 2}},\n        .text = {},\n    }}",
                "x".repeat(80)
            )
        );
    }
}
