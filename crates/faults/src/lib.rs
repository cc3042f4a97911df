//! Faults: what went wrong in a run, what class of fault it is, and who is to blame.
//!
//! Takes runs with how they ended; gives the distinct faults of a unit, each with its class, the way there and what would
//! keep it from happening, and one report for each root cause of a file.
//!
//! `ending` says how a run ended, `stacks` and `loops` where, `fault_list` keeps each fault once, `explain` completes it with the way
//! there (`history`) and its class (`classes`), `rank` puts the worst first, `causes` settles the faults of a file.
//!
//! Never: running anything, whether a fault shows on the plain program, what is covered.

mod causes;
mod classes;
mod ending;
mod explain;
mod fault_list;
mod history;
mod loops;
mod rank;
mod stacks;

pub use causes::settle;
pub use ending::{believed, end_of, ended, ends_well, failed_sites, is_slow, recorded};
pub use explain::Explaining;
pub use fault_list::{Ended, Entered, FaultList, Moment, Stack};
pub use stacks::Stacks;
