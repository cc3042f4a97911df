//! What a unit reached for outside, in words.
//!
//! Takes the record of a system call that was refused; gives what it was, as a C developer would say it, and the option that
//! would allow it. Never: whether that is a fault.

use std::fmt;

use libc::c_long;
use tarka_trace as trace;

/// A system call that was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    words: String,
    /// The word of `--allow` that would let it pass; `None` if none does.
    pub allowed_by: Option<&'static str>,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// Calls with a path and what they are called.
const WITH_PATH: &[(c_long, &str)] = &[
    (libc::SYS_unlink, "unlink"),
    (libc::SYS_unlinkat, "unlink"),
    (libc::SYS_rmdir, "rmdir"),
    (libc::SYS_rename, "rename"),
    (libc::SYS_renameat, "rename"),
    (libc::SYS_renameat2, "rename"),
    (libc::SYS_mkdir, "mkdir"),
    (libc::SYS_mkdirat, "mkdir"),
    (libc::SYS_link, "link"),
    (libc::SYS_linkat, "link"),
    (libc::SYS_symlink, "symlink"),
    (libc::SYS_symlinkat, "symlink"),
    (libc::SYS_mknod, "mknod"),
    (libc::SYS_mknodat, "mknod"),
    (libc::SYS_truncate, "truncate"),
];

/// Calls with a path that nothing allows: what they change is guarded by no rule about paths.
const NEVER_ALLOWED: &[(c_long, &str)] = &[
    (libc::SYS_chmod, "chmod"),
    (libc::SYS_fchmodat, "chmod"),
    (452, "chmod"),
    (libc::SYS_fchmod, "fchmod"),
    (libc::SYS_chown, "chown"),
    (libc::SYS_lchown, "lchown"),
    (libc::SYS_fchownat, "chown"),
    (libc::SYS_fchown, "fchown"),
    (libc::SYS_utime, "utime"),
    (libc::SYS_utimes, "utimes"),
    (libc::SYS_utimensat, "utimensat"),
    (libc::SYS_futimesat, "utimes"),
    (libc::SYS_setxattr, "setxattr"),
    (libc::SYS_lsetxattr, "setxattr"),
    (libc::SYS_fsetxattr, "fsetxattr"),
    (libc::SYS_removexattr, "removexattr"),
    (libc::SYS_lremovexattr, "removexattr"),
    (libc::SYS_fremovexattr, "fremovexattr"),
    (libc::SYS_chroot, "chroot"),
];

/// Other calls.
const OTHERS: &[(c_long, &str)] = &[
    (libc::SYS_ptrace, "ptrace"),
    (libc::SYS_process_vm_readv, "process_vm_readv"),
    (libc::SYS_process_vm_writev, "process_vm_writev"),
    (libc::SYS_pidfd_getfd, "pidfd_getfd"),
    (libc::SYS_mount, "mount"),
    (libc::SYS_umount2, "umount"),
    (libc::SYS_pivot_root, "pivot_root"),
    (libc::SYS_unshare, "unshare"),
    (libc::SYS_setns, "setns"),
    (libc::SYS_reboot, "reboot"),
    (libc::SYS_sethostname, "sethostname"),
    (libc::SYS_bpf, "bpf"),
    (libc::SYS_perf_event_open, "perf_event_open"),
    (libc::SYS_userfaultfd, "userfaultfd"),
    (libc::SYS_keyctl, "keyctl"),
    (libc::SYS_add_key, "add_key"),
    (libc::SYS_request_key, "request_key"),
    (libc::SYS_settimeofday, "settimeofday"),
    (libc::SYS_clock_settime, "clock_settime"),
    (libc::SYS_syslog, "syslog"),
    (libc::SYS_shmget, "shmget"),
    (libc::SYS_semget, "semget"),
    (libc::SYS_msgget, "msgget"),
    (libc::SYS_mq_open, "mq_open"),
    (libc::SYS_io_uring_setup, "io_uring_setup"),
    (libc::SYS_inotify_init, "inotify_init"),
    (libc::SYS_inotify_init1, "inotify_init"),
    (libc::SYS_setrlimit, "setrlimit"),
    (libc::SYS_prlimit64, "prlimit"),
    (libc::SYS_setpriority, "setpriority"),
    (libc::SYS_pidfd_open, "pidfd_open"),
    (libc::SYS_fcntl, "fcntl"),
    (libc::SYS_ioctl, "ioctl"),
    (libc::SYS_setsid, "setsid"),
    (libc::SYS_setpgid, "setpgid"),
];

/// Families of sockets.
const FAMILIES: &[(u64, &str)] =
    &[(1, "AF_UNIX"), (2, "AF_INET"), (10, "AF_INET6"), (16, "AF_NETLINK"), (17, "AF_PACKET")];

