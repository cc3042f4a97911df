//! Where files go: the unit's folder, and the path from a test file to the C file it includes.
//!
//! Takes paths, gives paths, and writes texts to them. Never decides what stands in a file, and removes only files an earlier
//! run wrote.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use crate::SuiteError;

/// Of a new file, less what the user's mask takes away.
const PERMISSIONS: u32 = 0o666;

/// The unit's folder, made if it is not there. Gives its real path.
pub fn unit_folder(out: &Path, name: &str) -> Result<PathBuf, SuiteError> {
    let path = out.join(name);
    let failed = |source| SuiteError::Write { path: path.clone(), source };
    std::fs::create_dir_all(&path).map_err(failed)?;
    path.canonicalize().map_err(failed)
}

/// The unit's folder without the files of an earlier run.
pub fn prepare_folder(out: &Path, name: &str) -> Result<PathBuf, SuiteError> {
    let path = unit_folder(out, name)?;
    remove(&path, &["test_", "fault_", "refuted_"])?;
    Ok(path)
}

/// Removes the C files of an earlier run whose names begin like this.
pub fn remove(folder: &Path, prefixes: &[&str]) -> Result<(), SuiteError> {
    let failed = |source| SuiteError::Write { path: folder.to_path_buf(), source };
    for entry in std::fs::read_dir(folder).map_err(failed)?.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        if prefixes.iter().any(|kind| file.starts_with(kind)) && file.ends_with(".c") {
            std::fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

/// How a file in `folder` (a real path) includes `file`: relative where they share more than the root, so that the
/// whole tree can move.
pub fn include_path(folder: &Path, file: &Path) -> String {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    relative(folder, &file).unwrap_or(file).display().to_string()
}

/// The way from one real folder to a real path, if they share more than the root.
pub fn relative(from: &Path, to: &Path) -> Option<PathBuf> {
    let from: Vec<Component> = from.components().collect();
    let to: Vec<Component> = to.components().collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared < 2 {
        return None;
    }
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    let path: PathBuf = up.chain(to[shared..].iter().copied()).collect();
    Some(if path.as_os_str().is_empty() { PathBuf::from(".") } else { path })
}

/// Writes a file aside and gives it the name: that stands for the old text or for the new one, never for a part, and what else the
/// old text is known as keeps it.
pub fn replace(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".tarka")
        .permissions(Permissions::from_mode(PERMISSIONS))
        .tempfile_in(folder)?;
    file.write_all(text)?;
    file.persist(path)?;
    Ok(())
}

/// Writes a file anew.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), SuiteError> {
    replace(path, text.as_bytes()).map_err(|source| SuiteError::Write { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_relative_within_a_project_and_absolute_across_the_machine() {
        assert_eq!(relative(Path::new("/p/out/f"), Path::new("/p/src/x.c")), Some("../../src/x.c".into()));
        assert_eq!(relative(Path::new("/tmp/out/f"), Path::new("/home/x.c")), None);
    }

    #[test]
    fn only_the_files_of_an_earlier_run_are_removed() {
        let out = tempfile::tempdir().unwrap();
        let folder = prepare_folder(out.path(), "f").unwrap();
        for name in ["test_f.c", "fault_f_1.c", "refuted_f_1.c", "notes.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        prepare_folder(out.path(), "f").unwrap();
        let left: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["notes.txt"]);
    }
}
