//! The arguments of a build's command, part by part: what is kept, what is left out, and what clang must be asked about.
//!
//! Takes arguments and the folder they are meant in; gives parts in their order, with paths that hold from anywhere. Never: asks clang.

use std::path::Path;

use super::Reason;
use super::outputs::{without_outputs, writes_beside};

/// A flag with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// It means here what it means there.
    Kept(Vec<String>),
    /// It means nothing here.
    LeftOut(Vec<String>, Reason),
    /// It stays if clang takes it.
    Asked(Vec<String>),
    /// It stays if programs can be linked with it, and with the folders of libraries named behind it.
    Linked(Vec<String>, Vec<String>),
}

/// Flags followed by a path, joined or as the next word.
const PATHS: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-iprefix", "-I", "-L"];
/// Flags for the root of another system, joined with `=` or as the next word.
const ROOTS: &[&str] = &["--sysroot", "-isysroot"];
/// Flags that take the next word, whatever it is.
const PAIRS: &[&str] =
    &["-D", "-U", "-Xpreprocessor", "-mllvm", "--param", "-iwithprefix", "-iwithprefixbefore"];
/// Flags that take the next word, and mean nothing here.
const LEFT_OUT_PAIRS: &[(&str, Reason)] = &[
    ("-T", Reason::Linker),
    ("-u", Reason::Linker),
    ("-z", Reason::Linker),
    ("-Xlinker", Reason::Linker),
    ("-Xassembler", Reason::Linker),
    ("-target", Reason::Machine),
    ("-arch", Reason::Machine),
    ("-B", Reason::Plugin),
    ("-wrapper", Reason::Plugin),
    ("-specs", Reason::Library),
    ("--specs", Reason::Library),
];
/// How flags begin that clang would take, and that mean nothing here.
const LEFT_OUT: &[(&str, Reason)] = &[
    ("--target=", Reason::Machine),
    ("-m16", Reason::Machine),
    ("-m32", Reason::Machine),
    ("-mx32", Reason::Machine),
    ("-miamcu", Reason::Machine),
    ("-mcmodel=", Reason::Machine),
    ("-mregparm", Reason::Machine),
    ("-mrtd", Reason::Machine),
    ("-msoft-float", Reason::Machine),
    ("-mkernel", Reason::Machine),
    ("-mgeneral-regs-only", Reason::Machine),
    ("-mno-sse", Reason::Machine),
    ("-mno-mmx", Reason::Machine),
    ("-mno-80387", Reason::Machine),
    ("-mno-x87", Reason::Machine),
    ("-mno-3dnow", Reason::Machine),
    ("-mno-avx", Reason::Machine),
    ("-mno-red-zone", Reason::Machine),
    ("-mstack-alignment=", Reason::Machine),
    ("-mpreferred-stack-boundary=", Reason::Machine),
    ("-EL", Reason::Machine),
    ("-EB", Reason::Machine),
    ("-Wl,", Reason::Linker),
    ("-Wa,", Reason::Linker),
    ("-T", Reason::Linker),
    ("-nostartfiles", Reason::Library),
    ("-nostdlib", Reason::Library),
    ("-nodefaultlibs", Reason::Library),
    ("-nolibc", Reason::Library),
    ("-nostdinc", Reason::Library),
    ("-specs=", Reason::Library),
    ("--specs=", Reason::Library),
    ("-fuse-ld=", Reason::Linker),
    ("-fplugin", Reason::Plugin),
    ("-fpass-plugin", Reason::Plugin),
    ("-B", Reason::Plugin),
    ("--config", Reason::Plugin),
];
/// Words that stay as they are: no compiler refuses them.
const KEPT: &[&str] = &["-D", "-U", "-w", "-pipe", "-pthread", "-ansi", "-pedantic", "-trigraphs"];

