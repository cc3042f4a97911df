//! Fault programs, and programs against proofs: one input each, and nothing is checked.
//!
//! Takes a run as a tree and what is to be said of it; gives a C program with a `main` of its own, the same whatever format the
//! tests have. Never: files, processes.

use tarka_events::{Fault, FaultKind};

use crate::format::layout::{call_statement, call_text, result_declaration};
use crate::format::library;
use crate::format::text::{Lines, comment, wrapped};
use crate::format::unit::{Preamble, UnitPart, build_command, include_unit};
use crate::names::{self, mentions};
use crate::render::tree::{ResultVariable, Test};
use crate::render::way::way_lines;

/// An emitted program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file.
    pub text: String,
    /// Where the unit stands in it.
    pub unit: UnitPart,
    /// What it asks AddressSanitizer for.
    pub address_options: String,
}

/// What is known of how a fault shows.
#[derive(Clone, Debug, Default)]
pub struct FaultRun {
    /// What the compiler must watch for it to show.
    pub flags: Vec<&'static str>,
    /// What AddressSanitizer is asked for at run time; empty if its usual ways do.
    pub address_options: String,
    /// One sentence.
    pub expectation: String,
}

/// What a program is linked with.
pub const LIBRARIES: &[&str] = &["-lm"];

/// How the line begins that says how to build a fault program.
const SHOW_IT: &str = "Show it:";

/// Writes a fault program.
pub fn fault_program(name: &str, preamble: &Preamble, fault: &Fault, test: &Test, run: &FaultRun) -> Program {
    let body = fault_body(preamble, fault, test);
    let mut out = Lines::default();
    out.line(&format!(
        "/* {} at {}:{} in {}(), found by Tarka.",
        fault.kind.name(),
        comment(&fault.place.file),
        fault.place.line,
        fault.function
    ));
    for line in wrapped(&comment(&fault.message), "   ") {
        out.line(&line);
    }
    // One frame says no more than the first line.
    for (function, place) in fault.stack.iter().filter(|_| fault.stack.len() > 1) {
        out.line(&format!("     in {}() at {}:{}", comment(function), comment(&place.file), place.line));
    }
    for line in way_lines(fault) {
        out.line(&format!("     {}", comment(&line)));
    }
    let extra: String = std::iter::once(&"-g").chain(&run.flags).map(|flag| format!(" {flag}")).collect();
    out.line(&format!("\n   {SHOW_IT}  {}", comment(&build_command(preamble.unit, name, &extra))));
    for line in wrapped(&format!("{} */", comment(&run.expectation)), "   ") {
        out.line(&line);
    }
    out.line("");
    let mut unit = include_unit(&mut out, preamble);
    let stubs = preamble.file_stubs.definitions(&body.text);
    unit.stands_alone &= stubs.is_empty() && !names::clash(preamble.file_stubs.model);
    out.line(&library::declarations(&[stubs.as_str(), body.text.as_str()].concat(), preamble));
    if !stubs.is_empty() {
        out.line(&stubs);
    }
    let options = &run.address_options;
    if !options.is_empty() && !mentions(&preamble.file_stubs.model.probed_text, "__asan_default_options") {
        out.line("/* For -fsanitize=address. */\nconst char *__asan_default_options(void);");
        out.line("const char *__asan_default_options(void)\n{");
        out.line(&format!("    return \"{options}\";\n}}\n"));
    }
    if fault.kind == FaultKind::Leak {
        out.line(&names::of_our_own(FORGET, preamble.file_stubs.model));
    }
    out.line("int main(void)\n{");
    out.line(body.text.trim_end());
    out.line("}");
    Program { text: out.text, unit, address_options: options.clone() }
}

