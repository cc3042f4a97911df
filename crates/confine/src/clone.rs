//! Making a process that begins in the tool's own memory.
//!
//! Takes what the process shall do at first, its namespaces and its group; gives its number and a handle when it has left the
//! memory. Never: what that is.

use std::arch::asm;
use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Stack of a new process until it is the target.
const STACK: usize = 256 << 10;

/// What a new process does; what it returns is its status.
type Begin = extern "C" fn(*mut c_void) -> c_int;

/// What the kernel's `clone3` reads.
#[repr(C)]
#[derive(Default)]
struct Arguments {
    flags: u64,
    handle: u64,
    child_number: u64,
    parent_number: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    thread_storage: u64,
    numbers: u64,
    numbers_size: u64,
    group: u64,
}

/// The group is told by a descriptor; libc has no name for it in this size.
const INTO_GROUP: u64 = 1 << 33;

/// A process in our memory; this thread waits until it has left that.
pub(crate) fn clone_with(
    flags: c_int,
    group: Option<BorrowedFd<'_>>,
    begin: Begin,
    argument: *mut c_void,
) -> io::Result<(c_int, OwnedFd)> {
    let mut stack: Vec<u128> = Vec::with_capacity(STACK / size_of::<u128>());
    let mut handle: c_int = -1;
    let flags = flags | libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD;
    // SAFETY: the stack outlives the process's time on it, because this thread waits; it is aligned and large enough for
    // what `begin` does. No signal handler of ours runs there: all signals are kept off until the thread goes on.
    let pid = unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let pid = match group {
            None => {
                let top = stack.as_mut_ptr().add(stack.capacity()).cast();
                match libc::clone(begin, top, flags | libc::SIGCHLD, argument, &raw mut handle) {
                    -1 => Err(io::Error::last_os_error()),
                    pid => Ok(pid),
                }
            }
            Some(group) => {
                let arguments = Arguments {
                    flags: INTO_GROUP | flags as u64,
                    handle: (&raw mut handle) as u64,
                    exit_signal: libc::SIGCHLD as u64,
                    stack: stack.as_mut_ptr() as u64,
                    stack_size: (stack.capacity() * size_of::<u128>()) as u64,
                    group: group.as_raw_fd() as u64,
                    ..Arguments::default()
                };
                into_group(&arguments, begin, argument)
            }
        };
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        pid?
    };
    // SAFETY: the kernel has just made it, and nobody else knows it.
    Ok((pid, unsafe { OwnedFd::from_raw_fd(handle) }))
}

/// A process that begins in its group. To move one later takes the kernel some 15 ms, in which nobody can fork; and the C
/// library has no function for this call.
///
/// # Safety
/// The arguments name a stack of the new process's own, and share this memory until it has left it.
unsafe fn into_group(arguments: &Arguments, begin: Begin, argument: *mut c_void) -> io::Result<c_int> {
    let result: i64;
    // SAFETY: the new process comes back on its own stack, with all registers as they were: it calls `begin` and ends, and never
    // returns into this function.
    unsafe {
        asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r13",
            "call r12",
            "mov edi, eax",
            "mov eax, {exit}",
            "syscall",
            "ud2",
            "2:",
            exit = const libc::SYS_exit,
            inlateout("rax") libc::SYS_clone3 => result,
            in("rdi") std::ptr::from_ref(arguments),
            in("rsi") size_of::<Arguments>(),
            in("r12") begin,
            in("r13") argument,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    if result < 0 { Err(io::Error::from_raw_os_error(-result as i32)) } else { Ok(result as c_int) }
}
