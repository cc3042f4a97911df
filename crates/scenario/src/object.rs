//! One object of a scenario: what it is for, its type, its bytes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One object that a program is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// What it is for.
    pub role: Role,
    /// Type of one element.
    pub ty: TypeKey,
    /// Number of elements (1 for roots).
    pub count: u64,
    /// Its address in the target, as pointers in other objects hold it.
    pub address: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// For a global: the bytes it has by itself, which a test need not set. Empty for everything else (zeros).
    pub initial: Vec<u8>,
    /// Its number of elements is part of the input (tied to a length), so a test must make it exactly that large.
    pub exact: bool,
}

impl Object {
    /// One element at no address.
    pub fn new(role: Role, ty: TypeKey, bytes: Vec<u8>) -> Object {
        Object { role, ty, count: 1, address: 0, bytes, initial: Vec::new(), exact: false }
    }
}

/// What an object is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// An argument of a step.
    Argument {
        /// Which step, from 0.
        step: u32,
        /// Position among its parameters.
        position: u32,
    },
    /// A global variable by name.
    Global(String),
    /// A value that a stub hands out.
    Stub {
        /// Index in the stubs of the unit.
        stub: u32,
        /// Which call of the stub, from 0.
        call: u32,
        /// Which value of the call.
        part: StubPart,
    },
    /// Pointed to by the pointer at `offset` of object `object` (index in the scenario's objects).
    Pointee {
        /// The object that holds the pointer.
        object: u32,
        /// Byte offset of the pointer in it.
        offset: u64,
    },
}

/// Which value of a stub's call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StubPart {
    /// What it returns.
    Result,
    /// What it writes through the parameter at this position.
    Out(u32),
    /// `errno` (an `int`); 0 leaves it alone.
    Errno,
}

/// Names a type of a translation unit: the same text, analysed again, has the same types under the same keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeKey(Arc<str>);

impl TypeKey {
    /// The key with this text.
    pub fn new(text: &str) -> TypeKey {
        TypeKey(text.into())
    }
}

impl std::fmt::Display for TypeKey {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
