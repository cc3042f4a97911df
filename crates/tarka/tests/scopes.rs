//! `--goals`: whose branches are goals. What is covered of called functions is what `llvm-cov` sees there when it runs the
//! tests of the unit; every side counts once; and a proof about a callee speaks of calls through the unit.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::judges::agreement::{self, share};
use crate::judges::llvm_cov::array;
use crate::judges::{self, output, root, text};
use serde_json::Value;

/// What `tarka gen` made of a C text.
struct Generated {
    folder: tempfile::TempDir,
    report: Value,
    printed: String,
}

impl Generated {
    fn new(source: &str, options: &[&str]) -> Generated {
        Generated::with(&[("unit.c", source)], options)
    }

    /// Of the files, the first is tested.
    fn with(files: &[(&str, &str)], options: &[&str]) -> Generated {
        let folder = tempfile::tempdir().expect("scratch folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a source");
        }
        let mut command = judges::tarka();
        command.current_dir(folder.path()).args(["gen", files[0].0, "--seed", "1", "-o", "out"]);
        let result = output(command.args(["-t", "0", "-n", "300"]).args(options));
        let report = fs::read_to_string(folder.path().join("out/report.json"))
            .unwrap_or_else(|_| panic!("{}", text(&result)));
        let report = serde_json::from_str(&report).expect("valid JSON");
        Generated { folder, report, printed: text(&result) }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("unit.c")
    }

    fn unit(&self, function: &str) -> &Value {
        let units = array(&self.report["units"]).iter();
        units.clone().find(|unit| unit["function"] == function).expect("the unit")
    }

    /// A goal of a unit: the function that has it, its text and outcome.
    fn goal(&self, unit: &str, (function, text, outcome): (&str, &str, &str)) -> &Value {
        let is_it = |goal: &&Value| {
            let whose = goal["function"].as_str().unwrap_or(unit);
            whose == function && goal["text"] == text && goal["outcome"] == outcome
        };
        let mut goals = array(&self.unit(unit)["goal_list"]).iter();
        goals.find(is_it).unwrap_or_else(|| panic!("{function}: {text} is {outcome}"))
    }

    /// Total and covered goals of a unit.
    fn counts(&self, unit: &str) -> (u64, u64) {
        counts(&self.unit(unit)["goals"])
    }

    /// Whose goals a unit has, the unit's own left out.
    fn others(&self, unit: &str) -> Vec<&str> {
        let goals = array(&self.unit(unit)["goal_list"]).iter();
        let mut names: Vec<&str> = goals.filter_map(|goal| goal["function"].as_str()).collect();
        names.dedup();
        names
    }

    /// What the report claims of every unit is what `llvm-cov` sees.
    fn judge(&self) {
        let scratch = self.folder.path();
        let judged =
            agreement::judge_file(&self.report, &self.file(), &[], &self.folder.path().join("out"), scratch);
        assert_eq!(judged.wrong, [""; 0]);
    }
}

fn counts(goals: &Value) -> (u64, u64) {
    (goals["total"].as_u64().expect("a total"), goals["covered"].as_u64().expect("a count"))
}

/// The examples: sides of the functions that a public function reaches, and those that some call of it reaches.
fn expected() -> BTreeMap<String, (String, u64, u64)> {
    let text = fs::read_to_string(root().join("examples/scopes/expected.tsv")).expect("expected.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| cells[at].parse().expect("a number");
        (cells[0].to_string(), (cells[1].to_string(), number(2), number(3)))
    };
    lines.map(row).collect()
}

#[test]
fn every_side_behind_a_public_function_is_reached_that_can_be() {
    let expected = expected();
    let files = judges::example::c_files("examples/scopes");
    assert_eq!(files, expected.keys().cloned().collect::<Vec<_>>());
    for (file, (function, sides, reached)) in expected {
        let source = fs::read_to_string(root().join("examples/scopes").join(&file)).expect("an example");
        // It has no branch of its own, so its goals are these also unless something else is asked for.
        for (options, scope) in [(&["--goals", "file"][..], "file"), (&[], "callees")] {
            let generated = Generated::new(&source, &[&["-f", &function], options].concat());
            assert_eq!(generated.unit(&function)["goals_scope"], scope);
            let goals = &generated.unit(&function)["goal_list"];
            assert_eq!(generated.counts(&function), (sides, reached), "{file} {options:?}: {goals:#}");
            generated.judge();
        }
    }
}

/// `only` never gives `half` an odd number; somebody else may.
const PARTLY: &str = r"
static int half(int n)
{
    if (n % 2)
        return -1;
    return n / 2;
}

