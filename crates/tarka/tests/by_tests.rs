//! Coverage is what passing tests cover, end to end: what only fault programs show is a figure of its own, and `llvm-cov` sees in
//! the tests alone what the headline says.

use std::fs;
use std::path::PathBuf;

use crate::judges::agreement::{self, Comparison};
use crate::judges::llvm_cov::array;
use crate::judges::{output, tarka, text};
use serde_json::Value;

/// The report on a C text, its exit status and what was printed.
struct Generated {
    folder: tempfile::TempDir,
    report: Value,
    status: Option<i32>,
    printed: String,
}

impl Generated {
    fn new(source: &str, options: &[&str]) -> Generated {
        let folder = tempfile::tempdir().expect("scratch folder");
        let (file, out) = (folder.path().join("unit.c"), folder.path().join("out"));
        fs::write(&file, source).expect("the source");
        let result = output(
            tarka().args(["gen", "--seed", "1", "-n", "300", "-o"]).arg(&out).args(options).arg(&file),
        );
        let report =
            fs::read_to_string(out.join("report.json")).unwrap_or_else(|_| panic!("{}", text(&result)));
        let report = serde_json::from_str(&report).expect("valid JSON");
        Generated { folder, report, status: result.status.code(), printed: text(&result) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The unit `f`.
    fn unit(&self) -> &Value {
        let units = array(&self.report["units"]);
        units.iter().find(|unit| unit["function"] == "f").expect("a unit f")
    }

    fn counts(&self) -> [u64; 5] {
        let names = ["total", "covered", "infeasible", "unknown", "covered_by_faults_only"];
        names.map(|name| self.unit()["goals"][name].as_u64().expect("a count"))
    }

    /// What `llvm-cov` says of the tests is what the report says.
    fn judge(&self) {
        let (file, out) = (self.path("unit.c"), self.path("out"));
        let Comparison { wrong, exact, .. } =
            agreement::judge_file(&self.report, &file, &[], &out, self.folder.path());
        assert_eq!((wrong, exact), (Vec::new(), array(&self.report["units"]).len()));
    }
}

#[test]
fn what_only_fault_programs_show_is_not_covered() {
    let source = "#include <stdlib.h>\nint f(int n)\n{\n    if (n == 77)\n        abort();\n    return n > 5 ? 1 : 0;\n}\n";
    let generated = Generated::new(source, &[]);
    assert_eq!(generated.counts(), [4, 3, 0, 1, 1], "{:#}", generated.unit());
    let unit = generated.unit();
    let goal = array(&unit["goal_list"]).iter().find(|goal| goal["covered_by_faults_only"] == true);
    let goal = goal.expect("such a goal");
    assert_eq!((&goal["status"], &goal["cause"]), (&"unknown".into(), &"fault".into()), "{goal:#}");
    assert_eq!(goal["tests"], serde_json::json!(["fault_f_1"]));
    let reason = goal["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("only fault programs show it (fault_f_1, abort at "), "{reason}");
    assert_eq!(unit["status"], "budget", "complete says that tests cover everything");
    assert_eq!(agreement::share(unit, "branch"), (3, 4));
    assert!(
        generated.printed.contains("3 of 4 goals covered by tests, 1 only by fault programs"),
        "{}",
        generated.printed
    );
    assert!(generated.printed.contains("3 (+1 by faults)"), "{}", generated.printed);
    let page = fs::read_to_string(generated.path("out/index.html")).expect("the page");
    assert!(page.contains("Shown only by fault programs (1)"), "{page}");
    generated.judge();
}

/// Each side is first reached by an input that ends in a fault: a check that fails later, in the unit or in what it calls.
#[test]
fn a_goal_that_a_faulting_run_reached_first_gets_a_clean_input() {
    let source = "static int at(const int *table, int n) { return table[n]; }
int f(int n, int d, const int *p)
{
    static const int table[4] = {4, 3, 2, 1};
    int r = 0;
    if (n > 10)
        r = 100 / (n - 11);
    if (d == 5)
        r += *p;
    if (d > 20)
        r += at(table, d - 25);
    return r;
}
";
    let generated = Generated::new(source, &[]);
    assert_eq!(generated.counts(), [6, 6, 0, 0, 0], "{:#}", generated.unit());
    assert!(!array(&generated.unit()["faults"]).is_empty(), "the faults are reported all the same");
    generated.judge();
}

#[test]
fn without_faults_asked_for_none_is_reported() {
    let source = "int f(int x)\n{\n    if (x > 5)\n        return x + 2147483647;\n    return 0;\n}\n";
    let generated = Generated::new(source, &["--faults", "none"]);
    assert_eq!(generated.status, Some(0), "{}", generated.printed);
    assert_eq!(generated.unit()["faults"], serde_json::json!([]));
    assert_eq!(generated.counts(), [2, 1, 0, 1, 0]);
    assert_eq!(Generated::new(source, &[]).status, Some(1), "asked for, it is a bug");
}

#[test]
fn an_allocation_fails_in_a_test_without_being_asked_for() {
    let source = "#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
struct node *push(struct node *head, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    node->value = value;
    node->next = head;
    return node;
}
char *copy(const char *text)
{
    char *made = text ? strdup(text) : NULL;
    if (made == NULL)
        return NULL;
    if (made[0] == 'x')
        made[0] = 'y';
    return made;
}
";
    let generated = Generated::new(source, &[]);
    for unit in array(&generated.report["units"]) {
        assert_eq!(unit["status"], "complete", "{unit:#}");
        assert_eq!(unit["faults"], serde_json::json!([]));
    }
    let tests = fs::read_to_string(generated.path("out/push/test_push.c")).expect("tests");
    assert!(tests.contains("malloc"), "{tests}");
    generated.judge();
}

/// Inline functions without a definition for others, variables with qualifiers, macros in the place of library functions and
/// names that headers have, too: real units have them, and their tests compile all the same.
#[test]
fn units_with_their_own_idea_of_the_library_get_tests() {
    let generated = Generated::new(
        "#include <stdio.h>
int rpl_fflush(FILE *);
#undef fflush
#define fflush rpl_fflush
#undef puts
#define puts rpl_puts
enum { link = 3 };
inline int is_small(int c) { return c < 9; }
extern volatile int level;
int f(int c) {
    if (is_small(c)) return level;
    return c > 100 + link;
}",
        &["-f", "f"],
    );
    assert_eq!(generated.counts(), [2, 2, 0, 0, 0], "{}", generated.printed);
    generated.judge();
}

#[test]
fn the_main_of_the_unit_is_looked_at_and_not_that_of_the_tests() {
    let generated = Generated::new(
        "int f(int x) { return x > 3 ? 1 : 2; }\n\
         int main(int argc, char **argv) { (void)argv; if (argc > 5 && argc != 7) return f(argc); return 0; }\n",
        &["-c", "mcdc"],
    );
    generated.judge();
}

#[test]
fn what_depends_on_uninitialised_memory_is_no_test() {
    // The stub writes what its declaration names; whether `second` is zero is nobody's decision.
    let generated = Generated::new(
        "void fill(int *first, ...);\n\
         int f(int x)\n{\n    int first, second;\n    fill(&first, &second);\n    if (x > 3)\n        return 1;\n\
         \x20   if (second == 0)\n        return 2;\n    return 3;\n}\n",
        &[],
    );
    generated.judge();
    assert_eq!(generated.counts(), [4, 1, 0, 3, 0], "{}", generated.printed);
    let replays = array(&generated.unit()["goal_list"]).iter().filter(|goal| goal["cause"] == "replay");
    let reasons: Vec<&str> = replays.filter_map(|goal| goal["reason"].as_str()).collect();
    assert!(reasons.iter().any(|reason| reason.contains("uninitialised memory")), "{reasons:?}");
}

#[test]
fn conditions_that_a_macro_of_the_system_makes_are_counted_alike() {
    let generated = Generated::new(
        "#include <sys/param.h>\n\
         int f(unsigned x, unsigned y)\n{\n    if (x > 99 || y == 0 || y > 99)\n        return 0;\n\
         \x20   return roundup(x, y) > 50 ? 1 : 2;\n}\n",
        &["-c", "mcdc"],
    );
    generated.judge();
}

#[test]
fn calls_that_no_run_can_make_need_no_definition() {
    let generated = Generated::new(
        "void elsewhere(void);\n\
         int f(int x)\n{\n    if (sizeof x == 1)\n        elsewhere();\n    return x > 3 ? 1 : 2;\n}\n",
        &[],
    );
    generated.judge();
}
