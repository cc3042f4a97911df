//! One input of a unit: typed objects with their bytes before and after the run.

use tarka_source::{StubPart, TypeId};

/// Everything a run was given, and what it left behind.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Input {
    /// Roots first (parameters in order, call by call; globals; what stubs hand out), then pointees in order of their
    /// address. A stub's value is only here if the stub was called that often.
    pub objects: Vec<InputObject>,
    /// How often the unit was called in a row; 0 counts as once. Parameters alone do not tell: there may be none.
    pub calls: u32,
    /// A stub was called more often than it has values here, and went on by itself.
    pub stubs_go_on: bool,
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
    /// For a global: the bytes it has by itself, which a test need not set. Empty for everything else (zeros).
    pub initial: Vec<u8>,
    /// Its number of elements is part of the input (tied to a length), so a test must make it exactly that large.
    pub exact: bool,
}

/// What an object is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A parameter. A unit with state of its own is called several times in a row.
    Param {
        /// Which call, from 0.
        call: u32,
        /// Position.
        position: u32,
    },
    /// A global variable by name.
    Global(String),
    /// A value handed out by a stub.
    Stub {
        /// Index in [`crate::UnitResult::stubs`].
        stub: u32,
        /// Which call of the stub, from 0.
        call: u32,
        /// Which value of the call.
        part: StubPart,
    },
    /// Pointed to by the pointer at `offset` of object `object` (index in `Input::objects`).
    Pointee {
        /// The object that holds the pointer.
        object: u32,
        /// Byte offset of the pointer in it.
        offset: u64,
    },
}

/// Something with a name at a fixed address of the target: what a pointer of an input may hold beside input objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAddress {
    /// The address.
    pub address: u64,
    /// Size of the object, 0 for a function.
    pub size: u64,
    /// What it is.
    pub what: Named,
}

/// What a fixed address belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A function of the sources.
    Function(String),
    /// A stub, by index in [`crate::UnitResult::stubs`].
    Stub(u32),
    /// A global variable.
    Global(String),
}
