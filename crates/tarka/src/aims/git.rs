//! Which lines of a file changed since a revision, as the `git` command tells it.
//!
//! Takes files by their real path, gives line ranges in their present text. What is committed, staged or neither counts
//! alike; a renamed file is compared with what it was; a new or untracked one is new as a whole.
//! Never changes anything in the repository.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;

/// Every line of a file.
const ALL: RangeInclusive<u32> = 1..=u32::MAX;

/// What happened since a revision, in one or several repositories.
pub struct History {
    revision: String,
    repositories: BTreeMap<PathBuf, Repository>,
}

/// A work tree and its state at the revision.
struct Repository {
    /// The commit that the revision names here.
    commit: String,
    /// The old path of each renamed file, by its new one, from the top of the work tree.
    renamed: BTreeMap<PathBuf, PathBuf>,
}

impl History {
    /// Nothing is asked of git yet.
    pub fn since(revision: &str) -> History {
        History { revision: revision.to_string(), repositories: BTreeMap::new() }
    }

    /// The top of the work tree that a file is in.
    pub fn work_tree(&self, file: &Path) -> Result<PathBuf, Failure> {
        let top = self.git(folder(file), &["rev-parse", "--show-toplevel"], &[])?;
        Ok(PathBuf::from(OsString::from_vec(without_newline(top))))
    }

    /// The lines of a file that changed, ascending. Where lines were only taken away, the line that follows counts.
    pub fn changed_lines(&mut self, file: &Path) -> Result<Vec<RangeInclusive<u32>>, Failure> {
        let top = self.work_tree(file)?;
        let listed = self.git(&top, &["ls-files", "-z", "--"], &[file.as_os_str()])?;
        if listed.is_empty() {
            return Ok(vec![ALL]);
        }
        let repository = self.repository(&top)?;
        let old = file.strip_prefix(&top).ok().and_then(|inside| repository.renamed.get(inside));
        let old = old.map(|old| top.join(old));
        let commit = repository.commit.clone();
        let options = ["diff", "--unified=0", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "-M"];
        let arguments = [&options[..], &[&commit, "--"]].concat();
        let paths = old.iter().map(|old| old.as_os_str()).chain([file.as_os_str()]);
        let difference = self.git(&top, &arguments, &paths.collect::<Vec<_>>())?;
        Ok(changed(&difference))
    }

    fn repository(&mut self, top: &Path) -> Result<&Repository, Failure> {
        if !self.repositories.contains_key(top) {
            let named = format!("{}^{{commit}}", self.revision);
            let commit = self.git(top, &["rev-parse", "--verify", &named], &[])?;
            let commit = String::from_utf8_lossy(&without_newline(commit)).into_owned();
            let options = [
                "diff",
                "--name-status",
                "-z",
                "-M",
                "--diff-filter=R",
                "--no-relative",
                "--ignore-submodules",
            ];
            let renamed = self.git(top, &[&options[..], &[&commit, "--"]].concat(), &[])?;
            self.repositories.insert(top.to_path_buf(), Repository { commit, renamed: renames(&renamed) });
        }
        Ok(&self.repositories[top])
    }

    /// What a git command prints; its own message if it fails.
    fn git(&self, folder: &Path, arguments: &[&str], paths: &[&OsStr]) -> Result<Vec<u8>, Failure> {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).arg("--literal-pathspecs").args(arguments).args(paths);
        let output = command.output().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Failure::Usage(
                "--since needs the `git` command, and there is none\n  install it (apt install git), or name the lines \
                 with --lines"
                    .to_string(),
            ),
            _ => Failure::Usage(format!("--since: git cannot be run: {error}")),
        })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Failure::Git {
            revision: self.revision.clone(),
            folder: folder.to_path_buf(),
            said: said.trim().to_string(),
        })
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn without_newline(mut text: Vec<u8>) -> Vec<u8> {
    if text.last() == Some(&b'\n') {
        text.pop();
    }
    text
}

/// Old paths by new ones from `R087 old new …`, each ended by a zero byte.
fn renames(listed: &[u8]) -> BTreeMap<PathBuf, PathBuf> {
    let words: Vec<&[u8]> = listed.split(|byte| *byte == 0).collect();
    let path = |word: &[u8]| PathBuf::from(OsStr::from_bytes(word));
    words.chunks_exact(3).map(|renamed| (path(renamed[2]), path(renamed[1]))).collect()
}

/// The new lines of a difference without context.
fn changed(difference: &[u8]) -> Vec<RangeInclusive<u32>> {
    let mut found = Vec::new();
    let mut is_deleted = false;
    // Lines of the text itself may look like anything.
    let mut text_lines = 0;
    for line in difference.split(|byte| *byte == b'\n') {
        if text_lines > 0 && matches!(line.first(), Some(b'+' | b'-')) {
            text_lines -= 1;
        } else if line.starts_with(b"+++ ") {
            is_deleted = line.starts_with(b"+++ /dev/null");
        } else if let Some([(_, before), (first, after)]) = hunk(line) {
            text_lines = before + after;
            if !is_deleted {
                // `+7,0`: something was taken away behind line 7.
                found.push(if after == 0 { first + 1..=first + 1 } else { first..=first + after - 1 });
            }
        }
    }
    found
}

/// First line and number of lines, before and after, of `@@ -3,2 +7 @@ …`.
fn hunk(line: &[u8]) -> Option<[(u32, u32); 2]> {
    let line = String::from_utf8_lossy(line.strip_prefix(b"@@ -")?);
    let (ranges, _) = line.split_once(" @@")?;
    let (before, after) = ranges.split_once(" +")?;
    let range = |text: &str| {
        let (first, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    Some([range(before)?, range(after)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_give_the_new_lines() {
        let difference = b"diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n\
            @@ -3 +3 @@ int f(void)\n-a\n+b\n@@ -9,0 +10,2 @@\n+c\n+d\n@@ -20,2 +22,0 @@\n-e\n-f\n";
        assert_eq!(changed(difference), [3..=3, 10..=11, 23..=23]);
        assert_eq!(changed(b"@@ -1,2 +0,0 @@\n-a\n-b\n"), [1..=1], "the beginning was taken away");
        assert_eq!(changed(b""), []);
    }

    #[test]
    fn text_that_looks_like_a_difference_is_text() {
        let difference = b"--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n--- /dev/null\n-@@ -7 +7 @@\n+++ /dev/null\n+@@ -8 +8 @@\n\
            \\ No newline at end of file\n@@ -9 +9 @@\n-a\n+\xff\n";
        assert_eq!(changed(difference), [1..=2, 9..=9]);
    }

    #[test]
    fn a_deleted_file_has_no_new_lines() {
        let difference = b"--- a/old.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1,3 @@\n+a\n+b\n+c\n";
        assert_eq!(changed(difference), [1..=3]);
    }

    #[test]
    fn renames_are_known_by_their_new_name() {
        let listed = renames(b"R100\0old name.c\0new.c\0R087\0a\0b/c\0");
        assert_eq!(listed.get(Path::new("new.c")), Some(&PathBuf::from("old name.c")));
        assert_eq!(listed.get(Path::new("b/c")), Some(&PathBuf::from("a")));
        assert!(renames(b"").is_empty());
    }
}