/// The parts of a command's arguments.
pub fn parts(arguments: &[String], folder: &Path) -> Vec<Part> {
    let words = unwrapped(&without_outputs(arguments));
    let libraries = library_folders(&words, folder);
    let mut parts = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut pair = || [word].into_iter().chain(words.next()).map(String::from).collect::<Vec<String>>();
        if word == "-include-pch" {
            words.next();
        } else if let Some((_, reason)) = LEFT_OUT_PAIRS.iter().find(|(flag, _)| *flag == word) {
            parts.push(Part::LeftOut(pair(), *reason));
        } else if word == "-Xclang" {
            parts.push(Part::LeftOut(pair(), Reason::Unknown));
        } else if ROOTS.contains(&word) {
            let root = words.next().unwrap_or_default();
            parts.push(Part::Linked(vec![word.to_string(), absolute(folder, root)], Vec::new()));
        } else if PAIRS.contains(&word) {
            let pair = pair();
            let is_name = word == "-D" || word == "-U";
            parts.push(if is_name { Part::Kept(pair) } else { Part::Asked(pair) });
        } else if word == "-l" {
            parts.push(Part::Linked(pair(), libraries.clone()));
        } else if let Some(path) = path_flag(word, || words.next(), folder) {
            parts.extend(path);
        } else if word.starts_with('-') && word.len() > 1 && !writes_beside(word) {
            parts.extend(single(word, folder, &libraries));
        }
    }
    parts
}

/// `-Xclang -include -Xclang FILE` is what `-include FILE` says, with a precompiled header beside it.
fn unwrapped(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = words;
    while let [first, after @ ..] = rest {
        rest = match after {
            [flag, again, value, after @ ..]
                if first == "-Xclang"
                    && again == "-Xclang"
                    && ["-include", "-include-pch"].contains(&flag.as_str()) =>
            {
                kept.extend([flag.clone(), value.clone()]);
                after
            }
            _ => {
                kept.push(first.clone());
                after
            }
        };
    }
    kept
}

/// The folders of libraries, as flags: what a library is looked for with.
fn library_folders(words: &[String], folder: &Path) -> Vec<String> {
    let next = words.iter().skip(1).map(Some).chain([None]);
    let found = words.iter().zip(next).filter_map(|(word, next)| match word.strip_prefix("-L")? {
        "" => next.map(String::as_str),
        joined => Some(joined),
    });
    found.map(|path| format!("-L{}", absolute(folder, path))).collect()
}

/// A flag with a path. `None` if it is none of these; an empty part if it leads nowhere and only speaks of a folder.
fn path_flag<'w>(
    word: &'w str,
    next: impl FnOnce() -> Option<&'w str>,
    folder: &Path,
) -> Option<Option<Part>> {
    let flag = *PATHS.iter().find(|flag| word.starts_with(**flag))?;
    let joined = &word[flag.len()..];
    let path = if joined.is_empty() { next().unwrap_or_default() } else { joined };
    let full = folder.join(path);
    if flag == "-include" || flag == "-imacros" {
        // One that is not there is looked for as `#include "…"` is.
        let named = if full.exists() { full.display().to_string() } else { path.to_string() };
        return Some(Some(Part::Kept(vec![flag.to_string(), named])));
    }
    if flag == "-isystem" && !full.exists() {
        return Some(None);
    }
    let named = absolute(folder, path);
    let words = if flag == "-I" || flag == "-L" {
        vec![format!("{flag}{named}")]
    } else {
        vec![flag.to_string(), named]
    };
    Some(Some(Part::Kept(words)))
}

/// A flag of one word.
fn single(word: &str, folder: &Path, libraries: &[String]) -> Option<Part> {
    let words = vec![word.to_string()];
    if let Some((_, reason)) = LEFT_OUT.iter().find(|(start, _)| word.starts_with(start)) {
        return Some(Part::LeftOut(words, *reason));
    }
    if let Some((flag, root)) = word.split_once('=').filter(|(flag, _)| ROOTS.contains(flag)) {
        return Some(Part::Linked(vec![format!("{flag}={}", absolute(folder, root))], Vec::new()));
    }
    if word.starts_with("-l") {
        return Some(Part::Linked(words, libraries.to_vec()));
    }
    // A warning of the build's compiler is no error of a test.
    if word == "-Werror" {
        return None;
    }
    if let Some(warning) = word.strip_prefix("-Werror=") {
        return Some(Part::Kept(vec![format!("-W{warning}")]));
    }
    if word == "-pedantic-errors" {
        return Some(Part::Kept(vec!["-pedantic".to_string()]));
    }
    let is_kept =
        KEPT.contains(&word) || ["-D", "-U", "-O", "-W"].iter().any(|start| word.starts_with(start));
    Some(if is_kept { Part::Kept(words) } else { Part::Asked(words) })
}

