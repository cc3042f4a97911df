//! The commands from end to end: what a user sees and what scripts rely on.

use std::fs;
use std::path::Path;

use crate::judges::{self, tarka_in as tarka};
use crate::schema;
use serde_json::Value;

const UNIT: &str = "#include \"limit.h\"\n\
    struct item { unsigned weight; struct item *next; };\n\
    int total(const struct item *list)\n\
    {\n    unsigned sum = 0;\n    for (; list; list = list->next) {\n        if (list->weight > LIMIT)\n            return -1;\n\
    \x20       sum += list->weight;\n    }\n    return sum;\n}\n\
    int divide(unsigned a, unsigned b) { if (a > 5 && b < 9) return a / b; return 0; }\n";

/// A small project: a unit that needs an include folder.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::create_dir(folder.path().join("include")).expect("folder");
    fs::write(folder.path().join("include/limit.h"), "#define LIMIT 100\n").expect("written");
    fs::write(folder.path().join("unit.c"), UNIT).expect("written");
    folder
}

fn report(folder: &Path) -> Value {
    judges::report(&folder.join("tarka-out"))
}

#[test]
fn questions_of_two_files_with_one_name_are_both_kept() {
    let folder = tempfile::tempdir().expect("scratch folder");
    for (place, limit) in [("first", 77), ("second", 99)] {
        fs::create_dir(folder.path().join(place)).expect("folder");
        let source = format!("int high(unsigned char n) {{ return n == {limit} ? 1 : 0; }}\n");
        fs::write(folder.path().join(place).join("unit.c"), source).expect("written");
    }
    let args = ["gen", "first/unit.c", "second/unit.c", "-n", "10", "--dump-queries", "asked"];
    let (code, said) = tarka(folder.path(), &args);
    assert_eq!(code, Some(0), "{said}");
    let asked = |name: &str| fs::read_to_string(folder.path().join("asked").join(name)).expect("questions");
    // 77 is 4d, 99 is 63.
    for (name, limit) in [("unit.high.smt2", "#x4d"), ("unit.2.high.smt2", "#x63")] {
        assert!(asked(name).contains(limit), "{name}:\n{}", asked(name));
    }
}

#[test]
fn a_function_is_tested_alone_though_another_calls_what_nobody_defines() {
    let folder = tempfile::tempdir().expect("scratch folder");
    let source =
        "int sensor(void);\nint read(void) { return sensor(); }\nint high(int n) { return n > 3 ? 1 : 0; }\n";
    fs::write(folder.path().join("board.c"), source).expect("written");
    let (status, said) = tarka(folder.path(), &["gen", "board.c", "-f", "high"]);
    assert_eq!(status, Some(0), "{said}");
    let goals = &report(folder.path())["units"][0]["goals"];
    assert_eq!((&goals["covered"], &goals["total"]), (&2.into(), &2.into()), "{said}");
}

