//! The bytes of one input, by arena offset: what differs from the bytes that inputs have by default.
//!
//! Takes a default image that all inputs of a unit share (globals keep their initial values) and changes to it; gives
//! any byte or word. Never knows what a byte means.

use std::sync::Arc;

use tarka_terms::Assignment;

/// The bytes of an input. Every byte that was never set has its default, which is 0 beyond the shared image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputBytes {
    /// The bytes that differ from their default, sorted by offset.
    explicit: Vec<(u32, u8)>,
    default: Arc<Vec<u8>>,
}

impl InputBytes {
    /// The input in which every byte has its default.
    pub fn over(default: Arc<Vec<u8>>) -> InputBytes {
        InputBytes { explicit: Vec::new(), default }
    }

    /// Bytes of memory that are its own.
    pub fn bytes_kept(&self) -> usize {
        size_of_val(&*self.explicit)
    }

    /// This input with some bytes changed.
    pub fn with(&self, changes: &[(u32, u8)]) -> InputBytes {
        let mut changes = changes.to_vec();
        changes.sort_by_key(|&(offset, _)| offset);
        let mut explicit = Vec::with_capacity(self.explicit.len() + changes.len());
        let mut old = self.explicit.iter().copied().peekable();
        for change in changes {
            explicit.extend(std::iter::from_fn(|| old.next_if(|&(offset, _)| offset < change.0)));
            old.next_if(|&(offset, _)| offset == change.0);
            explicit.pop_if(|last| last.0 == change.0);
            explicit.extend((change.1 != self.default_byte(change.0)).then_some(change));
        }
        explicit.extend(old);
        InputBytes { explicit, default: self.default.clone() }
    }

    /// This input with a little-endian word changed.
    pub fn with_word(&self, start: u32, word: u64) -> InputBytes {
        let bytes: Vec<(u32, u8)> = (start..).zip(word.to_le_bytes()).collect();
        self.with(&bytes)
    }

    /// The bytes at `start .. start + len` that differ from their default, with their arena offsets.
    pub fn changed_within(&self, start: u32, len: u32) -> &[(u32, u8)] {
        let from = self.explicit.partition_point(|&(offset, _)| offset < start);
        let to = self.explicit.partition_point(|&(offset, _)| offset < start.saturating_add(len));
        &self.explicit[from..to]
    }

    /// The bytes at `start .. start + len`.
    pub fn within(&self, start: u32, len: u32) -> Vec<u8> {
        let mut bytes = vec![0; len as usize];
        self.fill(start, &mut bytes);
        bytes
    }

    /// The little-endian word at an offset.
    pub fn word(&self, start: u32) -> u64 {
        let mut bytes = [0; 8];
        self.fill(start, &mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// The word that an offset has by default.
    pub fn default_word(&self, start: u32) -> u64 {
        (0..8).fold(0, |word, byte| word | u64::from(self.default_byte(start + byte)) << (8 * byte))
    }

    /// The byte that an offset has by default.
    pub fn default_byte(&self, offset: u32) -> u8 {
        self.default.get(offset as usize).copied().unwrap_or(0)
    }

    /// Only the changes for which `keep` holds; the other bytes get their default back.
    pub fn filtered(&self, mut keep: impl FnMut(u32) -> bool) -> InputBytes {
        let explicit = self.explicit.iter().copied().filter(|&(offset, _)| keep(offset)).collect();
        InputBytes { explicit, default: self.default.clone() }
    }

    fn fill(&self, start: u32, bytes: &mut [u8]) {
        let known = self.default.get(start as usize..).unwrap_or_default();
        let from_default = known.len().min(bytes.len());
        bytes[..from_default].copy_from_slice(&known[..from_default]);
        for &(offset, byte) in self.changed_within(start, bytes.len() as u32) {
            bytes[(offset - start) as usize] = byte;
        }
    }
}

impl Assignment for InputBytes {
    fn byte(&self, offset: u32) -> u8 {
        match self.explicit.binary_search_by_key(&offset, |&(offset, _)| offset) {
            Ok(index) => self.explicit[index].1,
            Err(_) => self.default_byte(offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros() -> InputBytes {
        InputBytes::default()
    }

    #[test]
    fn changes_overwrite_add_and_clear_bytes() {
        let input = zeros().with(&[(9, 1), (2, 7)]);
        let next = input.with(&[(2, 0), (4, 5), (9, 3)]);
        assert_eq!(next.changed_within(0, 100), [(4, 5), (9, 3)]);
        assert_eq!((next.byte(2), next.byte(4), next.byte(9)), (0, 5, 3));
    }

    #[test]
    fn the_last_change_of_a_byte_counts() {
        assert_eq!(zeros().with(&[(3, 1), (3, 2)]), zeros().with(&[(3, 2)]));
        assert_eq!(zeros().with(&[(3, 1), (3, 0)]), zeros());
    }

    #[test]
    fn a_word_is_little_endian() {
        let input = zeros().with(&[(8, 0x34), (9, 0x12), (16, 0xff)]);
        assert_eq!(input.word(8), 0x1234);
        assert_eq!(zeros().with_word(8, 0x1234), input.filtered(|offset| offset < 16));
    }

    #[test]
    fn bytes_start_from_the_default_and_go_back_to_it() {
        let input = InputBytes::over(Arc::new(vec![1, 2, 3, 4]));
        assert_eq!(input.within(2, 4), [3, 4, 0, 0]);
        assert_eq!(input.word(0), 0x0403_0201);
        let changed = input.with(&[(1, 0), (2, 3), (9, 9)]);
        assert_eq!(changed.within(0, 4), [1, 0, 3, 4]);
        assert_eq!(changed.changed_within(0, 100), [(1, 0), (9, 9)]);
        assert_eq!(changed.with(&[(1, 2), (9, 0)]), input);
        assert_eq!(changed.filtered(|_| false), input);
        assert_eq!((changed.default_byte(1), changed.default_word(0)), (2, 0x0403_0201));
    }
}
