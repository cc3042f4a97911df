//! The compilation databases of a call: one that was named, or the nearest to each word of the command line.
//!
//! Takes folders; gives databases, each read once, and a note for each that was found and used. Never: looks for files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Database, database_for};
use crate::{ProjectError, Request};

/// The databases read so far.
pub struct Databases {
    read: Vec<Database>,
    used: Vec<bool>,
    /// By the folder that holds them; `None`: it cannot be used.
    known: BTreeMap<PathBuf, Option<usize>>,
    /// There is only this one.
    named: bool,
    /// What is wrong with those that were found.
    problems: Vec<String>,
}

impl Databases {
    /// None so far, or the one that was named.
    pub fn new(request: &Request) -> Result<Databases, ProjectError> {
        let mut databases = Databases {
            read: Vec::new(),
            used: Vec::new(),
            known: BTreeMap::new(),
            named: false,
            problems: Vec::new(),
        };
        if let Some(shown) = request.build_dir {
            let failed = |source| ProjectError::BuildDir { folder: shown.to_path_buf(), source };
            let folder = shown.canonicalize().map_err(failed)?;
            databases.read.push(Database::read(&folder, shown)?);
            databases.used.push(false);
            databases.named = true;
        }
        Ok(databases)
    }

    /// The database for what lies in a folder. One that cannot be read is told once.
    pub fn for_folder(&mut self, folder: &Path) -> Option<usize> {
        if self.named {
            return Some(0);
        }
        let holder = database_for(folder)?;
        if let Some(known) = self.known.get(&holder) {
            return *known;
        }
        let shown = shown(&holder);
        let index = match Database::read(&holder, &shown) {
            Ok(database) => {
                self.read.push(database);
                self.used.push(false);
                Some(self.read.len() - 1)
            }
            Err(error) => {
                self.problems.push(error.to_string());
                None
            }
        };
        self.known.insert(holder, index);
        index
    }

    /// One of them.
    pub fn get(&self, index: usize) -> Option<&Database> {
        self.read.get(index)
    }

    /// Why the one that was found cannot be read.
    pub fn problem(&self) -> Option<&String> {
        self.problems.first()
    }

    /// The first one's file, for messages.
    pub fn first_shown(&self) -> String {
        self.read.first().map(|database| database.shown.clone()).unwrap_or_default()
    }

    /// Flags come from it.
    pub fn use_of(&mut self, index: Option<usize>) {
        if let Some(used) = index.and_then(|index| self.used.get_mut(index)) {
            *used = true;
        }
    }

    /// Where flags come from that nobody asked for, and what is wrong with entries.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.problems.clone();
        for (database, used) in self.read.iter().zip(&self.used) {
            if *used && !self.named {
                notes.push(format!("flags are those of {}", database.shown));
            }
            match database.broken {
                0 => {}
                1 => notes.push(format!("an entry of {} names no file and is passed over", database.shown)),
                many => notes
                    .push(format!("{many} entries of {} name no file and are passed over", database.shown)),
            }
        }
        notes
    }
}

/// A folder from here, if that is shorter.
fn shown(folder: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    if let Ok(inner) = folder.strip_prefix(&here) {
        return Path::new(".").join(inner);
    }
    for (up, above) in here.ancestors().enumerate().skip(1).take(3) {
        if let Ok(inner) = folder.strip_prefix(above) {
            return PathBuf::from("../".repeat(up)).join(inner);
        }
    }
    folder.to_path_buf()
}
