//! The smallest suite, by branch and bound.
//!
//! Takes a covering problem and a solution; gives one that is not larger, and whether it is proved that none is smaller.
//! The effort is counted, not timed, so that the same problem always has the same answer. Never reads a clock.

use crate::choose::covering::{Covering, spend};

/// Comparisons of one search. It takes well under a second.
const EFFORT: u64 = 50_000_000;

/// A suite, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smallest {
    /// The tests, ascending.
    pub tests: Vec<usize>,
    /// No smaller suite covers as much.
    pub proved: bool,
}

/// Improves a solution until it is known to be the smallest or the effort is spent.
pub(crate) fn smallest(problem: Covering, known: Vec<usize>) -> Smallest {
    within(EFFORT, problem, known)
}

fn within(mut effort: u64, mut problem: Covering, known: Vec<usize>) -> Smallest {
    let mut found = Smallest { tests: known, proved: false };
    if problem.reduce(&mut effort) {
        let (core, names) = problem.compact();
        let needed = problem.chosen;
        let bound = found.tests.len().saturating_sub(needed.len());
        let mut search = Search { best: None, bound, effort };
        found.proved = search.visit(core);
        if let Some(best) = search.best {
            found.tests = needed.into_iter().chain(best.into_iter().map(|test| names[test])).collect();
        }
    }
    found.tests.sort_unstable();
    found
}

struct Search {
    best: Option<Vec<usize>>,
    /// Only solutions with fewer tests are of interest.
    bound: usize,
    effort: u64,
}

impl Search {
    /// Looks for a better solution in what is left of the problem; false if the effort was spent before the end.
    fn visit(&mut self, mut left: Covering) -> bool {
        if !left.reduce(&mut self.effort) {
            return false;
        }
        if left.chosen.len() + left.at_least() >= self.bound {
            return true;
        }
        let Some(test) = self.most_wanted(&left) else {
            self.bound = left.chosen.len();
            self.best = Some(left.chosen);
            return true;
        };
        if !spend(&mut self.effort, left.open.len() as u64) {
            return false;
        }
        let mut with = left.clone();
        with.choose(test);
        self.visit(with) && (!left.forbid(test) || self.visit(left))
    }

    /// A test to decide on: of the goal with the fewest to choose from, the one that most goals want.
    fn most_wanted(&self, left: &Covering) -> Option<usize> {
        let supports: Vec<_> = left.open.iter().map(|goal| goal.support()).collect();
        let scarce = supports.iter().min_by_key(|support| support.len())?;
        let wanted = |test: &usize| supports.iter().filter(|support| support.contains(*test)).count();
        scarce.iter().max_by_key(|test| (wanted(test), usize::MAX - test))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::bits::Bits;
    use crate::choose::covering::Ways;

    /// As many tests as goals; each goal is covered by a test and the next one, and each test by nobody better.
    fn ring(size: usize) -> Covering {
        let goal = |index: usize| {
            let mut alone = Bits::new(size);
            alone.insert(index);
            alone.insert((index + 1) % size);
            Ways { alone, beside: Vec::new() }
        };
        Covering::new(size, (0..size).map(goal).collect())
    }

    #[test]
    fn a_ring_without_anything_to_leave_out_is_searched() {
        for size in 3..12 {
            let found = smallest(ring(size), (0..size).collect());
            assert_eq!((found.tests.len(), found.proved), (size.div_ceil(2), true));
        }
    }

    #[test]
    fn a_search_that_is_cut_short_proves_nothing_and_keeps_what_it_has() {
        let all: Vec<usize> = (0..9).collect();
        for effort in [0, 100, 200] {
            assert_eq!(within(effort, ring(9), all.clone()), Smallest { tests: all.clone(), proved: false });
        }
    }
}
