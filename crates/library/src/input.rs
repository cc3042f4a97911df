//! The kinds of answers that `--env` makes inputs.
//!
//! Takes a name that a user types; gives the kind. Never: which functions belong to it (see the table).

use serde::{Deserialize, Serialize};

/// Which answers of the library are inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LibraryInput {
    /// The clock.
    Time,
    /// Random numbers.
    Rand,
    /// Environment variables: null or a string.
    Getenv,
    /// Allocation: works as always, or fails.
    Alloc,
    /// What is read from files and sockets: how much arrives, and what.
    Read,
}

impl LibraryInput {
    /// All of them.
    pub const ALL: [LibraryInput; 5] = [Self::Time, Self::Rand, Self::Getenv, Self::Alloc, Self::Read];

    /// What the user calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Rand => "rand",
            Self::Getenv => "getenv",
            Self::Alloc => "alloc",
            Self::Read => "read",
        }
    }

    /// The one with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|input| input.name() == name)
    }
}
