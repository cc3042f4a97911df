//! Tests in plain C: one file that compiles alone, runs every test in a process of its own, and needs no framework.
//!
//! Takes tests as trees; gives the file, where each check stands in it, and what its output says. Never: files on disk,
//! processes, choosing.

use std::collections::BTreeMap;

use tarka_events::Goal;
use tarka_source::{SourceModel, file_name};

use crate::format::layout::{call_statement, call_text, check_setup, condition, result_declaration};
use crate::format::program::{LIBRARIES, setup};
use crate::format::text::{Lines, comment};
use crate::format::unit::{Preamble, build_command, include_unit};
use crate::format::{EmittedTest, EndedTest, Format, NewTest, Reading, TestFiles, harness, library};
use crate::names;
use crate::render::goal_words::goal_sentence;
use crate::render::tree::{Check, Test};

/// Tests in plain C.
pub(crate) struct PlainC;

impl Format for PlainC {
    fn files(&self, function: &str) -> Vec<String> {
        vec![format!("test_{}.c", file_name(function))]
    }

    fn write(&self, function: &str, preamble: &Preamble, tests: &[NewTest]) -> TestFiles {
        let names = test_names(function, tests.len(), preamble.file_stubs.model);
        let mut functions = Lines::default();
        let mut relative_checks = Vec::new();
        for (index, NewTest { test, goals }) in tests.iter().enumerate() {
            functions.line(&goal_comment(goals, &preamble.unit.criterion, tests.len() == 1));
            functions.line(&format!("static void {}(void)\n{{", names[index]));
            for (line, check) in body(preamble, test, &mut functions) {
                relative_checks.push((line, index, check));
            }
            functions.line("}\n");
        }
        let mut out = Lines::default();
        head(&mut out, function, preamble);
        let mut unit = include_unit(&mut out, preamble);
        let model = preamble.file_stubs.model;
        let before = harness::before_tests(tests.iter().any(|new| has_checks(new.test)), model);
        let after = harness::after_tests(model);
        let stubs = preamble.file_stubs.definitions(&functions.text);
        unit.stands_alone &= stubs.is_empty() && !names::clash(model);
        let used = [stubs.as_str(), functions.text.as_str(), before.as_str(), after.as_str()].concat();
        out.line(&library::declarations(&used, preamble));
        if !stubs.is_empty() {
            out.line(&stubs);
        }
        out.line(before.trim_end());
        out.line("");
        let first = out.count;
        out.line(functions.text.trim_end());
        out.line("");
        out.line(&names::of_our_own(&table(&names, tests), model));
        out.line(after.trim_end());
        let checks: BTreeMap<u32, (usize, usize)> =
            relative_checks.into_iter().map(|(line, test, check)| (first + line, (test, check))).collect();
        let emitted = names.into_iter().zip(tests).map(|(name, new)| {
            let calls = new.test.earlier.iter().map(call_statement);
            let setup = preamble.file_stubs.setup_lines(new.test).into_iter().chain(calls).collect();
            EmittedTest { arguments: vec![name.clone()], name, setup }
        });
        TestFiles { texts: vec![out.text], tests: emitted.collect(), unit, checks }
    }

    fn libraries(&self) -> &'static [&'static str] {
        LIBRARIES
    }

    fn each<'o>(&self, files: &TestFiles, output: &'o str) -> Option<Vec<EndedTest<'o>>> {
        let mut rest = output;
        let mut ended = Vec::with_capacity(files.tests.len());
        for test in &files.tests {
            let (passed, end) = end_of(rest, &test.name)?;
            let (piece, after) = rest.split_at(end);
            // A unit may print the same.
            if end_of(after, &test.name).is_some() {
                return None;
            }
            ended.push(EndedTest { passed, output: piece });
            rest = after;
        }
        Some(ended)
    }

    fn read(&self, files: &TestFiles, test: usize, output: &str) -> Reading {
        let checks = failed_lines(output).filter_map(|line| files.checks.get(&line));
        let failed = checks.filter(|(of, _)| *of == test).map(|(_, check)| *check).collect();
        let failed_here = format!("FAILED {}", files.tests[test].name);
        let rest = output.lines().rev().find_map(|line| line.split(&failed_here).nth(1));
        let end = rest.map(str::trim).filter(|rest| !rest.is_empty()).map(str::to_string);
        Reading { failed, end }
    }
}

/// Whether a test passed, and where the line ends that says so.
fn end_of(output: &str, name: &str) -> Option<(bool, usize)> {
    let lines = output.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some((*end, line))
    });
    let of_line = |(end, line): (usize, &str)| {
        let failed = [format!("FAILED {name}\n"), format!("FAILED {name} (")];
        let passed = line.ends_with(&format!("ok     {name}\n"));
        (passed || failed.iter().any(|sign| line.contains(sign))).then_some((passed, end))
    };
    lines.filter_map(of_line).next()
}

/// Line numbers in `file:LINE: CHECK failed: …`.
fn failed_lines(output: &str) -> impl Iterator<Item = u32> {
    output.split(": CHECK failed: ").filter_map(|before| before.rsplit(':').next()?.parse().ok())
}

fn head(out: &mut Lines, function: &str, preamble: &Preamble) {
    let (program, first) =
        (format!("test_{}", file_name(function)), test_names(function, 1, preamble.file_stubs.model));
    let command = build_command(preamble.unit, &program, "");
    out.line(&format!(
        "/* Tests for {function}() of {}, written by Tarka.\n",
        comment(&preamble.unit.shown_file)
    ));
    out.line(&format!("   All tests:  {}", comment(&command)));
    out.line(&format!("   One test:   ./{program} {}\n", first[0]));
    out.line("   \"observed\" marks what the function did when this file was written: read it and decide whether that");
    out.line("   is what it should do. Every test runs in a process of its own. */\n");
}

