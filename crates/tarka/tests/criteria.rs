//! Every criterion, end to end, before `llvm-cov`.
//!
//! `tarka gen -c …` asks for it; `report.json` says under every criterion what the emitted tests cover. `llvm-cov`
//! counts the same statements, branches and MC/DC conditions when it runs the same files, also when the search was
//! stopped early and much is left uncovered: here on a file of its own, in `examples.rs` and `inputs.rs` on every example
//! under the default criterion, in `mcdc.rs` on every example under MC/DC, in `subjects.rs` on real code.

use std::collections::BTreeSet;
use std::fs;
use std::slice::from_ref;

use crate::judges;
use crate::judges::agreement::{self, share};
use crate::judges::llvm_cov::{self, Seen, array};
use serde_json::Value;
use tarka_source::SourceModel;

/// Conditions that short-circuit, a loop, a switch, jumps, and statements that take some finding.
const SOURCE: &str = r"int guard(int a, int b, int c)
{
    int granted = 0;
    if (a > 3 && (b == 7 || c < 0)) {
        granted = 1;
    }
    return granted;
}

int classify(const int *values, int count, int limit)
{
    int seen = 0, i;
    if (!values || count < 0 || count > 4)
        return -1;
    for (i = 0; i < count && values[i] != limit; i++) {
        if (values[i] % 2 == 0 && values[i] > 10)
            seen++;
        else if ((values[i] == -5 || values[i] == 9) && !(limit > 100 && seen == 1))
            continue;
    }
    switch (seen) {
    case 0:
        return limit == 77 ? 5 : 6;
    case 1:
        break;
    default:
        seen = 3;
    }
    do {
        seen--;
    } while (seen > 0 && limit);
    return seen;
}
";

const FUNCTIONS: [&str; 2] = ["guard", "classify"];

struct Generated {
    folder: tempfile::TempDir,
    report: Value,
}

impl Generated {
    fn new(source: &str, options: &[&str]) -> Generated {
        let folder = tempfile::tempdir().expect("scratch folder");
        fs::write(folder.path().join("logic.c"), source).expect("the C file");
        let mut command = judges::tarka();
        command.current_dir(folder.path()).args(["gen", "logic.c", "--seed", "1", "-o", "out"]).args(options);
        let result = judges::output(&mut command);
        assert!(result.status.code() < Some(2), "{options:?}:\n{}", judges::text(&result));
        Generated { report: judges::report(&folder.path().join("out")), folder }
    }

    fn unit(&self, function: &str) -> &Value {
        let units = self.report["units"].as_array().expect("units");
        units.iter().find(|unit| unit["function"] == function).expect("the unit")
    }

    /// What `llvm-cov` sees when it runs the tests of a function; `None` if there is none.
    fn seen(&self, function: &str) -> Option<Seen> {
        let programs = agreement::programs(self.unit(function), &self.folder.path().join("out"));
        let scratch = self.folder.path().join(function);
        fs::create_dir_all(&scratch).expect("scratch");
        (!programs.is_empty()).then(|| llvm_cov::see(&[function], &programs, &[], &scratch).remove(0))
    }

    fn model(&self) -> SourceModel {
        agreement::model_of(&self.folder.path().join("logic.c"), &[])
    }
}

#[test]
fn every_figure_is_what_llvm_cov_counts_also_when_the_search_is_stopped_early() {
    let mut partly = BTreeSet::new();
    for options in
        [&["-c", "mcdc"][..], &["-c", "mcdc", "-n", "3"], &["-c", "mcdc", "-n", "1"], &["-n", "40"]]
    {
        let generated = Generated::new(SOURCE, options);
        let model = generated.model();
        for function in FUNCTIONS {
            let Some(seen) = generated.seen(function) else { continue };
            let unit = generated.unit(function);
            assert_eq!(seen.ended_inside, 0, "{function} always returns");
            assert_eq!(agreement::differences(unit, &model, from_ref(&seen)), [""; 0], "{options:?}");
            let is_partly = |criterion: &&str| {
                let (covered, total) = share(unit, criterion);
                covered > 0 && covered < total
            };
            partly.extend(["statement", "branch", "mcdc"].into_iter().filter(is_partly));
        }
    }
    assert_eq!(partly.len(), 3, "some suite shows only a part: {partly:?}");
}

