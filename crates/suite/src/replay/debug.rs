//! How to stop an emitted program where its fault happens, for a debugger.
//!
//! Takes a fault's kind and place; gives the flags to build its file with, the environment to run it in, and the commands
//! of gdb that run it to the place and select the frame. Never starts a debugger.

use std::path::Path;

use tarka_events::FaultKind;

use crate::SuiteError;
use crate::names;
use crate::replay::folder::{ReplayFile, build_file};

/// What a debugger needs to know of a fault.
#[derive(Clone, Debug)]
pub struct DebuggedFault<'a> {
    /// Its kind; `None` if it is not known here.
    pub kind: Option<FaultKind>,
    /// File of the place.
    pub file: &'a str,
    /// Line of the place.
    pub line: u32,
    /// Function of the place.
    pub function: &'a str,
    /// The fault file was seen to show it.
    pub confirmed: bool,
    /// It took the sanitizers to show it.
    pub sanitizer: bool,
    /// Where the object was allocated, if that is known.
    pub allocated: Option<(&'a str, u32)>,
}

/// How a program is built and run to the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// Environment of the program.
    pub environment: &'static [(&'static str, &'static str)],
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Commands of gdb.
    pub commands: Vec<String>,
}

/// What makes the sanitizers end the program with a signal, while its frames are still there. Leaks cannot be looked for
/// under a debugger.
const ABORTS: &[(&str, &str)] = &[
    ("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=1"),
    ("MSAN_OPTIONS", "abort_on_error=1"),
    ("UBSAN_OPTIONS", "abort_on_error=1:halt_on_error=1"),
];

/// What brings the program to a stop.
enum Cause {
    /// It ends with a signal by itself.
    Signal,
    /// It is stopped by its own alarm.
    Alarm,
    /// One of these sanitizers ends it with a report; then one of these checks traps at the very instruction.
    Sanitizer { reports: &'static str, traps: &'static str },
    /// Nothing: a breakpoint does.
    Breakpoint,
}

impl Stop {
    /// Where a fault happens.
    pub fn at_fault(fault: &DebuggedFault) -> Stop {
        let cause = match (fault.confirmed, fault.kind) {
            (true, Some(kind)) => cause(kind, fault.sanitizer),
            _ => Cause::Breakpoint,
        };
        let mut flags = vec!["-g".to_string()];
        let mut commands = Vec::new();
        match cause {
            Cause::Signal => {}
            // gdb hands this one on by itself, without a stop.
            Cause::Alarm => commands.push("handle SIGALRM stop print nopass".to_string()),
            Cause::Sanitizer { reports, traps } => {
                let all: Vec<&str> = [reports, traps].into_iter().filter(|names| !names.is_empty()).collect();
                flags.push(format!("-fsanitize={}", all.join(",")));
                if !traps.is_empty() {
                    flags.push(format!("-fsanitize-trap={traps}"));
                }
            }
            Cause::Breakpoint => {
                let (file, line) = fault.allocated.unwrap_or((fault.file, fault.line));
                commands.push(format!("tbreak {}", location(file, line)));
            }
        }
        commands.push("run".to_string());
        if !matches!(cause, Cause::Breakpoint) {
            // Out of the library and of the sanitizer, up to the user's own code.
            commands.push(format!("frame function {}", names::emitted(fault.function)));
        }
        Stop { flags, environment: ABORTS, arguments: Vec::new(), commands }
    }

    /// Where a test calls its function.
    pub fn at_function(function: &str, test: &str) -> Stop {
        Stop {
            flags: vec!["-g".to_string()],
            environment: &[],
            arguments: vec![test.to_string()],
            // Every test runs in a process of its own.
            commands: vec![
                "set follow-fork-mode child".to_string(),
                format!("tbreak {}", names::emitted(function)),
                "run".to_string(),
            ],
        }
    }

    /// Builds an emitted file to be stopped so.
    pub fn build(&self, file: &ReplayFile, compiler: &Path, program: &Path) -> Result<(), SuiteError> {
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        build_file(file, compiler, &flags, program)
    }
}

