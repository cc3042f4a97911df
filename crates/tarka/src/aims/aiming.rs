//! From a request for a part of the goals to the goals of each file.
//!
//! Takes the request, the models with the functions to be tested, and what git says; gives an [`Aim`] for each model, or
//! says what is wrong with the request and which lines would have goals. Never parses words, never runs anything but git.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use tarka_campaign::{Aim, goal_place};
use tarka_source::{Criterion, FunctionId, GoalScope, SourceModel, goals_of};

use crate::aims::aim::AimRequest;
use crate::aims::git::History;
use crate::failure::{Failure, did_you_mean};

/// How many lines with goals are named where there are none.
const NEARBY: usize = 4;

/// A file with the functions that may be tested.
pub struct FileUnits<'a> {
    /// The file.
    pub model: &'a SourceModel,
    /// Its functions.
    pub units: &'a [FunctionId],
}

/// What a request comes to.
pub struct Aimed {
    /// One for each of the files.
    pub aims: Vec<Aim>,
    /// Parts of the request that ask for nothing, one sentence each.
    pub remarks: Vec<String>,
    /// Where nothing at all is asked for because nothing to test has changed: the message.
    pub unchanged: Option<String>,
}

/// Everything needed to make sense of a request.
pub struct Aiming<'a> {
    /// The request.
    pub request: &'a AimRequest,
    /// What counts as a goal.
    pub criterion: Criterion,
    /// Whose goals count.
    pub scope: GoalScope,
    /// The files named on the command line, also those that could not be analysed.
    pub files: &'a [PathBuf],
    /// What can be tested.
    pub files_units: &'a [FileUnits<'a>],
}

/// A file that goals may stand in, by its name in each model that has it.
#[derive(Default)]
struct KnownFile {
    names: BTreeSet<(usize, String)>,
}

