//! Aiming at a part of the goals: by lines, by place and by what changed in git. Only what is asked for is searched,
//! counted and tested, and `llvm-cov` sees the emitted tests cover it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::judges;
use serde_json::Value;

/// Three functions; in the first one, each line needs an input of its own.
const BEFORE: &str = r"int classify(int a, int b)
{
    int kind = 0;
    if (a == 1001)
        kind = 1;
    if (b == 2002)
        kind += 2;
    if (a * 3 == b - 7)
        kind += 4;
    for (int i = 0; i < 6; i++)
        if (a == i * 50 + 13)
            kind += 8;
    if (a > b)
        kind += 16;
    return kind;
}

static int sign(int x)
{
    return x < 0 ? -1 : 1;
}

int twice(int x)
{
    if (sign(x) > 0)
        return 2 * (x & 0xff);
    return 0;
}
";

/// A repository of its own, whatever the user's settings are.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn new(files: &[(&str, &str)]) -> Repository {
        let repository = Repository { folder: tempfile::tempdir().expect("scratch folder") };
        repository.git(&["init", "-q"]);
        for (name, text) in files {
            repository.write(name, text);
        }
        repository.commit();
        repository
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folder");
        fs::write(path, text).expect("written");
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.current_dir(self.path()).args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").args(arguments);
        let output = judges::output(&mut command);
        assert!(output.status.success(), "git {arguments:?}: {}", judges::text(&output));
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "change"]);
    }

    /// `tarka gen` with these arguments: exit status and what it said.
    fn said(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = judges::tarka();
        command.current_dir(self.path()).args(["gen", "--seed", "1"]).args(arguments);
        let output = judges::output(&mut command);
        (output.status.code(), judges::text(&output))
    }

    /// As [`Self::said`], without faults; gives the report.
    fn report(&self, arguments: &[&str]) -> Value {
        let (status, said) = self.said(&[&["--faults", "none"], arguments].concat());
        assert_eq!(status, Some(0), "{arguments:?}:\n{said}");
        judges::report(&self.path().join("tarka-out"))
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Functions with the lines of their goals, each once.
fn asked(report: &Value) -> Vec<(String, Vec<u64>)> {
    let of_unit = |unit: &Value| {
        let mut lines: Vec<u64> =
            array(&unit["goal_list"]).iter().filter_map(|goal| goal["line"].as_u64()).collect();
        lines.dedup();
        assert_eq!(unit["goals"]["total"], array(&unit["goal_list"]).len());
        (unit["function"].as_str().unwrap_or_default().to_string(), lines)
    };
    array(&report["units"]).iter().map(of_unit).collect()
}

fn of(function: &str, lines: &[u64]) -> (String, Vec<u64>) {
    (function.to_string(), lines.to_vec())
}

/// How often `llvm-cov` saw each side of the conditions that begin on a line, when the emitted tests of a function run.
fn sides_seen(repository: &Path, function: &str, line: u64) -> Vec<u64> {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let test = repository.join(format!("tarka-out/{function}/test_{function}.c"));
    let (program, merged) = (scratch.path().join("judged"), scratch.path().join("merged.profdata"));
    judges::compile(
        "clang-19",
        &test,
        &[],
        &["-fprofile-instr-generate", "-fcoverage-mapping", "-w"],
        &program,
    );
    let pattern = scratch.path().join("%p.profraw");
    let ran = judges::output(Command::new(&program).env("LLVM_PROFILE_FILE", &pattern));
    assert!(ran.status.success(), "{}", judges::text(&ran));
    let entries = fs::read_dir(scratch.path()).expect("scratch").map(|entry| entry.expect("entry").path());
    let profiles = entries.filter(|path| path.extension().is_some_and(|ending| ending == "profraw"));
    let mut merge = Command::new("llvm-profdata-19");
    merge.args(["merge", "-sparse", "-o"]).arg(&merged).args(profiles);
    assert!(judges::output(&mut merge).status.success());
    let mut export = Command::new("llvm-cov-19");
    let exported = judges::output(export.arg("export").arg(&program).arg("-instr-profile").arg(&merged));
    let exported: Value = serde_json::from_slice(&exported.stdout).expect("JSON");
    let is_it = |judged: &&Value| {
        judged["name"].as_str().is_some_and(|name| name.rsplit(':').next() == Some(function))
    };
    let judged = array(&exported["data"][0]["functions"]).iter().find(is_it).expect("the function");
    let branches = array(&judged["branches"]).iter().filter(|branch| branch[0] == line);
    branches
        .flat_map(|branch| [&branch[4], &branch[5]].map(|count| count.as_u64().expect("a count")))
        .collect()
}

#[test]
fn since_asks_for_the_lines_that_a_commit_changed() {
    let repository = Repository::new(&[("logic.c", BEFORE)]);
    let after = BEFORE.replace("b == 2002", "b == 3003").replace("x < 0 ? -1 : 1", "x <= 0 ? -1 : 1");
    repository.write("logic.c", &after);
    repository.commit();
    let report = repository.report(&["logic.c", "--since", "HEAD~1"]);
    assert_eq!(asked(&report), [of("classify", &[6]), of("sign", &[20])]);
    for unit in array(&report["units"]) {
        assert_eq!(unit["status"], "complete");
        assert_eq!(unit["goals"]["covered"], 2);
        assert_eq!(unit["aim"], "lines changed since HEAD~1");
    }
    let coverage = &report["units"][0]["coverage"]["branch"];
    assert_eq!(coverage["total"], 12, "the figures of coverage are those of the whole function: {coverage}");
    assert!(report["command"].as_str().is_some_and(|command| command.contains("--since HEAD~1")));
    for (function, line) in [("classify", 6), ("sign", 20)] {
        let sides = sides_seen(repository.path(), function, line);
        assert!(sides.len() == 2 && sides.iter().all(|count| *count > 0), "{function}: {sides:?}");
    }
    // Only the tests that these two sides need.
    assert_eq!(report["units"][0]["tests"], 2);
    // The tests replay like any others.
    let replay = judges::output(judges::tarka().current_dir(repository.path()).args(["replay", "tarka-out"]));
    assert_eq!(replay.status.code(), Some(0), "{}", judges::text(&replay));
}

#[test]
fn an_aimed_search_needs_fewer_runs() {
    // That all eight digits are right is found on one of many paths; the probe needs none of them.
    let unlock = "int unlock(unsigned code, int probe)\n{\n    if (probe == 77)\n        return 1;\n    int right = 0;\n\
        \x20   for (int i = 0; i < 8; i++)\n        if ((code >> 4 * i & 15) == (unsigned)i)\n            right++;\n\
        \x20   if (right == 8)\n        return 2;\n    return 0;\n}\n";
    let repository = Repository::new(&[("unlock.c", unlock)]);
    let runs = |report: &Value| report["units"][0]["runs"].as_u64().expect("runs");
    let whole = repository.report(&["unlock.c"]);
    let aimed = repository.report(&["unlock.c", "--lines", "3-4"]);
    assert_eq!(asked(&aimed), [of("unlock", &[3])]);
    assert_eq!(aimed["units"][0]["status"], "complete");
    assert!(2 * runs(&aimed) < runs(&whole), "{} runs against {}", runs(&aimed), runs(&whole));
    let sides = sides_seen(repository.path(), "unlock", 3);
    assert!(sides.len() == 2 && sides.iter().all(|count| *count > 0), "{sides:?}");
}

#[test]
fn what_is_not_committed_new_or_renamed_has_changed_too() {
    let repository = Repository::new(&[("my src/old name.c", BEFORE), ("other.c", BEFORE)]);
    repository.git(&["mv", "my src/old name.c", "my src/new.c"]);
    let file = "my src/new.c";
    let (status, said) = repository.said(&[file, "--since", "HEAD"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("nothing changed since HEAD"), "only the name did: {said}");
    repository.write(file, &BEFORE.replace("a == 1001", "a == 1002"));
    assert_eq!(asked(&repository.report(&[file, "--since", "HEAD"])), [of("classify", &[4])]);
    // The same from elsewhere, by an absolute path.
    let absolute = repository.path().join(file).display().to_string();
    let elsewhere = tempfile::tempdir().expect("scratch folder");
    let mut command = judges::tarka();
    let output =
        judges::output(command.current_dir(elsewhere.path()).args(["gen", &absolute, "--since", "HEAD"]));
    let said = judges::text(&output);
    assert!(said.contains("classify      2        2"), "{said}");
    let other = repository.report(&[file, "--since", "HEAD", "-f", "twice"]);
    assert!(asked(&other).is_empty(), "nothing of `twice` changed: {other:#}");
    repository.write("fresh.c", BEFORE);
    let fresh = asked(&repository.report(&["fresh.c", "--since", "HEAD"]));
    assert_eq!(fresh, [of("classify", &[4, 6, 8, 10, 11, 13]), of("sign", &[20]), of("twice", &[25])]);
}

#[test]
fn the_line_after_a_deletion_belongs_to_the_change() {
    let repository = Repository::new(&[("logic.c", BEFORE)]);
    repository.write("logic.c", &BEFORE.replace("    if (a == 1001)\n        kind = 1;\n", ""));
    let report = repository.report(&["logic.c", "--since", "HEAD"]);
    assert_eq!(asked(&report), [of("classify", &[4])], "`if (b == 2002)` moved up to line 4");
}

#[test]
fn what_comes_from_a_header_changes_with_it_and_a_macro_with_its_use() {
    let unit = "#include \"limits.h\"\nint f(int x)\n{\n    if (x > LIMIT)\n        return 1;\n#include \"rest.inc\"\n}\n";
    let rest = "    if (x == 77)\n        return 2;\n    return 3;\n";
    let files = [("src/unit.c", unit), ("src/limits.h", "#define LIMIT 10\n"), ("src/rest.inc", rest)];
    let repository = Repository::new(&files);
    repository.write("src/limits.h", "#define LIMIT 11\n");
    let (status, said) = repository.said(&["src/unit.c", "--since", "HEAD"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("nothing changed since HEAD"), "the line of use has not changed: {said}");
    repository.write("src/rest.inc", &rest.replace("77", "78"));
    let report = repository.report(&["src/unit.c", "--since", "HEAD"]);
    assert_eq!(asked(&report), [of("f", &[1])]);
    assert!(report["units"][0]["goal_list"][0]["file"].as_str().is_some_and(|f| f.ends_with("rest.inc")));
}

#[test]
fn lines_places_and_changes_are_asked_for_together() {
    let repository = Repository::new(&[("a.c", BEFORE), ("b.c", BEFORE)]);
    repository.write("b.c", &BEFORE.replace("x < 0", "x < 1"));
    let arguments = ["a.c", "b.c", "--lines", "a.c:11-13", "--goal", "b.c:25", "--since", "HEAD"];
    let report = repository.report(&arguments);
    assert_eq!(asked(&report), [of("classify", &[11, 13]), of("sign", &[20]), of("twice", &[25])]);
    assert_eq!(report["units"][0]["aim"], "lines a.c:11-13, goals at b.c:25, lines changed since HEAD");
    let (_, said) = repository.said(&arguments);
    assert!(said.contains("3 of 6 functions have nothing in the aim"), "{said}");
    assert!(said.contains("branch: 8 of 8 goals covered"), "{said}");
    // A function that -f leaves out stays out.
    let report = repository.report(&["a.c", "b.c", "-f", "twice", "--goal", "b.c:25", "--since", "HEAD"]);
    assert_eq!(asked(&report), [of("twice", &[25])]);
}

#[test]
fn a_place_with_its_column_is_one_condition() {
    let text = "int f(int a, int b)\n{\n    return a > 3 && b == 9 ? 1 : 0;\n}\n";
    let repository = Repository::new(&[("f.c", text)]);
    let report = repository.report(&["f.c", "--goal", "f.c:3:21"]);
    let texts: Vec<&Value> =
        array(&report["units"][0]["goal_list"]).iter().map(|goal| &goal["text"]).collect();
    assert_eq!(texts, ["b == 9", "b == 9"]);
    assert_eq!(report["units"][0]["coverage"]["branch"]["total"], 4);
}

#[test]
fn a_commit_without_anything_to_test_ends_well() {
    let repository = Repository::new(&[("logic.c", BEFORE)]);
    repository.write("logic.c", &BEFORE.replace("return kind;", "return kind + 1;"));
    let (status, said) = repository.said(&["logic.c", "--since", "HEAD"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("nothing to test") && said.contains("-c statement"), "{said}");
    assert!(array(&repository.report(&["logic.c", "--since", "HEAD"])["units"]).is_empty());
    let report = repository.report(&["logic.c", "--since", "HEAD", "-c", "statement"]);
    assert_eq!(asked(&report), [of("classify", &[15])]);
}
