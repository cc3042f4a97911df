//! Real C code of others, before `llvm-cov`.
//!
//! For files that `scripts/subjects` downloads: what `report.json` says of statements, branch sides and MC/DC is what
//! `llvm-cov` counts when it runs the emitted tests. Ignored by default, because it takes a while and needs
//! what was downloaded: `make soak`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::judges;
use crate::judges::agreement::{self, Comparison};
use rayon::prelude::*;
use serde_json::Value;

/// A file of `scripts/subjects.tsv`.
struct Subject {
    file: PathBuf,
    units: Vec<String>,
    flags: Vec<String>,
}

fn subject(name: &str) -> Subject {
    let listed = judges::output(&mut Command::new(judges::root().join("scripts/subjects")));
    assert!(listed.status.success(), "scripts/subjects: {}", judges::text(&listed));
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut lines = listed.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let line = lines.find(|cells| cells[0].ends_with(&format!("/{name}"))).expect("a line of subjects.tsv");
    Subject {
        file: PathBuf::from(line[0]),
        units: line[1].split(',').map(str::to_owned).collect(),
        flags: line[2].split_whitespace().map(str::to_owned).collect(),
    }
}

/// Asks `llvm-cov` about the tests in a folder of results.
fn asked(file: &Path, flags: &[String], out: &Path, scratch: &Path) -> Comparison {
    let report = fs::read_to_string(out.join("report.json")).unwrap_or_else(|error| panic!("{error}"));
    let report: Value = serde_json::from_str(&report).expect("valid JSON");
    let judged = agreement::judge_file(&report, file, flags, out, scratch);
    let Comparison { exact, ended, untested, .. } = &judged;
    let file = file.display();
    println!("{file}: {exact} units equal, {ended} with runs that ended inside, {untested} without tests");
    judged
}

/// Tests a file with a small budget for each function, and asks `llvm-cov`.
fn judged(file: &Path, flags: &[String], options: &[&str]) -> Comparison {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = scratch.path().join("out");
    let mut command = judges::tarka();
    command.args(["gen", "--seed", "1", "-n", "200", "-t", "3", "-o"]).arg(&out).args(options);
    let result = judges::output(command.arg(file).arg("--").args(flags));
    // A unit whose tests do not compile is an error of the run, and nothing may be claimed of it.
    assert!(out.join("report.json").exists(), "{}:\n{}", file.display(), judges::text(&result));
    asked(file, flags, &out, scratch.path())
}

fn check(name: &str, only_listed: bool) {
    let subject = subject(name);
    let mut options = vec!["-c", "mcdc"];
    if only_listed {
        options.extend(subject.units.iter().flat_map(|unit| ["-f", unit]));
    }
    let judged = judged(&subject.file, &subject.flags, &options);
    let compared = judged.exact + judged.ended + judged.untested;
    assert!(compared >= subject.units.len(), "{name}: {compared} units have tests");
    assert!(judged.wrong.is_empty(), "{name}:\n{}", judged.wrong.join("\n"));
}

/// Every file that `make subjects` measured. `TARKA_MEASURED` names the folder, one of `target/measured`.
#[test]
#[ignore = "takes half an hour: TARKA_MEASURED=FOLDER cargo test --release -p tarka --test all every_file_that_was_measured -- --ignored --nocapture"]
fn every_file_that_was_measured() {
    let folder = judges::root().join(std::env::var("TARKA_MEASURED").expect("TARKA_MEASURED names a folder"));
    let list = judges::output(Command::new(judges::root().join("scripts/subjects")).arg("open-list.tsv"));
    assert!(list.status.success(), "scripts/subjects: {}", judges::text(&list));
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let mut wrong: Vec<String> = list.par_lines().flat_map(|line| measured(&folder, line)).collect();
    wrong.retain(|difference| {
        !CLANG_SEES_LESS.iter().any(|unit| difference.starts_with(&format!("{unit}: mcdc: ")))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Functions of libyaml's scanner with `STRING_EXTEND` inside `!READ(…)`: clang records nothing of a decision that decides a `?:`
/// under a `!` (docs/coverage.md). Their branches and statements are equal.
const CLANG_SEES_LESS: [&str; 8] = [
    "yaml_parser_scan_directive_name",
    "yaml_parser_scan_anchor",
    "yaml_parser_scan_tag_handle",
    "yaml_parser_scan_tag_uri",
    "yaml_parser_scan_block_scalar",
    "yaml_parser_scan_block_scalar_breaks",
    "yaml_parser_scan_flow_scalar",
    "yaml_parser_scan_plain_scalar",
];

/// What `llvm-cov` sees differently of one file, named by a line of the list.
fn measured(folder: &Path, line: &str) -> Vec<String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let name = cells[0].rsplit_once("/subjects/").expect("a file of the subjects").1;
    let flags: Vec<String> = cells[2].split_whitespace().map(str::to_owned).collect();
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = folder.join(name).join("out");
    let judged = std::panic::catch_unwind(|| asked(Path::new(cells[0]), &flags, &out, scratch.path()).wrong);
    judged.unwrap_or_else(|_| vec![format!("{name}: could not be judged, see above")])
}

macro_rules! subjects {
    ($($test:ident: $file:literal, $only_listed:literal;)*) => {
        $(#[test]
        #[ignore = "takes a while and needs scripts/subjects: make soak"]
        fn $test() {
            check($file, $only_listed);
        })*
    };
}

subjects! {
    cjson: "cJSON.c", true;
    jsmn: "jsmn_unit.c", true;
    libcsv: "libcsv.c", false;
    lzf: "lzf_d.c", false;
    adler32: "adler32.c", false;
    inftrees: "inftrees.c", false;
    huffman: "huffman.c", false;
    http_parser: "http_parser.c", true;
    picohttpparser: "picohttpparser.c", false;
    cwalk: "cwalk.c", true;
    lobject: "lobject.c", true;
}
