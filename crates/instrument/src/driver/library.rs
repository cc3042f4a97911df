//! Stubs of library functions whose answers are inputs: they answer within what the real function may answer.

use std::fmt::Write;

use tarka_source::{LibraryInput, Stub, StubKind, StubPart, TypeKind};

use super::stub_values::StubValue;
use super::stubs::{StubText, argument};
use crate::InstrumentError;

/// The function that does the work when the stub does not fail.
pub(super) fn works_as(stub: &Stub) -> Option<&'static str> {
    match stub.kind {
        StubKind::Library(LibraryInput::Alloc) => tarka_runtime::replacement(&stub.name),
        _ => None,
    }
}

/// The body of a library function's stub.
pub(super) fn body(
    text: &mut String,
    stub: &StubText<'_>,
    input: LibraryInput,
) -> Result<(), InstrumentError> {
    stub.count_call(text);
    stub.take_result(text)?;
    match input {
        LibraryInput::Alloc => {
            allocate(text, stub);
            return Ok(());
        }
        LibraryInput::Read => {
            if let Some(out) = stub.stub.outs.first() {
                deliver(text, stub, out.position, out.length, out.count);
            } else {
                keep_in_range(text, stub);
            }
        }
        LibraryInput::Time | LibraryInput::Rand | LibraryInput::Getenv => {
            keep_in_range(text, stub);
            fill(text, stub);
        }
    }
    stub.set_errno(text);
    if stub.model().types.pointee(stub.stub.result).is_some() && input == LibraryInput::Read {
        // `fgets`: the value is a number of characters, the answer the buffer.
        let _ = writeln!(text, "  return __tk_r < 0 ? 0 : {};", argument(0));
    } else {
        stub.give_result(text);
    }
    Ok(())
}

/// Works as always, or fails as when memory is short.
fn allocate(text: &mut String, stub: &StubText<'_>) {
    if stub.model().mentions_errno {
        text.push_str("  if (__tk_r) { *__tk_errno() = 12; return 0; }\n");
    } else {
        text.push_str("  if (__tk_r) return 0;\n");
    }
    let arguments: Vec<String> = (0..stub.stub.params.len() as u32).map(argument).collect();
    let _ = writeln!(text, "  return {}({});", works_as(stub.stub).unwrap_or("0"), arguments.join(", "));
}

/// Ends the run where the result is one that the function never gives.
fn keep_in_range(text: &mut String, stub: &StubText<'_>) {
    let Some((value, (low, high))) = stub.value(StubPart::Result).zip(stub.stub.result_range()) else {
        return;
    };
    let Some((least, most)) = limits(stub, value) else { return };
    if low > least {
        let _ = writeln!(text, "  if (__tk_r < ({low}ll)) tk_answer_impossible();");
    }
    if high < most {
        let _ = writeln!(text, "  if (__tk_r > ({high}ll)) tk_answer_impossible();");
    }
}

/// Smallest and largest number of a value's type.
fn limits(stub: &StubText<'_>, value: &StubValue) -> Option<(i128, i128)> {
    match stub.model().types.get(value.ty).kind {
        TypeKind::Int { bits, signed: true, .. } if bits <= 64 => {
            Some((-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1))
        }
        TypeKind::Int { bits, signed: false, .. } if bits <= 64 => Some((0, (1_i128 << bits) - 1)),
        _ => None,
    }
}

/// What `time` and its like leave behind their pointer.
fn fill(text: &mut String, stub: &StubText<'_>) {
    for out in &stub.stub.outs {
        let Some(value) = stub.value(StubPart::Out(out.position)) else { continue };
        stub.fill_while(
            text,
            &argument(out.position),
            value,
            &format!("__tk_r >= 0 && __tk_i < {}ul", out.count),
        );
    }
    if stub.stub.name == "time" {
        let time = argument(0);
        let _ = writeln!(text, "  if ({time}) __builtin_memcpy({time}, &__tk_r, sizeof __tk_r);");
    }
}

/// As many bytes as the result says, never more than asked for.
fn deliver(text: &mut String, stub: &StubText<'_>, buffer: u32, length: Option<u32>, count: u64) {
    let Some((value, result)) = stub.value(StubPart::Out(buffer)).zip(stub.value(StubPart::Result)) else {
        return;
    };
    let is_signed = limits(stub, result).is_some_and(|(least, _)| least < 0);
    if is_signed {
        text.push_str("  if (__tk_r < -1) tk_answer_impossible();\n");
    }
    let got = if is_signed { "__tk_r > 0 ? (unsigned long)__tk_r : 0" } else { "__tk_r" };
    let _ = writeln!(text, "  unsigned long __tk_n = {got};");
    let asked = length.map_or_else(|| "0".to_owned(), argument);
    let is_text = stub.stub.name == "fgets";
    // A string needs room for its end.
    let most = if is_text { format!("({asked} > 0 ? {asked} - 1 : 0)") } else { asked };
    let _ = writeln!(text, "  if (__tk_n > (unsigned long){most}) tk_answer_impossible();");
    if stub.stub.name == "fread" {
        let _ = writeln!(text, "  __tk_n *= {};", argument(1));
    }
    let pointer = argument(buffer);
    stub.fill_while(text, &pointer, value, &format!("__tk_i < {count}ul && __tk_i < __tk_n"));
    // More than there are input bytes for: the engine must know.
    let _ = writeln!(text, "  if (__tk_n > {count}ul) tk_stub_exhausted({}u);", stub.index);
    if is_text {
        let _ = writeln!(
            text,
            "  if (__tk_r >= 0) ((char *){pointer})[__tk_n < {count}ul ? __tk_n : {count}ul] = 0;"
        );
    }
}
