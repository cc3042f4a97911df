//! The sites of a model are the branch regions of `llvm-cov-19`: same functions, same places, same number.
//!
//! A line of a test file that ends in `// llvm-cov: +N` holds N regions that Tarka leaves out on purpose (operands that
//! are never evaluated); `-N` marks N sides that only Tarka counts.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tarka_source::{SiteKind, SourceModel, find_clang};

/// How many branch regions each function has at each line and column.
type Regions = BTreeMap<(String, u32, u32), i64>;

#[test]
fn sites_are_llvm_covs_branch_regions() {
    let mut wrong = Vec::new();
    for file in ["golden", "programs"].iter().flat_map(|folder| common::c_files(folder)) {
        let model = common::model(&file);
        let mut difference = llvm_cov_regions(&file, &common::flags_of(&file));
        assert!(difference.values().sum::<i64>() > 0, "llvm-cov saw no branch in {}", file.display());
        for (key, count) in our_regions(&model) {
            *difference.entry(key).or_default() -= count;
        }
        let mut by_line: BTreeMap<u32, i64> = marked_lines(&file).into_iter().map(|(l, n)| (l, -n)).collect();
        for ((_, line, _), count) in &difference {
            *by_line.entry(*line).or_default() += count;
        }
        if by_line.values().any(|count| *count != 0) {
            difference.retain(|_, count| *count != 0);
            wrong.push(format!("{}: llvm-cov minus Tarka: {difference:?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn our_regions(model: &SourceModel) -> Regions {
    let mut regions = Regions::new();
    for site in &model.sites {
        let name = &model.function(site.function).name;
        let places: Vec<_> = match &site.kind {
            SiteKind::Condition { .. } => vec![&site.place],
            SiteKind::Switch { arms, .. } => arms.iter().map(|arm| &arm.place).collect(),
        };
        for place in places {
            *regions.entry((name.clone(), place.line, place.column)).or_default() += 1;
        }
    }
    regions
}

/// Compiles for coverage and lists the regions; those in macros at the place where the outermost macro is used.
fn llvm_cov_regions(file: &Path, flags: &[String]) -> Regions {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let object = scratch.path().join("unit.o");
    run_clang(flags, file, &object);
    // llvm-cov wants a profile; one that knows nothing of the file leaves every count at zero.
    let profile_text = scratch.path().join("none.proftext");
    let profile = scratch.path().join("none.profdata");
    std::fs::write(&profile_text, "no_such_function\n1\n1\n0\n").expect("writable");
    common::run(Command::new("llvm-profdata-19").arg("merge").arg(&profile_text).arg("-o").arg(&profile));
    let export = common::run(
        Command::new("llvm-cov-19").args(["export", "-instr-profile"]).arg(&profile).arg(&object),
    );
    let export: Value = serde_json::from_slice(&export.stdout).expect("llvm-cov writes JSON");

    let mut regions = Regions::new();
    for function in array(&export["data"][0]["functions"]) {
        let name = function["name"].as_str().expect("a name");
        // Static functions are shown as `file.c:name`.
        let name = name.rsplit(':').next().unwrap_or(name).to_string();
        for branch in array(&function["branches"]) {
            let (line, column) = outermost(function, number(branch, 0), number(branch, 1), number(branch, 6));
            *regions.entry((name.clone(), line, column)).or_default() += 1;
        }
    }
    regions
}

fn run_clang(flags: &[String], file: &Path, object: &Path) {
    let clang = find_clang().expect("clang");
    let coverage = ["-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-c"];
    common::run(Command::new(clang).args(flags).args(coverage).arg(file).arg("-o").arg(object));
}

/// Follows macro expansions outwards.
fn outermost(function: &Value, line: u32, column: u32, file: u32) -> (u32, u32) {
    const EXPANSION: u32 = 1;
    let expansion = array(&function["regions"]).iter().find(|region| {
        number(region, 7) == EXPANSION && number(region, 6) == file && number(region, 5) != file
    });
    match expansion {
        Some(region) => outermost(function, number(region, 0), number(region, 1), number(region, 5)),
        None => (line, column),
    }
}

fn marked_lines(file: &Path) -> BTreeMap<u32, i64> {
    let text = String::from_utf8_lossy(&std::fs::read(file).expect("readable")).into_owned();
    let marked = text.lines().zip(1..).filter_map(|(line, number)| {
        let (_, count) = line.split_once("// llvm-cov: ")?;
        Some((number, count.trim().parse().expect("a number after `llvm-cov:`")))
    });
    marked.collect()
}

fn array(value: &Value) -> &Vec<Value> {
    value.as_array().expect("an array")
}

fn number(region: &Value, index: usize) -> u32 {
    region[index].as_u64().expect("a number") as u32
}
