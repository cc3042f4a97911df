//! The house rules that a machine can check: who may use whom, a header in every file, no file that grows without end,
//! and one test program a crate. ARCHITECTURE.md explains the table.

use std::fs;
use std::path::{Path, PathBuf};

/// Each crate and the crates of ours it may name in `[dependencies]`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("trace", &[]),
    ("scenario", &[]),
    ("library", &[]),
    ("runtime", &["trace"]),
    ("source", &["library", "scenario"]),
    ("events", &["scenario", "source", "trace"]),
    ("settings", &[]),
    ("instrument", &["scenario", "source", "trace", "runtime", "library"]),
    ("runner", &["trace"]),
    ("terms", &[]),
    ("solver", &["terms"]),
    ("search", &["trace", "source", "terms"]),
    (
        "campaign",
        &[
            "trace",
            "scenario",
            "source",
            "events",
            "settings",
            "instrument",
            "runner",
            "terms",
            "solver",
            "search",
            "library",
        ],
    ),
    ("suite", &["scenario", "source", "events", "library"]),
    ("report", &["source", "events", "settings", "suite"]),
    ("jobs", &["source", "events", "campaign", "suite"]),
    ("tarka", &["source", "events", "settings", "campaign", "jobs", "suite", "report"]),
];

/// A file longer than this is asked to become two. Flat tables may be longer: name them here with the reason.
const LONGEST_FILE: usize = 700;

fn crates_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/").to_path_buf()
}

fn files_below(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("readable folder").map(|e| e.expect("entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

#[test]
fn data_flows_one_way() {
    for entry in fs::read_dir(crates_folder()).expect("crates/") {
        let name = entry.expect("entry").file_name().into_string().expect("a name in ASCII");
        let manifest = fs::read_to_string(crates_folder().join(&name).join("Cargo.toml")).expect("manifest");
        let (_, allowed) = MAY_USE.iter().find(|(crate_name, _)| *crate_name == name).unwrap_or_else(|| {
            panic!("crate {name} is not in the table of ARCHITECTURE.md and of this test")
        });
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or("");
        let dependencies = dependencies.split("\n[").next().unwrap_or("");
        for line in dependencies.lines() {
            let Some(used) = line.strip_prefix("tarka-") else { continue };
            let used = used.split(['.', ' ', '=']).next().unwrap_or("");
            assert!(allowed.contains(&used), "crate {name} must not use {used}: see ARCHITECTURE.md");
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    let mut files = Vec::new();
    files_below(&crates_folder(), "rs", &mut files);
    assert!(files.len() > 50, "the walk found only {} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("readable file");
        assert!(text.starts_with("//!"), "{} has no //! header", file.display());
    }
    let mut files = Vec::new();
    files_below(&crates_folder().join("runtime/c"), "c", &mut files);
    assert!(!files.is_empty(), "the runtime's C files have moved");
    for file in files {
        let text = fs::read_to_string(&file).expect("readable file");
        assert!(text.starts_with("/*") || text.starts_with("//"), "{} has no header", file.display());
    }
}

#[test]
fn no_file_grows_without_end() {
    let mut files = Vec::new();
    files_below(&crates_folder(), "rs", &mut files);
    files_below(&crates_folder(), "c", &mut files);
    for file in files {
        let lines = fs::read_to_string(&file).expect("readable file").lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines: split it by subject", file.display());
    }
}

#[test]
fn nobody_edits_a_result() {
    // What the search itself puts together is in `campaign`; after that, corrections are events.
    let mut files = Vec::new();
    for name in ["suite", "report", "tarka"] {
        files_below(&crates_folder().join(name).join("src"), "rs", &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("readable file");
        assert!(!text.contains("&mut UnitResult"), "{}: record a correction instead", file.display());
    }
}

/// Every test program is linked with all that it tests, so a crate has one: `tests/all.rs`. A file that it does not name would
/// never be compiled, and its tests never run.
#[test]
fn a_crate_has_one_test_program_and_it_names_every_file() {
    let mut programs = 0;
    for entry in fs::read_dir(crates_folder()).expect("crates/") {
        let folder = entry.expect("entry").path();
        let tests = folder.join("tests");
        if !tests.is_dir() {
            continue;
        }
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("manifest");
        let named: Vec<&str> =
            manifest.split("[[test]]\n").skip(1).filter_map(|rest| rest.lines().next()).collect();
        assert!(
            manifest.contains("\nautotests = false\n") && named == ["name = \"all\""],
            "{}: `autotests = false`, and one [[test]] with the name all",
            folder.display()
        );
        named_below(&tests.join("all.rs"), &tests);
        programs += 1;
    }
    assert!(programs > 10, "the walk found only {programs} test programs");
}

/// Every file beside a root, and every folder with files, is named there with `mod`, and so on below.
fn named_below(root: &Path, folder: &Path) {
    let text = fs::read_to_string(root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    for entry in fs::read_dir(folder).expect("readable folder") {
        let path = entry.expect("entry").path();
        let mut files = Vec::new();
        if path.is_dir() {
            files_below(&path, "rs", &mut files);
        } else if path != root && path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path.clone());
        }
        if files.is_empty() {
            continue;
        }
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in ASCII");
        let is_named = text.lines().any(|line| line.trim_start_matches("pub ") == format!("mod {name};"));
        assert!(is_named, "{} does not name {name}: its tests would never run", root.display());
        if path.is_dir() {
            named_below(&path.join("mod.rs"), &path);
        }
    }
}
