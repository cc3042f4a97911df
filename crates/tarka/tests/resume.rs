//! Calls that end early, and those that go on: what is finished is kept, nothing is left behind, and in the end the folder is the
//! one of a call that nobody disturbed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::judges;

/// Functions of the file that is killed over and over.
const FUNCTIONS: usize = 30;

/// Moments at which it is killed.
const KILLS: u32 = 20;

/// The same in `make test`, for `kill -9`.
const FEW_KILLS: u32 = 6;

/// A line and the version of a build, at most. What is written down of a function is longer.
const LONGEST_HEAD: u64 = 512;

/// A project with a file of small functions, some with a fault that another one has as well.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(functions: usize) -> Project {
        let folder = tempfile::tempdir().expect("scratch folder");
        let mut text = "static int share(int all, int parts) { return all / parts; }\n".to_string();
        for number in 0..functions {
            text += &format!(
                "int rate_{number}(int n, const char *name)\n{{\n    if (n > {number} && n < {})\n        return share(n, n - {});\n    \
                 if (name && name[0] == 'a' + {})\n        return 2;\n    return 0;\n}}\n",
                number + 9,
                number + 3,
                number % 26
            );
        }
        fs::write(folder.path().join("unit.c"), text).expect("written");
        fs::create_dir(folder.path().join("tmp")).expect("folder");
        Project { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, jobs: &str) -> Command {
        let mut command = judges::tarka();
        // What is killed is to be at work on all that a call does.
        command.current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).env("TARKA_CACHE", "");
        command.args(["gen", "unit.c", "-t", "0", "-n", "60", "--seed", "1", "-j", jobs]);
        command
    }

    fn run(&self, jobs: &str) -> (Option<i32>, String) {
        let output = judges::output(&mut self.command(jobs));
        (output.status.code(), judges::text(&output))
    }

    fn start(&self) -> Child {
        let mut command = self.command("2");
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("tarka starts")
    }

    /// Every file of the output folder, but for the journal.
    fn output(&self) -> BTreeMap<PathBuf, String> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.path("tarka-out")];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).expect("folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else if !entry.file_name().to_string_lossy().starts_with(".tarka") {
                    let text = fs::read_to_string(&path).expect("text");
                    files.insert(path, text);
                }
            }
        }
        files
    }

    /// How long the journal is, beyond the head that every journal has.
    fn written_down(&self) -> u64 {
        let journal = fs::metadata(self.path("tarka-out/.tarka-journal"));
        journal.map_or(0, |about| about.len()).saturating_sub(LONGEST_HEAD)
    }

    fn report(&self) -> Value {
        judges::report(&self.path("tarka-out"))
    }
}

/// Numbers that look random, the same ones every time.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most.max(1)
    }
}

/// The processes that work for a project: its folder stands in what they were started with, or they are in it.
fn at_work(project: &Project) -> Vec<String> {
    let folder = project.folder.path().to_string_lossy().into_owned();
    let names_it = |bytes: std::io::Result<Vec<u8>>| {
        bytes.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&folder))
    };
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("/proc").flatten() {
        let path = entry.path();
        let is_in_it = fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&folder));
        if is_in_it || names_it(fs::read(path.join("cmdline"))) || names_it(fs::read(path.join("environ"))) {
            found.push(fs::read_to_string(path.join("stat")).unwrap_or_default());
        }
    }
    found
}

/// What of a call is still running a little later.
fn still_at_work(project: &Project) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !at_work(project).is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    at_work(project)
}

/// The temporary files of a project.
fn temporary(project: &Project) -> Vec<PathBuf> {
    fs::read_dir(project.path("tmp")).expect("folder").flatten().map(|entry| entry.path()).collect()
}

