//! From what was named to the C files with their flags.
//!
//! Takes a request; gives files in the order they were named, those of a folder sorted by path, each once. Never: what a flag or a
//! glob means.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::commands::{Command, Database, database_for};
use crate::files::{Exclude, Glob, Language, below};
use crate::flags::{Judge, LeftOut, Part, parts, without_outputs};
use crate::{Project, ProjectError, Request, SourceFile};

mod databases;
mod notes;

use databases::Databases;
use notes::Notes;

/// A file that may be tested.
struct Candidate {
    /// As it is shown.
    path: PathBuf,
    /// Its path from what was named on the command line.
    inner: PathBuf,
    /// Its real path; `None` if it does not exist.
    real: Option<PathBuf>,
    /// It was named itself.
    is_named: bool,
    /// The database that may have it.
    database: Option<usize>,
}

/// A candidate with the parts of its flags.
struct Chosen {
    path: PathBuf,
    parts: Vec<Part>,
}

/// Finds the files of a request and their flags.
pub fn find(request: &Request) -> Result<Project, ProjectError> {
    let mut finder = Finder {
        request,
        databases: Databases::new(request)?,
        notes: Notes::default(),
        refused: Vec::new(),
        candidates: Vec::new(),
    };
    let excludes: Vec<Exclude> =
        request.excludes.iter().map(|typed| Exclude::new(typed)).collect::<Result<_, _>>()?;
    if request.named.is_empty() {
        finder.all_of_database()?;
    }
    for named in request.named {
        finder.named(named)?;
    }
    let all = finder.exclude(&excludes);
    if all > 0 && finder.candidates.is_empty() {
        return Err(ProjectError::AllExcluded(all));
    }
    let chosen = finder.choose();
    let judge = Judge::new(request.clang, chosen.iter().flat_map(|chosen| &chosen.parts));
    let mut left_out = LeftOut::default();
    let own = without_outputs(request.flags);
    let files: Vec<SourceFile> =
        chosen.into_iter().map(|chosen| chosen.judged(&judge, &own, &mut left_out)).collect();
    if files.is_empty() && request.named.is_empty() {
        return Err(finder.nothing_built());
    }
    let mut notes = finder.databases.notes();
    notes.extend(finder.notes.sentences());
    notes.extend(left_out.notes());
    Ok(Project { files, notes, refused: finder.refused })
}

/// The work on one request.
struct Finder<'a> {
    request: &'a Request<'a>,
    databases: Databases,
    notes: Notes,
    refused: Vec<String>,
    candidates: Vec<Candidate>,
}

