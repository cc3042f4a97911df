//! Stubs of library functions whose answers are inputs: they answer within what the table says of the real function.
//!
//! Takes a stub and what its function may answer; gives the statements of its body. An answer that the function never
//! gives ends the run; more than there are input bytes for is told to the engine. Never: facts or bounds of its own.

use std::fmt::Write;

use tarka_library::{Answers, Errno, Fills, Results};
use tarka_source::{Stub, StubKind, StubPart};

use super::stubs::{StubText, argument};
use crate::InstrumentError;

/// Says how large a number is, bit by bit. Few branches do it, and then every byte that is delivered has a known place.
pub(super) const DECIDED: &str = "\
static unsigned long __tk_decided(unsigned long number) {
  unsigned long bit = 1, known = 0;
  while (bit <= number >> 1) bit <<= 1;
  for (; bit; bit >>= 1) if (number & bit) known |= bit;
  return known;
}
";

/// The function that does the work when the stub does not fail.
pub(super) fn works_as(stub: &Stub) -> Option<&'static str> {
    let is_memory = stub.answers().is_some_and(|answers| answers.result.get() == Results::Memory);
    if is_memory { tarka_library::replacement(&stub.name) } else { None }
}

/// True if the stub says how much it delivers.
pub(super) fn delivers(stub: &Stub) -> bool {
    matches!(stub.kind, StubKind::Library(_)) && stub.bound().is_some()
}

