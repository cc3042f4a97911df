//! The tables of `docs/subjects-measured.md`: takes the folder that `scripts/measure-subjects` filled (`about.tsv`, `files.txt`
//! and, for each file, a folder with `seconds` and `out/report.json` or `error`), prints what came of each package, in
//! Markdown, and writes every fault to `target/subjects-faults.tsv`. With `--before FOLDER` it prints how each package changed
//! since that measurement, and writes nothing. Never runs Tarka, and never fails because a file did.
#![allow(clippy::disallowed_macros)] // A measurement prints.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Where the faults are listed for reading.
const FAULTS: &str = "target/subjects-faults.tsv";

/// Functions that are told apart, by package.
const GOOD_UNITS: &str = include_str!("../../../scripts/good-units.tsv");

/// The classes of faults, the worst first.
const CLASSES: [&str; 4] = ["bug", "unchecked", "contract", "limit"];

// What is counted of `report.json`. Measurements of other versions are read as well, so whatever a version may lack has a
// default here.

#[derive(Deserialize)]
struct Report {
    units: Vec<Unit>,
}

#[derive(Deserialize)]
struct Unit {
    function: String,
    status: String,
    message: String,
    skipped: bool,
    goals: GoalCounts,
    goal_list: Vec<Goal>,
    faults: Vec<Fault>,
}

#[derive(Deserialize)]
struct GoalCounts {
    total: u64,
    covered: u64,
    infeasible: u64,
    /// Without it, `covered` counts what only faults show as well.
    covered_by_faults_only: Option<u64>,
}

#[derive(Deserialize)]
struct Goal {
    status: String,
    #[serde(default)]
    cause: String,
    #[serde(default)]
    tests: Vec<String>,
    #[serde(default)]
    covered_by_faults_only: bool,
}

#[derive(Deserialize)]
struct Fault {
    kind: String,
    file: String,
    line: u32,
    message: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    rank: u32,
    confirmed: bool,
    #[serde(default)]
    reached: Option<String>,
    #[serde(default)]
    precondition: Option<Precondition>,
    test: Option<String>,
}

#[derive(Deserialize)]
struct Precondition {
    words: String,
}

/// What came of a package.
#[derive(Default)]
struct Figures {
    files: u64,
    tried: u64,
    /// Functions that were not tested, by reason.
    skipped: BTreeMap<String, u64>,
    goals: u64,
    by_tests: u64,
    by_faults_only: u64,
    proved: u64,
    /// The other goals, by cause.
    open: BTreeMap<String, u64>,
    /// Faults, by class.
    faults: BTreeMap<String, u64>,
    seconds: u64,
    /// Files that could not be tested, each with its error.
    failed: Vec<(String, String)>,
    /// Goals of each function, those that tests cover, and those that are proved infeasible.
    units: BTreeMap<String, [u64; 3]>,
}

/// A fault with its place in the listing.
struct Listed {
    /// Class, place among those of its class in its file, number of the file: the first of every file comes first.
    order: (usize, usize, usize),
    line: String,
}

/// What `scripts/measure-subjects` left in a folder.
struct Measurement {
    about: BTreeMap<String, String>,
    packages: BTreeMap<String, Figures>,
    faults: Vec<Listed>,
}

impl Figures {
    fn add_unit(&mut self, unit: &Unit) {
        if unit.skipped || unit.status == "error" {
            *self.skipped.entry(reason(&unit.message)).or_default() += 1;
            return;
        }
        self.tried += 1;
        let is_by_faults = |goal: &&Goal| {
            goal.status == "covered" && goal.tests.iter().all(|test| test.starts_with("fault_"))
        };
        let counts = &unit.goals;
        let (by_tests, by_faults_only) = match counts.covered_by_faults_only {
            Some(only) => (counts.covered, only),
            None => {
                let only = unit.goal_list.iter().filter(is_by_faults).count() as u64;
                (counts.covered - only, only)
            }
        };
        self.goals += counts.total;
        self.by_tests += by_tests;
        self.by_faults_only += by_faults_only;
        self.proved += counts.infeasible;
        self.units.insert(unit.function.clone(), [counts.total, by_tests, counts.infeasible]);
        let is_open = |goal: &&Goal| goal.status == "unknown" && !goal.covered_by_faults_only;
        for goal in unit.goal_list.iter().filter(is_open) {
            *self.open.entry(goal.cause.clone()).or_default() += 1;
        }
        for fault in &unit.faults {
            *self.faults.entry(fault.class.clone()).or_default() += 1;
        }
    }

    fn add(&mut self, other: &Figures) {
        let sum = |to: &mut BTreeMap<String, u64>, from: &BTreeMap<String, u64>| {
            from.iter().for_each(|(name, count)| *to.entry(name.clone()).or_default() += count);
        };
        self.files += other.files;
        self.tried += other.tried;
        sum(&mut self.skipped, &other.skipped);
        self.goals += other.goals;
        self.by_tests += other.by_tests;
        self.by_faults_only += other.by_faults_only;
        self.proved += other.proved;
        sum(&mut self.open, &other.open);
        sum(&mut self.faults, &other.faults);
        self.seconds += other.seconds;
        self.failed.extend(other.failed.iter().cloned());
    }