impl Finder<'_> {
    /// With nothing named: everything that the database of this folder names.
    fn all_of_database(&mut self) -> Result<(), ProjectError> {
        let here = Path::new(".");
        let Some(index) = self.databases.for_folder(here) else {
            if let Some(problem) = self.databases.problem() {
                return Err(ProjectError::Database(problem.clone()));
            }
            let folder = here.canonicalize().unwrap_or_else(|_| here.to_path_buf());
            return Err(ProjectError::NothingNamed { folder });
        };
        let root = here.canonicalize().ok();
        let from_here = |file: &Path| {
            let inner = root.as_ref().and_then(|root| file.strip_prefix(root).ok());
            inner.unwrap_or(file).to_path_buf()
        };
        self.of_database(index, None, from_here);
        Ok(())
    }

    /// The files of a database, below a folder if one is given.
    fn of_database(
        &mut self,
        index: usize,
        folder: Option<&Path>,
        shown: impl Fn(&Path) -> PathBuf,
    ) -> usize {
        let Some(database) = self.databases.get(index) else { return 0 };
        let mut found = 0;
        for entry in
            database.files().filter(|entry| folder.is_none_or(|folder| entry.file.starts_with(folder)))
        {
            let path = shown(&entry.file);
            match Language::of(&entry.file) {
                Language::C if entry.exists => {
                    found += 1;
                    self.candidates.push(Candidate {
                        inner: path.clone(),
                        path,
                        real: Some(entry.file.clone()),
                        is_named: false,
                        database: Some(index),
                    });
                }
                Language::C => self.notes.missing(&database.shown, path),
                other => self.notes.other(other, &entry.file),
            }
        }
        found
    }

    /// One word of the command line.
    fn named(&mut self, named: &Path) -> Result<(), ProjectError> {
        if Glob::is(named) {
            return self.glob(named);
        }
        if named.is_dir() {
            self.folder(named);
            return Ok(());
        }
        let folder = named.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let database = self.databases.for_folder(folder);
        self.candidates.push(Candidate {
            path: named.to_path_buf(),
            inner: named.to_path_buf(),
            real: named.canonicalize().ok(),
            is_named: true,
            database,
        });
        Ok(())
    }

    /// A folder: what its build compiles below it; without a build, all C files there.
    fn folder(&mut self, folder: &Path) {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let prefix = folder.strip_prefix(".").unwrap_or(folder).to_path_buf();
        let database = self.databases.for_folder(folder);
        let shown = |file: &Path| prefix.join(file.strip_prefix(&real).unwrap_or(file));
        let before = self.candidates.len();
        let found = database.map_or(0, |index| self.of_database(index, Some(&real), shown));
        let walk = below(&prefix, self.request.out);
        for (folder, reason) in walk.unreadable {
            self.notes.say(format!("{} cannot be read and is passed over: {reason}", folder.display()));
        }
        if found > 0 {
            let known: BTreeSet<PathBuf> =
                self.candidates[before..].iter().filter_map(|candidate| candidate.real.clone()).collect();
            let is_known = |file: &PathBuf| file.canonicalize().is_ok_and(|real| known.contains(&real));
            let unbuilt: Vec<PathBuf> = walk.files.into_iter().filter(|file| !is_known(file)).collect();
            if let Some(database) = database {
                self.notes.unbuilt(database, unbuilt);
            }
        } else {
            walk.others.iter().for_each(|(language, file)| self.notes.other(*language, file));
            if walk.files.is_empty() {
                self.refused.push(format!(
                    "there is no C file below {}; name C files, or a folder that has some",
                    folder.display()
                ));
            }
            walk.files.into_iter().for_each(|file| self.found(file, &prefix, database));
        }
    }

    /// A glob: the files that it means, whatever the build says of them.
    fn glob(&mut self, named: &Path) -> Result<(), ProjectError> {
        let glob = Glob::new(named)?;
        let start = if glob.folder.as_os_str().is_empty() { Path::new(".") } else { &glob.folder };
        let database = self.databases.for_folder(start);
        let walk = below(&glob.folder, self.request.out);
        let meant: Vec<PathBuf> = walk.files.into_iter().filter(|file| glob.means(file)).collect();
        if meant.is_empty() {
            self.refused.push(format!("no C file matches {}; ** stands for any folders", named.display()));
        }
        meant.into_iter().for_each(|file| self.found(file, &glob.folder, database));
        Ok(())
    }

    /// A file that lies below what was named.
    fn found(&mut self, path: PathBuf, prefix: &Path, database: Option<usize>) {
        // clang is called with names as text.
        if path.to_str().is_none() {
            self.notes.say(format!(
                "{} is left out: its name is no UTF-8; rename it to have it tested",
                path.display()
            ));
            return;
        }
        let inner = path.strip_prefix(prefix).unwrap_or(&path).to_path_buf();
        let real = path.canonicalize().ok();
        self.candidates.push(Candidate { path, inner, real, is_named: false, database });
    }

    /// Takes away what is left out; gives how many files there were.
    fn exclude(&mut self, excludes: &[Exclude]) -> usize {
        let all = self.candidates.len();
        let mut used = vec![false; excludes.len()];
        let mut is_out = |path: &Path, inner: &Path, real: &Path| {
            let mut out = false;
            for (exclude, used) in excludes.iter().zip(&mut used) {
                let is_here = exclude.leaves_out(path, inner)
                    || (exclude.typed.starts_with('/') && exclude.leaves_out(real, real));
                *used |= is_here;
                out |= is_here;
            }
            out
        };
        self.candidates.retain(|candidate| {
            let real = candidate.real.as_deref().unwrap_or(&candidate.path);
            !is_out(&candidate.path, &candidate.inner, real)
        });
        self.notes.forget(|path| is_out(path, path, path));
        for (exclude, _) in excludes.iter().zip(&used).filter(|(_, used)| !**used) {
            self.notes.say(format!("--exclude {} leaves out no C file", exclude.typed));
        }
        all
    }

    /// Each file once, with the parts of its flags.
    fn choose(&mut self) -> Vec<Chosen> {
        let mut seen = BTreeSet::new();
        let mut chosen = Vec::new();
        for candidate in std::mem::take(&mut self.candidates) {
            if candidate.real.as_ref().is_some_and(|real| !seen.insert(real.clone())) {
                continue;
            }
            match self.flags_of(&candidate) {
                Ok(Some(parts)) => chosen.push(Chosen { path: candidate.path, parts }),
                Ok(None) => {}
                Err(message) => self.refused.push(message),
            }
        }
        self.notes.unbuilt_of(&self.databases);
        chosen
    }

    /// What the build says of a file; `None` if it is no C there.
    fn flags_of(&mut self, candidate: &Candidate) -> Result<Option<Vec<Part>>, String> {
        let Some(real) = &candidate.real else { return Ok(Some(Vec::new())) };
        let Some(database) = candidate.database.and_then(|index| self.databases.get(index)) else {
            return Ok(Some(Vec::new()));
        };
        let shown = &database.shown;
        let file = candidate.path.display();
        let calls = database.calls_for(real);
        let Some(call) = calls.first() else {
            if self.request.build_dir.is_some() && candidate.is_named {
                return Err(format!(
                    "{file} is not in {shown}; build it there once, or give its flags after `--` instead of -p"
                ));
            }
            self.notes.without_flags(shown, candidate.path.clone());
            return Ok(Some(Vec::new()));
        };
        let command = Command::of(call).map_err(|error| {
            format!(
                "{shown}: the command of {file} {}; build it there again, or give its flags after `--`",
                error.words()
            )
        })?;
        match Language::of_call(real, &command.compiler, &command.arguments) {
            // What is named is refused by those who read it, if it is no C.
            Language::C | Language::Other => {}
            other => {
                self.notes.other(other, real);
                return Ok(None);
            }
        }
        let first = parts(&command.arguments, &call.folder);
        let is_other = |other: &&crate::commands::Entry| {
            Command::of(other).is_ok_and(|command| parts(&command.arguments, &other.folder) != first)
        };
        if calls[1..].iter().any(is_other) {
            self.notes.twice(shown, candidate.path.clone());
        }
        self.databases.use_of(candidate.database);
        Ok(Some(first))
    }

    /// The database names nothing to test.
    fn nothing_built(&self) -> ProjectError {
        let why: Vec<String> = self.refused.iter().cloned().chain(self.notes.sentences()).collect();
        let why = (!why.is_empty()).then(|| why.join("; "));
        ProjectError::NothingBuilt { database: self.databases.first_shown(), why }
    }
}

impl Chosen {
    fn judged(self, judge: &Judge, own: &[String], left_out: &mut LeftOut) -> SourceFile {
        let mut flags = Vec::new();
        for part in self.parts {
            let (words, reason) = match part {
                Part::Kept(words) => (words, None),
                Part::LeftOut(words, reason) => (words, Some(reason)),
                Part::Asked(words) | Part::Linked(words, _) => {
                    let reason = judge.refusal(&words);
                    (words, reason)
                }
            };
            match reason {
                None => flags.extend(words),
                Some(reason) => left_out.add(&words, reason),
            }
        }
        flags.extend(own.iter().cloned());
        SourceFile { path: self.path, flags }
    }
}
