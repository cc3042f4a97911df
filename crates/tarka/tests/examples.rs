//! Every example, end to end, before the outside judges.
//!
//! For each C file of `examples/`: `tarka gen` finds what `examples/expected.tsv` says by hand; every emitted test
//! compiles without a warning under gcc and clang, passes under both, and covers in `llvm-cov`'s eyes exactly what
//! `report.json` claims; every fault file shows its fault.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::judges;
use crate::judges::example::{self, examples};

const FOLDER: &str = "examples";

examples! {
    FOLDER;
    arrays bubble bucket calendar control delete_from_table kmalloc list loop_count not_a_number packet product range_split
    roots samples search tokenizer
    total triangle vending wave whole
}

/// Nor does it matter whether compilers work or what they built is known: of the two calls for each file the second may know it.
#[test]
fn the_same_seed_gives_the_same_bytes() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    for file in ["delete_from_table.c", "tokenizer.c"] {
        let by_compilers = written(file, scratch.path(), None);
        assert!(by_compilers.len() >= 3, "{file}: {:?}", by_compilers.keys());
        assert_same(
            &by_compilers,
            &written(file, scratch.path(), std::env::var_os("TARKA_CACHE").map(PathBuf::from)),
        );
    }
}

#[test]
fn what_is_known_of_compilers_changes_no_byte_even_if_it_was_damaged() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    let cache = scratch.path().join("cache");
    let (file, with_cache) = ("delete_from_table.c", || Some(cache.clone()));
    let by_compilers = written(file, scratch.path(), with_cache());
    let known = listing(&cache, &cache);
    assert!(known.len() >= 5, "bitcode, program, recorder and two probed programs: {:?}", known.keys());
    assert_same(&by_compilers, &written(file, scratch.path(), with_cache()));
    assert!(listing(&cache, &cache) == known, "nothing was built again");
    for entry in known.keys() {
        // Another file: what was taken from here is not to change.
        fs::remove_file(cache.join(entry)).expect("removed");
        fs::write(cache.join(entry), "no program").expect("written");
    }
    assert_same(&by_compilers, &written(file, scratch.path(), with_cache()));
    assert!(listing(&cache, &cache) == known, "all was built again");
}

pub(crate) type Listing = BTreeMap<PathBuf, Vec<u8>>;

/// What is written for an example, always to the same folder, because the command line is part of the report.
fn written(file: &str, scratch: &Path, cache: Option<PathBuf>) -> Listing {
    let (out, mut command) = (scratch.join("same"), judges::tarka());
    command.env("TARKA_CACHE", cache.unwrap_or_default());
    example::generate_by(command, &judges::root().join(FOLDER).join(file), &out, &example::FULL);
    let written = listing(&out, &out);
    fs::remove_dir_all(&out).expect("removed");
    written
}

pub(crate) fn assert_same(first: &Listing, second: &Listing) {
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    for (name, bytes) in first {
        assert!(second[name] == *bytes, "{} differs between two calls", name.display());
    }
}

/// Every file below a folder with its content, by relative path; not the journal, which is for later calls and has times.
pub(crate) fn listing(folder: &Path, base: &Path) -> Listing {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.ends_with(".tarka-journal") {
            continue;
        }
        if path.is_dir() {
            found.extend(listing(&path, base));
        } else {
            let content = fs::read(&path).expect("file");
            found.insert(path.strip_prefix(base).expect("below the base").to_path_buf(), content);
        }
    }
    found
}