int only(int n)
{
    if (n > 100 || n < -100)
        return 0;
    return half(2 * n);
}

int any(int n)
{
    return half(n) + (n > 7);
}
";

#[test]
fn a_side_that_no_call_through_the_unit_reaches_is_not_called_infeasible() {
    let odd = ("half", "n % 2", "true");
    let generated = Generated::new(PARTLY, &["--goals", "file"]);
    let goal = generated.goal("only", odd);
    assert_eq!((&goal["status"], &goal["cause"]), (&"infeasible-from-unit".into(), &"exhausted".into()));
    assert!(goal["reason"].as_str().is_some_and(|reason| reason.starts_with("infeasible from only(): ")));
    assert!(goal["attacks"].as_u64() > Some(0), "the proof was attacked: {goal}");
    assert_eq!(generated.unit("only")["status"], "complete");
    assert_eq!(generated.goal("any", odd)["status"], "covered");
    assert_eq!(generated.goal("half", odd)["status"], "covered");
    generated.judge();
    // `half` has 2 sides, `only` 4, `any` has none of its own.
    assert_eq!(counts(&generated.report["goals"]), (6, 6));
    assert!(
        generated.printed.contains("branch: 6 of 6 goals covered by tests, each counted once"),
        "{}",
        generated.printed
    );
    assert!(generated.printed.contains("(+1 infeasible from only())"), "{}", generated.printed);

    let alone = Generated::new(PARTLY, &["--goals", "file", "-f", "only"]);
    let said = "5 of 6 goals covered by tests, 1 proved infeasible from the functions tested";
    assert!(alone.printed.contains(said), "{}", alone.printed);
}

#[test]
fn unless_asked_a_function_with_branches_has_its_own_goals_only() {
    let generated = Generated::new(PARTLY, &[]);
    assert_eq!((generated.counts("only"), generated.others("only")), ((4, 4), vec![]));
    assert!(generated.unit("only").get("goals_scope").is_none());
    assert!(generated.unit("only").get("coverage_by_run").is_none());
    let without = Generated::new("int twice(int n)\n{\n    return n + n;\n}\n", &["--faults", "none"]);
    assert!(without.unit("twice").get("goals_scope").is_none(), "it calls nobody");
    assert!(!without.printed.contains("callees"), "{}", without.printed);
}

#[test]
fn coverage_by_run_ends_with_what_is_covered() {
    let generated = Generated::new(PARTLY, &["--goals", "file", "-f", "only"]);
    let curve = array(&generated.unit("only")["coverage_by_run"]);
    let figures: Vec<(u64, u64)> = curve
        .iter()
        .map(|point| (point["runs"].as_u64().expect("runs"), point["covered"].as_u64().expect("covered")))
        .collect();
    assert_eq!(figures.last().map(|(_, covered)| *covered), Some(5));
    assert!(figures.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1), "{figures:?}");
    assert!(figures.len() > 1, "no single run covers all: {figures:?}");
}

/// Functions that nobody names where they are called: the library calls one, a pointer of the input leads to another.
const CALLBACKS: &str = r"#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    const int *left = a, *right = b;
    if (*left > 1000)
        return 1;
    return *left < *right ? -1 : 1;
}

int sorted(int a, int b)
{
    int pair[2] = {a, b};
    if (a == 77)
        return 0;
    qsort(pair, 2, sizeof pair[0], by_size);
    return pair[0];
}

static int odd(int n)
{
    return n % 2 ? 1 : 0;
}

static int large(int n)
{
    return n > 4096 ? 1 : 0;
}

typedef int test(int n);
struct rule {
    test *test;
    int n;
};

test *const known[] = {odd, large};

int applies(struct rule *rule)
{
    if (rule == 0 || rule->test == 0)
        return 0;
    return rule->test(rule->n);
}
";

#[test]
fn functions_behind_pointers_are_reached() {
    let generated = Generated::new(CALLBACKS, &["--goals", "file"]);
    assert_eq!(generated.others("sorted"), ["by_size"]);
    assert_eq!(generated.counts("sorted"), (6, 6), "{:#}", generated.unit("sorted")["goal_list"]);
    assert_eq!(generated.others("applies"), ["odd", "large"]);
    assert_eq!(generated.counts("applies"), (8, 8), "{:#}", generated.unit("applies")["goal_list"]);
    generated.judge();
}

/// Two functions that call each other, and a unit that calls itself.
const RECURSIVE: &str = r"
static int is_odd(unsigned n);

