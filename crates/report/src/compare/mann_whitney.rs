//! The Mann-Whitney U test: may two samples come from the same distribution?
//!
//! Takes two samples, gives U of the first and the two-sided p. Ties share the mean of their ranks. Up to
//! [`EXACT`] values in all, p is counted over all ways to deal the ranks out, ties as they are; beyond, it is taken from
//! the normal distribution with the variance corrected for ties and a correction for continuity.
//! Never: infinite precision where none is needed, one-sided questions.

/// Most values for which p is counted: the number of ways to deal them out, at most C(50, 25), fits an `u64`.
const EXACT: usize = 50;

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the first sample has the greater value, ties counting half.
    pub u: f64,
    /// Probability of samples at least so far apart if they had the same distribution.
    pub p: f64,
}

/// Compares two samples; `None` if one is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let ranks = Ranks::of(first, second);
    let smallest_sum = first.len() * (first.len() + 1);
    let u = (ranks.sum_of_first - smallest_sum) as f64 / 2.0;
    let all = first.len() + second.len();
    let p = if all <= EXACT { ranks.counted() } else { ranks.approximated() };
    Some(MannWhitney { u, p })
}

/// The ranks of all values, twice as large as usual: so a mean of ranks is a whole number, too.
struct Ranks {
    /// In ascending order of the values.
    doubled: Vec<usize>,
    /// How many values are in the first sample.
    first: usize,
    /// The sum over the first sample.
    sum_of_first: usize,
    /// Sizes of groups of equal values.
    ties: Vec<usize>,
}

impl Ranks {
    fn of(first: &[f64], second: &[f64]) -> Ranks {
        let mut values: Vec<(f64, bool)> = first.iter().map(|&value| (value, true)).collect();
        values.extend(second.iter().map(|&value| (value, false)));
        values.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut ranks = Ranks { doubled: Vec::new(), first: first.len(), sum_of_first: 0, ties: Vec::new() };
        for equal in values.chunk_by(|one, other| one.0 == other.0) {
            let before = ranks.doubled.len();
            // Twice the mean of before + 1 ..= before + equal.len().
            let rank = 2 * before + 1 + equal.len();
            ranks.doubled.extend(equal.iter().map(|_| rank));
            ranks.sum_of_first += rank * equal.iter().filter(|(_, is_first)| *is_first).count();
            ranks.ties.push(equal.len());
        }
        ranks
    }

    /// The share of all ways to choose the first sample's ranks whose sum is at least so far from the mean.
    fn counted(&self) -> f64 {
        let largest: usize = self.doubled.iter().sum();
        // ways[k][s]: how many choices of k of the ranks so far have the sum s.
        let mut ways = vec![vec![0_u64; largest + 1]; self.first + 1];
        ways[0][0] = 1;
        for &rank in &self.doubled {
            for chosen in (1..=self.first).rev() {
                let (fewer, more) = ways.split_at_mut(chosen);
                for sum in rank..=largest {
                    more[0][sum] += fewer[chosen - 1][sum - rank];
                }
            }
        }
        // The mean of the sum is first / all * largest; compared times `all`, it is a whole number.
        let all = self.doubled.len();
        let distance = |sum: usize| (sum * all).abs_diff(self.first * largest);
        let observed = distance(self.sum_of_first);
        let ways = &ways[self.first];
        let far: u64 = ways
            .iter()
            .enumerate()
            .filter(|(sum, _)| distance(*sum) >= observed)
            .map(|(_, count)| count)
            .sum();
        far as f64 / ways.iter().sum::<u64>() as f64
    }

    fn approximated(&self) -> f64 {
        let (all, first) = (self.doubled.len() as f64, self.first as f64);
        let second = all - first;
        let tied: f64 = self.ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum();
        let variance = first * second / 12.0 * (all + 1.0 - tied / (all * (all - 1.0)));
        if variance <= 0.0 {
            return 1.0;
        }
        let mean = first * (all + 1.0) / 2.0;
        let distance = ((self.sum_of_first as f64 / 2.0 - mean).abs() - 0.5).max(0.0);
        outside(distance / variance.sqrt())
    }
}