#[test]
fn statements_are_those_that_llvm_cov_saw_running() {
    let mut uncovered = 0;
    for options in
        [&["-c", "statement"][..], &["-c", "statement", "-n", "1"], &["-c", "statement", "-n", "4"]]
    {
        let generated = Generated::new(SOURCE, options);
        for function in FUNCTIONS {
            let Some(seen) = generated.seen(function) else { continue };
            let unit = generated.unit(function);
            let goals = array(&unit["goal_list"]);
            for goal in goals {
                let at = |name: &str| goal[name].as_u64().expect("a place");
                let covered = goal["status"] == "covered";
                assert_eq!(covered, seen.count_at((at("line"), at("column"))) > 0, "{options:?}: {goal}");
                uncovered += usize::from(!covered);
            }
            let covered = goals.iter().filter(|goal| goal["status"] == "covered").count() as u64;
            assert_eq!(share(unit, "statement"), (covered, goals.len() as u64));
        }
    }
    assert!(uncovered > 0, "a search that stops at once leaves statements out");
}

/// clang refuses MC/DC for a decision that is split by something between its operators; we show it all the same.
/// `outer` is `!(a && b) || c`: a decides while b and not c, b while a and not c, c while a and b.
#[test]
fn split_decisions_are_shown_although_llvm_cov_has_no_figure_for_them() {
    let source = "int outer(int a, int b, int c)\n{\n    return !(a > 1 && b > 2) || c > 3;\n}\n
int passed(int v) { return v; }
int inner(int a, int b, int c)\n{\n    if (passed(a > 1 && b > 2) || c > 3)\n        return 1;\n    return 0;\n}
int compared(int a, int b, int c, int d)\n{\n    return (a > 1 && b > 2) == c || d > 3;\n}\n";
    let generated = Generated::new(source, &["-c", "mcdc"]);
    for (function, goals) in [("outer", 3), ("inner", 2 + 2), ("compared", 2 + 2)] {
        let unit = generated.unit(function);
        let pairs: Vec<&Value> =
            array(&unit["goal_list"]).iter().filter(|goal| goal["kind"] == "mcdc").collect();
        assert_eq!(pairs.len(), goals, "{function}");
        for goal in pairs {
            assert_eq!((&goal["status"], array(&goal["pair"]).len()), (&"covered".into(), 2), "{goal}");
        }
        let seen = generated.seen(function).expect("tests");
        assert_eq!((share(unit, "mcdc"), seen.mcdc.len()), ((0, 0), 0), "{function}: clang refuses it");
    }
    // The three pairs of the outer one need these four evaluations.
    let truth: Vec<[bool; 3]> =
        array(&generated.unit("outer")["tests_list"]).iter().map(conditions).collect();
    for wanted in [[true, true, false], [true, false, false], [true, true, true]] {
        assert!(truth.contains(&wanted), "{wanted:?} in {truth:?}");
    }
    let a_alone = |&[a, _, c]: &[bool; 3]| !a && !c;
    assert!(truth.iter().any(a_alone), "a false, b not evaluated, in {truth:?}");
}

/// `a > 1`, `b > 2`, `c > 3` of a test of `outer`.
fn conditions(test: &Value) -> [bool; 3] {
    let inputs = array(&test["inputs"]);
    let value = |name: &str| -> i64 {
        let input = inputs.iter().find(|input| input["name"] == name).expect("the input");
        input["value"].as_str().expect("text").parse().expect("a number")
    };
    [value("a") > 1, value("b") > 2, value("c") > 3]
}

#[test]
fn one_condition_beside_a_constant_is_a_decision_with_one_condition() {
    let source = "int folded(int a)\n{\n    if (a > 5 && 1)\n        return 1;\n    return 0;\n}\n";
    let generated = Generated::new(source, &["-c", "mcdc"]);
    let unit = generated.unit("folded");
    let pairs = array(&unit["goal_list"]).iter().filter(|goal| goal["kind"] == "mcdc").count();
    assert_eq!((share(unit, "mcdc"), pairs), ((1, 1), 1));
    let seen = generated.seen("folded").expect("tests");
    assert_eq!(seen.mcdc, [true, false], "llvm-cov shows the constant, too");
    assert_eq!(agreement::differences(unit, &generated.model(), from_ref(&seen)), [""; 0]);
}

/// `llvm-cov` computes some counts from others as though every run went on. Here one ends inside a condition, which
/// `llvm-cov` then takes for false, and never comes to the statement behind.
#[test]
fn what_a_run_that_ends_inside_never_did_is_not_counted() {
    let source = "extern void exit(int);\nstatic int known(int x) { if (x == 0) exit(0); return x; }\n\
                  int ends(int x)\n{\n    int r = x < 5 ? 2 : 0;\n    if (known(x) == 3)\n        r = 1;\n    r++;\n    return r;\n}\n";
    let generated = Generated::new(source, &["-c", "mcdc", "-n", "1"]);
    let unit = generated.unit("ends");
    let seen = generated.seen("ends").expect("a test");
    assert_eq!((seen.ended_inside, &seen.branches[..]), (1, &[[1, 0], [0, 1]][..]));
    assert_eq!((share(unit, "branch"), share(unit, "statement")), ((1, 4), (2, 5)));
    assert_eq!([5, 6, 7, 8, 9].map(|line| seen.count_at((line, 9))), [1, 1, 0, 1, 1]);
    assert_eq!(agreement::differences(unit, &generated.model(), from_ref(&seen)), [""; 0]);
}

