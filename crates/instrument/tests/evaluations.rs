//! Which ways of evaluating a decision a run shows: the vectors that `llvm-cov` shows for the plain program.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::*;

const CHECKED: Options<'static> = Options { self_check: true, globals_as_inputs: false, flags: &[] };

/// One evaluation as `llvm-cov` writes it: `T`, `F` or `-` per condition, then the result.
type Vectors = BTreeSet<String>;

/// The evaluations of one decision.
fn vectors(program: &Program, outcome: &Outcome, decision: usize) -> Vectors {
    let conditions = program.model.decisions[decision].conditions.len();
    let mut vectors = Vectors::new();
    let own: Vec<_> =
        outcome.evaluations.iter().filter(|record| record.decision as usize == decision).collect();
    for records in own.chunk_by(|_, next| next.chunk != 0) {
        let letter = |position: usize| {
            let record = records[position / 32];
            match (record.evaluated >> (position % 32) & 1, record.values >> (position % 32) & 1) {
                (0, _) => '-',
                (_, 0) => 'F',
                _ => 'T',
            }
        };
        let mut text: String = (0..conditions).map(letter).collect();
        text += if records[0].result == 0 { " F" } else { " T" };
        assert!(vectors.insert(text), "every vector is logged once");
    }
    vectors
}

/// The evaluations of each compound decision.
fn shown(text: &str, inputs: &[i32]) -> Vec<Vectors> {
    let program = program(text, "f", CHECKED);
    let roots: Vec<Vec<u8>> = inputs.iter().map(|input| int(*input)).collect();
    let outcome = program.run(&Input { roots, ..Input::default() });
    let compound = |decision: &usize| program.model.decisions[*decision].is_compound();
    let decisions = (0..program.model.decisions.len()).filter(compound);
    decisions.map(|decision| vectors(&program, &outcome, decision)).collect()
}

fn set(vectors: &[&str]) -> Vectors {
    vectors.iter().map(ToString::to_string).collect()
}

#[test]
fn conditions_behind_a_short_circuit_are_not_evaluated() {
    let text = "int f(int a, int b, int c) { return (a && b) || c; }";
    assert_eq!(shown(text, &[1, 0, 1]), [set(&["TFT T"])]);
    assert_eq!(shown(text, &[0, 1, 0]), [set(&["F-F F"])]);
    assert_eq!(shown(text, &[1, 1, 0]), [set(&["TT- T"])]);
}

#[test]
fn a_loop_shows_each_vector_once() {
    let text = "int f(int a, int b) { int n = 0; while (n < a && n < b) n++; return n; }";
    assert_eq!(shown(text, &[100, 50]), [set(&["TT T", "TF F"])]);
}

#[test]
fn recursion_inside_a_condition_does_not_disturb_the_outer_evaluation() {
    let text = "int f(int a, int b) { return a > 0 && (f(a - 1, b) || b); }";
    assert_eq!(shown(text, &[2, 0]), [set(&["F-- F", "TFF F"])]);
    assert_eq!(shown(text, &[2, 1]), [set(&["F-- F", "TFT T", "TT- T"])]);
}

#[test]
fn nested_decisions_and_those_outside_control_flow_have_evaluations_of_their_own() {
    let text =
        "int g(int x) { return x; } int f(int a, int b) { int r = g(a && b) || b; return g(r || !a); }";
    let seen = shown(text, &[0, 1]);
    assert_eq!(seen, [set(&["FT T"]), set(&["F- F"]), set(&["T- T"])]);
}

#[test]
fn a_constant_operand_is_no_condition() {
    assert_eq!(shown("int f(int a) { return a && 1; }", &[1]), [set(&["T T"])]);
    assert_eq!(shown("int f(int a) { return 1 && !(a || 0); }", &[0]), [set(&["F T"])]);
}

