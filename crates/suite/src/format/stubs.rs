//! Scripted stubs: functions of a test file that do, call by call, what the run's stubs did.
//!
//! Takes the stubs of a build and the values that inputs gave them; gives the definitions of a file and the lines with
//! which a test says what each call does. A call beyond the script does what it did in the run: it gives zeros, or what
//! ends loops where the run had no more values to give.
//! Never decides which functions are stubs; the text of each function is made in `stub_text`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use tarka_source::{
    Global, LibraryInput, SourceModel, Stub, StubKind, StubPart, TypeId, TypeKind, TypeTable, declare,
};

use crate::format::layout::{LINE_WIDTH, listed, statement};
use crate::format::stub_text::{definition, is_single, member_name};
use crate::names::mentions;
use crate::render::scalar;
use crate::render::tree::{Script, Test, Value};

/// A library function that allocates: its script says which calls fail.
pub fn is_allocation(stub: &Stub) -> bool {
    stub.kind == StubKind::Library(LibraryInput::Alloc)
}

/// Bytes of a variable whose type does not say how large it is, as the target has it.
const UNSIZED: usize = 4096;

/// How the script of a stub is written in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScriptForm {
    /// No test scripts it.
    Silent,
    /// A list of results.
    Results,
    /// A list of structs: a result, what is written through parameters, `errno`.
    Calls {
        /// Some call sets `errno`.
        error: bool,
    },
}

/// All stubs and undefined variables of one file.
pub struct FileStubs<'a> {
    /// The translation unit.
    pub model: &'a SourceModel,
    stubs: &'a [Stub],
    missing: &'a BTreeSet<String>,
    forms: Vec<ScriptForm>,
    /// Whether some test calls the stub.
    called: Vec<bool>,
    /// Some test calls stubs more often than it scripts them.
    goes_on: bool,
    /// What the names of each stub's variables begin with.
    names: Vec<String>,
}

/// A stub with everything its text needs.
pub struct Scripted<'s> {
    /// The stub.
    pub stub: &'s Stub,
    /// How its script is written.
    pub form: ScriptForm,
    /// What the names of its variables begin with.
    pub name: &'s str,
    /// After its script it gives what ends loops.
    pub goes_on: bool,
}

impl Scripted<'_> {
    /// The variable that points to the script.
    pub fn list(&self) -> String {
        let what = match self.form {
            ScriptForm::Calls { .. } => "script",
            _ if is_allocation(self.stub) || self.stub.may_fail_to_allocate() => "fails",
            _ => "results",
        };
        format!("{}_{what}", self.name)
    }
}