impl Aiming<'_> {
    /// The goals asked for, file by file.
    pub fn aims(&self) -> Result<Aimed, Failure> {
        let known = self.known_files();
        let mut aims = vec![Aim::default(); self.files_units.len()];
        let mut remarks = Vec::new();
        for asked in &self.request.lines {
            let option = format!("--lines {}", asked.typed);
            let Some(file) = self.file(&known, asked.file.as_deref(), &option)? else { continue };
            check_length(file, *asked.lines.start(), &option)?;
            let mut own = vec![Aim::default(); aims.len()];
            for (model, name) in &known[file].names {
                own[*model].lines.entry(name.clone()).or_default().push(asked.lines.clone());
            }
            if !self.asks(&own) {
                remarks.push(self.nothing(&known[file], &own, &asked.lines, &option));
            }
            own.into_iter().zip(&mut aims).for_each(|(own, aim)| merge(aim, own));
        }
        for asked in &self.request.goals {
            let option = format!("--goal {}", asked.typed);
            let Some(file) = self.file(&known, asked.file.as_deref(), &option)? else { continue };
            check_length(file, asked.line, &option)?;
            let mut own = vec![Aim::default(); aims.len()];
            for (model, name) in &known[file].names {
                own[*model].places.insert((name.clone(), asked.line, asked.column));
            }
            if !self.asks(&own) {
                let line = asked.line..=asked.line;
                return Err(Failure::Usage(self.nothing(&known[file], &own, &line, &option)));
            }
            own.into_iter().zip(&mut aims).for_each(|(own, aim)| merge(aim, own));
        }
        let mut unchanged = None;
        if let Some(revision) = &self.request.since {
            let changed = self.changed(&known, revision)?;
            if !self.asks(&changed) {
                unchanged = Some(self.nothing_changed(&changed, revision));
            }
            changed.into_iter().zip(&mut aims).for_each(|(own, aim)| merge(aim, own));
        }
        if !self.asks(&aims) && !remarks.is_empty() {
            return Err(Failure::Usage(remarks.join("\n")));
        }
        Ok(Aimed { unchanged: unchanged.filter(|_| !self.asks(&aims)), aims, remarks })
    }

    /// Every file that has goals of these units, by its real path.
    fn known_files(&self) -> BTreeMap<PathBuf, KnownFile> {
        let mut known: BTreeMap<PathBuf, KnownFile> = BTreeMap::new();
        for (index, file_units) in self.files_units.iter().enumerate() {
            let model = file_units.model;
            let mut names: BTreeSet<&str> = BTreeSet::new();
            for function in model.own_functions() {
                names.insert(&function.place.file);
                names.extend(function.statements.iter().map(|statement| statement.place.file.as_str()));
                names.extend(function.sites.iter().map(|site| model.site(*site).place.file.as_str()));
            }
            let main = model.file.display().to_string();
            for name in names.into_iter().chain([main.as_str()]) {
                known.entry(real(Path::new(name))).or_default().names.insert((index, name.to_string()));
            }
        }
        known
    }

    /// The file that the user means; `None` for one that could not be analysed, of which the user knows by now.
    fn file<'k>(
        &self,
        known: &'k BTreeMap<PathBuf, KnownFile>,
        typed: Option<&str>,
        option: &str,
    ) -> Result<Option<&'k PathBuf>, Failure> {
        let Some(typed) = typed else {
            return match self.files {
                [only] => Ok(known.keys().find(|file| **file == real(only))),
                _ => Err(Failure::Usage(format!(
                    "{option}: which of the {} files? write {}:{}",
                    self.files.len(),
                    self.files.first().map(|file| file.display().to_string()).unwrap_or_default(),
                    option.rsplit(' ').next().unwrap_or_default()
                ))),
            };
        };
        let is_meant = |file: &Path| file == real(Path::new(typed)) || file.ends_with(typed);
        let exact = known.keys().find(|file| **file == real(Path::new(typed)));
        let meant: Vec<&PathBuf> =
            exact.map_or_else(|| known.keys().filter(|file| is_meant(file)).collect(), |file| vec![file]);
        match meant[..] {
            [file] => Ok(Some(file)),
            [] if self.files.iter().any(|file| is_meant(&real(file))) => Ok(None),
            [] => {
                let names = known.values().flat_map(|file| file.names.iter().map(|(_, name)| name.as_str()));
                let names: BTreeSet<&str> = names.collect();
                let short = names.iter().filter_map(|name| Path::new(name).file_name()?.to_str());
                let hint = match did_you_mean(typed, names.iter().copied().chain(short)) {
                    hint if hint.is_empty() => {
                        format!("; the files are {}", names.into_iter().collect::<Vec<_>>().join(", "))
                    }
                    hint => hint,
                };
                Err(Failure::Usage(format!("{option}: no goal stands in a file `{typed}`{hint}")))
            }
            _ => {
                let several: Vec<String> = meant.iter().map(|file| file.display().to_string()).collect();
                Err(Failure::Usage(format!(
                    "{option}: `{typed}` may be {}; write more of its path",
                    several.join(" or ")
                )))
            }
        }
    }

    /// The lines that changed, in every file that goals stand in. Headers of another repository, or of none, are not the
    /// user's to change.
    fn changed(&self, known: &BTreeMap<PathBuf, KnownFile>, revision: &str) -> Result<Vec<Aim>, Failure> {
        let mut history = History::since(revision);
        let mut aims = vec![Aim::default(); self.files_units.len()];
        let mut work_trees = BTreeSet::new();
        let main = |file: &&PathBuf| self.files_units.iter().any(|of| real(&of.model.file) == **file);
        for file in known.keys().filter(main) {
            work_trees.insert(history.work_tree(file)?);
        }
        for (file, of) in known {
            let is_own = || history.work_tree(file).is_ok_and(|top| work_trees.contains(&top));
            if !main(&file) && !is_own() {
                continue;
            }
            let lines = history.changed_lines(file)?;
            for (model, name) in &of.names {
                aims[*model].lines.entry(name.clone()).or_default().extend(lines.iter().cloned());
            }
        }
        Ok(aims)
    }

    /// Whether any goal of a function to be tested is asked for.
    fn asks(&self, aims: &[Aim]) -> bool {
        let mut pairs = self.files_units.iter().zip(aims);
        pairs.any(|(file_units, aim)| {
            let what = (self.criterion, self.scope);
            file_units.units.iter().any(|unit| asked_of_unit(file_units.model, *unit, what, aim))
        })
    }

    /// Why some lines of a file ask for nothing, and what would.
    fn nothing(&self, file: &KnownFile, own: &[Aim], lines: &RangeInclusive<u32>, option: &str) -> String {
        let goals = self.criterion_words();
        let hint = self.left_out(own).or_else(|| self.as_statements(own));
        let nearby = self.nearby(file, lines);
        let nearby = match nearby.is_empty() {
            true => format!("; the functions to be tested have no {goals} in this file"),
            false => format!("; lines nearby that have some: {}", nearby.join(", ")),
        };
        let hint = hint.map(|hint| format!("\n  {hint}")).unwrap_or_default();
        format!("{option}: there are no {goals} there{nearby}{hint}")
    }

    /// Why what changed asks for nothing.
    fn nothing_changed(&self, changed: &[Aim], revision: &str) -> String {
        if changed.iter().all(|aim| aim.lines.values().all(Vec::is_empty)) {
            return format!("nothing changed since {revision}");
        }
        let hint = self.left_out(changed).or_else(|| self.as_statements(changed));
        let hint = hint.map(|hint| format!("\n  {hint}")).unwrap_or_default();
        format!("nothing to test: no {} on the lines changed since {revision}{hint}", self.criterion_words())
    }

    fn criterion_words(&self) -> String {
        format!("goals of the criterion `{}`", self.criterion.name())
    }

    /// The nearest lines of a file with goals of functions to be tested, each with its function.
    fn nearby(&self, file: &KnownFile, lines: &RangeInclusive<u32>) -> Vec<String> {
        let mut found: BTreeMap<u32, &str> = BTreeMap::new();
        for (index, name) in &file.names {
            let FileUnits { model, units } = &self.files_units[*index];
            for &unit in *units {
                for function in model.goal_functions(unit, self.scope) {
                    let goals = goals_of(model, function, self.criterion).into_iter();
                    let places = goals.map(|goal| goal_place(model, goal));
                    let lines = places.filter(|place| place.file == *name).map(|place| place.line);
                    found.extend(lines.map(|line| (line, model.function(function).name.as_str())));
                }
            }
        }
        let distance = |line: u32| line.saturating_sub(*lines.end()).max(lines.start().saturating_sub(line));
        let mut nearest: Vec<(u32, &str)> = found.into_iter().collect();
        nearest.sort_by_key(|(line, _)| distance(*line));
        nearest.truncate(NEARBY);
        nearest.sort_unstable();
        nearest.into_iter().map(|(line, function)| format!("{line} in `{function}`")).collect()
    }

    /// A function that has what is asked for, but is not among those to be tested.
    fn left_out(&self, aims: &[Aim]) -> Option<String> {
        self.files_units.iter().zip(aims).find_map(|(file_units, aim)| {
            let all = (0..file_units.model.functions.len() as u32).map(FunctionId);
            let mut others = all.filter(|function| !file_units.units.contains(function));
            let function = others.find(|other| asked(file_units.model, *other, self.criterion, aim))?;
            let name = &file_units.model.function(function).name;
            Some(format!(
                "`{name}` has, and is not among the functions to be tested: ask for it with -f {name}"
            ))
        })
    }

    /// Statements stand on the lines, though no goal of the criterion does.
    fn as_statements(&self, aims: &[Aim]) -> Option<String> {
        let mut pairs = self.files_units.iter().zip(aims);
        let has_statements = pairs.any(|(file_units, aim)| {
            let touched = Aim { lines: touched(aim), ..Aim::default() };
            file_units.units.iter().any(|unit| asked(file_units.model, *unit, Criterion::Statement, &touched))
        });
        let is_other = self.criterion != Criterion::Statement;
        (is_other && has_statements).then(|| "there are statements: -c statement asks for these".to_string())
    }
}

