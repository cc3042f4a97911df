//! Faults that are what they are called: the functions of `examples/trust/faults`. Every fault there has a row, written by hand,
//! with its kind, place and class, and every function without a fault has one that says so. What has no row is a false alarm.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::judges::{options_of, output, report, root, tarka, text};

/// Runs of a unit: enough for what the table says, and the same on every machine.
const RUNS: &str = "400";

const CLASSES: [&str; 4] = ["bug", "unchecked", "contract", "limit"];

/// The class that may as well not be told: nothing is wrong with a unit of which we know less than we would like.
const LIMIT: &str = "limit";

/// A fault, as a person says it is or as Tarka tells it.
#[derive(Clone, Debug)]
struct Fault {
    /// The file of its place, without folders.
    file: String,
    function: String,
    kind: String,
    lines: RangeInclusive<u64>,
    class: String,
    /// Whether the callers of a static function reach it, if somebody says so.
    reached: Option<String>,
    is_confirmed: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {} at {}", self.file, self.function, self.kind, self.lines.start())
    }
}

impl Fault {
    fn is_same_as(&self, told: &Fault) -> bool {
        let names = |fault: &Fault| [&fault.file, &fault.function, &fault.kind].map(String::clone);
        names(self) == names(told) && self.lines.contains(told.lines.start())
    }
}

/// The rows of the table.
#[derive(Debug, Default)]
struct Table {
    faults: Vec<Fault>,
    /// File and function of the rows that say `none`.
    sound: BTreeSet<(String, String)>,
}

fn folder() -> PathBuf {
    root().join("examples/trust/faults")
}

fn table() -> Table {
    let lines = fs::read_to_string(folder().join("expected.tsv")).expect("a table");
    let mut table = Table::default();
    for line in lines.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [file, function, kind, place, class, ref rest @ ..] = cells[..] else {
            panic!("five cells or six in: {line}")
        };
        if kind == "none" {
            let is_new = table.sound.insert((file.to_string(), function.to_string()));
            assert!(is_new && rest.is_empty(), "not like a row: {line}");
            continue;
        }
        let number = |text: &str| text.parse::<u64>().unwrap_or_else(|_| panic!("a line number in: {line}"));
        let (first, last) = place.split_once('-').unwrap_or((place, place));
        assert!(CLASSES.contains(&class), "a class in: {line}");
        let reached = rest.first().map(|word| {
            let reached = word.strip_prefix("reached=");
            reached.unwrap_or_else(|| panic!("reached=… or nothing at the end of: {line}")).to_string()
        });
        table.faults.push(Fault {
            file: file.to_string(),
            function: function.to_string(),
            kind: kind.to_string(),
            lines: number(first)..=number(last),
            class: class.to_string(),
            reached,
            is_confirmed: true,
        });
    }
    table
}

/// The source file that the functions of a file belong to.
fn source_of(file: &str) -> String {
    Path::new(file).with_extension("c").display().to_string()
}

/// What `tarka gen` reports of a file: its exit status, the functions and the faults, those of all units together.
fn reported(file: &str) -> (Option<i32>, BTreeSet<String>, Vec<Fault>) {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let source = folder().join(file);
    let mut command = tarka();
    command.args(["gen", "--seed", "1", "--time", "6", "--runs", RUNS, "-o"]).arg(scratch.path());
    let result = output(command.args(options_of(&source)).arg(&source));
    assert!(matches!(result.status.code(), Some(0 | 1)), "{file}: {}", text(&result));
    let report = report(scratch.path());
    let (mut functions, mut faults) = (BTreeSet::new(), Vec::new());
    for unit in report["units"].as_array().expect("units") {
        functions.insert(unit["function"].as_str().expect("a name").to_string());
        for fault in unit["faults"].as_array().expect("faults") {
            let word = |name: &str| fault[name].as_str().unwrap_or_default().to_string();
            let line = fault["line"].as_u64().expect("a line");
            faults.push(Fault {
                file: word("file").rsplit('/').next().unwrap_or_default().to_string(),
                function: word("function"),
                kind: word("kind"),
                lines: line..=line,
                class: word("class"),
                reached: fault["reached"].as_str().map(str::to_string),
                is_confirmed: fault["confirmed"] == true,
            });
        }
    }
    (result.status.code(), functions, faults)
}

