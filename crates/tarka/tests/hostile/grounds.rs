//! What hostile units attack: a folder, listeners, a process, secrets; and what tells whether they got there.
//!
//! Takes who attacks and the units; gives commands that run on these grounds, and every harm as a line of text.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::judges::output;

/// Nobody's number.
const NOBODY: u32 = 65534;

/// How a secret begins, whichever it is.
const SECRET: &str = "tk5ecret-";

/// How long what a command left has to end by itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// The largest that a file in the folders may be at any time, in bytes. The units try 2 GB; that there may be many is told in
/// `docs/confinement.md`.
const MOST: u64 = 65 << 20;

/// The key of what units would leave in the kernel, as `kernel.c` has it, and a word of what they would leave in its key ring.
const KEY: u32 = 0x7a72_6b61;
const KEY_NAME: &str = "hostile";

/// A limit that no program cares for and every process hands on, whatever becomes of its environment, session and folder: a
/// number of ours in it marks all that a command starts.
const MARKED: &str = "Max msgqueue size";

/// Who attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// Whoever runs the tests.
    Own,
    /// The user `nobody`; only root can become that.
    Nobody,
}

/// The grounds. All of it ends with the value.
pub struct Grounds {
    user: User,
    folder: tempfile::TempDir,
    before: BTreeMap<PathBuf, String>,
    listeners: Listeners,
    victim: Child,
    mark: u64,
}

impl Grounds {
    /// Copies the units and sets everything up around them.
    pub fn new(user: User, units: &Path) -> Grounds {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = tempfile::tempdir_in("/var/tmp").expect("scratch folder");
        let base = folder.path();
        fs::set_permissions(base, fs::Permissions::from_mode(0o755)).expect("permissions");
        for name in ["canary", "canary/empty", "work", "tmp", "home", "bin"] {
            fs::create_dir(base.join(name)).expect("folder");
        }
        let canary = base.join("canary");
        for name in ["keep.txt", "delete.txt", "k", &format!("HOSTILE_SECRET={SECRET}name")] {
            fs::write(canary.join(name), "as it was\n").expect("written");
        }
        let odd = std::ffi::OsStr::from_bytes(b"\"<script>alert(1)<");
        fs::create_dir(canary.join(odd)).expect("folder");
        let odd = canary.join(odd).join(std::ffi::OsStr::from_bytes(b"script>\n\t\x01\xff\\%s"));
        fs::write(odd, "as it was\n").expect("written");
        fs::write(canary.join("secret.txt"), format!("HOSTILE_SECRET={SECRET}file\n")).expect("written");
        symlink("keep.txt", canary.join("pointer")).expect("link");
        let abstract_name = format!("tarka-hostile-{}-{next}", std::process::id());
        let listeners = Listeners::new(&canary.join("socket"), &abstract_name);
        for entry in fs::read_dir(units).expect("units").flatten() {
            fs::copy(entry.path(), base.join("work").join(entry.file_name())).expect("copied");
        }
        if user == User::Nobody {
            let ours = Path::new(env!("CARGO_BIN_EXE_tarka"));
            fs::copy(ours, base.join("bin/tarka")).expect("copied");
            for path in below(base) {
                if !path.is_symlink() {
                    chown(&path, Some(NOBODY), Some(NOBODY)).expect("given away");
                }
            }
        }
        let mut sleep = Command::new("sleep");
        let victim =
            as_user(user, &mut sleep).arg("3600").stdin(Stdio::null()).spawn().expect("sleep starts");
        let before = picture(&canary);
        let mark = 100_000 + u64::from(std::process::id() % 100_000) * 7 + u64::from(next);
        Grounds { user, folder, before, listeners, victim, mark }
    }

    /// The folder that must stay as it is.
    pub fn canary(&self) -> PathBuf {
        self.folder.path().join("canary")
    }

