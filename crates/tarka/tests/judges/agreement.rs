//! `report.json` against `llvm-cov`: statements, branch sides and MC/DC conditions of a unit, one by one where they have
//! places, by number elsewhere.
//!
//! Takes a unit of the report, the folder with its emitted files and the source model; panics where the judge saw
//! something else. The rules of counting, and where they differ by definition: `docs/coverage.md`.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tarka_source::{BoolShape, SourceModel, SourceRequest, analyse, find_clang};

use super::llvm_cov::{self, Seen, array};

/// Covered, of how many.
pub type Share = (u64, u64);

/// The model of a C file.
pub fn model_of(file: &Path, flags: &[String]) -> SourceModel {
    let clang = find_clang().expect("clang");
    analyse(&SourceRequest { file, flags, clang: &clang }).expect("a source model")
}

/// What a unit of the report says under a criterion.
pub fn share(unit: &Value, criterion: &str) -> Share {
    let share = &unit["coverage"][criterion];
    (share["covered"].as_u64().expect("covered"), share["total"].as_u64().expect("total"))
}

/// The files whose runs the figures of a unit speak of: its tests, and the faults that show.
pub fn programs(unit: &Value, out: &Path) -> Vec<PathBuf> {
    let tests = array(&unit["tests_list"]).iter().map(|test| &test["path"]);
    let shown = array(&unit["faults"]).iter().filter(|fault| fault["confirmed"] == true);
    let mut files: Vec<PathBuf> = tests
        .chain(shown.map(|fault| &fault["test"]))
        .map(|file| out.join(file.as_str().expect("a file")))
        .collect();
    files.sort();
    files.dedup();
    files
}

/// Compares a unit with what `llvm-cov` sees of its emitted files; gives every difference as a line of text. Figures must be
/// equal, except where calls ended inside the function: there a count of `llvm-cov` no larger than their number may be
/// one that it only computed.
pub fn differences(unit: &Value, model: &SourceModel, seen: &Seen) -> Vec<String> {
    let function = unit["function"].as_str().expect("a name");
    let (id, of_model) = model.function_named(function).expect("the function");
    let statements: Vec<u64> = of_model
        .statements
        .iter()
        .map(|statement| seen.count_at((statement.place.line.into(), statement.place.column.into())))
        .collect();
    let sides: Vec<u64> = seen.branches.iter().flatten().copied().collect();
    // llvm-cov shows a folded operand as a condition that nothing can show.
    let folded: usize = model
        .decisions_of(id)
        .filter(|decision| decision.mcdc)
        .map(|decision| constants(&decision.shape))
        .sum();
    let shown = seen.mcdc.iter().filter(|shown| **shown).count() as u64;

    let mut wrong = Vec::new();
    let mut check = |criterion: &str, fewest: u64, most: u64, total: u64| {
        let (covered, claimed_total) = share(unit, criterion);
        if claimed_total != total || covered < fewest || covered > most {
            wrong.push(format!(
                "{function}: {criterion}: report.json {covered} of {claimed_total}, llvm-cov {fewest}..{most} of {total}"
            ));
        }
    };
    for (criterion, counts) in [("statement", &statements), ("branch", &sides)] {
        let begun = counts.iter().filter(|count| **count > 0).count() as u64;
        let certain = counts.iter().filter(|count| **count > seen.ended_inside).count() as u64;
        check(criterion, certain, begun, counts.len() as u64);
    }
    check("mcdc", shown, shown, (seen.mcdc.len() - folded) as u64);
    wrong
}

fn constants(shape: &BoolShape) -> usize {
    match shape {
        BoolShape::Condition(_) => 0,
        BoolShape::Constant(_) => 1,
        BoolShape::Not(inner) => constants(inner),
        BoolShape::And(left, right) | BoolShape::Or(left, right) => constants(left) + constants(right),
    }
}

