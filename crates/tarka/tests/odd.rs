//! Old and odd C: every file of `examples/odd`, end to end.
//!
//! The first comment of a file says what is expected of it, so that a new case is one file and its name below:
//! `Expected: NAME COVERED/GOALS; NAME - "part of the reason it is not tested".` for all functions of the file, or `Refused: part of the
//! message`; beside it perhaps `Goals: NAME LINE:COLUMN TEXT; …`, `Concretised: NAME WHAT; …`, and `Judges:` where not both compilers
//! take the unit. Every emitted test compiles without a warning under the user's flags, and passes. What a function cannot be
//! tested for is in the report.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::judges;
use crate::judges::example;

const FOLDER: &str = "examples/odd";

/// A field of the first comment, without line ends.
fn field(comment: &str, name: &str) -> Option<String> {
    const NAMES: [&str; 6] = ["Expected:", "Refused:", "Goals:", "Concretised:", "Judges:", "tarka-flags:"];
    let (_, after) = comment.split_once(name)?;
    let end = NAMES.iter().filter_map(|other| after.find(other)).min().unwrap_or(after.len());
    Some(after[..end].split_whitespace().collect::<Vec<&str>>().join(" "))
}

/// Items of a field: the name of a function and the rest; what stands behind the last full stop of the line is for the reader.
fn items(text: &str) -> Vec<(String, String)> {
    let item =
        |item: &str| item.trim().split_once(' ').map(|(name, rest)| (name.to_string(), rest.to_string()));
    text.split(';').map(|one| item(one).unwrap_or_else(|| panic!("a name and a text in: {one}"))).collect()
}

fn check(file: &str) {
    let source = judges::root().join(FOLDER).join(file);
    let text = tarka_source::readable(&fs::read(&source).expect("readable example"));
    let comment = text.split("*/").next().unwrap_or_default();
    let flags: Vec<String> =
        field(comment, "tarka-flags:").unwrap_or_default().split_whitespace().map(str::to_string).collect();
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = scratch.path().join("out");
    let mut command = judges::tarka();
    command
        .args(["gen", "--seed", "1", "-n", "200", "-t", "60", "-o"])
        .arg(&out)
        .arg(&source)
        .arg("--")
        .args(&flags);
    let result = judges::output(&mut command);
    let said = judges::text(&result);
    if let Some(refused) = field(comment, "Refused:") {
        assert_eq!(result.status.code(), Some(2), "{said}");
        assert!(said.contains(&refused), "{said}");
        return;
    }
    let report =
        fs::read_to_string(out.join("report.json")).unwrap_or_else(|error| panic!("{error}: {said}"));
    let report: Value = serde_json::from_str(&report).expect("valid JSON");
    let units: BTreeMap<&str, &Value> =
        report["units"].as_array().expect("units").iter().map(named).collect();
    let expected = field(comment, "Expected:").expect("what is expected");
    let expected = expected.split_once(". ").map_or(expected.trim_end_matches('.'), |(items, _)| items);
    assert_units(&units, &items(expected));
    for (name, goal) in items_of(comment, "Goals:") {
        assert_goal(units[name.as_str()], &goal);
    }
    for (name, what) in items_of(comment, "Concretised:") {
        let lost = units[name.as_str()]["concretisations"].as_array().expect("concretisations");
        assert!(
            lost.iter().any(|lost| lost["what"] == what.as_str() && lost["line"] != 0),
            "{name}: {lost:?}"
        );
    }
    let judges = field(comment, "Judges:").unwrap_or("gcc clang-19".to_string());
    for compiler in judges.split_whitespace() {
        judge(compiler, &flags, &units, &out, scratch.path());
    }
}

fn items_of(comment: &str, name: &str) -> Vec<(String, String)> {
    field(comment, name).map(|text| items(&text)).unwrap_or_default()
}

fn named(unit: &Value) -> (&str, &Value) {
    (unit["function"].as_str().expect("a name"), unit)
}

/// All functions are there, tested as far as was said, or with the reason why not.
fn assert_units(units: &BTreeMap<&str, &Value>, expected: &[(String, String)]) {
    let seen: BTreeMap<&str, String> = (units.iter())
        .map(|(name, unit)| {
            let goals = &unit["goals"];
            let seen = match unit["status"].as_str() {
                Some("error") => format!("- {}", unit["message"].as_str().expect("a reason")),
                _ => format!("{}/{}", goals["covered"], goals["total"]),
            };
            (*name, seen)
        })
        .collect();
    for (name, wanted) in expected {
        let seen = seen.get(name.as_str()).unwrap_or_else(|| panic!("{name} is not in the report: {seen:?}"));
        let is_so = match wanted.strip_prefix("- ") {
            Some(reason) => seen.starts_with("- ") && seen.contains(reason.trim_matches('"')),
            None => seen == wanted,
        };
        assert!(is_so, "{name}: {wanted} was expected, but it is {seen}");
    }
    assert_eq!(units.len(), expected.len(), "{seen:?}");
}

fn assert_goal(unit: &Value, wanted: &str) {
    let goals = unit["goal_list"].as_array().expect("goals");
    let seen = |goal: &Value| {
        format!("{}:{} {}", goal["line"], goal["column"], goal["text"].as_str().unwrap_or_default())
    };
    assert!(
        goals.iter().any(|goal| seen(goal) == wanted),
        "{wanted}: {:?}",
        goals.iter().map(seen).collect::<Vec<_>>()
    );
}

