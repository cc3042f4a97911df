//! Sees to it that nothing outlives the tool: whichever of its processes ends, by itself or by `kill -9`, all that it started ends.
//!
//! Takes a process that has one thread so far; gives two ways on: the work, and a watch that passes signals on to it and tells how it
//! ended. Where it can be had, the work is done in a PID namespace, whose end is the end of all that is in it. Never: what the work
//! is, temporary folders, messages.
//!
//! ```text
//! watch ──▶ first of the namespace ──▶ work ──▶ compilers, targets, replays
//! ```
//!
//! The first process of a namespace gets no signal that it has no handler for, and every orphan becomes its child. So it does
//! nothing but wait for children, and the work is an ordinary process that nobody takes an exit status from.

use std::fs;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::ptr::{null, null_mut};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// Does without a namespace where it is set: a switch for tests of what holds then.
const WITHOUT: &str = "TARKA_WITHOUT_NAMESPACE";

/// What the watch passes on to the work. What stops or ends a process whatever it wants cannot be held back.
const PASSED_ON: [i32; 9] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGWINCH,
    libc::SIGCONT,
    libc::SIGTSTP,
];

/// By what the processes are kept together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// A PID namespace: the system ends all that is in it, whoever is killed.
    Namespace,
    /// The watch: it ends what is left, unless it is the one that is killed; then the work ends, and what that started may go on.
    Watch,
}

/// Which way on this is.
#[derive(Debug)]
pub enum Split {
    /// The work.
    Work(Keeping),
    /// The watch, which is over: the work ended like this, and nothing of it is left.
    Watched(Ended),
}

/// How the work ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, with this status.
    Exited(u8),
    /// By this signal.
    Signalled(i32),
}

impl Ended {
    fn of(status: i32) -> Ended {
        match libc::WIFEXITED(status) {
            true => Ended::Exited(libc::WEXITSTATUS(status) as u8),
            false => Ended::Signalled(libc::WTERMSIG(status)),
        }
    }
}

/// Ends this process by a signal, as the work was ended by it; comes back only where the signal ends nobody. No second core is written.
pub fn end_by(signal: i32) {
    let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: plain calls with values that live as long as they do.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CORE, &no_core);
        libc::signal(signal, libc::SIG_DFL);
        let only = signal_set(&[signal]);
        libc::sigprocmask(libc::SIG_UNBLOCK, &only, null_mut());
        libc::raise(signal);
    }
}

/// Splits the process in two. A work that `needs_terminal` stays in the process group that the terminal sends its signals to;
/// any other is in a group of its own, and gets each signal once, from the watch. A signal that comes to a watch before the work
/// has begun waits for it.
///
/// # Safety
/// This process has no thread but this one.
pub unsafe fn split(needs_terminal: bool) -> io::Result<Split> {
    let held = Held::back();
    // Before the split, so that the watch knows what to remove.
    crate::group::open();
    // SAFETY: as the caller promises.
    let split = unsafe { keep(&held, needs_terminal) };
    if !matches!(split, Ok(Split::Work(_))) {
        crate::group::close();
    }
    split
}

/// # Safety
/// As for [`split`].
unsafe fn keep(held: &Held, needs_terminal: bool) -> io::Result<Split> {
    // Orphans of the work come to the watch.
    // SAFETY: a plain call.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    if std::env::var_os(WITHOUT).is_none() && sees_itself() {
        // SAFETY: as the caller promises.
        if let Some(split) = unsafe { in_namespace(held, needs_terminal)? } {
            return Ok(split);
        }
    }
    // SAFETY: as the caller promises.
    unsafe { beside(held, needs_terminal) }
}

/// What the processes of a namespace tell the watch.
enum Word {
    /// The first process, as the watch numbers it.
    First(i32),
    /// The work, as the watch numbers it. It goes on.
    Work(i32),
    /// The work ended, with this status of `wait`.
    Ended(i32),
    /// There is no namespace.
    None,
}

impl Word {
    fn say(self, to: &PipeWriter) {
        let (word, number) = match self {
            Word::First(pid) => (b'f', pid),
            Word::Work(pid) => (b'w', pid),
            Word::Ended(status) => (b'e', status),
            Word::None => (b'n', 0),
        };
        let number = number.to_le_bytes();
        // Whoever could be told otherwise finds the pipe at its end.
        let _ = { to }.write_all(&[word, number[0], number[1], number[2], number[3]]);
    }

    /// What is said next; the end of the pipe says that there is none.
    fn hear(from: &mut PipeReader) -> Word {
        let mut bytes = [0; 5];
        let number = |bytes: [u8; 5]| i32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]);
        match from.read_exact(&mut bytes).map(|()| bytes[0]) {
            Ok(b'f') => Word::First(number(bytes)),
            Ok(b'w') => Word::Work(number(bytes)),
            Ok(b'e') => Word::Ended(number(bytes)),
            _ => Word::None,
        }
    }
}

