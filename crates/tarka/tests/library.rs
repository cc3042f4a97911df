//! What the C library may answer, end to end: everything that it may give is covered by a test, what it never gives is
//! proved, and what only a bound of ours keeps away is unknown and names that bound.
//!
//! Takes C text; runs `tarka gen --env all` and reads its report. Never: inputs of other kinds.

use std::fs;

use crate::judges::{output, report, tarka, text};
use serde_json::Value;

/// The goals of every unit of a C text.
fn goals(source: &str) -> Vec<Value> {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let file = scratch.path().join("unit.c");
    fs::write(&file, source).expect("the C file can be written");
    let mut command = tarka();
    command.args(["gen", "--env", "all", "--seed", "1", "--time", "30", "-o"]);
    let result = output(command.arg(scratch.path().join("out")).arg(&file));
    assert_eq!(result.status.code(), Some(0), "{}", text(&result));
    let report = report(&scratch.path().join("out"));
    let units = report["units"].as_array().expect("units").iter();
    units.flat_map(|unit| unit["goal_list"].as_array().expect("goals").clone()).collect()
}

/// The goals that have no test, each with its condition, status and cause.
fn open(goals: &[Value]) -> Vec<[&str; 4]> {
    fn word<'a>(goal: &'a Value, name: &str) -> &'a str {
        goal[name].as_str().unwrap_or_default()
    }
    let open = goals.iter().filter(|goal| goal["status"] != "covered");
    open.map(|goal| ["text", "outcome", "status", "cause"].map(|name| word(goal, name))).collect()
}

#[test]
fn what_the_library_may_answer_is_covered() {
    let goals = goals(
        "#include <errno.h>
         #include <stdio.h>
         #include <stdlib.h>
         #include <sys/socket.h>
         #include <unistd.h>
         int sign(void) { return mrand48() < 0 ? 1 : 2; }
         int many(int fd) { char b[64]; return read(fd, b, 64) > 40 ? 1 : 0; }
         int full(FILE *f) { char b[64]; return fread(b, 1, 64, f) == 64 ? 1 : 0; }
         int items(FILE *f) { int b[16]; return fread(b, 4, 16, f) == 16 ? b[15] == 7 : 0; }
         int late(int fd) { char b[64]; if (read(fd, b, 64) == 50 && b[45] == 'x') return 1; return 0; }
         int large(int fd) { char b[2000]; return read(fd, b, sizeof b) > 1000 ? 1 : 0; }
         int cut(int s) { char b[8]; return recv(s, b, 8, MSG_TRUNC) == 100 ? 1 : 0; }
         int seed(void) { unsigned s = 1; rand_r(&s); return s == 77 ? 1 : 0; }
         int part(void) { double d = drand48(); return d > 0.25 ? 1 : 0; }
         int error(int fd) { char b[8]; if (read(fd, b, 8) < 0 && errno == 524) return 1; return 0; }
         int last(FILE *f) { char b[8] = {0}; if (fgets(b, 8, f) && b[3] == '\\n') return 1; return 0; }
         int lines(FILE *f) { char b[8]; int n = 0; while (fgets(b, 8, f)) n++; return n > 2 ? 1 : 0; }",
    );
    assert_eq!(open(&goals), Vec::<[&str; 4]>::new());
}

#[test]
fn what_the_library_never_answers_is_proved() {
    let goals = goals(
        "#include <errno.h>
         #include <stdio.h>
         #include <stdlib.h>
         #include <unistd.h>
         int rands(void) { if (rand() < 0) return 1; if (lrand48() > 0x7fffffff) return 2; return 0; }
         int reads(int fd) { char b[8]; long n = read(fd, b, 8); if (n > 8) return 1; if (n == -2) return 2; return 0; }
         int errors(int fd) { char b[4]; if (read(fd, b, 4) < 0 && errno <= 0) return 1; return 0; }
         int chars(FILE *f) { int c = fgetc(f); if (c > 255) return 1; if (c < -1) return 2; return 0; }",
    );
    let open = open(&goals);
    let proved = |text: &'static str| [text, "true", "infeasible", "exhausted"];
    let expected =
        ["rand() < 0", "lrand48() > 0x7fffffff", "n > 8", "n == -2", "errno <= 0", "c > 255", "c < -1"];
    assert_eq!(open, expected.map(proved));
    let advised = goals.iter().filter(|goal| goal["status"] == "infeasible" && goal["advice"].is_string());
    assert_eq!(advised.count(), 0, "nobody can drop what the library promises");
}