#[test]
fn more_than_32_conditions_take_several_records() {
    let conditions: Vec<String> = (0..40).map(|bit| format!("a != {bit}")).collect();
    let text = format!("int f(int a) {{ return {}; }}", conditions.join(" && "));
    let vector = |first_false: usize| {
        let letters = (0..40).map(|at| match at.cmp(&first_false) {
            std::cmp::Ordering::Less => 'T',
            std::cmp::Ordering::Equal => 'F',
            std::cmp::Ordering::Greater => '-',
        });
        letters.collect::<String>() + if first_false < 40 { " F" } else { " T" }
    };
    for value in [0, 31, 32, 39, 40] {
        assert_eq!(shown(&text, &[value]), [Vectors::from([vector(value as usize)])]);
    }
}

#[test]
fn a_jump_out_of_a_condition_leaves_no_evaluation_and_confuses_no_other() {
    let text = "#include <setjmp.h>
        static jmp_buf out;
        static int g(int n, int b) {
            if (n == 0) longjmp(out, 1);
            return b && g(n - 1, b) && b;
        }
        int f(int n, int b) {
            if (setjmp(out) || (g(n, b) && b)) return b || g(1, 0);
            return 0;
        }";
    // In `g` nothing is completed before the jump; what follows it is recorded as if it had not been.
    let seen = shown(text, &[3, 1]);
    assert_eq!(seen[0], set(&[]), "every evaluation of g was left");
    assert_eq!(seen[1], set(&["T-- T"]));
    assert_eq!(seen[2], set(&["T- T"]));
    let seen = shown(text, &[3, 0]);
    assert_eq!(seen[0], set(&["F-- F"]));
    assert_eq!(seen[1], set(&["FF- F"]));
}

#[test]
fn a_jump_out_of_recursion_into_an_open_evaluation_keeps_what_that_knows() {
    let text = "#include <setjmp.h>
        static jmp_buf out;
        int f(int n, int b) {
            if (n == 0) longjmp(out, 1);
            return (n > 100 && b) || (n == 3 && setjmp(out)) || (b && f(n - 1, b));
        }";
    assert_eq!(shown(text, &[3, 1]), [set(&["F-TT-- T"])]);
}

#[test]
fn statements_are_marked_as_far_as_the_run_came() {
    let text = "void exit(int); int f(int a) { int b = 1; if (a) return 1; exit(3); return b; }";
    let outcome = program(text, "f", CHECKED).run(&Input::of(&[&int(0)]));
    assert_eq!(outcome.coverage, [1, 0, 1, 1, 0, 1, 0]);
}

#[test]
fn a_fault_in_a_loop_leaves_the_statements_marked_that_were_begun() {
    let text = "int f(int n) {
            int cells[4] = {0}, *p = cells, i;
            for (i = 0; i < n; i++) {
                if (i == 2)
                    p = 0;
                *p = i;
                cells[1] = n;
            }
            return cells[1];
        }";
    let statements = |n: i32| {
        let outcome = program(text, "f", CHECKED).run(&Input::of(&[&int(n)]));
        outcome.coverage[4..].to_vec()
    };
    // The declaration, the loop, the condition, `p = 0`, `*p = i`, `cells[1] = n`, the return.
    assert_eq!(statements(0), [1, 1, 0, 0, 0, 0, 1]);
    assert_eq!(statements(1), [1, 1, 1, 0, 1, 1, 1]);
    assert_eq!(statements(3), [1, 1, 1, 1, 1, 1, 0]);
    let text = text.replace("i == 2", "i == 0");
    let outcome = program(&text, "f", CHECKED).run(&Input::of(&[&int(3)]));
    assert_eq!(outcome.coverage[4..], [1, 1, 1, 1, 1, 0, 0]);
}

