//! `report.json` against `llvm-cov`: statements, branch sides and MC/DC conditions of a unit's functions, one by one where they have
//! places, by number elsewhere.
//!
//! Takes a unit of the report, the folder with its emitted files and the source model; panics where the judge saw
//! something else. The rules of counting, and where they differ by definition: `docs/coverage.md`.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tarka_source::{
    BoolShape, FunctionId, GoalScope, Place, SourceModel, SourceRequest, analyse, find_clang,
};

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

/// The files that the figures of a unit speak of: those of its tests.
pub fn programs(unit: &Value, out: &Path) -> Vec<PathBuf> {
    let tests = array(&unit["tests_list"]).iter().map(|test| &test["path"]);
    let mut files: Vec<PathBuf> = tests.map(|file| out.join(file.as_str().expect("a file"))).collect();
    files.sort();
    files.dedup();
    files
}

/// What must hold of the figures of a unit among themselves; gives every contradiction as a line of text.
pub fn contradictions(unit: &Value) -> Vec<String> {
    let function = unit["function"].as_str().expect("a name");
    let count = |name: &str| unit["goals"][name].as_u64().expect("a count");
    let of =
        |is_so: &dyn Fn(&Value) -> bool| array(&unit["goal_list"]).iter().filter(|goal| is_so(goal)).count();
    let mut wrong = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{function}: {what}: {}", unit["goals"]));
        }
    };
    must(
        count("covered") + count("infeasible") + count("unknown") == count("total"),
        "the counts do not add up",
    );
    must(
        of(&|goal| goal["status"] == "covered") as u64 == count("covered"),
        "covered goals are not as listed",
    );
    let by_faults = |goal: &Value| goal["covered_by_faults_only"] == true;
    must(of(&by_faults) as u64 == count("covered_by_faults_only"), "goals by faults are not as listed");
    must(of(&|goal| by_faults(goal) && goal["status"] != "unknown") == 0, "a goal by faults is not open");
    let is_test = |name: &Value| name.as_str().is_some_and(|name| name.starts_with("test_"));
    let by_tests = |goal: &Value| array(&goal["tests"]).iter().any(is_test);
    must(of(&|goal| goal["status"] == "covered" && !by_tests(goal)) == 0, "a covered goal has no test");
    if unit["criterion"] == "branch" && unit["aim"].is_null() && unit["skipped"] == false {
        must(share(unit, "branch").0 == count("covered"), "the headline is not the share of branches");
    }
    wrong
}

/// The functions that the goals and the figures of a unit speak of, the unit first.
pub fn functions_of(unit: &Value, model: &SourceModel) -> Vec<FunctionId> {
    let (id, _) = model.function_named(unit["function"].as_str().expect("a name")).expect("the function");
    let scope = match unit["goals_scope"].as_str() {
        None => return vec![id],
        Some("callees") => GoalScope::Unit,
        Some(name) => GoalScope::by_name(name).expect("a scope"),
    };
    model.goal_functions(id, scope)
}

/// What `llvm-cov` sees of the functions that the figures of a unit speak of, in their order.
pub fn see(
    unit: &Value,
    model: &SourceModel,
    (programs, flags): (&[PathBuf], &[String]),
    scratch: &Path,
) -> Vec<Seen> {
    let functions = functions_of(unit, model);
    let names: Vec<&str> = functions.iter().map(|id| model.function(*id).name.as_str()).collect();
    llvm_cov::see(&names, programs, flags, scratch)
}

/// What `llvm-cov` counted of something: how much at least, at most, and of how many.
#[derive(Clone, Copy, Default)]
struct Counted {
    fewest: u64,
    most: u64,
    total: u64,
}

impl Counted {
    fn of(counts: &[u64], ended_inside: u64) -> Counted {
        let above = |least: u64| counts.iter().filter(|count| **count > least).count() as u64;
        Counted { fewest: above(ended_inside), most: above(0), total: counts.len() as u64 }
    }

    fn add(&mut self, more: Counted) {
        self.fewest += more.fewest;
        self.most += more.most;
        self.total += more.total;
    }
}