/// The work in a PID namespace; `None` if none can be had.
///
/// # Safety
/// As for [`split`].
unsafe fn in_namespace(held: &Held, needs_terminal: bool) -> io::Result<Option<Split>> {
    let (mut hears, says) = io::pipe()?;
    let (mut watch_lives, mut lives) = io::pipe()?;
    // A process between goes into the namespaces, starts the first one and ends: the watch itself stays where it is.
    // SAFETY: as the caller promises.
    let Some(between) = (unsafe { fork()? }) else {
        drop((hears, lives));
        // SAFETY: as the caller promises.
        unsafe { go_between(needs_terminal, &mut watch_lives, &says) };
        held.let_go();
        return Ok(Some(Split::Work(Keeping::Namespace)));
    };
    drop((says, watch_lives));
    let mut first = None;
    let work = loop {
        match Word::hear(&mut hears) {
            Word::First(pid) => {
                first = Some(pid);
                // From here on the watch is the parent of the first process, which waits to hear that.
                wait_for(between);
                let _ = lives.write_all(b"g");
            }
            Word::Work(pid) => break Some(pid),
            Word::Ended(_) | Word::None => break None,
        }
    };
    if first.is_none() {
        wait_for(between);
    }
    let (Some(first), Some(work)) = (first, work) else {
        if let Some(first) = first {
            wait_for(first);
        }
        return Ok(None);
    };
    held.pass_on(first, work, needs_terminal);
    drop(lives);
    // The first process was waited for, so the system has ended and waited for all others.
    Ok(Some(Split::Watched(match Word::hear(&mut hears) {
        Word::Ended(status) => Ended::of(status),
        _ => Ended::Signalled(libc::SIGKILL),
    })))
}

/// From the process between to the work: comes back in the work only.
///
/// # Safety
/// As for [`split`].
unsafe fn go_between(needs_terminal: bool, watch_lives: &mut PipeReader, says: &PipeWriter) {
    let give_up = || -> ! {
        Word::None.say(says);
        leave()
    };
    if enter_namespaces().is_err() {
        give_up();
    }
    // SAFETY: as the caller promises.
    match unsafe { fork() } {
        Ok(Some(first)) => {
            Word::First(first).say(says);
            leave()
        }
        Ok(None) => {}
        Err(_) => give_up(),
    }
    // To end with its parent, a process must have the parent it is to end with.
    if watch_lives.read(&mut [0]).ok() != Some(1) || !ends_with_parent(watch_lives) {
        give_up();
    }
    if !needs_terminal {
        own_group();
    }
    // SAFETY: as the caller promises.
    match unsafe { fork() } {
        Ok(Some(work)) => {
            loop {
                let mut status = 0;
                // SAFETY: `status` outlives the call.
                match unsafe { libc::waitpid(-1, &mut status, 0) } {
                    pid if pid == work => {
                        Word::Ended(status).say(says);
                        break;
                    }
                    -1 if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted => break,
                    _ => {}
                }
            }
            leave()
        }
        Ok(None) => {}
        Err(_) => give_up(),
    }
    // What is mounted still numbers processes as the watch does.
    let Some(own) = own_number().filter(|_| own_processes().is_ok()) else { give_up() };
    crate::scratch::mounts_are_own();
    Word::Work(own).say(says);
}

/// The work as a child of the watch.
///
/// # Safety
/// As for [`split`].
unsafe fn beside(held: &Held, needs_terminal: bool) -> io::Result<Split> {
    let (watch_lives, lives) = io::pipe()?;
    let before = children();
    // SAFETY: as the caller promises.
    let Some(work) = (unsafe { fork()? }) else {
        drop(lives);
        if !ends_with_parent(&watch_lives) {
            leave();
        }
        if !needs_terminal {
            own_group();
        }
        held.let_go();
        return Ok(Split::Work(Keeping::Watch));
    };
    let status = held.pass_on(work, work, needs_terminal);
    end_children(&before);
    Ok(Split::Watched(Ended::of(status)))
}

/// The signals that are held back until somebody asks for them, and what was held back before.
struct Held {
    before: libc::sigset_t,
    all: libc::sigset_t,
}

impl Held {
    fn back() -> Held {
        let all = signal_set(&[PASSED_ON.as_slice(), &[libc::SIGCHLD]].concat());
        let mut before = MaybeUninit::uninit();
        // SAFETY: both sets outlive the calls, and the second is written by the first call that is given it.
        unsafe {
            // Whoever started this may have asked for children to vanish without a status.
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            libc::sigprocmask(libc::SIG_BLOCK, &all, before.as_mut_ptr());
            Held { before: before.assume_init(), all }
        }
    }

    /// In the work: signals come as they do to any process.
    fn let_go(&self) {
        // SAFETY: the set outlives the call.
        unsafe { libc::sigprocmask(libc::SIG_SETMASK, &self.before, null_mut()) };
    }