/// Holds what is said of a file to its rows, and tells all differences at once.
fn check(file: &str) {
    let table = table();
    let (status, functions, told) = reported(file);
    let mut left: Vec<Fault> =
        table.faults.into_iter().filter(|fault| source_of(&fault.file) == file).collect();
    let named: BTreeSet<&str> = (left.iter().map(|fault| fault.function.as_str()))
        .chain(table.sound.iter().map(|(_, function)| function.as_str()))
        .collect();
    let mut wrong: Vec<String> = (functions.iter().filter(|function| !named.contains(function.as_str())))
        .map(|function| format!("no row for {function}"))
        .collect();
    let is_failing = told.iter().any(|fault| fault.class == "bug");
    if status != Some(i32::from(is_failing)) {
        wrong.push(format!("exit status {status:?}, and bugs are told: {is_failing}"));
    }
    for told in told {
        if told.class == "bug" && !told.is_confirmed {
            wrong.push(format!("{told} is called a bug and is not confirmed"));
        }
        let Some(index) = left.iter().position(|row| row.is_same_as(&told)) else {
            if told.class != LIMIT {
                wrong.push(format!("{told} is told as {}, and has no row", told.class));
            }
            continue;
        };
        let row = left.remove(index);
        if row.class != told.class {
            wrong.push(format!("{told} is {}, and told as {}", row.class, told.class));
        }
        if row.reached.is_some() && row.reached != told.reached {
            wrong.push(format!("{told}: reached is {:?}, and told as {:?}", row.reached, told.reached));
        }
    }
    let missed = left.iter().filter(|row| row.class != LIMIT);
    wrong.extend(missed.map(|row| format!("{row} is {}, and not told", row.class)));
    wrong.sort();
    assert!(wrong.is_empty(), "{} differences in {file}\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! files {
    (always: $($test:ident)*; soak: $($slow:ident)*) => {
        const FILES: &[&str] =
            &[$(concat!(stringify!($test), ".c"),)* $(concat!(stringify!($slow), ".c")),*];
        $(#[test]
        fn $test() {
            check(concat!(stringify!($test), ".c"));
        })*
        $(#[test]
        #[ignore = "make soak: all of them together take minutes"]
        fn $slow() {
            check(concat!(stringify!($slow), ".c"));
        })*
    };
}

files! {
    always: allocation arrays entries headers helpers lists numbers parsing pointers records scalars ours_stub_loops;
    soak: arithmetic endings limits memory streams ours_handles ours_library_loops ours_long_loops ours_no_result
        ours_null_with_zero ours_null_with_zero_asked ours_owned
}

#[test]
fn the_table_has_enough_of_every_class_and_names_what_is_there() {
    let table = table();
    let mut of_class: BTreeMap<&str, usize> = BTreeMap::new();
    table.faults.iter().for_each(|fault| *of_class.entry(&fault.class).or_default() += 1);
    assert!(table.faults.len() >= 50, "{} faults", table.faults.len());
    assert!(table.sound.len() >= 15, "{} functions without a fault", table.sound.len());
    assert_eq!(of_class.len(), CLASSES.len(), "{of_class:?}");
    for fault in &table.faults {
        let pair = (fault.file.clone(), fault.function.clone());
        assert!(!table.sound.contains(&pair), "{fault}: its function is said to have none");
    }
    let places = table.faults.iter().map(|fault| (&fault.file, &fault.function, Some(&fault.lines)));
    let sound = table.sound.iter().map(|(file, function)| (file, function, None));
    for (file, function, lines) in places.chain(sound) {
        assert!(FILES.contains(&source_of(file).as_str()), "{file} has rows and no test");
        let source = fs::read_to_string(folder().join(file)).expect("a source file");
        let begins = source
            .lines()
            .position(|line| !line.starts_with([' ', '/', '}']) && line.contains(&format!("{function}(")));
        let begins = begins.unwrap_or_else(|| panic!("{file} has no {function}")) as u64 + 1;
        let ends = source.lines().skip(begins as usize).position(|line| line == "}").expect("an end") as u64;
        if let Some(lines) = lines {
            // A result is missing where the function ends.
            let is_inside = *lines.start() >= begins && *lines.end() <= begins + ends + 1;
            assert!(is_inside, "{file}:{lines:?} is not in {function}");
        }
    }
}
