//! Groups of processes that have a limit of memory together: cgroups of version 2, where one can be made.
//!
//! Takes what the kernel says of the group that this process is in; gives a folder of this call, in it a group for each target, and
//! removes what calls left that were killed. Never: which processes are started in them.
//!
//! A group is made beside the one that the tool is in, or further up, where the kernel already counts memory for what is
//! below: a group that has processes cannot count for groups below it, and no setting of somebody else's group is changed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{WaitId, WaitIdOptions, waitid};

use crate::clone::clone_with;
use crate::lock::{Lock, lock};

/// Bytes that all processes of a target may have together.
pub(crate) const MOST_MEMORY: u64 = 8 << 30;
/// How many processes and threads these may be.
pub(crate) const MOST_PROCESSES: u64 = 512;

/// What names of folders of calls begin with.
const PREFIX: &str = "tarka-call-";
/// How long processes that were ended may take to be gone.
const GONE: Duration = Duration::from_millis(500);

/// The folder of this call, from before it was split; nothing where none can be made.
static CURRENT: OnceLock<Option<Groups>> = OnceLock::new();

/// The folder of a call. While a process of the call lives, it is locked.
pub(crate) struct Groups {
    folder: PathBuf,
    /// Kept open: the processes that come of this one by fork share the lock.
    _lock: File,
    /// The kernel counts memory there.
    has_memory: bool,
    /// It counts processes as well.
    has_processes: bool,
}

/// The group of a target.
pub(crate) struct Group {
    folder: PathBuf,
    opened: File,
    /// How many of its processes the kernel had ended when somebody last asked.
    ended: u64,
}

/// Makes the folder of this call, and removes those of dead ones.
pub(crate) fn open() {
    CURRENT.get_or_init(|| {
        let group = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let offering = parents(&group, &mounts).into_iter().filter(|parent| counts_memory(parent));
        offering.filter_map(|parent| Groups::below(&parent).ok()).find(|groups| {
            if !groups.has_memory {
                groups.remove();
            }
            groups.has_memory
        })
    });
}

/// The folder of this call.
pub(crate) fn current() -> Option<&'static Groups> {
    CURRENT.get().and_then(Option::as_ref)
}

/// Removes the folder of this call, with all that may still run in it.
pub(crate) fn close() {
    current().into_iter().for_each(Groups::remove);
}

/// What is in force in a group, in words.
pub(crate) fn limits() -> String {
    format!("all processes of a unit together have {} GiB (cgroup)", MOST_MEMORY >> 30)
}

impl Groups {
    fn below(parent: &Path) -> io::Result<Groups> {
        remove_dead(parent);
        loop {
            // Another call may take it for a dead one until it is locked.
            if let Some(groups) = Groups::locked(parent)? {
                return Ok(groups);
            }
        }
    }

    fn locked(parent: &Path) -> io::Result<Option<Groups>> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
        match fs::create_dir(&folder) {
            // In a container numbers of processes come again.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            made => made?,
        }
        let Ok(opened) = File::open(&folder) else { return Ok(None) };
        let Lock::Held(lock) = lock(opened, &folder)? else { return Ok(None) };
        let offered = fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
        let has = |what: &str| {
            let is_offered = offered.split_whitespace().any(|word| word == what);
            is_offered && fs::write(folder.join("cgroup.subtree_control"), format!("+{what}")).is_ok()
        };
        let (has_memory, has_processes) = (has("memory"), has("pids"));
        Ok(Some(Groups { folder, _lock: lock, has_memory, has_processes }))
    }

    /// Whether a process can begin in a group of this folder: some containers refuse the call.
    pub(crate) fn can_be_entered(&self) -> bool {
        extern "C" fn nothing(_: *mut std::ffi::c_void) -> i32 {
            0
        }
        let Ok(group) = self.group() else { return false };
        let made = clone_with(0, Some(group.descriptor()), nothing, std::ptr::null_mut());
        made.is_ok_and(|(_, handle)| {
            let handle = WaitId::PidFd(handle.as_fd());
            waitid(handle, WaitIdOptions::EXITED).is_ok()
        })
    }

    /// A group for one target, with its limits.
    pub(crate) fn group(&self) -> io::Result<Group> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let folder = self.folder.join(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&folder)?;
        let group = Group { opened: File::open(&folder)?, folder, ended: 0 };
        if self.has_memory {
            fs::write(group.folder.join("memory.max"), MOST_MEMORY.to_string())?;
            // Not there where the kernel counts no swap.
            let _ = fs::write(group.folder.join("memory.swap.max"), "0");
        }
        if self.has_processes {
            fs::write(group.folder.join("pids.max"), MOST_PROCESSES.to_string())?;
        }
        Ok(group)
    }

    fn remove(&self) {
        remove(&self.folder);
    }
}

