//! Bad input: each a clear message with the next step, the right exit status, and the rest kept.

use std::fs;
use std::path::Path;

use crate::judges::{self, tarka_in as tarka};

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("scratch folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

const GOOD: &str = "int sign(int x) { if (x < 0) return -1; return 1; }\n";

/// Exit status 2, and each of the words in what was said.
fn refused(folder: &Path, args: &[&str], words: &[&str]) {
    let (status, said) = tarka(folder, args);
    assert_eq!(status, Some(2), "{said}");
    for word in words {
        assert!(said.contains(word), "no `{word}` in:\n{said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_folder_for_questions_that_cannot_be_written_to() {
    let folder = folder(&[("good.c", GOOD), ("file", "")]);
    refused(
        folder.path(),
        &["gen", "good.c", "--dump-queries", "file/below"],
        &["cannot write to the folder file/below", "--dump-queries DIR"],
    );
}

#[test]
fn a_missing_file() {
    let folder = folder(&[]);
    refused(folder.path(), &["gen", "nowhere.c"], &["nowhere.c", "does not exist"]);
}

#[test]
fn a_file_that_only_includes_functions_says_which_can_be_chosen() {
    let text = "static int sign(int x) { return x < 0 ? -1 : 1; }\n";
    let folder = folder(&[("unit.c", "#include \"sign.h\"\n"), ("sign.h", text)]);
    refused(folder.path(), &["gen", "unit.c"], &["no file defines a function itself", "sign", "-f"]);
    let (status, said) = tarka(folder.path(), &["gen", "unit.c", "-f", "sign"]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn a_syntax_error_comes_with_clangs_place_and_caret() {
    let folder = folder(&[("bad.c", "int f(int x)\n{\n    return x +;\n}\n")]);
    refused(folder.path(), &["gen", "bad.c"], &["bad.c:3:15", "error: expected expression", "^"]);
}

#[test]
fn no_such_function_names_the_nearest() {
    let folder = folder(&[("good.c", GOOD)]);
    refused(folder.path(), &["gen", "good.c", "-f", "sing"], &["no function `sing`", "did you mean sign?"]);
}

#[test]
fn an_empty_file_and_a_header() {
    let folder = folder(&[("empty.c", ""), ("only.h", "int f(int);\n")]);
    refused(folder.path(), &["gen", "empty.c"], &["empty.c", "empty"]);
    refused(folder.path(), &["gen", "only.h"], &["only.h", "header"]);
}

#[test]
fn an_output_folder_that_cannot_be_written() {
    let folder = folder(&[("good.c", GOOD), ("taken", "a file, not a folder")]);
    refused(folder.path(), &["gen", "good.c", "-o", "taken"], &["cannot write", "taken", "--out DIR"]);
    refused(folder.path(), &["gen", "good.c", "-o", "/proc/tarka"], &["cannot write", "--out DIR"]);
}

#[test]
fn no_clang() {
    let folder = folder(&[("good.c", GOOD)]);
    let output = judges::output(
        judges::tarka().current_dir(folder.path()).env("TARKA_CLANG", "/nonexistent").args(["gen", "good.c"]),
    );
    let said = judges::text(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("/nonexistent") && said.contains("apt install clang-19"), "{said}");
    let doctor = judges::output(judges::tarka().env("TARKA_CLANG", "/nonexistent").arg("doctor"));
    assert_eq!(doctor.status.code(), Some(2));
    assert!(judges::text(&doctor).contains("MISSING  clang 19"), "{}", judges::text(&doctor));
}

#[test]
fn names_nobody_knows_and_names_that_come_later() {
    let folder = folder(&[("good.c", GOOD)]);
    refused(folder.path(), &["gen", "good.c", "-c", "path"], &["no criterion `path`", "statement", "mcdc"]);
    for (option, unknown) in [("-s", "guess"), ("-s", "restart"), ("--format", "xml")] {
        refused(folder.path(), &["gen", "good.c", option, unknown], &["there is no", unknown, "available"]);
    }
    refused(
        folder.path(),
        &["gen", "good.c", "-s", "tabo"],
        &["there is no strategy `tabo`; did you mean tabu"],
    );
    refused(folder.path(), &["gen", "good.c", "--format", "gtest"], &["gtest", "later"]);
    refused(folder.path(), &["gen", "good.c", "--colour"], &["--colour", "--help"]);
    refused(folder.path(), &["gen", "good.c", "-t", "-1"], &["-1"]);
}

#[test]
fn a_build_folder_without_a_database() {
    let folder = folder(&[("good.c", GOOD)]);
    refused(folder.path(), &["gen", "good.c", "-p", "nowhere"], &["nowhere"]);
    refused(folder.path(), &["gen", "good.c", "-p", "."], &["compile_commands.json", "bear"]);
}

#[test]
fn replaying_what_is_not_there() {
    let folder = folder(&[]);
    refused(folder.path(), &["replay", "out"], &["no usable report", "tarka gen -o out"]);
}

#[test]
fn an_unusable_file_does_not_spoil_the_others() {
    let folder = folder(&[("good.c", GOOD)]);
    let (status, said) = tarka(folder.path(), &["gen", "nowhere.c", "good.c"]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("nowhere.c") && said.contains("tarka-out/sign/test_sign.c"), "{said}");
    assert!(folder.path().join("tarka-out/sign/test_sign.c").exists());
}

#[test]
fn a_function_that_cannot_be_tested_is_skipped_with_the_reason_and_the_others_go_on() {
    let text =
        format!("#include <stdarg.h>\nint odd(int n, va_list rest) {{ (void)rest; return n > 3; }}\n{GOOD}");
    let folder = folder(&[("mixed.c", &text)]);
    let (status, said) = tarka(folder.path(), &["gen", "mixed.c"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("skipped odd: ") && said.contains("va_list"), "{said}");
    let report = fs::read_to_string(folder.path().join("tarka-out/report.json")).expect("report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["units"][0]["skipped"], true);
    assert_eq!(report["units"][0]["status"], "error");
    assert_ne!(report["units"][0]["message"], "");
    assert_eq!(report["units"][1]["status"], "complete");
}

#[test]
fn targets_that_hang_eat_memory_or_close_descriptors_end_as_results() {
    let text = "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
        int hang(int x) { if (x == 3) for (;;) ; return 0; }\n\
        int hungry(int x) { if (x == 3) for (;;) { char *p = malloc(1 << 24); if (!p) return 1; memset(p, 1, 1 << 24); } return 0; }\n\
        int closer(int x) { for (int i = 0; i < 1024; i++) close(i); return x == 3 ? 1 : 0; }\n";
    let folder = folder(&[("rude.c", text)]);
    let (status, said) = tarka(folder.path(), &["gen", "rude.c", "-t", "5"]);
    assert!(status == Some(1), "{status:?} {said}");
    assert!(said.contains("timeout"), "{said}");
    assert!(folder.path().join("tarka-out/closer/test_closer.c").exists(), "{said}");
}

#[test]
fn what_no_stub_can_stand_for_keeps_only_its_callers_from_being_tested() {
    let caller = "struct secret;\nstruct secret helper(int);\nint one(int x) { helper(x); return x > 3; }\n\
        int helped(int);\nint two(int x) { return helped(x) < 3 ? 1 : 2; }\n";
    let folder = folder(&[("caller.c", caller)]);
    refused(folder.path(), &["gen", "caller.c"], &["caller.c", "incomplete"]);
    let caller = "int helped(int);\nint two(int x) { return helped(x) < 3 ? 1 : 2; }\n";
    std::fs::write(folder.path().join("caller.c"), caller).expect("written");
    let (status, said) = tarka(folder.path(), &["gen", "caller.c"]);
    assert_eq!(status, Some(0), "{said}");
    let test = fs::read_to_string(folder.path().join("tarka-out/two/test_two.c")).expect("a test");
    assert!(test.contains("int helped(int"), "the test brings its own `helped`: {test}");
}

const SCALE: &str =
    "int limit;\nint scale(int count)\n{\n    if (count > limit)\n        return 1;\n    return 0;\n}\n";

#[test]
fn a_precondition_that_is_not_c_comes_with_its_place() {
    let folder = folder(&[("scale.c", SCALE)]);
    let assume = |text| refused_assume(folder.path(), text);
    assert!(assume("scale: count >").contains("column"), "{}", assume("scale: count >"));
    let said = assume("scale: count > 0 && cuont < 9");
    assert!(
        said.contains("column 14") && said.contains("`cuont`") && said.contains("did you mean `count`?"),
        "{said}"
    );
    let said = assume("scael: count > 0");
    assert!(said.contains("no function `scael`") && said.contains("did you mean scale?"), "{said}");
    let said = assume("count > 0");
    assert!(said.contains("--assume 'function: C expression'"), "{said}");
    let said = assume("scale: count = 3");
    assert!(said.contains("scale") && said.contains('^'), "an assignment is no condition: {said}");
}

fn refused_assume(folder: &Path, text: &str) -> String {
    let (status, said) = tarka(folder, &["gen", "scale.c", "--assume", text]);
    assert_eq!(status, Some(2), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

#[test]
fn mistakes_in_tarka_toml_come_with_line_and_column() {
    let said = |toml: &str, words: &[&str]| {
        let folder = folder(&[("scale.c", SCALE), ("tarka.toml", toml)]);
        refused(folder.path(), &["gen", "scale.c"], words);
    };
    said("[bounds]\ndepth = 0\n", &["tarka.toml:2:9", "at least 1"]);
    said("[bounds]\ndeth = 2\n", &["tarka.toml:2:1", "did you mean `depth`?"]);
    said("[function.scale]\nassume = \"count > 0 && limt > 0\"\n", &["tarka.toml:2:24", "`limt`", "`limit`"]);
    said("[function.scale]\nsizes = { cont = 3 }\n", &["no parameter `cont`", "did you mean count?"]);
    said("[function.scale\n", &["tarka.toml:1:", "not TOML"]);
}

#[test]
fn contradictory_preconditions_are_named() {
    let toml = "[function.scale]\nassume = [\"count > 5\", \"limit == 2\"]\n";
    let folder = folder(&[("scale.c", SCALE), ("tarka.toml", toml)]);
    refused(
        folder.path(),
        &["gen", "scale.c", "--assume", "scale: count < 3"],
        &["contradict", "`count > 5`", "tarka.toml:2:12", "`count < 3`", "--assume"],
    );
}

#[test]
fn an_unknown_answer_of_the_library() {
    let folder = folder(&[("scale.c", SCALE)]);
    refused(folder.path(), &["gen", "scale.c", "--env", "rnad"], &["`rnad`", "did you mean rand?"]);
    refused(folder.path(), &["gen", "scale.c", "--env", "weather"], &["`weather`", "getenv"]);
}

#[test]
fn a_type_that_cannot_be_built_is_skipped_with_reason_and_place() {
    let text = "#include <stdarg.h>\nint twice(int x)\n{\n    return x > 2 ? 2 * (x & 7) : 0;\n}\nint log_all(const char *format, va_list list)\n{\n    (void)list;\n    return format != 0;\n}\n";
    let folder = folder(&[("log.c", text)]);
    let (status, said) = tarka(folder.path(), &["gen", "log.c"]);
    assert_eq!(status, Some(0), "the other function is tested: {said}");
    assert!(said.contains("log_all") && said.contains("`list`") && said.contains("va_list"), "{said}");
    assert!(said.contains("log.c:6"), "the place: {said}");
}

#[test]
fn types_that_hold_themselves_end() {
    let text = "struct knot { struct knot *all[3]; struct knot **more; int tied; };\nint knotted(const struct knot *k)\n{\n    if (k == 0 || k->all[1] == 0)\n        return -1;\n    return k->all[1]->tied == 4 ? 1 : 0;\n}\n";
    let folder = folder(&[("knot.c", text)]);
    let (status, said) = tarka(folder.path(), &["gen", "knot.c"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("knotted       6        6"), "{said}");
}

#[test]
fn an_array_of_100_mb_is_bounded_and_said_so() {
    let text = "int giant(const char table[100000000], long at)\n{\n    if (table == 0 || at < 0 || at >= 100000000)\n        return -1;\n    return table[at] == 'x' ? 1 : 0;\n}\n";
    let folder = folder(&[("giant.c", text)]);
    let (status, said) = tarka(folder.path(), &["gen", "giant.c", "-t", "5"]);
    assert_eq!(status, Some(0), "{said}");
    let report = fs::read_to_string(folder.path().join("tarka-out/report.json")).expect("report");
    assert!(report.contains("65536"), "the bound is in the report: {report}");
}

/// Ten lines; conditions on the lines 3 and 7.
const TWO: &str = "int one(int x)\n{\n    if (x > 3)\n        return 1;\n    return 0;\n}\n\
    int two(int x) { return x == 9 ? 1 : 0; }\n\n/* the\n   end */\n";

#[test]
fn lines_that_are_none() {
    let folder = folder(&[("two.c", TWO), ("good.c", GOOD)]);
    let lines = |typed: &str, words: &[&str]| {
        refused(folder.path(), &["gen", "two.c", "--lines", typed], &[&[typed], words].concat());
    };
    lines("abc", &["`abc` is no line number", "120-180"]);
    lines("9-3", &["line 3 stands before line 9"]);
    lines("0", &["the first line is line 1"]);
    lines("3-", &["`` is no line number"]);
    lines("11-12", &["two.c has only 10 lines"]);
    lines("tow.c:3", &["no goal stands in a file `tow.c`", "did you mean two.c?"]);
    lines("nothing_like_it.h:3", &["no goal stands in a file", "the files are two.c"]);
    // More than the file has is fine where it begins inside; comments have no goals.
    lines("9-99", &["no goals of the criterion `branch` there", "3 in `one`, 7 in `two`"]);
    lines("5", &["no goals", "3 in `one`", "-c statement"]);
    refused(
        folder.path(),
        &["gen", "two.c", "good.c", "--lines", "3"],
        &["which of the 2 files? write two.c:3"],
    );
    refused(
        folder.path(),
        &["gen", "two.c", "-f", "two", "--lines", "3"],
        &["7 in `two`", "`one` has", "ask for it with -f one"],
    );
}

#[test]
fn goals_that_are_none() {
    let folder = folder(&[("two.c", TWO)]);
    let goal = |typed: &str, words: &[&str]| {
        refused(folder.path(), &["gen", "two.c", "--goal", typed], &[&[typed], words].concat());
    };
    goal("two.c", &["`two.c` is no line number", "src/parser.c:120"]);
    goal("tow.c:3", &["no goal stands in a file `tow.c`", "did you mean two.c?"]);
    goal("two.c:4", &["no goals of the criterion `branch` there", "3 in `one`, 7 in `two`", "-c statement"]);
    goal("3:1", &["no goals", "3 in `one`"]);
    goal("3:0", &["counted from 1"]);
    goal("400", &["has only 10 lines"]);
    // One that has nothing is said also where others have.
    refused(
        folder.path(),
        &["gen", "two.c", "--goal", "3", "--goal", "6"],
        &["--goal 6: there are no goals"],
    );
}

#[test]
fn a_scope_of_goals_that_is_none() {
    let folder = folder(&[("two.c", TWO)]);
    for command in ["gen", "compare"] {
        let scope = |typed: &str, words: &[&str]| {
            refused(folder.path(), &[command, "two.c", "--goals", typed], words);
        };
        scope("fiel", &["--goals", "`fiel`", "did you mean file?", "unit, file, program"]);
        // Who wants the goals at a place has forgotten that this is another option.
        scope("two.c:3", &["`two.c:3`", "unit, file, program", "--goal [FILE:]LINE"]);
    }
}

#[test]
fn a_revision_that_is_none() {
    let folder = folder(&[("two.c", TWO)]);
    let since = |typed: &str, words: &[&str]| {
        let option = format!("--since={typed}");
        refused(folder.path(), &["gen", "two.c", &option], words);
    };
    since("HEAD", &["--since HEAD: git says in", "not a git repository"]);
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        let output = judges::output(command.current_dir(folder.path()).args(arguments));
        assert!(output.status.success(), "{}", judges::text(&output));
    };
    git(&["init", "-q"]);
    git(&["add", "two.c"]);
    since("HEAD", &["git says in", "fatal"]);
    git(&["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "first"]);
    since("nonsense", &["--since nonsense: git says in", "fatal", "git log"]);
    since("HEAD..HEAD", &["git says in", "fatal"]);
    since("--output=x", &["a revision does not begin with `-`"]);
    since("", &["--since"]);
    refused(folder.path(), &["gen", "two.c", "--since", "-x"], &["-x"]);
    let clang = judges::output(std::process::Command::new("sh").args(["-c", "command -v clang-19"]));
    let clang = String::from_utf8_lossy(&clang.stdout).trim().to_string();
    let mut without_git = judges::tarka();
    without_git.current_dir(folder.path()).env("PATH", folder.path()).env("TARKA_CLANG", clang);
    let output = judges::output(without_git.args(["gen", "two.c", "--since", "HEAD"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(judges::text(&output).contains("--since needs the `git` command"), "{}", judges::text(&output));
}

#[test]
fn a_baseline_that_is_none() {
    let other = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Other"}}, "results": []}]}"#;
    let folder =
        folder(&[("good.c", GOOD), ("notes.txt", "hello"), ("data.json", "[1]"), ("other.sarif", other)]);
    for (file, reason) in [
        ("nowhere.json", "No such file"),
        (".", "directory"),
        ("notes.txt", "not JSON"),
        ("data.json", "neither a report.json nor a faults.sarif"),
        ("other.sarif", "another tool: Other"),
    ] {
        refused(
            folder.path(),
            &["gen", "good.c", "--baseline", file],
            &["cannot compare with the baseline", file, reason, "faults.sarif of an earlier `tarka gen`"],
        );
        assert!(!folder.path().join("tarka-out/report.json").exists(), "said before any work is done");
    }
}

#[test]
fn gdb_that_cannot_be_opened() {
    let folder = folder(&[("faulty.c", "int first(const int *p)\n{\n    return *p;\n}\n")]);
    let (status, said) = tarka(folder.path(), &["gen", "faulty.c"]);
    assert!(status < Some(2), "{said}");
    let name = "fault_first_1";
    refused(
        folder.path(),
        &["replay", "tarka-out", "--gdb"],
        &["name it", &format!("tarka-out {name} --gdb")],
    );
    refused(folder.path(), &["replay", "tarka-out", "fault_first_9", "--gdb"], &["did you mean", name]);
    // A PATH without gdb; clang is found by its own name.
    let clang = judges::output(std::process::Command::new("sh").args(["-c", "command -v clang-19"]));
    let clang = String::from_utf8_lossy(&clang.stdout).trim().to_string();
    let output = judges::output(
        judges::tarka()
            .current_dir(folder.path())
            .env("TARKA_CLANG", clang)
            .env("PATH", folder.path())
            .args(["replay", "tarka-out", name, "--gdb"]),
    );
    let said = judges::text(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot start gdb") && said.contains("apt install gdb"), "{said}");
}
