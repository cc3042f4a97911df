//! What is linked into every target: the C runtime of `c/`, compiled by this crate's build script.
//!
//! Takes nothing at run time; gives the compiled pieces as bytes:
//!
//! - [`FAST_BC`]: every `tkf_*` hook as an `alwaysinline` function, to be linked into the unit after the hooks are in;
//! - [`MODELS_BC`]: C models of library functions, to be linked into the unit *before* it is instrumented;
//! - [`RUNTIME_OBJECT`]: everything else, with `main` and the fork server, for the final (position-dependent) link;
//! - [`PLAIN_OBJECT`]: the same for a plain program, which counts sides and has no labels.
//!
//! Never: a solver, the target's standard streams, any policy of the search.

/// Bitcode of the inlined hooks.
pub static FAST_BC: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fast.bc"));
/// Bitcode of the library models.
pub static MODELS_BC: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/models.bc"));
/// The runtime's object file.
pub static RUNTIME_OBJECT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.o"));
/// The object file of a plain program's runtime.
pub static PLAIN_OBJECT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/plain.o"));
/// The C header of the hooks and shared records, for hand-written targets.
pub static TRACE_HEADER: &str = include_str!(concat!(env!("OUT_DIR"), "/tarka_trace.h"));
