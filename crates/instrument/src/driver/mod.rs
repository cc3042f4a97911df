//! The generated C driver, compiled in the same translation unit as the user's code.
//!
//! Takes the model, the units with their layout and the plan of what nobody else defines; gives C text to append to
//! the probed text. One `case` per unit in `__tk_drive` binds variables, calls the function and hands over its result.

mod addresses;
mod assumes;
mod layout;
mod library;
mod stub_values;
mod stubs;
mod switches;
mod unit;

use std::fmt::Write;

use tarka_source::{SourceModel, TypeId, TypeKind};

pub(crate) use addresses::{AddressTable, Variable};
pub use layout::{Root, UnitLayout};
pub(crate) use layout::{Unit, can_be_input, layout};
pub(crate) use stub_values::StubFrame;

pub use stubs::symbol_of_stub;

use crate::InstrumentError;
use crate::pass::{ON_START, REGISTER_GLOBALS};
use crate::plan::Plan;

/// The file debug information names for the driver.
pub(crate) const DRIVER_FILE: &str = "<tarka driver>";
/// The table of addresses that is read back from the executable.
pub(crate) const ADDRESSES: &str = "__tk_addresses";

/// Functions of the runtime that the driver calls.
const RUNTIME: &str = "\
void tk_bind(void *, unsigned long, unsigned);
void tk_adopt(const void *, unsigned long, unsigned);
void tk_unbind(const void *, unsigned long, unsigned);
void tk_result(const void *, unsigned long, const void *);
unsigned tk_call_count(void);
void tk_stub_values(unsigned, unsigned, unsigned);
unsigned tk_stub_value(void *, unsigned long, unsigned, const unsigned *, const unsigned long *, unsigned);
unsigned long tk_stub_cut(unsigned, const unsigned long *);
unsigned long tk_room(const void *);
void __tk_fits(_Bool);
__attribute__((noreturn)) void tk_stub_exit(void);
__attribute__((noreturn)) void tk_answer_impossible(void);
void tk_keeps(const void *, unsigned long);
void tk_leaks(void);
void tk_assume_begin(unsigned);
void tk_assume_end(void);
__attribute__((noreturn)) void tk_assume_failed(unsigned);
";

/// What the text is made from.
pub(crate) struct Driver<'a> {
    pub(crate) model: &'a SourceModel,
    pub(crate) plan: &'a Plan,
    pub(crate) frame: &'a StubFrame,
    pub(crate) units: &'a [Unit<'a>],
    pub(crate) table: &'a AddressTable,
    /// Memory that is lost when a unit returns is a fault.
    pub(crate) leaks: bool,
    /// An uninitialised read is a fault.
    pub(crate) uninitialised: bool,
    /// Globals keep the value they have, instead of getting the input's.
    pub(crate) adopt_globals: bool,
}

impl Driver<'_> {
    /// The driver's text.
    pub(crate) fn text(&self) -> Result<String, InstrumentError> {
        let mut text = format!("\n# 1 \"{DRIVER_FILE}\"\n{RUNTIME}");
        let _ = writeln!(text, "void {REGISTER_GLOBALS}(void);");
        let _ = writeln!(
            text,
            "__attribute__((constructor)) static void {ON_START}(void) {{ {REGISTER_GLOBALS}(); }}"
        );
        switches::arm_helpers(&mut text, self.model);
        for declared in
            self.plan.inline_functions.iter().filter_map(|name| self.model.inline_definitions.get(name))
        {
            let _ = writeln!(text, "{declared}");
        }
        for name in &self.plan.unreached {
            let _ = writeln!(
                text,
                "__asm__(\".pushsection .text\\n.globl {name}\\n{name}: ud2\\n.popsection\");"
            );
        }
        addresses::variables(&mut text, self.model, self.plan);
        stubs::definitions(&mut text, self)?;
        addresses::table(&mut text, self);
        for (number, unit) in self.units.iter().enumerate() {
            assumes::functions(&mut text, self.model, number, unit)?;
        }
        text.push_str("void __tk_drive(unsigned __tk_unit) {\n  switch (__tk_unit) {\n");
        for (number, unit) in self.units.iter().enumerate() {
            let _ = writeln!(text, "  case {number}: {{");
            unit::case(&mut text, self, number, unit)?;
            text.push_str("    break;\n  }\n");
        }
        text.push_str("  default: break;\n  }\n}\n");
        Ok(text)
    }
}

/// A variable of a parameter's or result's type; `None` for an unnamed record, which C cannot name a second time.
fn declaration(model: &SourceModel, ty: TypeId, variable: &str) -> Option<String> {
    let ty = model.types.get(ty);
    Some(match &ty.kind {
        // Every pointer converts from `void *`, and the spelling of pointers to functions or arrays is not a prefix.
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
