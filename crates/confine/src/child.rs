//! What a new process does before the target's first instruction: gives up everything that the target shall not have.
//!
//! Takes a [`Plan`] that was made before the process; gives the target, or the step that failed. It runs in the memory of the
//! tool, whose thread waits meanwhile: so only system calls, nothing that allocates, locks or fails in another way.

use std::ffi::{CString, c_char, c_int, c_long, c_uint, c_void};
use std::os::fd::RawFd;
use std::ptr::{null, null_mut};

use seccompiler::BpfProgram;

use crate::places::{Mount, NEW_ROOT, TEMPORARY};

/// A step of the way there, as errors name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Descriptors,
    UserNamespace,
    Mounts,
    Folder,
    Limits,
    Capabilities,
    Files,
    SystemCalls,
    Execute,
}

impl Step {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Step::Descriptors => "give it its descriptors (is `ulimit -n` above 1000?)",
            Step::UserNamespace => "make its user namespace",
            Step::Mounts => "mount what it may see",
            Step::Folder => "enter its folder",
            Step::Limits => "set its limits",
            Step::Capabilities => "take its capabilities",
            Step::Files => "limit the files it reaches (Landlock)",
            Step::SystemCalls => "limit its system calls (seccomp)",
            Step::Execute => "execute it",
        }
    }
}

/// Everything that is needed, in the form in which system calls take it.
pub(crate) struct Plan {
    /// Our descriptors and their numbers there; those above the standard ones close on exec if they say so.
    pub(crate) descriptors: Vec<(RawFd, RawFd, bool)>,
    /// The descriptor that is executed.
    pub(crate) execute: RawFd,
    /// Lines of the files of a user namespace, with the files.
    pub(crate) user: Vec<(CString, CString)>,
    /// It has a mount namespace of its own.
    pub(crate) has_mounts: bool,
    /// No mount of the tool's own namespace shows in another.
    pub(crate) is_private: bool,
    /// What is mounted there for a root of its own, where it gets one.
    pub(crate) mounts: Option<Vec<Mount>>,
    /// Room for the descriptors of the mounts.
    pub(crate) trees: Vec<RawFd>,
    pub(crate) folder: CString,
    pub(crate) limits: Vec<(c_uint, libc::rlimit)>,
    pub(crate) gives_up: bool,
    pub(crate) ruleset: Option<RawFd>,
    pub(crate) programs: Vec<BpfProgram>,
    pub(crate) fixed_addresses: bool,
    pub(crate) arguments: Vec<*const c_char>,
    pub(crate) environment: Vec<*const c_char>,
    /// Where it ended, and with which error.
    pub(crate) failure: Option<(Step, c_int)>,
}

/// Never returns to its caller with success: then the process is the target.
pub(crate) extern "C" fn become_target(plan: *mut c_void) -> c_int {
    // SAFETY: the thread that made the process waits until this one is gone from its memory.
    let plan = unsafe { &mut *plan.cast::<Plan>() };
    let Err(step) = steps(plan);
    // SAFETY: reads the variable of this thread.
    plan.failure = Some((step, unsafe { *libc::__errno_location() }));
    127
}

enum Never {}

fn check(result: c_long, step: Step) -> Result<(), Step> {
    if result < 0 { Err(step) } else { Ok(()) }
}

fn steps(plan: &mut Plan) -> Result<Never, Step> {
    // SAFETY, for all of this function: plain system calls on values and strings of the plan, which outlives the process's time
    // in this memory.
    unsafe {
        libc::setsid();
        for (file, line) in &plan.user {
            let opened = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
            check(opened.into(), Step::UserNamespace)?;
            let text = line.as_bytes();
            check(libc::write(opened, text.as_ptr().cast(), text.len()) as c_long, Step::UserNamespace)?;
            libc::close(opened);
        }
        let folder = match (&plan.mounts, plan.has_mounts) {
            (Some(_), _) => {
                mount_all(plan)?;
                TEMPORARY.as_ptr()
            }
            (None, true) => mount_temporary(plan)?,
            (None, false) => plan.folder.as_ptr(),
        };
        check(libc::chdir(folder).into(), Step::Folder)?;
        descriptors(plan)?;
        for (resource, limit) in &plan.limits {
            check(libc::setrlimit(*resource, limit).into(), Step::Limits)?;
        }
        if plan.fixed_addresses {
            // Same addresses in every run; where the system forbids it, runs merely differ in addresses.
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
        if plan.gives_up {
            give_up()?;
        }
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into(), Step::Capabilities)?;
        if let Some(ruleset) = plan.ruleset {
            const SYS_LANDLOCK_RESTRICT_SELF: c_long = 446;
            check(libc::syscall(SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0), Step::Files)?;
        }
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // The tool ignores a broken pipe, its targets do not; to write too much is an error for them, not a signal.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        for program in &plan.programs {
            let filter =
                libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut().cast() };
            let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
            let made = libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &filter);
            check(made, Step::SystemCalls)?;
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, null_mut());
        let (arguments, environment) = (plan.arguments.as_ptr(), plan.environment.as_ptr());
        let empty = c"".as_ptr();
        libc::syscall(libc::SYS_execveat, plan.execute, empty, arguments, environment, libc::AT_EMPTY_PATH);
        Err(Step::Execute)
    }
}

/// # Safety
/// Only in the new process.
unsafe fn descriptors(plan: &Plan) -> Result<(), Step> {
    // SAFETY: see `steps`.
    unsafe {
        // Numbers as high as ours need room; what is open at a number stays open when the room shrinks again.
        let mut room: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut room);
        room.rlim_cur = room.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &room);
        libc::syscall(libc::SYS_close_range, 3, c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
        for (from, to, closes) in &plan.descriptors {
            check(libc::dup2(*from, *to).into(), Step::Descriptors)?;
            let flags = if *closes { libc::FD_CLOEXEC } else { 0 };
            check(libc::fcntl(*to, libc::F_SETFD, flags).into(), Step::Descriptors)?;
        }
    }
    Ok(())
}

