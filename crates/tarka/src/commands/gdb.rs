//! `tarka replay --gdb`: one emitted program in gdb, stopped where its fault happens.
//!
//! Takes a report and a name in it; starts gdb and gives the terminal to it. Without a terminal, gdb prints the place and
//! the calls that lead there, and ends.

use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use tarka_events::FaultKind;
use tarka_report::{Fault, Report, Unit};
use tarka_suite::{DebuggedFault, Stop};

use crate::commands::replay::{emitted_file, stem};
use crate::failure::{Failure, Finished};

/// Most frames printed without a terminal: an endless recursion has many.
const FRAMES: u32 = 24;

/// Opens the test or fault of this name.
pub fn open(
    report: &Report,
    name: &str,
    folder: &Path,
    flags_folder: &Path,
    clang: &Path,
) -> Result<Finished, Failure> {
    let found = report.units.iter().find_map(|unit| at_fault(unit, name).or_else(|| at_test(unit, name)));
    let Some((unit, path, stop)) = found else {
        let (name, folder) = (name.to_string(), folder.to_path_buf());
        return Err(Failure::NoSuchTest { name, folder, hint: String::new() });
    };
    // Before anything is built for it.
    Command::new("gdb").arg("--version").stdin(Stdio::null()).output().map_err(Failure::NoGdb)?;
    let scratch = tempfile::tempdir().map_err(Failure::Scratch)?;
    let program = scratch.path().join(name);
    stop.build(&emitted_file(unit, path, folder, flags_folder), clang, &program)?;
    let mut command = command(&stop, &program, scratch.path(), std::io::stdin().is_terminal());
    // Ctrl-C in gdb stops the program there; it must not end the process that waits for gdb and then tidies up. Unlike an
    // ignored signal, one that only sets a flag does not pass on to gdb.
    flag::register(SIGINT, Arc::default()).map_err(Failure::Signals)?;
    command.status().map_err(Failure::NoGdb)?;
    Ok(Finished::Clean)
}

fn at_fault<'r>(unit: &'r Unit, name: &str) -> Option<(&'r Unit, &'r str, Stop)> {
    let has_name = |fault: &&Fault| fault.test.as_ref().is_some_and(|path| stem(Path::new(path)) == name);
    let fault = unit.faults.iter().find(has_name)?;
    let allocated = fault.related.iter().find(|related| related.what.contains("allocated"));
    let stop = Stop::at_fault(&DebuggedFault {
        kind: FaultKind::from_name(&fault.kind),
        file: &fault.file,
        line: fault.line,
        function: &fault.function,
        confirmed: fault.confirmed,
        sanitizer: fault.sanitizer,
        allocated: allocated.map(|related| (related.file.as_str(), related.line)),
    });
    Some((unit, fault.test.as_deref()?, stop))
}

fn at_test<'r>(unit: &'r Unit, name: &str) -> Option<(&'r Unit, &'r str, Stop)> {
    let test = unit.tests_list.iter().find(|test| test.name == name)?;
    Some((unit, &test.path, Stop::at_function(&unit.function, name)))
}

fn command(stop: &Stop, program: &Path, folder: &Path, has_terminal: bool) -> Command {
    let mut command = Command::new("gdb");
    // What gdb would fetch, or ask for, from elsewhere.
    command.env_remove("DEBUGINFOD_URLS");
    command.arg("-q");
    if !has_terminal {
        // Nobody is there to have settings of their own.
        command.args(["-nx", "-batch"]).stdin(Stdio::null());
    }
    command.args(["-iex", "set pagination off", "-iex", &format!("set cwd {}", folder.display())]);
    for (name, value) in stop.environment {
        command.args(["-ex", &format!("set environment {name}={value}")]);
    }
    for gdb_command in &stop.commands {
        command.args(["-ex", gdb_command]);
    }
    if !has_terminal {
        command.args(["-ex", &format!("backtrace {FRAMES}")]);
    } else {
        command.args(["-ex", "set pagination on"]);
    }
    command.arg("--args").arg(program).args(&stop.arguments);
    command
}
