//! Folders, globs and compilation databases, from end to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tarka_project::{Request, SourceFile, find};

use crate::judges;

fn tarka(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = judges::output(judges::tarka().current_dir(folder).args(args));
    (output.status.code(), judges::text(&output))
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn units(folder: &Path) -> Vec<(String, String, Vec<String>)> {
    let text = fs::read_to_string(folder.join("tarka-out/report.json")).expect("report.json");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let unit = |unit: &Value| {
        let flags = unit["flags"].as_array().map(|flags| flags.iter().map(text).collect());
        (text(&unit["file"]), text(&unit["function"]), flags.unwrap_or_default())
    };
    report["units"].as_array().expect("units").iter().map(unit).collect()
}

/// Two files that need different flags, with attributes that clang does not know, built for another machine.
fn cross_project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("scratch folder");
    let root = folder.path();
    let attributes = "__attribute__((long_call, far_away(3))) ";
    put(
        root,
        "src/low.c",
        &format!("#include \"limit.h\"\n{attributes}int low(int x) {{ return x < LIMIT ? 1 : 0; }}\n"),
    );
    put(root, "src/it's #1.c", &format!("{attributes}int high(int x) {{ return x > LIMIT ? 1 : 0; }}\n"));
    put(root, "src/startup.s", "");
    put(root, "inc/limit.h", "#define LIMIT 7\n");
    let gcc = "ccache arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Wall -Werror -Werror=attributes -fno-tree-ch --specs=nano.specs";
    put(root, "build/flags.rsp", "-I../inc\n");
    let entry = |file: &str, command: String| json!({"directory": root.join("build"), "file": file, "command": command});
    let database = json!([
        entry("../src/low.c", format!("{gcc} @flags.rsp -MMD -MF low.d -o low.o -c ../src/low.c")),
        {
            "directory": root.join("build"),
            "file": "../src/it's #1.c",
            "arguments": ["arm-none-eabi-gcc", "-mthumb", "-Werror", "-DLIMIT=30", "-c", "../src/it's #1.c"],
        },
        entry("../src/startup.s", format!("{gcc} -c ../src/startup.s")),
    ]);
    put(root, "build/compile_commands.json", &database.to_string());
    folder
}

