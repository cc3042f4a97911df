//! One input of a unit: typed objects with their bytes before and after the run.

use tarka_source::TypeId;

/// Everything a run was given, and what it left behind.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Input {
    /// Roots first (one per parameter, in order), then pointees in order of their address.
    pub objects: Vec<InputObject>,
}

/// One object of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputObject {
    /// What it is for.
    pub role: Role,
    /// Type of one element.
    pub ty: TypeId,
    /// Number of elements (1 for roots).
    pub count: u64,
    /// Its address in the target, as pointers in other objects hold it.
    pub address: u64,
    /// Bytes given to the unit.
    pub before: Vec<u8>,
    /// Bytes the unit left.
    pub after: Vec<u8>,
    /// How many leading bytes the unit touched, at most (reads and writes).
    pub touched: u64,
    /// The unit freed it, so a test must allocate it.
    pub freed: bool,
}

/// What an object is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Parameter by position.
    Param(u32),
    /// A global variable by name.
    Global(String),
    /// Pointed to by the pointer at `offset` of object `object` (index in `Input::objects`).
    Pointee {
        /// The object that holds the pointer.
        object: u32,
        /// Byte offset of the pointer in it.
        offset: u64,
    },
}
