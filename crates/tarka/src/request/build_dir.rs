//! `compile_commands.json`: the flags a build system uses for a file.
//!
//! Takes the folder and a C file, gives flags whose paths hold from anywhere. Never runs the build.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::Failure;

/// Flags that take the next word and say what to produce: dropped with it.
const DROPPED_PAIRS: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ", "-x"];
/// Flags that say what to produce.
const DROPPED: &[&str] = &["-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "--"];
/// Flags followed by a path, joined or as the next word.
const PATHS: &[&str] = &["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot"];

/// The flags for `file`.
pub fn flags_of(build_dir: &Path, file: &Path) -> Result<Vec<String>, Failure> {
    let database = build_dir.join("compile_commands.json");
    let shown = database.display();
    let text = std::fs::read_to_string(&database).map_err(|error| {
        Failure::BuildDir(format!("cannot read {shown}: {error}\n  CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other builds with `bear -- make`"))
    })?;
    let entries: Vec<Value> = serde_json::from_str(&text)
        .map_err(|error| Failure::BuildDir(format!("{shown} is not a compilation database: {error}")))?;
    let wanted = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    for entry in &entries {
        let folder = build_dir.join(entry["directory"].as_str().unwrap_or("."));
        let named = folder.join(entry["file"].as_str().unwrap_or_default());
        if named.canonicalize().is_ok_and(|named| named == wanted) {
            let words = words(entry).ok_or_else(|| {
                let file = file.display();
                Failure::BuildDir(format!("{shown}: the command of {file} ends inside a quotation; build it there again, or give its flags after `--` instead of -p"))
            })?;
            return Ok(flags(&words, &folder, &wanted));
        }
    }
    Err(Failure::BuildDir(format!(
        "{} is not in {shown}; build it there once, or give its flags after `--` instead of -p",
        file.display()
    )))
}

/// The words of a command; `None` where a quotation has no end.
fn words(entry: &Value) -> Option<Vec<String>> {
    match entry["arguments"].as_array() {
        Some(words) => Some(words.iter().filter_map(|word| word.as_str().map(str::to_string)).collect()),
        None => shlex::split(entry["command"].as_str().unwrap_or_default()),
    }
}

fn flags(words: &[String], folder: &Path, file: &Path) -> Vec<String> {
    let absolute = |path: &str| folder.join(path).display().to_string();
    let is_file = |word: &str| folder.join(word).canonicalize().is_ok_and(|path| path == *file);
    let mut kept = Vec::new();
    let words = without_outputs(words.get(1..).unwrap_or_default());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if PATHS.contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(words.next().map(|path| absolute(path)));
        } else if let Some(path) = word.strip_prefix("-I") {
            kept.push(format!("-I{}", absolute(path)));
        } else if !is_file(word) {
            kept.push(word.clone());
        }
    }
    kept
}

/// Flags without those that say what to produce and where.
pub fn without_outputs(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if DROPPED_PAIRS.contains(&word.as_str()) {
            words.next();
        } else if !DROPPED.contains(&word.as_str()) {
            kept.push(word.clone());
        }
    }
    kept
}

/// The real path of the folder, for messages about it.
pub fn checked(build_dir: &Path) -> Result<PathBuf, Failure> {
    build_dir.canonicalize().map_err(|error| {
        Failure::BuildDir(format!("the build folder {} cannot be used: {error}", build_dir.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_come_without_what_to_produce_and_with_paths_that_hold_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::write(root.join("x.c"), "").unwrap();
        let write = |command: &str| {
            let entry = serde_json::json!([{"directory": root, "file": "x.c", "command": command}]);
            std::fs::write(root.join("compile_commands.json"), entry.to_string()).unwrap();
        };
        write(r#"cc -Iinc -DNAME='a b' -DDIGIT="\d" -isystem sys -O2 -MD -MF x.d -o x.o -c x.c"#);
        let flags = flags_of(&root, &root.join("x.c")).unwrap();
        let inc = format!("-I{}/inc", root.display());
        let sys = format!("{}/sys", root.display());
        assert_eq!(flags, [inc.as_str(), "-DNAME=a b", r"-DDIGIT=\d", "-isystem", &sys, "-O2"]);
        write("cc -DNAME='a -c x.c");
        let endless = flags_of(&root, &root.join("x.c")).unwrap_err().to_string();
        assert!(endless.contains("inside a quotation"), "{endless}");
        let missing = flags_of(&root, &root.join("y.c")).unwrap_err().to_string();
        assert!(missing.contains("is not in"), "{missing}");
    }
}
