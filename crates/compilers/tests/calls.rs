//! Calls of compilers that are kept give what calls of compilers that are started give.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tarka_compilers::{Answer, Call};
use tempfile::TempDir;

const CLANG: &str = "clang-19";

/// The same call, started in the usual way.
fn started(program: &Path, arguments: &[&str], folder: &Path) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    let mut command = Command::new(program);
    let output =
        command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("it starts");
    (output.status.code(), output.stdout, output.stderr)
}

fn seen(answer: Answer) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    (answer.status.and_then(|status| status.code()), answer.output, answer.errors)
}

/// A folder with a C file that compiles, with a warning, and one that does not.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <stdio.h>\nstatic int unused;\nint main(void) { return puts(\"said\") < 0; }\n";
    fs::write(folder.path().join("a.c"), text).expect("written");
    fs::write(folder.path().join("wrong.c"), "int main(void) { return x; }\n").expect("written");
    folder
}

#[test]
fn a_kept_compiler_gives_what_a_started_one_gives() {
    let folder = folder();
    let calls: [&[&str]; 7] = [
        &["--version"],
        &["-E", "a.c"],
        &["-Wall", "-c", "a.c", "-o", "a.o"],
        &["a.o", "-o", "a"],
        &["-Wall", "a.c", "-o", "whole"],
        &["wrong.c"],
        &[],
    ];
    for program in [CLANG, "gcc"] {
        for arguments in calls {
            let call = Call::new(Path::new(program)).args(arguments).folder(folder.path());
            let expected = started(Path::new(program), arguments, folder.path());
            let answer = call.run().expect("it runs");
            // gcc names its temporary files in nothing that is printed here.
            assert_eq!(seen(answer), expected, "{program} {arguments:?}");
        }
        let said = Command::new(folder.path().join("a")).output().expect("it runs");
        assert_eq!(said.stdout, b"said\n");
    }
}

#[test]
fn objects_are_the_same_bytes() {
    let folder = folder();
    let built = |out: &str| fs::read(folder.path().join(out)).expect("built");
    let arguments = ["-g", "-O1", "-c", "a.c", "-o"];
    let call = Call::new(Path::new(CLANG)).args(arguments).arg("kept.o").folder(folder.path());
    assert!(call.run().expect("it runs").success());
    started(Path::new(CLANG), &[&arguments[..], &["started.o"]].concat(), folder.path());
    assert_eq!(built("kept.o"), built("started.o"));
}

#[test]
fn many_calls_at_once_do_not_get_each_others_answers() {
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for number in 0..10 {
                    let text = format!("answer {thread} {number} X\n");
                    let call =
                        Call::new(Path::new(CLANG)).args(["-E", "-P", "-DX=y", "-"]).input(text.as_bytes());
                    let answer = call.run().expect("it runs");
                    let output = String::from_utf8(answer.output).expect("text");
                    assert_eq!(output.trim(), format!("answer {thread} {number} y"));
                }
            });
        }
    });
}

#[test]
fn what_cannot_be_kept_is_started() {
    let folder = folder();
    let source =
        "#include <stdio.h>\nint main(int n, char **a) { printf(\"%d %s\\n\", n, a[n - 1]); return 3; }\n";
    fs::write(folder.path().join("static.c"), source).expect("written");
    let build = ["-static", "static.c", "-o", "static"];
    assert_eq!(started(Path::new(CLANG), &build, folder.path()).0, Some(0));
    let program = folder.path().join("static");
    for _ in 0..2 {
        let answer = Call::new(&program).args(["one", "two"]).run().expect("it runs");
        assert_eq!(
            (answer.status.and_then(|status| status.code()), answer.output),
            (Some(3), b"3 two\n".to_vec())
        );
    }
    // More than a message takes.
    let long = "x".repeat(120 << 10);
    let answer = Call::new(Path::new("/bin/echo")).arg(&long).run().expect("it runs");
    assert_eq!(answer.output.len(), long.len() + 1);
    let missing = Call::new(Path::new("/no/such/compiler")).run();
    assert_eq!(missing.expect_err("there is none").kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_compiler_behind_a_script_sees_no_library_of_ours() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let script = folder.path().join("cc");
    fs::write(&script, "#!/bin/sh\nenv | grep -e LD_PRELOAD -e TARKA_KEPT\nexec clang-19 \"$@\"\n")
        .expect("written");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("executable");
    let answer = Call::new(&script).args(["-E", "-P", "-"]).input(b"int x;\n").run().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&answer.output).trim(), "int x;");
}

#[test]
fn a_call_that_takes_too_long_ends_with_all_it_started() {
    let folder = folder();
    let started = Instant::now();
    let script = "echo begun; sleep 60 & echo $! > child; sleep 60";
    let call = Call::new(Path::new("/bin/sh")).args(["-c", script]).folder(folder.path());
    let answer = call.limit(Duration::from_millis(300)).run().expect("it runs");
    assert!(answer.status.is_none() && !answer.success());
    assert_eq!(answer.output, b"begun\n");
    assert!(started.elapsed() < Duration::from_secs(20));
    let child = fs::read_to_string(folder.path().join("child")).expect("a number");
    let status = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    assert!(status.is_empty() || status.contains(") Z "), "{status}");
}

#[test]
fn a_process_that_is_kept_ends_by_itself_when_nobody_can_call_it() {
    let folder = folder();
    let link = folder.path().join("compiler");
    std::os::unix::fs::symlink("/bin/sh", &link).expect("a link");
    let answer = Call::new(&link).args(["-c", "echo $PPID"]).run().expect("it runs");
    let kept = String::from_utf8(answer.output).expect("a number").trim().to_string();
    assert_ne!(kept, std::process::id().to_string(), "it was started, not kept");
    assert!(Path::new(&format!("/proc/{kept}")).exists());
    tarka_compilers::end_all();
    assert!(!Path::new(&format!("/proc/{kept}")).exists());
}
