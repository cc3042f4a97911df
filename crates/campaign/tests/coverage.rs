//! Small C functions, end to end: what is covered, what is proved impossible, what is told of the rest.

use crate::c::{Unit, covered, fingerprint, test, test_with};
use tarka_campaign::Options;
use tarka_events::{RunEnd, Status, Verdict};

const TRIANGLE: &str = "
int triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if ((long)a + b <= c || (long)b + c <= a || (long)a + c <= b) return 0;
    if (a == b && b == c) return 3;
    if (a == b || b == c || a == c) return 2;
    return 1;
}";

const BUBBLE: &str = "
void bubble(int v[6], int n) {
    int i, j, tmp;
    if (n >= 6) return;
    for (i = n; i > 1; i--)
        for (j = 1; j < i; j++)
            if (v[j] > v[j + 1]) { tmp = v[j]; v[j] = v[j + 1]; v[j + 1] = tmp; }
}";

#[test]
fn every_strategy_covers_triangle_and_bubble() {
    for strategy in ["auto", "bfs", "dfs", "random-branch"] {
        for (text, goals) in [(TRIANGLE, 22), (BUBBLE, 8)] {
            let result = test_with(text, &Options { strategy: strategy.to_string(), ..Options::default() });
            assert_eq!(covered(&result), (goals, goals), "{strategy} on {}: {result:#?}", result.function);
            assert_eq!(result.status, Status::Complete);
            assert_eq!(result.divergences, 0, "{strategy} on {}", result.function);
        }
    }
}

#[test]
fn without_the_filter_every_path_of_bubble_is_run_exactly_once() {
    // One path that is too long, one for up to one element, n! for n = 2 to 5 elements, and the null pointer.
    let paths = 1 + 1 + 2 + 6 + 24 + 120 + 1;
    for strategy in ["auto", "bfs", "dfs", "random-branch"] {
        let options =
            Options { strategy: strategy.to_string(), filter: false, time: None, ..Options::default() };
        let result = test_with(BUBBLE, &options);
        assert_eq!((result.runs, result.divergences), (paths, 0), "{strategy}");
    }
}

#[test]
fn the_same_seed_gives_the_same_result_whatever_the_number_of_workers() {
    let unit = Unit::new(&format!("{TRIANGLE}\n{BUBBLE}\nint twice(int x) {{ return 2 * x; }}"));
    for strategy in ["auto", "random-branch"] {
        let run = |jobs| {
            let options = Options { strategy: strategy.to_string(), seed: 7, jobs, ..Options::default() };
            unit.test_all(&options).iter().map(fingerprint).collect::<Vec<_>>()
        };
        let first = run(1);
        assert_eq!(first, run(1));
        assert_eq!(first, run(2));
    }
}

#[test]
fn straight_line_code_gets_one_run_and_one_test() {
    let result = test("long sum(unsigned long a, unsigned long b) { return a + b; }");
    assert_eq!((result.runs, result.kept_runs.len(), result.status), (1, 1, Status::Complete));
    assert_eq!(result.kept_runs[0].executed.observation.result, [0; 8]);
    assert_eq!(result.kept_runs[0].end, RunEnd::Returned);
}

#[test]
fn an_impossible_branch_is_proved_infeasible() {
    let result = test(
        "int f(unsigned char x, int y) {
            int n = 0;
            if (x > 100) n += 1;
            if (x > 100 && x < 50) n += 2;
            if (y * y == 7) n += 4;
            return n;
        }",
    );
    let infeasible: Vec<&str> = result
        .goals
        .iter()
        .filter(|goal| matches!(goal.verdict, Verdict::Infeasible { .. }))
        .map(|goal| goal.text.as_str())
        .collect();
    assert_eq!(infeasible, ["x < 50", "y * y == 7"], "{:#?}", result.goals);
    assert_eq!(result.status, Status::Complete);
}