    /// The columns of the first table, with their titles.
    fn columns(&self) -> Vec<(&'static str, u64)> {
        let mut columns = vec![
            ("files", self.files),
            ("functions", self.tried),
            ("skipped", self.skipped.values().sum()),
            ("goals", self.goals),
            ("covered by tests", self.by_tests),
            ("only by faults", self.by_faults_only),
            ("proved", self.proved),
            ("open", self.open.values().sum()),
        ];
        columns.extend(CLASSES.map(|class| (class, self.faults.get(class).copied().unwrap_or(0))));
        columns.push(("seconds", self.seconds));
        columns
    }
}

/// Why a function was not tested, without what is particular to it: the place, and which parameter it is.
fn reason(message: &str) -> String {
    let message = message.lines().next().unwrap_or_default();
    if let Some((_, objection)) = message.split_once("does not accept the emitted tests: ") {
        let objection = objection.split_once(": ").map_or(objection, |(_, what)| what);
        return format!("the emitted tests do not compile: {}", objection.trim_start_matches("error: "));
    }
    let message = match message.rsplit_once(" (") {
        Some((reason, place)) if place.ends_with(')') => reason,
        _ => message,
    };
    let parameter = message.strip_prefix("its ").and_then(|rest| rest.split_once("` "));
    parameter.map_or(message.to_string(), |(_, what)| format!("a parameter {what}"))
}

/// A text that breaks neither a table nor a listing.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Measurement {
    fn read(folder: &Path) -> Result<Measurement, Box<dyn Error>> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let about = read("about.tsv")?;
        let about = about.lines().filter_map(|line| line.split_once('\t'));
        let about = about.map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let mut measured = Measurement { about, packages: BTreeMap::new(), faults: Vec::new() };
        for (number, file) in read("files.txt")?.lines().enumerate() {
            measured.add_file(folder, file, number)?;
        }
        measured.faults.sort_by_key(|fault| fault.order);
        Ok(measured)
    }

    fn add_file(&mut self, folder: &Path, file: &str, number: usize) -> Result<(), Box<dyn Error>> {
        let package = file.split('/').next().unwrap_or_default();
        let figures = self.packages.entry(package.to_string()).or_default();
        figures.files += 1;
        let own = folder.join(file);
        let seconds = fs::read_to_string(own.join("seconds")).unwrap_or_default();
        figures.seconds += seconds.trim().parse::<u64>().unwrap_or(0);
        let path = own.join("out/report.json");
        let Ok(text) = fs::read_to_string(&path) else {
            let error = fs::read_to_string(own.join("error")).unwrap_or_else(|_| "not measured".to_string());
            figures.failed.push((file.to_string(), one_line(&error)));
            return Ok(());
        };
        let report: Report =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        report.units.iter().for_each(|unit| figures.add_unit(unit));
        let mut faults: Vec<&Fault> = report.units.iter().flat_map(|unit| &unit.faults).collect();
        faults.sort_by_key(|fault| fault.rank);
        let mut of_class = BTreeMap::new();
        for fault in faults {
            let class = CLASSES.iter().position(|class| *class == fault.class).unwrap_or(CLASSES.len());
            let place: &mut usize = of_class.entry(class).or_default();
            *place += 1;
            let line = fault.listing(package, &own.join("out"));
            self.faults.push(Listed { order: (class, *place, number), line });
        }
        Ok(())
    }

    fn total(&self) -> Figures {
        let mut total = Figures::default();
        self.packages.values().for_each(|figures| total.add(figures));
        total
    }

    fn says(&self, what: &str) -> &str {
        self.about.get(what).map_or("unknown", String::as_str)
    }

    /// When, where and with what it was made.
    fn circumstances(&self) -> String {
        format!(
            "{}, {}, {} ({}), {} s a function",
            self.says("date"),
            self.says("machine"),
            self.says("version"),
            self.says("commit"),
            self.says("seconds")
        )
    }
}

impl Fault {
    /// A line of the listing: package, place, kind, class, confirmed, reached, message, precondition, fault file.
    fn listing(&self, package: &str, out: &Path) -> String {
        let file =
            self.file.split_once(&format!("/{package}/")).map_or(self.file.as_str(), |(_, inside)| inside);
        let place = format!("{file}:{}", self.line);
        let confirmed = if self.confirmed { "confirmed" } else { "unconfirmed" };
        let needs = self.precondition.as_ref().map_or("", |precondition| &precondition.words);
        let test = self.test.as_ref().map(|test| out.join(test).display().to_string());
        let cells = [
            package,
            &place,
            &self.kind,
            &self.class,
            confirmed,
            self.reached.as_deref().unwrap_or_default(),
            &self.message,
            needs,
            test.as_deref().unwrap_or_default(),
        ];
        cells.map(one_line).join("\t")
    }
}

/// A row of a table.
fn print_row(name: &str, cells: impl IntoIterator<Item = String>) {
    println!("| {name} | {} |", cells.into_iter().collect::<Vec<_>>().join(" | "));
}

