//! The compilers of this machine.
//!
//! Takes the clang that was found; gives the compilers for replays and what a program says of its version. Never: compiles.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tarka_suite::Compilers;

/// The compilers replays use: clang, and gcc if there is one.
pub fn compilers(clang: &Path) -> Compilers {
    let is_gcc =
        |name: &&str| version_text(name).is_some_and(|text| text.contains("Free Software Foundation"));
    Compilers { clang: clang.to_path_buf(), cc: ["gcc", "cc"].into_iter().find(is_gcc).map(PathBuf::from) }
}

/// What a program says about its version.
pub fn version_text(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
