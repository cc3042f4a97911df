//! Units that attack the machine: the functions of `examples/hostile`, in the search, in the replays of `gen` and in `tarka replay`.
//! Nothing that they reach for may have changed, heard or said anything, nothing may go on, and each attempt is told.

mod grounds;
mod told;

use std::fs;
use std::path::Path;
use std::process::Command;

use grounds::{Grounds, User};
use serde_json::Value;

use crate::judges::{example, output, root, text};

const FOLDER: &str = "examples/hostile";

/// Where tools look for ways to confine that the machine does not have: by what they have to do without.
#[derive(Clone, Copy, Debug)]
enum Means {
    /// All that the machine has.
    Newest,
    /// No Landlock.
    NoLandlock,
    /// Landlock as it was in Linux 5.19: no rules for truncation, TCP, devices, signals.
    OldLandlock,
    /// No namespaces, and that old Landlock.
    Bare,
}

impl Means {
    fn switch(self) -> Option<&'static str> {
        match self {
            Means::Newest => None,
            Means::NoLandlock => Some("abi0"),
            Means::OldLandlock => Some("abi2"),
            Means::Bare => Some("bare"),
        }
    }
}

/// All files of the folder as one program.
fn generated(grounds: &Grounds, means: Means) -> Command {
    let mut command = grounds.tarka(means.switch());
    command.args(["gen", "--seed", "1", "-n", "60", "-t", "5"]);
    command.args(example::c_files(FOLDER)).arg("--").args(grounds.flags());
    command
}

/// What is wrong after a command has run.
fn after(grounds: &Grounds, what: &str, means: Means, mut command: Command, allowed: &[i32]) -> Vec<String> {
    let watch = grounds.watch_disk();
    let result = output(&mut command);
    let said = text(&result);
    let mut wrong = grounds.harm();
    wrong.extend(watch.too_much());
    wrong.extend(grounds.secrets_in("what was printed", said.as_bytes()));
    if !result.status.code().is_some_and(|code| allowed.contains(&code)) {
        wrong.push(format!("ended with {}:\n{said}", result.status));
    }
    wrong.into_iter().map(|line| format!("{what} ({means:?}): {line}")).collect()
}

/// The whole: an attack by every unit in every way, then what is told of it.
fn attacked(user: User, means: Means) {
    let grounds = Grounds::new(user, &root().join(FOLDER));
    let mut wrong = after(&grounds, "gen", means, generated(&grounds, means), &[0, 1]);
    let report = fs::read_to_string(grounds.out().join("report.json")).unwrap_or_default();
    match serde_json::from_str::<Value>(&report) {
        Ok(report) => {
            let source = |file: &str| fs::read_to_string(root().join(FOLDER).join(file)).expect("a source");
            let canary = grounds.canary().display().to_string();
            let differences = told::differences(&table(), &report, &canary, &source);
            wrong.extend(differences.into_iter().filter(|line| !is_hidden(means, line)));
        }
        Err(error) => wrong.push(format!("report.json: {error}")),
    }
    let page = fs::read_to_string(grounds.out().join("index.html")).unwrap_or_default();
    if page.is_empty() || page.contains("<script>alert") {
        wrong.push("the page is missing, or has a script of a unit's own".to_string());
    }
    wrong.extend(grounds.secrets_below(&grounds.out()));
    let mut replay = grounds.tarka(means.switch());
    replay.args(["replay", "tarka-out"]);
    wrong.extend(after(&grounds, "replay", means, replay, &[0, 1]));
    assert!(wrong.is_empty(), "{} things are wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Where a mount namespace takes the place of Landlock, a file outside is not there: to open it is then no refusal.
fn is_hidden(means: Means, line: &str) -> bool {
    let opens = line.contains("open") || line.contains("handle");
    matches!(means, Means::NoLandlock) && line.contains("nobody is told of") && opens
}

fn table() -> Vec<told::Row> {
    told::rows(&fs::read_to_string(root().join(FOLDER).join("expected.tsv")).expect("a table"))
}

#[test]
fn nothing_gets_out_and_everything_is_told() {
    attacked(User::Own, Means::Newest);
}

macro_rules! soak {
    ($($name:ident: $user:expr, $means:expr;)*) => {
        $(#[test]
        #[ignore = "make soak: a minute each"]
        fn $name() {
            if $user != User::Nobody || rustix::process::geteuid().is_root() {
                attacked($user, $means);
            }
        })*
    };
}

soak! {
    nothing_gets_out_without_landlock: User::Own, Means::NoLandlock;
    nothing_gets_out_with_an_old_landlock: User::Own, Means::OldLandlock;
    nothing_gets_out_without_namespaces: User::Own, Means::Bare;
    nothing_gets_out_for_nobody: User::Nobody, Means::Newest;
    nothing_gets_out_for_nobody_without_landlock: User::Nobody, Means::NoLandlock;
    nothing_gets_out_for_nobody_with_an_old_landlock: User::Nobody, Means::OldLandlock;
    nothing_gets_out_for_nobody_without_namespaces: User::Nobody, Means::Bare;
}

/// The functions of a file that begin a line, but for those that are only there to help.
fn functions(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a source file");
    let heads = text.lines().filter(|line| line.starts_with("int ") || line.starts_with("static void "));
    let name = |head: &str| head.split('(').next()?.split([' ', '*']).next_back().map(str::to_string);
    heads.filter(|head| head.ends_with(')')).filter_map(name).collect()
}

#[test]
fn every_function_has_a_row_and_every_file_a_harmless_one() {
    let rows = table();
    for file in example::c_files(FOLDER) {
        let listed: Vec<&str> =
            rows.iter().filter(|row| row.file == file).map(|row| row.function.as_str()).collect();
        assert_eq!(listed, functions(&root().join(FOLDER).join(&file)), "{file}");
        let harmless = rows.iter().filter(|row| row.file == file && row.is_harmless());
        assert_eq!(harmless.count(), 1, "{file} has one harmless function");
    }
    assert!(rows.len() >= 100, "{} rows", rows.len());
    assert!(rows.iter().filter(|row| row.is_told()).count() >= 28);
}

#[test]
fn the_units_compile_without_a_warning() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let flags = grounds::flags(Path::new("/nowhere"), 999_999, (1, 1), "none");
    for compiler in ["gcc", "clang-19"] {
        for file in example::c_files(FOLDER) {
            let mut command = Command::new(compiler);
            command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-c"]).args(&flags);
            command.arg(root().join(FOLDER).join(&file)).arg("-o").arg(scratch.path().join("object"));
            let result = output(&mut command);
            assert!(result.status.success(), "{compiler} {file}: {}", text(&result));
        }
    }
}

#[test]
fn the_units_do_not_compile_without_something_to_attack() {
    let result = output(
        Command::new("clang-19")
            .arg("-fsyntax-only")
            .arg("-D_GNU_SOURCE")
            .arg(root().join(FOLDER).join("files.c")),
    );
    assert!(!result.status.success() && text(&result).contains("what may be attacked"), "{}", text(&result));
}
