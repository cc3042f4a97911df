//! Starting a target, waiting for it, ending it with all that it started.
//!
//! Takes a [`Launch`]; gives a [`Process`]. Never: what its output or its end means.

use std::ffi::{CString, OsStr, OsString, c_int, c_void};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::process::{Signal, WaitId, WaitIdOptions, pidfd_send_signal, waitid};

use crate::child::{Plan, become_target, make_private};
use crate::clone::clone_with;
use crate::filter::{Passwords, programs};
use crate::group::{self, Group};
use crate::means::{Means, Namespaces};
use crate::places::Places;
use crate::{Allow, Manner};

/// Descriptors of a target with fixed numbers: the first process of its namespace, the program, and where that process tells
/// how the program ended. No target can make one with such a number.
pub(crate) const INIT: RawFd = 997;
pub(crate) const PROGRAM: RawFd = 998;
const REPORT: RawFd = 999;

/// Descriptors that a target may have.
const MOST_DESCRIPTORS: u64 = 512;
/// Bytes of a target's stack, as systems have them.
const TARGET_STACK: u64 = 8 << 20;
/// Bytes that a target may write into one file.
const LARGEST_FILE: u64 = 64 << 20;

/// Where a target finds the library that tells it of another machine.
const ELSEWHERE: RawFd = 996;

/// The first process of a namespace: see `c/init.c`.
static INIT_PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/init"));
/// Another machine: see `c/elsewhere.c`.
static ELSEWHERE_LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/elsewhere.so"));
/// What the environment says there.
const ELSEWHERE_VARIABLES: &[(&str, &str)] = &[
    ("LD_PRELOAD", "/proc/self/fd/996"),
    ("TZ", "Asia/Kolkata"),
    ("HOME", "/home/of/somebody/else"),
    ("USER", "somebody"),
    ("LOGNAME", "somebody"),
];

/// A program and all that it starts with.
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Path,
    /// Its arguments, without its name.
    pub arguments: &'a [OsString],
    /// Its current folder, which it may change as it likes.
    pub folder: &'a Path,
    /// Variables of its environment, beside those that every target has.
    pub variables: &'a [(&'a str, &'a OsStr)],
    /// Where its standard output and error go; nowhere without.
    pub output: Option<BorrowedFd<'a>>,
    /// The same for its standard error.
    pub error: Option<BorrowedFd<'a>>,
    /// Other descriptors of ours, and their numbers there.
    pub descriptors: &'a [(BorrowedFd<'a>, RawFd)],
    /// Bytes of address space it may have.
    pub address_space: Option<u64>,
    /// How refusals show.
    pub manner: Manner,
    /// Everything lies at the same addresses every time, where the system can.
    pub fixed_addresses: bool,
    /// It is the first process of its namespace: signals that it sends to itself do nothing.
    pub is_first: bool,
    /// The system tells it of another machine, user and time.
    pub is_elsewhere: bool,
    /// What the user allows.
    pub allow: &'a Allow,
    /// By which means it is confined.
    pub means: Means,
}

/// What a runtime needs to know that looks at its target's refusals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watch {
    /// The sixth argument of a call that was looked at and is to be made; 0 if nothing is confined.
    pub again: u64,
    /// The sixth argument of the call that forks a run; 0 where any may fork.
    pub fork: u64,
    /// The kernel knows which paths may be changed: such a call is made, and its error told.
    pub guards_files: bool,
    /// It also knows which may be cut.
    pub guards_truncation: bool,
}

/// A target that was started.
pub struct Process {
    pid: c_int,
    handle: OwnedFd,
    report: Option<File>,
    is_isolated: bool,
    ended: Option<ExitStatus>,
    watch: Watch,
    /// Goes away after the process.
    group: Option<Group>,
}