#[test]
fn what_only_a_bound_keeps_away_is_unknown_and_names_it() {
    let goals = goals(
        "#include <stdio.h>
         #include <unistd.h>
         int fill(int *values, int n);
         int f(int fd) { char b[1024]; if (read(fd, b, 1024) > 600 && b[500] == 'x') return 1; return 0; }
         int g(void) { int a[64] = {0}; fill(a, 64); return a[40] == 7 ? 1 : 0; }
         int h(int fd, int x) {
            char b[1024];
            if (x > 3 && x < 3) return 1;
            return read(fd, b, 1024) > 0 ? 2 : 3;
         }",
    );
    let unknown = |text| [text, "true", "unknown", "bound"];
    let [first, second, third] = open(&goals)[..] else { panic!("{goals:#?}") };
    assert_eq!([first, second], [unknown("b[500] == 'x'"), unknown("a[40] == 7")]);
    assert_eq!(third[2], "infeasible", "a bound behind a goal takes nothing from its proof: {third:?}");
    let named = |index: usize| {
        let goal = goals.iter().filter(|goal| goal["status"] == "unknown").nth(index).expect("two of them");
        (goal["reason"].as_str().unwrap_or_default(), goal["advice"].as_str().unwrap_or_default())
    };
    assert!(named(0).0.contains("one call of `read` delivers at most 256 bytes"), "{:?}", named(0));
    assert!(named(1).0.contains("one call of `fill` fills at most 32 elements"), "{:?}", named(1));
    assert!(named(0).1.contains("define `read`") && named(1).1.contains("define `fill`"));
}

/// The test file of the only unit of a C text, made without `--env`.
fn tests_of(function: &str, source: &str) -> String {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let file = scratch.path().join("unit.c");
    fs::write(&file, source).expect("the C file can be written");
    let mut command = tarka();
    command.args(["gen", "--seed", "1", "--time", "30", "-o"]);
    let result = output(command.arg(scratch.path().join("out")).arg(&file));
    assert_eq!(result.status.code(), Some(0), "{}", text(&result));
    let tests = scratch.path().join(format!("out/{function}/test_{function}.c"));
    fs::read_to_string(tests).expect("a test file")
}

/// `stat` and `getc` are stubs in these tests, which would not notice null; what the real `stat` answered in the first
/// search is nothing that a test with a stub could see.
#[test]
fn what_the_library_needs_is_there_and_every_check_holds() {
    let tests = tests_of(
        "kind",
        "#include <sys/stat.h>
         int kind(const char *path) {
             struct stat about;
             if (stat(path, &about) != 0) return 1;
             return S_ISDIR(about.st_mode) ? 2 : 3;
         }\n",
    );
    assert!(tests.contains("kind(path_1)") && !tests.contains("kind(NULL)"), "{tests}");
    assert!(!tests.contains("seen once"), "{tests}");
    let tests = tests_of(
        "first",
        "#include <stdio.h>
         int first(FILE *in) { return getc(in) == 'x'; }\n",
    );
    assert!(tests.contains("tmpfile()") && !tests.contains("first(NULL)"), "{tests}");
}

#[test]
fn null_is_handed_on_where_the_unit_asks_about_it() {
    let tests = tests_of(
        "known",
        "#include <sys/stat.h>
         int known(const char *path) {
             struct stat about;
             if (path && *path == '-') return 1;
             return stat(path, &about) == 0;
         }\n",
    );
    assert!(tests.contains("known(NULL)"), "{tests}");
}
