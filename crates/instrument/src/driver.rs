//! The generated C driver, compiled in the same translation unit as the user's code.
//!
//! Takes the model and the units, gives C text to append to the probed text: one `case` per unit in `__tk_drive`,
//! which binds a variable per root, calls the function and hands over its result; and one `__tk_arm_N` helper per
//! source switch, which tells the arm a value takes.

use std::fmt::Write;

use tarka_source::{FunctionId, Param, SiteKind, SourceModel, StubPart, TypeId, TypeKind};

use crate::InstrumentError;
use crate::pass::{ON_START, REGISTER_GLOBALS};

/// What the driver binds for one unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitLayout {
    /// The function under test.
    pub function: FunctionId,
    /// Its roots, at ascending arena offsets.
    pub roots: Vec<Root>,
    /// First arena offset free for pointees.
    pub pointees_start: u32,
}

/// A variable whose bytes are input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// Name in the source.
    pub name: String,
    /// Type (arrays of parameters decayed).
    pub ty: TypeId,
    /// Arena offset of its first byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u64,
    /// What it is.
    pub role: RootRole,
    /// For a global: the bytes it has in the executable. Empty for everything else.
    pub initial: Vec<u8>,
}

/// What a root is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RootRole {
    /// A parameter of one of the driver's calls.
    Param {
        /// Which call, from 0.
        call: u32,
        /// Position.
        position: u32,
    },
    /// Global by name.
    Global(String),
    /// A value of a stub.
    Stub {
        /// Index in [`crate::Build::stubs`].
        stub: u32,
        /// Which call of the stub, from 0.
        call: u32,
        /// Which value.
        part: StubPart,
    },
}

/// Roots and pointees are aligned as `malloc` would align them.
const ALIGNMENT: u64 = 16;
/// Pointees start on a page of their own.
const PAGE: u64 = 4096;

/// Lays out the roots of a unit in the arena.
pub(crate) fn layout(model: &SourceModel, function: FunctionId, globals_as_inputs: bool) -> UnitLayout {
    let mut roots = Vec::new();
    let mut next = 0_u64;
    let mut add = |name: &str, ty: TypeId, role: RootRole| {
        let size = model.types.get(ty).size;
        roots.push(Root { name: name.to_owned(), ty, offset: next as u32, size, role, initial: Vec::new() });
        next = (next + size.max(1)).next_multiple_of(ALIGNMENT);
    };
    for (index, param) in model.function(function).params.iter().enumerate() {
        add(&param.name, param.ty, RootRole::Param { call: 0, position: index as u32 });
    }
    if globals_as_inputs {
        for global in
            model.globals.iter().filter(|global| !global.is_const && model.types.get(global.ty).size > 0)
        {
            add(&global.name, global.ty, RootRole::Global(global.name.clone()));
        }
    }
    let pointees_start = next.next_multiple_of(PAGE) as u32;
    UnitLayout { function, roots, pointees_start }
}

/// The file debug information names for the driver.
pub(crate) const DRIVER_FILE: &str = "<tarka driver>";

/// The driver's text.
pub(crate) fn driver_text(model: &SourceModel, units: &[UnitLayout]) -> Result<String, InstrumentError> {
    let mut text = format!("\n# 1 \"{DRIVER_FILE}\"\n");
    text.push_str("void tk_bind(void *, unsigned long, unsigned);\n");
    text.push_str("void tk_adopt(const void *, unsigned long, unsigned);\n");
    text.push_str("void tk_result(const void *, unsigned long);\n");
    let _ = writeln!(text, "void {REGISTER_GLOBALS}(void);");
    let _ = writeln!(
        text,
        "__attribute__((constructor)) static void {ON_START}(void) {{ {REGISTER_GLOBALS}(); }}"
    );
    for (number, site) in model.sites.iter().enumerate() {
        if let SiteKind::Switch { arms, bits, signed } = &site.kind {
            arm_helper(&mut text, number, arms, *bits, *signed);
        }
    }
    text.push_str("void __tk_drive(unsigned __tk_unit) {\n  switch (__tk_unit) {\n");
    for (number, unit) in units.iter().enumerate() {
        let _ = writeln!(text, "  case {number}: {{");
        unit_case(&mut text, model, unit)?;
        text.push_str("    break;\n  }\n");
    }
    text.push_str("  default: break;\n  }\n}\n");
    Ok(text)
}