    /// The output folder of the commands.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("work/tarka-out")
    }

    /// What the units are compiled with.
    pub fn flags(&self) -> Vec<String> {
        flags(&self.canary(), self.victim.id(), self.listeners.ports, &self.listeners.name)
    }

    /// The command under test, on these grounds.
    pub fn tarka(&self, means: Option<&str>) -> Command {
        let base = self.folder.path();
        let program = match self.user {
            User::Own => PathBuf::from(env!("CARGO_BIN_EXE_tarka")),
            User::Nobody => base.join("bin/tarka"),
        };
        let mut command = self.marked(&program);
        command.current_dir(base.join("work")).stdin(Stdio::null()).env("TARKA_CACHE", "");
        command.env("TMPDIR", base.join("tmp")).env("HOME", base.join("home"));
        command.env("HOSTILE_SECRET", format!("{SECRET}variable"));
        match means {
            Some(means) => command.env("TARKA_CONFINE_AS", means),
            None => command.env_remove("TARKA_CONFINE_AS"),
        };
        command
    }

    /// A command whose processes can be found, whatever they do.
    fn marked(&self, program: &Path) -> Command {
        let mut command = Command::new("prlimit");
        command.arg(format!("--msgqueue={0}:{0}", self.mark));
        as_user(self.user, &mut command).arg(program);
        command
    }

    /// What has changed, was heard, has died or was left behind.
    pub fn harm(&self) -> Vec<String> {
        let mut harm = Vec::new();
        let left = left_running(self.mark);
        harm.extend(left.iter().map(|(id, name)| format!("still running: {name} ({id})")));
        for (id, _) in left {
            end(id);
        }
        harm.extend(changes(&self.before, &picture(&self.canary())));
        harm.extend(self.listeners.heard());
        if !is_alive(self.victim.id()) {
            harm.push("the process that must live has died".to_string());
        }
        if let Some(what) = state_of(self.victim.id()).filter(|state| state != "as it was") {
            harm.push(format!("the process that must be left alone: {what}"));
        }
        let temporary = fs::read_dir(self.folder.path().join("tmp")).expect("folder").flatten();
        harm.extend(temporary.map(|entry| format!("left behind: {}", entry.path().display())));
        for (table, option) in [("shm", "-M"), ("msg", "-Q")] {
            let text = fs::read_to_string(format!("/proc/sysvipc/{table}")).unwrap_or_default();
            if has_key(&text, KEY as i32) {
                harm.push(format!("left in the kernel: {table}"));
                // The next one is to be seen as well.
                let _ = output(Command::new("ipcrm").arg(option).arg(KEY.to_string()));
            }
        }
        let ring = fs::read_to_string("/proc/keys").unwrap_or_default();
        harm.extend(ring.lines().filter(|line| line.contains(KEY_NAME)).map(|line| format!("a key: {line}")));
        harm
    }

    /// The secrets that somebody let out.
    pub fn secrets_in(&self, place: &str, text: &[u8]) -> Vec<String> {
        if has_secret(text) { vec![format!("a secret is in {place}")] } else { Vec::new() }
    }

    /// The same of all files below a folder, and of their names.
    pub fn secrets_below(&self, folder: &Path) -> Vec<String> {
        let is_open = |path: &PathBuf| {
            has_secret(path.as_os_str().as_bytes()) || fs::read(path).is_ok_and(|text| has_secret(&text))
        };
        let open = below(folder).into_iter().filter(is_open);
        open.map(|path| format!("a secret is in {}", path.display())).collect()
    }

    /// Watches how much lies in the folders, until it is asked.
    pub fn watch_disk(&self) -> Disk {
        Disk::watch(self.folder.path().to_path_buf())
    }
}

