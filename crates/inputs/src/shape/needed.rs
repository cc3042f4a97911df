//! Pointers that runs died of because they were null: later inputs have something there, unless their path says null.
//!
//! Takes each such pointer, named by the way to it from a root; gives inputs in which those that nobody asked about lead to
//! what is their own. Never: which pointers those are (see `unit`), pointers that share an object with others.

use std::collections::BTreeSet;

use super::{InputBytes, Shape, SlotPath};

/// Most pointers that are kept in mind: each is looked at for every input.
const MOST_NEEDED: usize = 128;

/// The pointers that should not be null, as far as runs have shown. The way to a pointer comes before the ways through it.
#[derive(Default)]
pub struct Needed {
    paths: BTreeSet<SlotPath>,
}

impl Needed {
    /// A run died because the pointer at the end of this way was null.
    pub fn note(&mut self, path: SlotPath) {
        if self.paths.len() < MOST_NEEDED {
            self.paths.insert(path);
        }
    }

    /// True if no run has died of a null pointer.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

impl Shape<'_> {
    /// The input with something behind needed pointers that are null and free to be anything. A function is a stub if there
    /// is one: what it answers is an input again.
    pub fn with_needed(
        &self,
        needed: &Needed,
        input: InputBytes,
        is_free: impl Fn(u32) -> bool,
    ) -> InputBytes {
        needed.paths.iter().fold(input, |input, path| {
            let Some(slot) = self.slot_through(path, &input) else { return input };
            if input.word(slot.at) != 0 || !is_free(slot.at) || self.is_in_range(slot.at) {
                return input;
            }
            // Stubs come last.
            let address = self.own_addresses(&slot).last().copied();
            address.map_or(input.clone(), |address| input.with_word(slot.at, address))
        })
    }
}
