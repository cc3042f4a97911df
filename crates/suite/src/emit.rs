//! The text of test files and fault files.
//!
//! Takes test cases (already named, declared and observed), gives C text and where each check stands in it.
//! Never: files, processes, choosing.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tarka_events::{Fault, FaultKind, Goal};
use tarka_source::GoalKind;
use tarka_source::{SourceModel, TypeKind, declare};

use crate::harness;
use crate::init::LINE_WIDTH;
use crate::library::{self, Library};
use crate::observe::{Check, checks};
use crate::sanitize::trailing_arrays;
use crate::scene::{Scene, Unspellable};
use crate::showing;
use crate::stubs::{Script, Sheet, mentions, scripts};
use crate::way::way_lines;

/// How a unit is named and included.
#[derive(Clone, Debug)]
pub struct UnitText {
    /// The path for `#include`.
    pub include: String,
    /// The C file as the user named it.
    pub shown_file: String,
    /// The unit defines `main`, which must step aside.
    pub renames_main: bool,
    /// The user's flags, for the comment that says how to build.
    pub flags: Vec<String>,
    /// How the file comes by the library functions it uses.
    pub library: Library,
    /// Name of the criterion that was asked for.
    pub criterion: String,
}

/// Warnings of the unit itself that are switched off around its `#include`, by compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// For gcc.
    pub gcc: BTreeSet<String>,
    /// For clang.
    pub clang: BTreeSet<String>,
    /// Calling the unit warns too (a deprecated function, say), so they stay off for the whole file.
    pub whole_file: bool,
}

/// One test, ready to be written.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// Declarations and statements before the call.
    setup: Vec<String>,
    /// What stubs do.
    pub scripts: Vec<Script>,
    /// Calls before the one that is checked: the unit keeps what they did.
    earlier: Vec<String>,
    /// The call.
    call: String,
    /// `int result`, empty for `void`.
    result: String,
    /// The observed conditions; `false` where a replay disagreed.
    pub checks: Vec<(Check, bool)>,
    /// The exit status if the unit ends the program.
    pub exit: Option<i32>,
    /// The argument of each parameter, by name.
    pub inputs: Vec<(String, String)>,
}

impl TestCase {
    /// Names, declares and observes one run. `result` is `None` if the unit did not return, and empty if it returned
    /// without a result: then there is none to look at.
    pub fn new(
        model: &SourceModel,
        scene: &mut Scene,
        result: Option<&[u8]>,
        exit: Option<i32>,
    ) -> Result<TestCase, Unspellable> {
        let function = scene.function;
        let name = if function.name == "main" { "unit_main" } else { &function.name };
        let void = matches!(model.types.get(function.result).kind, TypeKind::Void);
        let has_none = void || result.is_some_and(<[u8]>::is_empty);
        let declared = declare(&model.types, function.result, "result");
        let scripts = scripts(scene)?;
        let mut calls = scene.calls.iter().map(|arguments| format!("{name}({})", arguments.join(", ")));
        let inputs =
            function.params.iter().map(|param| param.name.clone()).zip(scene.arguments.iter().cloned());
        Ok(TestCase {
            setup: scene.setup.clone(),
            scripts,
            call: calls.next_back().unwrap_or_default(),
            earlier: calls.map(|call| if void { call } else { format!("(void){call}") }).collect(),
            result: if has_none {
                String::new()
            } else {
                declared.unwrap_or_else(|| "__auto_type result".into())
            },
            checks: result
                .map(|bytes| checks(scene, bytes))
                .unwrap_or_default()
                .into_iter()
                .map(|c| (c, true))
                .collect(),
            exit,
            inputs: inputs.collect(),
        })
    }

    /// Everything before the calls, with the scripts of stubs as this file writes them.
    pub fn setup_lines(&self, sheet: &Sheet) -> Vec<String> {
        let scripts = self.scripts.iter().flat_map(|script| sheet.lines(script));
        self.setup.iter().cloned().chain(scripts).collect()
    }

