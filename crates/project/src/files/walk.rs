//! All source files below a folder, but what builds and Tarka itself put there.
//!
//! Takes a folder; gives files and what could not be looked into. Never: follows links to folders, which may lead round in circles.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Language;

/// Folders of build systems in which they try compilers.
const OF_BUILDS: &[&str] = &["CMakeFiles", "meson-private", "meson-info", "autom4te.cache"];

/// What the files begin with that Tarka writes.
const OURS: &str = "written by Tarka.";
const HEAD: u64 = 512;

/// What lies below a folder.
#[derive(Debug, Default)]
pub struct Walk {
    /// C files, sorted by path; each begins with the folder's path.
    pub files: Vec<PathBuf>,
    /// Files of languages that are not tested.
    pub others: Vec<(Language, PathBuf)>,
    /// Folders that cannot be read, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// Walks through a folder; `out` is the folder that results are written to.
pub fn below(folder: &Path, out: &Path) -> Walk {
    let mut walk = Walk::default();
    let out = out.canonicalize().ok();
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    walk.visit(here, folder, out.as_deref());
    walk.files.sort();
    walk
}

impl Walk {
    /// `shown` is the same folder as `folder`, for paths that begin without a dot.
    fn visit(&mut self, folder: &Path, shown: &Path, out: Option<&Path>) {
        // Not by recursion: folders may be nested deeper than any stack.
        let mut open = vec![(folder.to_path_buf(), shown.to_path_buf())];
        while let Some((folder, shown)) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.unreadable.push((folder, error.to_string()));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let (path, shown) = (folder.join(&name), shown.join(&name));
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    let name = name.to_string_lossy();
                    let is_passed =
                        name.starts_with('.') || OF_BUILDS.contains(&&*name) || is_made(&path, out);
                    if !is_passed {
                        open.push((path, shown));
                    }
                } else {
                    self.file(&path, shown);
                }
            }
        }
    }

    fn file(&mut self, path: &Path, shown: PathBuf) {
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        match Language::of(path) {
            Language::Other => {}
            _ if is_hidden => {}
            Language::C if path.is_file() && !is_ours(path) => self.files.push(shown),
            Language::C => {}
            other => self.others.push((other, shown)),
        }
    }
}

/// Whether a build or Tarka made a folder: the output folder, another one of Tarka's, and one that CMake or Meson builds in beside
/// the sources.
fn is_made(folder: &Path, out: Option<&Path>) -> bool {
    let has = |name: &str| folder.join(name).exists();
    let is_out = out.is_some_and(|out| folder.canonicalize().is_ok_and(|real| real == out));
    let is_build =
        (has("CMakeCache.txt") && !has("CMakeLists.txt")) || (has("meson-info") && !has("meson.build"));
    is_out || is_build || (has("report.json") && has("faults.sarif"))
}

/// Whether Tarka wrote a file, which somebody put among the sources.
fn is_ours(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if !name.starts_with("test_") && !name.starts_with("fault_") {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).contains(OURS)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn what_builds_and_tarka_put_there_is_no_source() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            "src/b.c",
            "src/a.c",
            "src/a b#.c",
            "src/x.cpp",
            "src/start.S",
            "src/a.h",
            ".git/x.c",
            "src/.x.c",
            "build/CMakeCache.txt",
            "build/gen.c",
            "CMakeFiles/3.1/CMakeCCompilerId.c",
            "tarka-out/f/test_f.c",
            "other/report.json",
            "other/faults.sarif",
            "other/f/test_f.c",
            "src/test_mine.c",
        ] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "").unwrap();
        }
        fs::write(root.join("src/test_f.c"), "/* Tests for f() of a.c, written by Tarka.\n").unwrap();
        fs::create_dir(root.join("src/folder.c")).unwrap();
        symlink(root, root.join("src/round")).unwrap();
        symlink(root.join("src/a.c"), root.join("src/link.c")).unwrap();
        symlink(root.join("nowhere.c"), root.join("src/dangling.c")).unwrap();
        let walk = below(root, &root.join("tarka-out"));
        let names: Vec<_> =
            walk.files.iter().map(|file| file.strip_prefix(root).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["src/a b#.c", "src/a.c", "src/b.c", "src/link.c", "src/test_mine.c"]);
        let mut others: Vec<Language> = walk.others.iter().map(|(language, _)| *language).collect();
        others.sort();
        assert_eq!(others, [Language::Cpp, Language::Assembler]);
        // CMake in the sources' own folder: they are sources all the same.
        fs::write(root.join("build/CMakeLists.txt"), "").unwrap();
        assert!(below(root, &root.join("tarka-out")).files.contains(&root.join("build/gen.c")));
    }

    #[test]
    fn folders_that_cannot_be_read_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("shut")).unwrap();
        fs::set_permissions(root.join("shut"), fs::Permissions::from_mode(0o000)).unwrap();
        // The superuser reads everything.
        let is_shut = fs::read_dir(root.join("shut")).is_err();
        let walk = below(root, Path::new("tarka-out"));
        assert_eq!(walk.unreadable.len(), usize::from(is_shut));
        assert_eq!(below(&root.join("nowhere"), Path::new("tarka-out")).unreadable.len(), 1);
    }
}