#[test]
fn gen_then_replay() {
    let project = project();
    let (status, said) = tarka(project.path(), &["gen", "unit.c", "--", "-Iinclude"]);
    assert_eq!(status, Some(1), "{said}");
    for word in [
        "function",
        "covered",
        "total",
        "bug: division-by-zero at unit.c:13",
        "fault_divide_1.c",
        "index.html",
    ] {
        assert!(said.contains(word), "no `{word}` in:\n{said}");
    }
    let (status, said) = tarka(project.path(), &["replay", "tarka-out"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("ok     test_total_1\n") && said.contains("ok     fault_divide_1\n"), "{said}");
    let (status, said) = tarka(project.path(), &["replay", "tarka-out", "test_total_1"]);
    assert_eq!((status, said.as_str()), (Some(0), "ok     test_total_1\n"));
    let (status, said) = tarka(project.path(), &["replay", "tarka-out", "test_totl_1"]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("did you mean test_total_1"), "{said}");

    // A change of behaviour is what the tests are for.
    let changed = UNIT.replace("return sum;", "return sum + 1;");
    fs::write(project.path().join("unit.c"), changed).expect("written");
    let (status, said) = tarka(project.path(), &["replay", "tarka-out"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("FAILED test_total_") && said.contains("CHECK failed: result == "), "{said}");
}

#[test]
fn a_folder_from_elsewhere_is_data_until_it_is_trusted() {
    let project = project();
    tarka(project.path(), &["gen", "unit.c", "--", "-Iinclude"]);
    let path = project.path().join("tarka-out/report.json");
    let own = fs::read_to_string(&path).expect("report.json");
    // Its flags run a program: `--` stands for what the compiler would call.
    let script = project.path().join("as");
    fs::write(&script, "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\nexit 1\n").expect("written");
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    let here = project.path().display();
    let flags = format!("\"-Iinclude\", \"-fno-integrated-as\", \"-B{here}\"");
    let foreign = own.replace("\"-Iinclude\"", &flags);
    assert_ne!(own, foreign);
    fs::write(&path, foreign).expect("written");
    let ran = || project.path().join("ran").exists();
    for args in [&["replay", "tarka-out"][..], &["replay", "tarka-out", "fault_divide_1", "--gdb"]] {
        let (status, said) = tarka(project.path(), args);
        assert_eq!((status, ran()), (Some(2), false), "{said}");
        assert!(said.contains("was made elsewhere") && said.contains("-fno-integrated-as"), "{said}");
        assert!(said.contains("--trust"), "{said}");
    }
    tarka(project.path(), &["replay", "tarka-out", "--trust"]);
    assert!(ran(), "the flags of this test would run nothing anyway");
    // Also trusted, a folder speaks of itself only.
    fs::write(&path, own.replace("total/test_total.c", "../unit.c")).expect("written");
    let (status, said) = tarka(project.path(), &["replay", "tarka-out", "--trust"]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("names a test outside the folder"), "{said}");
    // Another user's Tarka does not know this one's.
    fs::write(&path, own).expect("written");
    let elsewhere = project.path().join("state");
    let other = |args: &[&str]| {
        let mut command = judges::tarka();
        let output =
            judges::output(command.current_dir(project.path()).args(args).env("XDG_STATE_HOME", &elsewhere));
        (output.status.code(), judges::text(&output))
    };
    assert_eq!(other(&["replay", "tarka-out"]).0, Some(2));
    assert_eq!(other(&["replay", "tarka-out", "--trust"]).0, Some(0));
    assert_eq!(tarka(project.path(), &["replay", "tarka-out"]).0, Some(0));
    let (_, said) = other(&["gen", "unit.c", "--", "-Iinclude"]);
    assert!(!said.contains("by an earlier call") && said.contains("is set aside"), "{said}");
    assert_eq!(other(&["replay", "tarka-out"]).0, Some(0));
}

#[test]
fn the_report_has_every_field_scripts_rely_on() {
    let project = project();
    tarka(project.path(), &["gen", "unit.c", "--seed", "7", "--", "-Iinclude"]);
    let report = report(project.path());
    let has = |value: &Value, fields: &str| {
        for field in fields.split_whitespace() {
            assert!(value.get(field).is_some(), "no `{field}` in {value:#}");
        }
    };
    has(&report, "version tool seed command units");
    assert_eq!(report["seed"], 7);
    for unit in report["units"].as_array().expect("units") {
        has(
            unit,
            "file function criterion strategy seed runs tests solver execute_ms total_ms status goals goal_list faults concretisations tests_list",
        );
        has(&unit["solver"], "queries sat unsat unknown cached ms");
        has(&unit["goals"], "total covered infeasible unknown");
        for goal in unit["goal_list"].as_array().expect("goals") {
            has(goal, "id file line column kind text outcome status reason first_run first_ms");
            assert!(["true", "false"].contains(&goal["outcome"].as_str().expect("outcome")));
        }
        for fault in unit["faults"].as_array().expect("faults") {
            has(fault, "kind file line message run test class fingerprint rank excerpt history related");
            assert_eq!((&fault["precondition"], &fault["new"]), (&Value::Null, &Value::Null), "{fault:#}");
            assert_eq!(fault["confirmed"], true, "{fault:#}");
        }
        let tests = unit["tests_list"].as_array().expect("tests");
        assert_eq!(unit["tests"], tests.len());
        for test in tests {
            has(test, "name path inputs new_goals");
            assert_ne!(
                test["new_goals"].as_array().map(Vec::len),
                Some(0),
                "a test without a goal of its own: {test:#}"
            );
        }
        assert_eq!(unit["total_ms"], 0, "with an explicit seed, no times");
    }
}

#[test]
fn a_second_run_shows_what_is_new() {
    let project = project();
    let args = ["gen", "unit.c", "-f", "divide", "--", "-Iinclude"];
    let (status, said) = tarka(project.path(), &args);
    assert_eq!(status, Some(1), "{said}");
    let before = report(project.path())["units"][0]["faults"][0]["fingerprint"].clone();
    assert!(before.is_string(), "{before}");

    // A function and a line more above, and the baseline in the folder that is written to: the same fault, and known.
    let above = "static int unused(int *p)\n{\n    return *p;\n}\n\nint divide(";
    fs::write(project.path().join("unit.c"), UNIT.replace("int divide(", above)).expect("written");
    for baseline in ["tarka-out/report.json", "tarka-out/faults.sarif"] {
        let args = ["gen", "unit.c", "-f", "divide", "--baseline", baseline, "--", "-Iinclude"];
        let (status, said) = tarka(project.path(), &args);
        assert_eq!(status, Some(0), "{said}");
        for word in ["[known]", &format!("since {baseline}: 0 new, 1 known, 0 gone")] {
            assert!(said.contains(word), "no `{word}` in:\n{said}");
        }
        let fault = &report(project.path())["units"][0]["faults"][0];
        assert_eq!((&fault["fingerprint"], &fault["new"]), (&before, &Value::Bool(false)));
    }

    // Another line, another fault: one is new, one is gone.
    fs::write(project.path().join("unit.c"), UNIT.replace("return a / b", "return 2 * a / b"))
        .expect("written");
    let args = ["gen", "unit.c", "-f", "divide", "--baseline", "tarka-out/report.json", "--", "-Iinclude"];
    let (status, said) = tarka(project.path(), &args);
    assert_eq!(status, Some(1), "{said}");
    for word in ["[new]", ": 1 new, 0 known, 1 gone", "gone: division-by-zero in divide() of unit.c"] {
        assert!(said.contains(word), "no `{word}` in:\n{said}");
    }
    let sarif = fs::read_to_string(project.path().join("tarka-out/faults.sarif")).expect("faults.sarif");
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(schema::objections(&sarif), [""; 0], "{sarif:#}");
    let states: Vec<&Value> = sarif["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| &result["baselineState"])
        .collect();
    assert_eq!(states, ["new", "absent"]);
}

/// A folder in which `gdb` is this script, first in PATH.
fn with_gdb(folder: &Path, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let bin = folder.join("bin");
    fs::create_dir(&bin).expect("folder");
    fs::write(bin.join("gdb"), script).expect("written");
    fs::set_permissions(bin.join("gdb"), fs::Permissions::from_mode(0o755)).expect("allowed");
    format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"))
}

const FAULTY: &str = "#include <stdlib.h>\n\
    int divide(int a, int b)\n{\n    if (a > 5)\n        return a / b;\n    return 0;\n}\n\
    int more(int a)\n{\n    int b = a & 1;\n    if (a > 1000)\n        return a + 2147483000;\n    return b;\n}\n\
    int pick(int n)\n{\n    int *cells = calloc(4, sizeof *cells);\n    int cell = 0;\n    if (cells && n > 100 && n < 110)\n\
    \x20       cell = cells[n - 97];\n    free(cells);\n    return cell;\n}\n";

#[test]
fn replay_opens_gdb_at_the_fault() {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::write(folder.path().join("faulty.c"), FAULTY).expect("written");
    let (status, said) = tarka(folder.path(), &["gen", "faulty.c"]);
    assert_eq!(status, Some(1), "{said}");
    let line = |part: &str| FAULTY.lines().position(|line| line.contains(part)).expect("a line") + 1;
    let cases = [
        (
            "fault_divide_1",
            format!("in divide (a=6, b=0) at tarka-out/divide/../../faulty.c:{}", line("a / b")),
        ),
        ("fault_more_1", format!("faulty.c:{}", line("+ 2147483000"))),
        ("fault_pick_1", format!("faulty.c:{}", line("cells[n - 97]"))),
        ("test_more_1", format!("more (a=0) at tarka-out/more/../../faulty.c:{}", line("a & 1"))),
    ];
    for (name, place) in cases {
        let (status, said) = tarka(folder.path(), &["replay", "tarka-out", name, "--gdb"]);
        assert_eq!(status, Some(0), "{said}");
        if said.contains("ptrace") || said.contains("Could not trace") {
            println!("gdb may not trace programs here: where it stops is not checked");
            break;
        }
        // The frame that is selected, and the calls that lead there.
        let selected = said.lines().filter(|line| line.starts_with('#')).find(|line| line.contains(&place));
        assert!(selected.is_some(), "{name} does not stop at {place}:\n{said}");
        assert!(said.contains("in main ("), "no calls in:\n{said}");
    }
    // What gdb is told, wherever it is allowed to do it.
    let path = with_gdb(folder.path(), "#!/bin/sh\nfor word in \"$@\"; do echo \"[$word]\"; done\n");
    let replayed = |name: &str| {
        let args = ["replay", "tarka-out", name, "--gdb"];
        let output = judges::output(judges::tarka().current_dir(folder.path()).env("PATH", &path).args(args));
        judges::text(&output)
    };
    let told = replayed("fault_pick_1");
    for word in
        ["[-batch]", "[set environment ASAN_OPTIONS=abort_on_error=1", "[run]\n[-ex]\n[frame function pick]"]
    {
        assert!(told.contains(word), "no `{word}` in:\n{told}");
    }
    let told = replayed("test_more_1");
    assert!(told.contains("[tbreak more]\n[-ex]\n[run]") && told.ends_with("[test_more_1]\n"), "{told}");
}

#[test]
fn old_tests_of_a_function_are_replaced() {
    let project = project();
    let stale = project.path().join("tarka-out/total/fault_total_9.c");
    fs::create_dir_all(stale.parent().expect("folder")).expect("made");
    fs::write(&stale, "old").expect("written");
    tarka(project.path(), &["gen", "unit.c", "-f", "total", "--", "-Iinclude"]);
    assert!(!stale.exists());
    assert_eq!(report(project.path())["units"].as_array().map(Vec::len), Some(1));
}

#[test]
fn flags_come_from_the_build_folder() {
    let project = project();
    let database = r#"[{"directory": ".", "file": "unit.c", "command": "cc -Iinclude -c unit.c -o unit.o"}]"#;
    fs::write(project.path().join("compile_commands.json"), database).expect("written");
    let (status, said) = tarka(project.path(), &["gen", "unit.c", "-p", "."]);
    assert_eq!(status, Some(1), "{said}");
}

#[test]
fn two_files_may_define_the_same_name() {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::write(
        folder.path().join("a.c"),
        "static int half(int x) { return x ? 1 : 2; }\nint a(void) { return half(1); }\n",
    )
    .expect("written");
    fs::write(
        folder.path().join("b.c"),
        "static int half(int x) { return x ? 3 : 4; }\nint b(void) { return half(1); }\n",
    )
    .expect("written");
    let (status, said) = tarka(folder.path(), &["gen", "a.c", "b.c", "-f", "half"]);
    assert_eq!(status, Some(0), "{said}");
    let paths: Vec<String> = report(folder.path())["units"]
        .as_array()
        .expect("units")
        .iter()
        .map(|unit| unit["tests_list"][0]["path"].as_str().expect("path").to_string())
        .collect();
    assert_eq!(paths, ["half/test_half.c", "half.b/test_half.c"]);
    let (status, said) = tarka(folder.path(), &["replay", "tarka-out"]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn doctor_finds_what_this_machine_has() {
    let output = judges::output(judges::tarka().arg("doctor"));
    let said = judges::text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("ok       all together a small function was tested completely"), "{said}");
}

#[test]
fn a_test_without_goals_says_what_the_function_lacks() {
    let folder = tempfile::tempdir().expect("scratch folder");
    let text =
        "int pick(int x)\n{\n    switch (x) {\n    case 1: return 5;\n    default: return 6;\n    }\n}\n";
    fs::write(folder.path().join("pick.c"), text).expect("written");
    let (status, said) = tarka(folder.path(), &["gen", "pick.c", "-c", "condition"]);
    assert_eq!(status, Some(0), "{said}");
    let test = fs::read_to_string(folder.path().join("tarka-out/pick/test_pick.c")).expect("a test");
    assert!(test.contains("The function has no conditions"), "{test}");
}

#[test]
fn without_the_filter_every_path_is_run() {
    let project = project();
    let mut runs = Vec::new();
    for filter in [&[][..], &["--no-filter"]] {
        let args = [&["gen", "unit.c", "-f", "total"], filter, &["--", "-Iinclude"]].concat();
        let (status, said) = tarka(project.path(), &args);
        assert_eq!(status, Some(0), "{said}");
        runs.push(report(project.path())["units"][0]["runs"].as_u64().expect("runs"));
    }
    assert!(runs[1] > runs[0], "with the filter {} runs, without {}", runs[0], runs[1]);
}

/// A line without its running time and the padding before it.
fn without_time(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_time = |index: usize| words.get(index + 1) == Some(&"s") && words[index].parse::<f64>().is_ok();
    let kept = (0..words.len()).filter(|&index| !(is_time(index) || index > 0 && is_time(index - 1)));
    kept.map(|index| words[index]).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_readme_shows_what_the_demo_prints() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = scratch.path().join("tarka-out");
    let args = ["gen", "examples/delete_from_table.c", "examples/bubble.c", "-o", &out.display().to_string()];
    let (status, said) = tarka(&judges::root(), &args);
    assert_eq!(status, Some(1), "{said}");
    let readme = fs::read_to_string(judges::root().join("README.md")).expect("README.md");
    let shown: Vec<String> = readme.lines().map(without_time).collect();
    let said = said.replace(&format!("{}/", scratch.path().display()), "");
    assert!(said.lines().count() > 10, "{said}");
    for line in said.lines() {
        assert!(shown.contains(&without_time(line)), "README.md does not show `{line}`");
    }
    // And the test the README quotes is one that was written.
    let test = fs::read_to_string(out.join("delete_from_table/test_delete_from_table.c")).expect("test file");
    let quoted =
        readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a quoted test");
    assert!(test.contains(quoted), "README.md quotes a test that is not written:\n{quoted}");
}