/// Kills calls at random moments, every other one not before it has tested a function; every call goes on where the one before
/// it was, and one that comes to its end is looked at and begun anew.
fn killed_over_and_over(project: &Project, signal: Signal, whole: &Whole, kills: u32) {
    let mut random = Random(7);
    for kill in 0..kills {
        let moment = Duration::from_millis(random.below(whole.time.as_millis() as u64 / 4));
        let written_down = project.written_down();
        let mut child = project.start();
        // A slow machine would otherwise never come to the first function.
        while kill % 2 == 1 && project.written_down() <= written_down {
            if child.try_wait().expect("a process").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(moment);
        // One that has ended is nobody's to end; its status tells.
        let _ = kill_process(Pid::from_child(&child), signal);
        let status = child.wait().expect("it ends");
        if status.signal().is_none() {
            whole.assert_same(project);
            fs::remove_dir_all(project.path("tarka-out")).expect("removed");
            continue;
        }
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status:?}");
        if signal == Signal::TERM {
            assert_eq!(temporary(project), Vec::<PathBuf>::new(), "after {moment:?}");
            assert_finished_units_have_their_files(project);
        }
        assert_eq!(still_at_work(project), Vec::<String>::new(), "after {moment:?}");
    }
}

/// What a call gives that nobody disturbs, and how long it takes.
struct Whole {
    time: Duration,
    output: BTreeMap<PathBuf, String>,
}

impl Whole {
    fn assert_same(&self, project: &Project) {
        let output = project.output();
        assert_eq!(output.keys().collect::<Vec<_>>(), self.output.keys().collect::<Vec<_>>());
        for (path, text) in &self.output {
            assert_eq!(&output[path], text, "{}", path.display());
        }
    }
}

/// What an interrupted call reports is there.
fn assert_finished_units_have_their_files(project: &Project) {
    if !project.path("tarka-out/report.json").exists() {
        return;
    }
    for unit in project.report()["units"].as_array().expect("units") {
        for test in unit["tests_list"].as_array().expect("tests") {
            let path = test["path"].as_str().expect("path");
            assert!(project.path("tarka-out").join(path).exists(), "{path} is reported and not there");
        }
    }
    assert!(project.path("tarka-out/index.html").exists());
}

fn ends_as_if_nobody_had_disturbed_it(signal: Signal, kills: u32) {
    let project = Project::new(FUNCTIONS);
    let began = Instant::now();
    let (code, said) = project.run("2");
    let time = began.elapsed();
    assert!(matches!(code, Some(0 | 1)), "{said}");
    let whole = Whole { time, output: project.output() };
    fs::remove_dir_all(project.path("tarka-out")).expect("removed");
    killed_over_and_over(&project, signal, &whole, kills);
    let was_tested = project.written_down() > 0;
    let (again, said) = project.run("2");
    assert_eq!(again, code, "{said}");
    assert_eq!(said.contains("by an earlier call"), was_tested, "{said}");
    whole.assert_same(&project);
    // Nobody clears away after a kill; the next call does.
    assert_eq!(temporary(&project), Vec::<PathBuf>::new());
}

#[test]
fn a_call_that_is_ended_at_twenty_moments_comes_to_the_same_end() {
    ends_as_if_nobody_had_disturbed_it(Signal::TERM, KILLS);
}

#[test]
fn a_call_that_is_killed_at_a_few_moments_comes_to_the_same_end() {
    ends_as_if_nobody_had_disturbed_it(Signal::KILL, FEW_KILLS);
}

#[test]
#[ignore = "part of make soak: minutes"]
fn a_call_that_is_killed_at_two_hundred_moments_comes_to_the_same_end() {
    for _ in 0..10 {
        ends_as_if_nobody_had_disturbed_it(Signal::KILL, KILLS);
    }
}

