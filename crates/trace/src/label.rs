//! Labels: what a symbolic value is called inside the target.
//!
//! Label 0 means "concrete". Labels `1 ..= ARENA_SIZE` are the input bytes themselves (arena offset + 1), so an input
//! byte needs no node. Every later label is a node of the shared node table.

use crate::layout::ARENA_SIZE;

/// The name of a symbolic value; 0 is "concrete". At most 28 bits are used.
pub type Label = u32;

/// One entry of the shadow memory: `label << 4 | byte index within that label's value` (little endian), 0 if concrete.
pub type ShadowEntry = u32;

/// The label of the input byte at this arena offset.
pub const fn input_label(arena_offset: u32) -> Label {
    arena_offset + 1
}

/// The arena offset of an input byte's label, or `None` for concrete values and nodes.
pub const fn input_offset(label: Label) -> Option<u32> {
    if label == 0 || label as u64 > ARENA_SIZE { None } else { Some(label - 1) }
}

/// The label of the node at this index of the node table.
pub const fn node_label(index: u32) -> Label {
    index + 1 + ARENA_SIZE as u32
}

/// The index in the node table of a label, or `None` for concrete values and input bytes.
pub const fn node_index(label: Label) -> Option<u32> {
    if label as u64 <= ARENA_SIZE { None } else { Some(label - 1 - ARENA_SIZE as u32) }
}
