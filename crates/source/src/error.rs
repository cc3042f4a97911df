//! Why a C file cannot be analysed: what happened, where, and the next step.

use std::path::PathBuf;

use thiserror::Error;

/// Why a C file cannot be analysed.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The path leads nowhere.
    #[error("{} does not exist; check the path, relative ones start at the current folder", file.display())]
    Missing {
        /// The path.
        file: PathBuf,
    },
    /// The path is a folder.
    #[error("{} is a folder; name the C files in it, such as {}", file.display(), file.join("*.c").display())]
    Directory {
        /// The path.
        file: PathBuf,
    },
    /// The file cannot be read.
    #[error("{} cannot be read ({reason}); check its permissions", file.display())]
    Unreadable {
        /// The path.
        file: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A header was given.
    #[error("{} is a header, not a source file; include it from a .c file and name that file instead", file.display())]
    Header {
        /// The path.
        file: PathBuf,
    },
    /// Something else than C.
    #[error("{} is not a C file; name a file that ends in .c", file.display())]
    NotC {
        /// The path.
        file: PathBuf,
    },
    /// Nothing in the file.
    #[error("{} is empty; name a C file that defines at least one function", file.display())]
    Empty {
        /// The path.
        file: PathBuf,
    },
    /// Declarations only.
    #[error(
        "{} defines no function with a body{}; name the C file that defines the functions to test",
        file.display(),
        if declared.is_empty() { String::new() } else { format!(" (it only declares {})", declared.join(", ")) }
    )]
    NoFunction {
        /// The path.
        file: PathBuf,
        /// The first few functions it declares.
        declared: Vec<String>,
    },
    /// A definition has the name of a probe.
    #[error(
        "{}:{} defines `{name}`, a name that Tarka gives to something of its own in the text it compiles; nothing in the file can be \
         tested while it is called so: build it for tests under another name (`-- -D{name}=other_name`)",
        place.file, place.line
    )]
    Reserved {
        /// The name.
        name: String,
        /// Where it is defined.
        place: crate::Place,
    },
    /// The compiler is not there.
    #[error(
        "clang 19 was not found ({tried}); install it with `apt install clang-19`, or set TARKA_CLANG to its path"
    )]
    ClangMissing {
        /// Where it was looked for.
        tried: String,
    },
    /// The compiler refuses the file.
    #[error("{} does not compile:\n{}\n{}", file.display(), messages.trim_end(), next_step(messages))]
    DoesNotCompile {
        /// The path.
        file: PathBuf,
        /// clang's own messages, with place and caret.
        messages: String,
    },
    /// libclang cannot be loaded.
    #[error(
        "libclang 19 cannot be loaded ({reason}); install it with `apt install libclang-19-dev`, or set \
             LIBCLANG_PATH to the folder that has it"
    )]
    LibclangMissing {
        /// What the loader said.
        reason: String,
    },
    /// clang compiles the file but libclang cannot parse it.
    #[error("{} compiles, but libclang cannot parse it ({reason}); check that clang and libclang are both version 19",
        file.display())]
    NotParsed {
        /// The path.
        file: PathBuf,
        /// The first thing libclang said.
        reason: String,
    },
}

/// What to do about clang's messages.
fn next_step(messages: &str) -> &'static str {
    // Only gcc has functions inside functions.
    if messages.contains("function definition is not allowed here") {
        "Tarka reads C as clang does, and clang has no functions inside functions, an extension of gcc: move the inner function out \
         of the other one (with what it shares as parameters), or leave it out with `#ifndef __clang__`."
    } else {
        "Correct it, or pass the flags your build uses after `--` (such as -I and -D)."
    }
}
