//! The bytes of one input, by arena offset.

use tarka_terms::Assignment;

/// The non-zero bytes of an input; every other byte is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputBytes {
    /// Sorted by offset.
    bytes: Vec<(u32, u8)>,
}

impl InputBytes {
    /// All zeros: the first input of every unit.
    pub fn zeros() -> InputBytes {
        InputBytes::default()
    }

    /// This input with some bytes changed.
    pub fn with(&self, changes: &[(u32, u8)]) -> InputBytes {
        let mut changes = changes.to_vec();
        changes.sort_unstable_by_key(|&(offset, _)| offset);
        let mut bytes = Vec::with_capacity(self.bytes.len() + changes.len());
        let mut old = self.bytes.iter().copied().peekable();
        for change in changes {
            bytes.extend(std::iter::from_fn(|| old.next_if(|&(offset, _)| offset < change.0)));
            old.next_if(|&(offset, _)| offset == change.0);
            bytes.extend((change.1 != 0).then_some(change));
        }
        bytes.extend(old);
        InputBytes { bytes }
    }

    /// The non-zero bytes at `start .. start + len`, with their arena offsets.
    pub fn within(&self, start: u32, len: u32) -> &[(u32, u8)] {
        let from = self.bytes.partition_point(|&(offset, _)| offset < start);
        let to = self.bytes.partition_point(|&(offset, _)| offset < start + len);
        &self.bytes[from..to]
    }

    /// The little-endian word at an offset.
    pub fn word(&self, start: u32) -> u64 {
        let bytes = self.within(start, 8).iter();
        bytes.fold(0, |word, &(offset, byte)| word | (byte as u64) << (8 * (offset - start)))
    }

    /// Only the bytes for which `keep` holds.
    pub fn filtered(&self, mut keep: impl FnMut(u32) -> bool) -> InputBytes {
        InputBytes { bytes: self.bytes.iter().copied().filter(|&(offset, _)| keep(offset)).collect() }
    }
}

impl Assignment for InputBytes {
    fn byte(&self, offset: u32) -> u8 {
        match self.bytes.binary_search_by_key(&offset, |&(offset, _)| offset) {
            Ok(index) => self.bytes[index].1,
            Err(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_overwrite_add_and_clear_bytes() {
        let input = InputBytes::zeros().with(&[(9, 1), (2, 7)]);
        let next = input.with(&[(2, 0), (4, 5), (9, 3)]);
        assert_eq!(next.within(0, 100), [(4, 5), (9, 3)]);
        assert_eq!((next.byte(2), next.byte(4), next.byte(9)), (0, 5, 3));
    }

    #[test]
    fn a_word_is_little_endian() {
        let input = InputBytes::zeros().with(&[(8, 0x34), (9, 0x12), (16, 0xff)]);
        assert_eq!(input.word(8), 0x1234);
    }
}
