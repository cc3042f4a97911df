//! Paths: what runs decided, and the ways they did not go.
//!
//! `tree` keeps every path once, `absorb` enters a run into it, `candidate` is a way not taken and `constraint` what an outcome
//! says about the input; `path` reads one run alone, `evaluating` follows its decisions, and `branch_distance` says how near it
//! came to another way; `sketch` is the part near the root, to be shown. Never: which way is worth a try.

pub(crate) mod absorb;
pub(crate) mod branch_distance;
pub(crate) mod candidate;
pub(crate) mod constraint;
pub(crate) mod evaluating;
pub(crate) mod path;
pub(crate) mod sketch;
pub(crate) mod tree;
