//! Nothing is believed unseen: what the plain program does not do is taken back, and says so.

use crate::unit::{Bench, compile};
use tarka_events::{Cause, RunEnd, Status, Verdict};

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

const SIGN: &str = "int sign(int x) { if (x < 0) return -1; return x > 0; }\n";

#[test]
fn an_untrue_observation_is_removed_and_noted() {
    let mut bench = Bench::new(SIGN, "sign");
    bench.run(bench.input().param(&int(-4)).make(), &[0], RunEnd::Returned, &int(99));
    let suite = bench.write();
    assert_eq!(suite.notes, ["test_sign_1: `result == 99` did not hold on every replay"]);
    assert!(
        bench.tests().contains("/* seen once, but not on every replay: result == 99 */"),
        "{}",
        bench.tests()
    );
    bench.judge();
}

#[test]
fn a_run_that_goes_elsewhere_loses_its_goals() {
    let mut bench = Bench::new(SIGN, "sign");
    // It claims the true side, but takes the false one.
    bench.run(bench.input().param(&int(4)).make(), &[0], RunEnd::Returned, &int(1));
    let suite = bench.write();
    assert_eq!(suite.tests[0].covers, [1]);
    assert_eq!(suite.notes, ["run 1 does not take sign:0:1 on the plain program"]);
    let Verdict::Unknown { cause, reason, .. } = &bench.unit.goals[0].verdict else { panic!("not covered") };
    assert_eq!((cause, reason.as_str()), (&Cause::Replay, "seen only in the instrumented program"));
    assert_eq!(bench.unit.goals[1].verdict, Verdict::Covered { run: 1, ms: 3, pair: None });
    assert_eq!(bench.unit.status, Status::Budget);
}

#[test]
fn a_run_that_crashes_on_the_plain_program_is_no_test() {
    let mut bench = Bench::new("int f(int x) { if (x == 3) return 12 / (x - 3); return 0; }\n", "f");
    bench.run(bench.input().param(&int(3)).make(), &[0], RunEnd::Returned, &int(0));
    let suite = bench.write();
    assert!(suite.tests.is_empty());
    assert!(!bench.folder.path().join("out/f/test_f.c").exists());
    let Verdict::Unknown { reason, .. } = &bench.unit.goals[0].verdict else { panic!("not covered") };
    assert_eq!(
        reason,
        "seen only in the instrumented program: its replay on the plain program ended differently (signal 8)"
    );
}

#[test]
fn the_smallest_suite_is_chosen_and_each_test_says_what_it_adds() {
    let mut bench = Bench::new(SIGN, "sign");
    bench.unit.goals.truncate(2);
    for (value, goals) in [(1, vec![1]), (-7, vec![0]), (2, vec![1])] {
        let result = int(if value < 0 { -1 } else { 1 });
        bench.run(bench.input().param(&int(value)).make(), &goals, RunEnd::Returned, &result);
    }
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn switches_are_seen_arm_by_arm() {
    let mut bench = Bench::new(
        "int f(unsigned char c) { switch (c) { case 'a' ... 'f': return 1; case 9: return 2; } return 0; }\n",
        "f",
    );
    for (value, arm) in [(b'c', 0), (9, 1), (0, 2)] {
        let covers: Vec<u32> = (0..3).map(|index| index * 2 + u32::from(index != arm)).collect();
        bench.run(
            bench.input().param(&[value]).make(),
            &covers,
            RunEnd::Returned,
            &int([1, 2, 0][arm as usize]),
        );
    }
    let suite = bench.write();
    assert!(suite.notes.is_empty(), "{:?}", suite.notes);
    assert_eq!(suite.tests.len(), 3);
    assert_eq!(bench.unit.status, Status::Complete);
    bench.judge();
}

#[test]
fn a_unit_that_exits_is_checked_by_its_status() {
    let mut bench = Bench::new("#include <stdlib.h>\nvoid stop(int n) { if (n > 2) exit(n); }\n", "stop");
    bench.run(bench.input().param(&int(3)).make(), &[0], RunEnd::Exited(3), &[]);
    bench.run(bench.input().param(&int(0)).make(), &[1], RunEnd::Returned, &[]);
    insta::assert_snapshot!(bench.judged());
}

#[test]
fn a_unit_with_its_own_main_and_its_own_warnings() {
    let mut bench = Bench::new(
        "#include <stdio.h>\nstatic int unused(int a) { unsigned b = 3; return 0; }\n\
         int main(int argc, char **argv) { if (argc < 2) { puts(\"main\"); return 3; } return 0; }\n",
        "main",
    );
    bench.run(bench.input().param(&int(1)).param(&[]).make(), &[0], RunEnd::Returned, &int(3));
    bench.judged();
    let text = bench.read("main/test_main.c");
    insta::assert_snapshot!(text[..text.find("static int tarka_failed").unwrap()]);
}

#[test]
fn what_static_variables_keep_does_not_leak_into_the_next_test() {
    let mut bench = Bench::new(
        "int next(int x) { static int calls; calls++; if (x) return calls; return -calls; }\n",
        "next",
    );
    bench.run(bench.input().param(&int(1)).make(), &[0], RunEnd::Returned, &int(1));
    bench.run(bench.input().param(&int(0)).make(), &[1], RunEnd::Returned, &int(-1));
    bench.judged();
}

#[test]
fn a_fault_file_shows_its_fault() {
    let mut bench = Bench::new(
        "struct node { int v; struct node *next; };\nint f(struct node *n, int d) { if (d) return n->next->v; return 0; }\n",
        "f",
    );
    let node = bench.pointee(bench.model.function_named("f").unwrap().1.params[0].ty);
    let input = bench.input().pointer(0).param(&int(1)).object(0, 0, node, 16, &[], &[]).touched(16).make();
    bench.fault("null-dereference", 2, input.clone());
    bench.run(input, &[0], RunEnd::Fault(0), &[]);
    bench.run(bench.input().param(&[]).param(&int(0)).make(), &[1], RunEnd::Returned, &int(0));
    let suite = bench.write();
    assert!(suite.faults[0].confirmed);
    assert_eq!(suite.faults[0].covers, [0], "what it takes");
    assert_eq!(suite.by_faults_only.into_iter().collect::<Vec<_>>(), [0], "no test shows it");
    assert_eq!(bench.unit.status, Status::Budget);
    insta::assert_snapshot!(bench.read("f/fault_f_1.c"));
    for compiler in ["gcc", "clang-19"] {
        let program = compile(compiler, &bench.folder.path().join("out/f/fault_f_1.c"), &[]);
        let status = std::process::Command::new(program).status().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(11));
    }
}

