//! The sites of a model are the branch regions of `llvm-cov-19`, and its decisions with MC/DC are those of `llvm-cov-19`:
//! same functions, same places, same number.
//!
//! A line of a test file that ends in `// llvm-cov: +N` holds N regions that Tarka leaves out on purpose (operands that
//! are never evaluated); `-N` marks N sides that only Tarka counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::common;
use serde_json::Value;
use tarka_source::{BoolShape, SiteKind, SourceModel, find_clang};

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

/// The kind of a region that a macro makes.
const EXPANSION: u32 = 1;

/// The decisions of one file with MC/DC: place, and how many operands `llvm-cov` shows, folded ones among them.
type Decisions = BTreeMap<(String, u32, u32), Vec<usize>>;

#[test]
fn decisions_with_mcdc_are_those_of_llvm_cov() {
    let mut seen = 0;
    let files = ["golden", "programs", "decisions"].iter().flat_map(|folder| common::c_files(folder));
    // That one has the macros of the test below.
    for file in files.filter(|file| !file.ends_with("programs/library.c")) {
        let model = common::model(&file);
        let export = export(&file, &common::flags_of(&file));
        let mut theirs = their_decisions(&export);
        // The records do not say in which macro they stand: in such functions only their number can be compared.
        let mut with_macros = BTreeSet::new();
        for function in array(&export["data"][0]["functions"]) {
            if array(&function["regions"]).iter().any(|region| number(region, 7) == EXPANSION) {
                with_macros.insert(name(function));
            }
        }
        let mut ours = our_decisions(&model);
        // Lines that are marked hold operands that are never evaluated; clang looks at them all the same.
        let marked = marked_lines(&file);
        for decisions in [&mut theirs, &mut ours] {
            let all = std::mem::take(decisions);
            for ((function, line, column), operands) in all {
                let is_in_macro = with_macros.contains(&function);
                let place = if is_in_macro { (function, 0, 0) } else { (function, line, column) };
                if !marked.contains_key(&line) {
                    decisions.entry(place).or_default().extend(operands);
                }
            }
        }
        theirs.values_mut().chain(ours.values_mut()).for_each(|operands| operands.sort_unstable());
        assert_eq!(ours, theirs, "{}", file.display());
        seen += theirs.values().flatten().count();
        let conditions: usize = model
            .decisions
            .iter()
            .filter(|decision| decision.mcdc)
            .map(|decision| decision.conditions.len())
            .sum();
        // The sums of llvm-cov leave out what stands in the body of a macro.
        if marked.is_empty() && with_macros.is_empty() {
            let totals = &export["data"][0]["totals"]["mcdc"]["count"];
            assert_eq!(Some(conditions as u64), totals.as_u64(), "{}: folded ones", file.display());
        }
    }
    assert!(seen > 50, "llvm-cov showed {seen} decisions");
}

#[test]
fn llvm_cov_loses_decisions_with_system_macros_inside_macros() {
    for file in common::c_files("decisions_apart") {
        let functions = |decisions: Decisions| -> Vec<String> {
            decisions.into_keys().map(|(function, _, _)| function).collect()
        };
        assert_eq!(functions(our_decisions(&common::model(&file))), ["kept", "lost"]);
        assert_eq!(functions(their_decisions(&export(&file, &[]))), ["kept"]);
    }
}

fn their_decisions(export: &Value) -> Decisions {
    let mut decisions = Decisions::new();
    for function in array(&export["data"][0]["functions"]) {
        for record in function["mcdc_records"].as_array().into_iter().flatten() {
            let place = (name(function), number(record, 0), number(record, 1));
            decisions.entry(place).or_default().push(array(&record[6]).len());
        }
    }
    decisions
}

fn our_decisions(model: &SourceModel) -> Decisions {
    let mut decisions = Decisions::new();
    for decision in model.decisions.iter().filter(|decision| decision.mcdc) {
        let function = model.function(decision.function).name.clone();
        let place = (function, decision.place.line, decision.place.column);
        decisions.entry(place).or_default().push(operands(&decision.shape));
    }
    decisions
}

#[test]
fn conditions_stand_in_their_decision_where_the_shape_says() {
    for file in ["golden", "programs", "decisions"].iter().flat_map(|folder| common::c_files(folder)) {
        let model = common::model(&file);
        let mut of_site = vec![None; model.sites.len()];
        for decision in &model.decisions {
            for (position, site) in decision.conditions.iter().enumerate() {
                let site = model.site(*site);
                assert_eq!(site.position as usize, position, "{} {}", file.display(), decision.text);
                assert_eq!(site.function, decision.function);
                of_site[site.id.0 as usize] = Some((decision.id, site.decision));
            }
        }
        for site in &model.sites {
            let is_condition = matches!(site.kind, SiteKind::Condition { .. });
            assert_eq!(of_site[site.id.0 as usize].is_some(), is_condition, "{}", site.text);
        }
        let numbers: BTreeMap<_, _> = of_site.iter().flatten().copied().collect();
        for decision in &model.decisions {
            let number = numbers[&decision.id];
            let own =
                |site: &&tarka_source::Site| site.function == decision.function && site.decision == number;
            assert_eq!(model.sites.iter().filter(own).count(), decision.conditions.len());
        }
    }
}

fn operands(shape: &BoolShape) -> usize {
    match shape {
        BoolShape::Condition(_) | BoolShape::Constant(_) => 1,
        BoolShape::Not(inner) => operands(inner),
        BoolShape::And(left, right) | BoolShape::Or(left, right) => operands(left) + operands(right),
    }
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

/// Compiles for coverage; what `llvm-cov` says about the file without any run.
fn export(file: &Path, flags: &[String]) -> Value {
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
    serde_json::from_slice(&export.stdout).expect("llvm-cov writes JSON")
}

/// Static functions are shown as `file.c:name`.
fn name(function: &Value) -> String {
    let name = function["name"].as_str().expect("a name");
    name.rsplit(':').next().unwrap_or(name).to_string()
}

/// The branch regions; those in macros at the place where the outermost macro is used.
fn llvm_cov_regions(file: &Path, flags: &[String]) -> Regions {
    let mut regions = Regions::new();
    for function in array(&export(file, flags)["data"][0]["functions"]) {
        for branch in array(&function["branches"]) {
            let (line, column) = outermost(function, number(branch, 0), number(branch, 1), number(branch, 6));
            *regions.entry((name(function), line, column)).or_default() += 1;
        }
    }
    regions
}

fn run_clang(flags: &[String], file: &Path, object: &Path) {
    let clang = find_clang().expect("clang");
    let coverage = ["-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-c"];
    common::run(Command::new(clang).args(flags).args(coverage).arg(file).arg("-o").arg(object));
}

/// Follows macro expansions outwards.
fn outermost(function: &Value, line: u32, column: u32, file: u32) -> (u32, u32) {
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