impl Attempt {
    pub(crate) fn of(record: &trace::Attempt) -> Attempt {
        let call = c_long::from(record.call);
        let end = record.text.iter().position(|byte| *byte == 0).unwrap_or(record.text.len());
        let path = record.text[..end].escape_ascii().to_string();
        let name = |table: &[(c_long, &'static str)]| {
            table.iter().find(|(number, _)| *number == call).map(|(_, name)| *name)
        };
        let told = |words: String, allowed_by| Attempt { words, allowed_by };
        let [first, second, third] = record.arguments;
        match call {
            libc::SYS_open | libc::SYS_openat | libc::SYS_openat2 | libc::SYS_creat => {
                let flags = if call == libc::SYS_open { second } else { third } as i32;
                let writes =
                    flags & libc::O_ACCMODE != libc::O_RDONLY || flags & (libc::O_CREAT | libc::O_TRUNC) != 0;
                let for_writing = call == libc::SYS_creat || call == libc::SYS_openat2 || writes;
                let what = if for_writing { "writing" } else { "reading" };
                told(format!("opens \"{path}\" for {what}"), Some("write=DIR"))
            }
            libc::SYS_execve | libc::SYS_execveat if path.is_empty() => {
                told("starts another program".to_owned(), Some("exec"))
            }
            libc::SYS_execve | libc::SYS_execveat => {
                told(format!("starts the program \"{path}\""), Some("exec"))
            }
            libc::SYS_fork | libc::SYS_vfork | libc::SYS_clone => {
                told("starts a process".to_owned(), Some("exec"))
            }
            libc::SYS_socket => {
                let family =
                    FAMILIES.iter().find(|(number, _)| *number == first).map(|(_, name)| (*name).to_owned());
                let family = family.unwrap_or_else(|| format!("family {first}"));
                told(format!("opens a socket ({family})"), Some("net"))
            }
            libc::SYS_kill | libc::SYS_rt_sigqueueinfo => {
                told(format!("sends signal {second} to process {}", first as i32), None)
            }
            libc::SYS_tgkill | libc::SYS_rt_tgsigqueueinfo => {
                told(format!("sends signal {third} to process {}", first as i32), None)
            }
            libc::SYS_tkill => told(format!("sends signal {second} to thread {}", first as i32), None),
            _ => {
                let allowed_by = name(WITH_PATH).map(|_| "write=DIR").filter(|_| !path.is_empty());
                let words = match name(WITH_PATH).or(name(NEVER_ALLOWED)).or(name(OTHERS)) {
                    Some(name) if path.is_empty() => format!("calls {name}()"),
                    Some(name) => format!("calls {name}(\"{path}\")"),
                    None => format!("makes the system call {call}"),
                };
                told(words, allowed_by)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(call: c_long, arguments: [u64; 3], path: &str) -> String {
        let mut text = [0; 96];
        text[..path.len()].copy_from_slice(path.as_bytes());
        Attempt::of(&trace::Attempt { call: call as u32, error: 13, arguments, text }).to_string()
    }

    #[test]
    fn attempts_are_told_as_the_calls_a_developer_knows() {
        assert_eq!(words(libc::SYS_unlink, [0; 3], "/etc/passwd"), "calls unlink(\"/etc/passwd\")");
        assert_eq!(words(libc::SYS_openat, [0, 0, 0o101], "/a"), "opens \"/a\" for writing");
        assert_eq!(words(libc::SYS_open, [0, 0, 0], "/a\"\n"), "opens \"/a\\\"\\n\" for reading");
        assert_eq!(words(libc::SYS_socket, [2, 1, 0], ""), "opens a socket (AF_INET)");
        assert_eq!(words(libc::SYS_kill, [u64::MAX, 9, 0], ""), "sends signal 9 to process -1");
        assert_eq!(words(libc::SYS_execve, [0; 3], "/bin/sh"), "starts the program \"/bin/sh\"");
        assert_eq!(words(9999, [0; 3], ""), "makes the system call 9999");
    }

    #[test]
    fn only_what_can_be_allowed_says_how() {
        let of = |call: c_long| {
            let mut text = [0; 96];
            text[..2].copy_from_slice(b"/a");
            Attempt::of(&trace::Attempt { call: call as u32, error: 1, arguments: [0; 3], text }).allowed_by
        };
        assert_eq!((of(libc::SYS_unlink), of(libc::SYS_chmod)), (Some("write=DIR"), None));
        assert_eq!((of(libc::SYS_socket), of(libc::SYS_ptrace)), (Some("net"), None));
    }

    #[test]
    fn a_record_without_an_end_or_of_nothing_known_is_no_harm() {
        let record = trace::Attempt { call: u32::MAX, error: 0, arguments: [u64::MAX; 3], text: [b'x'; 96] };
        assert_eq!(Attempt::of(&record).to_string(), format!("makes the system call {}", u32::MAX));
    }
}
