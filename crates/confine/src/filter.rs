//! Which system calls a target may make, as programs for seccomp.
//!
//! Takes how refusals shall show, the means and what the user allows; gives the programs in the order in which they are
//! installed. Never: files by their name, which only Landlock and mounts can tell.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is,
    SeccompCondition as Condition, SeccompFilter, SeccompRule as Rule, TargetArch, sock_filter,
};

use crate::means::Means;
use crate::spawn::{INIT, PROGRAM};
use crate::{Allow, Manner};

/// Calls that older headers do not name.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
/// No call has a greater number that these rules know; later ones do not exist for a target.
const LAST_KNOWN: u32 = 470;
/// Calls of the second ABI of this machine begin here.
const ABI_BIT: u32 = 0x4000_0000;

/// Position of the argument that no call of these has, in which ours carry a password.
const PASSWORD: u8 = 5;

/// Calls that change what a path names; Landlock and mounts know which paths may be changed.
const CHANGES: &[c_long] = &[
    libc::SYS_unlink,
    libc::SYS_unlinkat,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_mkdir,
    libc::SYS_mkdirat,
    libc::SYS_rmdir,
    libc::SYS_link,
    libc::SYS_linkat,
    libc::SYS_symlink,
    libc::SYS_symlinkat,
    libc::SYS_mknod,
    libc::SYS_mknodat,
    libc::SYS_creat,
    libc::SYS_truncate,
];

/// Calls that change owners, rights and times, which Landlock does not guard: refused everywhere.
const METADATA: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_chown,
    libc::SYS_fchown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
];

/// Calls that are about the machine, other processes or the kernel itself.
const MACHINE: &[c_long] = &[
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_open_by_handle_at,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

/// Calls that reach other machines and processes by a socket, or make any other call unseen.
const NETWORK: &[c_long] =
    &[libc::SYS_socket, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// The rules of one action.
type Rules = BTreeMap<c_long, Vec<Rule>>;

/// What refusals look like, and what the passwords are that let our own calls through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passwords {
    /// A call of the target that its runtime has looked at.
    pub(crate) again: u64,
    /// The fork of a run.
    pub(crate) fork: u64,
}

/// All programs for a target; the tool's own process is `own`.
pub(crate) fn programs(
    manner: Manner,
    means: Means,
    allow: &Allow,
    passwords: Passwords,
    own: u32,
) -> Result<Vec<BpfProgram>, Error> {
    if allow.unconfined {
        return Ok(Vec::new());
    }
    let mut denied = Rules::new();
    let mut not_permitted = Rules::new();
    files(&mut denied, manner, means, passwords.again)?;
    for call in METADATA.iter().chain(MACHINE) {
        not_permitted.insert(*call, Vec::new());
    }
    if !allow.net {
        denied.extend(NETWORK.iter().map(|call| (*call, Vec::new())));
    }
    if !allow.exec {
        once(&mut denied)?;
    }
    processes(&mut denied, &mut not_permitted, (manner, means), allow, passwords, own)?;
    let program = |rules: Rules, error: i32| {
        let refusal = match manner {
            Manner::Watched => SeccompAction::Trap,
            Manner::Refused => SeccompAction::Errno(error as u32),
        };
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, TargetArch::x86_64);
        filter.and_then(BpfProgram::try_from).map_err(Error::from)
    };
    // clone3 has its flags in memory, where no program can look: the library then uses clone.
    let no_clone3 = Rules::from([(libc::SYS_clone3, Vec::new())]);
    let missing = SeccompFilter::new(
        no_clone3,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS as u32),
        TargetArch::x86_64,
    );
    let mut missing = BpfProgram::try_from(missing?)?;
    let mut first = unknown_calls();
    first.append(&mut missing);
    Ok(vec![program(denied, libc::EACCES)?, program(not_permitted, libc::EPERM)?, first])
}

/// Calls that these rules do not know do not exist.
fn unknown_calls() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let missing = 0x0005_0000 | libc::ENOSYS as u32;
    // What is above the second number is no call of this ABI either.
    vec![step(LOAD, 0, 0, 0), step(GREATER, 0, 1, LAST_KNOWN.min(ABI_BIT)), step(RETURN, 0, 0, missing)]
}

fn is(argument: u8, length: Length, operator: Is, value: u64) -> Result<Condition, Error> {
    Ok(Condition::new(argument, length, operator, value)?)
}

