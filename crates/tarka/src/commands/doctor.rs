//! `tarka doctor`: what is installed, what is missing and how to get it, and whether all of it works together.
//!
//! Takes nothing; gives a line for each thing and the status. Never: installs anything.

use std::path::Path;

use tarka_confine::Keeping;
use tarka_source::SourceRequest;

use crate::failure::Finished;
use crate::output::say;
use crate::toolchain::version_text;

/// Runs the command.
pub fn doctor(keeping: Keeping) -> Finished {
    let mut healthy = true;
    let mut need = |what: &str, found: Result<String, String>| match found {
        Ok(found) => say!("ok       {what:<12} {found}"),
        Err(advice) => {
            healthy = false;
            say!("MISSING  {what:<12} {advice}");
        }
    };
    let clang = tarka_source::find_clang();
    need(
        "clang 19",
        match &clang {
            Ok(path) => Ok(format!("{} ({})", path.display(), first_line(&path.display().to_string()))),
            Err(error) => Err(error.to_string()),
        },
    );
    need("LLVM 19", library("libLLVM", "19", "llvm-19-dev"));
    need("libclang 19", library("libclang", "19", "libclang-19-dev"));
    need("Z3", library("libz3", "", "libz3-dev"));
    if let Ok(clang) = &clang {
        need("all together", try_it(clang));
    }
    for line in tarka_confine::Means::found().in_force() {
        let (what, how) = line.split_once(": ").unwrap_or((&line, ""));
        say!("ok       {:<12} of the code under test: {how}", what);
    }
    optional("gcc", "gcc", "tests are then replayed with clang only");
    optional("gdb", "gdb", "`tarka replay --gdb` needs it: apt install gdb");
    optional("llvm-cov", "llvm-cov-19", "only Tarka's own tests use it: apt install llvm-19");
    say!("{}", kept(keeping));
    if healthy { Finished::Clean } else { Finished::Unusable }
}

/// What becomes of the processes of a call that is killed.
fn kept(keeping: Keeping) -> String {
    let (how, what) = match keeping {
        Keeping::Namespace => {
            ("ok", "in a PID namespace: nothing outlives a call, also not one that is killed")
        }
        Keeping::Watch => (
            "optional",
            "no PID namespace can be had here: what a call started may outlive `kill -9` of it; allow user namespaces, or run as root",
        ),
    };
    format!("{how:<8} {:<12} {what}", "processes")
}

fn first_line(program: &str) -> String {
    version_text(program).and_then(|text| text.lines().next().map(str::to_string)).unwrap_or_default()
}

fn optional(what: &str, program: &str, without: &str) {
    match version_text(program) {
        Some(text) => say!(
            "ok       {what:<12} {}",
            text.lines().find(|line| line.contains(char::is_numeric)).unwrap_or("").trim()
        ),
        None => say!("optional {what:<12} not found; {without}"),
    }
}

/// A shared library in LLVM's own folder or where the loader looks.
fn library(name: &str, version: &str, package: &str) -> Result<String, String> {
    let mut folders = vec!["/usr/lib/llvm-19/lib".to_string(), "/usr/lib/x86_64-linux-gnu".to_string()];
    folders
        .extend(["/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"].map(String::from));
    folders.extend(std::env::var("LIBCLANG_PATH").ok());
    folders
        .extend(std::env::var("LD_LIBRARY_PATH").iter().flat_map(|path| path.split(':').map(String::from)));
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut files: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        files.sort();
        if let Some(file) =
            files.iter().find(|file| file.starts_with(name) && file.contains(".so") && file.contains(version))
        {
            return Ok(format!("{folder}/{file}"));
        }
    }
    Err(format!("not found; apt install {package}"))
}

/// Tests a function of three lines from end to end.
fn try_it(clang: &Path) -> Result<String, String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = scratch.path().join("doctor.c");
    std::fs::write(&file, "int doctor(int x)\n{\n    return x == 12345 ? 1 : 0;\n}\n")
        .map_err(|error| error.to_string())?;
    let model = tarka_source::analyse(&SourceRequest { file: &file, flags: &[], clang })
        .map_err(|error| error.to_string())?;
    let options = tarka_campaign::Options { runs: Some(20), ..Default::default() };
    let units = [tarka_source::FunctionId(0)];
    let logs = tarka_campaign::run_file(&model, &units, &options, clang, scratch.path(), &|_| {})
        .map_err(|error| error.to_string())?;
    match logs.first().map(|unit| &unit.result().status) {
        Some(tarka_events::Status::Complete) => Ok("a small function was tested completely".to_string()),
        other => Err(format!("a small function could not be tested: {other:?}")),
    }
}
