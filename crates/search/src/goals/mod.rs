//! Goals: what is covered, by which run, and what an evaluation must be like to cover more.
//!
//! `coverage` keeps the goals of a unit, `decisions` and `vector` what is known of decisions with several conditions,
//! `construct` asks for the evaluation that completes a pair, and `explored` keeps which branches any run has taken. Never:
//! faults.

pub(crate) mod construct;
pub(crate) mod coverage;
pub(crate) mod decisions;
pub(crate) mod explored;
pub(crate) mod vector;
