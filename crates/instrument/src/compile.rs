//! Runs clang: preprocessed text with probes and driver in, bitcode out.
//!
//! Takes the text, the user's flags and the path of clang; gives the path of a bitcode file. The flags are sifted: the
//! text is already preprocessed, is compiled without optimisation, and must mean exactly
//! what the plain program means.

use std::path::{Path, PathBuf};

use tarka_compilers::Call;
use tarka_trace::FaultSet;

use crate::pass::PURE_PROBES;
use crate::{InstrumentError, checks};

/// The folder debug information claims the text was compiled in: a relative file name stays recognisable behind it.
pub(crate) const COMPILATION_FOLDER: &str = "/.tarka";

/// What a text is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A target with labels, with clang's checks for the faults that are looked for.
    Labels(FaultSet),
    /// A plain program: no checks, and nobody asks where its code comes from.
    Plain,
}

impl Purpose {
    fn flags(self) -> Vec<String> {
        let mut flags = match self {
            Purpose::Labels(faults) => checks::flags(faults),
            Purpose::Plain => return Vec::new(),
        };
        flags.extend(["-g", "-gno-column-info"].map(str::to_owned));
        flags.push(format!("-fdebug-compilation-dir={COMPILATION_FOLDER}"));
        flags
    }
}

/// Compiles `text` to `work_dir/unit.bc`.
pub(crate) fn compile(
    clang: &Path,
    flags: &[String],
    text: &str,
    purpose: Purpose,
    work_dir: &Path,
) -> Result<PathBuf, InstrumentError> {
    let source = work_dir.join("unit.i");
    let bitcode = work_dir.join("unit.bc");
    std::fs::write(&source, format!("{PURE_PROBES}{text}"))
        .map_err(|error| InstrumentError::File { path: source.clone(), source: error })?;
    let mut arguments =
        ["-x", "cpp-output", "-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone"].to_vec();
    // An array that ends a record is as long as it says, unless it has no or one element. Before the user's flags, which may say
    // otherwise.
    arguments.extend(["-w", "-Qunused-arguments", "-fstrict-flex-arrays=1"]);
    arguments.extend(tarka_source::TOLERATED);
    let kept = kept_flags(flags);
    arguments.extend(&kept);
    // After the user's flags: what the labels rely on. Undefined behaviour gets the meaning the machine gives it.
    // (Also of arithmetic that wraps, though not with -fwrapv, which would take clang's checks away.)
    arguments.extend([
        "-fno-wrapv",
        "-fno-delete-null-pointer-checks",
        "-fno-strict-aliasing",
        "-fno-builtin",
    ]);
    let checks = purpose.flags();
    arguments.extend(checks.iter().map(String::as_str));
    arguments.extend([
        "-fno-omit-frame-pointer",
        "-ffp-contract=off",
        "-fno-fast-math",
        "-fno-pie",
        "-fno-pic",
    ]);
    // Every call leaves a frame: a backtrace shows who called whom.
    arguments.extend(["-fno-stack-protector", "-fno-optimize-sibling-calls"]);
    // Probes nest deeper than what the user wrote.
    arguments.extend(["-fbracket-depth=2048", "unit.i", "-o", "unit.bc"]);
    let key = tarka_cache::call_key(clang, &kept, arguments.iter().copied().chain([PURE_PROBES, text]));
    tarka_cache::built(key, &bitcode, || {
        // Run inside the folder: its name must not get into the program, which would differ from build to build.
        let answer = Call::new(clang)
            .folder(work_dir)
            .args(&arguments)
            .run()
            .map_err(|error| InstrumentError::NoCompiler { path: clang.to_owned(), source: error })?;
        answer.success().then_some(()).ok_or_else(|| InstrumentError::Compile { message: answer.message() })
    })?;
    Ok(bitcode)
}