/// What a macro makes is one statement, begun with its first. `llvm-cov` has another count where the macro is used: of a macro
/// that begins with a label (nothing comes there but by a jump) and of one that begins with another macro.
#[test]
fn statements_of_macros_are_counted_where_their_text_begins() {
    let source = r#"extern void exit(int);
#define checked(r, e) (!!sizeof(struct { int w : (r) ? 1 : -1; }) ? (e) : (e))
#define die(s) checked(s, exit(s))
#define numbers(X) X(3, "three") X(4, "four")
int leave(int a)
{
    if (a > 3)
        die(3);
    return a;
}
const char *name(int n)
{
    switch (n) {
#define one(n, text) case n: return text;
    numbers(one)
    default: return "none";
    }
}
#define define_sign(prefix) int prefix##_sign(int a) { if (a < 0) return -1; return a > 0; }
define_sign(my)
"#;
    let of = |function: &str, options: &[&str], statements: [u64; 2]| {
        let generated = Generated::new(source, &[&["-f", function, "-c", "statement"], options].concat());
        let unit = generated.unit(function);
        let seen = generated.seen(function).expect("tests");
        assert_eq!(share(unit, "statement"), statements.into(), "{function} {options:?}");
        assert_eq!(
            agreement::differences(unit, &generated.model(), from_ref(&seen)),
            [""; 0],
            "{function} {options:?}"
        );
    };
    of("leave", &["--assume", "leave: a <= 3"], [2, 3]);
    of("leave", &[], [3, 3]);
    of("name", &["--assume", "name: n != 3"], [2, 3]);
    of("name", &[], [3, 3]);
    of("my_sign", &[], [1, 1]);
}

/// More conditions than fit into a byte or into a word, each shown, as `llvm-cov` sees it.
#[test]
fn many_conditions_are_shown_one_by_one() {
    for count in [8, 20, 40] {
        let conditions: Vec<String> = (0..count).map(|index| format!("v[{index}] == {index}")).collect();
        let source = format!(
            "int many(const int v[static {count}])\n{{\n    return {};\n}}\n",
            conditions.join(" && ")
        );
        let generated = Generated::new(&source, &["-c", "mcdc"]);
        let unit = generated.unit("many");
        assert_eq!(share(unit, "mcdc"), (count, count));
        let seen = generated.seen("many").expect("tests");
        assert_eq!(agreement::differences(unit, &generated.model(), from_ref(&seen)), [""; 0], "{count}");
    }
}

#[test]
fn three_conditions_are_shown_by_four_tests_and_every_pair_is_named() {
    let generated = Generated::new(SOURCE, &["-c", "mcdc", "-f", "guard"]);
    let unit = generated.unit("guard");
    assert_eq!((share(unit, "mcdc"), unit["tests"].as_u64()), ((3, 3), Some(4)));
    let names: Vec<&Value> = array(&unit["tests_list"]).iter().map(|test| &test["name"]).collect();
    let pairs: Vec<&Value> = array(&unit["goal_list"]).iter().filter(|goal| goal["kind"] == "mcdc").collect();
    assert_eq!(pairs.len(), 3);
    for goal in pairs {
        let pair = array(&goal["pair"]);
        assert!(pair.len() == 2 && pair.iter().all(|name| names.contains(&name)), "{goal}");
        assert_ne!(pair[0], pair[1], "one call evaluates the decision once");
    }
}

#[test]
fn every_criterion_finds_all_of_its_goals() {
    for criterion in ["statement", "branch", "condition", "decision", "mcdc"] {
        let generated = Generated::new(SOURCE, &["-c", criterion]);
        for function in FUNCTIONS {
            let unit = generated.unit(function);
            let open: Vec<&Value> =
                array(&unit["goal_list"]).iter().filter(|goal| goal["status"] == "unknown").collect();
            assert!(open.is_empty(), "{criterion} of {function}: {open:#?}");
            assert_eq!((&unit["criterion"], &unit["status"]), (&criterion.into(), &"complete".into()));
        }
    }
}

#[test]
fn what_is_open_says_which_evaluation_is_lacking() {
    let generated = Generated::new(SOURCE, &["-c", "mcdc", "-n", "2", "-f", "guard"]);
    let unit = generated.unit("guard");
    let open =
        array(&unit["goal_list"]).iter().filter(|goal| goal["kind"] == "mcdc" && goal["status"] != "covered");
    let reasons: Vec<&str> = open.map(|goal| goal["reason"].as_str().expect("a reason")).collect();
    assert!(reasons.iter().any(|reason| reason.contains("is lacking")), "{reasons:#?}");
}
