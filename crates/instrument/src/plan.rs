//! What the driver must define beside the calls: stubs, and variables and inline functions that nobody else defines.
//!
//! Takes the model, the units and, after a link that failed, the names the linker missed; gives the plan of the next
//! attempt. A plan only grows, so a few attempts settle it.

use std::collections::BTreeSet;

use tarka_source::{
    DeclaredFunction, LibraryInput, SourceModel, Stub, StubKind, library_input_of, plan_library,
    plan_pointer, plan_undefined,
};

use crate::reach::{FunctionPointer, Reach};
use crate::{InstrumentError, UnitRequest};

/// What is built in.
#[derive(Clone, Default, Debug)]
pub(crate) struct Plan {
    /// Library functions, undefined functions, then one stub for each type of function pointer.
    pub(crate) stubs: Vec<Stub>,
    /// How many of them stand for functions that have a name.
    named_stubs: usize,
    /// Variables the driver defines, by index in [`SourceModel::declared_variables`].
    pub(crate) defined_variables: Vec<u32>,
    /// Variables that other objects define, by the same index.
    pub(crate) other_variables: Vec<u32>,
    /// `inline` functions that need an external definition.
    pub(crate) inline_functions: Vec<String>,
    /// Names that nobody defines and no stub can stand for; no unit reaches them, so the linker is given a trap.
    pub(crate) unreached: BTreeSet<String>,
    /// Symbols of shared libraries whose address must be known before the program starts.
    pub(crate) fixed_symbols: BTreeSet<String>,
}

impl Plan {
    /// The first plan: the library functions whose answers are inputs.
    pub(crate) fn new(model: &SourceModel, library_inputs: &[LibraryInput]) -> Plan {
        let wanted = |function: &&DeclaredFunction| {
            let is_unasked = tarka_library::answers(&function.name).is_some_and(|answers| answers.unasked);
            library_input_of(&function.name).filter(|input| is_unasked || library_inputs.contains(input))
        };
        let stubs: Vec<Stub> = model
            .declared_functions
            .iter()
            .filter_map(|function| plan_library(model, function, wanted(&function)?))
            .collect();
        Plan { named_stubs: stubs.len(), stubs, ..Plan::default() }
    }

    /// What each unit reaches, with a stub for every type of function pointer that its input may hold.
    pub(crate) fn reach(&mut self, model: &SourceModel, units: &[UnitRequest]) -> Vec<Reach> {
        self.stubs.truncate(self.named_stubs);
        let reaches: Vec<Reach> =
            units.iter().map(|unit| Reach::of(model, unit.function, &self.stubs)).collect();
        let mut types: Vec<&FunctionPointer> = Vec::new();
        for pointer in reaches.iter().flat_map(|reach| &reach.pointers).filter(|pointer| pointer.in_input) {
            if !types.iter().any(|known| model.types.same_type(known.ty, pointer.ty)) {
                types.push(pointer);
            }
        }
        let mut names = NamesInUse::of(model);
        for pointer in types {
            // A type that C cannot spell has no stub: such a pointer is null or one of the file's own functions.
            let name = names.unused(&stub_name(model, pointer));
            if let Ok(stub) = plan_pointer(model, pointer.ty, name.clone()) {
                self.stubs.push(stub);
                names.0.insert(name);
            }
        }
        reaches
    }

    /// Plans for what the linker did not find. What cannot be defined is an error only if a unit reaches it.
    pub(crate) fn define(
        &mut self,
        model: &SourceModel,
        units: &[UnitRequest],
        names: &[String],
    ) -> Result<(), InstrumentError> {
        let reaches = self.reach(model, units);
        let is_reached = |name: &str| reaches.iter().any(|reach| reach.mentions(model, name));
        let mut missing = Vec::new();
        let mut stubs = Vec::new();
        for name in names {
            let planned = if let Some(function) = named(&model.declared_functions, name, |item| &item.name) {
                self.stub_for(model, &model.declared_functions[function], &mut stubs)
            } else if let Some(variable) = named(&model.declared_variables, name, |item| &item.name) {
                self.define_variable(variable as u32)
            } else if model.inline_definitions.contains_key(name) {
                self.define_inline(name)
            } else {
                Err(None)
            };
            match planned {
                Ok(()) => {}
                Err(_) if !is_reached(name) && self.unreached.insert(name.clone()) => {}
                Err(reason) => missing.push((name.clone(), reason)),
            }
        }
        if !missing.is_empty() {
            return Err(InstrumentError::undefined(missing));
        }
        self.stubs.truncate(self.named_stubs);
        self.named_stubs += stubs.len();
        self.stubs.extend(stubs);
        Ok(())
    }

    fn stub_for(
        &self,
        model: &SourceModel,
        function: &DeclaredFunction,
        stubs: &mut Vec<Stub>,
    ) -> Result<(), Option<String>> {
        if self.stubs[..self.named_stubs].iter().any(|stub| stub.name == function.name) {
            return Err(None);
        }
        stubs.push(plan_undefined(model, function).map_err(Some)?);
        Ok(())
    }

    fn define_variable(&mut self, variable: u32) -> Result<(), Option<String>> {
        if self.defined_variables.contains(&variable) {
            return Err(None);
        }
        self.defined_variables.push(variable);
        Ok(())
    }

    fn define_inline(&mut self, name: &str) -> Result<(), Option<String>> {
        if self.inline_functions.iter().any(|known| known == name) {
            return Err(Some(format!("{name} is only defined inline")));
        }
        self.inline_functions.push(name.to_string());
        Ok(())
    }

    /// The library functions whose answers are inputs.
    pub(crate) fn scripted(&self) -> BTreeSet<String> {
        let library = self.stubs.iter().filter(|stub| matches!(stub.kind, StubKind::Library(_)));
        library.map(|stub| stub.name.clone()).collect()
    }

    /// Whether a declared variable has a place in the executable that an input can be bound to.
    pub(crate) fn has_variable(&self, variable: u32) -> bool {
        self.defined_variables.contains(&variable) || self.other_variables.contains(&variable)
    }
}

fn named<T>(items: &[T], name: &str, name_of: impl Fn(&T) -> &String) -> Option<usize> {
    items.iter().position(|item| name_of(item) == name)
}

/// `stub_compare`: after the pointer, or its type where the pointer has no name of its own.
fn stub_name(model: &SourceModel, pointer: &FunctionPointer) -> String {
    let is_unnamed =
        pointer.name.strip_prefix("arg").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    let typedef = &model.types.get(pointer.ty).spelling;
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match () {
        () if !is_unnamed && is_word(&pointer.name) => format!("stub_{}", pointer.name),
        () if is_word(typedef) => format!("stub_{typedef}"),
        () => "stub_function".to_owned(),
    }
}

/// Names that a stub must not take.
struct NamesInUse(BTreeSet<String>);

impl NamesInUse {
    fn of(model: &SourceModel) -> NamesInUse {
        let functions = model.functions.iter().map(|function| &function.name);
        let declared = model.declared_functions.iter().map(|function| &function.name);
        let globals = model.globals.iter().chain(&model.declared_variables).map(|global| &global.name);
        NamesInUse(functions.chain(declared).chain(globals).cloned().collect())
    }

    fn unused(&self, wanted: &str) -> String {
        let numbered = (2..).map(|number: u32| format!("{wanted}_{number}"));
        let mut all = std::iter::once(wanted.to_owned()).chain(numbered);
        all.find(|name| !self.0.contains(name)).unwrap_or_else(|| wanted.to_owned())
    }
}
