//! Runs in a process that is kept: the same suites and reports, byte by byte, as by a fork for each run, and each single run the
//! same.

use std::fs;
use std::path::{Path, PathBuf};

use crate::examples::{Listing, assert_same, listing};
use crate::judges;
use crate::judges::example;

/// Where units are; those that attack the machine are of `hostile`.
const FOLDERS: [&str; 5] = ["", "faults", "inputs", "shapes", "verdicts"];

/// What is written for a C file, always to the same folder, because the command line is part of the report.
fn written(file: &Path, scratch: &Path, way: &str) -> Listing {
    let (out, mut command) = (scratch.join("same"), judges::tarka());
    command.env("TARKA_RUNS_AS", way);
    // Two functions side by side may be listed in either order.
    let options = [&example::FULL[..], &["-j", "1"]].concat();
    example::generate_by(command, file, &out, &options);
    let mut written = listing(&out, &out);
    fs::remove_dir_all(&out).expect("removed");
    // The mark is one of the report, and messages of the sanitizers name addresses that the system gives at random.
    written.remove(Path::new(".tarka-mark"));
    written
        .values_mut()
        .for_each(|content| *content = without_addresses(&String::from_utf8_lossy(content)).into());
    written
}

/// Each hexadecimal number of more than 32 bits becomes the same.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
        kept += if digits > 8 { "0x…" } else { "0x" };
        kept += if digits > 8 { &part[digits..] } else { part };
    }
    kept
}

/// `both` makes each run both ways; a run that differs ends the search of its function with an error.
fn assert_same_both_ways(file: &Path) {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let forked = written(file, scratch.path(), "forked");
    assert!(forked.len() >= 2, "{}: {:?}", file.display(), forked.keys());
    for way in ["kept", "both"] {
        assert_same(&forked, &written(file, scratch.path(), way));
    }
}

fn example(name: &str) -> PathBuf {
    judges::root().join("examples").join(name)
}

#[test]
fn suites_are_the_same_whether_processes_are_kept_or_not() {
    for name in ["delete_from_table.c", "loop_count.c"] {
        assert_same_both_ways(&example(name));
    }
}

#[test]
#[ignore = "takes many minutes: make soak"]
fn suites_of_all_examples_are_the_same_whether_processes_are_kept_or_not() {
    let folders = FOLDERS.iter().map(|folder| example(folder));
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| fs::read_dir(folder).expect("folder"))
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() > 50, "{}", files.len());
    for file in files {
        println!("{}", file.display());
        assert_same_both_ways(&file);
    }
}
