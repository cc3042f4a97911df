//! Compiles `c/init.c` to a small static program and `c/elsewhere.c` to a library that is loaded before others.
//!
//! Takes nothing but these files; gives `init` and `elsewhere.so` in `OUT_DIR`. The compiler is `clang-19`, or what `TARKA_CLANG`
//! names.

#![expect(clippy::disallowed_macros, reason = "printing is how a build script speaks to cargo")]

use std::path::PathBuf;
use std::process::{Command, ExitCode};

const COMMON: &[&str] = &[
    "-std=gnu11",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-stack-protector",
    "-Wl,--build-id=none",
    "-s",
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TARKA_CLANG");
    println!("cargo::rerun-if-changed=c");
    let made = compile("c/init.c", "init", &["-ffreestanding", "-nostdlib", "-static"])
        .and_then(|()| compile("c/elsewhere.c", "elsewhere.so", &["-shared", "-fPIC"]));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn compile(source: &str, output: &str, flags: &[&str]) -> Result<(), String> {
    let clang = std::env::var("TARKA_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join(output);
    match Command::new(&clang).args(COMMON).args(flags).arg(source).arg("-o").arg(&out).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{clang} could not compile {source} ({status})")),
        Err(error) => Err(format!(
            "cannot run `{clang}` ({error}): install Debian's package clang-19, or set TARKA_CLANG to an LLVM 19 clang"
        )),
    }
}