static int is_even(unsigned n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}

static int is_odd(unsigned n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

int parity(unsigned n)
{
    if (n > 9)
        return parity(n % 10);
    return is_even(n) ? 0 : 1;
}
";

#[test]
fn recursion_counts_every_side_once() {
    for options in [&["--goals", "file"][..], &["--goals", "file", "-c", "mcdc"]] {
        let generated = Generated::new(RECURSIVE, options);
        assert_eq!(generated.counts("parity"), (8, 8), "{:#}", generated.unit("parity")["goal_list"]);
        assert_eq!(generated.counts("is_even"), (4, 4));
        assert_eq!(counts(&generated.report["goals"]), (8, 8));
        assert_eq!(share(&generated.report, "branch"), (8, 8), "the figures of all units, too");
        generated.judge();
    }
}

const HEADER: &str = r"
static inline int limited(int n)
{
    return n > 10 ? 10 : n;
}
";

const USER: &str = "#include \"limits_of.h\"\nint twice(int n)\n{\n    if (n < 0)\n        return 0;\n    return 2 * limited(n);\n}\n";

#[test]
fn functions_of_headers_count_in_the_program_and_not_in_the_file() {
    let files = [("unit.c", USER), ("limits_of.h", HEADER)];
    let of_file = Generated::with(&files, &["--goals", "file"]);
    assert_eq!((of_file.counts("twice"), of_file.others("twice")), ((2, 2), vec![]));
    let of_program = Generated::with(&files, &["--goals", "program"]);
    assert_eq!((of_program.counts("twice"), of_program.others("twice")), ((4, 4), vec!["limited"]));
    of_program.judge();
}

/// Decisions, a switch and statements in a helper.
const DECISIONS: &str = r"
static int grade(int a, int b, int c)
{
    int value = 0;
    if ((a > 0 && b > 0) || c > 0)
        value = 1;
    switch (c) {
    case 3:
        value += 2;
        break;
    case 5:
        value += 4;
    }
    return value;
}

int graded(int a, int b, int c)
{
    if (a == b && grade(a, b, c))
        return 1;
    return grade(a, b, 3);
}
";

#[test]
fn every_criterion_counts_what_callees_have() {
    // That `b > 0` decides alone takes a > 0 and b <= 0, and so the second call, where `c > 0` holds: no call of `graded` shows it.
    let expected = [
        ("statement", 11, 11),
        ("branch", 16, 16),
        ("condition", 10, 10),
        ("decision", 20, 20),
        ("mcdc", 25, 24),
    ];
    for (criterion, goals, covered) in expected {
        let generated = Generated::new(DECISIONS, &["--goals", "file", "-f", "graded", "-c", criterion]);
        let list = &generated.unit("graded")["goal_list"];
        assert_eq!(generated.counts("graded"), (goals, covered), "{criterion}: {list:#}");
        assert_eq!(generated.unit("graded")["status"], "complete");
        generated.judge();
    }
}

#[test]
fn a_line_of_a_callee_asks_for_its_goals_in_every_unit_that_has_them() {
    // The condition of `half`.
    let generated = Generated::new(PARTLY, &["--goals", "file", "--lines", "4"]);
    let names: Vec<&str> =
        array(&generated.report["units"]).iter().filter_map(|unit| unit["function"].as_str()).collect();
    assert_eq!(names, ["half", "only", "any"]);
    assert_eq!((generated.counts("only"), generated.counts("any")), ((2, 1), (2, 2)));
    assert_eq!(generated.unit("only")["status"], "complete");
    let own = Generated::new(PARTLY, &["--goals", "unit", "--goal", "4", "-f", "half"]);
    assert_eq!(own.counts("half"), (2, 2));
}

#[test]
fn every_strategy_covers_the_goals_of_callees() {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::write(folder.path().join("unit.c"), DECISIONS).expect("the source");
    let mut command = judges::tarka();
    command.current_dir(folder.path()).args(["compare", "unit.c", "-f", "graded", "--goals", "file"]);
    let result = output(command.args(["--repeat", "1", "--runs", "300", "-o", "out"]));
    assert!(result.status.success(), "{}", text(&result));
    let json = fs::read_to_string(folder.path().join("out/compare.json")).expect("compare.json");
    let json: Value = serde_json::from_str(&json).expect("valid JSON");
    assert_eq!((&json["units"][0]["goals"], &json["units"][0]["common"]), (&16.into(), &16.into()));
    assert!(
        json["command"].as_str().is_some_and(|command| command.contains("--goals file")),
        "{}",
        json["command"]
    );
}
