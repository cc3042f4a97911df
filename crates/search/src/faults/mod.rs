//! Faults: the checks on the way of runs, and where to look for more.
//!
//! `checks` and `fault_queue` make and order candidates that let a check fail, `close_by` keeps them just beyond a bound;
//! `fault_goals`, `unexplored` and `deeper` are where to go once the goals are covered; `violation` says what a failed check
//! tells about its run. Never: what class of fault it is.

pub(crate) mod checks;
pub(crate) mod close_by;
pub(crate) mod deeper;
pub(crate) mod fault_goals;
pub(crate) mod fault_queue;
pub(crate) mod unexplored;
pub(crate) mod violation;