/// Whether any goal of a unit is asked for.
pub fn asked_of_unit(
    model: &SourceModel,
    unit: FunctionId,
    (criterion, scope): (Criterion, GoalScope),
    aim: &Aim,
) -> bool {
    model.goal_functions(unit, scope).into_iter().any(|function| asked(model, function, criterion, aim))
}

/// Whether any goal of a function is asked for.
fn asked(model: &SourceModel, function: FunctionId, criterion: Criterion, aim: &Aim) -> bool {
    goals_of(model, function, criterion).into_iter().any(|goal| aim.asks(model, goal))
}

/// All lines that an aim speaks of.
fn touched(aim: &Aim) -> BTreeMap<String, Vec<RangeInclusive<u32>>> {
    let mut lines = aim.lines.clone();
    for (file, line, _) in &aim.places {
        lines.entry(file.clone()).or_default().push(*line..=*line);
    }
    lines
}

fn merge(aim: &mut Aim, more: Aim) {
    for (file, lines) in more.lines {
        aim.lines.entry(file).or_default().extend(lines);
    }
    aim.places.extend(more.places);
}

/// A file that is not so long is not the one that is meant.
fn check_length(file: &Path, line: u32, option: &str) -> Result<(), Failure> {
    let Ok(text) = std::fs::read(file) else { return Ok(()) };
    let newlines = text.iter().filter(|byte| **byte == b'\n').count();
    let lines = newlines + usize::from(text.last().is_some_and(|byte| *byte != b'\n'));
    if line as usize <= lines {
        return Ok(());
    }
    Err(Failure::Usage(format!("{option}: {} has only {lines} lines", file.display())))
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