impl Drop for Grounds {
    fn drop(&mut self) {
        for (id, _) in marked(self.mark) {
            end(id);
        }
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// What the units are compiled with, for a folder, a process, two ports and the name of a socket.
pub fn flags(canary: &Path, victim: u32, ports: (u16, u16), name: &str) -> Vec<String> {
    vec![
        "-D_GNU_SOURCE".to_string(),
        format!("-DCANARY=\"{}\"", canary.display()),
        format!("-DVICTIM={victim}"),
        format!("-DTCP_PORT={}", ports.0),
        format!("-DUDP_PORT={}", ports.1),
        format!("-DABSTRACT=\"{name}\""),
    ]
}

/// The command that the arguments to come are run by.
fn as_user(user: User, command: &mut Command) -> &mut Command {
    if user == User::Own {
        return command;
    }
    if command.get_program() == "prlimit" {
        let ids = [format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".to_string()];
        return command.arg("setpriv").args(ids);
    }
    use std::os::unix::process::CommandExt;
    command.uid(NOBODY).gid(NOBODY)
}

/// What listens, and what it heard.
struct Listeners {
    ports: (u16, u16),
    name: String,
    heard: Arc<Mutex<Vec<String>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Listeners {
    fn new(path: &Path, name: &str) -> Listeners {
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
        let ports = (tcp.local_addr().expect("port").port(), udp.local_addr().expect("port").port());
        let file = UnixListener::bind(path).expect("a socket");
        let address = SocketAddr::from_abstract_name(name).expect("a name");
        let nameless = UnixListener::bind_addr(&address).expect("a socket");
        tcp.set_nonblocking(true).expect("set");
        udp.set_nonblocking(true).expect("set");
        file.set_nonblocking(true).expect("set");
        nameless.set_nonblocking(true).expect("set");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (says, stops) = (Arc::clone(&heard), Arc::clone(&is_over));
        let thread = thread::spawn(move || {
            let told = |what: &str, result: Option<ErrorKind>| match result {
                Some(ErrorKind::WouldBlock) => {}
                other => says.lock().expect("unharmed").push(format!("heard by {what} ({other:?})")),
            };
            // Once more after the end: what arrived just before it counts.
            let mut is_last = false;
            while !is_last {
                is_last = stops.load(Ordering::Acquire);
                told("the TCP port", tcp.accept().err().map(|error| error.kind()));
                told("the UDP port", udp.recv(&mut [0; 64]).err().map(|error| error.kind()));
                told("the socket in the folder", file.accept().err().map(|error| error.kind()));
                told("the abstract socket", nameless.accept().err().map(|error| error.kind()));
                thread::sleep(Duration::from_millis(5));
            }
        });
        Listeners { ports, name: name.to_string(), heard, is_over, thread: Some(thread) }
    }

    /// What was heard so far, once.
    fn heard(&self) -> Vec<String> {
        thread::sleep(Duration::from_millis(50));
        let mut heard = std::mem::take(&mut *self.heard.lock().expect("unharmed"));
        heard.dedup();
        heard
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Measures how much lies below a folder at most.
pub struct Disk {
    most: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Disk {
    fn watch(folder: PathBuf) -> Disk {
        let (most, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (tells, stops) = (Arc::clone(&most), Arc::clone(&is_over));
        let there: Vec<PathBuf> = below(&folder);
        let thread = thread::spawn(move || {
            while !stops.load(Ordering::Acquire) {
                tells.fetch_max(largest_below(&folder, &there), Ordering::AcqRel);
                thread::sleep(Duration::from_millis(100));
            }
        });
        Disk { most, is_over, thread }
    }

    /// Ends it; says so if it was more than there may be.
    pub fn too_much(self) -> Option<String> {
        let most = self.end();
        (most > MOST).then(|| format!("{most} bytes were in one file of its folders"))
    }

    fn end(self) -> u64 {
        self.is_over.store(true, Ordering::Release);
        self.thread.join().expect("measured");
        self.most.load(Ordering::Acquire)
    }
}

/// Everything below a folder, and the folder itself. What vanishes meanwhile is left out.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (vec![folder.to_path_buf()], vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found
}

fn largest_below(folder: &Path, but: &[PathBuf]) -> u64 {
    let size = |path: PathBuf| fs::symlink_metadata(path).ok().map(|about| about.blocks() * 512);
    below(folder).into_iter().filter(|path| !but.contains(path)).filter_map(size).max().unwrap_or(0)
}

/// All that can be seen of the files below a folder; not when they were read.
fn picture(folder: &Path) -> BTreeMap<PathBuf, String> {
    let describe = |path: PathBuf| {
        let about = fs::symlink_metadata(&path).expect("there");
        let content = if about.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let leads = fs::read_link(&path).unwrap_or_default();
        let mut names = [0; 1024];
        let attributes = rustix::fs::llistxattr(&path, &mut names[..]).unwrap_or(0);
        let text = format!(
            "mode {:o}, owner {}:{}, {} links, {} bytes, changed {}.{:09} {}.{:09}, to {leads:?}, {attributes} of attributes, {:?}",
            about.mode(),
            about.uid(),
            about.gid(),
            about.nlink(),
            content.len(),
            about.mtime(),
            about.mtime_nsec(),
            about.ctime(),
            about.ctime_nsec(),
            String::from_utf8_lossy(&content),
        );
        (path, text)
    };
    below(folder).into_iter().map(describe).collect()
}

/// What differs between two pictures.
fn changes(before: &BTreeMap<PathBuf, String>, after: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let gone = before.keys().filter(|path| !after.contains_key(*path)).map(|path| format!("gone: {path:?}"));
    let other = after.iter().filter_map(|(path, now)| match before.get(path) {
        None => Some(format!("new: {path:?}: {now}")),
        Some(was) if was != now => Some(format!("changed: {path:?}: {was}; now {now}")),
        Some(_) => None,
    });
    gone.chain(other).collect()
}

fn has_secret(text: &[u8]) -> bool {
    text.windows(SECRET.len()).any(|window| window == SECRET.as_bytes())
}

/// Whether a table of the kernel begins a line with this key.
fn has_key(table: &str, key: i32) -> bool {
    table.lines().any(|line| line.split_whitespace().next() == Some(&key.to_string()))
}

/// The fields of a process after its name, and the name.
fn stat(id: u32) -> Option<(String, Vec<String>)> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (name, rest) = text.rsplit_once(')')?;
    Some((name.to_string(), rest.split_whitespace().map(str::to_string).collect()))
}

fn is_alive(id: u32) -> bool {
    stat(id).is_some_and(|(_, fields)| !matches!(fields[0].as_str(), "Z" | "X"))
}

/// What was done to a process that sleeps: its state, niceness and limit of open files.
fn state_of(id: u32) -> Option<String> {
    let (_, fields) = stat(id)?;
    let (state, nice) = (fields.first()?, fields.get(16)?);
    let limits = fs::read_to_string(format!("/proc/{id}/limits")).ok()?;
    let files = limits.lines().find(|line| line.starts_with("Max open files"))?;
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let is_traced = status.lines().any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0"));
    let own = stat(std::process::id())?.1.get(16)?.clone();
    let is_limited = files.split_whitespace().nth(3) == Some("8");
    if matches!(state.as_str(), "S" | "R" | "D") && *nice == own && !is_limited && !is_traced {
        return Some("as it was".to_string());
    }
    Some(format!("state {state}, nice {nice}, {files}, traced {is_traced}"))
}

/// The processes with our number in the limit, ended ones left out.
fn marked(mark: u64) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("/proc").flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(limits) = fs::read_to_string(entry.path().join("limits")) else { continue };
        let limit = limits.lines().find_map(|line| line.strip_prefix(MARKED)).unwrap_or_default();
        if limit.split_whitespace().next() == Some(&mark.to_string()) && is_alive(id) {
            found.push((id, stat(id).map_or(String::new(), |(name, _)| name)));
        }
    }
    found
}

/// The same, after those that end by themselves have had time for it.
fn left_running(mark: u64) -> Vec<(u32, String)> {
    let deadline = Instant::now() + PATIENCE;
    while !marked(mark).is_empty() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    marked(mark)
}

fn end(id: u32) {
    let id = Pid::from_raw(id as i32).expect("the number of a process");
    let _ = kill_process(id, Signal::KILL);
}

fn some_grounds() -> Grounds {
    let units = tempfile::tempdir().expect("scratch folder");
    fs::write(units.path().join("unit.c"), "int one(void) { return 1; }\n").expect("written");
    Grounds::new(User::Own, units.path())
}

#[test]
fn grounds_that_nobody_attacks_are_unharmed() {
    let grounds = some_grounds();
    let watch = grounds.watch_disk();
    fs::read_to_string(grounds.canary().join("keep.txt")).expect("reading is no harm");
    assert_eq!(grounds.harm(), Vec::<String>::new());
    assert_eq!(watch.too_much(), None);
    assert_eq!(grounds.secrets_below(&grounds.folder.path().join("work")), Vec::<String>::new());
}

#[test]
fn every_change_of_a_file_is_seen() {
    type Change = fn(&Path);
    let cases: [(Change, &str); 9] = [
        (|canary| fs::write(canary.join("new.txt"), "").expect("written"), "new: "),
        (|canary| fs::write(canary.join("keep.txt"), "is other\n").expect("written"), "changed: "),
        (|canary| fs::write(canary.join("keep.txt"), "as it was\n").expect("written"), "changed: "),
        (|canary| fs::remove_file(canary.join("delete.txt")).expect("removed"), "gone: "),
        (|canary| fs::remove_dir(canary.join("empty")).expect("removed"), "gone: "),
        (|canary| fs::rename(canary.join("keep.txt"), canary.join("kept")).expect("renamed"), "gone: "),
        (|canary| fs::hard_link(canary.join("keep.txt"), canary.join("../same")).expect("a link"), "2 links"),
        (|canary| symlink("/", canary.join("link")).expect("a link"), "new: "),
        (
            |canary| {
                let mode = fs::Permissions::from_mode(0o777);
                fs::set_permissions(canary.join("keep.txt"), mode).expect("permissions");
            },
            "mode 100777",
        ),
    ];
    for (change, expected) in cases {
        let grounds = some_grounds();
        // The clock of a file system is coarser than this program.
        thread::sleep(Duration::from_millis(20));
        change(&grounds.canary());
        let harm = grounds.harm().join("\n");
        assert!(harm.contains(expected), "no `{expected}` in: {harm}");
    }
}

#[test]
fn every_call_at_a_listener_is_heard() {
    let grounds = some_grounds();
    let heard = |expected: &str| {
        let harm = grounds.harm();
        assert!(harm.len() == 1 && harm[0].contains(expected), "no `{expected}` in: {harm:?}");
    };
    drop(std::net::TcpStream::connect(("127.0.0.1", grounds.listeners.ports.0)).expect("connected"));
    heard("the TCP port");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
    udp.send_to(b"", ("127.0.0.1", grounds.listeners.ports.1)).expect("sent");
    heard("the UDP port");
    let path = grounds.canary().join("socket");
    drop(std::os::unix::net::UnixStream::connect(path).expect("connected"));
    heard("the socket in the folder");
    let address = SocketAddr::from_abstract_name(&grounds.listeners.name).expect("a name");
    drop(std::os::unix::net::UnixStream::connect_addr(&address).expect("connected"));
    heard("the abstract socket");
    assert_eq!(grounds.harm(), Vec::<String>::new());
}

#[test]
fn what_happens_to_the_process_is_seen() {
    let grounds = some_grounds();
    let id = grounds.victim.id().to_string();
    let victim = Pid::from_raw(grounds.victim.id() as i32).expect("the number of a process");
    let seen = |expected: &str| {
        let deadline = Instant::now() + PATIENCE;
        while !grounds.harm().join("\n").contains(expected) {
            assert!(Instant::now() < deadline, "no `{expected}` in: {:?}", grounds.harm());
        }
    };
    let limit = Command::new("prlimit").args(["--nofile=8:8", "--pid", &id]).status().expect("it starts");
    assert!(limit.success());
    seen("Max open files");
    for (signal, expected) in [(Signal::STOP, "state T"), (Signal::KILL, "has died")] {
        kill_process(victim, signal).expect("it is there");
        seen(expected);
    }
}

#[test]
fn what_goes_on_is_found_whatever_it_did() {
    let grounds = some_grounds();
    let script = "cd / && exec env -i setsid sleep 60";
    let mut child = grounds.marked(Path::new("sh")).arg("-c").arg(script).spawn().expect("it starts");
    let found = || marked(grounds.mark).iter().any(|(_, name)| name.ends_with("(sleep"));
    let deadline = Instant::now() + PATIENCE;
    while !found() {
        assert!(Instant::now() < deadline, "not found: {:?}", marked(grounds.mark));
        thread::sleep(Duration::from_millis(5));
    }
    let others = marked(grounds.mark + 1_000_000);
    assert!(others.is_empty(), "{others:?}");
    marked(grounds.mark).into_iter().for_each(|(id, _)| end(id));
    child.wait().expect("it ends");
    assert_eq!(left_running(grounds.mark), Vec::new());
}

#[test]
fn what_is_left_in_the_temporary_folder_is_seen() {
    let grounds = some_grounds();
    let watch = grounds.watch_disk();
    let file = grounds.folder.path().join("tmp/left");
    fs::write(&file, vec![1; 1 << 20]).expect("written");
    let harm = grounds.harm();
    assert!(harm.len() == 1 && harm[0].starts_with("left behind: "), "{harm:?}");
    thread::sleep(Duration::from_millis(300));
    assert!(watch.end() >= 1 << 20);
    fs::remove_file(file).expect("removed");
}

#[test]
fn secrets_are_found_in_files_and_names() {
    let grounds = some_grounds();
    // The canaries hold two: one in a file, one in a name.
    let found = grounds.secrets_below(&grounds.canary());
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(grounds.secrets_in("a text", b"x tk5ecret-variable").len(), 1);
    assert!(grounds.secrets_in("a text", b"tk5ecret").is_empty());
}

#[test]
fn what_stays_in_the_kernel_is_found() {
    let table = "       key      shmid perms\n2054318945          0   600\n        -1          1   600\n";
    assert!(has_key(table, 2_054_318_945) && has_key(table, -1));
    assert!(!has_key(table, 600) && !has_key(table, 0));
}