fn all(conditions: Vec<Condition>) -> Result<Rule, Error> {
    Ok(Rule::new(conditions)?)
}

/// Without the password.
fn unasked(password: u64) -> Result<Condition, Error> {
    is(PASSWORD, Length::Qword, Is::Ne, password)
}

/// Where nothing guards paths, nothing is changed at all. A runtime that looks at refusals is asked first in any case.
fn files(rules: &mut Rules, manner: Manner, means: Means, again: u64) -> Result<(), Error> {
    let is_watched = manner == Manner::Watched;
    if is_watched || !means.guards_files() {
        for call in CHANGES {
            let rule = if is_watched { vec![all(vec![unasked(again)?])?] } else { Vec::new() };
            rules.insert(*call, rule);
        }
        for (call, flags) in [(libc::SYS_open, 1), (libc::SYS_openat, 2)] {
            let mut refused = Vec::new();
            let mut refuse = |mask: i32, value: i32| -> Result<(), Error> {
                let mut conditions = vec![is(flags, Length::Dword, Is::MaskedEq(mask as u64), value as u64)?];
                if is_watched {
                    conditions.push(unasked(again)?);
                }
                refused.push(all(conditions)?);
                Ok(())
            };
            refuse(libc::O_ACCMODE, libc::O_WRONLY)?;
            refuse(libc::O_ACCMODE, libc::O_RDWR)?;
            refuse(libc::O_CREAT, libc::O_CREAT)?;
            refuse(libc::O_TRUNC, libc::O_TRUNC)?;
            // Libraries and the loader close what they open on exec; what a program opens to read is looked at, too.
            if is_watched {
                refuse(libc::O_CLOEXEC, 0)?;
                refuse(libc::O_DIRECTORY, libc::O_DIRECTORY)?;
            }
            rules.insert(call, refused);
        }
        rules.insert(
            libc::SYS_openat2,
            if is_watched { vec![all(vec![unasked(again)?])?] } else { Vec::new() },
        );
    } else if !means.guards_truncation() {
        rules.insert(libc::SYS_truncate, Vec::new());
        for (call, flags) in [(libc::SYS_open, 1), (libc::SYS_openat, 2)] {
            let mask = (libc::O_ACCMODE | libc::O_TRUNC) as u64;
            let cut = is(flags, Length::Dword, Is::MaskedEq(mask), (libc::O_RDONLY | libc::O_TRUNC) as u64)?;
            rules.insert(call, vec![all(vec![cut])?]);
        }
        rules.insert(libc::SYS_openat2, Vec::new());
    }
    Ok(())
}

/// Only the program itself is ever executed: on a descriptor that it closes, with a number that no other can have.
fn once(rules: &mut Rules) -> Result<(), Error> {
    rules.insert(libc::SYS_execve, Vec::new());
    let mut conditions = Vec::new();
    for number in [PROGRAM, INIT] {
        conditions.push(is(0, Length::Dword, Is::Ne, number as u64)?);
    }
    rules.insert(libc::SYS_execveat, vec![all(conditions)?]);
    Ok(())
}

/// Calls that send signals; the process or thread they are for comes first.
const SIGNALS: &[c_long] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
];

/// Calls that a runtime looks at because they may be about another process or a limit.
const LOOKED_AT: &[c_long] = &[libc::SYS_setrlimit, libc::SYS_setpriority, libc::SYS_pidfd_open];

fn processes(
    denied: &mut Rules,
    not_permitted: &mut Rules,
    (manner, means): (Manner, Means),
    allow: &Allow,
    passwords: Passwords,
    own: u32,
) -> Result<(), Error> {
    if !allow.exec {
        // The way in which libraries start programs.
        denied.insert(libc::SYS_vfork, Vec::new());
        let to_start =
            is(0, Length::Dword, Is::MaskedEq(libc::CLONE_VFORK as u64), libc::CLONE_VFORK as u64)?;
        denied.insert(libc::SYS_clone, vec![all(vec![to_start])?]);
    }
    match manner {
        Manner::Watched => watched_processes(denied, not_permitted, means, allow, passwords),
        Manner::Refused => refused_processes(not_permitted, means, own),
    }
}

