//! Preconditions: a C function over the unit's parameters for each, called before each call of the unit.

use std::fmt::Write;

use tarka_source::{SourceModel, assume_parameters};

use super::{DRIVER_FILE, Unit};
use crate::InstrumentError;

/// The functions that evaluate the preconditions of a unit.
pub(super) fn functions(
    text: &mut String,
    model: &SourceModel,
    number: usize,
    unit: &Unit<'_>,
) -> Result<(), InstrumentError> {
    if unit.request.assumes.is_empty() {
        return Ok(());
    }
    let function = model.function(unit.layout.function);
    let parameters =
        assume_parameters(model, unit.layout.function).ok_or_else(|| InstrumentError::Precondition {
            function: function.name.clone(),
            expression: unit.request.assumes.join("; "),
            message: "a parameter has an unnamed type (give the type a name)".to_owned(),
        })?;
    for (index, expression) in unit.request.assumes.iter().enumerate() {
        // A file name of its own, so that clang's complaints name the precondition.
        let shown = expression.replace(['\\', '"', '\n'], " ");
        let _ = writeln!(text, "# 1 \"precondition of {}: {shown}\"", function.name);
        let _ = writeln!(
            text,
            "static _Bool __tk_assume_{number}_{index}({parameters}) {{ return !!({expression}); }}"
        );
    }
    let _ = writeln!(text, "# 1 \"{DRIVER_FILE}\"");
    Ok(())
}

/// The checks before a call.
pub(super) fn checks(text: &mut String, number: usize, unit: &Unit<'_>, arguments: &str) {
    for index in 0..unit.request.assumes.len() {
        let _ = writeln!(text, "      tk_assume_begin({index}u);");
        let _ = writeln!(
            text,
            "      if (!__tk_assume_{number}_{index}({arguments})) tk_assume_failed({index}u);"
        );
        text.push_str("      tk_assume_end();\n");
    }
}
