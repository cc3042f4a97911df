//! Bad input: each gets a message that says what happened and what to do next.

use std::path::PathBuf;

use crate::common;
use tarka_source::{SourceError, SourceRequest, analyse, find_clang};

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("writable");
        path
    }
}

fn error_of(file: PathBuf) -> SourceError {
    common::try_model(&file, &[]).expect_err("this must not be accepted")
}

#[test]
fn a_missing_file() {
    let error = error_of("no/such/file.c".into());
    assert!(matches!(error, SourceError::Missing { .. }));
    assert!(error.to_string().starts_with("no/such/file.c does not exist; check the path"));
}

#[test]
fn a_folder() {
    let scratch = Scratch::new();
    let error = error_of(scratch.0.path().into());
    assert!(matches!(error, SourceError::Directory { .. }));
    assert!(error.to_string().contains("*.c"));
}

#[test]
fn a_header() {
    let scratch = Scratch::new();
    let error = error_of(scratch.file("list.h", "int f(int x);"));
    assert!(matches!(error, SourceError::Header { .. }));
    assert!(error.to_string().contains("include it from a .c file"));
}

#[test]
fn other_languages() {
    let scratch = Scratch::new();
    for name in ["unit.cpp", "unit.o", "Makefile"] {
        let error = error_of(scratch.file(name, "text"));
        assert!(matches!(error, SourceError::NotC { .. }), "{name}");
        assert!(error.to_string().contains("ends in .c"));
    }
}

#[test]
fn an_empty_file() {
    let scratch = Scratch::new();
    let error = error_of(scratch.file("empty.c", "\n  \n"));
    assert!(matches!(error, SourceError::Empty { .. }));
}

#[test]
fn declarations_only() {
    let scratch = Scratch::new();
    let error =
        error_of(scratch.file("only.c", "#include <stdio.h>\nint f(int x);\nint g(void);\nint v = 3;\n"));
    assert!(error.to_string().contains("no function with a body (it only declares f, g)"), "{error}");
    let error = error_of(scratch.file("comment.c", "/* nothing yet */\n"));
    assert!(error.to_string().contains("defines no function with a body; name the C file"), "{error}");
}

#[test]
fn a_syntax_error_in_clangs_own_words() {
    let scratch = Scratch::new();
    let file = scratch.file("broken.c", "int f(int x) {\n    return x +;\n}\n");
    let message = error_of(file.clone()).to_string();
    let expected = format!(
        "{}:2:15: error: expected expression\n    2 |     return x +;\n      |               ^\n1 error generated.",
        file.display()
    );
    assert!(message.contains(&expected), "{message}");
}

#[test]
fn a_missing_include_names_the_way_out() {
    let scratch = Scratch::new();
    let file = scratch.file("lost.c", "#include \"not_there.h\"\nint f(void) { return 0; }\n");
    let message = error_of(file).to_string();
    assert!(message.contains("'not_there.h' file not found"), "{message}");
    assert!(message.contains("flags your build uses after `--`"), "{message}");
}

#[test]
fn a_file_that_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let file = scratch.file("secret.c", "int f(void) { return 0; }\n");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).expect("ours");
    match common::try_model(&file, &[]) {
        Err(error) => assert!(error.to_string().contains("cannot be read (Permission denied"), "{error}"),
        // The superuser may read everything.
        Ok(model) => assert_eq!(model.functions.len(), 1),
    }
}

#[test]
fn no_clang() {
    let scratch = Scratch::new();
    let file = scratch.file("fine.c", "int f(void) { return 0; }\n");
    let request = SourceRequest { file: &file, flags: &[], clang: "/no/such/clang".as_ref() };
    let error = analyse(&request).expect_err("there is no such compiler");
    assert!(matches!(error, SourceError::ClangMissing { .. }));
    assert!(error.to_string().contains("apt install clang-19"));
}

#[test]
fn flags_of_a_build_are_understood() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.0.path().join("include")).expect("writable");
    scratch.file("include/limit.h", "#define LIMIT DEFINED\nstatic int above(int x) { return x > LIMIT; }\n");
    let file = scratch.file("unit.c", "#include <limit.h>\nint f(int x) { return above(x) && x; }\n");
    let include = format!("-I{}", scratch.0.path().join("include").display());
    let flags = [&include, "-DDEFINED=3", "-c", "-o", "unit.o", "-MD", "-Werror", "-Wall", "-O2", "-g"];
    let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
    let model =
        analyse(&SourceRequest { file: &file, flags: &flags, clang: &find_clang().unwrap() }).unwrap();
    assert_eq!(model.functions.len(), 2);
    assert_eq!(model.sites.len(), 2);
    assert!(model.functions[0].place.file.ends_with("include/limit.h"));
}
