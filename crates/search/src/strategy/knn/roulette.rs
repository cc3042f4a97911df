//! A roulette wheel: draws a slot with a probability in proportion to its weight.
//!
//! Weights change and slots are added in logarithmic time (a Fenwick tree of sums).

use crate::rng::Rng;

/// Slots with weights.
#[derive(Default)]
pub(super) struct Roulette {
    weights: Vec<u64>,
    /// Place i, counted from 1, holds the sum of the last `i & -i` weights up to it.
    sums: Vec<u64>,
    total: u64,
}

impl Roulette {
    pub(super) fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Sets the weight of a slot; slots below it that were never set weigh nothing.
    pub(super) fn set(&mut self, slot: usize, weight: u64) {
        while self.weights.len() <= slot {
            self.weights.push(0);
            let place = self.weights.len();
            let steps = std::iter::successors(Some(1), |step| Some(2 * step));
            let parts =
                steps.take_while(|&step| step < lowest_bit(place)).map(|step| self.sums[place - step - 1]);
            self.sums.push(parts.sum());
        }
        let old = std::mem::replace(&mut self.weights[slot], weight);
        self.total = self.total - old + weight;
        let mut place = slot + 1;
        while place <= self.sums.len() {
            self.sums[place - 1] = self.sums[place - 1] - old + weight;
            place += lowest_bit(place);
        }
    }

    /// A slot at random; there must be one that weighs something.
    pub(super) fn draw(&self, rng: &mut Rng) -> usize {
        let mut left = rng.below(self.total as usize) as u64;
        let mut place = 0;
        let mut step = self.sums.len().next_power_of_two();
        while step > 0 {
            if let Some(&sum) = self.sums.get(place + step - 1)
                && sum <= left
            {
                left -= sum;
                place += step;
            }
            step /= 2;
        }
        place
    }
}

fn lowest_bit(number: usize) -> usize {
    number & number.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_drawn_in_proportion_to_their_weights() {
        let mut wheel = Roulette::default();
        for (slot, weight) in [(0, 5), (1, 7), (2, 2), (5, 4), (1, 0)] {
            wheel.set(slot, weight);
        }
        let mut rng = Rng::new(1);
        let mut drawn = [0; 6];
        (0..11_000).for_each(|_| drawn[wheel.draw(&mut rng)] += 1);
        assert_eq!([drawn[1], drawn[3], drawn[4]], [0; 3]);
        for (slot, share) in [(0, 5000), (2, 2000), (5, 4000)] {
            assert!((share - 300..share + 300).contains(&drawn[slot]), "{drawn:?}");
        }
        [0, 2, 5].into_iter().for_each(|slot| wheel.set(slot, 0));
        assert!(wheel.is_empty());
    }
}