fn unit_case(text: &mut String, model: &SourceModel, unit: &UnitLayout) -> Result<(), InstrumentError> {
    let function = model.function(unit.function);
    let mut arguments = Vec::new();
    for root in &unit.roots {
        match &root.role {
            RootRole::Param { position: index, .. } => {
                let variable = format!("__tk_p{index}");
                let param = &function.params[*index as usize];
                let declared = declaration(model, param, &variable).ok_or_else(|| {
                    InstrumentError::Unnamed { function: function.name.clone(), param: param.name.clone() }
                })?;
                let _ = writeln!(text, "    {declared};");
                let _ =
                    writeln!(text, "    tk_bind((void *)&{variable}, sizeof {variable}, {}u);", root.offset);
                arguments.push(variable);
            }
            RootRole::Global(name) => {
                let _ =
                    writeln!(text, "    tk_adopt((const void *)&{name}, sizeof {name}, {}u);", root.offset);
                let _ = writeln!(text, "    tk_bind((void *)&{name}, sizeof {name}, {}u);", root.offset);
            }
            RootRole::Stub { .. } => {}
        }
    }
    let call = format!("{}({})", function.name, arguments.join(", "));
    if matches!(model.types.get(function.result).kind, TypeKind::Void) {
        let _ = writeln!(text, "    {call};");
    } else {
        // `typeof` of the call itself: right for every result type, spelled or not.
        let _ = writeln!(text, "    __typeof__({call}) __tk_r = {call};");
        text.push_str("    tk_result((const void *)&__tk_r, sizeof __tk_r);\n");
    }
    Ok(())
}

/// A variable of a parameter's type; `None` for an unnamed record, which C cannot name a second time.
fn declaration(model: &SourceModel, param: &Param, variable: &str) -> Option<String> {
    let ty = model.types.get(param.ty);
    Some(match &ty.kind {
        // Any object pointer converts from `void *`, and the spelling of pointers to functions or arrays is not a prefix.
        TypeKind::Pointer { .. } => format!("void *{variable}"),
        _ if !ty.spelling.is_empty() => format!("{} {variable}", ty.spelling),
        TypeKind::Enum { bits, signed, .. } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            let width = match bits {
                8 => "char",
                16 => "short",
                64 => "long",
                _ => "int",
            };
            format!("{sign} {width} {variable}")
        }
        _ => return None,
    })
}

fn arm_helper(text: &mut String, number: usize, arms: &[tarka_source::Arm], bits: u16, signed: bool) {
    let ty = match (bits, signed) {
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        (_, true) => "int",
        (_, false) => "unsigned int",
    };
    let _ = writeln!(
        text,
        "__attribute__((always_inline)) unsigned __tk_arm_{number}(unsigned long long __tk_v) {{\n  switch (({ty})__tk_v) {{"
    );
    for (index, arm) in arms.iter().enumerate() {
        if let Some((first, last)) = arm.values {
            let range = if first == last {
                literal(first, signed)
            } else {
                format!("{} ... {}", literal(first, signed), literal(last, signed))
            };
            let _ = writeln!(text, "  case {range}: return {index}u;");
        }
    }
    let _ = writeln!(text, "  default: return {}u;\n  }}\n}}", arms.len().saturating_sub(1));
}

fn literal(number: i128, signed: bool) -> String {
    if !signed {
        format!("{}ull", number as u64)
    } else if number == i128::from(i64::MIN) {
        format!("(-{}ll - 1)", i64::MAX)
    } else {
        format!("({number}ll)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_is_written_without_overflow() {
        assert_eq!(literal(i128::from(i64::MIN), true), "(-9223372036854775807ll - 1)");
        assert_eq!(literal(-1, true), "(-1ll)");
        assert_eq!(literal(i128::from(u64::MAX), false), "18446744073709551615ull");
    }
}