#[test]
fn a_fault_that_does_not_show_again_is_kept_and_says_so() {
    let mut bench = Bench::new("int f(int x) { return x; }\n", "f");
    bench.fault("division-by-zero", 1, bench.input().param(&int(0)).make());
    let suite = bench.write();
    assert!(!suite.faults[0].confirmed);
    assert!(bench.read("f/fault_f_1.c").contains("NOT CONFIRMED"));
}

#[test]
fn a_use_after_free_is_shown_by_the_address_sanitizer() {
    let mut bench = Bench::new("#include <stdlib.h>\nint f(int *p) { free(p); return *p; }\n", "f");
    let int = bench.pointee(bench.model.function_named("f").unwrap().1.params[0].ty);
    let input = bench.input().pointer(0).object(0, 0, int, 16, &[1], &[1]).freed().make();
    bench.fault("use-after-free", 2, input);
    let suite = bench.write();
    assert!(suite.faults[0].confirmed);
    assert!(bench.read("f/fault_f_1.c").contains("-fsanitize=address"));
}

#[test]
fn an_index_far_outside_its_array_is_shown_by_the_bounds_sanitizer() {
    let mut bench = Bench::new("static int t[10];\nint f(int i) { return t[i]; }\n", "f");
    bench.fault("out-of-bounds", 2, bench.input().param(&int(42)).make());
    let suite = bench.write();
    assert!(suite.faults[0].confirmed, "{}", bench.read("f/fault_f_1.c"));
}

#[test]
fn values_that_differ_from_run_to_run_are_not_asserted() {
    let mut bench = Bench::new("#include <unistd.h>\nint f(void) { return getpid(); }\n", "f");
    bench.returns(bench.input().make(), &int(1));
    let suite = bench.write();
    assert_eq!(suite.tests.len(), 1);
    assert_eq!(suite.notes.len(), 1);
    bench.judge();
}

#[test]
fn a_unit_may_use_names_of_headers_it_does_not_include() {
    let mut bench = Bench::new(
        "char *dup(char *s, int link) { static double gamma; gamma += 1; return link > 2 ? s : 0; }\n\
         int select(double d) { return d != d; }\n",
        "dup",
    );
    bench.run(bench.input().param(&[]).param(&int(3)).make(), &[0], RunEnd::Returned, &[0; 8]);
    bench.judged();
    assert!(bench.read("dup/test_dup.c").contains("int fork(void);"));
}

#[test]
fn a_file_without_a_check_is_clean_too() {
    let mut bench = Bench::new("void nothing(void) {}\n", "nothing");
    bench.returns(bench.input().make(), &[]);
    bench.judged();
    assert!(!bench.read("nothing/test_nothing.c").contains("pragma"));
}

