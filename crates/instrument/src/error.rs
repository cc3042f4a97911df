//! What can go wrong while a target is built.

use std::path::PathBuf;

/// Why there is no target.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// A file of the build could not be written or read.
    #[error(
        "{path}: {source} (while building the instrumented program; is the disk full or the folder read-only?)"
    )]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The compiler could not be started.
    #[error("could not start {path}: {source} (install clang-19, or see `tarka doctor`)")]
    NoCompiler {
        /// What was tried.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A parameter whose type C cannot name outside its declaration.
    #[error(
        "{function}: parameter {param} has an unnamed type, which a test cannot declare (give the type a name)"
    )]
    Unnamed {
        /// The function.
        function: String,
        /// The parameter.
        param: String,
    },
    /// A precondition cannot be read.
    #[error("{function}: the precondition `{expression}` is no C expression over its parameters: {message}")]
    Precondition {
        /// The function.
        function: String,
        /// The expression as given.
        expression: String,
        /// What is wrong with it.
        message: String,
    },
    /// clang refused the text with its probes and driver.
    #[error("clang could not compile the unit with its probes:\n{message}")]
    Compile {
        /// clang's own words.
        message: String,
    },
    /// The unit uses what nobody defines.
    #[error(
        "{} used but defined neither in this file nor in what it is linked with; name the objects or libraries that \
         define {} after `--` (as in `-- util.o -lfoo`), or choose functions that do not need {} with -f{}",
        names_are(.names), them(.names), them(.names), because(.reasons)
    )]
    Undefined {
        /// The missing functions and variables, sorted.
        names: Vec<String>,
        /// Why no stub can stand for them, in words.
        reasons: Vec<String>,
    },
    /// The input of a unit does not fit.
    #[error(
        "{function}: its parameters and the values of its stubs take {bytes} bytes, which is more than an input may \
         have (pass large structs by pointer, or choose other functions with -f)"
    )]
    TooLarge {
        /// The function.
        function: String,
        /// Bytes of its roots.
        bytes: u64,
    },
    /// The executable could not be linked.
    #[error(
        "the instrumented program could not be linked (does the unit need other objects or libraries? \
         give them after `--`, as in `-- -lfoo`):\n{message}"
    )]
    Link {
        /// The linker's own words.
        message: String,
    },
    /// The user's flags ask for another machine.
    #[error(
        "the unit is compiled for {triple}, but targets run on x86-64 Linux only (remove -m32 or --target)"
    )]
    Machine {
        /// What the flags ask for.
        triple: String,
    },
    /// LLVM refused a step.
    #[error("LLVM failed to {step}: {message} (this is a bug in Tarka; please report it with the C file)")]
    Llvm {
        /// Which step.
        step: &'static str,
        /// LLVM's own words.
        message: String,
    },
    /// The executable is not what the linker should have made.
    #[error("{path}: {message} (this is a bug in Tarka; please report it with the C file)")]
    Executable {
        /// The executable.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The executable has no readable debug information.
    #[error("{path}: the debug information cannot be read: {message}")]
    DebugInfo {
        /// The executable.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl InstrumentError {
    /// Names that nobody defines, each with why no stub can stand for it, if that was tried.
    pub(crate) fn undefined(missing: Vec<(String, Option<String>)>) -> InstrumentError {
        let (names, reasons): (Vec<String>, Vec<Option<String>>) = missing.into_iter().unzip();
        InstrumentError::Undefined { names, reasons: reasons.into_iter().flatten().collect() }
    }
}

fn because(reasons: &[String]) -> String {
    if reasons.is_empty() { String::new() } else { format!(" (no stub is possible: {})", reasons.join("; ")) }
}

fn names_are(names: &[String]) -> String {
    const MOST: usize = 8;
    let mut text: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST {
        text.push(format!("{} more", names.len() - MOST));
    }
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", text.join(", "))
}

fn them(names: &[String]) -> &'static str {
    if names.len() == 1 { "it" } else { "them" }
}
