//! Several files of one call are one program, end to end: callees in other files are the real ones, what is found through them is
//! confirmed on the plain program, the emitted files are built with them by the command that stands in them, and only what nobody
//! defines is a stub.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::judges::{output, tarka, text};
use serde_json::Value;

/// A program on disk, and what Tarka makes of it.
struct Project {
    folder: tempfile::TempDir,
    said: String,
    report: Value,
}

impl Project {
    /// Writes the files and tests all that are C, with further words of the command line.
    fn new(files: &[(&str, &str)], more: &[&str]) -> Project {
        let folder = tempfile::tempdir().expect("scratch folder");
        for (name, content) in files {
            fs::write(folder.path().join(name), content).expect("written");
        }
        let names = files.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c"));
        let mut project = Project { folder, said: String::new(), report: Value::Null };
        let mut command = project.tarka();
        command.args(["gen", "--seed", "1", "-n", "200", "-t", "0", "-o", "out"]).args(names).args(more);
        project.said = text(&output(&mut command));
        let report = fs::read_to_string(project.path().join("out/report.json"));
        let report = report.unwrap_or_else(|error| panic!("{error}: {}", project.said));
        project.report = serde_json::from_str(&report).expect("valid JSON");
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn tarka(&self) -> Command {
        let mut command = tarka();
        command.current_dir(self.path());
        command
    }

    fn unit(&self, file: &str, function: &str) -> &Value {
        let units = self.report["units"].as_array().expect("units");
        let mut found = units.iter().filter(|unit| unit["file"] == file && unit["function"] == function);
        found.next().unwrap_or_else(|| panic!("no {function} of {file}: {}", self.said))
    }

    /// Covered, infeasible and open goals.
    fn goals(&self, file: &str, function: &str) -> [u64; 3] {
        let goals = &self.unit(file, function)["goals"];
        ["covered", "infeasible", "unknown"].map(|count| goals[count].as_u64().expect("a number"))
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs the command that stands in a file after these words, where the file stands.
    fn run_as_told(&self, path: &str, words: &str) -> Output {
        let content = self.read(path);
        let line = content.lines().find_map(|line| line.trim().strip_prefix(words));
        let line = line.unwrap_or_else(|| panic!("no command in:\n{content}"));
        let folder = self.path().join(path);
        let folder = folder.parent().expect("a folder");
        output(Command::new("sh").args(["-c", line.trim()]).current_dir(folder))
    }

    /// Everything that was emitted does what it says once more.
    fn assert_replays(&self) {
        let replayed = output(self.tarka().args(["replay", "out"]));
        let said = text(&replayed);
        assert!(replayed.status.success() && said.contains("ok     "), "{said}");
    }
}

const POOL: &str = "\
#include <stdlib.h>
#include \"pool.h\"
struct item *keep(int size) {
    struct item *item = malloc(sizeof *item);
    if (!item) abort();
    item->size = size;
    return item;
}
void drop(struct item *item) {
    free(item);
}
int size_of(const struct item *item) {
    return item->size;
}
";
const POOL_H: &str = "\
struct item { int size; };
struct item *keep(int size);
void drop(struct item *item);
int size_of(const struct item *item);
";

#[test]
fn a_fault_across_files_is_found_told_in_its_file_and_confirmed() {
    let user = "\
#include \"pool.h\"
int measure(int size, int mode) {
    struct item *item = keep(size);
    int result = 0;
    if (mode == 77) drop(item);
    if (size_of(item) > 10) result = 1;
    drop(item);
    return result;
}
";
    let project = Project::new(&[("user.c", user), ("pool.c", POOL), ("pool.h", POOL_H)], &[]);
    // What only the fault leads to is open.
    assert_eq!(project.goals("user.c", "measure"), [3, 0, 1], "{}", project.said);
    let faults = project.unit("user.c", "measure")["faults"].as_array().expect("faults");
    let fault = faults.iter().find(|fault| fault["kind"] == "use-after-free").expect("the planted fault");
    assert_eq!((&fault["file"], &fault["line"]), (&"pool.c".into(), &13.into()), "{fault:#}");
    assert_eq!((&fault["class"], &fault["confirmed"]), (&"bug".into(), &true.into()), "{fault:#}");
    let path = format!("out/{}", fault["test"].as_str().expect("a file"));
    let shown = text(&project.run_as_told(&path, "Show it:"));
    assert!(shown.contains("heap-use-after-free"), "{shown}");
    let test = "out/measure/test_measure.c";
    let passed = project.run_as_told(test, "All tests:");
    assert!(passed.status.success(), "{}", text(&passed));
    let content = project.read(test);
    assert!(content.contains("pool.c") && !content.contains("Stubs"), "{content}");
    project.assert_replays();
}

#[test]
fn things_of_one_name_are_told_apart() {
    let first = "\
static int limit = 3;
static int clip(int n) { return n > limit ? limit : n; }
int other(int n);
extern int shared;
int both(int n) {
    if (clip(n) + other(n) == 13) return 1;
    if (shared == 5) return 2;
    return 0;
}
int main(void) { return both(1); }
";
    let second = "\
static int limit = 10;
int shared;
static int clip(int n) { if (n < 0) return 0; return n > limit ? limit : n; }
int other(int n) { return clip(n); }
int main(int argc, char **argv) { (void)argv; return other(argc); }
";
    let project = Project::new(&[("first.c", first), ("second.c", second)], &[]);
    // `limit` of second.c never changes; `shared` is an input of first.c, which declares it.
    assert_eq!(project.goals("first.c", "both"), [4, 0, 0], "{}", project.said);
    assert_eq!(project.goals("first.c", "clip"), [2, 0, 0], "{}", project.said);
    assert_eq!(project.goals("second.c", "clip"), [4, 0, 0], "{}", project.said);
    assert_eq!(project.unit("first.c", "main")["skipped"], false, "{}", project.said);
    assert_eq!(project.unit("second.c", "main")["skipped"], false, "{}", project.said);
    let passed = project.run_as_told("out/both/test_both.c", "All tests:");
    assert!(passed.status.success(), "{}", text(&passed));
    project.assert_replays();
}

#[test]
fn state_of_another_file_is_no_reason_to_call_a_branch_infeasible() {
    let user = "\
int level(void);
int lowest(void);
int alarm_is_due(int n) {
    if (level() > 3) return 1;
    if (n < lowest()) return 2;
    return 0;
}
";
    let state = "\
static int now;
static const int least = -100;
void set_level(int n) { now = n; }
int level(void) { return now; }
int lowest(void) { return least; }
";
    let project = Project::new(&[("user.c", user), ("state.c", state)], &["-f", "alarm_is_due"]);
    // `now` keeps its value, because no test of user.c can name it; nobody says that this cannot happen.
    assert_eq!(project.goals("user.c", "alarm_is_due"), [3, 0, 1], "{}", project.said);
    let goals = project.unit("user.c", "alarm_is_due")["goal_list"].as_array().expect("goals").clone();
    let open = goals.iter().find(|goal| goal["status"] == "unknown").expect("an open goal");
    let reason = open["reason"].as_str().expect("a reason");
    assert!(reason.contains("`now` of state.c"), "{reason}");
}

#[test]
fn what_another_file_has_not_set_up_yet_is_no_bug_of_its_callers() {
    let user = "int *current(void);\nint read_it(void) { return *current(); }\n";
    let state = "static int *at;\nvoid choose(int *p) { at = p; }\nint *current(void) { return at; }\n";
    let project = Project::new(&[("user.c", user), ("state.c", state)], &["-f", "read_it"]);
    let faults = project.unit("user.c", "read_it")["faults"].as_array().expect("faults");
    assert_eq!(faults.len(), 1, "{}", project.said);
    assert_eq!(faults[0]["class"], "contract", "{faults:#?}");
    let why = faults[0]["why"].as_str().expect("a reason");
    assert!(why.contains("`at` of state.c"), "{why}");
}

#[test]
fn the_strong_definition_is_the_programs_own() {
    let weak = "\
__attribute__((weak)) int most(void) { return 10; }
int is_much(int n) { return n > most() && n < 1000; }
";
    let strong = "int most(void) { return 2000; }\n";
    let project = Project::new(&[("weak.c", weak), ("strong.c", strong)], &["-c", "condition"]);
    // No n is above 2000 and below 1000.
    assert_eq!(project.goals("weak.c", "is_much"), [3, 1, 0], "{}", project.said);
    assert!(project.said.contains("`most` is left out"), "{}", project.said);
    project.assert_replays();
}

#[test]
fn files_have_their_own_flags_and_libraries_are_linked() {
    let user = "\
int half(int n);
double root_of(double x);
int sensor(int channel);
int decide(int n) {
    if (half(n) == 21) return 1;
    if (root_of(4.0) > 1.5) return sensor(n) > 7;
    return 0;
}
";
    let helper = "\
#include <zlib.h>
#include <math.h>
int half(int n) { return DIVIDE(n); }
double root_of(double x) { return zlibVersion() ? sqrt(x) : 0.0; }
";
    let commands = r#"[
 {"directory": ".", "file": "user.c", "arguments": ["cc", "-c", "user.c"]},
 {"directory": ".", "file": "helper.c", "arguments": ["cc", "-DDIVIDE(n)=((n)/2)", "-c", "helper.c"]}
]"#;
    let files = [("user.c", user), ("helper.c", helper), ("compile_commands.json", commands)];
    let project = Project::new(&files, &["-p", ".", "-f", "decide", "--", "-lz"]);
    let [covered, ..] = project.goals("user.c", "decide");
    assert!(covered >= 3, "{}", project.said);
    let content = project.read("out/decide/test_decide.c");
    // Nobody defines the sensor.
    assert!(content.contains("sensor") && !content.contains("half_results"), "{content}");
    let passed = project.run_as_told("out/decide/test_decide.c", "All tests:");
    assert!(passed.status.success(), "{}", text(&passed));
    project.assert_replays();
}

#[test]
fn a_file_that_cannot_be_used_does_not_keep_its_neighbours_from_being_tested() {
    let user = "int scale(int n);\nint check(int n) { return scale(n) > 5 ? 1 : 0; }\n";
    let broken = "int scale(int n) { return n *; }\n";
    let double = "int grow(int n) { return n + 1; }\n";
    let project = Project::new(&[("user.c", user), ("broken.c", broken), ("double.c", double)], &[]);
    assert!(project.said.contains("broken.c"), "{}", project.said);
    // `scale` is nobody's then, and has a stub.
    assert_eq!(project.goals("user.c", "check"), [2, 0, 0], "{}", project.said);
    assert_eq!(project.unit("double.c", "grow")["status"], "complete", "{}", project.said);
}

#[test]
fn two_programs_in_one_call_stay_two() {
    let shared = "int usage(int n);\nint run(int n) { return usage(n) == 4 ? 1 : 0; }\n";
    let first = "int usage(int n) { return n + 1; }\nint run(int n);\nint main(void) { return run(2); }\n";
    let second = "int usage(int n) { return n + 2; }\nint run(int n);\nint main(void) { return run(3); }\n";
    let project = Project::new(&[("shared.c", shared), ("first.c", first), ("second.c", second)], &[]);
    assert_eq!(project.goals("shared.c", "run"), [2, 0, 0], "{}", project.said);
    let content = project.read("out/run/test_run.c");
    assert!(content.contains("first.c") && !content.contains("second.c"), "{content}");
    let passed = project.run_as_told("out/run/test_run.c", "All tests:");
    assert!(passed.status.success(), "{}", text(&passed));
    for file in ["first.c", "second.c"] {
        assert_eq!(project.unit(file, "main")["status"], "complete", "{}", project.said);
    }
}