    /// Passes signals on to the work until `child` ends, and gives the status of that.
    fn pass_on(&self, child: i32, work: i32, is_in_group: bool) -> i32 {
        // A number may be another process's by the time it is used; this cannot.
        let work = Pid::from_raw(work).and_then(|work| pidfd_open(work, PidfdFlags::empty()).ok());
        let mut came = MaybeUninit::<libc::siginfo_t>::uninit();
        loop {
            let mut status = 0;
            // SAFETY: `status` outlives the call.
            match unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } {
                0 => {}
                pid if pid == child => return status,
                _ => return libc::SIGKILL,
            }
            // SAFETY: both outlive the call, and a signal that came was described.
            let (signal, code) = unsafe {
                match libc::sigwaitinfo(&self.all, came.as_mut_ptr()) {
                    -1 => continue,
                    signal => (signal, came.assume_init().si_code),
                }
            };
            // The terminal sent it to all of the group.
            let has_it = is_in_group && code > 0;
            match signal {
                libc::SIGCHLD => {}
                libc::SIGTSTP => {
                    send(&work, if has_it { None } else { Some(Signal::STOP) });
                    // SAFETY: a plain call; it comes back when this process is to go on.
                    unsafe { libc::raise(libc::SIGSTOP) };
                    send(&work, Some(Signal::CONT));
                }
                other => send(&work, Signal::from_named_raw(other).filter(|_| !has_it)),
            }
        }
    }
}

fn send(to: &Option<OwnedFd>, signal: Option<Signal>) {
    if let (Some(to), Some(signal)) = (to, signal) {
        // One that has ended needs none.
        let _ = pidfd_send_signal(to, signal);
    }
}

fn signal_set(signals: &[i32]) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is written by the first call, and outlives all.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in signals {
            libc::sigaddset(set.as_mut_ptr(), *signal);
        }
        set.assume_init()
    }
}

/// The child's number; `None` in the child.
///
/// # Safety
/// This process has no thread but this one.
unsafe fn fork() -> io::Result<Option<i32>> {
    // SAFETY: without other threads, nothing is left half-done in the child.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        pid => Ok(Some(pid)),
    }
}

/// Ends a process that only helped to start others: nothing that it shares with them is flushed or cleared away.
fn leave() -> ! {
    // SAFETY: it never comes back.
    unsafe { libc::_exit(0) }
}

fn wait_for(child: i32) -> i32 {
    let mut status = 0;
    // SAFETY: `status` outlives the call.
    while unsafe { libc::waitpid(child, &mut status, 0) } == -1
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
    status
}

/// This process ends when its parent does; false if that cannot be, or has ended already.
fn ends_with_parent(parent_lives: &PipeReader) -> bool {
    // SAFETY: a plain call.
    let set = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) } == 0;
    let mut asked = [PollFd::new(parent_lives, PollFlags::IN)];
    set && poll(&mut asked, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) == Ok(0)
}

/// From a group of its own a process may still write to a terminal that only lets the first group write.
fn own_group() {
    // SAFETY: plain calls.
    unsafe {
        libc::setpgid(0, 0);
        libc::signal(libc::SIGTTOU, libc::SIG_IGN);
    }
}

/// This process as what is mounted numbers it.
fn own_number() -> Option<i32> {
    fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()
}

/// What is mounted numbers processes as this one does.
fn sees_itself() -> bool {
    own_number() == Some(rustix::process::getpid().as_raw_nonzero().get())
}

/// The next child is the first process of its namespace; what is mounted from here on, nobody else sees. Who may not do that as the user
/// it is may do it in a namespace of users, where it is the same user.
fn enter_namespaces() -> io::Result<()> {
    let spaces = libc::CLONE_NEWPID | libc::CLONE_NEWNS;
    // SAFETY: a plain call in a process of one thread.
    if unsafe { libc::unshare(spaces) } == 0 {
        return Ok(());
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    // SAFETY: as above.
    if unsafe { libc::unshare(spaces | libc::CLONE_NEWUSER) } != 0 {
        return Err(io::Error::last_os_error());
    }
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Mounts what shows the processes of this namespace, for debuggers and sanitizers that look themselves up there.
fn own_processes() -> io::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    // SAFETY: strings that live as long as the program, and null where nothing is asked for.
    let mounted = unsafe {
        libc::mount(null(), c"/".as_ptr(), null(), libc::MS_REC | libc::MS_SLAVE, null()) == 0
            && libc::mount(c"proc".as_ptr(), c"/proc".as_ptr(), c"proc".as_ptr(), flags, null()) == 0
    };
    if mounted { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The children of this process.
fn children() -> Vec<i32> {
    let own = rustix::process::getpid().as_raw_nonzero().get().to_string();
    let parent = |stat: &str| stat.rsplit_once(')')?.1.split_whitespace().nth(1).map(str::to_string);
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        parent(&stat).as_deref() == Some(own.as_str())
    };
    numbers.filter(is_child).collect()
}

/// Ends all children but those that were there before, and theirs, which come to this process as their parents end.
fn end_children(before: &[i32]) {
    loop {
        let left: Vec<i32> = children().into_iter().filter(|child| !before.contains(child)).collect();
        if left.is_empty() {
            return;
        }
        for child in left {
            // SAFETY: a child that was not waited for, so the number is its own.
            unsafe { libc::kill(child, libc::SIGKILL) };
            wait_for(child);
        }
    }
}
