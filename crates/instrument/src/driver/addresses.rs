//! Things with a fixed address: variables of other files, and the table through which all addresses are found again.
//!
//! After the pass nothing keeps its symbol, so the driver has one table with the address of everything that inputs may
//! point to; the table itself is found by name in the executable.

use std::fmt::Write;

use tarka_source::{FunctionId, Global, SourceModel, TypeId};

use super::{ADDRESSES, Driver, stubs};
use crate::plan::Plan;
use crate::{Address, AddressOf};

/// Bytes of a variable whose type does not say how large it is (`extern const struct entry table[];`); all are zero.
const UNSIZED: u64 = 4096;

/// What each entry of the table is.
#[derive(Clone, Default, Debug)]
pub(crate) struct AddressTable {
    entries: Vec<(Entry, u64)>,
}

#[derive(Clone, Debug)]
enum Entry {
    Known(AddressOf),
    /// A variable of another file, by index in the model's declared variables.
    Declared(u32),
}

/// A variable with its place in memory.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) size: u64,
}

impl AddressTable {
    /// Functions whose address is taken, stubs, globals, then variables of other files.
    pub(crate) fn of(model: &SourceModel, plan: &Plan) -> AddressTable {
        let size_of = |ty: TypeId| model.types.get(ty).size;
        let mut entries = Vec::new();
        for (index, function) in model.functions.iter().enumerate() {
            if function.address_taken && function.is_named {
                entries.push((Entry::Known(AddressOf::Function(FunctionId(index as u32))), 0));
            }
        }
        for stub in 0..plan.stubs.len() as u32 {
            entries.push((Entry::Known(AddressOf::Stub(stub)), 0));
        }
        for (index, global) in model.globals.iter().enumerate() {
            if size_of(global.ty) > 0 && !global.is_thread_local && global.is_named {
                entries.push((Entry::Known(AddressOf::Global(index as u32)), size_of(global.ty)));
            }
        }
        for &index in plan.defined_variables.iter().chain(&plan.other_variables) {
            let variable = &model.declared_variables[index as usize];
            if size_of(variable.ty) > 0 && !variable.is_thread_local {
                entries.push((Entry::Declared(index), size_of(variable.ty)));
            }
        }
        AddressTable { entries }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The table with its addresses filled in, for those who make pointers.
    pub(crate) fn named(&self, addresses: &[u64]) -> Vec<Address> {
        let entries = self.entries.iter().zip(addresses);
        entries
            .filter_map(|((entry, size), address)| {
                let Entry::Known(what) = entry else { return None };
                Some(Address { address: *address, size: *size, what: what.clone() })
            })
            .collect()
    }

    /// Every variable of the table.
    pub(crate) fn variables(&self, model: &SourceModel, addresses: &[u64]) -> Vec<Variable> {
        let entries = self.entries.iter().zip(addresses);
        entries
            .filter_map(|((entry, size), address)| {
                let global: &Global = match entry {
                    Entry::Known(AddressOf::Global(index)) => &model.globals[*index as usize],
                    Entry::Declared(index) => &model.declared_variables[*index as usize],
                    Entry::Known(_) => return None,
                };
                Some(Variable { name: global.name.clone(), address: *address, size: *size })
            })
            .collect()
    }
}

/// Definitions of variables that nobody defines, and declarations of those of other objects.
///
/// Their type does not matter to an input, which is bytes; declared by symbol, they may be `volatile`, of a type without
/// a name, or declared inside a function.
pub(super) fn variables(text: &mut String, model: &SourceModel, plan: &Plan) {
    let mut declare = |index: u32, storage: &str| {
        let variable = &model.declared_variables[index as usize];
        let ty = model.types.get(variable.ty);
        let thread = if variable.is_thread_local { "__thread " } else { "" };
        // Nobody knows where one ends whose size is not told: with a section of its own it gets no edge.
        let (size, section) = match ty.size {
            0 => (UNSIZED, ", section(\".data.unsized\")"),
            size => (size, ""),
        };
        let _ = writeln!(
            text,
            "{storage}{thread}unsigned char __tk_variable_{index}[{size}] __asm__(\"{}\") __attribute__((aligned({}){section}));",
            variable.name,
            ty.align.max(1)
        );
    };
    for &index in &plan.defined_variables {
        declare(index, "");
    }
    for &index in &plan.other_variables {
        declare(index, "extern ");
    }
    for (number, symbol) in plan.fixed_symbols.iter().enumerate() {
        let _ = writeln!(text, "extern const char __tk_fixed_{number}[] __asm__(\"{symbol}\");");
    }
}

/// How the driver names a global.
pub(super) fn expression(driver: &Driver<'_>, name: &str) -> String {
    let declared = &driver.model.declared_variables;
    let is_own = driver.model.globals.iter().any(|global| global.name == name);
    match declared.iter().position(|variable| variable.name == name) {
        Some(index) if !is_own => format!("__tk_variable_{index}"),
        _ => name.to_owned(),
    }
}

/// The table itself. A symbol of a shared library that stands in constant data gets an address that is known before the
/// program starts; that is why they are listed behind the entries.
pub(super) fn table(text: &mut String, driver: &Driver<'_>) {
    let _ = writeln!(text, "__attribute__((used)) static const void *const {ADDRESSES}[] = {{");
    for (entry, _) in &driver.table.entries {
        let name = match entry {
            Entry::Known(AddressOf::Function(id)) => driver.model.function(*id).name.clone(),
            Entry::Known(AddressOf::Stub(stub)) => stubs::symbol(*stub as usize),
            Entry::Known(AddressOf::Global(index)) => {
                format!("&{}", driver.model.globals[*index as usize].name)
            }
            Entry::Declared(index) => format!("&__tk_variable_{index}"),
        };
        let _ = writeln!(text, "  (const void *){name},");
    }
    for number in 0..driver.plan.fixed_symbols.len() {
        let _ = writeln!(text, "  (const void *)__tk_fixed_{number},");
    }
    text.push_str("  0\n};\n");
}
