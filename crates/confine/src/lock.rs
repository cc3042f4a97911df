//! Locks that tell the living from the dead: a file or folder that nobody has locked belongs to no call any more.
//!
//! Takes what was opened and its name; gives the lock, which holds until this process and all that came of it by fork have ended. Never:
//! what the file or folder is for.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// What came of locking.
#[derive(Debug)]
pub enum Lock {
    /// It is this process's as long as the file is open.
    Held(File),
    /// Somebody else has it.
    Taken,
    /// It was removed, or has changed places with another, while this process was about to lock it.
    Gone,
}

/// Locks what was opened, if it still has this name. An error means that nothing can be locked there.
pub fn lock(opened: File, path: &Path) -> io::Result<Lock> {
    match flock(&opened, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) if is_at(&opened, path) => Ok(Lock::Held(opened)),
        Ok(()) => Ok(Lock::Gone),
        Err(Errno::WOULDBLOCK) => Ok(Lock::Taken),
        Err(error) => Err(error.into()),
    }
}

fn is_at(opened: &File, path: &Path) -> bool {
    let numbers = |about: fs::Metadata| (about.dev(), about.ino());
    let named = fs::metadata(path).map(numbers).ok();
    named.is_some() && opened.metadata().map(numbers).ok() == named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_counts_only_while_the_name_stands_for_what_was_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let opened = || File::options().create(true).append(true).open(&path).unwrap();
        let Ok(Lock::Held(first)) = lock(opened(), &path) else { panic!("nobody has it") };
        assert!(matches!(lock(opened(), &path), Ok(Lock::Taken)));
        let late = opened();
        fs::rename(&path, folder.path().join("old")).unwrap();
        drop(first);
        assert!(matches!(lock(late, &path), Ok(Lock::Gone)), "no file has the name");
        let late = File::open(folder.path().join("old")).unwrap();
        drop(opened());
        assert!(matches!(lock(late, &path), Ok(Lock::Gone)), "another file has the name");
        assert!(matches!(lock(opened(), &path), Ok(Lock::Held(_))));
    }
}
