//! `tarka replay`: the emitted files of a folder, again, on the plain program, or one of them in gdb.
//!
//! Takes an output folder and maybe a name; gives a line for each test and fault. Never: writes a test.

use std::path::{Component, Path, PathBuf};

use tarka_confine::{Allow, Means};
use tarka_events::FaultKind;
use tarka_report::{Linked, Report, Unit};
use tarka_suite::{LinkedFile, ReplayFile, replay_file};

use crate::commands::gdb;
use crate::failure::{Failure, Finished, did_you_mean};
use crate::output::say;
use crate::request::args::ReplayArgs;
use crate::request::confine::{allowed, notes};

/// Runs the command: one line for each test and fault on standard output.
pub fn replay(args: &ReplayArgs) -> Result<Finished, Failure> {
    let report = read_report(&args.folder, args.trust)?;
    let clang = tarka_source::find_clang()?;
    let allow = allowed(&args.confine)?;
    notes(&allow, Means::found(), false).iter().for_each(|note| eprintln!("tarka: {note}"));
    let only = args.test.as_deref();
    // gdb also has a place to stop at in a fault file that shows nothing.
    let known: Vec<String> = report.units.iter().flat_map(|unit| names(unit, args.gdb)).collect();
    if let Some(name) = only.filter(|name| !known.iter().any(|known| known == name)) {
        let hint = did_you_mean(name, known.iter().map(String::as_str));
        return Err(Failure::NoSuchTest { name: name.to_string(), folder: args.folder.clone(), hint });
    }
    let flags_folder = args.folder.join(&report.directory);
    if args.gdb {
        let Some(name) = only else { return Err(Failure::Usage(which_one(&args.folder, &known))) };
        return gdb::open(&report, name, &args.folder, &flags_folder, &clang);
    }
    let mut all_good = true;
    for unit in &report.units {
        for file in files(unit, &args.folder, &flags_folder) {
            let chosen = only
                .is_none_or(|only| file.tests.iter().any(|test| test == only) || stem(&file.path) == only);
            if chosen {
                all_good &= replay_one(&file, &clang, only, &allow);
            }
        }
    }
    Ok(if all_good { Finished::Clean } else { Finished::Faults })
}

/// Asks for a name, and says some.
fn which_one(folder: &Path, known: &[String]) -> String {
    let folder = folder.display();
    let faults = known.iter().filter(|name| name.starts_with("fault_"));
    match faults.chain(known).next() {
        Some(first) => {
            format!("--gdb opens one test or fault: name it, as in `tarka replay {folder} {first} --gdb`")
        }
        None => format!("there is nothing to open in gdb: {folder} holds no tests and no faults"),
    }
}

fn replay_one(file: &ReplayFile, clang: &Path, only: Option<&str>, allow: &Allow) -> bool {
    match replay_file(file, clang, only.filter(|_| !file.tests.is_empty()), allow) {
        Ok(replayed) => replayed.iter().fold(true, |all_good, test| {
            say!("{} {}", if test.good { "ok    " } else { "FAILED" }, test.name);
            test.detail.lines().for_each(|line| say!("       {line}"));
            all_good && test.good
        }),
        Err(error) => {
            say!("FAILED {}", stem(&file.path));
            eprintln!("tarka: {error}");
            false
        }
    }
}

/// The report of a folder. One that was made elsewhere is data: unless it is trusted, nothing is done that it asks for.
fn read_report(folder: &Path, trust: bool) -> Result<Report, Failure> {
    let unusable = |reason: String| Failure::NoReport { folder: folder.to_path_buf(), reason };
    let text =
        std::fs::read_to_string(folder.join("report.json")).map_err(|error| unusable(error.to_string()))?;
    let report: Report = serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
    if let Some(path) = report.units.iter().flat_map(paths).find(|path| !stays_inside(Path::new(path))) {
        return Err(unusable(format!("it names a test outside the folder: {path:?}")));
    }
    if !trust && !tarka_jobs::is_own_report(folder, &text) {
        return Err(Failure::Foreign { folder: folder.to_path_buf(), flags: flags_of(&report) });
    }
    Ok(report)
}

/// The emitted files that a unit names.
fn paths(unit: &Unit) -> impl Iterator<Item = &str> {
    let tests = unit.tests_list.iter().map(|test| test.path.as_str());
    tests.chain(unit.faults.iter().filter_map(|fault| fault.test.as_deref()))
}

fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// The flags that the units are compiled with, and where, in words.
fn flags_of(report: &Report) -> String {
    let mut all: Vec<String> = Vec::new();
    for unit in &report.units {
        for flags in std::iter::once(&unit.flags).chain(unit.linked.iter().map(|linked| &linked.flags)) {
            let shown = format!("{flags:?}");
            if !flags.is_empty() && !all.contains(&shown) {
                all.push(shown);
            }
        }
    }
    let flags = if all.is_empty() { "none".to_string() } else { all.join(", ") };
    format!("{flags}, in the folder {:?}", report.directory)
}

/// The test file of a unit, then its fault files. Faults that never showed on the plain program are left out.
fn files(unit: &Unit, folder: &Path, flags_folder: &Path) -> Vec<ReplayFile> {
    let file = |path: &str| emitted_file(unit, path, folder, flags_folder);
    let names = unit.tests_list.iter().map(|test| test.name.clone()).collect();
    let tests = unit.tests_list.first().map(|test| ReplayFile { tests: names, ..file(&test.path) });
    let faults = unit.faults.iter().filter(|fault| fault.confirmed);
    let faults = faults.filter_map(|fault| {
        let kind = FaultKind::from_name(&fault.kind);
        Some(ReplayFile { kind, sanitizer: fault.sanitizer, ..file(fault.test.as_ref()?) })
    });
    tests.into_iter().chain(faults).collect()
}

/// A file of a unit, without tests.
pub fn emitted_file(unit: &Unit, path: &str, folder: &Path, flags_folder: &Path) -> ReplayFile {
    ReplayFile {
        path: absolute(&folder.join(path)),
        flags: unit.flags.clone(),
        linked: unit.linked.iter().map(linked_file).collect(),
        flags_folder: flags_folder.to_path_buf(),
        tests: Vec::new(),
        kind: None,
        sanitizer: false,
    }
}

fn linked_file(linked: &Linked) -> LinkedFile {
    LinkedFile { file: linked.file.clone().into(), flags: linked.flags.clone(), has_main: linked.has_main }
}

fn names(unit: &Unit, with_unconfirmed: bool) -> Vec<String> {
    let tests = unit.tests_list.iter().map(|test| test.name.clone());
    let faults = unit.faults.iter().filter(|fault| with_unconfirmed || fault.confirmed);
    let faults = faults.filter_map(|fault| fault.test.as_ref());
    tests.chain(faults.map(|path| stem(Path::new(path)))).collect()
}

/// A file's name without folder and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