/// A runtime tells which of them are about the target itself.
fn watched_processes(
    denied: &mut Rules,
    not_permitted: &mut Rules,
    means: Means,
    allow: &Allow,
    passwords: Passwords,
) -> Result<(), Error> {
    not_permitted.insert(libc::SYS_ptrace, Vec::new());
    for call in SIGNALS.iter().chain(LOOKED_AT) {
        not_permitted.insert(*call, vec![all(vec![unasked(passwords.again)?])?]);
    }
    // The C library asks for its limits before anything of ours is there.
    let to_set = is(2, Length::Qword, Is::Ne, 0)?;
    not_permitted.insert(libc::SYS_prlimit64, vec![all(vec![to_set, unasked(passwords.again)?])?]);
    if means.is_isolated() {
        return Ok(());
    }
    owners_of_signals(not_permitted)?;
    not_permitted.insert(libc::SYS_setsid, Vec::new());
    not_permitted.insert(libc::SYS_setpgid, vec![all(vec![unasked(passwords.fork)?])?]);
    if !allow.exec {
        denied.insert(libc::SYS_fork, Vec::new());
        let no_thread = is(0, Length::Dword, Is::MaskedEq(libc::CLONE_THREAD as u64), 0)?;
        denied.insert(libc::SYS_clone, vec![all(vec![no_thread, unasked(passwords.fork)?])?]);
    }
    Ok(())
}

/// In a namespace a target sees no others. Without one, signals to groups and to the tool itself are refused; a test file runs
/// each test in a process of its own, which may end itself, so what has another number is not kept from it.
fn refused_processes(rules: &mut Rules, means: Means, own: u32) -> Result<(), Error> {
    // A tracer of its own process is what the leak checker needs; Landlock keeps it from others.
    if !means.guards_files() {
        rules.insert(libc::SYS_ptrace, Vec::new());
    }
    if means.is_isolated() {
        return Ok(());
    }
    owners_of_signals(rules)?;
    rules.insert(libc::SYS_setsid, Vec::new());
    rules.insert(libc::SYS_setpgid, Vec::new());
    let to_groups = is(0, Length::Dword, Is::MaskedEq(1 << 31), 1 << 31)?;
    let to_us = is(0, Length::Dword, Is::Eq, own.into())?;
    let to_mine = is(0, Length::Dword, Is::Eq, 0)?;
    rules.insert(libc::SYS_kill, vec![all(vec![to_groups])?, all(vec![to_us.clone()])?, all(vec![to_mine])?]);
    for call in [libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        rules.insert(call, vec![all(vec![to_us.clone()])?]);
    }
    rules.insert(libc::SYS_tkill, Vec::new());
    rules.insert(libc::SYS_pidfd_send_signal, Vec::new());
    Ok(())
}

/// The kernel sends a signal to whom a descriptor belongs.
fn owners_of_signals(rules: &mut Rules) -> Result<(), Error> {
    const SET_OWNER: [i32; 2] = [8, 15];
    const SET_OWNER_OF_SOCKET: [u64; 2] = [0x8901, 0x8902];
    let of_file = |command: i32| all(vec![is(1, Length::Dword, Is::Eq, command as u64)?]);
    rules.insert(libc::SYS_fcntl, SET_OWNER.into_iter().map(of_file).collect::<Result<_, _>>()?);
    let of_socket = |request: u64| all(vec![is(1, Length::Dword, Is::Eq, request)?]);
    rules.insert(libc::SYS_ioctl, SET_OWNER_OF_SOCKET.into_iter().map(of_socket).collect::<Result<_, _>>()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::means::Namespaces;

    #[test]
    fn every_manner_and_means_has_programs_and_unconfined_has_none() {
        let passwords = Passwords { again: 1 << 40, fork: 1 << 41 };
        let all = Means { landlock: 7, namespaces: Namespaces::Direct, groups: false, bounds_folders: false };
        for name in ["all", "abi0", "abi2", "bare", "nothing"] {
            for manner in [Manner::Watched, Manner::Refused] {
                let made = programs(manner, all.reduced(name), &Allow::default(), passwords, 1).unwrap();
                assert!(
                    made.len() == 3 && made.iter().all(|program| program.len() > 5 && program.len() < 1000)
                );
            }
        }
        let open = Allow { unconfined: true, ..Allow::default() };
        assert!(programs(Manner::Watched, all, &open, passwords, 1).unwrap().is_empty());
    }
}
