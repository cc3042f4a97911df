//! Flags: from what a build tells its compiler to what clang is told here.
//!
//! Takes the arguments of a command; gives the flags that still mean something for tests on this machine, and what is left out with
//! the reason. Never: other questions to clang than whether it takes a flag.

mod asked;
mod outputs;
mod parts;
mod reason;

pub use asked::Judge;
pub use outputs::without_outputs;
pub use parts::{Part, parts};
pub use reason::{LeftOut, Reason};