/// Probability that a standard normal value is at least `z` away from 0.
fn outside(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if z < 3.0 {
        // The integral from 0 to z as a series: density * (z + z^3/3 + z^5/(3*5) + …).
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > 1e-17 {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        return 1.0 - 2.0 * density * sum;
    }
    // The tail as a continued fraction: density / (z + 1/(z + 2/(z + 3/…))).
    let fraction = (1..=60).rev().fold(z, |below, step| z + f64::from(step) / below);
    2.0 * density / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(first: &[f64], second: &[f64]) -> f64 {
        mann_whitney(first, second).unwrap().p
    }

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < expected * 1e-6, "{value} is not {expected}");
    }

    #[test]
    fn three_below_three_is_two_of_twenty_ways() {
        let test = mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
        assert_eq!(test.u, 0.0);
        near(test.p, 2.0 / 20.0);
        assert_eq!(mann_whitney(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap().u, 9.0);
    }

    #[test]
    fn sums_of_ranks_counted_by_hand() {
        // Ranks 1 and 4 of five: sum 5, the mean is 6. Of the ten pairs of 1..=5 only {1,5} and {2,4} have the sum 6.
        let test = mann_whitney(&[10.0, 40.0], &[20.0, 30.0, 50.0]).unwrap();
        assert_eq!(test.u, 2.0);
        near(test.p, 8.0 / 10.0);
        // {1,2}: sum 3, at least 3 away are 3 and 9, one pair each.
        near(p(&[10.0, 20.0], &[30.0, 40.0, 50.0]), 2.0 / 10.0);
    }

    #[test]
    fn ties_share_their_ranks() {
        // Values 1 1 2 2, ranks 1.5 1.5 3.5 3.5: of the six pairs, one has the sum 3, one 7 and four the mean 5.
        let apart = mann_whitney(&[1.0, 1.0], &[2.0, 2.0]).unwrap();
        assert_eq!(apart.u, 0.0);
        near(apart.p, 2.0 / 6.0);
        let mixed = mann_whitney(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
        assert_eq!(mixed.u, 2.0);
        near(mixed.p, 1.0);
    }

    #[test]
    fn equal_samples_differ_in_nothing() {
        near(p(&[7.0; 10], &[7.0; 10]), 1.0);
        near(p(&[7.0; 40], &[7.0; 40]), 1.0);
        near(p(&[7.0], &[8.0]), 1.0);
        assert_eq!(mann_whitney(&[], &[1.0]), None);
    }

    #[test]
    fn ten_below_ten_is_two_of_all_ways() {
        let (low, high): (Vec<f64>, Vec<f64>) =
            ((0..10).map(f64::from).collect(), (10..20).map(f64::from).collect());
        near(p(&low, &high), 2.0 / 184_756.0);
    }

    #[test]
    fn what_was_never_reached_is_greater_than_everything() {
        // Ranks 1, 2 and four times 4.5: the sum 7.5 is 3 below the mean. As far are the 4 choices with both small ranks
        // and the 4 with none of them.
        near(p(&[1.0, 2.0, f64::INFINITY], &[f64::INFINITY; 3]), 8.0 / 20.0);
    }

    #[test]
    fn the_normal_distribution_is_the_one_in_tables() {
        near(outside(0.0), 1.0);
        near(outside(1.0), 0.317_310_507_863);
        near(outside(1.959_963_984_540), 0.05);
        near(outside(2.999_999_999), 0.002_699_796_072);
        near(outside(3.0), 0.002_699_796_063);
        near(outside(5.0), 5.733_031_437_58e-7);
    }

    #[test]
    fn large_samples_by_hand() {
        // 30 below 30: U 0, mean 450, variance 30 * 30 * 61 / 12 = 4575; z = 449.5 / 67.6387 = 6.64561.
        let (low, high): (Vec<f64>, Vec<f64>) =
            ((0..30).map(f64::from).collect(), (30..60).map(f64::from).collect());
        near(p(&low, &high), 3.019_859_359e-11);
        // The same with two values only: ties of 30 and 30 take 2 * 26970 / (60 * 59) = 15.2373 off the 61.
        // z = 449.5 / sqrt(75 * 45.7627) = 7.67264.
        near(p(&[0.0; 30], &[1.0; 30]), 1.685_298_195e-14);
    }

    #[test]
    fn the_approximation_is_near_what_is_counted() {
        let first: Vec<f64> = (0..25).map(|value| f64::from(value * 7 % 23)).collect();
        let second: Vec<f64> = (0..25).map(|value| f64::from(value * 5 % 19 + 3)).collect();
        let ranks = Ranks::of(&first, &second);
        let (counted, approximated) = (ranks.counted(), ranks.approximated());
        assert!((counted - approximated).abs() < 0.005, "{counted} and {approximated}");
    }
}