#[test]
fn a_run_with_more_vectors_than_fit_says_so() {
    // Every pair holds in two ways, so `pairs` of them have 2^pairs vectors.
    let run = |pairs: u32| {
        let conditions: Vec<String> = (0..pairs).map(|bit| format!("(i >> {bit} & 1 || n)")).collect();
        let text = format!(
            "int f(int n) {{ int r = 0; for (int i = 0; i < 1 << {pairs}; i++) r += {}; return r; }}",
            conditions.join(" && ")
        );
        let outcome = program(&text, "f", CHECKED).run(&Input::of(&[&int(1)]));
        (outcome.evaluations.len(), outcome.evaluations_dropped)
    };
    let most = tarka_trace::MAX_EVALUATIONS as usize;
    assert_eq!(run(14), (most, false), "as many as fit");
    assert_eq!(run(15), (most, true));
}

/// Units with a driver that calls them on all small inputs; the vectors of both ways must be the same.
const UNITS: &[&str] = &[
    "int f(int a, int b, int c) { return a && (b || c); }",
    "int f(int a, int b, int c) { int r = 0; while (a && r < b) { r++; if (r == c || a == r) break; } return r; }",
    "int f(int a, int b, int c) { int r = (a || b) + (b && c); if (!(a && c)) r++; return r ? a && b && c : 1; }",
    "int f(int a, int b, int c) { if (a && 1 && b) return 1; for (; a || b; a = 0) b = 0; return c && f(0, b, 0); }",
];

#[test]
fn evaluations_are_the_executed_test_vectors_of_llvm_cov() {
    for text in UNITS {
        let program = program(text, "f", CHECKED);
        let mut ours: Vec<Vectors> = vec![Vectors::new(); program.model.decisions.len()];
        for number in 0..27 {
            let inputs = [number % 3, number / 3 % 3, number / 9].map(int);
            let outcome = program.run(&Input { roots: inputs.to_vec(), ..Input::default() });
            for (decision, seen) in ours.iter_mut().enumerate() {
                seen.extend(vectors(&program, &outcome, decision));
            }
        }
        let model = &program.model;
        let ours: Vec<Vectors> = model
            .decisions
            .iter()
            .zip(ours)
            .filter(|(decision, _)| decision.mcdc)
            .map(|(_, vectors)| vectors)
            .collect();
        assert_eq!(ours, executed_vectors(text), "{text}");
    }
}

/// What `llvm-cov show` lists as executed, decision by decision; folded conditions left out.
fn executed_vectors(text: &str) -> Vec<Vectors> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let main = "int main(void) { for (int i = 0; i < 27; i++) f(i % 3, i / 3 % 3, i / 9); return 0; }";
    std::fs::write(path("unit.c"), format!("{text}\n{main}\n")).expect("writable");
    let run = |command: &mut Command| {
        let output = command.current_dir(folder.path()).output().expect("the tool is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let coverage = ["-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"];
    run(Command::new("clang-19").args(coverage).args(["unit.c", "-o", "unit"]));
    run(Command::new("./unit").env("LLVM_PROFILE_FILE", "raw"));
    run(Command::new("llvm-profdata-19").args(["merge", "raw", "-o", "data"]));
    let shown =
        run(Command::new("llvm-cov-19").args(["show", "--show-mcdc", "-instr-profile", "data", "unit"]));
    let mut decisions = Vec::new();
    for decision in shown.split("MC/DC Decision Region").skip(1) {
        let lines = || decision.lines().map(|line| line.trim_start_matches([' ', '|']));
        let folded: Vec<bool> = lines()
            .filter(|line| line.starts_with('C') && line.contains("-Pair:"))
            .map(|line| line.contains("folded"))
            .collect();
        let vectors = lines().filter_map(|line| {
            let (number, vector) = line.split_once('{')?;
            number.trim().parse::<u32>().ok()?;
            let (conditions, result) = vector.trim_end_matches('}').split_once('=')?;
            let kept = conditions.split(',').zip(&folded).filter(|(_, folded)| !**folded);
            let letters: String = kept.map(|(letter, _)| letter.trim()).collect();
            Some(format!("{letters} {}", result.trim()))
        });
        decisions.push(vectors.collect());
    }
    decisions
}
