//! What this machine has to confine a process with.
//!
//! Takes nothing but the kernel's answers, asked once a process; gives the version of Landlock and whether namespaces,
//! groups and folders with a size can be made. Never: what is to be confined.

use std::sync::OnceLock;

use crate::group::{self, Groups};
use crate::scratch;

/// Forces fewer means than there are, so that tests see them: `abi0`, `abi2`, `bare` or `nothing`.
const FORCED: &str = "TARKA_CONFINE_AS";

/// How a namespace can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Namespaces {
    /// Not at all.
    None,
    /// By a process that may.
    Direct,
    /// Through a user namespace.
    User,
}

/// What there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Version of Landlock's interface, 0 where there is none.
    pub landlock: i32,
    /// Namespaces of processes and mounts.
    pub namespaces: Namespaces,
    /// Groups of processes that have a limit of memory together (cgroups of version 2).
    pub groups: bool,
    /// Folders that targets write in have a size.
    pub bounds_folders: bool,
}

/// From this version on Landlock guards truncation.
pub(crate) const LANDLOCK_TRUNCATE: i32 = 3;
/// From this version on it guards signals and abstract sockets.
pub(crate) const LANDLOCK_SCOPES: i32 = 6;

impl Means {
    /// Nothing but seccomp and limits of single processes.
    pub(crate) const NONE: Means =
        Means { landlock: 0, namespaces: Namespaces::None, groups: false, bounds_folders: false };

    /// What this process has.
    pub fn found() -> Means {
        static FOUND: OnceLock<Means> = OnceLock::new();
        *FOUND.get_or_init(|| {
            let groups = group::current().is_some_and(Groups::can_be_entered);
            let real = Means {
                landlock: landlock_version(),
                namespaces: namespaces(),
                groups,
                bounds_folders: scratch::can_be_bounded(),
            };
            match std::env::var(FORCED).as_deref() {
                Ok(forced) => real.reduced(forced),
                Err(_) => real,
            }
        })
    }

    /// The means by this name, or all there are.
    pub fn reduced(self, name: &str) -> Means {
        match name {
            "abi0" => Means { landlock: 0, ..self },
            "abi2" => Means { landlock: self.landlock.min(2), ..self },
            "bare" => Means { landlock: self.landlock.min(2), ..Means::NONE },
            "nothing" => Means::NONE,
            _ => self,
        }
    }

    /// Each target is alone in a namespace of processes.
    pub fn is_isolated(self) -> bool {
        self.namespaces != Namespaces::None
    }

    /// Files are guarded by their path, by Landlock or by what is mounted.
    pub fn guards_files(self) -> bool {
        self.landlock > 0 || self.is_isolated()
    }

    /// Cutting files counts as writing them.
    pub fn guards_truncation(self) -> bool {
        if self.landlock > 0 { self.landlock >= LANDLOCK_TRUNCATE } else { self.is_isolated() }
    }

    /// What is in force, a sentence each.
    pub fn in_force(self) -> Vec<String> {
        let files = match (self.landlock, self.is_isolated()) {
            (0, true) => {
                "a mount namespace hides all but its own folder and the system's libraries".to_owned()
            }
            (0, false) => "seccomp refuses all writing; what it reads is not limited here".to_owned(),
            (version, _) => {
                format!("Landlock (version {version}) limits it to its own folder and the system's libraries")
            }
        };
        let processes = match self.namespaces {
            Namespaces::None if self.landlock >= LANDLOCK_SCOPES => {
                "new ones are refused in the search; signals reach no others (Landlock)"
            }
            Namespaces::None => {
                "new ones are refused in the search; signals to groups and to Tarka are refused (no namespaces here)"
            }
            Namespaces::Direct => "a namespace of its own: it sees no others and leaves none behind",
            Namespaces::User => {
                "a namespace of its own (unprivileged): it sees no others and leaves none behind"
            }
        };
        let memory = match self.groups {
            true => group::limits(),
            false => {
                "each process has its limit, all of a unit together have none (no cgroup can be made here)"
                    .to_owned()
            }
        };
        let disk = match self.bounds_folders {
            true => format!("all that a unit writes has {} MiB together", scratch::MOST_BYTES >> 20),
            false => "each file has its limit, all of a unit together have none (no mount namespace here)"
                .to_owned(),
        };
        vec![
            format!("files: {files}"),
            format!("processes: {processes}"),
            format!("memory: {memory}"),
            format!("disk: {disk}"),
            "outside: the network and other programs are refused by seccomp".to_owned(),
        ]
    }
}

fn landlock_version() -> i32 {
    const SYS_LANDLOCK_CREATE_RULESET: i64 = 444;
    const ASK_VERSION: u32 = 1;
    // SAFETY: with this flag the kernel reads no attributes and only tells its version.
    let version =
        unsafe { libc::syscall(SYS_LANDLOCK_CREATE_RULESET, std::ptr::null::<u8>(), 0usize, ASK_VERSION) };
    i32::try_from(version).unwrap_or(0).max(0)
}

/// Found out by making one: what a container's rules allow is written nowhere.
fn namespaces() -> Namespaces {
    let direct = libc::CLONE_NEWPID | libc::CLONE_NEWNS;
    if crate::spawn::can_clone(direct) {
        Namespaces::Direct
    } else if crate::spawn::can_clone(direct | libc::CLONE_NEWUSER) {
        Namespaces::User
    } else {
        Namespaces::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forced_is_never_more_than_there_is() {
        let all = Means { landlock: 7, namespaces: Namespaces::User, groups: true, bounds_folders: true };
        let none = Means { landlock: 1, ..Means::NONE };
        assert_eq!(all.reduced("abi2"), Means { landlock: 2, ..all });
        assert_eq!(none.reduced("abi2"), none);
        assert!(!all.reduced("nothing").guards_files() && all.reduced("abi0").guards_files());
        assert!(!all.reduced("bare").is_isolated() && all.reduced("bare").guards_files());
        assert_eq!(all.reduced("anything"), all);
        assert!(all.reduced("abi2").groups && !all.reduced("bare").groups && !none.reduced("abi2").groups);
        assert!(
            all.in_force()[2].contains("together have 8 GiB") && none.in_force()[2].contains("no cgroup")
        );
        assert!(all.in_force()[3].contains("256 MiB together") && none.in_force()[3].contains("have none"));
        assert!(all.in_force()[0].contains("version 7") && none.in_force()[1].contains("no namespaces"));
    }
}