fn fault_body(preamble: &Preamble, fault: &Fault, test: &Test) -> Lines {
    let mut body = Lines::default();
    if fault.kind == FaultKind::Timeout {
        body.line("    alarm(5); /* it does not end by itself */\n");
    }
    setup(preamble, test, &mut body);
    let leaks = fault.kind == FaultKind::Leak;
    match &test.result {
        // What the unit returns is not lost.
        ResultVariable::Declared(declared) if leaks => {
            let call = call_text(&test.call);
            let name = &test.result_name;
            body.line(&format!("    static {declared};\n    {name} = {call};\n    (void){name};"));
        }
        _ => last_call(test, &mut body),
    }
    if leaks {
        let forget = names::of_our_own("tarka_forget", preamble.file_stubs.model);
        body.line(&format!("    {forget}();"));
        body.line("    puts(\"what is lost is reported at the end\");");
        body.line("    exit(0); /* while everything above still counts */");
    } else {
        body.line("    puts(\"no fault was seen\");\n    return 0;");
    }
    body
}

/// The flags of the sanitizers in a fault program that was written earlier: a folder may be replayed anywhere, and the file
/// itself says how it is built.
pub fn sanitizers_of(text: &str) -> Vec<String> {
    let command = text.lines().find_map(|line| line.trim().strip_prefix(SHOW_IT)).unwrap_or_default();
    let is_ours = |word: &&str| word.starts_with("-fsanitize") || word.starts_with("-fno-sanitize");
    command.split_whitespace().filter(is_ours).map(str::to_string).collect()
}

/// What is said of a proof that a program refutes.
pub struct RefutedProof<'a> {
    /// Name of the program.
    pub name: &'a str,
    /// The proof.
    pub claim: &'a str,
    /// Whether the program was seen to do it.
    pub seen: &'a str,
}

/// Writes a program against a proof.
pub fn refuted_program(proof: &RefutedProof, preamble: &Preamble, test: &Test) -> Program {
    let mut body = Lines::default();
    setup(preamble, test, &mut body);
    last_call(test, &mut body);
    let mut out = Lines::default();
    out.line("/* A proof of Tarka that is none; please report it with this file and the source.");
    for line in wrapped(&comment(proof.claim), "   ") {
        out.line(&line);
    }
    out.line(&format!("\n   Run it:  {}", comment(&build_command(preamble.unit, proof.name, " -g"))));
    out.line(&format!("   {} */\n", proof.seen));
    let mut unit = include_unit(&mut out, preamble);
    let stubs = preamble.file_stubs.definitions(&body.text);
    unit.stands_alone &= stubs.is_empty();
    let used = [stubs.as_str(), body.text.as_str()].concat();
    let declared = library::declarations(&used, preamble);
    if !declared.is_empty() {
        out.line(&declared);
    }
    if !stubs.is_empty() {
        out.line(&stubs);
    }
    out.line("int main(void)\n{");
    out.line(body.text.trim_end());
    out.line("    return 0;\n}");
    Program { text: out.text, unit, address_options: String::new() }
}

/// Everything before the call that is looked at.
pub fn setup(preamble: &Preamble, test: &Test, out: &mut Lines) {
    let setup = preamble.file_stubs.setup_lines(test);
    for line in &setup {
        out.line(&format!("    {line}"));
    }
    if !setup.is_empty() {
        out.line("");
    }
    for call in &test.earlier {
        out.line(&format!("    {}", call_statement(call)));
    }
}

/// The call, with nothing checked.
fn last_call(test: &Test, out: &mut Lines) {
    let call = call_text(&test.call);
    match result_declaration(test) {
        None => out.line(&format!("    {call};")),
        Some(declared) => {
            out.line(&format!("    {declared} = {call};\n    (void){};", test.result_name));
        }
    }
}

/// Leaves nothing in the frames of the functions that have returned: a pointer there would count as one that is kept.
const FORGET: &str = "\
/* Leaves no pointer of the unit where its frames were. */
__attribute__((noinline)) static void tarka_forget(void)
{
    volatile char frames[65536];
    unsigned i;

    for (i = 0; i < sizeof frames; i++)
        frames[i] = 0;
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_file_says_how_it_is_built() {
        let text = "/* leak at u.c:3\n   Show it:  clang-19 -DX -g -fsanitize=address,undefined -fno-sanitize-recover=undefined f.c -lm -o f\n */";
        assert_eq!(sanitizers_of(text), ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]);
        assert!(sanitizers_of("int x;").is_empty());
    }
}
