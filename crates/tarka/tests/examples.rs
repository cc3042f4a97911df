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

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let scratch = tempfile::tempdir().expect("scratch folder");
    for file in ["delete_from_table.c", "tokenizer.c"] {
        let listings: Vec<BTreeMap<PathBuf, Vec<u8>>> = ["1", "2"]
            .into_iter()
            .map(|run| {
                // The same folder name in both, because the command line is part of the report.
                let out = scratch.path().join("same");
                example::generate(&judges::root().join(FOLDER).join(file), &out, &example::FULL);
                let kept = scratch.path().join(format!("{file}.{run}"));
                fs::rename(&out, &kept).expect("rename");
                listing(&kept, &kept)
            })
            .collect();
        assert!(listings[0].len() >= 3, "{file}: {:?}", listings[0].keys());
        assert_eq!(listings[0].keys().collect::<Vec<_>>(), listings[1].keys().collect::<Vec<_>>());
        for (name, bytes) in &listings[0] {
            assert!(listings[1][name] == *bytes, "{file}: {} differs between two runs", name.display());
        }
    }
}

/// Every file below a folder with its content, by relative path; not the journal, which is for later calls and has times.
fn listing(folder: &Path, base: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
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
