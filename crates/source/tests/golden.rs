//! What the model says about small C files: `golden/NAME.c` beside `golden/NAME.expected`.
//! To accept a change, run with `TARKA_BLESS=1` and read the difference.

mod common;

use std::path::Path;

#[test]
fn models_read_as_expected() {
    let bless = std::env::var_os("TARKA_BLESS").is_some();
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut wrong = Vec::new();
    for file in common::c_files("golden") {
        let model = common::model(&file);
        common::compile_probed(&model, &common::flags_of(&file), &scratch.path().join("probed.o"));
        let mut seen = common::listing(&model);
        seen += &common::declared(&model);
        if file.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("types")) {
            seen += &common::layouts(&model.types);
        }
        let expected_file = file.with_extension("expected");
        if bless {
            std::fs::write(&expected_file, &seen).expect("writable");
            continue;
        }
        let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
        if seen != expected {
            wrong.push(difference(&file, &expected, &seen));
        }
    }
    assert!(wrong.is_empty(), "{}\nTARKA_BLESS=1 accepts what is seen", wrong.join("\n"));
}

fn difference(file: &Path, expected: &str, seen: &str) -> String {
    let mut lines = vec![format!("{}:", file.display())];
    lines.extend(
        expected.lines().filter(|line| !seen.lines().any(|other| other == *line)).map(|l| format!("- {l}")),
    );
    lines.extend(
        seen.lines().filter(|line| !expected.lines().any(|other| other == *line)).map(|l| format!("+ {l}")),
    );
    lines.join("\n")
}
