//! The unit in an emitted file: how it is included, and how the file is built.
//!
//! Takes what is known of the unit, gives C and a command. Every emitted file begins so, whatever its format.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::format::library::Library;
use crate::format::stubs::FileStubs;
use crate::format::text::Lines;
use crate::names;
use crate::replay::compile::in_order;
use crate::replay::linked::{LinkedFile, link_options};

/// How a unit is named and included.
#[derive(Clone, Debug)]
pub struct UnitText {
    /// The path for `#include`.
    pub include: String,
    /// The C file as the user named it.
    pub shown_file: String,
    /// Functions of the unit that must step aside: `main`, and those called like functions of the library that files call.
    pub stepping_aside: BTreeSet<String>,
    /// The user's flags, for the comment that says how to build.
    pub flags: Vec<String>,
    /// The other files of its program, as seen from the file's folder.
    pub linked: Vec<LinkedFile>,
    /// How the file comes by the library functions it uses.
    pub library: Library,
    /// Name of the criterion that was asked for.
    pub criterion: String,
}

/// Warnings of the unit itself that are switched off around its `#include`, by compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IgnoredWarnings {
    /// For gcc.
    pub gcc: BTreeSet<String>,
    /// For clang.
    pub clang: BTreeSet<String>,
    /// Calling the unit warns too (a deprecated function, say), so they stay off for the whole file.
    pub whole_file: bool,
}

/// Everything that the files of a unit share.
pub struct Preamble<'a> {
    /// How the unit is named and included.
    pub unit: &'a UnitText,
    /// Its warnings.
    pub ignored: &'a IgnoredWarnings,
    /// What the sources lack.
    pub file_stubs: &'a FileStubs<'a>,
}

/// The part of a file that includes the unit.
#[derive(Clone, Debug)]
pub struct UnitPart {
    /// Bytes before what belongs to the unit's `#include`, and up to its end.
    pub begin: usize,
    pub end: usize,
    /// Nothing in the file stands for something that the unit uses.
    pub stands_alone: bool,
    /// Lines before the unit that turn its calls of library functions elsewhere.
    pub redirections: Vec<String>,
}

/// Writes the unit's `#include` and what belongs to it, and says where it ends.
pub(crate) fn include_unit(out: &mut Lines, preamble: &Preamble) -> UnitPart {
    let Preamble { unit, ignored, file_stubs } = preamble;
    let begin = out.text.len();
    let silenced = !(ignored.gcc.is_empty() && ignored.clang.is_empty());
    if silenced {
        out.line("/* The unit's own warnings are for its own build. */");
        if !ignored.whole_file {
            out.line("#pragma GCC diagnostic push");
        }
        if ignored.gcc == ignored.clang {
            pragmas(out, &ignored.gcc);
        } else {
            out.line("#ifdef __clang__");
            pragmas(out, &ignored.clang);
            out.line("#else");
            pragmas(out, &ignored.gcc);
            out.line("#endif");
        }
    }
    let redirections = file_stubs.redirections();
    if !redirections.is_empty() {
        out.line("/* The unit's calls of these library functions go to the functions below. */");
    }
    for line in &redirections {
        out.line(line);
    }
    for name in &unit.stepping_aside {
        out.line(&format!("#define {name} {}", names::emitted(name)));
    }
    out.line(&format!("#include \"{}\"", unit.include));
    for name in &unit.stepping_aside {
        out.line(&format!("#undef {name}"));
    }
    if silenced && !ignored.whole_file {
        out.line("#pragma GCC diagnostic pop");
    }
    out.line("");
    let stands_alone = redirections.is_empty() && unit.library == Library::Headers;
    UnitPart { begin, end: out.text.len(), stands_alone, redirections }
}

fn pragmas(out: &mut Lines, names: &BTreeSet<String>) {
    for name in names {
        out.line(&format!("#pragma GCC diagnostic ignored \"{name}\""));
    }
}

/// The command that builds and runs an emitted file, with what it is linked with.
pub(crate) fn build_command(unit: &UnitText, name: &str, extra: &str) -> String {
    let quoted = |flags: Vec<String>| -> String {
        flags.iter().map(|flag| format!(" {}", shell_quoted(flag))).collect()
    };
    let (flags, libraries) = in_order(&unit.flags);
    let (flags, libraries) = (quoted(flags), quoted(libraries));
    // gcc's sanitizers look for less.
    let compiler = if extra.contains("-fsanitize=") { "clang-19" } else { "cc" };
    let linked = &unit.linked;
    let options = quoted(link_options(&unit.flags, linked));
    let same_flags = linked.iter().all(|file| file.flags == unit.flags);
    let (mut before, mut files) = (String::new(), String::new());
    for (number, LinkedFile { file, flags, .. }) in linked.iter().enumerate() {
        let file = shell_quoted(&file.display().to_string());
        if same_flags {
            let _ = write!(files, " {file}");
            continue;
        }
        let flags = quoted(in_order(flags).0);
        let object = format!("{name}.{}.o", number + 1);
        let _ = write!(before, "{compiler}{flags}{extra} -c {file} -o {object} && ");
        let _ = write!(files, " {object}");
    }
    format!("{before}{compiler}{flags}{extra} {name}.c{files}{libraries}{options} -lm -o {name} && ./{name}")
}

fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