impl Launch<'_> {
    /// Starts it. Errors say which step of the way there failed.
    pub fn start(&self) -> io::Result<Process> {
        let is_confined = !self.allow.unconfined;
        let means = if is_confined { self.means } else { Means::NONE };
        let with_init = means.is_isolated() && !self.is_first;
        let program = File::open(self.program)?;
        let (report_read, report_write) = io::pipe()?;
        let nowhere = File::options().read(true).write(true).open("/dev/null")?;
        let output = self.output.map_or(nowhere.as_raw_fd(), |output| output.as_raw_fd());
        let error = self.error.map_or(nowhere.as_raw_fd(), |error| error.as_raw_fd());
        let mut descriptors = vec![(nowhere.as_raw_fd(), 0, false), (output, 1, false), (error, 2, false)];
        descriptors.extend(self.descriptors.iter().map(|(ours, theirs)| (ours.as_raw_fd(), *theirs, false)));
        descriptors.push((program.as_raw_fd(), PROGRAM, !with_init));
        if self.is_elsewhere {
            descriptors.push((elsewhere()?, ELSEWHERE, false));
        }
        if with_init {
            descriptors.push((init()?, INIT, true));
            descriptors.push((report_write.as_raw_fd(), REPORT, false));
        }
        let passwords = Passwords { again: password()?, fork: password()? };
        let programs = programs(self.manner, means, self.allow, passwords, std::process::id());
        let places = Places::of(self.program, self.folder, self.allow);
        let (ruleset, mounts) = match is_confined {
            true => (places.ruleset(means)?, places.mounts(means)),
            false => (None, None),
        };
        let has_mounts = means.is_isolated() && (mounts.is_some() || places.leaves_temporary());
        let namespaces = match means.namespaces {
            Namespaces::None => 0,
            Namespaces::Direct => libc::CLONE_NEWPID,
            Namespaces::User => libc::CLONE_NEWPID | libc::CLONE_NEWUSER,
        } | if has_mounts { libc::CLONE_NEWNS } else { 0 };
        let arguments = strings(
            std::iter::once(self.program.as_os_str()).chain(self.arguments.iter().map(OsString::as_os_str)),
        )?;
        let environment = self.environment(has_mounts)?;
        let mut plan = Plan {
            descriptors,
            execute: if with_init { INIT } else { PROGRAM },
            user: if means.namespaces == Namespaces::User { user_lines()? } else { Vec::new() },
            trees: vec![-1; mounts.as_ref().map_or(0, Vec::len)],
            has_mounts,
            is_private: mounts_are_private(),
            mounts,
            folder: string(self.folder.as_os_str())?,
            limits: self.limits(),
            gives_up: is_confined,
            ruleset: ruleset.as_ref().map(AsRawFd::as_raw_fd),
            programs: programs.map_err(io::Error::other)?,
            fixed_addresses: self.fixed_addresses,
            arguments: pointers(&arguments),
            environment: pointers(&environment),
            failure: None,
        };
        let group = match group::current().filter(|_| means.groups) {
            Some(groups) => Some(groups.group().map_err(|error| no_group(&error))?),
            None => None,
        };
        let entered = group.as_ref().map(Group::descriptor);
        let (pid, handle) = clone_with(namespaces, entered, become_target, (&raw mut plan).cast())?;
        drop((report_write, ruleset, program));
        if let Some((step, error)) = plan.failure {
            // It has ended: what is left of it goes away here.
            let _ = waitid(WaitId::PidFd(rustix::fd::AsFd::as_fd(&handle)), WaitIdOptions::EXITED);
            let error = io::Error::from_raw_os_error(error);
            return Err(io::Error::new(error.kind(), format!("cannot {}: {error}", step.words())));
        }
        let watch = match self.manner {
            Manner::Watched if is_confined => Watch {
                again: passwords.again,
                fork: if means.is_isolated() { 0 } else { passwords.fork },
                guards_files: means.guards_files(),
                guards_truncation: means.guards_truncation(),
            },
            _ => Watch { again: 0, fork: 0, guards_files: true, guards_truncation: true },
        };
        let report = with_init.then(|| File::from(OwnedFd::from(report_read)));
        Ok(Process { pid, handle, report, is_isolated: means.is_isolated(), ended: None, watch, group })
    }

    fn limits(&self) -> Vec<(libc::c_uint, libc::rlimit)> {
        let both = |limit| libc::rlimit { rlim_cur: limit, rlim_max: limit };
        // Recursion without end comes to the same depth on every machine.
        let mut limits =
            vec![(libc::RLIMIT_CORE, both(0)), (libc::RLIMIT_STACK, both(TARGET_STACK.min(hard_stack())))];
        if !self.allow.unconfined {
            limits.push((libc::RLIMIT_FSIZE, both(LARGEST_FILE)));
            limits.push((libc::RLIMIT_NOFILE, both(MOST_DESCRIPTORS)));
        }
        limits.extend(self.address_space.map(|size| (libc::RLIMIT_AS, both(size))));
        limits
    }

    /// Only what programs need in general, what this one is given, and what the user names.
    fn environment(&self, has_mounts: bool) -> io::Result<Vec<CString>> {
        let mut lines: Vec<OsString> = Vec::new();
        let mut add = |name: &OsStr, value: &OsStr| {
            let mut line = name.to_owned();
            line.push("=");
            line.push(value);
            lines.push(line);
        };
        if self.allow.unconfined {
            std::env::vars_os().for_each(|(name, value)| add(&name, &value));
        } else {
            let folder = if has_mounts { OsStr::new("/tmp") } else { self.folder.as_os_str() };
            let always = [
                ("PATH", OsStr::new("/usr/bin:/bin")),
                ("LANG", OsStr::new("C.UTF-8")),
                ("HOME", folder),
                ("TMPDIR", folder),
            ];
            let named = |name: &str| self.allow.env.iter().any(|known| known == name);
            always
                .iter()
                .filter(|(name, _)| !named(name))
                .for_each(|(name, value)| add(OsStr::new(name), value));
            for name in &self.allow.env {
                if let Some(value) = std::env::var_os(name) {
                    add(OsStr::new(name), &value);
                }
            }
        }
        self.variables.iter().for_each(|(name, value)| add(OsStr::new(name), value));
        if self.is_elsewhere {
            let is_known =
                |line: &OsString, name: &str| line.as_bytes().starts_with(format!("{name}=").as_bytes());
            lines.retain(|line| !ELSEWHERE_VARIABLES.iter().any(|(name, _)| is_known(line, name)));
            lines.extend(
                ELSEWHERE_VARIABLES.iter().map(|(name, value)| OsString::from(format!("{name}={value}"))),
            );
        }
        strings(lines.iter().map(OsString::as_os_str))
    }
}

