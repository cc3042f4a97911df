//! The text with probes computes what the plain program computes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common;
use tarka_source::find_clang;

/// Probes that only pass their argument on.
const TRIVIAL_PROBES: &str = "int __tk_cond(unsigned site, int value) { (void)site; return value; }
unsigned long long __tk_switch(unsigned site, unsigned long long value) { (void)site; return value; }
int __tk_begin(unsigned decision) { (void)decision; return 0; }
int __tk_decision(unsigned decision, int value) { (void)decision; return value; }
void __tk_stmt(unsigned statement) { (void)statement; }
";

#[test]
fn programs_behave_the_same_with_probes() {
    for file in common::c_files("programs") {
        same_behaviour(&file, &common::flags_of(&file));
    }
}

#[test]
fn random_programs_behave_the_same_with_probes() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    for seed in 1..=5 {
        let program = scratch.path().join(format!("random{seed}.c"));
        let text = common::run(
            Command::new("csmith").current_dir(scratch.path()).args(["--seed", &seed.to_string()]),
        );
        std::fs::write(&program, text.stdout).expect("writable");
        same_behaviour(&program, &["-I/usr/include/csmith".into()]);
    }
}

#[test]
fn strict_standards_accept_the_probes() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let file = scratch.path().join("strict.c");
    std::fs::write(
        &file,
        "int main(void) { int a = 3; switch (a) { case 1: return 1; } return a && a < 9 ? 0 : 1; }\n",
    )
    .expect("writable");
    for standard in ["c89", "c99", "c17", "c23", "gnu89", "gnu2x"] {
        let flags = [format!("-std={standard}"), "-pedantic-errors".into(), "-Wall".into(), "-Werror".into()];
        same_behaviour(&file, &flags);
    }
}

fn same_behaviour(file: &Path, flags: &[String]) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let model = common::try_model(file, flags).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(!model.sites.is_empty());
    let object = scratch.path().join("probed.o");
    common::compile_probed(&model, flags, &object);
    let probes = scratch.path().join("probes.c");
    std::fs::write(&probes, TRIVIAL_PROBES).expect("writable");

    let probed = link(flags, &[&object, &probes], &scratch.path().join("with_probes"));
    let plain = link(flags, &[file], &scratch.path().join("plain"));
    let (probed, plain) = (Command::new(probed).output(), Command::new(plain).output());
    let (probed, plain) = (probed.expect("it runs"), plain.expect("it runs"));
    assert!(plain.status.success(), "{} fails by itself", file.display());
    assert_eq!(probed, plain, "{} behaves differently with probes", file.display());
}

fn link(flags: &[String], inputs: &[&Path], program: &Path) -> PathBuf {
    let clang = find_clang().expect("clang");
    let output = ["-w", "-Wno-error", "-lm", "-o"];
    common::run(Command::new(clang).args(flags).args(inputs).args(output).arg(program));
    program.into()
}
