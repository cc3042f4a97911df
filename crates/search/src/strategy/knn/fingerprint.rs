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

/// The bits that a clause sets: for each hash function a column and a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits(u32);

impl Clause {
    pub(super) fn bits(self) -> Bits {
        let bits = (0..HASHES).map(|hash| {
            let part = |number: u64| (number >> (20 * hash)) as u32 & 0xf_ffff;
            let (column, row) = (part(self.shape) % 64, 1 + part(self.whole) % (ROWS as u32 - 1));
            ((column << 4) | row) << (10 * hash)
        });
        Bits(bits.sum())
    }
}

/// A set of clauses; one word is a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Fingerprint([u64; ROWS]);

impl Fingerprint {
    pub(super) fn add(&mut self, Bits(bits): Bits) {
        for hash in 0..HASHES {
            let (column, row) = (bits >> (10 * hash + 4) & 63, bits >> (10 * hash) & 15);
            self.0[0] |= 1 << column;
            self.0[row as usize] |= 1 << column;
        }
    }

    pub(super) fn unite(&mut self, other: &Fingerprint) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }

    /// Appends a form without empty rows.
    pub(super) fn pack(&self, words: &mut Vec<u64>) {
        // The first row is the union of the others.
        let mut filled = (1..ROWS).fold(0, |filled, row| filled | u64::from(self.0[row] != 0) << row);
        words.push(filled);
        while filled != 0 {
            words.push(self.0[filled.trailing_zeros() as usize]);
            filled &= filled - 1;
        }
    }

    /// The fingerprint that was packed at the beginning of these words.
    pub(super) fn unpack(words: &[u64]) -> Fingerprint {
        let mut print = Fingerprint::default();
        let mut filled = words[0];
        for &row in &words[1..=filled.count_ones() as usize] {
            print.0[filled.trailing_zeros() as usize] = row;
            print.0[0] |= row;
            filled &= filled - 1;
        }
        print
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
        // Most rows of most pairs have nothing in common, and counting bits is what costs here.
        let common = self.0.iter().zip(other.0).map(|(own, other)| own & other);
        common.filter(|common| *common != 0).map(u64::count_ones).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(clauses: &[(u64, u64)]) -> Fingerprint {
        let mut print = Fingerprint::default();
        let spread = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3;
        clauses.iter().for_each(|&(shape, whole)| {
            print.add(Clause { shape: spread(shape), whole: spread(whole) }.bits());
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