impl Process {
    /// What its runtime has to know.
    pub fn watch(&self) -> Watch {
        self.watch
    }

    /// Waits until it has ended, so long at most.
    pub fn wait_for(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + limit;
        while self.ended.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.handle, PollFlags::IN)], Some(&left)) {
                Ok(0) => return Ok(None),
                Ok(_) => self.ended = Some(self.reap()?),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.ended)
    }

    /// Whether the system ended a process of it, because all of them together had no more memory, since this was last asked.
    pub fn ran_out_of_memory(&mut self) -> bool {
        self.group.as_mut().is_some_and(Group::ran_out)
    }

    /// Ends it, and everything it started, and waits for that.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.ended {
            return Ok(status);
        }
        self.end_group();
        // It may have ended meanwhile.
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
        let status = self.reap()?;
        self.ended = Some(status);
        Ok(status)
    }

    /// Without a namespace what it started is its group, which it cannot leave. Before it is waited for, its number is its own.
    fn end_group(&self) {
        if !self.is_isolated {
            // SAFETY: a plain system call.
            unsafe { libc::kill(-self.pid, libc::SIGKILL) };
        }
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        let handle = rustix::fd::AsFd::as_fd(&self.handle);
        let ended = loop {
            match waitid(WaitId::PidFd(handle), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
                Err(Errno::INTR) => {}
                other => break other?,
            }
        };
        self.end_group();
        waitid(WaitId::PidFd(handle), WaitIdOptions::EXITED)?;
        let own = ended.map_or(0, |ended| {
            ended
                .exit_status()
                .map_or_else(|| ended.terminating_signal().unwrap_or(0), |code| (code & 0xff) << 8)
        });
        let mut told = [0; 4];
        // One that was ended from outside could not tell.
        let is_told = self.report.as_mut().is_some_and(|report| report.read_exact(&mut told).is_ok());
        Ok(ExitStatus::from_raw(if is_told { i32::from_ne_bytes(told) } else { own }))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.kill();
    }
}

