//! What a call of a compiler depends on, as one digest.
//!
//! Takes the compiler, the flags of the user and all the texts and objects it is given; gives a key, or nothing if the call may read
//! files that are not among them. Never: calls a compiler.

use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::Digest;

/// Variables that compilers and linkers look at.
const VARIABLES: [&str; 7] = [
    "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "LD_RUN_PATH",
    "SOURCE_DATE_EPOCH",
];

/// The key of a call on texts that are preprocessed already, and on objects. `given` is everything it is given but for the flags of
/// the user: options, texts, objects. Where files stand is no part of it, so nothing of what is given may say so.
pub fn call_key<P: AsRef<[u8]>>(
    compiler: &Path,
    flags: &[impl AsRef<str>],
    given: impl IntoIterator<Item = P>,
) -> Option<Digest> {
    let given: Vec<P> = given.into_iter().collect();
    let flags: Vec<&str> = flags.iter().map(AsRef::as_ref).collect();
    if !flags.iter().all(|flag| reads_no_file(flag)) || given.iter().any(|part| includes_bytes(part.as_ref()))
    {
        return None;
    }
    let variables = VARIABLES.map(|name| std::env::var_os(name).unwrap_or_default());
    let linkers = ["ld", "ld.gold"].map(|linker| program(Path::new(linker)));
    let programs = [program(compiler), env!("CARGO_PKG_VERSION").to_string()];
    let parts = programs.iter().chain(&linkers).map(|part| part.as_bytes());
    let parts = parts.chain(variables.iter().map(|value| value.as_encoded_bytes()));
    // How many flags there are keeps them from passing for what is given.
    let count = flags.len().to_le_bytes();
    let parts = parts.chain([count.as_slice()]).chain(flags.iter().map(|flag| flag.as_bytes()));
    Some(Digest::of(parts.chain(given.iter().map(AsRef::as_ref))))
}

/// A program by its path, its size and its time: another build has another one. One without a folder is looked for as a shell does.
pub fn program(path: &Path) -> String {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(path));
    let about = found.find_map(|file| std::fs::metadata(file).ok());
    let size = about.as_ref().map_or(0, std::fs::Metadata::len);
    let time = about.and_then(|about| about.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    format!("{} {size} {}", path.display(), time.unwrap_or_default().as_nanos())
}

/// Whether a flag lets a compiler read nothing more of text that is preprocessed. Where headers are searched for and what macros
/// mean is settled there; a flag that is not known here may name a file.
fn reads_no_file(flag: &str) -> bool {
    const SETTLED: &[&str] = &["-D", "-I", "-U"];
    const HARMLESS: &[&str] = &["-O", "-W", "-f", "-g", "-m", "-std="];
    const READS: &[&str] =
        &["-Wa,", "-Wl,", "-Wp,", "-fmodule", "-fplugin", "-fprofile", "-fuse-ld", "-mllvm"];
    let begins = |starts: &[&str]| starts.iter().any(|start| flag.starts_with(start));
    // The value of a flag that ends here is the next one, which is not known.
    begins(SETTLED) && flag.len() > 2
        || matches!(flag, "-ansi" | "-pthread")
        || begins(HARMLESS) && !begins(READS) && !flag.contains(['/', '.', '@'])
}

/// Assembly in a text can put a file's bytes into the object.
fn includes_bytes(text: &[u8]) -> bool {
    const DIRECTIVE: &[u8] = b".incbin";
    text.windows(DIRECTIVE.len()).any(|part| part == DIRECTIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLANG: &str = "clang-19";

    fn key(flags: &[&str], given: &[&str]) -> Option<Digest> {
        call_key(Path::new(CLANG), flags, given)
    }

    #[test]
    fn everything_that_is_given_counts() {
        let known = key(&["-O2"], &["-c", "int x;"]);
        assert!(known.is_some());
        assert_eq!(known, key(&["-O2"], &["-c", "int x;"]));
        let others = [
            key(&["-O1"], &["-c", "int x;"]),
            key(&["-O2"], &["-S", "int x;"]),
            key(&["-O2"], &["-c", "int y;"]),
            key(&["-O2", "-c"], &["int x;"]),
            key(&[], &["-O2", "-c", "int x;"]),
            call_key(Path::new("gcc"), &["-O2"], ["-c", "int x;"]),
        ];
        assert!(others.iter().all(|other| *other != known), "{others:?}");
    }

    #[test]
    fn another_build_of_the_compiler_is_another_one() {
        let folder = tempfile::tempdir().expect("folder");
        let compiler = folder.path().join("cc");
        let mut known = Vec::new();
        for build in ["one", "another"] {
            std::fs::write(&compiler, build).expect("written");
            known.push(call_key(&compiler, &["-O2"], ["int x;"]).expect("a key"));
        }
        assert_ne!(known[0], known[1]);
    }

    #[test]
    fn a_call_that_may_read_other_files_has_no_key() {
        for flags in [
            &["-Iinclude", "-DA=1", "-std=gnu11", "-Wall", "-g", "-pthread", "-fsanitize=undefined"][..],
            &["-I../lib", "-DFILE=\"a.txt\""],
        ] {
            assert!(key(flags, &["int x;"]).is_some(), "{flags:?}");
        }
        for flag in [
            "other.o",
            "-lz",
            "-L/opt",
            "-I",
            "-Wl,-T,script",
            "-fprofile-use=data",
            "-fplugin=x",
            "@more",
            "-B/opt",
            "-fsanitize-ignorelist=list.txt",
            "-include",
            "--sysroot=/x",
            "-T",
            "-c",
        ] {
            assert_eq!(key(&[flag], &["int x;"]), None, "{flag}");
        }
        assert_eq!(key(&[], &["asm(\".incbin \\\"data\\\"\");"]), None);
    }
}
