//! Where the compilation database of some files is.
//!
//! Takes a folder; gives the nearest database: there, in a usual build folder there, or above. Never: reads it.

use std::env;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::FILE;

/// Folders that people build in, in the order in which they are looked at.
const USUAL: &[&str] = &[
    "",
    "build",
    "builddir",
    "_build",
    "out",
    "cmake-build-debug",
    "cmake-build-release",
    "build/debug",
    "build/release",
    "build/Debug",
    "build/Release",
];

/// What a folder holds that is the top of a project.
const TOPS: &[&str] = &[".git", ".hg", ".svn", ".jj"];

/// Others may write to a folder.
const OTHERS_WRITE: u32 = 0o002;

/// The folder that holds the database of what lies in `start`.
pub fn database_for(start: &Path) -> Option<PathBuf> {
    let start = start.canonicalize().ok()?;
    let home = env::var_os("HOME").map(PathBuf::from).and_then(|home| home.canonicalize().ok());
    for folder in start.ancestors() {
        // Above, a database is only believed where nobody else can have put it: its flags decide what clang does.
        if folder != start && is_others(folder) {
            return None;
        }
        let candidates =
            USUAL.iter().map(|usual| if usual.is_empty() { folder.into() } else { folder.join(usual) });
        if let Some(found) = candidates.into_iter().find(|candidate| candidate.join(FILE).is_file()) {
            return Some(found);
        }
        if TOPS.iter().any(|top| folder.join(top).exists()) || home.as_deref() == Some(folder) {
            return None;
        }
    }
    None
}

fn is_others(folder: &Path) -> bool {
    folder.metadata().map_or(true, |about| about.mode() & OTHERS_WRITE != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_nearest_one_up_to_the_top_of_the_project() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let put = |folder: &str| {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(root.join(folder).join(FILE), "[]").unwrap();
        };
        fs::create_dir_all(root.join("project/src/deep")).unwrap();
        put("");
        assert_eq!(database_for(&root.join("project/src/deep")), Some(root.clone()));
        fs::create_dir_all(root.join("project/.git")).unwrap();
        assert_eq!(database_for(&root.join("project/src/deep")), None, "another project's is not ours");
        put("project/cmake-build-debug");
        assert_eq!(
            database_for(&root.join("project/src/deep")),
            Some(root.join("project/cmake-build-debug"))
        );
        put("project/build");
        assert_eq!(database_for(&root.join("project")), Some(root.join("project/build")));
        put("project/src");
        assert_eq!(database_for(&root.join("project/src/deep")), Some(root.join("project/src")));
    }

    #[test]
    fn a_folder_that_anybody_writes_to_is_not_believed_from_below() {
        let root = tempfile::tempdir().unwrap();
        let shared = root.path().join("shared");
        fs::create_dir_all(shared.join("mine")).unwrap();
        fs::write(shared.join(FILE), "[]").unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(database_for(&shared.join("mine")), None);
        assert_eq!(database_for(&shared), Some(shared.canonicalize().unwrap()), "it was named");
    }
}
