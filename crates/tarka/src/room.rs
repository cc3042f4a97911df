//! The temporary folder of a call: one for all that its parts and the programs they start put aside.
//!
//! Takes the system's temporary folder; gives a folder in it that is this call's alone, and removes those of calls that were killed.
//! Never: what stands in it.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;
use tarka_confine::{Lock, lock};
use tempfile::TempDir;

/// What names of these folders begin with, and how long they are. Folders that merely look like one are told by the mark.
const PREFIX: &str = "tarka-run-";
const RANDOM: usize = 12;

/// A file that only these folders hold.
const MARK: &str = ".made-by-tarka";

/// What a folder allows that is to be emptied.
const MINE: u32 = 0o700;

/// A folder of this call. While it lives the folder is locked, by this process and those that come of it by fork.
pub struct Room {
    folder: Option<TempDir>,
    _lock: File,
}

impl Room {
    /// Makes it, and has everything else that is temporary made in it, by this process and those that it starts.
    ///
    /// # Safety
    /// This process has no thread but this one.
    pub unsafe fn open() -> io::Result<Room> {
        let temporary = std::env::temp_dir();
        let temporary = temporary.canonicalize().unwrap_or(temporary);
        remove_dead(&temporary);
        let room = loop {
            // Another call may take a folder for a dead one until it is locked.
            if let Some(room) = Room::locked(&temporary)? {
                break room;
            }
        };
        if let Some(folder) = &room.folder {
            fs::write(folder.path().join(MARK), "")?;
            // SAFETY: as the caller promises.
            unsafe { std::env::set_var("TMPDIR", folder.path()) };
        }
        Ok(room)
    }

    fn locked(temporary: &Path) -> io::Result<Option<Room>> {
        let folder = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempdir_in(temporary)?;
        let Ok(opened) = File::open(folder.path()) else { return Ok(None) };
        let lock = match lock(opened.try_clone()?, folder.path()) {
            Ok(Lock::Held(lock)) => lock,
            Ok(Lock::Taken | Lock::Gone) => return Ok(None),
            // Nobody can lock folders here, so nobody takes this one for dead.
            Err(_) => opened,
        };
        Ok(Some(Room { folder: Some(folder), _lock: lock }))
    }

    /// Leaves the folder to the process that this one was split from.
    pub fn leave(mut self) {
        if let Some(folder) = self.folder.take() {
            let _ = folder.keep();
        }
        // The lock is shared: it holds until all of them have ended.
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Some(folder) = self.folder.take() {
            remove(&folder.keep());
        }
    }
}

/// Removes the folders of calls that have ended without it.
fn remove_dead(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours =
            name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.len() == PREFIX.len() + RANDOM);
        if is_ours && is_dead(&entry.path()).is_ok_and(|dead| dead) {
            remove(&entry.path());
        }
    }
}

/// Whether a folder is one of these, of this user, and nobody's any more.
fn is_dead(folder: &Path) -> io::Result<bool> {
    let about = fs::symlink_metadata(folder)?;
    if !about.is_dir() || about.uid() != geteuid().as_raw() {
        return Ok(false);
    }
    let Lock::Held(_lock) = lock(File::open(folder)?, folder)? else { return Ok(false) };
    // A call that is killed at once leaves it empty.
    let is_marked = folder.join(MARK).symlink_metadata().is_ok() || fs::read_dir(folder)?.next().is_none();
    Ok(is_marked)
}

/// Removes a folder, also if what ran in it took the rights away that this needs.
fn remove(folder: &PathBuf) {
    if fs::remove_dir_all(folder).is_err() {
        allow(folder);
        // What cannot be removed even so is left for the next call to try.
        let _ = fs::remove_dir_all(folder);
    }
}

fn allow(folder: &Path) {
    if fs::symlink_metadata(folder).is_ok_and(|about| about.is_dir()) {
        let _ = fs::set_permissions(folder, Permissions::from_mode(MINE));
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            allow(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_folders_of_dead_calls_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let path = |name: &str| temporary.path().join(name);
        let make = |name: &str, mark: bool| {
            fs::create_dir_all(path(name).join("locked away")).unwrap();
            if mark {
                fs::write(path(name).join(MARK), "").unwrap();
            }
        };
        make("tarka-run-dead0dead0dd", true);
        fs::set_permissions(path("tarka-run-dead0dead0dd/locked away"), Permissions::from_mode(0o000))
            .unwrap();
        make("tarka-run-notmarkednot", false);
        make("tarka-run-short", true);
        make("elsewhere", true);
        symlink(path("elsewhere"), path("tarka-run-linklinklink")).unwrap();
        let alive = Room::locked(temporary.path()).unwrap().unwrap();
        let alive = alive.folder.as_ref().unwrap().path().to_path_buf();
        let living = File::open(&alive).unwrap();
        drop(living);
        remove_dead(temporary.path());
        let left = |name: &str| path(name).symlink_metadata().is_ok();
        assert!(!left("tarka-run-dead0dead0dd"));
        for name in ["tarka-run-notmarkednot", "tarka-run-short", "elsewhere", "tarka-run-linklinklink"] {
            assert!(left(name), "{name}");
        }
        assert!(path("elsewhere").join(MARK).exists());
    }

    #[test]
    fn a_living_call_keeps_its_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let room = Room::locked(temporary.path()).unwrap().unwrap();
        let folder = room.folder.as_ref().unwrap().path().to_path_buf();
        fs::write(folder.join(MARK), "").unwrap();
        remove_dead(temporary.path());
        assert!(folder.exists());
        room.leave();
        remove_dead(temporary.path());
        assert!(!folder.exists());
    }
}
