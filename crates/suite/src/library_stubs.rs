//! Library functions whose answers are inputs: what their stand-ins in a test file do differently from other stubs.
//!
//! Takes a stub of a library function, gives C. Each does what the library's function does as far as a caller sees it:
//! allocations that do not fail are real, reads deliver as much as they return. Never: other stubs.

use tarka_source::{LibraryInput, Stub, StubKind, StubOut, declare};

use crate::stub_text::{StubText, param_name};
use crate::stubs::real_name;

/// What stands above the function.
pub fn comment(stub: &Stub, input: LibraryInput) -> String {
    let name = &stub.name;
    let what = match input {
        LibraryInput::Alloc => ": the library's, but a call fails where its script says 1",
        LibraryInput::Read if name == "fgets" => {
            ": a result is a number of characters, or -1 at the end of the file"
        }
        _ => "",
    };
    format!("/* The unit's {name}(){what}. */")
}

/// The statements of functions that are not like any other stub.
pub fn statements(text: &StubText) -> Option<Vec<String>> {
    let stub = text.stub;
    let name = stub.name.as_str();
    match (stub.kind, stub.outs.first()) {
        (StubKind::Library(LibraryInput::Alloc), _) => Some(allocation(text)),
        (StubKind::Library(LibraryInput::Read), Some(out)) if name == "fgets" => Some(line(text, out)),
        (StubKind::Library(LibraryInput::Read), Some(out)) => Some(read(text, out)),
        (StubKind::Library(LibraryInput::Time), None) if name == "time" => Some(time(text)),
        _ => None,
    }
}

/// A variable that those statements need.
pub fn local(text: &StubText) -> Option<String> {
    let stub = text.stub;
    match (stub.kind, stub.outs.first()) {
        (StubKind::Library(LibraryInput::Time), None) if stub.name == "time" => {
            let declared = declare(&text.model.types, stub.result, &text.local("result"))?;
            Some(format!("{declared} = {};", text.result()))
        }
        (StubKind::Library(LibraryInput::Read), Some(out)) if stub.name == "fgets" => {
            let (result, limit) = (text.result(), out.count);
            text.member(out)?;
            Some(format!("int {} = {result} < {limit} ? {result} : {limit};", text.local("length")))
        }
        _ => None,
    }
}

fn allocation(text: &StubText) -> Vec<String> {
    let stub = text.stub;
    let names: Vec<String> = (0..stub.params.len()).map(|position| param_name(stub, position)).collect();
    let real = format!("return {}({});", real_name(&stub.name), names.join(", "));
    let (call, name, list) = (text.local("call"), text.scripted.name, text.scripted.list());
    let fails = format!("if ({call} < {name}_scripted && {list}[{call}])");
    let fails = match text.model.mentions_errno {
        true => format!("{fails} {{\n        errno = ENOMEM;\n        return NULL;\n    }}"),
        false => format!("{fails}\n        return NULL;"),
    };
    vec![fails, real]
}

/// As many bytes as the result says.
fn read(text: &StubText, out: &StubOut) -> Vec<String> {
    let buffer = param_name(text.stub, out.position as usize);
    let result = text.result();
    let mut lines = Vec::new();
    if let Some(member) = text.member(out) {
        let amount = match text.stub.name.as_str() {
            // Items of the size that the caller says.
            "fread" => format!("{result} * {}", param_name(text.stub, 1)),
            _ => result.clone(),
        };
        let limit = out.count;
        lines.push(format!(
            "if ({buffer} != NULL && {result} > 0)\n        \
             memcpy({buffer}, {member}, {amount} < {limit} ? {amount} : {limit});"
        ));
    }
    lines.extend(text.set_errno());
    lines.push(format!("return {result};"));
    lines
}

/// `fgets`: a string, or null at the end of the file.
fn line(text: &StubText, out: &StubOut) -> Vec<String> {
    let buffer = param_name(text.stub, out.position as usize);
    let Some(member) = text.member(out) else {
        return vec![format!("{buffer}[0] = '\\0';"), format!("return {buffer};")];
    };
    let length = text.local("length");
    vec![
        format!("if ({length} < 0)\n        return NULL;"),
        format!("memcpy({buffer}, {member}, {length});"),
        format!("{buffer}[{length}] = '\\0';"),
        format!("return {buffer};"),
    ]
}

/// `time(&now)` stores what it returns, too.
fn time(text: &StubText) -> Vec<String> {
    let (pointer, result) = (param_name(text.stub, 0), text.local("result"));
    vec![format!("if ({pointer} != NULL)\n        *{pointer} = {result};"), format!("return {result};")]
}