#[test]
fn a_run_that_the_sanitizers_stop_becomes_a_fault() {
    let mut bench =
        Bench::new("int f(int x)\n{\n    if (x > 5)\n        return x + 1;\n    return 0;\n}\n", "f");
    bench.run(bench.input().param(&int(i32::MAX)).make(), &[0], RunEnd::Returned, &int(i32::MIN));
    bench.run(bench.input().param(&int(0)).make(), &[1], RunEnd::Returned, &int(0));
    let suite = bench.write();
    assert_eq!(suite.tests.len(), 1);
    assert_eq!(
        suite.notes,
        [
            "run 1 gives no test: the sanitizers stop it: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'"
        ]
    );
    let fault = &bench.unit.faults[0];
    assert_eq!((fault.kind.name(), fault.place.line, fault.place.column), ("signed-overflow", 4, 18));
    assert_eq!((fault.function.as_str(), fault.run), ("f", 1));
    assert_eq!(bench.unit.kept_runs[0].end, RunEnd::Fault(0));
    assert!(suite.faults[0].confirmed && suite.faults[0].sanitizer);
    assert_eq!(suite.faults[0].covers, [0]);
    assert_eq!(suite.by_faults_only.iter().copied().collect::<Vec<_>>(), [0], "no test shows it");
    assert_eq!(bench.unit.status, Status::Budget);
    bench.judge();
    insta::assert_snapshot!(bench.read("f/fault_f_1.c"));
}

#[test]
fn another_run_that_covers_the_same_is_preferred_to_one_that_the_sanitizers_stop() {
    let mut bench = Bench::new("int f(int x) { if (x > 5) return x + 1; return 0; }\n", "f");
    for (value, goal) in [(i32::MAX, 0), (0, 1), (6, 0)] {
        let result = if value == 0 { 0 } else { value.wrapping_add(1) };
        bench.run(bench.input().param(&int(value)).make(), &[goal], RunEnd::Returned, &int(result));
    }
    let suite = bench.write();
    let runs: Vec<u64> = suite.tests.iter().map(|test| test.run).collect();
    assert_eq!(runs, [2, 3]);
    assert!(bench.unit.faults.is_empty());
    assert_eq!(bench.unit.status, Status::Complete);
    bench.judge();
}

#[test]
fn an_address_that_only_the_sanitizers_see_is_placed() {
    let mut bench = Bench::new(
        "#include <stdlib.h>\nint f(int n)\n{\n    int *p = malloc(4);\n    int r = n;\n    if (n > 3)\n        \
         p[n - 3] = 1;\n    free(p);\n    return r;\n}\n",
        "f",
    );
    bench.run(bench.input().param(&int(4)).make(), &[0], RunEnd::Returned, &int(4));
    let suite = bench.write();
    let fault = &bench.unit.faults[0];
    assert_eq!((fault.kind.name(), fault.place.line), ("out-of-bounds", 7));
    assert_eq!(fault.message, "memory outside an allocated object is written: `p[n - 3] = 1;`");
    assert!(suite.faults[0].confirmed);
}

#[test]
fn memory_that_the_unit_returns_is_no_leak() {
    let mut bench = Bench::new(
        "#include <stdlib.h>\nint *f(int n) { static int *kept; kept = malloc(8); kept = 0; if (n) return malloc(4); return kept; }\n",
        "f",
    );
    bench.run(bench.input().param(&int(1)).make(), &[0], RunEnd::Returned, &[8; 8]);
    bench.run(bench.input().param(&int(0)).make(), &[1], RunEnd::Returned, &[0; 8]);
    bench.judged();
}

#[test]
fn a_unit_with_sanitizers_of_its_own_still_works() {
    for flags in ["-fsanitize=address", "-fsanitize=undefined", "-fsanitize=thread"] {
        let mut bench = Bench::new(SIGN, "sign");
        bench.model.flags = vec![flags.to_string()];
        bench.run(bench.input().param(&int(-4)).make(), &[0], RunEnd::Returned, &int(-1));
        bench.run(bench.input().param(&int(4)).make(), &[1], RunEnd::Returned, &int(1));
        let suite = bench.write();
        assert_eq!(suite.tests.len(), 2, "{flags}: {:?}", suite.notes);
        let unchecked = suite.notes.iter().any(|note| note.starts_with("not replayed with -fsanitize"));
        assert_eq!(unchecked, flags == "-fsanitize=thread", "{:?}", suite.notes);
        assert_eq!(bench.unit.status, Status::Complete);
    }
}

#[test]
fn a_unit_that_gcc_does_not_know_is_replayed_with_clang_alone() {
    let mut bench = Bench::new(
        "unsigned f(unsigned x) { if (__builtin_bitreverse32(x) == 1) return 1; return 0; }\n",
        "f",
    );
    bench.run(bench.input().param(&[0, 0, 0, 0x80]).make(), &[0], RunEnd::Returned, &int(1));
    bench.run(bench.input().param(&int(0)).make(), &[1], RunEnd::Returned, &int(0));
    let suite = bench.write();
    assert_eq!(suite.tests.len(), 2);
    assert_eq!(bench.unit.status, Status::Complete);
    assert_eq!(suite.notes.len(), 1, "{:?}", suite.notes);
    assert!(suite.notes[0].starts_with("replayed with clang only: gcc does not accept"), "{:?}", suite.notes);
}
