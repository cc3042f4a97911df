//! What compilers built is kept for later calls, where the user wants that, and nowhere else.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::judges;

/// A folder with a C file and a home of its own.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("scratch folder");
    fs::create_dir(folder.path().join("home")).expect("folder");
    fs::write(folder.path().join("unit.c"), "int high(int n) { return n > 3 ? 1 : 0; }\n").expect("written");
    folder
}

fn tarka(folder: &Path) -> Command {
    let mut command = judges::tarka();
    let home = folder.join("home");
    command.current_dir(folder).env("HOME", home).env_remove("XDG_CACHE_HOME").env_remove("TARKA_CACHE");
    command
}

fn generate(folder: &Path, out: &str, more: &[&str], variables: &[(&str, &Path)]) {
    let _ = fs::remove_dir_all(folder.join(out));
    let mut command = tarka(folder);
    command.args(["gen", "unit.c", "-n", "20", "--seed", "1", "-o", out]).args(more);
    let output = judges::output(command.envs(variables.iter().copied()));
    assert_eq!(output.status.code(), Some(0), "{}", judges::text(&output));
}

/// How many entries a cache has; none if there is no such folder.
fn entries(cache: &Path) -> usize {
    fs::read_dir(cache).map_or(0, Iterator::count)
}

#[test]
fn builds_are_kept_in_the_users_own_folder_and_change_nothing() {
    let folder = project();
    let own = folder.path().join("home/.cache/tarka");
    generate(folder.path(), "first", &[], &[]);
    let kept = entries(&own);
    assert!(kept >= 4, "bitcode, programs and a recorder: {kept}");
    generate(folder.path(), "second", &[], &[]);
    assert_eq!(entries(&own), kept, "the same is not built again");
    let test = |out: &str| fs::read(folder.path().join(out).join("high/test_high.c")).expect("tests");
    assert_eq!(test("first"), test("second"));
}

#[test]
fn the_user_says_where_and_whether() {
    let folder = project();
    let (own, other) = (folder.path().join("home/.cache/tarka"), folder.path().join("other"));
    generate(folder.path(), "out", &["--no-cache"], &[("TARKA_CACHE", &other)]);
    generate(folder.path(), "out", &["--no-cache"], &[]);
    generate(folder.path(), "out", &[], &[("TARKA_CACHE", Path::new(""))]);
    assert_eq!((entries(&own), entries(&other)), (0, 0));
    generate(folder.path(), "out", &[], &[("TARKA_CACHE", &other)]);
    let system = folder.path().join("caches");
    generate(folder.path(), "out", &[], &[("XDG_CACHE_HOME", &system)]);
    assert_eq!(entries(&own), 0);
    assert!(entries(&other) >= 4 && entries(&system.join("tarka")) >= 4);
}

#[test]
fn clean_removes_what_was_kept_and_nothing_else() {
    let folder = project();
    let own = folder.path().join("home/.cache/tarka");
    generate(folder.path(), "out", &[], &[]);
    fs::write(own.join("notes.txt"), "mine").expect("written");
    let clean = || {
        let output = judges::output(tarka(folder.path()).args(["cache", "clean"]));
        (output.status.code(), judges::text(&output))
    };
    let (status, said) = clean();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("removed ") && said.contains("home/.cache/tarka"), "{said}");
    assert_eq!(entries(&own), 1, "only the notes are left");
    assert!(clean().1.contains("removed 0.0 MB"));
}

#[test]
fn a_folder_that_others_can_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let folder = project();
    let open = folder.path().join("open");
    fs::create_dir(&open).expect("folder");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("changed");
    generate(folder.path(), "out", &[], &[("TARKA_CACHE", &open)]);
    assert_eq!(entries(&open), 0, "programs of others are not run");
}
