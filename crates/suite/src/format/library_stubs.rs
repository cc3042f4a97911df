//! Library functions whose answers are inputs: what their stand-ins in a test file do differently from other stubs.
//!
//! Takes a stub of a library function, gives C. Each does what the library's function does as far as a caller sees it:
//! allocations that do not fail are real, reads deliver as much as they return. Never: other stubs.

use tarka_library::{Answers, Fills, Results};
use tarka_source::{Stub, StubOut, declare};

use crate::format::stub_text::{StubText, param_name};
use crate::format::stubs::real_name;

/// What stands above the function.
pub fn comment(stub: &Stub) -> String {
    let name = &stub.name;
    let what = match stub.answers().map(|answers| answers.result.get()) {
        Some(Results::Memory) => ": the library's, but a call fails where its script says 1",
        Some(Results::Line { room: None }) => {
            ": a result is one more than a number of characters, or 0 at the end of the file"
        }
        Some(Results::Line { .. }) => ": a result is a number of characters, or 0 at the end of the file",
        _ => "",
    };
    format!("/* The unit's {name}(){what}. */")
}

/// The statements of functions that are not like any other stub.
pub fn statements(text: &StubText) -> Option<Vec<String>> {
    let Answers { result, fills, .. } = text.stub.answers()?;
    match (result.get(), fills.get(), text.stub.outs.first()) {
        (Results::Memory, ..) => Some(allocation(text)),
        (Results::Line { room }, _, Some(out)) => Some(line(text, out, room)),
        (result, Fills::Arriving(_), Some(out)) => Some(read(text, out, result)),
        (_, Fills::Result(position), _) => Some(stored(text, position)),
        _ => None,
    }
}

/// A variable that those statements need.
pub fn local(text: &StubText) -> Option<String> {
    let stub = text.stub;
    let Answers { result, fills, .. } = stub.answers()?;
    match (result.get(), fills.get(), stub.outs.first()) {
        (Results::Line { room }, _, Some(out)) => {
            text.member(out)?;
            let (length, result) = (text.local("length"), text.result());
            Some(match room {
                Some(_) => format!("unsigned {length} = {result};"),
                None => format!("unsigned {length} = {result} > 0 ? {result} - 1 : 0;"),
            })
        }
        (result, Fills::Arriving(_), Some(out)) => {
            text.member(out)?;
            let got = text.result();
            let amount = match result {
                // Items of the size that the caller says.
                Results::Items { size, .. } => format!("{got} * {}", param_name(stub, size as usize)),
                _ => format!("{got} > 0 ? {got} : 0"),
            };
            Some(format!("unsigned long {} = {amount};", text.local("amount")))
        }
        (_, Fills::Result(_), _) => {
            let declared = declare(&text.model.types, stub.result, &text.local("result"))?;
            Some(format!("{declared} = {};", text.result()))
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

/// As many bytes as the result says: those of the script, then zeros.
fn read(text: &StubText, out: &StubOut, result: Results) -> Vec<String> {
    let buffer = param_name(text.stub, out.position as usize);
    let mut lines = Vec::new();
    if let Some(member) = text.member(out) {
        let (amount, limit) = (text.local("amount"), out.count);
        if let Results::UpTo { beyond: Some(_), most, .. } = result {
            let asked = param_name(text.stub, most as usize);
            lines.push(format!("if ({amount} > {asked})\n        {amount} = {asked};"));
        }
        lines.push(format!(
            "if ({buffer} != NULL && {amount} > 0) {{\n        \
             memset({buffer}, 0, {amount});\n        \
             memcpy({buffer}, {member}, {amount} < {limit} ? {amount} : {limit});\n    }}"
        ));
    }
    lines.extend(text.set_errno());
    lines.push(format!("return {};", text.result()));
    lines
}

/// `fgets`: a string, or null at the end of the file. Without room for a character, there is an empty line at once. `gets`
/// knows no room.
fn line(text: &StubText, out: &StubOut, room: Option<u32>) -> Vec<String> {
    let buffer = param_name(text.stub, out.position as usize);
    let Some(room) = room.map(|room| param_name(text.stub, room as usize)) else {
        return line_of_any_length(text, out, &buffer);
    };
    let mut lines: Vec<String> = text.set_errno().into_iter().collect();
    if let Some(member) = text.member(out) {
        let (length, limit) = (text.local("length"), out.count);
        lines.push(format!("if ({length} == 0 && {room} != 1)\n        return NULL;"));
        lines.push(format!("memset({buffer}, 0, {length} + 1);"));
        lines.push(format!("memcpy({buffer}, {member}, {length} < {limit} ? {length} : {limit});"));
    } else {
        lines.push(format!("if ({room} != 1)\n        return NULL;"));
        lines.push(format!("{buffer}[0] = '\\0';"));
    }
    lines.push(format!("return {buffer};"));
    lines
}

fn line_of_any_length(text: &StubText, out: &StubOut, buffer: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.set_errno().into_iter().collect();
    lines.push(format!("if ({} == 0)\n        return NULL;", text.result()));
    if let Some(member) = text.member(out) {
        let (length, limit) = (text.local("length"), out.count);
        lines.push(format!("memset({buffer}, 0, {length} + 1);"));
        lines.push(format!("memcpy({buffer}, {member}, {length} < {limit} ? {length} : {limit});"));
    } else {
        lines.push(format!("{buffer}[0] = '\\0';"));
    }
    lines.push(format!("return {buffer};"));
    lines
}

/// `time(&now)` stores what it returns, too.
fn stored(text: &StubText, position: u32) -> Vec<String> {
    let (pointer, result) = (param_name(text.stub, position as usize), text.local("result"));
    let mut lines = vec![format!("if ({pointer} != NULL)\n        *{pointer} = {result};")];
    lines.extend(text.set_errno());
    lines.push(format!("return {result};"));
    lines
}
