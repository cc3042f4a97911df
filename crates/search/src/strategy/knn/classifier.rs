//! The classifier: k nearest neighbours among the formulas whose answer is known (paper 4, §4.3).
//!
//! Takes fingerprints with answers; gives, for another fingerprint, what its three nearest neighbours say and how near
//! they are. Nearness is Jaccard similarity.
//!
//! The paper compares with every answer there ever was, which would cost more with every run. Here the neighbours are
//! sought among the latest answers for the same flipped clause, its numbers left out, and among the latest of all only
//! where that clause has too few.

use rustc_hash::FxHashMap;

use super::fingerprint::Fingerprint;

/// Neighbours that vote.
const NEIGHBOURS: usize = 3;

/// Answers kept for each flipped clause, and of all.
const MOST_OF_CLAUSE: usize = 8;
const MOST_OF_ALL: usize = 16;

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

/// A formula: the flipped clause without its numbers, and the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Formula {
    pub(super) flipped: u64,
    pub(super) print: Fingerprint,
}

struct Example {
    formula: Formula,
    size: u32,
    is_feasible: bool,
}

/// The latest examples; a new one replaces the oldest.
#[derive(Default)]
struct Latest {
    examples: Vec<Example>,
    oldest: usize,
}

impl Latest {
    fn push(&mut self, example: Example, most: usize) {
        if self.examples.len() < most {
            self.examples.push(example);
        } else {
            self.examples[self.oldest] = example;
            self.oldest = (self.oldest + 1) % most;
        }
    }

    /// Changes the answer for a formula that looks the same; true if there is one.
    fn correct(&mut self, formula: Formula, is_feasible: bool) -> bool {
        let known = self.examples.iter_mut().find(|example| example.formula == formula);
        known.map(|known| known.is_feasible = is_feasible).is_some()
    }
}

/// The training set.
#[derive(Default)]
pub(super) struct Classifier {
    of_clause: FxHashMap<u64, Latest>,
    of_all: Latest,
    /// Examples ever taken.
    taken: u64,
}

impl Classifier {
    /// How far the training set has grown.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes an answer. One about a formula that looks the same as an earlier one replaces that one's.
    pub(super) fn learn(&mut self, formula: Formula, is_feasible: bool) {
        self.taken += 1;
        let example = || Example { formula, size: formula.print.size(), is_feasible };
        let of_clause = self.of_clause.entry(formula.flipped).or_default();
        if !of_clause.correct(formula, is_feasible) {
            of_clause.push(example(), MOST_OF_CLAUSE);
        }
        if !self.of_all.correct(formula, is_feasible) {
            self.of_all.push(example(), MOST_OF_ALL);
        }
    }

    /// What the neighbours of a formula say. With no neighbour to ask a formula is likely feasible.
    pub(super) fn classify(&self, formula: &Formula) -> Verdict {
        let mut nearest = Nearest { size: formula.print.size(), of: [None; NEIGHBOURS] };
        let of_clause = self.of_clause.get(&formula.flipped).map_or(&[][..], |latest| &latest.examples);
        of_clause.iter().for_each(|example| nearest.compare(formula, example));
        if of_clause.len() < NEIGHBOURS {
            let others = self.of_all.examples.iter();
            let others = others.filter(|example| example.formula.flipped != formula.flipped);
            others.for_each(|example| nearest.compare(formula, example));
        }
        verdict(nearest.of.into_iter().flatten())
    }
}

/// The nearest neighbours so far, the nearest first.
struct Nearest {
    size: u32,
    of: [Option<(f64, bool)>; NEIGHBOURS],
}

impl Nearest {
    fn compare(&mut self, formula: &Formula, example: &Example) {
        let worst = by_similarity(&self.of[NEIGHBOURS - 1]);
        let similarity = similarity(formula.print.common(&example.formula.print), self.size, example.size);
        if similarity >= worst {
            self.of[NEIGHBOURS - 1] = Some((similarity, example.is_feasible));
            self.of.sort_by(|a, b| by_similarity(b).total_cmp(&by_similarity(a)));
        }
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

    fn formula(shape: u64, number: u64) -> Formula {
        let spread = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3;
        let mut print = Fingerprint::default();
        print.add(Clause { shape: spread(shape), whole: spread(number) }.bits());
        Formula { flipped: shape, print }
    }

    #[test]
    fn formulas_of_one_shape_are_judged_by_the_answers_to_that_shape() {
        let mut classifier = Classifier::default();
        (0..3).for_each(|number| classifier.learn(formula(1, number), false));
        (0..3).for_each(|number| classifier.learn(formula(2, number), true));
        assert_eq!(classifier.classify(&formula(1, 9)).set, Set::SurelyInfeasible);
        assert_eq!(classifier.classify(&formula(2, 9)).set, Set::SurelyFeasible);
    }

    #[test]
    fn a_clause_without_answers_is_judged_by_what_is_most_like_it() {
        let mut classifier = Classifier::default();
        (0..3).for_each(|number| classifier.learn(formula(1, number), false));
        (0..3).for_each(|number| classifier.learn(formula(2, number), true));
        let unknown = Formula { flipped: 3, ..formula(1, 1) };
        assert_eq!(classifier.classify(&unknown).set, Set::SurelyInfeasible);
    }

    #[test]
    fn the_majority_of_three_decides() {
        let mut classifier = Classifier::default();
        assert_eq!(classifier.classify(&formula(1, 0)), Verdict { set: Set::LikelyFeasible, similarity: 0 });
        classifier.learn(formula(1, 0), false);
        classifier.learn(formula(1, 1), false);
        classifier.learn(formula(1, 2), true);
        assert_eq!(classifier.classify(&formula(1, 9)).set, Set::LikelyInfeasible);
    }

    #[test]
    fn a_formula_that_was_answered_is_its_own_nearest_neighbour() {
        let mut classifier = Classifier::default();
        classifier.learn(formula(1, 0), true);
        assert_eq!(classifier.classify(&formula(1, 0)).similarity, 1000);
    }
}
