//! Starts programs that nobody trusts: what they may write, read, reach and start is fixed before their first instruction.
//!
//! Takes a program, what it needs and what the user allows; gives the running process and what is in force. Never: what
//! the program is for, or what its attempts mean.

mod keeper;

pub use keeper::{Ended, Keeping, Split, end_by, split};
