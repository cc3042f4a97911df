//! The problem behind a small suite: goals, and for each of them the tests that cover it, alone or two together.
//!
//! Takes which tests a goal wants; gives what is left of the problem once tests are chosen or given up and once what
//! follows from the rest is left out. No rule here makes the smallest solution larger. Never searches.

use crate::choose::bits::Bits;

/// The ways to cover one goal.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// Tests that cover it alone.
    pub alone: Bits,
    /// For each test those that cover the goal beside it, where neither does alone; empty if no two are needed.
    pub beside: Vec<Bits>,
}

impl Ways {
    /// Leaves out twos of which one is enough.
    fn tidy(&mut self) {
        for test in 0..self.beside.len() {
            if self.alone.contains(test) {
                self.beside[test] = Bits::new(self.beside.len());
            } else {
                self.beside[test].take_away(&self.alone);
            }
        }
        if self.beside.iter().all(Bits::is_empty) {
            self.beside.clear();
        }
    }

    /// Every test that is part of a way.
    pub(crate) fn support(&self) -> Bits {
        let mut support = self.alone.clone();
        self.beside.iter().for_each(|others| support.add(others));
        support
    }

    /// The fewest tests it takes.
    pub(crate) fn cost(&self) -> usize {
        if self.alone.is_empty() { 2 } else { 1 }
    }

    fn is_hopeless(&self) -> bool {
        self.alone.is_empty() && self.beside.is_empty()
    }

    /// A test that is part of every way.
    fn essential(&self) -> Option<usize> {
        if self.beside.is_empty() {
            return self.alone.iter().next().filter(|_| self.alone.len() == 1);
        }
        if !self.alone.is_empty() {
            return None;
        }
        // Twos are written down from both sides, so a test that all of them share has them all.
        let support = self.support();
        support.iter().find(|test| self.beside[*test].len() + 1 == support.len() && self.is_star(*test))
    }

    fn is_star(&self, centre: usize) -> bool {
        let others = self.beside.iter().enumerate().filter(|(test, _)| *test != centre);
        others.into_iter().all(|(_, beside)| beside.iter().all(|other| other == centre))
    }

    /// Whether every way of `harder` is, or holds, a way of this goal.
    fn follows_from(&self, harder: &Ways) -> bool {
        let within = |(test, others): (usize, &Bits)| {
            let mut enough = self.alone.clone();
            if let Some(beside) = self.beside.get(test) {
                enough.add(beside);
            }
            self.alone.contains(test) || others.is_within(&enough)
        };
        harder.alone.is_within(&self.alone) && harder.beside.iter().enumerate().all(within)
    }

    /// Whether `better` does for this goal, with any others, all that `test` does.
    fn prefers(&self, better: usize, test: usize) -> bool {
        self.alone.contains(better)
            || !self.alone.contains(test)
                && (self.beside.is_empty() || self.beside[test].is_within(&self.beside[better]))
    }
}

/// What is left of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Covering {
    /// Number of tests of the whole problem.
    bound: usize,
    /// Tests taken so far.
    pub chosen: Vec<usize>,
    /// Tests that may still be taken.
    pub usable: Bits,
    /// Goals not covered yet.
    pub open: Vec<Ways>,
}

impl Covering {
    /// The whole problem for so many tests.
    pub(crate) fn new(tests: usize, mut goals: Vec<Ways>) -> Covering {
        goals.iter_mut().for_each(Ways::tidy);
        let mut usable = Bits::new(tests);
        (0..tests).for_each(|test| usable.insert(test));
        Covering { bound: tests, chosen: Vec::new(), usable, open: goals }
    }

    /// Takes a test.
    pub(crate) fn choose(&mut self, test: usize) {
        self.chosen.push(test);
        self.usable.remove(test);
        self.open.retain(|goal| !goal.alone.contains(test));
        for goal in self.open.iter_mut().filter(|goal| !goal.beside.is_empty()) {
            let enough_now = std::mem::take(&mut goal.beside[test]);
            goal.beside[test] = Bits::new(goal.beside.len());
            goal.beside.iter_mut().for_each(|others| others.remove(test));
            goal.alone.add(&enough_now);
            goal.tidy();
        }
    }

