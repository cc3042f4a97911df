//! Every criterion, end to end, before `llvm-cov`.
//!
//! `tarka gen -c …` asks for it; `report.json` says under every criterion what the emitted tests cover. `llvm-cov`
//! counts the same statements, branches and MC/DC conditions when it runs the same files, also when the search was
//! stopped early and much is left uncovered.

mod judges;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

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
    fn new(options: &[&str]) -> Generated {
        let folder = tempfile::tempdir().expect("scratch folder");
        fs::write(folder.path().join("logic.c"), SOURCE).expect("the C file");
        let mut command = judges::tarka();
        command.current_dir(folder.path()).args(["gen", "logic.c", "--seed", "1", "-o", "out"]).args(options);
        let result = judges::output(&mut command);
        assert!(result.status.code() < Some(2), "{options:?}:\n{}", judges::text(&result));
        let report = fs::read_to_string(folder.path().join("out/report.json")).expect("report.json");
        Generated { report: serde_json::from_str(&report).expect("valid JSON"), folder }
    }

    fn unit(&self, function: &str) -> &Value {
        let units = self.report["units"].as_array().expect("units");
        units.iter().find(|unit| unit["function"] == function).expect("the unit")
    }

    /// What `llvm-cov` exports when it runs every emitted file of a function.
    fn judged(&self, function: &str) -> Option<Value> {
        let out = self.folder.path().join("out");
        let tests = judges::example::emitted(&out, function, "test_");
        assert!(judges::example::emitted(&out, function, "fault_").is_empty(), "{function} has no fault");
        Some(export(tests.first()?, self.folder.path()))
    }
}

fn export(source: &Path, scratch: &Path) -> Value {
    let path = |name: &str| -> PathBuf { scratch.join(name) };
    let (program, merged) = (path("judged"), path("judged.profdata"));
    let flags = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-w"];
    judges::compile("clang-19", source, &[], &flags, &program);
    // Every test has its own process, and so its own profile.
    let pattern = path("judged-%p.profraw");
    judges::output(Command::new(&program).current_dir(scratch).env("LLVM_PROFILE_FILE", &pattern));
    let profiles = fs::read_dir(scratch).expect("scratch").map(|entry| entry.expect("entry").path());
    let profiles: Vec<PathBuf> =
        profiles.filter(|path| path.extension().is_some_and(|ending| ending == "profraw")).collect();
    let mut merge = Command::new("llvm-profdata-19");
    let result = judges::output(merge.args(["merge", "-sparse", "-o"]).arg(&merged).args(&profiles));
    assert!(result.status.success(), "llvm-profdata: {}", judges::text(&result));
    profiles.iter().for_each(|path| fs::remove_file(path).expect("an old profile"));
    let mut command = Command::new("llvm-cov-19");
    let result = judges::output(command.arg("export").arg(&program).arg("-instr-profile").arg(&merged));
    assert!(result.status.success(), "llvm-cov: {}", judges::text(&result));
    serde_json::from_slice::<Value>(&result.stdout).expect("JSON")["data"][0].take()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// MC/DC conditions of a function: (covered, all).
fn mcdc(export: &Value, function: &str) -> (u64, u64) {
    let is_it = |name: &Value| name.as_str().is_some_and(|name| name.rsplit(':').next() == Some(function));
    let judged =
        array(&export["functions"]).iter().find(|judged| is_it(&judged["name"])).expect("the function");
    let conditions = array(&judged["mcdc_records"]).iter().flat_map(|record| array(&record[6]));
    let conditions: Vec<bool> = conditions.map(|shown| shown.as_bool().expect("true or false")).collect();
    (conditions.iter().filter(|shown| **shown).count() as u64, conditions.len() as u64)
}

/// Whether the code at a place ran: the last segment that begins there or before.
fn ran(export: &Value, line: u64, column: u64) -> bool {
    let files = array(&export["files"]);
    let is_unit = |file: &&Value| file["filename"].as_str().is_some_and(|name| name.ends_with("logic.c"));
    let segments = array(&files.iter().find(is_unit).expect("the unit's file")["segments"]);
    let number = |value: &Value| value.as_u64().expect("a number");
    let before =
        segments.iter().take_while(|segment| (number(&segment[0]), number(&segment[1])) <= (line, column));
    before.last().is_some_and(|segment| number(&segment[2]) > 0)
}

fn share(unit: &Value, criterion: &str) -> (u64, u64) {
    let share = &unit["coverage"][criterion];
    (share["covered"].as_u64().expect("covered"), share["total"].as_u64().expect("total"))
}

#[test]
fn mcdc_is_what_llvm_cov_counts_also_when_the_search_is_stopped_early() {
    let mut partly = 0;
    for options in
        [&["-c", "mcdc"][..], &["-c", "mcdc", "-n", "3"], &["-c", "mcdc", "-n", "1"], &["-n", "40"]]
    {
        let generated = Generated::new(options);
        for function in FUNCTIONS {
            let Some(judged) = generated.judged(function) else { continue };
            let claimed = share(generated.unit(function), "mcdc");
            assert_eq!(claimed, mcdc(&judged, function), "{function} {options:?}");
            partly += usize::from(claimed.0 > 0 && claimed.0 < claimed.1);
        }
    }
    assert!(partly > 0, "some suite shows only some of the conditions");
}

#[test]
fn statements_are_those_that_llvm_cov_saw_running() {
    let mut uncovered = 0;
    for options in
        [&["-c", "statement"][..], &["-c", "statement", "-n", "1"], &["-c", "statement", "-n", "4"]]
    {
        let generated = Generated::new(options);
        for function in FUNCTIONS {
            let Some(judged) = generated.judged(function) else { continue };
            let unit = generated.unit(function);
            let goals = array(&unit["goal_list"]);
            for goal in goals {
                let at = |name: &str| goal[name].as_u64().expect("a place");
                let covered = goal["status"] == "covered";
                assert_eq!(covered, ran(&judged, at("line"), at("column")), "{options:?}: {goal}");
                uncovered += usize::from(!covered);
            }
            let covered = goals.iter().filter(|goal| goal["status"] == "covered").count() as u64;
            assert_eq!(share(unit, "statement"), (covered, goals.len() as u64));
        }
    }
    assert!(uncovered > 0, "a search that stops at once leaves statements out");
}

#[test]
fn three_conditions_are_shown_by_four_tests_and_every_pair_is_named() {
    let generated = Generated::new(&["-c", "mcdc", "-f", "guard"]);
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
        let generated = Generated::new(&["-c", criterion]);
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
    let generated = Generated::new(&["-c", "mcdc", "-n", "2", "-f", "guard"]);
    let unit = generated.unit("guard");
    let open =
        array(&unit["goal_list"]).iter().filter(|goal| goal["kind"] == "mcdc" && goal["status"] != "covered");
    let reasons: Vec<&str> = open.map(|goal| goal["reason"].as_str().expect("a reason")).collect();
    assert!(reasons.iter().any(|reason| reason.contains("is lacking")), "{reasons:#?}");
}
