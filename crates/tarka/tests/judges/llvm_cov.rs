//! `llvm-cov` looks at functions: emitted files are compiled for coverage, run, and their profiles merged.
//!
//! Takes C files and flags; gives what `llvm-cov` counted of each function, and how many runs ended inside it. Believes
//! nothing that Tarka says.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use super::{output, text};

/// What `llvm-cov` saw of one function.
pub struct Seen {
    /// Both counts of every branch region: condition true and false, switch arm taken and not taken.
    pub branches: Vec<[u64; 2]>,
    /// For every condition with MC/DC whether it was shown; folded ones are among them, never shown.
    pub mcdc: Vec<bool>,
    /// How many calls of the function were under way when their process ended, by a signal or by `exit`.
    pub ended_inside: u64,
    /// How often it was called.
    pub calls: u64,
    regions: Vec<Region>,
}

/// Code with one count. A macro that is used has a text of its own; the function's is one that nothing expands to.
struct Region {
    start: (u64, u64),
    end: (u64, u64),
    count: u64,
    text: u64,
    /// The text that stands here, of a macro.
    expands_to: Option<u64>,
}

const CODE: u64 = 0;
const EXPANSION: u64 = 1;

impl Seen {
    /// How often the code at a place was begun: the count of the innermost region around it. A macro of a system header has
    /// an empty region where it is used.
    pub fn count_at(&self, place: (u64, u64)) -> u64 {
        let expanded: BTreeSet<u64> = self.regions.iter().filter_map(|region| region.expands_to).collect();
        self.count_in(&|text| !expanded.contains(&text), place)
    }

    /// What is said of a macro where it is used is the count of the code in front of it, also where a label begins its text or
    /// nothing comes there: what counts is how its text begins, down to the last macro in a macro.
    fn count_in(&self, is_text: &dyn Fn(u64) -> bool, place: (u64, u64)) -> u64 {
        let is_around = |region: &&Region| {
            is_text(region.text) && region.start <= place && (place < region.end || place == region.start)
        };
        let around = self.regions.iter().filter(is_around);
        let innermost = around.max_by_key(|region| (region.start, std::cmp::Reverse(region.end)));
        let Some(innermost) = innermost else { return 0 };
        let within = |text| self.regions.iter().filter(move |region| region.text == text);
        let begin = innermost
            .expands_to
            .and_then(|text| Some((text, within(text).map(|region| region.start).min()?)));
        begin.map_or(innermost.count, |(text, start)| self.count_in(&|other| other == text, start))
    }

    fn of_record(record: &Value, ended_inside: u64) -> Seen {
        let regions = array(&record["regions"]);
        // What stands for a constant has no branch region: a decision without any, and without a macro that may hold one, is
        // folded as a whole, and no decision of the program.
        let is_expansion = |region: &&Value| number(region, 7) == EXPANSION;
        let inside = array(&record["branches"]).iter().chain(regions.iter().filter(is_expansion));
        let starts: Vec<_> = inside.map(|region| place(region, 0)).collect();
        let is_decision = |decision: &&Value| {
            let (start, end) = (place(decision, 0), place(decision, 2));
            starts.iter().any(|inner| start <= *inner && *inner <= end)
        };
        let decisions = array(&record["mcdc_records"]).iter().filter(is_decision);
        let conditions = decisions.flat_map(|record| array(&record[6]));
        Seen {
            branches: array(&record["branches"])
                .iter()
                .map(|side| [number(side, 4), number(side, 5)])
                .collect(),
            mcdc: conditions.map(|shown| shown.as_bool().expect("true or false")).collect(),
            ended_inside,
            calls: record["count"].as_u64().expect("a count"),
            regions: regions
                .iter()
                .filter(|region| matches!(number(region, 7), CODE | EXPANSION))
                .map(|region| Region {
                    start: (number(region, 0), number(region, 1)),
                    end: (number(region, 2), number(region, 3)),
                    count: number(region, 4),
                    text: number(region, 5),
                    expands_to: (number(region, 7) == EXPANSION).then(|| number(region, 6)),
                })
                .collect(),
        }
    }
}

/// The name of a unit in its test programs, which have a `main` of their own.
fn name_in_tests(function: &str) -> &str {
    if function == "main" { "unit_main" } else { function }
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges")
}

/// What leaves the stack of every process that ends, compiled once for all tests.
fn ends() -> &'static Path {
    static ENDS: OnceLock<PathBuf> = OnceLock::new();
    ENDS.get_or_init(|| {
        let ends = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ends.o");
        let mut compile = Command::new("clang-19");
        // clang renames what it has written as a whole: other processes see the same.
        let result = output(compile.arg("-c").arg(source_folder().join("ends.c")).arg("-o").arg(&ends));
        assert!(result.status.success(), "clang-19: {}", text(&result));
        ends
    })
}

