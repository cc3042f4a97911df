//! The part of the driver that runs one unit: bind the input, call, hand over what came of it.

use std::fmt::Write;

use tarka_scenario::Role;
use tarka_source::TypeKind;

use super::{Driver, Unit, addresses, assumes, declaration};
use crate::InstrumentError;

/// The body of the unit's `case`.
pub(super) fn case(
    text: &mut String,
    driver: &Driver<'_>,
    number: usize,
    unit: &Unit<'_>,
) -> Result<(), InstrumentError> {
    let globals: Vec<(String, u64, u32)> = unit
        .layout
        .roots
        .iter()
        .filter_map(|root| match &root.role {
            Role::Global(name) => Some((addresses::expression(driver, name), root.size, root.offset)),
            _ => None,
        })
        .collect();
    for (variable, size, offset) in &globals {
        if driver.adopt_globals {
            let _ = writeln!(text, "    tk_adopt((const void *)&{variable}, {size}ul, {offset}u);");
        }
        let _ = writeln!(text, "    tk_bind((void *)&{variable}, {size}ul, {offset}u);");
    }
    if !driver.plan.stubs.is_empty() {
        let (base, stride) = (unit.stub_base, driver.frame.stride);
        let _ = writeln!(text, "    tk_stub_values({base}u, {stride}u, {}u);", unit.request.stub_calls);
    }
    for call in 0..unit.request.calls.max(1) {
        let condition = if call == 0 { String::new() } else { format!("if (tk_call_count() > {call}u) ") };
        let _ = writeln!(text, "    {condition}{{");
        one_call(text, driver, number, unit, call)?;
        text.push_str("    }\n");
    }
    // An adopted value is the input itself, which must stay readable.
    for (variable, size, offset) in globals.iter().filter(|_| !driver.adopt_globals) {
        let _ = writeln!(text, "    tk_unbind((const void *)&{variable}, {size}ul, {offset}u);");
    }
    // What `main` leaves ends with the program.
    if driver.leaks && driver.model.function(unit.layout.function).name != "main" {
        text.push_str("    tk_leaks();\n");
    }
    Ok(())
}

fn one_call(
    text: &mut String,
    driver: &Driver<'_>,
    number: usize,
    unit: &Unit<'_>,
    call: u32,
) -> Result<(), InstrumentError> {
    let model = driver.model;
    let function = model.function(unit.layout.function);
    let mut arguments = Vec::new();
    for root in &unit.layout.roots {
        let Role::Argument { step: of_call, position } = root.role else { continue };
        if of_call != call {
            continue;
        }
        let variable = format!("__tk_p{position}");
        let param = &function.params[position as usize];
        let declared = declaration(model, param.ty, &variable).ok_or_else(|| InstrumentError::Unnamed {
            function: function.name.clone(),
            param: param.name.clone(),
        })?;
        let _ = writeln!(text, "      {declared};");
        let _ = writeln!(text, "      tk_bind((void *)&{variable}, sizeof {variable}, {}u);", root.offset);
        arguments.push(variable);
    }
    let arguments = arguments.join(", ");
    assumes::checks(text, number, unit, &arguments);
    let call = format!("{}({arguments})", function.name);
    if matches!(model.types.get(function.result).kind, TypeKind::Void) {
        let _ = writeln!(text, "      {call};");
    } else {
        // `typeof` of the call itself: right for every result type, spelled or not.
        let _ = writeln!(text, "      __typeof__({call}) __tk_r = {call};");
        let name = &function.name;
        let _ =
            writeln!(text, "      tk_result((const void *)&__tk_r, sizeof __tk_r, (const void *)&{name});");
    }
    Ok(())
}