/// Every emitted test under the user's flags, with all warnings as errors.
fn judge(compiler: &str, flags: &[String], units: &BTreeMap<&str, &Value>, out: &Path, scratch: &Path) {
    // Only clang knows all warnings of clang.
    let is_known = |flag: &&String| compiler != "gcc" || *flag != "-Weverything";
    let mut flags: Vec<String> = flags.iter().filter(is_known).cloned().collect();
    if !flags.iter().any(|flag| flag.starts_with("-std=") || flag == "-ansi") {
        flags.push("-std=gnu11".to_string());
    }
    let tolerated = if compiler == "gcc" { &[] } else { &tarka_source::TOLERATED[..] };
    for (name, unit) in units {
        let paths =
            unit["tests_list"].as_array().expect("tests").iter().filter_map(|test| test["path"].as_str());
        let paths: std::collections::BTreeSet<&str> = paths.collect();
        assert!(!paths.is_empty() || unit["status"] == "error", "{name} has no test");
        for path in paths {
            let program = scratch.join("program");
            judges::compile(compiler, &out.join(path), &flags, tolerated, &program);
            let result = judges::output(Command::new(&program).current_dir(scratch));
            assert!(result.status.success(), "{path} under {compiler}:\n{}", judges::text(&result));
        }
    }
}

macro_rules! odd {
    ($($name:ident)*) => {
        $(#[test] fn $name() {
            check(concat!(stringify!($name), ".c"));
        })*

        #[test]
        fn every_file_has_a_test() {
            let mut tested = vec![$(concat!(stringify!($name), ".c")),*];
            tested.sort_unstable();
            assert_eq!(example::c_files(FOLDER), tested);
        }
    };
}

odd! {
    ansi assembly c23 declarations gnu implicit included inlines knr latin long_names macros names nested nowhere old_inlines
    own_library reserved undeclared warnings
}

/// What `gen` says, and the functions of its report.
fn generated(folder: &Path, options: &[&str]) -> (String, Vec<String>) {
    let out = folder.join("out");
    let mut command = judges::tarka();
    command.current_dir(folder).args(["gen", "--seed", "1", "-n", "50", "-o", "out"]).args(options);
    let said = judges::text(&judges::output(&mut command));
    let report =
        fs::read_to_string(out.join("report.json")).unwrap_or_else(|error| panic!("{error}: {said}"));
    let report: Value = serde_json::from_str(&report).expect("valid JSON");
    let units = report["units"].as_array().expect("units");
    (said, units.iter().map(|unit| unit["function"].as_str().expect("a name").to_string()).collect())
}

#[test]
fn a_function_is_found_by_what_stands_in_the_file_and_by_what_it_becomes() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let file = judges::root().join(FOLDER).join("macros.c").display().to_string();
    for (asked, name) in [
        ("f", "pre_f"),
        ("pre_f", "pre_f"),
        ("NS(open)", "lib_open"),
        ("NS( open )", "lib_open"),
        ("DEF(one)", "one"),
        ("one", "one"),
    ] {
        assert_eq!(generated(scratch.path(), &["-f", asked, &file]).1, [name], "-f {asked}");
    }
    let included = judges::root().join(FOLDER).join("included.c").display().to_string();
    assert_eq!(
        generated(scratch.path(), &["-f", "limited", &included]).1,
        ["limited"],
        "of a header, when it is asked for"
    );
}

#[test]
fn functions_of_one_name_in_two_files_are_told_apart() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    for (file, number) in [("a.c", 3), ("b.c", 4)] {
        let text = format!(
            "static int same(int x) {{ if (x == {number}) return 1; return 0; }}\nint in_{number}(int x) {{ return same(x); }}\n"
        );
        fs::write(scratch.path().join(file), text).expect("written");
    }
    let (_, functions) = generated(scratch.path(), &["a.c", "b.c"]);
    assert_eq!(functions, ["same", "in_3", "same", "in_4"]);
    for (folder, file) in [("same", "a.c"), ("same.b", "b.c")] {
        let test =
            fs::read_to_string(scratch.path().join("out").join(folder).join("test_same.c")).expect("a test");
        assert!(test.contains(&format!("/{file}\"")), "{test}");
    }
}

#[test]
fn a_name_in_tarka_toml_that_no_file_has_is_told_and_the_rest_is_tested() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let write = |name: &str, text: &str| fs::write(scratch.path().join(name), text).expect("written");
    write("unit.c", "#define scale pre_scale\nint scale(int x) { if (x > 3) return 1; return 0; }\n");
    write("other.c", "int elsewhere(int x) { return x; }\n");
    write(
        "tarka.toml",
        "[function.scale]\nassume = \"x < 100\"\n[function.scael]\nassume = \"x < 9\"\n[function.missing]\nassume = \"x < 9\"\n\
         [function.elsewhere]\nassume = \"x < 9\"\n",
    );
    let (said, functions) = generated(scratch.path(), &["unit.c"]);
    assert_eq!(functions, ["pre_scale"]);
    assert!(said.contains("no function `scael`") && said.contains("no function `missing`"), "{said}");
    assert!(
        !said.contains("`elsewhere`") && !said.contains("`scale`"),
        "another file of the folder has one: {said}"
    );
}