fn cause(kind: FaultKind, needs_sanitizer: bool) -> Cause {
    let traps = |traps: &'static str| Cause::Sanitizer { reports: "", traps };
    match kind {
        FaultKind::NullDereference | FaultKind::WildDereference if needs_sanitizer => {
            Cause::Sanitizer { reports: "address", traps: "null,nonnull-attribute,returns-nonnull-attribute" }
        }
        FaultKind::DivisionByZero if needs_sanitizer => traps("integer-divide-by-zero"),
        FaultKind::DivisionOverflow if needs_sanitizer => {
            traps("integer-divide-by-zero,signed-integer-overflow")
        }
        FaultKind::NullDereference
        | FaultKind::WildDereference
        | FaultKind::DivisionByZero
        | FaultKind::DivisionOverflow
        | FaultKind::Assertion
        | FaultKind::Abort
        | FaultKind::StackOverflow
        | FaultKind::Signal => Cause::Signal,
        // Even where it crashes by itself: that may be long after the access.
        FaultKind::OutOfBounds => Cause::Sanitizer { reports: "address", traps: "bounds" },
        FaultKind::UseAfterFree
        | FaultKind::DoubleFree
        | FaultKind::InvalidFree
        | FaultKind::UseAfterReturn => Cause::Sanitizer { reports: "address", traps: "" },
        FaultKind::Uninitialised => Cause::Sanitizer { reports: "memory", traps: "" },
        FaultKind::Misaligned => traps("alignment"),
        FaultKind::SignedOverflow => traps("signed-integer-overflow"),
        FaultKind::Shift => traps("shift"),
        FaultKind::FloatConversion => traps("float-cast-overflow"),
        FaultKind::PointerArithmetic => traps("pointer-overflow"),
        FaultKind::NullWithZero => traps("pointer-overflow,nonnull-attribute"),
        FaultKind::Undefined => traps("undefined"),
        FaultKind::UnsignedOverflow => traps("unsigned-integer-overflow"),
        FaultKind::ImplicitConversion => traps("implicit-conversion"),
        FaultKind::FloatDivision => traps("float-divide-by-zero"),
        FaultKind::Timeout => Cause::Alarm,
        FaultKind::Leak | FaultKind::OutOfMemory | FaultKind::OutsideEffect => Cause::Breakpoint,
    }
}

/// A line as gdb takes it, whatever is in the file's name; gdb finds a file by the end of its path.
fn location(file: &str, line: u32) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    format!("-source \"{}\" -line {line}", name.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(kind: FaultKind) -> DebuggedFault<'static> {
        DebuggedFault {
            kind: Some(kind),
            file: "src/u.c",
            line: 7,
            function: "f",
            confirmed: true,
            sanitizer: false,
            allocated: None,
        }
    }

    #[test]
    fn each_kind_has_what_stops_it() {
        let flags = |kind| Stop::at_fault(&fault(kind)).flags.join(" ");
        assert_eq!(flags(FaultKind::Assertion), "-g");
        assert_eq!(flags(FaultKind::UseAfterFree), "-g -fsanitize=address");
        assert_eq!(flags(FaultKind::OutOfBounds), "-g -fsanitize=address,bounds -fsanitize-trap=bounds");
        assert_eq!(flags(FaultKind::Shift), "-g -fsanitize=shift -fsanitize-trap=shift");
        let null = DebuggedFault { sanitizer: true, ..fault(FaultKind::NullDereference) };
        assert!(Stop::at_fault(&null).flags.iter().any(|flag| flag.starts_with("-fsanitize=address,null")));
    }

    #[test]
    fn a_breakpoint_stands_where_nothing_else_stops_it() {
        let leak = DebuggedFault { allocated: Some(("src/my \"u\".c", 3)), ..fault(FaultKind::Leak) };
        assert_eq!(Stop::at_fault(&leak).commands, ["tbreak -source \"my \\\"u\\\".c\" -line 3", "run"]);
        let unseen = DebuggedFault { confirmed: false, ..fault(FaultKind::Shift) };
        assert_eq!(Stop::at_fault(&unseen).commands, ["tbreak -source \"u.c\" -line 7", "run"]);
        assert_eq!(
            Stop::at_fault(&fault(FaultKind::Timeout)).commands,
            ["handle SIGALRM stop print nopass", "run", "frame function f"]
        );
    }

    #[test]
    fn a_units_own_main_has_another_name() {
        assert_eq!(Stop::at_function("main", "test_main_1").commands[1], "tbreak unit_main");
    }
}