/// Kills calls on a folder that holds the results of another source, and looks at what stands there each time.
fn the_old_folder_or_the_new_one(kills: u32) {
    let project = Project::new(FUNCTIONS / 3);
    let whole = || {
        let (code, said) = project.run("2");
        assert!(matches!(code, Some(0 | 1)), "{said}");
        project.output()
    };
    whole();
    fs::write(project.path("tarka-out/rate_1/notes.txt"), "mine").expect("written");
    let old = project.output();
    let kept = project.path("kept");
    let copy = |from: &Path, to: &Path| {
        let _ = fs::remove_dir_all(to);
        let copied = judges::output(Command::new("cp").arg("-a").args([from, to]));
        assert!(copied.status.success());
    };
    let out = project.path("tarka-out");
    copy(&out, &kept);
    let source = fs::read_to_string(project.path("unit.c")).expect("source");
    fs::write(project.path("unit.c"), source.replace("return 2;", "return 3;")).expect("written");
    let began = Instant::now();
    let new = whole();
    let time = began.elapsed();
    assert!(old != new && new.keys().any(|path| path.ends_with("notes.txt")));
    copy(&kept, &out);
    let mut random = Random(3);
    let (mut were_old, mut were_new) = (0, 0);
    for _ in 0..kills {
        let mut child = project.start();
        std::thread::sleep(Duration::from_millis(random.below(time.as_millis() as u64)));
        let _ = kill_process(Pid::from_child(&child), Signal::KILL);
        child.wait().expect("it ends");
        assert_eq!(still_at_work(&project), Vec::<String>::new());
        let now = project.output();
        if now == new {
            were_new += 1;
            copy(&kept, &out);
        } else {
            assert_eq!(now, old);
            were_old += 1;
        }
    }
    assert!(were_old > 0, "{were_old} were killed in time, {were_new} were not");
    assert_eq!(whole(), new);
    let beside = fs::read_dir(project.folder.path()).expect("folder").flatten();
    let hidden = beside.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.map(|entry| entry.path()).collect::<Vec<_>>(), temporary(&project));
}

#[test]
fn a_killed_call_leaves_the_old_folder_or_the_new_one() {
    the_old_folder_or_the_new_one(FEW_KILLS);
}

#[test]
#[ignore = "part of make soak: minutes"]
fn calls_that_are_killed_two_hundred_times_leave_the_old_folder_or_the_new_one() {
    the_old_folder_or_the_new_one(200);
}

#[test]
fn what_somebody_writes_into_the_folder_meanwhile_stays() {
    let project = Project::new(FUNCTIONS / 3);
    project.run("2");
    fs::write(project.path("tarka-out/notes.txt"), "old").expect("written");
    let source = fs::read_to_string(project.path("unit.c")).expect("source");
    fs::write(project.path("unit.c"), source.replace("return 2;", "return 3;")).expect("written");
    let mut child = project.start();
    while !project.path(".tarka-out.tarka-new/notes.txt").exists() {
        assert!(child.try_wait().expect("a process").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(2));
    }
    fs::write(project.path("tarka-out/other.txt"), "new").expect("written");
    fs::write(project.path("tarka-out/aside"), "newer").expect("written");
    fs::rename(project.path("tarka-out/aside"), project.path("tarka-out/notes.txt")).expect("renamed");
    assert!(matches!(child.wait().expect("it ends").code(), Some(0 | 1)));
    let text = |name: &str| fs::read_to_string(project.path(name)).expect("text");
    assert_eq!((text("tarka-out/other.txt"), text("tarka-out/notes.txt")), ("new".into(), "newer".into()));
}

#[test]
fn a_call_that_is_killed_leaves_nothing_running_whichever_of_its_processes_it_was() {
    for without_namespace in [false, true] {
        let project = Project::new(FUNCTIONS);
        for kills_the_work in [false, true] {
            let mut command = project.command("2");
            command.stdout(Stdio::null()).stderr(Stdio::null());
            if without_namespace {
                command.env("TARKA_WITHOUT_NAMESPACE", "1");
            }
            let mut child = command.spawn().expect("tarka starts");
            while project.written_down() == 0 {
                assert!(child.try_wait().expect("a process").is_none(), "it ended");
                std::thread::sleep(Duration::from_millis(5));
            }
            let watch = child.id() as i32;
            // In a namespace there is its first process between them.
            let below = if !without_namespace && has_namespace() { 2 } else { 1 };
            let work = if kills_the_work { work_of(watch, below) } else { watch };
            kill_process(Pid::from_raw(work).expect("a process"), Signal::KILL).expect("killed");
            let status = child.wait().expect("it ends");
            assert_eq!(status.signal(), Some(Signal::KILL.as_raw()), "{status:?}");
            assert_eq!(still_at_work(&project), Vec::<String>::new());
            // The watch clears away after the work.
            assert!(!kills_the_work || temporary(&project).is_empty(), "{:?}", temporary(&project));
            fs::remove_dir_all(project.path("tarka-out")).expect("removed");
        }
    }
}