    fn setup(&self, sheet: &Sheet, out: &mut Lines) {
        let setup = self.setup_lines(sheet);
        for line in &setup {
            out.line(&format!("    {line}"));
        }
        if !setup.is_empty() {
            out.line("");
        }
        for call in &self.earlier {
            out.line(&format!("    {call};"));
        }
    }

    fn body(&self, sheet: &Sheet, out: &mut Lines) -> Vec<(u32, usize)> {
        self.setup(sheet, out);
        let checked = self.checks.iter().any(|(check, active)| *active && mentions_result(&check.condition));
        match (self.result.is_empty(), self.exit) {
            (true, _) => out.line(&format!("    {};", self.call)),
            (false, _) => {
                out.line(&format!("    {} = {};", self.result, self.call));
                if !checked {
                    out.line("    (void)result;");
                }
            }
        }
        self.check_lines(out)
    }

    /// The calls alone, with nothing checked.
    pub(crate) fn plain_body(&self, sheet: &Sheet, out: &mut Lines) {
        self.setup(sheet, out);
        if self.result.is_empty() {
            out.line(&format!("    {};", self.call));
        } else {
            out.line(&format!("    {} = {};\n    (void)result;", self.result, self.call));
        }
    }

    fn check_lines(&self, out: &mut Lines) -> Vec<(u32, usize)> {
        let mut lines = Vec::new();
        if let Some(status) = self.exit {
            out.line(&format!("    CHECK(!\"returned; observed: exit with status {status}\");"));
        } else if !self.checks.is_empty() {
            out.line("");
        }
        for (index, (check, active)) in self.checks.iter().enumerate() {
            if !active {
                out.line(&format!(
                    "    /* seen once, but not on every replay: {} */",
                    comment(&check.condition)
                ));
                continue;
            }
            if let Some(setup) = &check.setup {
                out.line(&format!("    {setup}"));
            }
            lines.push((out.next_line(), index));
            out.line(&format!("    CHECK({}); /* observed */", check.condition));
        }
        lines
    }
}

fn mentions_result(condition: &str) -> bool {
    condition.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "result")
}

/// Text with the number of its next line.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) text: String,
    count: u32,
}

impl Lines {
    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.count += 1 + text.matches('\n').count() as u32;
    }

    fn next_line(&self) -> u32 {
        self.count + 1
    }
}

/// A test file with its checks by line.
#[derive(Clone, Debug)]
pub struct TestText {
    /// The file.
    pub text: String,
    /// Which check of which test stands on a line.
    pub checks: BTreeMap<u32, (usize, usize)>,
    /// Test names, in order.
    pub names: Vec<String>,
    /// What each test does before its calls.
    pub setups: Vec<Vec<String>>,
    /// Where the unit stands in it.
    pub unit: UnitPart,
}

/// The part of a file that includes the unit.
#[derive(Clone, Debug)]
pub struct UnitPart {
    /// Bytes up to the end of the unit's `#include`.
    pub end: usize,
    /// Lines before the unit that turn its calls of library functions elsewhere.
    pub redirections: Vec<String>,
}

