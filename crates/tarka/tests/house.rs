//! The house rules that a machine can check: who may use whom, a header in every file, no file that grows without end,
//! and one test program a crate. ARCHITECTURE.md explains the table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Each crate and the crates of ours it may be built from. A crate only uses what stands above it.
const MAY_USE: &[(&str, &[&str])] = &[
    ("trace", &[]),
    ("cache", &[]),
    ("compilers", &[]),
    ("confine", &[]),
    ("scenario", &[]),
    ("library", &[]),
    ("runtime", &["trace"]),
    ("source", &["compilers", "library", "scenario"]),
    ("events", &["scenario", "source", "trace"]),
    ("settings", &[]),
    ("project", &["compilers"]),
    ("instrument", &["cache", "compilers", "scenario", "source", "trace", "runtime", "library"]),
    ("runner", &["confine", "trace"]),
    ("terms", &[]),
    ("solver", &["terms"]),
    ("search", &["trace", "source", "terms"]),
    (
        "inputs",
        &["trace", "scenario", "library", "source", "settings", "instrument", "runner", "terms", "search"],
    ),
    (
        "faults",
        &[
            "trace",
            "scenario",
            "source",
            "events",
            "instrument",
            "runner",
            "terms",
            "solver",
            "search",
            "inputs",
        ],
    ),
    (
        "verdicts",
        &[
            "trace",
            "scenario",
            "library",
            "source",
            "events",
            "settings",
            "instrument",
            "runner",
            "terms",
            "solver",
            "search",
            "inputs",
        ],
    ),
    (
        "campaign",
        &[
            "confine",
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
            "inputs",
            "faults",
            "verdicts",
        ],
    ),
    ("suite", &["cache", "compilers", "confine", "scenario", "source", "events", "library"]),
    ("report", &["source", "events", "settings", "suite"]),
    ("jobs", &["cache", "confine", "source", "events", "faults", "campaign", "suite"]),
    (
        "tarka",
        &[
            "cache",
            "compilers",
            "confine",
            "source",
            "events",
            "settings",
            "project",
            "campaign",
            "jobs",
            "suite",
            "report",
        ],
    ),
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

/// A crate of ours as cargo sees it.
struct Crate {
    name: String,
    /// The crates of ours it is built from; what only its tests use does not count.
    uses: Vec<String>,
    /// Its test programs.
    test_programs: Vec<String>,
}

/// What cargo itself says of the workspace.
fn crates() -> Vec<Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let asked = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(crates_folder())
        .output()
        .expect("cargo runs");
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
    let metadata: Value = serde_json::from_slice(&asked.stdout).expect("JSON");
    let list = |of: &Value, key: &str| of[key].as_array().expect("a list").clone();
    let name_of = |of: &Value| of["name"].as_str().expect("a name").to_string();
    let short = |name: String| name.strip_prefix("tarka-").map(ToString::to_string);
    let packages = list(&metadata, "packages").into_iter();
    packages
        .map(|package| {
            let name = name_of(&package);
            let used = list(&package, "dependencies").into_iter().filter(|used| used["kind"] != "dev");
            let programs = list(&package, "targets").into_iter();
            let programs = programs.filter(|target| list(target, "kind").iter().any(|kind| kind == "test"));
            Crate {
                name: short(name.clone()).unwrap_or(name),
                uses: used.filter_map(|used| short(name_of(&used))).collect(),
                test_programs: programs.map(|program| name_of(&program)).collect(),
            }
        })
        .collect()
}

#[test]
fn data_flows_one_way() {
    let crates = crates();
    assert_eq!(crates.len(), MAY_USE.len(), "a crate of the table of this test is gone");
    for Crate { name, uses, .. } in crates {
        let (_, allowed) = MAY_USE.iter().find(|(crate_name, _)| *crate_name == name).unwrap_or_else(|| {
            panic!("crate {name} is not in the table of ARCHITECTURE.md and of this test")
        });
        for used in uses {
            assert!(
                allowed.contains(&used.as_str()),
                "crate {name} must not use {used}: see ARCHITECTURE.md"
            );
        }
    }
    for (at, (name, allowed)) in MAY_USE.iter().enumerate() {
        let is_above = |used: &&str| MAY_USE[..at].iter().any(|(above, _)| above == used);
        assert!(allowed.iter().all(is_above), "{name} may use what stands below it");
    }
}

/// The table that people read says the same as the one above.
#[test]
fn the_table_of_the_architecture_is_true() {
    let path = crates_folder().parent().expect("the workspace").join("ARCHITECTURE.md");
    let text = fs::read_to_string(path).expect("ARCHITECTURE.md");
    let names =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(ToString::to_string).collect() };
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('|').collect()).collect();
    let told: Vec<(String, Vec<String>)> =
        rows.iter().map(|cells| (names(cells[1]).concat(), names(cells[3]))).collect();
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
        names.sort();
        names
    };
    for (name, mut told) in told.iter().cloned() {
        let known = MAY_USE.iter().find(|(known, _)| *known == name);
        let (_, allowed) = known.unwrap_or_else(|| panic!("there is no crate {name}"));
        told.sort();
        assert_eq!(told, sorted(allowed), "what {name} may use");
    }
    assert_eq!(told.len(), MAY_USE.len(), "a crate is missing in the table");
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
    for Crate { name, test_programs, .. } in crates() {
        let tests = crates_folder().join(&name).join("tests");
        if !tests.is_dir() {
            continue;
        }
        assert_eq!(test_programs, ["all"], "{name}: `autotests = false`, and one [[test]] with the name all");
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
