//! What a confined program can and cannot do, by each of the means. The program is `c/probe.c`, compiled with gcc.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::OnceLock;
use std::time::Duration;

use tarka_confine::{Allow, Launch, Manner, Means};

fn probe() -> &'static Path {
    static PROBE: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = PROBE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("probe");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/probe.c");
        let built = Command::new("gcc").arg("-w").arg("-pthread").arg(source).arg("-o").arg(&path).status();
        assert!(built.expect("gcc").success());
        (folder, path)
    });
    path
}

/// What the program printed, and how it ended; `None` if it did not end.
struct Told {
    text: String,
    status: Option<ExitStatus>,
}

impl Told {
    /// The line of one attempt.
    fn of(&self, what: &str) -> &str {
        let line = self.text.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("nothing about {what} in:\n{}({:?})", self.text, self.status))
    }
}

/// Something outside that must stay as it is, and a process that must live.
struct Outside {
    canary: tempfile::TempDir,
    victim: std::process::Child,
}

impl Outside {
    fn new() -> Outside {
        Outside::below(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    fn below(folder: &Path) -> Outside {
        let canary = tempfile::tempdir_in(folder).unwrap();
        fs::write(canary.path().join("file"), "as it was").unwrap();
        Outside { canary, victim: Command::new("sleep").arg("600").spawn().unwrap() }
    }

    fn is_untouched(&mut self) -> bool {
        let names: Vec<OsString> =
            fs::read_dir(self.canary.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let about = fs::metadata(self.canary.path().join("file")).unwrap();
        let text = fs::read_to_string(self.canary.path().join("file")).unwrap();
        names == ["file"]
            && text == "as it was"
            && !about.permissions().readonly()
            && self.victim.try_wait().unwrap().is_none()
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

fn attempt(outside: &Outside, means: &str, allow: &Allow, attempts: &[&str]) -> Told {
    let folder = tempfile::tempdir().unwrap();
    let mut output = tempfile::tempfile().unwrap();
    let error = output.try_clone().unwrap();
    let arguments: Vec<OsString> = attempts.iter().map(OsString::from).collect();
    let (victim, tool) = (outside.victim.id().to_string(), std::process::id().to_string());
    let variables = [
        ("CANARY", outside.canary.path().as_os_str()),
        ("VICTIM", OsStr::new(&victim)),
        ("TOOL", OsStr::new(&tool)),
    ];
    let launch = Launch {
        program: probe(),
        arguments: &arguments,
        folder: folder.path(),
        variables: &variables,
        output: Some(output.as_fd()),
        error: Some(error.as_fd()),
        descriptors: &[],
        address_space: None,
        manner: Manner::Refused,
        fixed_addresses: false,
        is_first: false,
        is_elsewhere: false,
        allow,
        means: Means::found().reduced(means),
    };
    let mut process = launch.start().unwrap_or_else(|error| panic!("{means}: {error}"));
    let status = process.wait_for(Duration::from_secs(5)).unwrap();
    process.kill().unwrap();
    let mut text = String::new();
    output.rewind().unwrap();
    output.read_to_string(&mut text).unwrap();
    Told { text, status }
}

const ATTEMPTS: &[&str] = &[
    "write-outside",
    "write-through-link",
    "unlink-outside",
    "truncate-outside",
    "cut-outside",
    "chmod-outside",
    "socket",
    "unix-socket",
    "exec",
    "loader",
    "memory-exec",
    "number-exec",
    "kill-parent",
    "trace",
    "limit",
    "shared-memory",
    "mount",
    "namespace",
    "ring",
    "x32",
    "large",
    "proc",
    "oom",
];

#[test]
fn whatever_a_program_tries_outside_is_refused_by_each_of_the_means() {
    for means in ["all", "abi0", "abi2", "bare", "nothing"] {
        let mut outside = Outside::new();
        let told = attempt(&outside, means, &Allow::default(), ATTEMPTS);
        for what in ATTEMPTS {
            // In a namespace of its own its parent is nobody it could reach.
            let is_fine = *what == "kill-parent"
                && told.of(what).starts_with("done")
                && means != "bare"
                && means != "nothing";
            assert!(is_fine || told.of(what).starts_with("refused"), "{means}, {what}: {}", told.text);
        }
        assert!(outside.is_untouched(), "{means}: {}", told.text);
        assert!(told.status.is_some_and(|status| status.success()), "{means}: {:?}", told.status);
    }
}

#[test]
fn its_own_work_goes_on_as_ever() {
    for means in ["all", "abi0", "abi2", "bare"] {
        let outside = Outside::new();
        let own = ["write-inside", "unlink-inside", "read-library", "thread", "fork"];
        let told = attempt(&outside, means, &Allow::default(), &own);
        for what in own {
            assert_eq!(told.of(what), "done 0", "{means}: {}", told.text);
        }
    }
    let told = attempt(&Outside::new(), "nothing", &Allow::default(), &["write-inside", "thread", "fork"]);
    assert!(
        told.of("write-inside").starts_with("refused"),
        "nothing tells this folder from others: {}",
        told.text
    );
    assert_eq!((told.of("thread"), told.of("fork")), ("done 0", "done 0"));
}

#[test]
fn how_a_program_ends_is_told_as_without_confinement() {
    for means in ["all", "abi0", "abi2", "bare", "nothing"] {
        let outside = Outside::new();
        let end = |what| attempt(&outside, means, &Allow::default(), &[what]).status;
        assert_eq!(end("abort").and_then(|status| status.signal()), Some(libc::SIGABRT), "{means}");
        assert_eq!(end("crash").and_then(|status| status.signal()), Some(libc::SIGSEGV), "{means}");
        assert_eq!(end("exit7").and_then(|status| status.code()), Some(7), "{means}");
    }
}

#[test]
fn files_and_secrets_of_others_are_not_read() {
    for means in ["all", "abi0", "abi2", "bare"] {
        let outside = Outside::new();
        let told = attempt(&outside, means, &Allow::default(), &["read-outside", "secret", "environment"]);
        assert!(told.of("read-outside").starts_with("refused"), "{means}: {}", told.text);
        assert!(told.of("environment").starts_with("refused"), "{means}: {}", told.text);
        assert_eq!(told.of("secret"), "unknown", "{means}");
    }
}

#[test]
fn nothing_it_started_is_left_when_it_has_ended() {
    for means in ["all", "abi0", "abi2", "bare"] {
        let mut outside = Outside::new();
        let marker = outside.canary.path().as_os_str().to_owned();
        let told = attempt(&outside, means, &Allow::default(), &["daemon"]);
        assert_eq!(told.of("daemon"), "done 0", "{means}");
        let told = attempt(&outside, means, &Allow::default(), &["daemon", "hang"]);
        assert!(told.status.is_none(), "{means}: it hangs until it is ended");
        assert_eq!(with_variable("CANARY", &marker), Vec::<String>::new(), "{means}");
        assert!(outside.is_untouched());
    }
}

/// Processes whose environment has this.
fn with_variable(name: &str, value: &OsStr) -> Vec<String> {
    let wanted = format!("{name}={}", value.to_string_lossy());
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok());
    let numbers = processes.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok());
    let has_it = |path: &Path| {
        fs::read(path.join("environ"))
            .is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|line| line == wanted.as_bytes()))
    };
    numbers
        .filter(|entry| has_it(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn what_the_user_allows_is_open_and_nothing_else() {
    for means in ["all", "abi0", "abi2"] {
        let mut outside = Outside::new();
        let try_with = |outside: &Outside, word: &str, attempts: &[&str]| {
            let mut allow = Allow::default();
            allow.add(word).unwrap();
            attempt(outside, means, &allow, attempts)
        };
        let told = try_with(&outside, "net", &["socket", "exec"]);
        assert_eq!(told.of("socket"), "done 0", "{means}");
        assert!(told.of("exec").starts_with("refused"), "{means}");
        let told = try_with(&outside, "exec", &["socket", "exec", "limit"]);
        assert!(told.of("socket").starts_with("refused"), "{means}");
        assert!(!told.text.contains("limit"), "{means}: it has become another program: {}", told.text);
        assert!(outside.is_untouched());
        let write = format!("write={}", outside.canary.path().display());
        let told = try_with(&outside, &write, &["write-outside", "socket"]);
        assert_eq!(told.of("write-outside"), "done 0", "{means}");
        assert!(told.of("socket").starts_with("refused"), "{means}");
        let _ = File::open(outside.canary.path().join("new")).unwrap();
        assert!(!outside.is_untouched());
    }
    // Also where a target has its own folder otherwise.
    for means in ["all", "abi0", "abi2", "bare"] {
        let outside = Outside::below(std::path::Path::new("/tmp"));
        let mut allow = Allow::default();
        allow.add(&format!("write={}", outside.canary.path().display())).unwrap();
        let told = attempt(&outside, means, &allow, &["write-outside", "write-inside", "socket"]);
        assert_eq!((told.of("write-outside"), told.of("write-inside")), ("done 0", "done 0"), "{means}");
        assert!(outside.canary.path().join("new").exists(), "{means}");
    }
    let unconfined = Allow { unconfined: true, ..Allow::default() };
    let told = attempt(&Outside::new(), "all", &unconfined, &["write-outside", "socket", "abort"]);
    assert_eq!((told.of("write-outside"), told.of("socket")), ("done 0", "done 0"));
    assert_eq!(told.status.and_then(|status| status.signal()), Some(libc::SIGABRT));
}
