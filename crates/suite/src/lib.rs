//! From the runs of a unit to a small suite of readable C tests that were seen to pass.
//!
//! Takes a source model and a unit's result; gives test files and fault files in the output folder, each compiled and
//! run on the plain program, and a verdict on every goal that only those replays can give.
//! Never: search, solver, instrumentation, report formats.
//!
//! Reading order: `suite` is the story; `candidate` and `select` choose (the smallest suite: `covering`, `smallest`), `scene` names and declares, `observe` finds what to check,
//! `stubs` writes the functions that the sources lack, `emit` lays out the file, `compile`, `process`, `probe` and
//! `sanitize` replay it, `debug` for a debugger; `demote` makes faults of what the sanitizers stop, `faults` writes a file for
//! each fault (`showing` says how each kind is shown, `way` how it came to it), `refuted` one for each proof that is none, and
//! `shown`, `truth` and `verdicts` say what all of it covers.

mod bits;
mod candidate;
mod compile;
mod covering;
mod debug;
mod demote;
mod emit;
mod errno;
mod error;
mod faults;
mod folder;
mod harness;
mod init;
mod library;
mod library_stubs;
mod literal;
mod observe;
pub mod paths;
mod probe;
mod process;
mod recorder;
mod refuted;
mod sanitize;
mod scalar;
mod scene;
pub mod select;
mod showing;
mod shown;
mod smallest;
mod stub_text;
mod stubs;
mod suite;
mod truth;
mod verdicts;
mod way;

pub use compile::Compilers;
pub use debug::{DebuggedFault, Stop};
pub use emit::{goal_sentence, outcome_words};
pub use error::SuiteError;
pub use folder::{ReplayFile, Replayed, replay_file};
pub use suite::{SuiteOptions, TestsWritten, write_faults, write_tests};
pub use verdicts::withdraw;
pub use way::step_sentence;
