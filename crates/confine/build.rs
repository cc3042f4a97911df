//! Compiles `c/init.c` to a small static program.
//!
//! Takes nothing but that file; gives `init` in `OUT_DIR`. The compiler is `clang-19`, or what `TARKA_CLANG` names.

#![expect(clippy::disallowed_macros, reason = "printing is how a build script speaks to cargo")]

use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TARKA_CLANG");
    println!("cargo::rerun-if-changed=c");
    let clang = std::env::var("TARKA_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("init");
    let flags =
        ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-stack-protector"];
    let linking = ["-nostdlib", "-static", "-Wl,--build-id=none", "-s"];
    let status = Command::new(&clang).args(flags).args(linking).arg("c/init.c").arg("-o").arg(&out).status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => {
            eprintln!("{clang} could not compile c/init.c ({status})");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!(
                "cannot run `{clang}` ({error}): install Debian's package clang-19, or set TARKA_CLANG to an LLVM 19 clang"
            );
            ExitCode::FAILURE
        }
    }
}
