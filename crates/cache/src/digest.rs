//! Digests of content: what is the same has the same one, in this process and in every other.
//!
//! Takes bytes, gives 32 of them. Never: what the bytes mean.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A digest of something's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these parts, each with its length, so that no two lists of parts are alike.
    pub fn of<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> Digest {
        let mut hasher = Sha256::new();
        for part in parts {
            let part = part.as_ref();
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Digest(hasher.finalize().into())
    }

    /// Its bytes.
    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// As the name of a file.
    pub(crate) fn name(&self) -> String {
        self.0.iter().fold(String::new(), |mut name, byte| {
            // Writing to a string does not fail.
            let _ = write!(name, "{byte:02x}");
            name
        })
    }
}
