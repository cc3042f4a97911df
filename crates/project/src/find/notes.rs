//! What was left out on the way to the files, gathered and told in one sentence a kind.
//!
//! Takes facts about single files; gives sentences. Never: decides anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::databases::Databases;
use crate::files::Language;

/// Most files named in one sentence.
const NAMED: usize = 3;

/// What is to be told.
#[derive(Default)]
pub struct Notes {
    said: Vec<String>,
    others: BTreeMap<Language, BTreeSet<PathBuf>>,
    missing: BTreeMap<String, BTreeSet<PathBuf>>,
    twice: BTreeMap<String, BTreeSet<PathBuf>>,
    without_flags: BTreeMap<String, BTreeSet<PathBuf>>,
    unbuilt: Vec<(usize, PathBuf)>,
    unbuilt_of: BTreeMap<String, BTreeSet<PathBuf>>,
}

impl Notes {
    /// A sentence of its own.
    pub fn say(&mut self, sentence: String) {
        self.said.push(sentence);
    }

    /// A file of another language is left out.
    pub fn other(&mut self, language: Language, file: &Path) {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        self.others.entry(language).or_default().insert(real);
    }

    /// A file of a database does not exist.
    pub fn missing(&mut self, database: &str, file: PathBuf) {
        self.missing.entry(database.to_string()).or_default().insert(file);
    }

    /// A file is compiled with different flags; the first ones are taken.
    pub fn twice(&mut self, database: &str, file: PathBuf) {
        self.twice.entry(database.to_string()).or_default().insert(file);
    }

    /// A file is not in the database.
    pub fn without_flags(&mut self, database: &str, file: PathBuf) {
        self.without_flags.entry(database.to_string()).or_default().insert(file);
    }

    /// Files of a folder that its build does not compile.
    pub fn unbuilt(&mut self, database: usize, files: Vec<PathBuf>) {
        self.unbuilt.extend(files.into_iter().map(|file| (database, file)));
    }

    /// Nobody needs to hear that these are left out.
    pub fn forget(&mut self, mut is_out: impl FnMut(&Path) -> bool) {
        self.unbuilt.retain(|(_, file)| !is_out(file));
        self.missing.values_mut().for_each(|files| files.retain(|file| !is_out(file)));
        self.missing.retain(|_, files| !files.is_empty());
    }

    /// Which databases do not have them.
    pub fn unbuilt_of(&mut self, databases: &Databases) {
        for (index, file) in std::mem::take(&mut self.unbuilt) {
            let shown = databases.get(index).map(|database| database.shown.clone()).unwrap_or_default();
            self.unbuilt_of.entry(shown).or_default().insert(file);
        }
    }

    /// Everything, each kind in a sentence.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = self.said.clone();
        if !self.others.is_empty() {
            let counted = self.others.iter().map(|(language, files)| language.counted(files.len()));
            sentences.push(format!("left out: {}", counted.collect::<Vec<_>>().join(", ")));
        }
        let mut say = |all: &BTreeMap<String, BTreeSet<PathBuf>>,
                       sentence: &dyn Fn(&str, String, bool) -> String| {
            for (database, files) in all {
                sentences.push(sentence(database, names(files), files.len() == 1));
            }
        };
        say(&self.missing, &|database, names, one| {
            let verb = if one { "does" } else { "do" };
            format!(
                "{names} of {database} {verb} not exist and {} passed over; build the project to make what it generates",
                are(one)
            )
        });
        say(&self.twice, &|database, names, one| {
            format!(
                "{names} {} compiled with different flags in {database}; the first ones are used",
                are(one)
            )
        });
        say(&self.without_flags, &|database, names, one| {
            format!("{names} {} not in {database}; only the flags after `--` are used", are(one))
        });
        say(&self.unbuilt_of, &|database, names, one| {
            let it = if one { "it" } else { "them" };
            format!("{names} {} not in {database} and left out; name {it} to have {it} tested", are(one))
        });
        sentences
    }
}

fn are(one: bool) -> &'static str {
    if one { "is" } else { "are" }
}

/// The first few names, and how many more there are.
fn names(files: &BTreeSet<PathBuf>) -> String {
    let first: Vec<String> = files.iter().take(NAMED).map(|file| file.display().to_string()).collect();
    match files.len().checked_sub(NAMED) {
        None | Some(0) => match first.as_slice() {
            [one @ .., last] if !one.is_empty() => format!("{} and {last}", one.join(", ")),
            _ => first.concat(),
        },
        Some(more) => format!("{} and {more} more files", first.join(", ")),
    }
}
