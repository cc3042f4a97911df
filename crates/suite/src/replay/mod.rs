//! Compile, run, judge: what the emitted files do on the plain program, and what that means for the goals.
//!
//! `rounds` is the loop, `context` what it works with, `together` runs the tests of a program; `compile` and `process` start programs, `probe` and `recorder` see which
//! way they go, `sanitize` reads what the sanitizers say, in which
//! `symbolize` has put the places. `demote` makes faults of what the sanitizers stop, `faults` writes a file
//! for each fault (`showing` says how each kind is shown), `refuted` one for each proof that is none; `shown`, `truth` and
//! `verdicts` say what all of it covers. `folder` replays an output folder again, `debug` stops a program for a debugger.

pub(crate) mod builds;
pub(crate) mod compile;
pub(crate) mod context;
pub(crate) mod debug;
pub(crate) mod demote;
pub(crate) mod emitted;
pub(crate) mod faults;
pub(crate) mod folder;
pub(crate) mod linked;
pub(crate) mod probe;
pub(crate) mod process;
pub(crate) mod recorder;
pub(crate) mod refuted;
pub(crate) mod rounds;
pub(crate) mod sanitize;
pub(crate) mod showing;
pub(crate) mod symbolize;
pub(crate) mod test_candidate;
pub(crate) mod together;
pub(crate) mod truth;
pub(crate) mod verdicts;