#[test]
fn every_kind_of_parameter_is_solved_for() {
    let result = test(
        "#include <stdbool.h>
         enum colour { RED, GREEN = 7, BLUE };
         struct point { short x; long y; double z; char name[4]; };
         int f(signed char c, unsigned short s, long l, bool b, enum colour e, float g, double d, struct point p,
               __int128 w, unsigned long long u) {
            if (c == -5) return 1;
            if (s == 40000) return 2;
            if (l == -1234567890123) return 3;
            if (b) return 4;
            if (e == GREEN) return 5;
            if (g == 1.5f) return 6;
            if (d > 3.0 && d < 3.25) return 7;
            if (p.x == 77 && p.y == 1000000007) return 8;
            if (p.z == 0.25) return 9;
            if (p.name[2] == 'q') return 10;
            if (w == ((__int128)1 << 100)) return 11;
            switch (u) { case 1: return 12; case 0xffffffffffffffffull: return 13; case 5 ... 9: return 14; }
            return 0;
        }",
    );
    let (done, all) = covered(&result);
    assert_eq!(done, all, "{:#?}", result.goals);
    assert_eq!(result.divergences, 0);
    assert!(result.faults.is_empty());
}

#[test]
fn pointers_lead_to_fresh_objects_and_their_contents_are_solved_for() {
    let result = test(
        "#include <stddef.h>
         struct node { int v; struct node *next; };
         int f(const struct node *n, const int *numbers, char **names) {
            if (n == NULL || numbers == NULL || names == NULL) return 0;
            if (n->v == 3 && n->next != NULL && n->next->v == 4 && n->next->next == NULL) return 1;
            if (numbers[3] == 9 && numbers[7] == numbers[3] + 1) return 2;
            if (names[1] != NULL && names[1][0] == 'h' && names[1][1] == 'i' && names[1][2] == 0) return 3;
            return 4;
        }",
    );
    let (done, all) = covered(&result);
    assert_eq!(done, all, "{:#?}", result.goals);
    assert!(result.faults.is_empty(), "{:#?}", result.faults);
}

#[test]
fn inputs_of_every_shape_are_built() {
    let unit = Unit::new(
        "struct big { char data[4000]; int n; struct big *next; };
         struct bits { unsigned a : 3; int b : 5; unsigned char c; _Bool d : 1; _Bool e; };
         typedef struct { int x, y; } point;
         int large(struct big *b) {
            if (!b) return 0;
            if (b->data[3999] == 'x' && b->n > 5) return 1;
            return b->next && b->next->n == 7 ? 2 : 3;
         }
         int bit_fields(struct bits s, struct bits *t) {
            if (s.a == 5 && s.b == -3) return 1;
            if (s.d && !s.e) return 2;
            return t && t->b == 7 && t->e ? 3 : 0;
         }
         int matrix(int m[3][4]) { return m && m[2][3] == 9 && m[0][1] == m[2][3] + 1 ? 1 : 2; }
         int records(point *p, int n) {
            int s = 0;
            if (!p) return -1;
            for (int i = 0; i < n && i < 3; i++)
                if (p[i].x > p[i].y) s++;
            return s == 3 ? 99 : s;
         }
         int pointers(int **v) { return v && v[2] && *v[2] == 5 ? 1 : 0; }
         int main(int argc, char **argv) { return argc == 3 && argv && argv[1] && argv[1][0] == '-' ? 1 : 0; }",
    );
    for result in unit.test_all(&Options::default()) {
        let (done, all) = covered(&result);
        assert_eq!((done, result.divergences, result.faults.len()), (all, 0, 0), "{result:#?}");
    }
}

#[test]
fn a_kept_run_tells_what_the_unit_was_given_and_what_it_left() {
    let result = test("void set(int *out, int x) { if (out) { if (x > 5) out[1] = x; } }");
    let kept = result.kept_runs.iter().find(|kept| {
        let (given, left) = (&kept.executed.scenario.objects, &kept.executed.observation.objects);
        given.len() == 3 && left[2].bytes != given[2].bytes
    });
    let executed = &kept.expect("a run that stores").executed;
    let input = &executed.scenario;
    let x = i32::from_le_bytes(input.objects[1].bytes[..4].try_into().unwrap());
    assert!(x > 5);
    let (out, left) = (&input.objects[2], &executed.observation.objects[2]);
    assert_eq!(out.address, u64::from_le_bytes(input.objects[0].bytes[..8].try_into().unwrap()));
    assert_eq!((out.count, left.touched, left.freed), (16, 8, false));
    assert_eq!(left.bytes[4..8], x.to_le_bytes());
}