/// Writes the test file of a function. `added` gives, for each test, the goals it adds.
pub fn test_file(
    function: &str,
    unit: &UnitText,
    ignored: &Ignored,
    sheet: &Sheet,
    cases: &[(TestCase, Vec<&Goal>)],
) -> TestText {
    let mut tests = Lines::default();
    let mut relative_checks = Vec::new();
    let names: Vec<String> = (1..=cases.len()).map(|k| format!("test_{function}_{k}")).collect();
    for (index, (case, goals)) in cases.iter().enumerate() {
        tests.line(&goal_comment(goals, &unit.criterion, cases.len() == 1));
        tests.line(&format!("static void {}(void)\n{{", names[index]));
        for (line, check) in case.body(sheet, &mut tests) {
            relative_checks.push((line, index, check));
        }
        tests.line("}\n");
    }
    let mut out = Lines::default();
    let command = build_command(unit, &format!("test_{function}"), "");
    out.line(&format!("/* Tests for {function}() of {}, written by Tarka.\n", comment(&unit.shown_file)));
    out.line(&format!("   All tests:  {}", comment(&command)));
    out.line(&format!("   One test:   ./test_{function} test_{function}_1\n"));
    out.line("   \"observed\" marks what the function did when this file was written: read it and decide whether that");
    out.line("   is what it should do. Every test runs in a process of its own. */\n");
    include_unit(&mut out, unit, ignored, sheet);
    let unit_part = UnitPart { end: out.text.len(), redirections: sheet.redirections() };
    let before = harness::before_tests(&tests.text);
    let after = harness::after_tests(sheet.model);
    let stubs = sheet.definitions(&tests.text);
    let used = [stubs.as_str(), tests.text.as_str(), before.as_str(), after.as_str()].concat();
    out.line(&library::declarations(&used, &unit.library));
    if !stubs.is_empty() {
        out.line(&stubs);
    }
    out.line(before.trim_end());
    out.line("");
    let first = out.count;
    out.line(tests.text.trim_end());
    out.line("");
    out.line("enum { TARKA_PASSED = 97, TARKA_FAILED = 98 };\n");
    out.line(
        "static const struct tarka_test {\n    const char *name;\n    void (*run)(void);\n    int status;",
    );
    out.line("} tarka_tests[] = {");
    for (name, (case, _)) in names.iter().zip(cases) {
        let status = case.exit.map_or("TARKA_PASSED".to_string(), |status| (status & 0xff).to_string());
        out.line(&format!("    {{\"{name}\", {name}, {status}}},"));
    }
    out.line("};\n");
    out.line(after.trim_end());
    let checks =
        relative_checks.into_iter().map(|(line, test, check)| (first + line, (test, check))).collect();
    let calls = |case: &TestCase| case.earlier.iter().map(|call| format!("{call};")).collect::<Vec<_>>();
    let setups = cases.iter().map(|(case, _)| [case.setup_lines(sheet), calls(case)].concat()).collect();
    TestText { text: out.text, checks, names, setups, unit: unit_part }
}

/// Writes a fault file; gives also where the unit stands in it.
pub fn fault_file(
    name: &str,
    unit: &UnitText,
    ignored: &Ignored,
    sheet: &Sheet,
    fault: &Fault,
    case: &TestCase,
    run: &FaultRun,
) -> (String, UnitPart) {
    let mut body = Lines::default();
    if fault.kind == FaultKind::Timeout {
        body.line("    alarm(5); /* it does not end by itself */\n");
    }
    case.setup(sheet, &mut body);
    let leaks = fault.kind == FaultKind::Leak;
    match case.result.is_empty() {
        true => body.line(&format!("    {};", case.call)),
        // What the unit returns is not lost.
        false if leaks && !case.result.starts_with("__auto_type") => {
            body.line(&format!(
                "    static {};\n    result = {};\n    (void)result;",
                case.result, case.call
            ));
        }
        false => body.line(&format!("    {} = {};\n    (void)result;", case.result, case.call)),
    }
    if leaks {
        body.line("    tarka_forget();\n    puts(\"what is lost is reported at the end\");");
        body.line("    exit(0); /* while everything above still counts */");
    } else {
        body.line("    puts(\"no fault was seen\");\n    return 0;");
    }

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
    let extra = std::iter::once("-g").chain(run.sanitizers.iter().copied());
    let extra: String =
        (extra.chain(trailing_arrays(&unit.flags, run.sanitizers))).map(|flag| format!(" {flag}")).collect();
    out.line(&format!("\n   Show it:  {}", comment(&build_command(unit, name, &extra))));
    for line in wrapped(&format!("{} */", comment(&run.expectation)), "   ") {
        out.line(&line);
    }
    out.line("");
    include_unit(&mut out, unit, ignored, sheet);
    let unit_part = UnitPart { end: out.text.len(), redirections: sheet.redirections() };
    let stubs = sheet.definitions(&body.text);
    out.line(&library::declarations(&[stubs.as_str(), body.text.as_str()].concat(), &unit.library));
    if !stubs.is_empty() {
        out.line(&stubs);
    }
    let options = showing::address_options(fault.kind, run.goes_on);
    if !options.is_empty() && !mentions(&sheet.model.probed_text, "__asan_default_options") {
        out.line("/* For -fsanitize=address. */\nconst char *__asan_default_options(void);");
        out.line("const char *__asan_default_options(void)\n{");
        out.line(&format!("    return \"{options}\";\n}}\n"));
    }
    if leaks {
        out.line(FORGET);
    }
    out.line("int main(void)\n{");
    out.line(body.text.trim_end());
    out.line("}");
    (out.text, unit_part)
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

/// What running a fault file shows.
#[derive(Clone, Debug, Default)]
pub struct FaultRun {
    /// The sanitizers it needs to show.
    pub sanitizers: &'static [&'static str],
    /// The program goes on after what they report.
    pub goes_on: bool,
    /// One sentence.
    pub expectation: String,
}