    /// Gives a test up; false if some goal then cannot be covered.
    pub(crate) fn forbid(&mut self, test: usize) -> bool {
        self.usable.remove(test);
        for goal in &mut self.open {
            goal.alone.remove(test);
            if !goal.beside.is_empty() {
                goal.beside[test] = Bits::new(goal.beside.len());
                goal.beside.iter_mut().for_each(|others| others.remove(test));
                goal.tidy();
            }
        }
        !self.open.iter().any(Ways::is_hopeless)
    }

    /// Takes what every solution needs and leaves out goals and tests that do not matter, until nothing changes. Gives
    /// up, and says so by `false`, when `effort` (comparisons left) runs out.
    pub(crate) fn reduce(&mut self, effort: &mut u64) -> bool {
        loop {
            while let Some(test) = self.open.iter().find_map(Ways::essential) {
                self.choose(test);
            }
            let (goals, tests) = (self.open.len(), self.usable.len());
            if !self.leave_out_goals(effort) || !self.leave_out_tests(effort) {
                return false;
            }
            if (goals, tests) == (self.open.len(), self.usable.len()) {
                return true;
            }
        }
    }

    /// Goals that are covered whenever another one is.
    fn leave_out_goals(&mut self, effort: &mut u64) -> bool {
        let mut at = self.open.len();
        while at > 0 {
            at -= 1;
            if !spend(effort, self.open.len() as u64) {
                return false;
            }
            let goal = &self.open[at];
            if self.open.iter().enumerate().any(|(other, harder)| other != at && goal.follows_from(harder)) {
                self.open.remove(at);
            }
        }
        true
    }

    /// Tests in place of which another one does as well; of two equal ones the earlier stays.
    fn leave_out_tests(&mut self, effort: &mut u64) -> bool {
        let tests: Vec<usize> = self.usable.iter().collect();
        for &test in tests.iter().rev() {
            for better in self.usable.clone().iter().filter(|better| *better != test) {
                let mut compared = 0;
                let is_better =
                    self.open.iter().inspect(|_| compared += 1).all(|goal| goal.prefers(better, test));
                if !spend(effort, compared) {
                    return false;
                }
                if is_better {
                    self.forbid(test);
                    break;
                }
            }
        }
        true
    }

    /// The same problem with only the tests that still matter, under new numbers; and their old ones.
    pub(crate) fn compact(&self) -> (Covering, Vec<usize>) {
        let mut support = Bits::new(self.bound);
        self.open.iter().for_each(|goal| support.add(&goal.support()));
        let old: Vec<usize> = support.iter().collect();
        let renumbered = |tests: &Bits| {
            let mut new = Bits::new(old.len());
            (0..).zip(&old).filter(|(_, old)| tests.contains(**old)).for_each(|(index, _)| new.insert(index));
            new
        };
        let goals = self.open.iter().map(|goal| Ways {
            alone: renumbered(&goal.alone),
            beside: match goal.beside.is_empty() {
                true => Vec::new(),
                false => old.iter().map(|test| renumbered(&goal.beside[*test])).collect(),
            },
        });
        (Covering::new(old.len(), goals.collect()), old)
    }

    /// How many further tests it takes at least: goals that share no test need tests of their own.
    pub(crate) fn at_least(&self) -> usize {
        let mut goals: Vec<(usize, Bits, usize)> = self
            .open
            .iter()
            .map(|goal| {
                let support = goal.support();
                (support.len(), support, goal.cost())
            })
            .collect();
        goals.sort_by_key(|(size, _, cost)| (*size, usize::MAX - cost));
        let mut used = Bits::new(self.bound);
        let mut least = 0;
        for (_, support, cost) in goals {
            if !used.meets(&support) {
                used.add(&support);
                least += cost;
            }
        }
        least
    }
}

/// Pays for comparisons; false if there is not enough left.
pub(crate) fn spend(effort: &mut u64, comparisons: u64) -> bool {
    let enough = *effort >= comparisons;
    *effort = effort.saturating_sub(comparisons);
    enough
}
