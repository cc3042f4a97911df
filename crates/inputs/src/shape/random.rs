//! Inputs with random values, for the self-check.

use tarka_scenario::Role;
use tarka_search::Rng;

use super::element::ByteKind;
use super::{InputBytes, ObjectShape, Shape};

impl Shape<'_> {
    /// An input with random values; each pointer is null or leads to its own object or to a function. Globals keep their
    /// initial values, and stubs hand out zeros.
    pub fn random(&self, rng: &mut Rng) -> InputBytes {
        let mut input = self.default_input();
        let mut filled = 0;
        loop {
            let objects = self.objects(&input);
            let not_yet = objects.iter().filter(|object| object.offset >= filled);
            let Some(object) = not_yet.min_by_key(|object| object.offset) else {
                return input;
            };
            filled = object.offset + object.size.max(1);
            if !matches!(object.root, Some(Role::Global(_) | Role::Stub { .. })) {
                input = input.with(&self.random_object(object, rng));
            }
        }
    }

    fn random_object(&self, object: &ObjectShape, rng: &mut Rng) -> Vec<(u32, u8)> {
        let mut bytes = Vec::new();
        // Small numbers as often as large ones: most comparisons are with small ones.
        let small = rng.below(2) == 0;
        for byte in (object.offset..object.offset + object.size).filter(|&byte| object.is_symbolic(byte)) {
            match object.kind_at(byte) {
                ByteKind::Bool => bytes.push((byte, rng.below(2) as u8)),
                ByteKind::Free if small && rng.below(4) != 0 => {}
                ByteKind::Free => bytes.push((byte, rng.below(256) as u8)),
                ByteKind::Pointer => bytes.extend(self.random_pointer(object, byte, rng)),
                // Most patterns of an x87 number are no number: it stays zero.
                ByteKind::X87 | ByteKind::Fixed => {}
            }
        }
        bytes
    }

    fn random_pointer(&self, object: &ObjectShape, byte: u32, rng: &mut Rng) -> Vec<(u32, u8)> {
        let Some(slot) = self.slot_at(object, byte).filter(|slot| slot.at == byte) else { return Vec::new() };
        let addresses = self.own_addresses(&slot);
        if addresses.is_empty() || (rng.below(3) == 0 && !slot.non_null) {
            return Vec::new();
        }
        let address = addresses[rng.below(addresses.len())];
        (byte..byte + 8).zip(address.to_le_bytes()).collect()
    }
}
