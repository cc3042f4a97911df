//! What the pass does to each instruction family: small IR in, instrumented IR (before anything is inlined) out.
//!
//! `golden/NAME.ll` is the input, `golden/NAME.out.ll` the expected bodies. After a deliberate change, run with
//! `TARKA_BLESS=1` and read the diff.

use std::path::PathBuf;

/// The function bodies of an IR text, without declarations and attributes.
fn bodies(ir: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in ir.lines() {
        if line.starts_with("define ") && !line.contains("@__tk_register_globals") {
            inside = true;
        }
        if inside {
            out.push_str(line);
            out.push('\n');
        }
        if inside && line == "}" {
            inside = false;
        }
    }
    out
}

fn check(name: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let input = std::fs::read_to_string(folder.join(format!("{name}.ll"))).expect("the case exists");
    let self_check = input.starts_with("; self-check");
    let output =
        bodies(&tarka_instrument::instrumented_ir(&input, self_check).expect("the pass accepts the case"));
    let path = folder.join(format!("{name}.out.ll"));
    if std::env::var_os("TARKA_BLESS").is_some() {
        std::fs::write(&path, &output).expect("the expectation can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        output == expected,
        "{name}: the pass gives something else (TARKA_BLESS=1 rewrites the expectation):\n{output}"
    );
}

macro_rules! cases {
    ($($name:ident),* $(,)?) => { $(#[test] fn $name() { check(stringify!($name)); })* };
}

cases!(
    integer,
    float,
    compare,
    cast,
    select_phi,
    memory,
    aggregate,
    vector,
    call,
    varargs,
    intrinsic,
    branch,
    check_branch,
    by_value,
    prepare,
    concrete_loop,
    long_double,
    self_check,
);
