//! What the model says about small C files: `golden/NAME.c` beside `golden/NAME.expected`.
//! To accept a change, run with `TARKA_BLESS=1` and read the difference.

use crate::common;

#[test]
fn models_read_as_expected() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    common::check_goldens("golden", |file| {
        let model = common::model(file);
        common::compile_probed(&model, &common::flags_of(file), &scratch.path().join("probed.o"));
        let mut seen = common::listing(&model);
        if file.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("types")) {
            seen += &common::layouts(&model.types);
        }
        seen
    });
}