impl Group {
    /// What a process is started in it by.
    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.opened.as_fd()
    }

    /// Whether the kernel ended a process of it, because there was no more memory, since this was last asked.
    pub(crate) fn ran_out(&mut self) -> bool {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        let count = events.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
        let before = std::mem::replace(&mut self.ended, count.unwrap_or(0));
        self.ended > before
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if fs::remove_dir(&self.folder).is_err() {
            // Something lives in there still. The folder goes away with that of the call.
            end_all(&self.folder);
        }
    }
}

/// Folders in which groups might be made, the nearest first: those above the group that this process is in.
fn parents(group: &str, mounts: &str) -> Vec<PathBuf> {
    let Some(own) = group.lines().find_map(|line| line.strip_prefix("0::")) else { return Vec::new() };
    let mount = mounts.lines().find_map(|line| {
        let (about, kind) = line.split_once(" - ")?;
        let mut about = about.split(' ').skip(3);
        (kind.split(' ').next() == Some("cgroup2")).then_some((about.next()?, about.next()?))
    });
    let Some((root, mount)) = mount else { return Vec::new() };
    // What lies outside the mount is written with dots.
    let Ok(inside) = Path::new(own).strip_prefix(root) else { return Vec::new() };
    if inside.components().any(|part| part == std::path::Component::ParentDir) {
        return Vec::new();
    }
    let own = Path::new(mount).join(inside);
    own.ancestors().take_while(|folder| folder.starts_with(mount)).map(Path::to_path_buf).collect()
}

/// Whether the kernel counts memory for what is below this group.
fn counts_memory(parent: &Path) -> bool {
    let counted = fs::read_to_string(parent.join("cgroup.subtree_control")).unwrap_or_default();
    counted.split_whitespace().any(|word| word == "memory")
}

/// Removes the folders of calls that have ended without it.
fn remove_dead(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && is_dead(&entry.path()) {
            remove(&entry.path());
        }
    }
}

/// Whether it is a folder of this user's and no process of its call lives.
fn is_dead(folder: &Path) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let is_mine = fs::symlink_metadata(folder).is_ok_and(|about| about.is_dir() && about.uid() == own);
    is_mine && File::open(folder).is_ok_and(|opened| matches!(lock(opened, folder), Ok(Lock::Held(_))))
}

