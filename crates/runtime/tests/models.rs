//! The library models against the C library itself: `models/check.c` compiles both into one program and compares
//! results, buffers, end pointers and errno on many inputs.

use std::path::Path;
use std::process::Command;

#[test]
fn models_give_what_the_library_gives() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder for the check");
    let exe = folder.path().join("check");
    let clang = std::env::var("TARKA_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let output = Command::new(clang)
        .args(["-O1", "-g", "-fno-builtin", "-fwrapv", "-D_GNU_SOURCE", "-Wall", "-Werror", "-o"])
        .arg(&exe)
        .arg("-I")
        .arg(crate_folder.join("c"))
        .arg(crate_folder.join("tests/models/check.c"))
        .arg("-lm")
        .output()
        .expect("clang-19");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(exe).output().expect("the check runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let compared: u64 = text.trim().strip_prefix("compared ").and_then(|n| n.parse().ok()).expect("a count");
    assert!(compared > 100_000, "only {compared} comparisons were made");
}
