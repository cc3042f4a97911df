//! Every kind of input a C function can take, end to end, before the outside judges.
//!
//! For each C file of `examples/inputs/`: `tarka gen` reaches every side that `examples/inputs/expected.tsv` calls
//! reachable, by hand; every emitted test compiles without a warning under gcc and clang, passes under both, with the
//! sanitizers too, and covers in `llvm-cov`'s eyes exactly what `report.json` claims.

use crate::judges::example::examples;

examples! {
    "examples/inputs";
    aggregates buffers callbacks floats integers library linked mixtures pointers preconditions state stubs
}
