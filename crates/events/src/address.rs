//! What has a name at a fixed address of the target.

use serde::{Deserialize, Serialize};

/// Something with a name at a fixed address of the target: what a pointer of an input may hold beside input objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedAddress {
    /// The address.
    pub address: u64,
    /// Size of the object, 0 for a function.
    pub size: u64,
    /// What it is.
    pub what: Named,
}

/// What a fixed address belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Named {
    /// A function of the sources.
    Function(String),
    /// A stub, by index in [`crate::UnitResult::stubs`].
    Stub(u32),
    /// A global variable.
    Global(String),
}
