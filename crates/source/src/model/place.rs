//! Places in the user's files.
//!
//! Takes file, line and column; gives them as `file:line:column`. Never: whether there is such a file.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in a file the user knows (never in preprocessed text). Lines and columns start at 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file as the user (or an `#include`) named it.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column in bytes.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
