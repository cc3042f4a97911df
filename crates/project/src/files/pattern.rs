//! Globs: which files one means, and which one leaves out.
//!
//! Takes the text of a glob; says of a path whether it is meant. Never: looks into folders.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use crate::ProjectError;

/// A glob that names files.
#[derive(Debug)]
pub struct Glob {
    /// The folder that all its files lie in.
    pub folder: PathBuf,
    matcher: GlobMatcher,
}

impl Glob {
    /// Whether a word is a glob, and no file's name.
    pub fn is(word: &Path) -> bool {
        let has_sign = word.to_string_lossy().contains(['*', '?', '[', '{']);
        has_sign && word.symlink_metadata().is_err()
    }

    /// The glob that a word is.
    pub fn new(word: &Path) -> Result<Glob, ProjectError> {
        let is_plain = |part: &Component| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']);
        let folder: PathBuf = word.components().take_while(is_plain).collect();
        Ok(Glob { folder, matcher: matcher(&word.to_string_lossy())? })
    }

    /// Whether it means a file, whose path begins with its folder.
    pub fn means(&self, file: &Path) -> bool {
        self.matcher.is_match(file)
    }
}

/// A glob that leaves files out. Without a `/` it means any file or folder of that name.
#[derive(Debug)]
pub struct Exclude {
    /// As it was typed.
    pub typed: String,
    matcher: GlobMatcher,
    is_name: bool,
}

impl Exclude {
    /// The exclude that a word is.
    pub fn new(typed: &str) -> Result<Exclude, ProjectError> {
        let text = typed.strip_prefix("./").unwrap_or(typed);
        let text = if text.len() > 1 { text.trim_end_matches('/') } else { text };
        Ok(Exclude { typed: typed.to_string(), matcher: matcher(text)?, is_name: !text.contains('/') })
    }

    /// Whether it leaves out a file, or a folder that the file is in. Of a path that leads to what was named on the command line
    /// nothing is left out, if `inner` is the rest of it.
    pub fn leaves_out(&self, path: &Path, inner: &Path) -> bool {
        let plain = |path: &Path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path.to_path_buf());
        let (path, inner) = (plain(path), plain(inner));
        if self.is_name {
            return inner.components().any(|part| self.matcher.is_match(Path::new(part.as_os_str())));
        }
        path.ancestors().chain(inner.ancestors()).any(|part| self.matcher.is_match(part))
    }
}

fn matcher(text: &str) -> Result<GlobMatcher, ProjectError> {
    let built = GlobBuilder::new(text.strip_prefix("./").unwrap_or(text)).literal_separator(true).build();
    built.map(|glob| glob.compile_matcher()).map_err(|error| ProjectError::Pattern {
        pattern: text.to_string(),
        reason: error.kind().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves_out(typed: &str, path: &str) -> bool {
        Exclude::new(typed).unwrap().leaves_out(Path::new(path), Path::new(path))
    }

    #[test]
    fn a_name_is_left_out_anywhere_and_a_path_where_it_leads() {
        assert!(leaves_out("third_party", "src/third_party/zlib/inflate.c"));
        assert!(leaves_out("*_test.c", "src/a_test.c"));
        assert!(!leaves_out("third", "src/third_party/x.c"));
        assert!(leaves_out("src/old", "src/old/x.c"));
        assert!(leaves_out("./src/old/", "./src/old/x.c"));
        assert!(!leaves_out("src/old", "lib/src/old/x.c"));
        assert!(leaves_out("**/old/*.c", "lib/src/old/x.c"));
        assert!(!leaves_out("src/*.c", "src/deep/x.c"), "* does not lead into folders");
        assert!(leaves_out("/tmp/a/*.c", "/tmp/a/x.c"));
        let outside = Exclude::new("build").unwrap();
        assert!(!outside.leaves_out(Path::new("/home/build/src/x.c"), Path::new("src/x.c")));
    }

    #[test]
    fn what_is_no_glob_is_told_with_the_reason() {
        let error = Exclude::new("src/[a").unwrap_err().to_string();
        assert!(error.contains("`src/[a` is no glob") && error.contains("[[]"), "{error}");
    }

    #[test]
    fn a_glob_begins_in_a_folder() {
        let glob = Glob::new(Path::new("src/*/x?.c")).unwrap();
        assert_eq!(glob.folder, Path::new("src"));
        assert!(glob.means(Path::new("src/a/x1.c")) && !glob.means(Path::new("src/a/b/x1.c")));
        assert_eq!(Glob::new(Path::new("*.c")).unwrap().folder, Path::new(""));
    }
}
