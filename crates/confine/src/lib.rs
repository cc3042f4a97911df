//! Starts programs that nobody trusts: what they may write, read, reach and start is fixed before their first instruction.
//!
//! Takes a program, what it needs and what the user allows; gives the running process and what is in force. Never: what
//! the program is for, or what its attempts mean.

mod allow;
mod child;
mod clone;
mod filter;
mod group;
mod keeper;
mod lock;
mod means;
mod places;
mod scratch;
mod spawn;

pub use allow::Allow;
pub use keeper::{Ended, Keeping, Split, end_by, split};
pub use lock::{Lock, lock};
pub use means::{Means, Namespaces};
pub use scratch::ScratchFolder;
pub use spawn::{Launch, Process, Watch};

/// How what is refused shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// As an error of the call.
    Refused,
    /// As a signal (SIGSYS), for a runtime that takes note of it and answers the call.
    Watched,
}