/// Compares what the report says of a unit's tests alone with what `llvm-cov` sees of them. They come to their end, so
/// there is nothing to allow for: branch sides by the tests that each goal names, MC/DC by the truth tables.
fn differences_of_tests(unit: &Value, seen: &Seen) -> Vec<String> {
    let is_test = |name: &Value| name.as_str().is_some_and(|name| name.starts_with("test_"));
    let by_tests = |names: &Value| array(names).iter().any(is_test);
    let is_side = |goal: &&Value| goal["kind"] == "condition" || goal["kind"] == "switch-case";
    let sides =
        array(&unit["goal_list"]).iter().filter(is_side).filter(|goal| by_tests(&goal["tests"])).count();
    let counted = array(&unit["decisions"]).iter().filter(|decision| decision["counted"] == true);
    let shown: usize = counted
        .map(|decision| {
            let made = array(&decision["evaluations"]).iter().filter(|made| by_tests(&made["tests"]));
            let made: Vec<(&[u8], bool)> = made
                .map(|made| {
                    let values = made["values"].as_str().expect("values").as_bytes();
                    (values, made["result"].as_bool().expect("a result"))
                })
                .collect();
            (0..array(&decision["conditions"]).len()).filter(|&at| is_shown(&made, at)).count()
        })
        .sum();
    let taken = seen.branches.iter().flatten().filter(|count| **count > 0).count();
    let of_judge = seen.mcdc.iter().filter(|shown| **shown).count();
    let mut wrong = Vec::new();
    for (criterion, ours, theirs) in [("branch", sides, taken), ("mcdc", shown, of_judge)] {
        if ours != theirs {
            let function = &unit["function"];
            wrong.push(format!("{function}: {criterion} of the tests alone: {ours}, llvm-cov {theirs}"));
        }
    }
    wrong
}

/// Whether two evaluations show that a condition decides: the results differ, and of what both evaluated only it does.
fn is_shown(made: &[(&[u8], bool)], position: usize) -> bool {
    made.iter().filter(|(_, result)| *result).any(|(held, _)| {
        made.iter().filter(|(_, result)| !*result).any(|(failed, _)| {
            let differs = |at: &usize| held[*at] != failed[*at] && held[*at] != b'-' && failed[*at] != b'-';
            (0..held.len()).filter(differs).eq([position])
        })
    })
}

/// What came of comparing the units of a file.
#[derive(Default)]
pub struct Comparison {
    /// Every difference.
    pub wrong: Vec<String>,
    /// Units whose figures had to be equal.
    pub exact: usize,
    /// Units with calls that ended inside, in fault files: the branches and MC/DC of their tests alone had to be equal.
    pub exact_tests: usize,
    /// Units with calls that ended inside, and nothing else to compare.
    pub ended: usize,
}

/// Every unit of a file of the report that has emitted files, before `llvm-cov`.
pub fn judge_file(report: &Value, file: &Path, flags: &[String], out: &Path, scratch: &Path) -> Comparison {
    let model = model_of(file, flags);
    let mut comparison = Comparison::default();
    for unit in array(&report["units"]) {
        let programs = programs(unit, out);
        let notes = array(&unit["notes"]).iter().filter_map(Value::as_str);
        comparison.wrong.extend(notes.filter(|note| note.starts_with("a bug in Tarka")).map(str::to_owned));
        if programs.is_empty() {
            continue;
        }
        let function = unit["function"].as_str().expect("a name");
        let scratch = scratch.join("judged").join(function);
        std::fs::create_dir_all(&scratch).expect("scratch");
        let seen = llvm_cov::see(function, &programs, flags, &scratch);
        comparison.wrong.extend(differences(unit, &model, &seen));
        if seen.ended_inside == 0 {
            comparison.exact += 1;
            continue;
        }
        let is_test =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_"));
        let tests: Vec<PathBuf> = programs.into_iter().filter(is_test).collect();
        let alone = scratch.join("alone");
        std::fs::create_dir_all(&alone).expect("scratch");
        let seen = (!tests.is_empty()).then(|| llvm_cov::see(function, &tests, flags, &alone));
        match seen.filter(|seen| seen.ended_inside == 0) {
            Some(seen) => {
                comparison.wrong.extend(differences_of_tests(unit, &seen));
                comparison.exact_tests += 1;
            }
            None => comparison.ended += 1,
        }
    }
    comparison
}