/// The process that works, so many below the one that watches.
fn work_of(process: i32, below: u32) -> i32 {
    let parent_of = |pid: i32| -> Option<i32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let numbers = fs::read_dir("/proc").expect("/proc").flatten();
    let mut numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    match below {
        0 => process,
        _ => work_of(numbers.find(|pid| parent_of(*pid) == Some(process)).expect("a child"), below - 1),
    }
}

/// Whether calls can work in a PID namespace here.
fn has_namespace() -> bool {
    judges::text(&judges::output(judges::tarka().arg("doctor"))).contains("in a PID namespace")
}

#[test]
fn as_many_workers_as_you_like_write_the_same_folder() {
    let project = Project::new(8);
    let run = |jobs: &str| {
        let (code, said) = project.run(jobs);
        assert!(matches!(code, Some(0 | 1)), "{said}");
        let output = project.output();
        fs::remove_dir_all(project.path("tarka-out")).expect("removed");
        output
    };
    assert_eq!(run("1"), run("4"));
}

#[test]
fn an_unchanged_second_call_does_nothing_again_and_an_edited_test_is_written_anew() {
    let project = Project::new(3);
    let (code, said) = project.run("2");
    assert!(matches!(code, Some(0 | 1)), "{said}");
    let first = project.output();
    let test = project.path("tarka-out/rate_1/test_rate_1.c");
    let written = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).expect("time");
    let time = written(&test);
    let (again, said) = project.run("2");
    assert!(said.contains("nothing has changed: all functions were finished by an earlier call"), "{said}");
    assert_eq!((again, written(&test)), (code, time));
    assert_eq!(project.output(), first);
    fs::write(&test, "/* mine */\n").expect("written");
    let (_, said) = project.run("2");
    assert!(said.contains("3 of 4 functions were tested by an earlier call"), "{said}");
    assert_eq!(project.output(), first);
    // A change of the source is another key.
    let source = fs::read_to_string(project.path("unit.c")).expect("source");
    fs::write(project.path("unit.c"), source + "int more(int n) { return n > 5; }\n").expect("written");
    let (_, said) = project.run("2");
    assert!(!said.contains("earlier call"), "{said}");
}

#[test]
fn a_panic_in_one_function_is_that_functions_error() {
    let project = Project::new(3);
    let output = judges::output(project.command("2").env("TARKA_PANIC_IN", "rate_1"));
    let said = judges::text(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("a bug in Tarka ended the work on this function"), "{said}");
    let report = project.report();
    let status = |name: &str| {
        let mut units = report["units"].as_array().expect("units").iter();
        let unit = units.find(|unit| unit["function"] == name).expect("unit");
        unit["status"].as_str().expect("status").to_string()
    };
    assert_eq!(status("rate_1"), "error");
    for other in ["rate_0", "rate_2"] {
        assert!(matches!(status(other).as_str(), "complete" | "budget"), "{other}: {}", status(other));
        assert!(project.path(&format!("tarka-out/{other}/test_{other}.c")).exists());
    }
}

#[test]
fn only_what_was_begun_can_be_gone_on_with() {
    let project = Project::new(1);
    let resumed = || {
        let output = judges::output(project.command("1").arg("--resume"));
        (output.status.code(), judges::text(&output))
    };
    let (code, said) = resumed();
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("there is nothing to go on with in tarka-out"), "{said}");
    project.run("1");
    let (code, said) = resumed();
    assert!(matches!(code, Some(0 | 1)) && said.contains("nothing has changed"), "{said}");
}

#[test]
fn two_calls_do_not_work_in_one_folder() {
    let project = Project::new(1);
    fs::create_dir(project.path("tarka-out")).expect("folder");
    let journal = fs::File::create(project.path("tarka-out/.tarka-journal")).expect("file");
    rustix::fs::flock(&journal, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    let (code, said) = project.run("1");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("another tarka is at work in tarka-out"), "{said}");
    drop(journal);
    let (code, said) = project.run("1");
    assert!(matches!(code, Some(0 | 1)), "{said}");
}
