//! Stubs: functions that a test defines because the sources do not, or because their answers shall be inputs.
//!
//! Takes declarations of the model; gives plain data on what a stub returns, fills and sets. The instrumenter builds
//! stubs from it, and the suite writes them into tests, so both agree on every value.
//! Never: C text, arena addresses.

use crate::{Param, TypeId};

/// A function that hands out input values, a fresh one for every call.
#[derive(Clone, Debug)]
pub struct Stub {
    /// What it is called in C: the function's own name, or a made-up one (`stub_compare`) behind a function pointer.
    pub name: String,
    /// Why there is one.
    pub kind: StubKind,
    /// Its type, a [`crate::TypeKind::Function`].
    pub ty: TypeId,
    /// Result type.
    pub result: TypeId,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Takes `...`.
    pub is_variadic: bool,
    /// Never returns: ends the test.
    pub is_noreturn: bool,
    /// Objects it fills through its parameters.
    pub outs: Vec<StubOut>,
    /// It may set `errno`.
    pub sets_errno: bool,
}

/// Why there is a stub.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StubKind {
    /// The sources use a function that nobody defines.
    Undefined,
    /// Something for a function pointer to point to.
    Pointer,
    /// A library function whose answers the user wants as inputs (`--env`).
    Library(LibraryInput),
}

/// Which answers of the library are inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum LibraryInput {
    /// `time`, `clock`: any value.
    Time,
    /// `rand`, `random`: any value that the function may give.
    Rand,
    /// `getenv`: null or a string.
    Getenv,
    /// `malloc`, `calloc`, `realloc`, `strdup` …: the value is 0 (works as always) or 1 (fails).
    Alloc,
    /// `read`, `recv`, `fread`, `fgets`, `fgetc`, `getchar` …: how much arrives, and what.
    Read,
}

/// An object that a stub fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StubOut {
    /// Position of the pointer parameter.
    pub position: u32,
    /// Type of an element.
    pub ty: TypeId,
    /// Most elements that are filled.
    pub count: u64,
    /// Position of the parameter that says how many there is room for.
    pub length: Option<u32>,
}

/// Which value of a stub's call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum StubPart {
    /// What it returns.
    Result,
    /// What it writes through the parameter at this position.
    Out(u32),
    /// `errno` (an `int`); 0 leaves it alone.
    Errno,
}
