//! One run as the search reads it: the path log and the label table, in place in the shared memory.
//!
//! Takes what a run left; gives it without a copy. Never: terms.

use tarka_terms::Assignment;
use tarka_trace::{Node, ShadowEntry, TraceEvent};

/// What a run left in the shared memory.
#[derive(Clone, Copy)]
pub struct RunTrace<'a> {
    /// The path.
    pub events: &'a [TraceEvent],
    /// The label table.
    pub nodes: &'a [Node],
    /// Snapshots that `Read` nodes refer to, by number.
    pub tables: &'a [Snapshot<'a>],
    /// The input it was given.
    pub input: &'a dyn Assignment,
}

/// A snapshot of an object that was read at a symbolic address.
#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    /// Address of its first byte.
    pub base: u64,
    /// Its concrete bytes.
    pub bytes: &'a [u8],
    /// The shadow entry of each byte, as many as there are bytes; 0 where it was concrete.
    pub shadow: &'a [ShadowEntry],
}
