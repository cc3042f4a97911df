//! A million random inputs against the verdicts: nothing that is called infeasible may ever be covered.
//!
//! Takes a C file; runs the campaign on it, then compiles the plain functions with a driver that calls each of them with
//! random numbers. `llvm-cov` judges branch sides; statements, decisions and pairs are counted by probes that do nothing
//! else (`shown`). Believes nothing that Tarka says.

pub mod program;
mod shown;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tarka_campaign::{Options, run_file};
use tarka_events::{Goal, UnitLog, UnitResult, Verdict};
use tarka_source::{
    Criterion, FunctionId, GoalKind, SiteKind, SourceModel, SourceRequest, TypeKind, analyse,
    covered as covered_by, find_clang,
};

/// What came out for one file.
#[derive(Debug, Default)]
pub struct Tally {
    /// Goals called infeasible.
    pub infeasible: u64,
    /// Goals covered.
    pub covered: u64,
    /// All goals.
    pub sides: u64,
    /// What is wrong, in words.
    pub wrong: Vec<String>,
}

/// How the functions of a file are tried.
pub struct Trial<'a> {
    pub options: Options,
    /// Random inputs for each function.
    pub inputs: u64,
    pub seed: u64,
    /// Parameters that only take values below a limit, because they say how long the function runs.
    pub limits: &'a [(&'a str, u64)],
}

/// Tries every function of a C text that takes integers only.
pub fn check(text: &str, trial: &Trial) -> Result<Tally, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("unit.c");
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let clang = find_clang().map_err(|error| error.to_string())?;
    let model = analyse(&SourceRequest { file: &file, flags: &[], clang: &clang })
        .map_err(|error| error.to_string())?;
    let units: Vec<FunctionId> = (0..model.functions.len() as u32)
        .map(FunctionId)
        .filter(|&id| !model.function(id).is_static && takes_integers(&model, id))
        .collect();
    let work = folder.path().join("work");
    std::fs::create_dir(&work).map_err(|error| error.to_string())?;
    let results = run_file(&model, &units, &trial.options, &clang, &work, &|_| {})
        .map_err(|error| error.to_string())?;
    let mut tally = Tally::default();
    for (&id, result) in units.iter().zip(results.iter().map(UnitLog::result)) {
        let refuted: Vec<&Goal> =
            result.goals.iter().filter(|goal| matches!(goal.verdict, Verdict::Infeasible { .. })).collect();
        tally.sides += result.goals.len() as u64;
        tally.infeasible += refuted.len() as u64;
        tally.covered += covered(result);
        // Withdrawn before it was told, but wrong all the same.
        let withdrawn = result.refuted.iter();
        tally.wrong.extend(withdrawn.map(|known| format!("{} was refuted: {}", known.goal, known.claim)));
        if refuted.is_empty() {
            continue;
        }
        if trial.options.criterion == Criterion::Branch {
            let taken = taken(&model, id, text, trial, (&clang, folder.path()))?;
            for goal in refuted {
                tally.wrong.extend(objection(&model, goal, &taken));
            }
        } else {
            let shown = shown::shown(&model, &main_text(&model, id, text, trial), (&clang, folder.path()))?;
            // Switches are for `llvm-cov`.
            let is_switch = |goal: &&&Goal| goal.kind == "switch-case";
            for goal in refuted.iter().filter(|goal| !is_switch(goal)) {
                if covered_by(&model, &[goal.what], &shown) == [true] {
                    tally.wrong.push(format!("{} `{}` was covered: {:?}", goal.id, goal.text, goal.verdict));
                }
            }
        }
    }
    Ok(tally)
}

fn covered(result: &UnitResult) -> u64 {
    result.goals.iter().filter(|goal| matches!(goal.verdict, Verdict::Covered { .. })).count() as u64
}

fn takes_integers(model: &SourceModel, id: FunctionId) -> bool {
    let is_integer = |ty| {
        matches!(model.types.get(ty).kind, TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Enum { .. })
    };
    let params = &model.function(id).params;
    !params.is_empty() && params.iter().all(|param| is_integer(param.ty))
}

/// A branch of the plain program: where it begins, and how often it held and failed.
struct Branch {
    place: (u64, u64),
    counts: [u64; 2],
}

