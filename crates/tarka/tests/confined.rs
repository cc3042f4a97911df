//! What the code under test may do, as its users see it: options that open it up, and tests that hold on other machines.
//! Units that attack the machine are in `hostile`.

use std::fs;
use std::path::Path;

use crate::judges::{self, tarka_in as tarka};
use serde_json::Value;

const SAVE: &str = "#include <stdio.h>\n\
    int save(const char *text, int n)\n\
    {\n    FILE *file = fopen(PLACE, \"w\");\n    if (!file)\n        return -1;\n    if (n > 3)\n        fputc('x', file);\n\
    \x20   fclose(file);\n    return n;\n}\n";

/// Each gives something of the machine for large numbers, and 0 for others.
const MACHINE: &str = "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n\
    int process(int n) { if (n > 3) return getpid(); return 0; }\n\
    long now(int n) { if (n > 3) return time(NULL); return 0; }\n\
    int year(int n) { time_t t = time(NULL); if (n > 3) return localtime(&t)->tm_year; return 0; }\n\
    int home(int n) { const char *h = getenv(\"HOME\"); if (n > 3 && h) return (int)strlen(h); return 0; }\n\
    long address(int n) { static int x; if (n > 3) return (long)&x; return 0; }\n\
    int processors(int n) { if (n > 3) return (int)sysconf(_SC_NPROCESSORS_ONLN); return 0; }\n\
    int user(int n) { if (n > 3) return (int)getuid() + 5; return 0; }\n\
    int host(int n) { char b[256]; if (n > 3 && gethostname(b, sizeof b) == 0) return b[0]; return 0; }\n\
    int ticks(int n) { if (n > 3) return (int)clock(); return 0; }\n\
    int own(int n) { if (n > 3) return n / 2; return 0; }\n";

fn report(folder: &Path) -> Value {
    judges::report(&folder.join("tarka-out"))
}

/// A folder with `save.c`, and a flag that says where it writes.
fn save_to(place: &Path) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::write(folder.path().join("save.c"), SAVE).expect("written");
    (folder, format!("-DPLACE=\"{}\"", place.display()))
}