/// The body of a library function's stub.
pub(super) fn body(text: &mut String, stub: &StubText<'_>, answers: &Answers) -> Result<(), InstrumentError> {
    stub.count_call(text);
    stub.take_result(text)?;
    if answers.result.get() == Results::Memory {
        allocate(text, stub);
        return Ok(());
    }
    keep_in_range(text, stub, answers);
    match answers.fills.get() {
        Fills::Nothing => {}
        Fills::Result(position) => {
            let pointer = argument(position);
            let _ = writeln!(text, "  if ({pointer}) __builtin_memcpy({pointer}, &__tk_r, sizeof __tk_r);");
        }
        Fills::Objects(..) => fill(text, stub, answers),
        Fills::Arriving(position) => deliver(text, stub, answers.result.get(), position),
    }
    stub.set_errno(text);
    if answers.errno.get() == Errno::SetOnFailure && stub.value(StubPart::Errno).is_some() {
        text.push_str("  if ((__tk_r < 0) & (__tk_e == 0)) tk_answer_impossible();\n");
    }
    match answers.result.get() {
        Results::Line { room } => {
            let _ = writeln!(text, "  return {} ? {} : 0;", is_there(room), argument(0));
        }
        _ => stub.give_result(text),
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

/// Ends the run where the result is one that the function never gives, whatever its arguments.
fn keep_in_range(text: &mut String, stub: &StubText<'_>, answers: &Answers) {
    if answers.result.get() == Results::Fraction {
        text.push_str("  if (!((__tk_r >= 0.0) & (__tk_r < 1.0))) tk_answer_impossible();\n");
    }
    let types = &stub.model().types;
    let limits = stub.value(StubPart::Result).and_then(|value| types.limits(value.ty));
    let Some(((least, most), numbers)) = limits.zip(stub.stub.numbers(types, StubPart::Result)) else {
        return;
    };
    let (first, last) = numbers.get();
    if i128::from(first) > least {
        let _ = writeln!(text, "  if (__tk_r < ({first}ll)) tk_answer_impossible();");
    }
    if i128::from(last) < most {
        let _ = writeln!(text, "  if (__tk_r > ({last}ll)) tk_answer_impossible();");
    }
}

/// What `gettimeofday` and its like leave behind their pointer, unless they fail.
fn fill(text: &mut String, stub: &StubText<'_>, answers: &Answers) {
    let unless_failed = if answers.errno.get() == Errno::SetOnFailure { "__tk_r >= 0 && " } else { "" };
    for out in &stub.stub.outs {
        let Some(value) = stub.value(StubPart::Out(out.position)) else { continue };
        let condition = format!("{unless_failed}__tk_i < {}ul", out.count);
        stub.fill_while(text, &argument(out.position), value, &condition);
    }
}

/// As much as the result says, never more than asked for.
fn deliver(text: &mut String, stub: &StubText<'_>, result: Results, buffer: u32) {
    let (Some(value), Some(bound)) = (stub.value(StubPart::Out(buffer)), stub.stub.bound()) else { return };
    let most = bound.most;
    let (got, asked, fits) = match result {
        Results::Items { size, most: items } => {
            let (size, items) = (argument(size), argument(items));
            let per = |number: &str| format!("({size} ? {number} : 0)");
            ("__tk_r", per(&items), per(&format!("{most}ul / {size}")))
        }
        // A string needs room for its end.
        Results::Line { room: Some(room) } => {
            let room = argument(room);
            ("__tk_r", format!("({room} > 0 ? {room} - 1 : 0)"), format!("{most}ul"))
        }
        Results::Line { room: None } => {
            ("__tk_r > 0 ? __tk_r - 1 : 0", "~0ul".to_string(), format!("{most}ul"))
        }
        Results::UpTo { most: asked, .. } => {
            ("__tk_r > 0 ? (unsigned long)__tk_r : 0", argument(asked), format!("{most}ul"))
        }
        _ => return,
    };
    let _ = writeln!(text, "  unsigned long __tk_n = {got};");
    let _ = writeln!(text, "  if (__tk_n > (unsigned long){asked}) {{");
    if let Results::UpTo { beyond: Some((flags, flag)), .. } = result {
        let flags = argument(flags);
        let _ = writeln!(text, "    if (!({flags} & {flag})) tk_answer_impossible();");
        let _ = writeln!(text, "    __tk_n = {asked};\n  }}");
    } else {
        text.push_str("    tk_answer_impossible();\n  }\n");
    }
    if let Results::Line { .. } = result {
        let _ = writeln!(text, "  if (__tk_r) __tk_fits(__tk_n < tk_room({}));", argument(buffer));
    }
    // Behind the bytes that are inputs, zeros arrive: the real function could deliver them as well.
    let _ = writeln!(
        text,
        "  __tk_n = __tk_n > {fits} ? tk_stub_cut({}u, &__tk_n) : __tk_decided(__tk_n);",
        stub.index
    );
    if let Results::Items { size, .. } = result {
        let _ = writeln!(text, "  __tk_n *= {};", argument(size));
    }
    let pointer = argument(buffer);
    let is_line = matches!(result, Results::Line { .. });
    if is_line {
        text.push_str("  unsigned __tk_early = 0;\n");
    }
    // A newline ends the line, and `gets` drops it.
    let each = match result {
        Results::Line { room: Some(_) } => "__tk_early |= (__tk_v[0] == '\\n') & (__tk_i + 1 < __tk_n);",
        Results::Line { room: None } => "__tk_early |= __tk_v[0] == '\\n';",
        _ => "",
    };
    stub.fill_each(text, &pointer, value, &format!("__tk_i < {most}ul && __tk_i < __tk_n"), each);
    let _ = writeln!(
        text,
        "  if ({pointer} && __tk_n > {most}ul) __builtin_memset((char *){pointer} + {most}, 0, __tk_n - {most}ul);"
    );
    if let Results::Line { room } = result {
        text.push_str("  if (__tk_early) tk_answer_impossible();\n");
        let _ = writeln!(text, "  if ({}) ((char *){pointer})[__tk_n] = 0;", is_there(room));
    }
}

/// The condition under which there is a line: without room for a character, there is an empty one at once.
fn is_there(room: Option<u32>) -> String {
    room.map_or("__tk_r".to_string(), |room| format!("__tk_r || {} == 1", argument(room)))
}
