//! Inputs of one program handed over to its plain program.
//!
//! Takes an input and the layouts of both executables; gives the bytes of its objects for the plain program. The two have their
//! functions and variables at different addresses, and pointers of an input may hold these: they are translated by name,
//! and what a variable holds by itself is what it holds there. Never: running anything.

use std::rc::Rc;

use tarka_instrument::{Build, PlainBuild};

use crate::shape::{InputBytes, ObjectShape};

/// How inputs of one unit are handed over.
pub struct PlainInputs<'a> {
    /// Address in the target, size, address in the plain program.
    moved: Vec<(u64, u64, u64)>,
    /// Globals that do not begin with the same bytes: arena offset, the target's and the plain program's.
    begin: Vec<(u32, &'a [u8], &'a [u8])>,
}

impl<'a> PlainInputs<'a> {
    /// From a program to its plain program, for one of the units.
    pub fn new(build: &'a Build, plain: &'a PlainBuild, unit: usize) -> PlainInputs<'a> {
        let both = build.addresses.iter().zip(&plain.addresses);
        let moved = both.map(|(from, to)| (from.address, from.size, to.address)).collect();
        let roots = build.units[unit].roots.iter().zip(&plain.units[unit].roots);
        let differ = roots.filter(|(ours, theirs)| ours.initial != theirs.initial);
        let begin = differ.map(|(ours, theirs)| (ours.offset, &ours.initial[..], &theirs.initial[..]));
        PlainInputs { moved, begin: begin.collect() }
    }

    /// The bytes of an input's objects for the plain program.
    pub fn bytes(&self, objects: &[Rc<ObjectShape>], input: &InputBytes) -> Vec<Vec<u8>> {
        objects.iter().map(|object| self.object(object, input)).collect()
    }

    fn object(&self, object: &ObjectShape, input: &InputBytes) -> Vec<u8> {
        let mut bytes = object.bytes(input);
        for slot in object.slots() {
            let at = (slot - object.offset) as usize;
            let Some(word) = bytes.get_mut(at..at + 8) else { continue };
            if let Some(address) = self.translated(input.word(slot)) {
                word.copy_from_slice(&address.to_le_bytes());
            }
        }
        let begin = self.begin.iter().find(|(offset, ..)| *offset == object.offset && object.root.is_some());
        if let Some((offset, ours, theirs)) = begin {
            keep_initial(&mut bytes, &input.within(*offset, ours.len() as u32), ours, theirs);
        }
        bytes
    }

    /// One past the end of a variable still belongs to it.
    fn translated(&self, address: u64) -> Option<u64> {
        let within = |&&(from, size, _): &&(u64, u64, u64)| address >= from && address - from <= size;
        let inside = |&&(from, size, _): &&(u64, u64, u64)| address >= from && address - from < size.max(1);
        let found = self.moved.iter().find(inside).or_else(|| self.moved.iter().find(within));
        found.map(|(from, _, to)| to + (address - from))
    }
}

/// Words that have the value they begin with get the one they begin with in the plain program.
fn keep_initial(bytes: &mut [u8], given: &[u8], ours: &[u8], theirs: &[u8]) {
    for at in (0..ours.len()).step_by(8) {
        let word = at..(at + 8).min(ours.len()).min(bytes.len()).min(theirs.len());
        if word.start < word.end && given[word.clone()] == ours[word.clone()] {
            bytes[word.clone()].copy_from_slice(&theirs[word]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_things_with_a_name_are_translated_up_to_one_past_their_end() {
        // Two variables side by side, and a function.
        let moved = vec![(0x1000, 8, 0x9000), (0x1008, 8, 0x7000), (0x400, 0, 0x500)];
        let handed = PlainInputs { moved, begin: Vec::new() };
        let translated =
            [0x1000, 0x1007, 0x1008, 0x1010, 0x400, 0x1011, 0x401].map(|at| handed.translated(at));
        let expected = [Some(0x9000), Some(0x9007), Some(0x7000), Some(0x7008), Some(0x500), None, None];
        assert_eq!(translated, expected);
    }

    #[test]
    fn words_that_were_not_changed_are_the_plain_programs_own() {
        let (ours, theirs) = ([1u8; 20], [2u8; 20]);
        let mut given = ours;
        given[9] = 7;
        let mut bytes = given;
        keep_initial(&mut bytes, &given, &ours, &theirs);
        assert_eq!(bytes[..8], [2; 8]);
        assert_eq!(bytes[8..16], given[8..16]);
        assert_eq!(bytes[16..], [2; 4]);
    }
}