/// Runs the programs and gives what `llvm-cov` saw of each of the functions in all of them together.
pub fn see(functions: &[&str], programs: &[PathBuf], flags: &[String], scratch: &Path) -> Vec<Seen> {
    let functions: Vec<&str> = functions.iter().map(|function| name_in_tests(function)).collect();
    let include = format!("-isystem{}", source_folder().join("include").display());
    let (mut profiles, mut binaries, mut ended_inside) = (Vec::new(), Vec::new(), vec![0; functions.len()]);
    for (index, program) in programs.iter().enumerate() {
        let folder = scratch.join(format!("cov{index}"));
        fs::create_dir_all(&folder).expect("scratch folder");
        // llvm-cov names a static function after the file it is compiled from: the same name in all of them, so that
        // profiles merge.
        fs::copy(program, folder.join("judged.c")).expect("a copy");
        let binary = folder.join("program");
        // What it includes may be named from where it was.
        let beside = program.parent().expect("a folder");
        build(&folder, flags, &[include.as_ref(), "-iquote".as_ref(), beside.as_os_str()], ends());
        // Every test has a process of its own, and so a profile of its own. A fault file ends by a signal: its exit
        // status says nothing here.
        output(
            Command::new(&binary).current_dir(&folder).env("LLVM_PROFILE_FILE", folder.join("%p.profraw")),
        );
        let left: Vec<PathBuf> =
            fs::read_dir(&folder).expect("scratch").map(|entry| entry.expect("entry").path()).collect();
        profiles.extend(left.iter().filter(|path| path.extension().is_some_and(|e| e == "profraw")).cloned());
        for (inside, function) in ended_inside.iter_mut().zip(&functions) {
            *inside += ended(function, &binary, &left);
        }
        binaries.push(binary);
    }
    let merged = scratch.join("merged.profdata");
    let mut merge = Command::new("llvm-profdata-19");
    let result = output(merge.args(["merge", "-sparse", "-o"]).arg(&merged).args(&profiles));
    assert!(result.status.success(), "llvm-profdata: {}", text(&result));
    let mut export = Command::new("llvm-cov-19");
    let result = output(export.arg("export").arg(&binaries[0]).arg("-instr-profile").arg(&merged));
    assert!(result.status.success(), "llvm-cov: {}", text(&result));
    let exported: Value = serde_json::from_slice(&result.stdout).expect("JSON");
    let of = |(function, ended_inside): (&&str, u64)| {
        let is_it = |record: &&Value| {
            record["name"].as_str().is_some_and(|name| name.rsplit(':').next() == Some(function))
        };
        let record = array(&exported["data"][0]["functions"]).iter().find(is_it);
        Seen::of_record(record.unwrap_or_else(|| panic!("llvm-cov does not know {function}")), ended_inside)
    };
    functions.iter().zip(ended_inside).map(of).collect()
}

fn build(folder: &Path, flags: &[String], include: &[&OsStr], ends: &Path) {
    let mut command = Command::new("clang-19");
    command.current_dir(folder).args(["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"]);
    command.args(["-w", "-g", "-no-pie"]).args(flags).args(include);
    // Else it loses conditions that a macro of a system header makes of the unit's own text.
    command.args(["-mllvm", "-system-headers-coverage"]);
    // Without coverage the compiler drops calls behind constant conditions, and nobody need define what they call.
    command.arg("-Wl,--unresolved-symbols=ignore-all");
    let result = output(command.args(["judged.c", "-o", "program"]).arg(ends).arg("-lm"));
    assert!(result.status.success(), "clang-19 for coverage:\n{}", text(&result));
}

/// How many calls of the function stand on the stacks that the processes left behind.
fn ended(function: &str, binary: &Path, left: &[PathBuf]) -> u64 {
    let is_stack =
        |path: &&PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ended-"));
    let stacks: Vec<String> =
        left.iter().filter(is_stack).map(|path| fs::read_to_string(path).expect("a stack")).collect();
    let addresses: Vec<&str> = stacks.iter().flat_map(|stack| stack.lines()).collect();
    assert!(!addresses.is_empty(), "{} ended and left no stack", binary.display());
    let mut command = Command::new("llvm-symbolizer-19");
    let result = output(command.args(["--output-style=JSON", "-e"]).arg(binary).args(&addresses));
    assert!(result.status.success(), "llvm-symbolizer: {}", text(&result));
    let places: Value = serde_json::from_slice(&result.stdout).expect("JSON");
    let symbols = array(&places).iter().flat_map(|place| array(&place["Symbol"]));
    symbols.filter(|symbol| symbol["FunctionName"] == function).count() as u64
}

/// The elements of an array; none if it is missing.
pub fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Line and column, which stand at an index and behind it.
fn place(region: &Value, index: usize) -> (u64, u64) {
    (number(region, index), number(region, index + 1))
}

fn number(region: &Value, index: usize) -> u64 {
    region[index].as_u64().expect("a number")
}