pub(crate) fn build_command(unit: &UnitText, name: &str, extra: &str) -> String {
    let flags: String = unit.flags.iter().map(|flag| format!(" {}", shell_quoted(flag))).collect();
    // gcc's sanitizers look for less.
    let compiler = if extra.contains("-fsanitize=") { "clang-19" } else { "cc" };
    format!("{compiler}{flags}{extra} {name}.c -lm -o {name} && ./{name}")
}

fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

pub(crate) fn include_unit(out: &mut Lines, unit: &UnitText, ignored: &Ignored, sheet: &Sheet) {
    let silenced = !(ignored.gcc.is_empty() && ignored.clang.is_empty());
    if silenced {
        out.line("/* The unit's own warnings are for its own build. */");
        if !ignored.whole_file {
            out.line("#pragma GCC diagnostic push");
        }
        if ignored.gcc == ignored.clang {
            pragmas(out, &ignored.gcc);
        } else {
            out.line("#ifdef __clang__");
            pragmas(out, &ignored.clang);
            out.line("#else");
            pragmas(out, &ignored.gcc);
            out.line("#endif");
        }
    }
    let redirections = sheet.redirections();
    if !redirections.is_empty() {
        out.line("/* The unit's calls of these library functions go to the functions below. */");
    }
    for line in redirections {
        out.line(&line);
    }
    if unit.renames_main {
        out.line("#define main unit_main");
    }
    out.line(&format!("#include \"{}\"", unit.include));
    if unit.renames_main {
        out.line("#undef main");
    }
    if !sheet.model.hiding_macros.is_empty() {
        out.line("/* Macros of the unit that have the name of a type or a member. */");
    }
    for name in &sheet.model.hiding_macros {
        out.line(&format!("#undef {name}"));
    }
    if silenced && !ignored.whole_file {
        out.line("#pragma GCC diagnostic pop");
    }
    out.line("");
}

fn pragmas(out: &mut Lines, names: &BTreeSet<String>) {
    for name in names {
        out.line(&format!("#pragma GCC diagnostic ignored \"{name}\""));
    }
}

/// How a goal is spoken of in a test's comment.
pub fn goal_sentence(goal: &Goal) -> String {
    let file = goal.place.file.rsplit('/').next().unwrap_or_default();
    format!("{file}:{}: `{}` is {}", goal.place.line, goal.text, outcome_words(goal).replace('-', " "))
}

/// The outcome of a goal: `executed`, `true`, `false`, `taken`, `not-taken` or `independent`.
pub fn outcome_words(goal: &Goal) -> &'static str {
    match goal.what {
        GoalKind::Statement(_) => "executed",
        GoalKind::Outcome { outcome, .. } if goal.kind == "condition" => truth(outcome != 0),
        GoalKind::Outcome { taken: true, .. } => "taken",
        GoalKind::Outcome { taken: false, .. } => "not-taken",
        GoalKind::Decision { outcome, .. } => truth(outcome),
        GoalKind::Independence { .. } => "independent",
    }
}

fn truth(value: bool) -> &'static str {
    if value { "true" } else { "false" }
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

/// Text that cannot end or nest a comment.
pub(crate) fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}

pub(crate) fn wrapped(text: &str, pad: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = pad.to_string();
    for word in text.split_whitespace() {
        if line.len() > pad.len() && line.len() + 1 + word.len() > LINE_WIDTH {
            lines.push(std::mem::replace(&mut line, pad.to_string()));
        }
        if line.len() > pad.len() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
