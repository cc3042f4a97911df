//! Compiles `c/kept.c` to a library that is loaded into compilers.
//!
//! Takes nothing but this file; gives `kept.so` in `OUT_DIR`. The compiler is `clang-19`, or what `TARKA_CLANG` names.

#![expect(clippy::disallowed_macros, reason = "printing is how a build script speaks to cargo")]

use std::path::PathBuf;
use std::process::{Command, ExitCode};

const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-stack-protector",
    "-Wl,--build-id=none",
    "-s",
    "-shared",
    "-fPIC",
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TARKA_CLANG");
    println!("cargo::rerun-if-changed=c");
    let clang = std::env::var("TARKA_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("kept.so");
    let status = Command::new(&clang).args(FLAGS).arg("c/kept.c").arg("-o").arg(&out).status();
    let message = match status {
        Ok(status) if status.success() => return ExitCode::SUCCESS,
        Ok(status) => format!("{clang} could not compile c/kept.c ({status})"),
        Err(error) => format!(
            "cannot run `{clang}` ({error}): install Debian's package clang-19, or set TARKA_CLANG to an LLVM 19 clang"
        ),
    };
    eprintln!("{message}");
    ExitCode::FAILURE
}