/// What `llvm-cov` counts of one function under random inputs.
fn taken(
    model: &SourceModel,
    id: FunctionId,
    text: &str,
    trial: &Trial,
    (clang, folder): (&Path, &Path),
) -> Result<Vec<Branch>, String> {
    let name = &model.function(id).name;
    let (driver, program) = (folder.join("driver.c"), folder.join("driver"));
    let driver_text = format!("#include \"unit.c\"\n{}", main_text(model, id, text, trial));
    std::fs::write(&driver, driver_text).map_err(|error| error.to_string())?;
    let profile = folder.join("driver.profraw");
    let merged = folder.join("driver.profdata");
    let run = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(output.stdout) } else { Err(format!("{name}: {said}")) }
    };
    let flags = ["-O1", "-w", "-fprofile-instr-generate", "-fcoverage-mapping"];
    run(Command::new(clang).args(flags).arg(&driver).arg("-o").arg(&program))?;
    run(Command::new("timeout").arg("60").arg(&program).env("LLVM_PROFILE_FILE", &profile))?;
    run(Command::new("llvm-profdata-19").arg("merge").arg(&profile).arg("-o").arg(&merged))?;
    let exported =
        run(Command::new("llvm-cov-19").args(["export", "--instr-profile"]).arg(&merged).arg(&program))?;
    let exported: Value = serde_json::from_slice(&exported).map_err(|error| error.to_string())?;
    let functions = exported["data"][0]["functions"].as_array().ok_or("llvm-cov lists no functions")?;
    let found = functions.iter().find(|function| function["name"] == name.as_str());
    let branches = found.and_then(|function| function["branches"].as_array());
    let branches = branches.ok_or_else(|| format!("llvm-cov does not know {name}"))?;
    let number = |branch: &Value, at: usize| branch[at].as_u64().unwrap_or(0);
    Ok(branches
        .iter()
        .map(|branch| Branch {
            place: (number(branch, 0), number(branch, 1)),
            counts: [number(branch, 4), number(branch, 5)],
        })
        .collect())
}

/// What speaks against a side being infeasible.
fn objection(model: &SourceModel, goal: &Goal, taken: &[Branch]) -> Option<String> {
    let GoalKind::Outcome { site, outcome, taken: wanted } = goal.what else { return None };
    let place = (u64::from(goal.place.line), u64::from(goal.place.column));
    let held = match &model.site(site).kind {
        SiteKind::Condition { .. } => outcome == 1,
        SiteKind::Switch { .. } => wanted,
    };
    let mut here = taken.iter().filter(|branch| branch.place == place).peekable();
    if here.peek().is_none() {
        return Some(format!("{} `{}`: llvm-cov has no branch there", goal.id, goal.text));
    }
    let count: u64 = here.map(|branch| branch.counts[usize::from(!held)]).sum();
    (count > 0).then(|| format!("{} `{}` was taken {count} times: {:?}", goal.id, goal.text, goal.verdict))
}

/// A `main` that calls one of the functions with random numbers: any, small ones, those around powers of two,
/// and those around the constants of the text.
fn main_text(model: &SourceModel, id: FunctionId, text: &str, trial: &Trial) -> String {
    let function = model.function(id);
    let constants: Vec<String> = constants(text).iter().map(|constant| format!("{constant}u")).collect();
    let argument = |param: &tarka_source::Param| {
        let limit = trial.limits.iter().find(|(name, _)| *name == param.name);
        limit.map_or("next()".to_string(), |(_, limit)| format!("next() % {limit}u"))
    };
    let arguments: Vec<String> = function.params.iter().map(argument).collect();
    let mut driver = String::new();
    let _ = write!(
        driver,
        "static unsigned long long state = {seed}u;
static unsigned long long word(void) {{
  state += 0x9e3779b97f4a7c15u;
  unsigned long long z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}}
static const unsigned long long constants[] = {{{constants}}};
static unsigned long long next(void) {{
  unsigned long long z = word();
  switch (z & 7) {{
  case 0: return z >> 3;
  case 1: return (z >> 3) % 17 - 8;
  case 2: return (1ull << (z >> 8 & 63)) + (z >> 16) % 3 - 1;
  case 3: return (z >> 3) % 300;
  default: {{
    unsigned long long constant = constants[(z >> 3) % (sizeof constants / sizeof *constants)];
    return (z >> 40 & 1 ? -constant : constant) + (z >> 32) % 3 - 1;
  }}
  }}
}}
int main(void) {{
  for (unsigned long long i = 0; i < {inputs}u; i++)
    {name}({arguments});
  return 0;
}}
",
        seed = trial.seed,
        constants = constants.join(", "),
        inputs = trial.inputs,
        name = function.name,
        arguments = arguments.join(", "),
    );
    driver
}

/// The decimal numbers of a text, and 0.
fn constants(text: &str) -> BTreeSet<u64> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter_map(|word| word.trim_end_matches('u').parse().ok()).chain([0]).collect()
}