#[test]
fn a_project_built_for_another_machine_is_tested_with_the_flags_of_each_file() {
    let folder = cross_project();
    let root = folder.path();
    let (status, said) = tarka(root, &["gen"]);
    assert_eq!(status, Some(0), "{said}");
    for note in [
        "tarka: flags are those of build/compile_commands.json\n",
        "tarka: left out: 1 assembler file\n",
        "tarka: left out of the build's flags: -mthumb, -mcpu=cortex-m4 (for another machine",
        "tarka: left out of the build's flags: -fno-tree-ch (this clang",
        "branch: 4 of 4 goals covered by tests",
    ] {
        assert_eq!(said.matches(note).count(), 1, "{note} in\n{said}");
    }
    let found = units(root);
    let inc = format!("-I{}/../inc", root.canonicalize().expect("real").join("build").display());
    let (high, low) = (&found[0], &found[1]);
    assert_eq!(
        (high.0.as_str(), high.1.as_str(), high.2.join(" ")),
        ("src/it's #1.c", "high", "-DLIMIT=30".into())
    );
    assert_eq!((low.0.as_str(), low.1.as_str()), ("src/low.c", "low"));
    assert_eq!(low.2.join(" "), format!("-Wall -Wattributes {inc}"));
    let (status, said) = tarka(root, &["replay", "tarka-out"]);
    assert_eq!(status, Some(0), "{said}");
    // The same command does nothing again; the same files by another name are the same.
    let (status, said) = tarka(root, &["gen", ".", "--exclude", "it*"]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(units(root).len(), 1);
}

#[test]
fn attributes_that_clang_does_not_know_are_no_errors_under_werror() {
    let folder = tempfile::tempdir().expect("scratch folder");
    put(folder.path(), "a.c", "__attribute__((far_away)) int f(int x) { return x > 3 ? 1 : 0; }\n");
    let (status, said) = tarka(folder.path(), &["gen", "a.c", "--", "-Wall", "-Werror"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("branch: 2 of 2 goals covered by tests"), "{said}");
}

#[test]
fn nothing_to_test_is_told_with_the_next_step() {
    let folder = tempfile::tempdir().expect("scratch folder");
    let root = folder.path();
    let refused = |args: &[&str], words: &[&str]| {
        let (status, said) = tarka(root, args);
        assert_eq!(status, Some(2), "{said}");
        for word in words {
            assert!(said.contains(word), "no `{word}` in:\n{said}");
        }
    };
    refused(&["gen"], &["no C file is named", "no compile_commands.json", "tarka gen src"]);
    refused(&["gen", "."], &["there is no C file below ."]);
    refused(&["compare", "."], &["there is no C file below ."]);
    refused(&["gen", "src/*.c"], &["no C file matches src/*.c"]);
    put(root, "compile_commands.json", "nonsense");
    refused(&["gen"], &["compile_commands.json is not a compilation database"]);
    let database =
        json!([{"directory": ".", "file": "gone.c", "command": "cc -c gone.c"}, {"directory": "."}]);
    put(root, "compile_commands.json", &database.to_string());
    refused(
        &["gen"],
        &["names no C file that can be tested", "gone.c", "does not exist", "build the project"],
    );
    put(root, "a.c", "int f(int x) { return x > 3 ? 1 : 0; }\n");
    refused(&["gen", ".", "--exclude", "a.c"], &["--exclude leaves nothing of the C files (1)"]);
}

#[test]
fn compare_takes_the_same_files() {
    let folder = cross_project();
    let (status, said) = tarka(
        folder.path(),
        &["compare", "src", "-f", "low", "--strategies", "dfs", "--repeat", "1", "-n", "20"],
    );
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("low (src/low.c)"), "{said}");
    let text = fs::read_to_string(folder.path().join("tarka-out/compare.json")).expect("compare.json");
    assert!(text.contains("tarka compare src"), "{text}");
}

/// The files of a project of `examples/projects` with the flags of its build; CMake's database is written as CMake does it.
fn example(name: &str, scratch: &Path) -> Vec<SourceFile> {
    let project = judges::root().join("examples/projects").join(name);
    let mut build_dir = None;
    if project.join("CMakeLists.txt").exists() {
        let entry = |name: &str| {
            let file = project.join("src").join(name);
            let flags = "-DQUEUE_LARGEST=64 -DQUEUE_RESERVE=2 -Wall -Wextra -std=c11";
            let (include, src) = (project.join("include"), project.join("src"));
            let (include, src, shown) = (include.display(), src.display(), file.display());
            let command = format!("/usr/bin/cc -I{include} -I{src} {flags} -o {name}.o -c {shown}");
            json!({"directory": scratch, "command": command, "file": file})
        };
        let files = ["describe.c", "node.c", "policy.c", "queue.c", "stats.c"].map(entry);
        put(scratch, "compile_commands.json", &Value::from(files.to_vec()).to_string());
        build_dir = Some(scratch);
    }
    let out = PathBuf::from("tarka-out");
    let clang = Path::new("clang-19");
    let request = Request { named: &[project], excludes: &[], build_dir, flags: &[], out: &out, clang };
    let found = find(&request).expect("files");
    assert!(found.refused.is_empty(), "{:?}", found.refused);
    found.files
}

#[test]
fn the_example_projects_compile_without_a_warning_with_the_flags_of_their_builds() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    for (name, count) in [("queue_library", 5), ("firmware", 7), ("old_editor", 6)] {
        let files = example(name, scratch.path());
        assert_eq!(files.len(), count, "{name}");
        for SourceFile { path, flags } in files {
            for compiler in ["gcc", "clang-19"] {
                let mut call = Command::new(compiler);
                let output =
                    judges::output(call.args(&flags).args(["-Werror", "-c", "-o", "/dev/null"]).arg(&path));
                assert!(output.status.success(), "{compiler} {}:\n{}", path.display(), judges::text(&output));
            }
        }
    }
}

/// The places named there exist, and a program has no fewer sides than one of its functions.
#[test]
fn what_is_expected_of_the_example_projects_makes_sense() {
    let folder = judges::root().join("examples/projects");
    let text = fs::read_to_string(folder.join("expected.tsv")).expect("expected.tsv");
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let sides = |row: &[&str]| row[2].parse::<u32>().expect("a number");
    for row in &rows {
        assert_eq!(row.len(), 4, "{row:?}");
        let program =
            rows.iter().find(|other| other[0] == row[0] && other[1] == "program").expect("a program");
        assert!(sides(program) >= sides(row), "{row:?}");
        for fault in row[3].split(", ").filter(|fault| *fault != "-") {
            let (place, kind) = fault.split_once(' ').expect("FILE:LINE KIND");
            let (file, lines) = place.split_once(':').expect("FILE:LINE");
            let source = fs::read_to_string(folder.join(row[0]).join(file)).expect("a source");
            for line in lines.split('/') {
                let line: usize = line.parse().expect("a line");
                let line = source.lines().nth(line - 1).expect("within the file");
                assert!(line.contains(['[', '*']) || line.contains("memcpy"), "no access: {line}");
            }
            assert!(tarka_events::FaultKind::from_name(kind).is_some(), "{kind}");
            assert!(program[3].contains(fault), "{fault}");
        }
    }
}
