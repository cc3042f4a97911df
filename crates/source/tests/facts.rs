//! What the model knows about the inputs of small C files: `facts/NAME.c` beside `facts/NAME.expected`; and the stubs
//! planned for others: `stubs/NAME.c` beside `stubs/NAME.expected`.
//! To accept a change, run with `TARKA_BLESS=1` and read the difference.

mod common;

#[test]
fn facts_read_as_expected() {
    common::check_goldens("facts", |file| common::facts(&common::model(file)));
}

#[test]
fn stubs_read_as_expected() {
    common::check_goldens("stubs", |file| common::stubs(&common::model(file)));
}
