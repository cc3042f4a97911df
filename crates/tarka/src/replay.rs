//! `tarka replay`: the emitted files of a folder, again, on the plain program.

use std::path::{Path, PathBuf};

use tarka_report::{Report, Unit};
use tarka_suite::{ReplayFile, replay_file};

use crate::args::ReplayArgs;
use crate::failure::{Failure, Finished, nearest};

/// Runs the command: one line for each test and fault on standard output.
pub fn replay(args: &ReplayArgs) -> Result<Finished, Failure> {
    let report = read_report(&args.folder)?;
    let clang = tarka_source::find_clang()?;
    let only = args.test.as_deref();
    if let Some(name) = only {
        let known: Vec<String> = report.units.iter().flat_map(names).collect();
        if !known.iter().any(|known| known == name) {
            let nearest = nearest(name, known.iter().map(String::as_str));
            return Err(Failure::NoSuchTest { name: name.to_string(), folder: args.folder.clone(), nearest });
        }
    }
    let flags_folder = args.folder.join(&report.directory);
    let mut all_good = true;
    for unit in &report.units {
        for file in files(unit, &args.folder, &flags_folder) {
            let chosen = only
                .is_none_or(|only| file.tests.iter().any(|test| test == only) || stem(&file.path) == only);
            if chosen {
                all_good &= replay_one(&file, &clang, only);
            }
        }
    }
    Ok(if all_good { Finished::Clean } else { Finished::Faults })
}

fn replay_one(file: &ReplayFile, clang: &Path, only: Option<&str>) -> bool {
    match replay_file(file, clang, only.filter(|_| !file.tests.is_empty())) {
        Ok(replayed) => replayed.iter().fold(true, |all_good, test| {
            println!("{} {}", if test.good { "ok    " } else { "FAILED" }, test.name);
            test.detail.lines().for_each(|line| println!("       {line}"));
            all_good && test.good
        }),
        Err(error) => {
            println!("FAILED {}", stem(&file.path));
            eprintln!("tarka: {error}");
            false
        }
    }
}

fn read_report(folder: &Path) -> Result<Report, Failure> {
    let unusable = |reason: String| Failure::NoReport { folder: folder.to_path_buf(), reason };
    let text =
        std::fs::read_to_string(folder.join("report.json")).map_err(|error| unusable(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))
}

/// The test file of a unit, then its fault files. Faults that never showed on the plain program are left out.
fn files(unit: &Unit, folder: &Path, flags_folder: &Path) -> Vec<ReplayFile> {
    let file = |path: &str, tests: Vec<String>, sanitizer: bool| ReplayFile {
        path: absolute(&folder.join(path)),
        flags: unit.flags.clone(),
        flags_folder: flags_folder.to_path_buf(),
        tests,
        sanitizer,
    };
    let names = unit.tests_list.iter().map(|test| test.name.clone()).collect();
    let tests = unit.tests_list.first().map(|test| file(&test.path, names, false));
    let faults = unit.faults.iter().filter(|fault| fault.confirmed);
    let faults = faults.filter_map(|fault| Some(file(fault.test.as_ref()?, Vec::new(), fault.sanitizer)));
    tests.into_iter().chain(faults).collect()
}

fn names(unit: &Unit) -> Vec<String> {
    let tests = unit.tests_list.iter().map(|test| test.name.clone());
    let faults = unit.faults.iter().filter(|fault| fault.confirmed).filter_map(|fault| fault.test.as_ref());
    tests.chain(faults.map(|path| stem(Path::new(path)))).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