/// Removes a folder of groups, with all that runs in them.
fn remove(folder: &Path) {
    end_all(folder);
    let begin = Instant::now();
    loop {
        for group in fs::read_dir(folder).into_iter().flatten().flatten() {
            // Its files are the kernel's and go with it.
            let _ = fs::remove_dir(group.path());
        }
        match fs::remove_dir(folder) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) && begin.elapsed() < GONE => {}
            // What cannot be removed even so is left for the next call to try.
            _ => return,
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Ends all processes of a group and of those below. Before Linux 5.14 there was no such file.
fn end_all(folder: &Path) {
    if let Ok(mut file) = File::options().write(true).open(folder.join("cgroup.kill")) {
        let _ = file.write_all(b"1");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as the kernel has them in a group that counts memory and processes.
    fn write_group(folder: &Path, counted: &str) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("cgroup.controllers"), "cpu memory pids\n").unwrap();
        fs::write(folder.join("cgroup.subtree_control"), counted).unwrap();
    }

    fn content(folder: &Path, name: &str) -> String {
        fs::read_to_string(folder.join(name)).unwrap_or_else(|error| format!("{name}: {error}"))
    }

    #[test]
    fn groups_are_looked_for_from_the_own_one_up_to_the_mount() {
        let mounts = "24 1 0:22 / /sys rw shared:7 - sysfs sysfs rw\n\
                      30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
        let of = parents;
        let paths = |paths: &[&str]| -> Vec<PathBuf> { paths.iter().map(PathBuf::from).collect() };
        assert_eq!(
            of("0::/user.slice/app.scope\n", mounts),
            paths(&["/sys/fs/cgroup/user.slice/app.scope", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"])
        );
        assert_eq!(of("1:name=systemd:/\n0::/\n", mounts), paths(&["/sys/fs/cgroup"]));
        // A container sees its own part.
        let part = mounts.replace("0:26 / ", "0:26 /docker/1 ");
        assert_eq!(of("0::/docker/1/a\n", &part), paths(&["/sys/fs/cgroup/a", "/sys/fs/cgroup"]));
        assert!(of("0::/elsewhere\n", &part).is_empty());
        assert!(of("0::/../b\n", mounts).is_empty());
        assert!(of("4:memory:/a\n", mounts).is_empty(), "version 1 only");
        assert!(of("0::/a\n", "24 1 0:22 / /sys rw - sysfs sysfs rw\n").is_empty(), "nothing is mounted");
    }

    #[test]
    fn only_where_memory_is_counted_already() {
        let root = tempfile::tempdir().unwrap();
        for (counted, expected) in [("cpu memory pids\n", true), ("cpu memory.x\n", false), ("\n", false)] {
            write_group(root.path(), counted);
            assert_eq!(counts_memory(root.path()), expected, "{counted}");
        }
        assert!(!counts_memory(&root.path().join("nothing")));
    }

    #[test]
    fn a_target_gets_its_limits_and_its_end_is_told_once() {
        let root = tempfile::tempdir().unwrap();
        let mut groups = Groups::below(root.path()).unwrap();
        assert!(!groups.has_memory && !groups.has_processes, "an empty folder offers nothing");
        (groups.has_memory, groups.has_processes) = (true, true);
        let mut group = groups.group().unwrap();
        assert_eq!(content(&group.folder, "memory.max"), (8u64 << 30).to_string());
        assert_eq!(content(&group.folder, "memory.swap.max"), "0");
        assert_eq!(content(&group.folder, "pids.max"), "512");
        assert!(!group.ran_out(), "there is no count yet");
        for (count, expected) in [(0, false), (1, true), (1, false), (3, true)] {
            let events = format!("low 0\nhigh 0\nmax 9\noom 2\noom_kill {count}\noom_group_kill 7\n");
            fs::write(group.folder.join("memory.events"), events).unwrap();
            assert_eq!(group.ran_out(), expected, "{count}");
        }
    }

    #[test]
    fn what_dead_calls_left_is_removed_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("tarka-call-1-0/3")).unwrap();
        fs::create_dir_all(path("somebody.scope")).unwrap();
        fs::write(path("tarka-call-file"), "").unwrap();
        std::os::unix::fs::symlink(path("somebody.scope"), path("tarka-call-link")).unwrap();
        let living = Groups::below(root.path()).unwrap();
        assert!(!path("tarka-call-1-0").exists());
        remove_dead(root.path());
        for name in ["somebody.scope", "tarka-call-file", "tarka-call-link"] {
            assert!(path(name).exists(), "{name}");
        }
        assert!(living.folder.exists());
        let folder = living.folder.clone();
        // As if it had been killed: nobody holds the lock.
        drop(living);
        remove_dead(root.path());
        assert!(!folder.exists());
    }

    /// On the kernel's own groups, where this user may make some; what they count does not matter here.
    #[test]
    fn a_process_begins_in_its_group_and_does_not_outlive_it() {
        extern "C" fn sleep(_: *mut std::ffi::c_void) -> i32 {
            // SAFETY: plain system calls; the program's name and arguments are constants. It leaves this memory at once.
            unsafe {
                let (name, long) = (c"sleep".as_ptr(), c"600".as_ptr());
                let arguments = [name, long, std::ptr::null()];
                libc::execve(c"/bin/sleep".as_ptr(), arguments.as_ptr(), [std::ptr::null()].as_ptr());
            }
            127
        }
        let (group, mounts) =
            (content(Path::new("/proc/self"), "cgroup"), content(Path::new("/proc/self"), "mountinfo"));
        let made = parents(&group, &mounts).iter().find_map(|parent| Groups::below(parent).ok());
        let Some(groups) = made else { return };
        let can_end = groups.folder.join("cgroup.kill").exists();
        if !can_end || !groups.can_be_entered() {
            groups.remove();
            return;
        }
        let target = groups.group().unwrap();
        let (pid, handle) = clone_with(0, Some(target.descriptor()), sleep, std::ptr::null_mut()).unwrap();
        assert_eq!(content(&target.folder, "cgroup.procs").trim(), pid.to_string());
        // Somebody lives in it, so it stays, and its process is ended.
        drop(target);
        let handle = WaitId::PidFd(handle.as_fd());
        let ended = waitid(handle, WaitIdOptions::EXITED).unwrap().unwrap();
        assert_eq!(ended.terminating_signal(), Some(libc::SIGKILL));
        groups.remove();
        assert!(!groups.folder.exists());
    }
}
