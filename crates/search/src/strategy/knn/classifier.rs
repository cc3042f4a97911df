//! The classifier: k nearest neighbours among the formulas whose answer is known (paper 4, §4.3).
//!
//! Takes fingerprints with answers; gives, for another fingerprint, what its three nearest neighbours say and how near
//! they are. Nearness is Jaccard similarity.

use super::fingerprint::Fingerprint;

/// Neighbours that vote.
const NEIGHBOURS: usize = 3;

/// Examples kept; a new one replaces the oldest. The paper keeps all, and with them classifying would cost more with
/// every run.
const MOST_EXAMPLES: usize = 256;

/// What the neighbours say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub(super) set: Set,
    /// Mean similarity of the neighbours in thousandths.
    pub(super) similarity: u64,
}

/// The four sets, the most promising first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Set {
    SurelyFeasible,
    LikelyFeasible,
    LikelyInfeasible,
    SurelyInfeasible,
}

struct Example {
    print: Fingerprint,
    size: u32,
    is_feasible: bool,
}

/// The training set.
#[derive(Default)]
pub(super) struct Classifier {
    examples: Vec<Example>,
    oldest: usize,
    /// Examples ever taken.
    taken: u64,
}

impl Classifier {
    /// How far the training set has grown.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes an answer. One about a formula that looks the same as an earlier one replaces that one's.
    pub(super) fn learn(&mut self, print: Fingerprint, is_feasible: bool) {
        if let Some(known) = self.examples.iter_mut().find(|example| example.print == print) {
            self.taken += u64::from(known.is_feasible != is_feasible);
            known.is_feasible = is_feasible;
            return;
        }
        self.taken += 1;
        let example = Example { print, size: print.size(), is_feasible };
        if self.examples.len() < MOST_EXAMPLES {
            self.examples.push(example);
        } else {
            self.examples[self.oldest] = example;
            self.oldest = (self.oldest + 1) % MOST_EXAMPLES;
        }
    }

    /// What the neighbours of a formula say. With no neighbour to ask a formula is likely feasible.
    pub(super) fn classify(&self, print: &Fingerprint) -> Verdict {
        let size = print.size();
        let mut nearest: [Option<(f64, bool)>; NEIGHBOURS] = [None; NEIGHBOURS];
        for example in &self.examples {
            let worst = nearest[NEIGHBOURS - 1].map_or(-1.0, |(similarity, _)| similarity);
            // What the first row and the sizes allow at most: nearly all examples end here.
            let possible = print.common_shapes(&example.print) * 16;
            if similarity(possible.min(size).min(example.size), size, example.size) < worst {
                continue;
            }
            let similarity = similarity(print.common(&example.print), size, example.size);
            if similarity >= worst {
                nearest[NEIGHBOURS - 1] = Some((similarity, example.is_feasible));
                nearest.sort_by(|a, b| by_similarity(b).total_cmp(&by_similarity(a)));
            }
        }
        verdict(nearest.into_iter().flatten())
    }
}

fn by_similarity(neighbour: &Option<(f64, bool)>) -> f64 {
    neighbour.map_or(-1.0, |(similarity, _)| similarity)
}

/// Jaccard similarity of two sets of these sizes with so many common elements.
fn similarity(common: u32, size: u32, other: u32) -> f64 {
    let all = size + other - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

fn verdict(neighbours: impl Iterator<Item = (f64, bool)>) -> Verdict {
    let (mut count, mut feasible, mut sum) = (0, 0, 0.0);
    for (similarity, is_feasible) in neighbours {
        count += 1;
        feasible += usize::from(is_feasible);
        sum += similarity;
    }
    let set = match (feasible, count) {
        (3, 3) => Set::SurelyFeasible,
        (0, 3) => Set::SurelyInfeasible,
        (feasible, count) if 2 * feasible >= count => Set::LikelyFeasible,
        _ => Set::LikelyInfeasible,
    };
    Verdict { set, similarity: (sum / count.max(1) as f64 * 1000.0) as u64 }
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint::Clause;
    use super::*;

    fn print(shape: u64, number: u64) -> Fingerprint {
        let spread = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3;
        let mut print = Fingerprint::default();
        print.add(Clause { shape: spread(shape), whole: spread(number) });
        print
    }

    #[test]
    fn formulas_of_one_shape_are_judged_by_the_answers_to_that_shape() {
        let mut classifier = Classifier::default();
        (0..3).for_each(|number| classifier.learn(print(1, number), false));
        (0..3).for_each(|number| classifier.learn(print(2, number), true));
        assert_eq!(classifier.classify(&print(1, 9)).set, Set::SurelyInfeasible);
        assert_eq!(classifier.classify(&print(2, 9)).set, Set::SurelyFeasible);
    }

    #[test]
    fn the_majority_of_three_decides() {
        let mut classifier = Classifier::default();
        assert_eq!(classifier.classify(&print(1, 0)), Verdict { set: Set::LikelyFeasible, similarity: 0 });
        classifier.learn(print(1, 0), false);
        classifier.learn(print(1, 1), false);
        classifier.learn(print(1, 2), true);
        assert_eq!(classifier.classify(&print(1, 9)).set, Set::LikelyInfeasible);
    }

    #[test]
    fn a_formula_that_was_answered_is_its_own_nearest_neighbour() {
        let mut classifier = Classifier::default();
        classifier.learn(print(1, 0), true);
        assert_eq!(classifier.classify(&print(1, 0)).similarity, 1000);
    }
}
