//! Compilers that are kept at their beginning: everything is loaded, `main` has not run, and each call is a child.
//!
//! Takes a call and its streams; gives how it ended, or nothing if the program is not one that can be kept. Never: fails, or starts
//! the program in the usual way.
//!
//! A start of clang costs as much as compiling a small file: most of it goes to loading its libraries. `c/kept.c` is loaded before
//! them and takes the place of what calls `main`. A program that is linked with all it needs does not load it, never says that it is
//! ready, and is not asked again. A process that is kept ends with this one: then nobody has the other end of its socket.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, sendmsg,
    socketpair,
};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::{Call, Streams};

/// What is loaded into a compiler: see `c/kept.c`.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kept.so"));

/// Names the socket in the compiler's environment.
const VARIABLE: &str = "TARKA_KEPT";
/// Numbers of descriptors in a process that is kept: its socket, and the library while it is loaded.
const SOCKET: RawFd = 994;
const LIBRARY_FILE: RawFd = 995;

/// How long a program may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(5);
/// Most bytes and arguments of a call; others are started.
const MOST_BYTES: usize = 100 << 10;
const MOST_ARGUMENTS: usize = 8000;

/// Runs the call in a process that is kept; `None` if there is none for it, else how it ended (`None` at the limit).
pub(crate) fn run(call: &Call, streams: &Streams) -> Option<Option<ExitStatus>> {
    let folder = match &call.folder {
        // A program that is named by its way from here is another one from there.
        Some(_) if is_relative(call.program) => return None,
        Some(folder) => std::path::absolute(folder).ok()?,
        None => std::env::current_dir().ok()?,
    };
    let folder = folder.as_os_str();
    let parts = [folder].into_iter().chain(call.arguments.iter().map(OsString::as_os_str));
    let message: Vec<u8> = parts.flat_map(|part| part.as_bytes().iter().copied().chain([0])).collect();
    if message.len() > MOST_BYTES || call.arguments.len() > MOST_ARGUMENTS {
        return None;
    }
    let kept = Kept::of(call.program)?;
    kept.call(&message, streams, call.limit)
}

/// Whether the program is found neither by its name alone nor from the root.
fn is_relative(program: &Path) -> bool {
    program.is_relative() && program.components().count() > 1
}

/// A program at its beginning. It ends when its socket does, and is waited for then: the time it took counts as ours.
struct Kept {
    socket: Option<OwnedFd>,
    process: Mutex<Child>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.socket = None;
        let _ = self.process.get_mut().unwrap_or_else(PoisonError::into_inner).wait();
    }
}

/// A program, and whether it is kept; several may wait for the first to find out.
type Slot = Arc<OnceLock<Option<Kept>>>;

static ALL: Mutex<BTreeMap<PathBuf, Slot>> = Mutex::new(BTreeMap::new());

/// Ends every process that is kept, and waits for it.
pub fn end_all() {
    ALL.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

impl Kept {
    /// The one of this program, started with its first call.
    fn of(program: &Path) -> Option<KeptSlot> {
        let slot = {
            let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry(program.to_path_buf()).or_default().clone()
        };
        slot.get_or_init(|| Kept::start(program)).as_ref()?;
        Some(KeptSlot(slot))
    }

    /// Starts the program with the library, and waits until it is at its beginning.
    fn start(program: &Path) -> Option<Kept> {
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).ok()?;
        let library = memfd_create("tarka-kept", MemfdFlags::CLOEXEC).ok()?;
        let mut library: File = library.into();
        library.write_all(LIBRARY).ok()?;
        let mut preload = OsString::from(format!("/proc/self/fd/{LIBRARY_FILE}"));
        let mut socket = OsString::from(SOCKET.to_string());
        if let Some(named) = std::env::var_os("LD_PRELOAD").filter(|named| !named.is_empty()) {
            for (variable, mark) in [(&mut preload, ":"), (&mut socket, ":")] {
                variable.push(mark);
                variable.push(&named);
            }
        }
        let mut command = Command::new(program);
        command
            .env("LD_PRELOAD", preload)
            .env(VARIABLE, socket)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        let given = [(theirs.as_raw_fd(), SOCKET), (library.as_raw_fd(), LIBRARY_FILE)];
        let prepare = move || {
            for (ours, number) in given {
                // SAFETY: a plain call; the copy stays open in the program.
                if unsafe { libc::dup2(ours, number) } < 0 {
                    return Err(std::io::Error::last_os_error());
                }
            }
            Ok(())
        };
        // SAFETY: only calls that are allowed between fork and exec.
        unsafe { command.pre_exec(prepare) };
        let mut process = command.spawn().ok()?;
        drop(theirs);
        let says = says_ready(&ours);
        if !says {
            let _ = kill_process_group(Pid::from_child(&process), Signal::KILL);
            let _ = process.wait();
            return None;
        }
        Some(Kept { socket: Some(ours), process: Mutex::new(process) })
    }

    /// Sends a call and waits for its end; nothing if it was not taken.
    fn call(&self, message: &[u8], streams: &Streams, limit: Option<Duration>) -> Option<Option<ExitStatus>> {
        let started = Instant::now();
        let (told, tell) = pipe_with(PipeFlags::CLOEXEC).ok()?;
        let descriptors =
            [streams.input.as_fd(), streams.output.as_fd(), streams.errors.as_fd(), tell.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
            return None;
        }
        let socket = self.socket.as_ref()?;
        let send = || sendmsg(socket, &[IoSlice::new(message)], &mut control, SendFlags::NOSIGNAL);
        rustix::io::retry_on_intr(send).ok()?;
        drop(tell);
        let mut told: File = told.into();
        let group = Pid::from_raw(number(&mut told)?)?;
        let left = || limit.map(|limit| limit.saturating_sub(started.elapsed()));
        let has_ended = is_readable(&told, left);
        // Ends what is left of its group; where nothing is, there is nothing to end.
        let _ = kill_process_group(group, Signal::KILL);
        let status = ExitStatus::from_raw(number(&mut told)?);
        Some(has_ended.then_some(status))
    }
}

/// A program that is kept, for a call.
struct KeptSlot(Slot);

impl std::ops::Deref for KeptSlot {
    type Target = Kept;

    fn deref(&self) -> &Kept {
        self.0.get().and_then(Option::as_ref).unwrap_or_else(|| unreachable!("it was started"))
    }
}

/// Whether a program at the other end says that it is at its beginning.
fn says_ready(socket: &OwnedFd) -> bool {
    let started = Instant::now();
    if !is_readable(socket, || Some(PATIENCE.saturating_sub(started.elapsed()))) {
        return false;
    }
    let mut byte = [1; 1];
    rustix::io::read(socket, &mut byte) == Ok(1) && byte == [0]
}

/// Waits for something to read, or the end of it; false if the time that is left is over before.
fn is_readable(from: &impl AsFd, left: impl Fn() -> Option<Duration>) -> bool {
    loop {
        let left = left().and_then(|left| left.try_into().ok());
        match poll(&mut [PollFd::new(from, PollFlags::IN)], left.as_ref()) {
            Ok(0) => return false,
            Err(Errno::INTR) => {}
            // Whatever is wrong with it shows when it is read.
            Ok(_) | Err(_) => return true,
        }
    }
}

/// A number that is told.
fn number(from: &mut File) -> Option<i32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes).ok()?;
    Some(i32::from_le_bytes(bytes))
}