/// All capabilities, and the way by which the superuser gets them again.
///
/// # Safety
/// Only in the new process.
unsafe fn give_up() -> Result<(), Step> {
    const VERSION_3: u32 = 0x2008_0522;
    const NO_ROOT_AND_LOCKED: libc::c_ulong = 0b11;
    let header = [VERSION_3, 0];
    let none = [0u32; 6];
    // SAFETY: see `steps`; the structures are those of this version.
    unsafe {
        libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT_AND_LOCKED, 0, 0, 0);
        check(libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()), Step::Capabilities)
    }
}

/// Has no mount of this namespace show in any other. The root of a `chroot` is no mount, so nothing can be said of it there:
/// that is fine if all mounts are private already.
///
/// # Safety
/// Only in a new process, which has a mount namespace of its own.
pub(crate) unsafe fn make_private(is_private: bool) -> c_int {
    // SAFETY: a plain system call.
    let made = unsafe { libc::mount(null(), c"/".as_ptr(), null(), libc::MS_REC | libc::MS_PRIVATE, null()) };
    if is_private { 0 } else { made }
}

/// Puts its folder where programs look for one.
///
/// # Safety
/// Only in the new process, which has a mount namespace of its own.
unsafe fn mount_temporary(plan: &Plan) -> Result<*const c_char, Step> {
    // SAFETY: see `steps`.
    unsafe {
        check(make_private(plan.is_private).into(), Step::Mounts)?;
        let (from, to) = (plan.folder.as_ptr(), TEMPORARY.as_ptr());
        check(libc::mount(from, to, null(), libc::MS_BIND, null()).into(), Step::Mounts)?;
        Ok(to)
    }
}

/// Makes a root of its own that has nothing but what the plan names.
///
/// # Safety
/// Only in the new process, which has a mount namespace of its own.
unsafe fn mount_all(plan: &mut Plan) -> Result<(), Step> {
    /// The kernel's structure for changing mounts.
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user: u64,
    }
    const READ_ONLY: u64 = 1;
    const NO_SET_ID: u64 = 2;
    const CLONE_TREE: c_uint = 1;
    const RECURSIVE: c_uint = 0x8000;
    const FROM_EMPTY_PATH: c_uint = 4;
    let Some(mounts) = &plan.mounts else { return Ok(()) };
    let checked = |result: c_long| check(result, Step::Mounts);
    // SAFETY: see `steps`.
    unsafe {
        checked(make_private(plan.is_private).into())?;
        for (mount, tree) in mounts.iter().zip(&mut plan.trees) {
            if mount.link.is_some() {
                continue;
            }
            let flags = CLONE_TREE | RECURSIVE | libc::O_CLOEXEC as c_uint;
            let opened = libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, mount.from.as_ptr(), flags);
            checked(opened)?;
            *tree = opened as RawFd;
            let set = if mount.writable { NO_SET_ID } else { NO_SET_ID | READ_ONLY };
            let attributes = Attributes { set, clear: 0, propagation: 0, user: 0 };
            let (flags, size) = (RECURSIVE | libc::AT_EMPTY_PATH as c_uint, size_of::<Attributes>());
            let changed =
                libc::syscall(libc::SYS_mount_setattr, opened, c"".as_ptr(), flags, &attributes, size);
            checked(changed)?;
        }
        let root = NEW_ROOT.as_ptr();
        checked(libc::mount(c"tarka".as_ptr(), root, c"tmpfs".as_ptr(), libc::MS_NOSUID, null()).into())?;
        for (mount, tree) in mounts.iter().zip(&plan.trees) {
            for folder in &mount.above {
                libc::mkdir(folder.as_ptr(), 0o755);
            }
            if let Some(link) = &mount.link {
                libc::symlink(link.as_ptr(), mount.to.as_ptr());
                continue;
            }
            if mount.is_folder {
                libc::mkdir(mount.to.as_ptr(), 0o755);
            } else {
                let made =
                    libc::open(mount.to.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_CLOEXEC, 0o644);
                libc::close(made);
            }
            let to = (libc::AT_FDCWD, mount.to.as_ptr());
            checked(libc::syscall(libc::SYS_move_mount, *tree, c"".as_ptr(), to.0, to.1, FROM_EMPTY_PATH))?;
        }
        // Of processes it sees its own namespace, or nothing where that may not be mounted.
        let processes = c"/tmp/proc".as_ptr();
        libc::mkdir(processes, 0o555);
        libc::mount(c"proc".as_ptr(), processes, c"proc".as_ptr(), libc::MS_NOSUID | libc::MS_RDONLY, null());
        checked(libc::chdir(root).into())?;
        if libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) == 0 {
            checked(libc::umount2(c".".as_ptr(), libc::MNT_DETACH).into())?;
        } else {
            // The root of a `chroot` is no mount, so it cannot change places. It stays behind the new root. To leave that takes a
            // capability that targets have lost, and the system gives nobody with such a root a namespace to get it back.
            checked(libc::chroot(c".".as_ptr()).into())?;
        }
        // Nothing more is made in the root itself.
        let attributes = Attributes { set: READ_ONLY, clear: 0, propagation: 0, user: 0 };
        let size = size_of::<Attributes>();
        checked(libc::syscall(libc::SYS_mount_setattr, libc::AT_FDCWD, c"/".as_ptr(), 0, &attributes, size))
    }
}
