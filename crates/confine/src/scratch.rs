//! Folders that targets write in, with a limit for all that stands in one.
//!
//! Takes nothing; gives an empty folder, which goes away with all that is in it. Where the tool has a mount namespace of its own, the
//! folder is a file system in memory with a size; else it is a plain one, and only each file has a limit. Never: which target has it.

use std::ffi::{CStr, CString, c_char};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;

use crate::Means;

/// Bytes that all files of a folder may have together, as a limit and for `mount`: some files of the largest size, and room beside them.
pub(crate) const MOST_BYTES: u64 = 256 << 20;
const OPTIONS: &CStr = c"size=256m,nr_inodes=65536,mode=0700";

/// No mount of this process shows to anybody else, and all end with it.
static OWN_MOUNTS: AtomicBool = AtomicBool::new(false);

/// An empty folder for a target.
pub struct ScratchFolder {
    folder: TempDir,
    mounted: Option<CString>,
}

/// From here on, what is mounted is this call's alone.
pub(crate) fn mounts_are_own() {
    OWN_MOUNTS.store(true, Ordering::Relaxed);
}

/// Whether a folder can have a size: found out by making one.
pub(crate) fn can_be_bounded() -> bool {
    OWN_MOUNTS.load(Ordering::Relaxed)
        && folder(&std::env::temp_dir()).is_ok_and(|folder| mount(folder.path()).is_some_and(unmount))
}

impl ScratchFolder {
    /// Makes it in the temporary folder, for this user only.
    pub fn new() -> io::Result<ScratchFolder> {
        ScratchFolder::below(&std::env::temp_dir())
    }

    /// Makes it in another folder.
    pub fn below(parent: &Path) -> io::Result<ScratchFolder> {
        let folder = folder(parent)?;
        let mounted = if Means::found().bounds_folders { mount(folder.path()) } else { None };
        Ok(ScratchFolder { folder, mounted })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        self.mounted.take().map(unmount);
    }
}

fn folder(parent: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix("tarka-scratch-").tempdir_in(parent)
}

fn mount(folder: &Path) -> Option<CString> {
    let path = CString::new(folder.as_os_str().as_bytes()).ok()?;
    let kind: *const c_char = c"tmpfs".as_ptr();
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    // SAFETY: strings that outlive the call.
    let made = unsafe { libc::mount(kind, path.as_ptr(), kind, flags, OPTIONS.as_ptr().cast()) };
    (made == 0).then_some(path)
}

/// Also while a target still has it: then it is gone when that ends.
fn unmount(path: CString) -> bool {
    // SAFETY: a string that outlives the call.
    unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) == 0 }
}
