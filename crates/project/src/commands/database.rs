//! What a compilation database says, entry by entry.
//!
//! Takes its folder; gives the entries and where each C file stands in it. Never: takes a command apart before somebody asks for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::ProjectError;

/// The name of a compilation database.
pub const FILE: &str = "compile_commands.json";

/// A compilation database.
#[derive(Debug)]
pub struct Database {
    /// Its file, for messages.
    pub shown: String,
    /// The entries, in its order.
    pub entries: Vec<Entry>,
    /// How many entries name no file.
    pub broken: usize,
    of_file: BTreeMap<PathBuf, Vec<usize>>,
}

/// One call of a compiler.
#[derive(Debug)]
pub struct Entry {
    /// Where it was called.
    pub folder: PathBuf,
    /// The file that it compiles; its real path, if there is one.
    pub file: PathBuf,
    /// The file exists.
    pub exists: bool,
    /// What it says: `arguments` or `command`.
    pub said: Said,
}

/// The call, as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Word by word.
    Arguments(Vec<String>),
    /// As typed in a shell.
    Command(String),
    /// Not at all.
    Nothing,
}

impl Database {
    /// Reads the database in `folder`, which is called `shown` in messages.
    pub fn read(folder: &Path, shown: &Path) -> Result<Database, ProjectError> {
        let file = shown.join(FILE);
        let shown = file.strip_prefix(".").unwrap_or(&file).display().to_string();
        let bytes = fs::read(folder.join(FILE)).map_err(|error| {
            ProjectError::Database(format!(
                "cannot read {shown}: {error}\n  CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other builds with `bear -- make`"
            ))
        })?;
        // A name that is no UTF-8 spoils its entry, not the others.
        let text = String::from_utf8_lossy(&bytes);
        let values: Vec<Value> =
            serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
                ProjectError::Database(format!(
                    "{shown} is not a compilation database: {error}\n  let the build write it again, or give flags after `--`"
                ))
            })?;
        let entries: Vec<Entry> = values.iter().filter_map(|value| Entry::of(value, folder)).collect();
        let mut of_file: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            of_file.entry(entry.file.clone()).or_default().push(index);
        }
        let broken = values.len() - entries.len();
        Ok(Database { shown, entries, broken, of_file })
    }

    /// The calls that compile a file, by its real path.
    pub fn calls_for(&self, file: &Path) -> Vec<&Entry> {
        let indices = self.of_file.get(file).map(Vec::as_slice).unwrap_or_default();
        indices.iter().map(|index| &self.entries[*index]).collect()
    }

    /// Every file once, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = &Entry> {
        self.of_file.values().filter_map(|indices| self.entries.get(*indices.first()?))
    }
}

impl Entry {
    fn of(value: &Value, base: &Path) -> Option<Entry> {
        let file = value.get("file")?.as_str().filter(|file| !file.is_empty())?;
        let folder = base.join(value.get("directory").and_then(Value::as_str).unwrap_or("."));
        let named = folder.join(file);
        let real = named.canonicalize();
        let exists = real.is_ok();
        let words = |words: &Vec<Value>| words.iter().filter_map(Value::as_str).map(String::from).collect();
        let arguments = value.get("arguments").and_then(Value::as_array).map(words);
        let command = || value.get("command").and_then(Value::as_str).map(String::from);
        let said = match arguments {
            Some(arguments) => Said::Arguments(arguments),
            None => command().map_or(Said::Nothing, Said::Command),
        };
        Some(Entry { folder, file: real.unwrap_or_else(|_| plain(&named)), exists, said })
    }
}

/// A path without `.` and `..`, for a file that does not exist.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_entry_does_not_spoil_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::write(root.join("a.c"), "").unwrap();
        let text = b"\xef\xbb\xbf[{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc -c a.c\"}, 3, {\"directory\": \".\"},
            {\"file\": \"caf\xe9.c\"}, {\"file\": \"\"}, {\"file\": \"sub/../gone.c\", \"arguments\": [\"cc\", 3, \"-c\"]}]";
        fs::write(root.join(FILE), text).unwrap();
        let database = Database::read(&root, Path::new(".")).unwrap();
        assert_eq!((database.entries.len(), database.broken), (3, 3));
        assert_eq!(database.calls_for(&root.join("a.c"))[0].said, Said::Command("cc -c a.c".into()));
        let gone = database.calls_for(&root.join("gone.c"))[0];
        assert!(!gone.exists);
        assert_eq!(gone.said, Said::Arguments(vec!["cc".into(), "-c".into()]));
        for broken in ["", "{}", "[", "\"x\"", "[{\"file\": \"a.c\"}"] {
            fs::write(root.join(FILE), broken).unwrap();
            let error = Database::read(&root, Path::new(".")).unwrap_err().to_string();
            assert!(error.contains("is not a compilation database"), "{broken}: {error}");
        }
    }
}