fn print_head(first: &str, titles: &[&str]) {
    println!("\n| {first} | {} |", titles.join(" | "));
    println!("|---|{}", "--:|".repeat(titles.len()));
}

/// Counts with their names, the most frequent first.
fn counted(counts: &BTreeMap<String, u64>) -> String {
    let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
    counts.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
    counts.iter().map(|(name, count)| format!("{count} × {name}")).collect::<Vec<_>>().join("; ")
}

fn print_tables(measured: &Measurement) {
    let total = measured.total();
    println!("# Real code, measured\n");
    println!("Every function of the open list (`scripts/open-list.tsv`). Made by `make subjects`.");
    println!("{}.", measured.circumstances());
    let share = 100.0 * total.by_tests as f64 / total.goals.max(1) as f64;
    println!(
        "Goals are sides of branches; *covered by tests* counts passing tests alone: {share:.1} % of all."
    );
    let columns = |figures: &Figures| figures.columns().into_iter().map(|(_, count)| count.to_string());
    let titles: Vec<&str> = total.columns().into_iter().map(|(title, _)| title).collect();
    print_head("package", &titles);
    for (name, figures) in &measured.packages {
        print_row(name, columns(figures));
        for (file, error) in &figures.failed {
            let none = vec![String::new(); titles.len()];
            print_row(&format!("`{file}` **failed**: {}", error.replace('|', "\\|")), none);
        }
    }
    print_row("**all**", columns(&total));

    println!("\n## Open goals by cause");
    let mut causes: Vec<(&String, &u64)> = total.open.iter().collect();
    causes.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
    let causes: Vec<&str> = causes.into_iter().map(|(cause, _)| cause.as_str()).collect();
    print_head("package", &causes);
    let open = |figures: &Figures| -> Vec<String> {
        causes.iter().map(|&cause| figures.open.get(cause).copied().unwrap_or(0).to_string()).collect()
    };
    measured.packages.iter().for_each(|(name, figures)| print_row(name, open(figures)));
    print_row("**all**", open(&total));

    println!("\n## Skipped functions by reason\n");
    if total.skipped.is_empty() {
        println!("None.");
    }
    for (name, figures) in measured.packages.iter().filter(|(_, figures)| !figures.skipped.is_empty()) {
        println!("- {name}: {}", counted(&figures.skipped));
    }
}

/// The functions that are told apart, and their share.
fn print_good_units(measured: &Measurement) {
    println!("\n## Good units\n");
    println!("Parsers, decoders and arithmetic that need no caller (`scripts/good-units.tsv`).");
    print_head("function", &["goals", "covered by tests", "proved"]);
    let mut total = [0; 3];
    let rows = GOOD_UNITS.lines().filter(|line| !line.starts_with('#'));
    for (package, functions) in rows.filter_map(|line| line.split_once('\t')) {
        for function in functions.split(',') {
            let figures = measured.packages.get(package).and_then(|figures| figures.units.get(function));
            let Some(figures) = figures else {
                print_row(&format!("{package} `{function}`, not measured"), vec![String::new(); 3]);
                continue;
            };
            total.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
            print_row(&format!("{package} `{function}`"), figures.map(|figure| figure.to_string()));
        }
    }
    let [goals, covered, _] = total;
    let share = 100.0 * covered as f64 / goals.max(1) as f64;
    print_row(&format!("**all** ({share:.1} % covered)"), total.map(|figure| figure.to_string()));
}

/// One table: a figure that changed shows both values.
fn print_changes(before: &Measurement, after: &Measurement) {
    println!("Before: {}.\nAfter: {}.", before.circumstances(), after.circumstances());
    let none = Figures::default();
    let titles: Vec<&str> = none.columns().into_iter().map(|(title, _)| title).collect();
    print_head("package", &titles);
    let cells = |before: &Figures, after: &Figures| -> Vec<String> {
        let pairs = before.columns().into_iter().zip(after.columns());
        let cell = |old: u64, new: u64| if old == new { new.to_string() } else { format!("{old} → {new}") };
        pairs.map(|((_, old), (_, new))| cell(old, new)).collect()
    };
    let names: BTreeSet<&String> = before.packages.keys().chain(after.packages.keys()).collect();
    for name in names {
        let (old, new) = (before.packages.get(name), after.packages.get(name));
        print_row(name, cells(old.unwrap_or(&none), new.unwrap_or(&none)));
    }
    print_row("**all**", cells(&before.total(), &after.total()));
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [folder] => {
            let measured = Measurement::read(&PathBuf::from(folder))?;
            print_tables(&measured);
            print_good_units(&measured);
            let mut listing =
                "# package\tplace\tkind\tclass\tconfirmed\treached\tmessage\tprecondition\tfault file\n"
                    .to_string();
            measured.faults.iter().for_each(|fault| listing.push_str(&format!("{}\n", fault.line)));
            fs::write(FAULTS, listing)?;
        }
        [folder, "--before", before] => {
            let before = Measurement::read(&PathBuf::from(before))?;
            print_changes(&before, &Measurement::read(&PathBuf::from(folder))?);
        }
        _ => return Err("usage: subjects FOLDER [--before FOLDER]".into()),
    }
    Ok(())
}
