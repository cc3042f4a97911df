//! Fingerprints: a name for a fault that stays the same while the code around it changes.
//!
//! Made of the kind, the name of the file without its folders, the function, and the text of the line with white space
//! squeezed: what makes a root cause. Faults that are equal in all of this are numbered in the order of their places. Not
//! made of line numbers, folders, inputs, messages, callers, the class or the search: lines added above, another machine
//! and another seed change nothing; an edit of the line itself gives another fault.
//!
//! Takes the units of a report; fills in the fingerprints of their faults. Never: the clock, randomness.

use std::collections::BTreeMap;

use crate::fault::Fault;
use crate::json::Unit;
use crate::sources::Sources;

/// Names the recipe above, where fingerprints of several recipes may meet: another recipe gets another number.
pub(crate) const RECIPE: &str = "tarkaFault/v2";

/// Gives every fault its fingerprint.
pub(crate) fn fill(units: &mut [Unit], sources: &Sources) {
    let mut alike: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (unit_index, unit) in units.iter().enumerate() {
        for (index, fault) in unit.faults.iter().enumerate() {
            alike.entry(key(fault, sources)).or_default().push((unit_index, index));
        }
    }
    for (key, mut faults) in alike {
        faults.sort_by_key(|&(unit, index)| place_key(&units[unit].faults[index]));
        for (ordinal, (unit, index)) in faults.into_iter().enumerate() {
            let text = format!("{key}\0{ordinal}");
            units[unit].faults[index].fingerprint = format!("{:032x}", fnv1a(text.as_bytes()));
        }
    }
}

/// Everything but the number among equals. No part of it can hold a NUL, so that no two lists of parts read the same.
fn key(fault: &Fault, sources: &Sources) -> String {
    let line = sources.line(&fault.file, fault.line).unwrap_or("").replace('\0', " ");
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    [&fault.kind, file_name(&fault.file), &fault.function, &line].join("\0")
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What puts equal faults in order.
fn place_key(fault: &Fault) -> (String, u32, u32) {
    (fault.file.clone(), fault.line, fault.column)
}

/// FNV-1a with 128 bits: short, the same everywhere, and no one gains anything by a collision.
fn fnv1a(bytes: &[u8]) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(START, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(fnv1a(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
        assert_eq!(fnv1a(b"foobar"), 0x343e1662793c64bf6f0d3597ba446f18);
    }
}
