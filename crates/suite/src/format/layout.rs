//! The tree of a test as lines of C that fit the page.
//!
//! Takes statements, values and checks, gives text without the indentation of its first line: short initialisers on one line,
//! long ones with a member a line. Never looks at types or bytes.

use crate::render::tree::{
    Call, Check, Declaration, Init, Item, ObservedValue, ResultVariable, Statement, Test, Value,
};

/// Longest line the emitted files aim for.
pub const LINE_WIDTH: usize = 100;

/// How far the body of a function is indented.
const INDENT: usize = 4;

/// A statement of a function's body.
pub fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Comment(text) => format!("/* {text} */"),
        Statement::Declare(declaration) => declared(declaration),
        Statement::Assign { place, value } => format!("{};", followed(format!("{place} = "), value)),
        Statement::Copy { to, from, size } => {
            format!("{}, {size});", followed(format!("memcpy({to}, "), from))
        }
        Statement::CopyText { to, text, fill: None } => format!("strcpy({to}, {text});"),
        Statement::CopyText { to, text, fill: Some(size) } => format!("strncpy({to}, {text}, {size});"),
        Statement::Clear { at, size } => format!("memset({at}, 0, {size});"),
        Statement::Call(call) => format!("{};", call_text(call)),
    }
}

fn declared(Declaration { declared, value, remark }: &Declaration) -> String {
    let start = match value {
        Some(value) => followed(format!("{declared} = "), value),
        None => declared.clone(),
    };
    let remark = remark.map(|remark| format!(" /* {remark} */")).unwrap_or_default();
    format!("{start};{remark}")
}

/// The beginning of a line and the value after it.
fn followed(mut start: String, value: &Value) -> String {
    if let Some(unnamed) = &value.unnamed {
        let address = if unnamed.by_address { "&" } else { "" };
        start += &format!("{address}({})", unnamed.ty);
    }
    let column = INDENT + start.len();
    start + &init_text(&value.init, &value.zero, INDENT, column)
}

/// A value that stands in a list of others.
pub fn listed(value: &Value) -> String {
    init_text(&value.init, &value.zero, INDENT, INDENT)
}

/// A call as an expression.
pub fn call_text(call: &Call) -> String {
    format!("{}({})", call.function, call.arguments.join(", "))
}

/// A call whose result nobody wants.
pub fn call_statement(call: &Call) -> String {
    let thrown_away = if call.returns { "(void)" } else { "" };
    format!("{thrown_away}{};", call_text(call))
}

/// The declaration of the result; `None` if there is none.
pub fn result_declaration(test: &Test) -> Option<String> {
    match &test.result {
        ResultVariable::Nothing => None,
        ResultVariable::Declared(text) => Some(text.clone()),
        ResultVariable::Inferred => Some(format!("__auto_type {}", test.result_name)),
    }
}

/// A check as a condition.
pub fn condition(check: &Check) -> String {
    let place = &check.place;
    match &check.seen {
        // Flags are joined by an operator that binds less.
        ObservedValue::Number(value) if value.contains(" | ") && !value.starts_with('(') => {
            format!("{place} == ({value})")
        }
        ObservedValue::Number(value) | ObservedValue::PointsTo(value) => format!("{place} == {value}"),
        ObservedValue::Float { value, negative_zero: false } => format!("{place} == {value}"),
        ObservedValue::Float { value, negative_zero: true } => {
            format!("{place} == {value} && signbit({place})")
        }
        ObservedValue::NotANumber => format!("isnan({place})"),
        ObservedValue::Null => format!("{place} == NULL"),
        ObservedValue::NotNull => format!("{place} != NULL"),
        ObservedValue::Text(text) => format!("strcmp({place}, {text}) == 0"),
        ObservedValue::Characters(text) => format!("memcmp({place}, {text}, sizeof {text}) == 0"),
        ObservedValue::Elements { name, .. } => format!("memcmp({place}, {name}, sizeof {name}) == 0"),
    }
}

/// What must be declared before a check.
pub fn check_setup(check: &Check) -> Option<String> {
    let ObservedValue::Elements { declared, values, .. } = &check.seen else { return None };
    let items = values.iter().map(|text| Item { designator: String::new(), value: Init::Atom(text.clone()) });
    let value = Value::plain(Init::List(items.collect()), "{0}");
    Some(format!("{};", followed(format!("const {declared} = "), &value)))
}

/// The text of an initialiser, where `indent` is that of the line it starts on and `column` where on that line it starts.
/// `zero` is what to write when everything is zero.
fn init_text(init: &Init, zero: &str, indent: usize, column: usize) -> String {
    let flat = init.on_one_line(zero);
    match init {
        Init::List(items) if column + flat.len() + 1 > LINE_WIDTH => broken(items, indent),
        _ => flat,
    }
}

/// A list over several lines; plain elements share lines, members stand alone.
fn broken(items: &[Item], indent: usize) -> String {
    let pad = " ".repeat(indent + 4);
    let mut text = String::from("{\n");
    let mut column = 0;
    for item in items {
        let prefix = item.prefix();
        let value = init_text(&item.value, "0", indent + 4, indent + 4 + prefix.len());
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
        assert_eq!(init_text(&short, "{0}", 4, 20), "{.a = 1, .b = 2}");
        let wide = Init::List(vec![member(".numbers", short), member(".text", atom(&"x".repeat(80)))]);
        assert_eq!(
            init_text(&wide, "{0}", 4, 20),
            format!(
                "{{\n        .numbers = {{.a = 1, .b = 2}},\n        .text = {},\n    }}",
                "x".repeat(80)
            )
        );
    }
}
