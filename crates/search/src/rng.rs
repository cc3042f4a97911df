//! Seeded random numbers: takes a seed, gives a reproducible sequence.
//!
//! Never: the clock, the operating system's entropy. The generator is SplitMix64: one word of state, no dependency
//! whose next version could change the sequence under a user's seed.

/// A reproducible random sequence.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    has_drawn: bool,
}

impl Rng {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed, has_drawn: false }
    }

    /// True if anything was drawn: otherwise the seed made no difference.
    pub fn has_drawn(&self) -> bool {
        self.has_drawn
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.has_drawn = true;
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0. Multiplying instead of taking the remainder keeps small bounds
    /// free of the low bits' bias.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn same_seed_same_sequence_and_other_seed_another() {
        let draw = |seed| {
            let mut rng = Rng::new(seed);
            (0..8).map(|_| rng.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn every_value_below_the_bound_is_drawn() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 5];
        (0..5000).for_each(|_| seen[rng.below(5)] += 1);
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
    }
}