fn absolute(folder: &Path, path: &str) -> String {
    folder.join(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let words = shlex::split(text).unwrap();
        let shown = |part: Part| match part {
            Part::Kept(words) => words.join(" "),
            Part::LeftOut(words, reason) => format!("left out {}: {reason:?}", words.join(" ")),
            Part::Asked(words) => format!("asked {}", words.join(" ")),
            Part::Linked(words, folders) => format!("linked {} [{}]", words.join(" "), folders.join(" ")),
        };
        parts(&words, Path::new("/b")).into_iter().map(shown).collect()
    }

    #[test]
    fn what_to_produce_and_what_to_compile_goes_without_a_word() {
        assert!(
            shown(
                "-c -o a.o -oa.o -MD -MF a.d -MTa.o -Wp,-MMD,a.d -xc -include-pch a.pch -save-temps=obj -pg"
            )
            .is_empty()
        );
        assert!(
            shown("--coverage -fprofile-arcs -fdump-tree-all -fstack-usage -frandom-seed=a a.c ../b.o - -")
                .is_empty()
        );
        assert!(shown("-Werror -isystem nowhere").is_empty());
    }

    #[test]
    fn paths_hold_from_anywhere() {
        assert_eq!(
            shown("-Iinc -I inc2 -iquote q -iquoteq -include config.h -I/abs -DA=1 -D B -U C"),
            [
                "-I/b/inc",
                "-I/b/inc2",
                "-iquote /b/q",
                "-iquote /b/q",
                "-include config.h",
                "-I/abs",
                "-DA=1",
                "-D B",
                "-U C"
            ]
        );
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("config.h"), "").unwrap();
        let words = ["-include", "config.h", "-isystem."].map(String::from);
        let full = root.path().join("config.h").display().to_string();
        let here = root.path().join(".").display().to_string();
        let [header, system] = [vec!["-include".into(), full], vec!["-isystem".into(), here]];
        assert_eq!(parts(&words, root.path()), [Part::Kept(header), Part::Kept(system)]);
    }

    #[test]
    fn a_cross_compilers_flags() {
        assert_eq!(
            shown(
                "-mcpu=cortex-m4 --target=arm-none-eabi -target arm -mno-sse2 -T link.ld -Tlink.ld -u main -Wl,--gc-sections --specs=nano.specs -nostdlib -fplugin=x.so -B bin"
            ),
            [
                "asked -mcpu=cortex-m4",
                "left out --target=arm-none-eabi: Machine",
                "left out -target arm: Machine",
                "left out -mno-sse2: Machine",
                "left out -T link.ld: Linker",
                "left out -Tlink.ld: Linker",
                "left out -u main: Linker",
                "left out -Wl,--gc-sections: Linker",
                "left out --specs=nano.specs: Library",
                "left out -nostdlib: Library",
                "left out -fplugin=x.so: Plugin",
                "left out -B bin: Plugin",
            ]
        );
    }

    #[test]
    fn libraries_are_asked_for_with_their_folders() {
        assert_eq!(
            shown("-lz -Llib --sysroot=/arm -isysroot ../sdk"),
            [
                "linked -lz [-L/b/lib]",
                "-L/b/lib",
                "linked --sysroot=/arm []",
                "linked -isysroot /b/../sdk []"
            ]
        );
    }

    #[test]
    fn warnings_stay_warnings() {
        assert_eq!(
            shown("-Wall -Werror=attributes -pedantic-errors"),
            ["-Wall", "-Wattributes", "-pedantic"]
        );
    }

    #[test]
    fn what_is_for_the_inside_of_clang() {
        assert_eq!(
            shown("-Xclang -include-pch -Xclang a.pch -Xclang -include -Xclang /b/a.h -Xclang -load"),
            ["-include /b/a.h", "left out -Xclang -load: Unknown"]
        );
    }
}
