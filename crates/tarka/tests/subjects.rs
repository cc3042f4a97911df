//! Real C code of others, before `llvm-cov`.
//!
//! For files that `scripts/subjects` downloads: what `report.json` says of statements, branch sides and MC/DC is what
//! `llvm-cov` counts when it runs the emitted tests and faults. Ignored by default, because it takes a while and needs
//! what was downloaded: `make soak`.

mod judges;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use judges::agreement;
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

/// Tests a file with a small budget for each function, and asks `llvm-cov`.
fn check(name: &str, only_listed: bool) {
    let subject = subject(name);
    let scratch = tempfile::tempdir().expect("scratch folder");
    let out = scratch.path().join("out");
    let mut command = judges::tarka();
    command.args(["gen", "-c", "mcdc", "--seed", "1", "-n", "200", "-t", "3", "-o"]).arg(&out);
    if only_listed {
        command.args(subject.units.iter().flat_map(|unit| ["-f", unit]));
    }
    let result = judges::output(command.arg(&subject.file).arg("--").args(&subject.flags));
    assert!(result.status.code() < Some(2), "{name}:\n{}", judges::text(&result));
    let report = fs::read_to_string(out.join("report.json")).expect("report.json");
    let report: Value = serde_json::from_str(&report).expect("valid JSON");
    let judged =
        agreement::judge_file(&report, Path::new(&subject.file), &subject.flags, &out, scratch.path());
    println!(
        "{name}: {} units equal, {} whose tests alone are equal, {} with nothing but runs that ended inside",
        judged.exact, judged.exact_tests, judged.ended
    );
    let compared = judged.exact + judged.exact_tests + judged.ended;
    assert!(compared >= subject.units.len(), "{name}: {compared} units have tests");
    assert!(judged.wrong.is_empty(), "{name}:\n{}", judged.wrong.join("\n"));
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