impl<'a> FileStubs<'a> {
    /// The stubs of a file with these scripts. `missing` are variables and inline functions that the linker misses.
    pub fn new<'s>(
        model: &'a SourceModel,
        stubs: &'a [Stub],
        missing: &'a BTreeSet<String>,
        scripts: impl Iterator<Item = &'s Script>,
    ) -> Self {
        let mut forms = vec![ScriptForm::Silent; stubs.len()];
        let mut called = vec![false; stubs.len()];
        let scripts: Vec<&Script> = scripts.collect();
        let goes_on = scripts.iter().any(|script| script.goes_on);
        for script in scripts {
            let Some(stub) = stubs.get(script.stub as usize) else { continue };
            called[script.stub as usize] = true;
            if script.written(goes_on).is_empty() {
                continue;
            }
            let form = &mut forms[script.stub as usize];
            let sets_error = script.calls.iter().any(|call| call.contains_key(&StubPart::Errno));
            *form = match *form {
                _ if sets_error => ScriptForm::Calls { error: true },
                ScriptForm::Silent if stub.outs.is_empty() && stub.value_type(&model.types).is_none() => {
                    ScriptForm::Silent
                }
                ScriptForm::Silent if stub.outs.is_empty() => ScriptForm::Results,
                ScriptForm::Silent => ScriptForm::Calls { error: false },
                known => known,
            };
        }
        let names = stubs.iter().map(|stub| free_name(&stub.name, &model.probed_text)).collect();
        FileStubs { model, stubs, missing, forms, called, goes_on, names }
    }

    fn scripted(&self, index: usize) -> Option<Scripted<'_>> {
        let stub = self.stubs.get(index)?;
        let (form, name) = (self.forms[index], self.names[index].as_str());
        Some(Scripted { stub, form, name, goes_on: self.goes_on })
    }

    /// Lines before the unit that turn its calls of library functions to this file.
    pub fn redirections(&self) -> Vec<String> {
        let stubs = self.stubs.iter().enumerate().filter(|(index, _)| self.is_needed(*index, ""));
        stubs
            .filter(|(_, stub)| matches!(stub.kind, StubKind::Library(_)))
            .map(|(_, stub)| {
                format!("#pragma redefine_extname {0} {1}", stub.name, scripted_name(&stub.name))
            })
            .collect()
    }

    /// The definitions, to stand between the unit and `tests`, the text that may use them.
    pub fn definitions(&self, tests: &str) -> String {
        let mut text = self.definitions_of_missing();
        if self.forms.iter().any(|form| *form != ScriptForm::Silent) {
            let after = if self.goes_on { "what ends loops" } else { "zeros" };
            text.push_str(
                "/* Stubs. A test says what their calls do, one after the other; calls after those give ",
            );
            let _ = writeln!(text, "{after}. */\n");
        }
        for index in 0..self.stubs.len() {
            let Some(scripted) = self.scripted(index) else { continue };
            if self.is_needed(index, tests) {
                // The linker then names what is missing.
                let written = definition(self.model, &scripted);
                text.push_str(&written.unwrap_or_else(|unspellable| format!("/* {unspellable}. */\n")));
                text.push('\n');
            }
        }
        let stubs = self.stubs.iter().enumerate().filter(|(index, _)| self.is_needed(*index, tests));
        let allocations = stubs.filter(|(_, stub)| is_allocation(stub) && mentions(tests, &stub.name));
        let own: Vec<String> = allocations
            .map(|(_, stub)| format!("#define {0} {1}\n", stub.name, real_name(&stub.name)))
            .collect();
        if !own.is_empty() {
            text.push_str("/* The objects of the tests themselves can always be allocated. */\n");
            text.push_str(&own.concat());
        }
        text.trim_end().to_string() + if text.is_empty() { "" } else { "\n" }
    }

    /// Whether the file needs the stub: the linker wants what is undefined, a static function wants to be mentioned, and
    /// a library function that no test calls is the library's own, as is an allocation that never fails.
    fn is_needed(&self, index: usize, tests: &str) -> bool {
        let stub = &self.stubs[index];
        match stub.kind {
            StubKind::Pointer => mentions(tests, &stub.name),
            StubKind::Library(LibraryInput::Alloc) => self.forms[index] != ScriptForm::Silent,
            StubKind::Library(_) => self.called[index],
            StubKind::Undefined => true,
        }
    }

    fn definitions_of_missing(&self) -> String {
        let mut text = String::new();
        let declared = self.model.declared_variables.iter();
        for global in declared.filter(|global| self.missing.contains(&global.name)) {
            text.push_str(&self.definition_of_variable(global));
            text.push_str(";\n");
        }
        if !text.is_empty() {
            text = format!("/* Variables that the unit uses and nobody defines. */\n{text}\n");
        }
        let inline = self.missing.iter().filter_map(|name| self.model.inline_definitions.get(name));
        let inline: String = inline.map(|declared| format!("{declared}\n")).collect();
        if !inline.is_empty() {
            text += &format!("/* Inline functions that nobody defines for callers outside. */\n{inline}\n");
        }
        text
    }

    fn definition_of_variable(&self, global: &Global) -> String {
        let (types, name) = (&self.model.types, &global.name);
        if types.get(global.ty).size == 0 {
            // Its type does not say how large it is, so it is defined by its symbol.
            return format!(
                "unsigned char tarka_unsized_{name}[{UNSIZED}] __asm__(\"{name}\") __attribute__((aligned(16)))"
            );
        }
        let is_qualified = global.is_const || global.is_volatile;
        let plain = if is_qualified { None } else { declare(types, global.ty, name) };
        // `typeof` repeats qualifiers, and types that have no name.
        let plain = plain.unwrap_or_else(|| format!("__typeof__({name}) {name}"));
        if global.is_thread_local { format!("__extension__ __thread {plain}") } else { plain }
    }

    /// Everything that a test does before its calls, with the scripts of stubs as this file writes them.
    pub fn setup_lines(&self, test: &Test) -> Vec<String> {
        let scripts = test.scripts.iter().flat_map(|script| self.lines(script));
        test.setup.iter().map(statement).chain(scripts).collect()
    }

    /// The lines of a test that say what the calls of a stub do.
    fn lines(&self, script: &Script) -> Vec<String> {
        let written = script.written(self.goes_on);
        let Some(scripted) = self.scripted(script.stub as usize).filter(|_| !written.is_empty()) else {
            return Vec::new();
        };
        let (element, calls): (String, Vec<String>) = match scripted.form {
            ScriptForm::Silent => return Vec::new(),
            ScriptForm::Results => {
                let zero = self.zero(scripted.stub);
                let value = |call: &BTreeMap<_, Value>| call.get(&StubPart::Result).map(listed);
                let values = written.iter().map(|call| value(call).unwrap_or_else(|| zero.clone()));
                let value = scripted.stub.value_type(&self.model.types);
                let element = value.and_then(|value| declare(&self.model.types, value, "[]"));
                (element.unwrap_or_default(), values.collect())
            }
            ScriptForm::Calls { .. } => {
                let calls = written.iter().map(|call| self.call_text(scripted.stub, call));
                (format!("struct {}_call[]", scripted.name), calls.collect())
            }
        };
        let start = format!("{} = ({element}){{", scripted.list());
        let flat = format!("{start}{}}};", calls.join(", "));
        let list = if flat.len() + 4 <= LINE_WIDTH {
            flat
        } else {
            format!("{start}\n        {},\n    }};", calls.join(",\n        "))
        };
        vec![list, format!("{}_scripted = {};", scripted.name, written.len())]
    }

    fn call_text(&self, stub: &Stub, call: &BTreeMap<StubPart, Value>) -> String {
        let members = call.iter().map(|(part, value)| {
            let member = match part {
                StubPart::Result => "result".to_string(),
                StubPart::Errno => "error".to_string(),
                StubPart::Out(position) => member_name(stub, *position),
            };
            format!(".{member} = {}", listed(value))
        });
        let members: Vec<String> = members.collect();
        match stub.outs.first() {
            _ if !members.is_empty() => format!("{{{}}}", members.join(", ")),
            _ if stub.value_type(&self.model.types).is_some() => format!("{{.result = {}}}", self.zero(stub)),
            Some(out) if is_single(out) => {
                let zero = zero_element(&self.model.types, out.ty);
                format!("{{.{} = {zero}}}", member_name(stub, out.position))
            }
            Some(out) => {
                let zero = zero_element(&self.model.types, out.ty);
                format!("{{.{} = {{{zero}}}}}", member_name(stub, out.position))
            }
            None => "{0}".to_string(),
        }
    }

    fn zero(&self, stub: &Stub) -> String {
        let value = stub.value_type(&self.model.types).unwrap_or(stub.result);
        zero_element(&self.model.types, value)
    }
}