/// Compares a unit with what `llvm-cov` sees of its tests, in all functions that its figures speak of; gives every difference as a
/// line of text. Figures must be equal, except where calls ended inside a function (`exit`): there a count of `llvm-cov` no larger
/// than their number may be one that it only computed.
pub fn differences(unit: &Value, model: &SourceModel, seen: &[Seen]) -> Vec<String> {
    let function = unit["function"].as_str().expect("a name");
    let mut counted = [Counted::default(); 3];
    for (id, seen) in functions_of(unit, model).into_iter().zip(seen) {
        let of_function = counts(model, id, seen);
        counted.iter_mut().zip(of_function).for_each(|(all, more)| all.add(more));
    }
    let mut wrong = Vec::new();
    for (criterion, Counted { fewest, most, total }) in
        ["statement", "branch", "mcdc"].into_iter().zip(counted)
    {
        let (covered, claimed_total) = share(unit, criterion);
        if claimed_total != total || covered < fewest || covered > most {
            wrong.push(format!(
                "{function}: {criterion}: report.json {covered} of {claimed_total}, llvm-cov {fewest}..{most} of {total}"
            ));
        }
    }
    wrong
}

/// What `llvm-cov` counted of one function: statements, branch sides and conditions for MC/DC.
fn counts(model: &SourceModel, id: FunctionId, seen: &Seen) -> [Counted; 3] {
    let of_model = model.function(id);
    // A function that a macro makes is one statement where the macro is used; llvm-cov has the places of the macro's text.
    let begun = |place: &Place| {
        if *place == of_model.place {
            seen.calls
        } else {
            seen.count_at((place.line.into(), place.column.into()))
        }
    };
    let statements: Vec<u64> = of_model.statements.iter().map(|statement| begun(&statement.place)).collect();
    let sides: Vec<u64> = seen.branches.iter().flatten().copied().collect();
    // llvm-cov shows a folded operand as a condition that nothing can show, beside others that are not folded.
    let folded: usize = model
        .decisions_of(id)
        .filter(|decision| decision.mcdc && !decision.conditions.is_empty())
        .map(|decision| constants(&decision.shape))
        .sum();
    let shown = seen.mcdc.iter().filter(|shown| **shown).count() as u64;
    let mcdc = Counted { fewest: shown, most: shown, total: (seen.mcdc.len() - folded) as u64 };
    [Counted::of(&statements, seen.ended_inside), Counted::of(&sides, seen.ended_inside), mcdc]
}

fn constants(shape: &BoolShape) -> usize {
    match shape {
        BoolShape::Condition(_) => 0,
        BoolShape::Constant(_) => 1,
        BoolShape::Not(inner) => constants(inner),
        BoolShape::And(left, right) | BoolShape::Or(left, right) => constants(left) + constants(right),
    }
}

/// What came of comparing the units of a file.
#[derive(Default)]
pub struct Comparison {
    /// Every difference.
    pub wrong: Vec<String>,
    /// Units whose figures had to be equal.
    pub exact: usize,
    /// Units with tests in which the program ends inside the function.
    pub ended: usize,
    /// Units without a test, for which nothing may be claimed.
    pub untested: usize,
}

/// Every unit of a file of the report, before `llvm-cov`, which sees nothing but the tests.
pub fn judge_file(report: &Value, file: &Path, flags: &[String], out: &Path, scratch: &Path) -> Comparison {
    let model = model_of(file, flags);
    let mut comparison = Comparison::default();
    for unit in array(&report["units"]) {
        let programs = programs(unit, out);
        let notes = array(&unit["notes"]).iter().filter_map(Value::as_str);
        comparison.wrong.extend(notes.filter(|note| note.starts_with("a bug in Tarka")).map(str::to_owned));
        comparison.wrong.extend(contradictions(unit));
        if programs.is_empty() {
            comparison.wrong.extend(claims(unit));
            comparison.untested += 1;
            continue;
        }
        let function = unit["function"].as_str().expect("a name");
        let scratch = scratch.join("judged").join(function);
        std::fs::create_dir_all(&scratch).expect("scratch");
        let seen = see(unit, &model, (&programs, flags), &scratch);
        comparison.wrong.extend(differences(unit, &model, &seen));
        let kind = if seen.iter().all(|seen| seen.ended_inside == 0) {
            &mut comparison.exact
        } else {
            &mut comparison.ended
        };
        *kind += 1;
    }
    comparison
}

/// What is claimed to be covered of a unit without tests.
pub fn claims(unit: &Value) -> Vec<String> {
    let criteria = ["statement", "branch", "condition", "decision", "mcdc", "function", "switch"];
    let claimed = criteria.iter().filter(|criterion| share(unit, criterion).0 > 0);
    claimed.map(|criterion| format!("{}: {criterion} without any test", unit["function"])).collect()
}