/// The table from which the tests are run.
fn table(names: &[String], tests: &[NewTest]) -> String {
    let mut out = Lines::default();
    out.line("enum { TARKA_PASSED = 97, TARKA_FAILED = 98 };\n");
    out.line(
        "static const struct tarka_test {\n    const char *name;\n    void (*run)(void);\n    int status;",
    );
    out.line("} tarka_tests[] = {");
    for (name, NewTest { test, .. }) in names.iter().zip(tests) {
        let status = test.exit.map_or("TARKA_PASSED".to_string(), |status| (status & 0xff).to_string());
        out.line(&format!("    {{\"{name}\", {name}, {status}}},"));
    }
    out.line("};");
    out.text
}

/// The names of a function's tests: not those of functions that the unit has.
fn test_names(function: &str, count: usize, model: &SourceModel) -> Vec<String> {
    let named = |begin: &str| (1..=count).map(|k| format!("{begin}_{k}")).collect::<Vec<String>>();
    let is_free = |names: &Vec<String>| !names.iter().any(|name| names::mentions(&model.probed_text, name));
    let begins = std::iter::once(format!("test_{function}"))
        .chain((1..).map(|number| format!("test{number}_of_{function}")));
    begins.map(|begin| named(&begin)).find(is_free).unwrap_or_default()
}

/// A function that only frees what it gets has nothing to check.
fn has_checks(test: &Test) -> bool {
    test.exit.is_some() || test.checks.iter().any(|check| check.holds)
}

/// The body of a test; gives the line of each check.
fn body(preamble: &Preamble, test: &Test, out: &mut Lines) -> Vec<(u32, usize)> {
    setup(preamble, test, out);
    let call = call_text(&test.call);
    match result_declaration(test) {
        None => out.line(&format!("    {call};")),
        Some(declared) => {
            out.line(&format!("    {declared} = {call};"));
            let is_checked = |check: &Check| check.holds && check.of_result;
            if !test.checks.iter().any(is_checked) {
                out.line(&format!("    (void){};", test.result_name));
            }
        }
    }
    check_lines(preamble, test, out)
}

fn check_lines(preamble: &Preamble, test: &Test, out: &mut Lines) -> Vec<(u32, usize)> {
    let check_macro = names::of_our_own("CHECK", preamble.file_stubs.model);
    let mut lines = Vec::new();
    if let Some(status) = test.exit {
        out.line(&format!("    {check_macro}(!\"returned; observed: exit with status {status}\");"));
    } else if !test.checks.is_empty() {
        out.line("");
    }
    for (index, check) in test.checks.iter().enumerate() {
        let condition = condition(check);
        if !check.holds {
            out.line(&format!("    /* seen once, but not on every replay: {} */", comment(&condition)));
            continue;
        }
        if let Some(setup) = check_setup(check) {
            out.line(&format!("    {setup}"));
        }
        lines.push((out.next_line(), index));
        out.line(&format!("    {check_macro}({condition}); /* observed */"));
    }
    lines
}

/// What a test adds to those before it.
fn goal_comment(goals: &[&Goal], criterion: &str, is_only_test: bool) -> String {
    if goals.is_empty() && is_only_test {
        let lacks = match criterion {
            "statement" => "statements",
            "condition" => "conditions",
            _ => "branches",
        };
        return format!("/* The function has no {lacks}: one call shows what it does. */");
    }
    if goals.is_empty() {
        let text = "/* Half of a pair: with a later test it shows that a condition decides on its own. */";
        return text.to_string();
    }
    if let [goal] = goals {
        return format!("/* Adds {} */", comment(&goal_sentence(goal)));
    }
    let mut text = String::from("/* Adds");
    for goal in goals {
        text.push_str(&format!("\n     {}", comment(&goal_sentence(goal))));
    }
    text + " */"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::unit::UnitPart;

    fn files() -> TestFiles {
        let test = |name: &str| EmittedTest {
            name: name.to_string(),
            arguments: vec![name.to_string()],
            setup: Vec::new(),
        };
        TestFiles {
            texts: vec![String::new()],
            tests: vec![test("test_f_1"), test("test_f_2")],
            unit: UnitPart { begin: 0, end: 0, stands_alone: true, redirections: Vec::new() },
            checks: [(40, (0, 0)), (41, (0, 1)), (60, (1, 0))].into(),
        }
    }

    #[test]
    fn the_output_says_which_checks_failed_and_how_a_test_ended() {
        let output = "a.c:41: CHECK failed: result == 3\na.c:60: CHECK failed: x\nFAILED test_f_1\n";
        let reading = PlainC.read(&files(), 0, output);
        assert_eq!(reading, Reading { failed: [1].into(), end: None });
        let reading = PlainC.read(&files(), 1, "FAILED test_f_2 (signal 8)\n");
        assert_eq!(reading, Reading { failed: [].into(), end: Some("(signal 8)".to_string()) });
    }

    #[test]
    fn the_output_of_all_tests_is_cut_where_each_ends() {
        let ended = |passed, output| EndedTest { passed, output };
        let output = "hello\nok     test_f_1\nno newlineFAILED test_f_2 (signal 8)\n";
        let (first, second) = output.split_at(output.find("no").unwrap());
        assert_eq!(PlainC.each(&files(), output), Some(vec![ended(true, first), ended(false, second)]));
        for unclear in [
            "ok     test_f_1\n",
            "ok     test_f_1\nFAILED test_f_20\n",
            "ok     test_f_1\nok     test_f_1\nok     test_f_2\n",
            "ok     test_f_2\nok     test_f_1\n",
        ] {
            assert_eq!(PlainC.each(&files(), unclear), None, "{unclear}");
        }
    }
}
