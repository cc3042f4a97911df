//! Which files a target reads and writes, guarded by Landlock or by what is mounted.
//!
//! Takes its folder and what the user allows; gives a Landlock ruleset or a list of mounts. Never:
//! whether the target needs any of them.

use std::ffi::OsStr;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};

use crate::Allow;
use crate::means::{LANDLOCK_SCOPES, Means};

/// What every program may read: libraries and what they look up about the machine, but nothing of people.
const READABLE: &[&str] = &[
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/group",
    "/etc/services",
    "/etc/protocols",
    "/dev/urandom",
    "/dev/random",
    "/sys/devices/system/cpu",
];
/// What it reads beside that if it may use the network or start programs.
const READABLE_NET: &[&str] = &[
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/ssl",
    "/run/systemd/resolve",
];
const READABLE_EXEC: &[&str] = &["/bin", "/sbin", "/etc/alternatives", "/etc/shells", "/etc/environment"];
/// Devices that forget or give zeros.
const WRITABLE: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// All paths of one target.
pub(crate) struct Places {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    folder: PathBuf,
}

impl Places {
    pub(crate) fn of(program: &Path, folder: &Path, allow: &Allow) -> Places {
        let mut read: Vec<&str> = READABLE.to_vec();
        read.extend(if allow.net { READABLE_NET } else { &[] });
        read.extend(if allow.exec { READABLE_EXEC } else { &[] });
        let mut write: Vec<PathBuf> = WRITABLE.iter().map(PathBuf::from).collect();
        write.extend(allow.write.iter().cloned());
        let read = read.into_iter().map(PathBuf::from).chain([program.to_owned()]);
        Places { read: read.collect(), write, folder: folder.to_owned() }
    }

    /// Nothing that the user allows lies where a target's own folder would be put.
    pub(crate) fn leaves_temporary(&self) -> bool {
        let temporary = Path::new(OsStr::from_bytes(TEMPORARY.to_bytes()));
        !self.write.iter().any(|path| path.starts_with(temporary))
    }

    /// A ruleset that the target puts itself under; nothing where Landlock is too old for it.
    pub(crate) fn ruleset(&self, means: Means) -> io::Result<Option<OwnedFd>> {
        let version = match means.landlock {
            ..=0 => return Ok(None),
            1 => ABI::V1,
            2 => ABI::V2,
            3 => ABI::V3,
            4 => ABI::V4,
            5 => ABI::V5,
            _ => ABI::V6,
        };
        // Which programs are started is for seccomp: it knows the one that may.
        let every = AccessFs::from_all(version) & !AccessFs::Execute;
        let reading = AccessFs::ReadFile | AccessFs::ReadDir;
        let rules = || -> Result<Option<OwnedFd>, landlock::RulesetError> {
            let ruleset =
                Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(every)?;
            let ruleset = match means.landlock >= LANDLOCK_SCOPES {
                true => ruleset.scope(Scope::from_all(version))?,
                false => ruleset,
            };
            let mut created = ruleset.create()?;
            // A process reads about itself there; of others it sees names and command lines, neither memory nor environment.
            for path in self.read.iter().map(PathBuf::as_path).chain([Path::new("/proc")]) {
                let Ok(opened) = PathFd::new(path) else { continue };
                let access = if path.is_dir() { reading } else { AccessFs::ReadFile.into() };
                created = created.add_rule(PathBeneath::new(opened, access))?;
            }
            for path in self.write.iter().chain([&self.folder]) {
                let Ok(opened) = PathFd::new(path) else { continue };
                let access = if path.is_dir() { every } else { every & AccessFs::from_file(version) };
                created = created.add_rule(PathBeneath::new(opened, access))?;
            }
            Ok(created.into())
        };
        rules().map_err(io::Error::other)
    }

    /// Mounts that leave nothing else to be seen; nothing where they are not needed.
    pub(crate) fn mounts(&self, means: Means) -> Option<Vec<Mount>> {
        if means.landlock > 0 || !means.is_isolated() {
            return None;
        }
        let paths =
            self.read.iter().map(|path| (path, false)).chain(self.write.iter().map(|path| (path, true)));
        let mounts = paths.filter_map(|(path, writable)| Mount::of(path, writable));
        // First, because what the user allows may lie in there.
        Some(Mount::temporary(&self.folder).into_iter().chain(mounts).collect())
    }
}

/// What a target with mounts of its own has as its folder: programs write there by name.
pub(crate) const TEMPORARY: &CStr = c"/tmp";

/// Where the new root is put together; it exists on every system and is covered, not changed.
pub(crate) const NEW_ROOT: &CStr = c"/tmp";

/// One entry of the new root.
pub(crate) struct Mount {
    pub(crate) from: CString,
    /// Folders above it in the new root, outermost first.
    pub(crate) above: Vec<CString>,
    pub(crate) to: CString,
    /// It is a symbolic link with this content.
    pub(crate) link: Option<CString>,
    pub(crate) is_folder: bool,
    pub(crate) writable: bool,
}

impl Mount {
    /// A target's own folder, where programs look for one.
    fn temporary(folder: &Path) -> Option<Mount> {
        Some(Mount {
            from: CString::new(folder.as_os_str().as_bytes()).ok()?,
            above: Vec::new(),
            to: c"/tmp/tmp".to_owned(),
            link: None,
            is_folder: true,
            writable: true,
        })
    }

    fn of(path: &Path, writable: bool) -> Option<Mount> {
        let about = path.symlink_metadata().ok()?;
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).ok();
        let inside = |path: &Path| {
            let root = Path::new(OsStr::from_bytes(NEW_ROOT.to_bytes()));
            text(&root.join(path.strip_prefix("/").ok()?))
        };
        let mut above: Vec<&Path> =
            path.ancestors().skip(1).filter(|above| *above != Path::new("/")).collect();
        above.reverse();
        let link = if about.is_symlink() { text(&path.read_link().ok()?) } else { None };
        Some(Mount {
            from: text(path)?,
            above: above.into_iter().filter_map(inside).collect(),
            to: inside(path)?,
            is_folder: link.is_none() && path.is_dir(),
            link,
            writable,
        })
    }
}