#[test]
fn a_write_outside_is_refused_and_told_and_allowed_on_request() {
    let target = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let file = target.path().join("log");
    let (folder, place) = save_to(&file);
    let (code, said) = tarka(folder.path(), &["gen", "save.c", "-n", "30", "--", &place]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!file.exists());
    let told = format!("save opens \"{}\" for writing", file.display());
    assert!(said.contains(&told) && said.contains("--allow write=DIR"), "{said}");
    let faults = report(folder.path())["units"][0]["faults"].clone();
    let outside: Vec<&Value> =
        faults.as_array().expect("faults").iter().filter(|fault| fault["kind"] == "outside-effect").collect();
    assert_eq!(outside.len(), 1, "{faults}");
    assert_eq!((&outside[0]["class"], &outside[0]["test"]), (&Value::from("contract"), &Value::Null));
    // Refusing is an answer, too: the side for a file that cannot be opened is not what tests show, though.
    let covered = |report: &Value| report["units"][0]["goals"]["covered"].as_u64().expect("a number");
    let before = covered(&report(folder.path()));

    let allow = format!("write={}", target.path().display());
    let args = ["gen", "save.c", "-n", "30", "--allow", &allow, "--", &place];
    let (code, said) = tarka(folder.path(), &args);
    assert_eq!(code, Some(0), "{said}");
    assert!(file.exists() && !said.contains("outside:"), "{said}");
    let after = report(folder.path());
    assert!(covered(&after) > before, "{after}");
    assert!(
        after["command"].as_str().is_some_and(|command| command.contains("--allow write=")),
        "{}",
        after["command"]
    );
    let (code, said) = tarka(folder.path(), &["replay", "tarka-out", "--allow", &allow]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_file_of_its_own_is_nothing_to_tell() {
    let (folder, place) = save_to(Path::new("log"));
    let (code, said) = tarka(folder.path(), &["gen", "save.c", "-n", "30", "--", &place]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("outside:"), "{said}");
    assert!(!folder.path().join("log").exists());
}

/// How many files of 60 MiB there is room for; all of them only where nothing limits them together.
const FILL: &str = "#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n\
    int fill(int n)\n{\n    char name[16];\n    int files = 0;\n    if (n <= 3)\n        return -1;\n\
    \x20   for (; files < 8; files++) {\n        snprintf(name, sizeof name, \"f%d\", files);\n\
    \x20       int file = open(name, O_CREAT | O_WRONLY, 0600);\n        if (file < 0)\n            break;\n\
    \x20       int is_full = posix_fallocate(file, 0, 60 << 20);\n        close(file);\n\
    \x20       if (is_full)\n            break;\n    }\n    return files;\n}\n";

#[test]
fn all_that_a_function_writes_has_a_limit_in_the_search_and_in_replays() {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::write(folder.path().join("fill.c"), FILL).expect("written");
    let (_, said) = tarka(Path::new("."), &["doctor"]);
    if !said.contains("has 256 MiB together") {
        return eprintln!("no mounts of its own here: not tried");
    }
    let (code, said) = tarka(folder.path(), &["gen", "fill.c", "-n", "6", "--faults", "none"]);
    assert_eq!(code, Some(0), "{said}");
    let test = fs::read_to_string(folder.path().join("tarka-out/fill/test_fill.c")).expect("tests");
    assert!(test.contains("CHECK(result == 4);"), "{test}");
    let (code, said) = tarka(folder.path(), &["replay", "tarka-out"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn what_cannot_be_allowed_is_refused_with_what_there_is() {
    let (folder, place) = save_to(Path::new("log"));
    for (word, hint) in
        [("everything", "write=DIR, net, exec, env=NAME"), ("write=/no/such/folder", "/no/such/folder")]
    {
        let (code, said) = tarka(folder.path(), &["gen", "save.c", "--allow", word, "--", &place]);
        assert!(code == Some(2) && said.contains(hint), "{word}: {code:?} {said}");
    }
    let (code, said) = tarka(folder.path(), &["gen", "save.c", "-n", "20", "--unconfined", "--", &place]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("unconfined"), "it says what that means: {said}");
}

#[test]
fn no_check_depends_on_the_machine() {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::write(folder.path().join("machine.c"), MACHINE).expect("written");
    let (code, said) = tarka(folder.path(), &["gen", "machine.c", "-n", "30", "-t", "3"]);
    assert_eq!(code, Some(0), "{said}");
    let checks = |function: &str| -> Vec<String> {
        let path = folder.path().join(format!("tarka-out/{function}/test_{function}.c"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let checks = text.lines().filter_map(|line| line.trim().strip_prefix("CHECK(result == "));
        checks.filter_map(|rest| rest.split_once(')')).map(|(value, _)| value.to_string()).collect()
    };
    for function in ["process", "now", "year", "home", "address", "processors", "user", "host", "ticks"] {
        assert!(checks(function).iter().all(|value| value == "0"), "{function}: {:?}", checks(function));
        assert!(!checks(function).is_empty(), "{function}: what does not depend on the machine is checked");
    }
    assert!(checks("own").iter().any(|value| value != "0"), "{:?}", checks("own"));
}

#[test]
fn the_doctor_says_what_is_in_force() {
    let (_, said) = tarka(Path::new("."), &["doctor"]);
    for what in ["files ", "processes ", "memory ", "disk ", "outside "] {
        assert!(
            said.lines().any(|line| line.contains(what) && line.contains("of the code under test")),
            "{said}"
        );
    }
    let output = judges::output(judges::tarka().arg("doctor").env("TARKA_CONFINE_AS", "bare"));
    let said = judges::text(&output);
    assert!(said.contains("no namespaces here"), "{said}");
}