/// A zero in a list. Compilers want the braces of every aggregate inside, unless it is all there is.
fn zero_element(types: &TypeTable, ty: TypeId) -> String {
    match &types.get(ty).kind {
        TypeKind::Array { of, .. } => format!("{{{}}}", zero_element(types, *of)),
        TypeKind::Record { fields, .. } => match fields.iter().find(|field| !field.name.is_empty()) {
            Some(field) => format!("{{.{} = {}}}", field.name, zero_element(types, field.ty)),
            None => "{0}".to_string(),
        },
        _ => scalar::zero(types, ty),
    }
}

/// The function of a test file that a library function's calls come to.
pub fn scripted_name(name: &str) -> String {
    format!("tarka_{name}")
}

/// The functions of a test file that stand for library functions.
pub fn stand_ins(stubs: &[Stub]) -> BTreeSet<String> {
    let of_library = stubs.iter().filter(|stub| matches!(stub.kind, StubKind::Library(_)));
    of_library.map(|stub| scripted_name(&stub.name)).collect()
}

/// The name under which a test file calls the library's own function.
pub fn real_name(name: &str) -> String {
    format!("tarka_real_{name}")
}

/// A beginning for variable names that the unit does not use.
fn free_name(name: &str, unit: &str) -> String {
    let is_taken = |name: &str| {
        ["_call", "_calls", "_script", "_scripted", "_results", "_fails"]
            .iter()
            .any(|end| mentions(unit, &format!("{name}{end}")))
    };
    let mut names =
        std::iter::once(name.to_string()).chain((1..).map(|number| format!("{name}_stub{number}")));
    names.find(|name| !is_taken(name)).unwrap_or_else(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_unit_are_avoided() {
        assert_eq!(free_name("poll", "int poll(void); int poll_calls2;"), "poll");
        assert_eq!(free_name("poll", "int poll_calls;"), "poll_stub1");
        assert_eq!(free_name("poll", "int poll_calls, poll_stub1_script;"), "poll_stub2");
    }
}
