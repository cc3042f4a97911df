//! What the user asks for and says, checked.
//!
//! `args` is what was typed, `plan` and `compare_plan` what it means; `fault_kinds`, `preconditions` and `confine` read
//! what is said of faults, of functions and of what the code may do. Gives plans that are ready to use, or the first thing that is wrong with the
//! request. Never: runs a search.

pub mod args;
pub mod compare_plan;
pub mod confine;
pub mod fault_kinds;
pub mod plan;
pub mod preconditions;
