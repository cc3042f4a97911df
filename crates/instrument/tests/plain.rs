//! A plain program shows what its target shows: on the same inputs the same sides, statements, evaluations, results and ends.

use std::collections::BTreeSet;

use crate::support::*;
use tarka_instrument::{BuildRequest, Constant, PlainBuild, UnitRequest, build_plain};
use tarka_runner::End;
use tarka_trace::FaultKind;

/// A target and its plain program.
struct Both {
    target: Program,
    plain_program: Program,
    plain: PlainBuild,
}

fn both(text: &str) -> Both {
    let target = program(text, "f", Options::default());
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (unit, _) = target.model.function_named("f").expect("the function exists");
    let request = BuildRequest {
        model: &target.model,
        units: &[UnitRequest::plain(unit)],
        work_dir: target.folder.path(),
        clang: &clang(),
        self_check: false,
        globals_as_inputs: false,
        library_inputs: &[],
        faults: tarka_trace::FaultSet::default(),
        promises_kept: false,
    };
    let plain = build_plain(&request, &target.build, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let mut build = target.build.clone();
    (build.exe, build.units) = (plain.exe.clone(), plain.units.clone());
    let plain_program = Program { model: target.model.clone(), build, folder };
    Both { target, plain_program, plain }
}

/// Runs both on some inputs, one number a parameter; gives how the plain program's runs ended.
fn same(text: &str, inputs: &[&[i32]]) -> Vec<End> {
    let Both { target, plain_program, .. } = both(text);
    let run = |numbers: &&[i32]| {
        let input = Input { roots: numbers.iter().map(|number| int(*number)).collect(), ..Input::default() };
        let (expected, found) = (target.run(&input), plain_program.run(&input));
        let ways = |outcome: &Outcome| -> BTreeSet<[u32; 5]> {
            let records = outcome.evaluations.iter();
            let words = records.map(|record| {
                let (chunk, result) = (record.chunk.into(), record.result.into());
                [record.decision, chunk, result, record.values, record.evaluated]
            });
            words.collect()
        };
        assert_eq!(found.end, expected.end, "{numbers:?} of {text}");
        assert_eq!(found.coverage, expected.coverage, "{numbers:?} of {text}");
        assert_eq!(ways(&found), ways(&expected), "{numbers:?} of {text}");
        assert_eq!(found.result, expected.result, "{numbers:?} of {text}");
        assert!(found.events.is_empty() && found.nodes.is_empty());
        assert!(found.coverage.iter().any(|times| *times != 0), "something is counted");
        found.end
    };
    inputs.iter().map(run).collect()
}

#[test]
fn switches_loops_and_statements() {
    let text = "int f(int a, int b) {\n  int n = 0;\n  switch (a) { case 1: n++; case 2 ... 5: n += 2; break;\n\
                case -7: return 9; }\n  for (int i = 0; i < b; i++) if (i % 3) n += i; else n--;\n\
                switch ((unsigned char)b) { default: n = ~n; }\n  return n ? n : b;\n}";
    same(text, &[&[0, 0], &[1, 4], &[4, 300], &[-7, 1], &[6, -1]]);
}

#[test]
fn nested_decisions_and_recursion() {
    let text = "static int g(int x) { return x > 2 || x < -2; }\n\
                int f(int a, int b) { return (a > 0 && (f(a - 1, b) || g(b))) || (g(a && b) && !b); }";
    same(text, &[&[3, 0], &[3, 5], &[0, 0], &[-9, 1], &[12, -3]]);
}

#[test]
fn decisions_of_more_conditions_than_a_word_has_bits() {
    let conditions: Vec<String> = (0..40).map(|number| format!("a != {number}")).collect();
    same(&format!("int f(int a) {{ return {}; }}", conditions.join(" && ")), &[&[0], &[33], &[39], &[40]]);
}

#[test]
fn evaluations_that_a_jump_leaves() {
    let text = "#include <setjmp.h>\nstatic jmp_buf out;\n\
                static int g(int x) { if (x > 4 && x < 9) longjmp(out, x); return x & 1; }\n\
                int f(volatile int a, int b) { if (setjmp(out)) a = 1;\n\
                return (g(a) && g(b)) || (g(b + 1) && b); }";
    same(text, &[&[5, 0], &[3, 2], &[8, 11], &[6, 3], &[4, 0]]);
}

#[test]
fn static_state_and_globals() {
    let text = "static int calls; int limit = 3; static int table[4] = {1, 2, 3, 4};\n\
                int f(int a) { calls++; if (calls > limit || table[a & 3] == 3) return -1; limit += a; return limit; }";
    same(text, &[&[0], &[2], &[7], &[1, 9]]);
}

#[test]
fn the_library_is_the_real_one_and_computes_what_the_models_do() {
    let text = "#include <stdlib.h>\n#include <string.h>\n#include <ctype.h>\n\
                int f(int a, int b) { char *s = malloc(16); if (!s) return 0; memset(s, 'a' + (a & 7), 15); s[15] = 0;\n\
                if (strchr(s, 'c') && isalpha(s[0])) b = abs(b); s = realloc(s, 64); int n = strlen(s) + (abs(b) == 77);\n\
                free(s); return n; }";
    same(text, &[&[2, -77], &[2, 77], &[1, 5]]);
}

#[test]
fn runs_end_alike() {
    let text = "#include <stdlib.h>\n#include <assert.h>\n\
                int f(int a) { __builtin_assume(a != 9); if (a == 1) exit(3); if (a == 2) abort();\n\
                assert(a != 3); if (a == 4) *(volatile int *)0 = 1; return a; }";
    let ends = same(text, &[&[0], &[1], &[2], &[3], &[9]]);
    let fault = |kind| End::Fault(kind);
    let expected = [
        End::Returned,
        End::Exited(3),
        fault(FaultKind::Abort),
        fault(FaultKind::Assertion),
        End::Assumption(u32::MAX),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn stubs_hand_out_the_same_values() {
    let text = "int read_sensor(int which); int f(int a) { int n = 0; for (int i = 0; i < 3; i++)\n\
                if (read_sensor(i) > a && a) n++; return n; }";
    same(text, &[&[0], &[1, 4, 0, 5], &[2, 9, 9, 9]]);
}

#[test]
fn the_text_of_a_program_with_a_main_and_hints_is_built_as_well() {
    let text = "int f(int *p) { int *q = __builtin_assume_aligned(p, 4); return q != 0; }\n\
                int main(void) { return f(0); }";
    same(text, &[&[0, 0]]);
}

#[test]
fn constants_are_told_by_function() {
    let text = "static int g(int x) { return x == 4711; }\n\
                int f(int a) { switch (a) { case -12: return 1; case 0x7fff0000: return 2; } return g(a); }";
    let constants = both(text).plain.constants;
    let has = |function: &str, number| constants[function].contains(&Constant::Integer(number));
    assert!(has("f", -12) && has("f", 0x7fff_0000) && has("g", 4711) && !has("f", 4711));
}

/// What both executables call the things that pointers of inputs may point to: the same, elsewhere.
#[test]
fn addresses_are_listed_in_the_same_order() {
    let text = "int value; static int g(void) { return value; } int (*chosen)(void) = g;\n\
                int f(int (*call)(void)) { return call == chosen; }";
    let Both { target, plain, .. } = both(text);
    assert!(!plain.addresses.is_empty());
    let names = |list: &[tarka_instrument::Address]| -> Vec<_> {
        list.iter().map(|address| (address.what.clone(), address.size)).collect()
    };
    assert_eq!(names(&plain.addresses), names(&target.build.addresses));
}