#[test]
fn what_a_library_call_or_assembly_decides_is_never_called_infeasible() {
    for body in [
        "if (getpid() == 1) return 2; return x > 3;",
        "char *p = ttyname(-1); if (p) return -1; return x > 3;",
        "int r; __asm__(\"xorl %0, %0\" : \"=r\"(r)); if (r) return 2; return x > 3;",
    ] {
        let result = test(&format!("#include <unistd.h>\nint f(int x) {{ {body} }}"));
        let open = result.goals.iter().find(|goal| !matches!(goal.verdict, Verdict::Covered { .. }));
        let verdict = &open.expect("the side nobody reaches").verdict;
        assert!(
            matches!(verdict, Verdict::Unknown { reason, .. } if reason.contains("not an input")),
            "{body}: {verdict:?}"
        );
    }
}

#[test]
fn a_branch_behind_a_library_call_is_unknown_and_names_the_place() {
    let result = test(
        "#include <unistd.h>
         int f(int x) {
            usleep((unsigned)x % 2);
            if (getpid() == 1 && getppid() == 1) return 1;
            return 0;
        }",
    );
    let Some(Verdict::Unknown { reason, .. }) = result
        .goals
        .iter()
        .map(|goal| &goal.verdict)
        .find(|verdict| matches!(verdict, Verdict::Unknown { .. }))
    else {
        panic!("{:#?}", result.goals)
    };
    assert!(
        reason.starts_with("may be blocked by a concretisation at ") && reason.contains("unit.c:3"),
        "{reason}"
    );
    assert_eq!(result.status, Status::Budget);
    assert!(!result.concretisations.is_empty());
}

#[test]
fn a_pointer_we_cannot_build_is_a_bound_and_not_a_proof() {
    let result = test(
        "struct huge { char bytes[2000000]; };
         struct s { struct huge *log; int x; };
         int f(struct s s) { if (s.log) return 1; if (s.x == 3) return 2; return 0; }",
    );
    let verdict =
        &result.goals.iter().find(|goal| goal.text == "s.log" && goal.id.ends_with(":1")).unwrap().verdict;
    assert!(
        matches!(verdict, Verdict::Unknown { reason, .. } if reason.contains("kept null")),
        "{verdict:?}"
    );
    assert!(result.limits.iter().any(|limit| limit.contains("`log`")), "{:?}", result.limits);
}

#[test]
fn what_no_input_decides_proves_nothing() {
    let result = test(
        "#include <unistd.h>
         int f(void) { const char *name = ttyname(-1); if (name) return 1; return 0; }",
    );
    let open: Vec<&Verdict> = result
        .goals
        .iter()
        .map(|goal| &goal.verdict)
        .filter(|verdict| !matches!(verdict, Verdict::Covered { .. }))
        .collect();
    let [Verdict::Unknown { reason, .. }] = open[..] else { panic!("{open:?}") };
    assert!(reason.starts_with("`name` at "), "{reason}");
}

#[test]
fn what_cannot_be_tested_is_skipped_with_the_reason_and_the_rest_goes_on() {
    let unit = Unit::new(
        "#include <stdarg.h>
         typedef int four __attribute__((vector_size(16)));
         int a(va_list list) { return va_arg(list, int); }
         int b(int n, four v) { return v[n & 3]; }
         int g(int n) { return n > 3 ? 1 : 0; }",
    );
    let results = unit.test_all(&Options::default());
    let statuses: Vec<String> = results
        .iter()
        .map(|result| match &result.status {
            Status::Skipped(reason) => format!("{}: {reason}", result.function),
            other => format!("{}: {other:?}", result.function),
        })
        .collect();
    assert!(statuses[0].starts_with("a: its 1st parameter `list` "), "{statuses:?}");
    assert!(statuses[1].starts_with("b: its 2nd parameter `v` "), "{statuses:?}");
    assert_eq!(statuses[2], "g: Complete");
}

#[test]
fn a_budget_of_runs_is_kept_and_named() {
    let result = test_with(TRIANGLE, &Options { runs: Some(2), ..Options::default() });
    assert_eq!((result.runs, &result.status), (2, &Status::Budget));
    let reasons = result.goals.iter().filter_map(|goal| match &goal.verdict {
        Verdict::Unknown { reason, .. } => Some(reason),
        _ => None,
    });
    assert!(reasons.clone().count() > 0);
    for reason in reasons {
        assert!(reason.starts_with("the budget of 2 runs ran out with "), "{reason}");
    }
}
