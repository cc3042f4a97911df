//! Compiles the C runtime with clang: the inlined hooks and the library models to bitcode, the rest to an object.
//!
//! Takes `c/` and the tables of the trace crate; gives `fast.bc`, `models.bc`, `runtime.o`, `plain.o` and
//! `tarka_trace.h` in `OUT_DIR`. The compiler is `clang-19`, or what `TARKA_CLANG` names.

#![expect(clippy::disallowed_macros, reason = "printing is how a build script speaks to cargo")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// For all of them: x86-64 code at fixed addresses, with frame pointers for backtraces.
const COMMON: &[&str] = &[
    "-std=gnu11",
    "-D_GNU_SOURCE",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-incompatible-library-redeclaration",
    "-fno-pic",
    "-fno-builtin",
    "-fno-omit-frame-pointer",
    "-mno-omit-leaf-frame-pointer",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-U_FORTIFY_SOURCE",
    "-fno-strict-aliasing",
    "-fwrapv",
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TARKA_CLANG");
    println!("cargo::rerun-if-changed=c");
    match compile_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn compile_all() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: run this through cargo")?);
    let mut header = String::new();
    tarka_trace::write_c_header(&mut header).map_err(|error| format!("tarka_trace.h: {error}"))?;
    let header_path = out.join("tarka_trace.h");
    fs::write(&header_path, header).map_err(|error| format!("{}: {error}", header_path.display()))?;

    compile(&out, "fast.c", "fast.bc", &["-O2", "-emit-llvm"])?;
    compile(&out, "runtime.c", "runtime.o", &["-O2", "-g"])?;
    compile(&out, "plain.c", "plain.o", &["-O2"])?;
    let unoptimised = ["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-emit-llvm"];
    compile(&out, "models.c", "models.bc", &unoptimised)
}

fn compile(out: &Path, source: &str, output: &str, flags: &[&str]) -> Result<(), String> {
    let clang = env::var("TARKA_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let folder = env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?;
    let status = Command::new(&clang)
        .current_dir(Path::new(&folder).join("c"))
        .args(COMMON)
        .args(flags)
        // The same bytes wherever the tool is built.
        .arg("-ffile-compilation-dir=tarka-runtime")
        .arg("-I")
        .arg(out)
        .args(["-c", source, "-o"])
        .arg(out.join(output))
        .status()
        .map_err(|error| {
            format!(
                "cannot run `{clang}` ({error}): install Debian's package clang-19, or set TARKA_CLANG to an LLVM 19 clang"
            )
        })?;
    if status.success() { Ok(()) } else { Err(format!("{clang} could not compile {source} ({status})")) }
}
