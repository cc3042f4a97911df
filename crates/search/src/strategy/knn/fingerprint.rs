//! Fingerprints of formulas: a Bloom filter of two levels (paper 4, §4.2).
//!
//! A matrix of 64 columns and 16 rows. A clause without its numbers sets bits of the first row; the clause with its
//! numbers sets bits below, in the same columns. So clauses that differ in a number only share columns.

/// Hash functions per clause.
const HASHES: u32 = 3;
const ROWS: usize = 16;

/// A clause, hashed without and with the numbers in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clause {
    pub(super) shape: u64,
    pub(super) whole: u64,
}

/// A set of clauses; one word is a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Fingerprint([u64; ROWS]);

impl Fingerprint {
    pub(super) fn add(&mut self, clause: Clause) {
        for hash in 0..HASHES {
            let part = |number: u64| (number >> (20 * hash)) as usize & 0xf_ffff;
            let column = part(clause.shape) % 64;
            let row = 1 + part(clause.whole) % (ROWS - 1);
            self.0[0] |= 1 << column;
            self.0[row] |= 1 << column;
        }
    }

    pub(super) fn unite(&mut self, other: &Fingerprint) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }

    /// Number of bits set.
    pub(super) fn size(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// A number for tables: equal fingerprints have equal ones.
    pub(super) fn hash(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |hash: u64, row| (hash.rotate_left(23) ^ row).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Number of bits set in both.
    pub(super) fn common(&self, other: &Fingerprint) -> u32 {
        self.0.iter().zip(other.0).map(|(own, other)| (own & other).count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(clauses: &[(u64, u64)]) -> Fingerprint {
        let mut print = Fingerprint::default();
        let spread = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3;
        clauses.iter().for_each(|&(shape, whole)| {
            print.add(Clause { shape: spread(shape), whole: spread(whole) });
        });
        print
    }

    #[test]
    fn a_clause_sets_at_most_three_bits_on_each_level() {
        assert!((2..=6).contains(&of(&[(1, 2)]).size()));
    }

    #[test]
    fn clauses_that_differ_in_a_number_share_the_first_row() {
        let (one, other, different) = (of(&[(1, 2)]), of(&[(1, 3)]), of(&[(9, 2)]));
        assert_eq!(one.0[0], other.0[0]);
        assert!(one.common(&different) < one.common(&other));
    }
}