/// Flags of the user that still mean something for preprocessed text: language, machine and ABI.
pub(crate) fn kept_flags(flags: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut rest = flags.iter().map(String::as_str);
    while let Some(flag) = rest.next() {
        if takes_value(flag) {
            let value = rest.next();
            if flag == "-target" {
                kept.extend(std::iter::once(flag).chain(value));
            }
        } else if shapes_code(flag) {
            kept.push(flag);
        }
    }
    kept
}

/// Flags of the user for the linker: libraries, their folders, and other objects.
pub(crate) fn link_flags(flags: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut rest = flags.iter().map(String::as_str);
    while let Some(flag) = rest.next() {
        if matches!(flag, "-l" | "-L") {
            kept.extend(std::iter::once(flag).chain(rest.next()));
        } else if takes_value(flag) {
            rest.next();
        } else if is_for_linker(flag) {
            kept.push(flag);
        }
    }
    kept
}

fn takes_value(flag: &str) -> bool {
    const WITH_VALUE: &[&str] = &[
        "-o",
        "-D",
        "-U",
        "-I",
        "-include",
        "-imacros",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-iprefix",
        "-isysroot",
        "-MF",
        "-MT",
        "-MQ",
        "-x",
        "-Xclang",
        "-Xlinker",
        "-Xpreprocessor",
        "-Xassembler",
        "-target",
        "-l",
        "-L",
        "-T",
        "-u",
        "-z",
        "-arch",
    ];
    WITH_VALUE.contains(&flag)
}

fn is_for_linker(flag: &str) -> bool {
    let is_option = ["-l", "-L", "-pthread"].iter().any(|prefix| flag.starts_with(prefix));
    let is_object = !flag.starts_with('-') && [".o", ".a", ".so"].iter().any(|suffix| flag.ends_with(suffix));
    is_option || is_object
}

fn shapes_code(flag: &str) -> bool {
    const DROPPED: &[&str] = &[
        "-fsanitize",
        "-fno-sanitize",
        "-flto",
        "-fprofile",
        "-fcoverage",
        "-fast",
        "-ffast-math",
        "-funsafe-math",
        "-ffinite-math",
        "-fassociative-math",
        "-freciprocal-math",
        "-ffp-",
        "-fpic",
        "-fPIC",
        "-fpie",
        "-fPIE",
        "-fplugin",
        "-fsyntax-only",
        "-fdiagnostics",
        "-fcolor",
        "-fmodules",
        "-ftrapv",
        "-fstrict-overflow",
        "-finstrument",
        "-fdebug",
        "-fxray",
        "-femit",
        "-fstack-protector",
        "-fopenmp",
        "-fdelete-null",
        "-fexceptions",
        "-fasync-exceptions",
        "-fnon-call-exceptions",
    ];
    let kept_family = ["-f", "-m", "-std="].iter().any(|prefix| flag.starts_with(prefix));
    let kept_word = matches!(flag, "-ansi" | "-trigraphs" | "-pthread");
    (kept_family || kept_word) && !DROPPED.iter().any(|prefix| flag.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn language_machine_and_abi_flags_stay() {
        let all = flags(
            "-std=c99 -DX=1 -D Y -I inc -Iinc -O3 -g -funsigned-char -m32 -fstrict-flex-arrays=0 -Wall -include a.h -c -o x.o",
        );
        assert_eq!(kept_flags(&all), ["-std=c99", "-funsigned-char", "-m32", "-fstrict-flex-arrays=0"]);
    }

    #[test]
    fn flags_that_bend_arithmetic_go() {
        assert!(kept_flags(&flags("-ffast-math -ffp-contract=fast -ftrapv -fsanitize=undefined")).is_empty());
    }

    #[test]
    fn libraries_and_objects_are_for_the_linker() {
        let all = flags("-lm -L /opt/lib -l z -Wall extra.o main.c -o x.o");
        assert_eq!(link_flags(&all), ["-lm", "-L", "/opt/lib", "-l", "z", "extra.o"]);
    }
}
