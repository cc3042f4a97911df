//! From the runs of a unit to a small suite of readable C tests that were seen to pass.
//!
//! Takes a source model and a unit's result; gives test files and fault files in the output folder, each compiled and
//! run on the plain program, and a verdict on every goal that only those replays can give.
//! Never: search, solver, instrumentation, report formats.
//!
//! Four rooms, and `suite` is the story that goes through them: `choose` (which runs become tests), `render` (a scenario and what
//! was seen of it, as a tree), `format` (the tree as files, how to build them and how to read their output), `replay` (compile, run,
//! judge). Each uses only those before it.

mod choose;
mod error;
mod format;
mod names;
pub mod paths;
mod render;
mod replay;
mod suite;

pub use error::SuiteError;
pub use render::goal_words::{goal_sentence, outcome_words};
pub use render::way::step_sentence;
pub use replay::builds::{Builds, Core, Cores, Running};
pub use replay::compile::Compilers;
pub use replay::debug::{DebuggedFault, Stop};
pub use replay::emitted::figures_together;
pub use replay::folder::{ReplayFile, Replayed, replay_file};
pub use replay::linked::{LinkedFile, Objects, linked_files};
pub use replay::verdicts::withdraw;
pub use suite::{SuiteOptions, TestsWritten, write_faults, write_tests};