/// Whether a process with namespaces of its own can be made and may mount in them.
pub(crate) fn can_clone(flags: c_int) -> bool {
    struct Try {
        user: Vec<(CString, CString)>,
        is_private: bool,
    }
    extern "C" fn try_it(given: *mut c_void) -> c_int {
        // SAFETY: plain system calls; the lines are those of the waiting thread.
        unsafe {
            let given = &*given.cast::<Try>();
            for (file, line) in &given.user {
                let opened = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
                if opened < 0 || libc::write(opened, line.as_ptr().cast(), line.as_bytes().len()) < 0 {
                    return 1;
                }
            }
            if make_private(given.is_private) != 0 {
                return 1;
            }
            let (place, nothing) = (c"/tmp".as_ptr(), std::ptr::null());
            c_int::from(libc::mount(place, place, nothing, libc::MS_BIND, std::ptr::null()) != 0)
        }
    }
    let Ok(user) = user_lines() else { return false };
    let user = if flags & libc::CLONE_NEWUSER == 0 { Vec::new() } else { user };
    let mut user = Try { user, is_private: mounts_are_private() };
    let Ok((_, handle)) = clone_with(flags, None, try_it, (&raw mut user).cast()) else { return false };
    let ended = waitid(WaitId::PidFd(rustix::fd::AsFd::as_fd(&handle)), WaitIdOptions::EXITED);
    matches!(ended, Ok(Some(ended)) if ended.exit_status() == Some(0))
}

/// Whether no mount here shows in another namespace; asked once.
fn mounts_are_private() -> bool {
    static PRIVATE: OnceLock<bool> = OnceLock::new();
    *PRIVATE.get_or_init(|| {
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        !mounts.is_empty() && !mounts.lines().any(|line| line.contains(" shared:"))
    })
}

/// The first process, the same for all targets.
fn init() -> io::Result<RawFd> {
    static INIT_FILE: OnceLock<Option<OwnedFd>> = OnceLock::new();
    in_memory(&INIT_FILE, "tarka-init", INIT_PROGRAM)
}

/// The library of another machine.
fn elsewhere() -> io::Result<RawFd> {
    static ELSEWHERE_FILE: OnceLock<Option<OwnedFd>> = OnceLock::new();
    in_memory(&ELSEWHERE_FILE, "tarka-elsewhere", ELSEWHERE_LIBRARY)
}

/// A file that exists in memory only.
fn in_memory(file: &'static OnceLock<Option<OwnedFd>>, name: &str, content: &[u8]) -> io::Result<RawFd> {
    let file = file.get_or_init(|| {
        let file = memfd_create(name, MemfdFlags::CLOEXEC).ok()?;
        let written = rustix::io::write(&file, content).ok()?;
        // A file that is open for writing cannot be executed.
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let opened = File::open(path).ok()?;
        (written == content.len()).then(|| OwnedFd::from(opened))
    });
    let missing = || io::Error::other(format!("{name} could not be made in memory"));
    file.as_ref().map(AsRawFd::as_raw_fd).ok_or_else(missing)
}

fn no_group(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot make its group for a limit of memory (cgroup): {error}"))
}

fn password() -> io::Result<u64> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    // Never what an argument happens to be.
    Ok(u64::from_ne_bytes(bytes) | 1 << 62)
}

/// The same user and group inside as outside.
fn user_lines() -> io::Result<Vec<(CString, CString)>> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let lines = [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("{user} {user} 1")),
        ("/proc/self/gid_map", format!("{group} {group} 1")),
    ];
    lines
        .into_iter()
        .map(|(file, line)| Ok((string(OsStr::new(file))?, string(OsStr::new(&line))?)))
        .collect()
}

fn string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::from)
}

fn strings<'t>(texts: impl Iterator<Item = &'t OsStr>) -> io::Result<Vec<CString>> {
    texts.map(string).collect()
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}

/// The most that this process may ask for.
fn hard_stack() -> u64 {
    rustix::process::getrlimit(rustix::process::Resource::Stack).maximum.unwrap_or(u64::MAX)
}
