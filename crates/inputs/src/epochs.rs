//! How large inputs may get: small at first, larger on demand, up to what the user allows.
//!
//! Takes what was met while a unit was explored (pointers cut off, objects and strings that ended too early, state that
//! only further calls reach); gives the limits of the next epoch, or says that there is nothing to raise. Small inputs
//! are explored in a fraction of the time, and most goals need no more.
//!
//! Never: running anything, the path tree.

use std::collections::BTreeMap;

use tarka_settings::Bounds;

use crate::shape::ShapeLimits;

/// What every unit starts with.
const FIRST: Bounds = Bounds { depth: 4, elements: 16, string: 32, calls: 1, stub_calls: 0 };

/// Bytes of a string that is stretched: a path of the longest kind, and something around it.
const STRETCH: u64 = 4096 + 256;

/// Effort without anything new after which larger inputs are worth more than further paths, counted in runs.
const PATIENCE: u64 = 200;

/// How many runs a question to the SMT solver counts for: it takes about as long.
const RUNS_PER_HARD_QUESTION: u64 = 8;

/// What was spent on a unit so far: the same on every machine, unlike time.
pub fn effort(runs: u64, hard_questions: u64) -> u64 {
    runs + RUNS_PER_HARD_QUESTION * hard_questions
}

/// Which limits kept the search from something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Met {
    /// Pointers that were not followed any further.
    pub depth: bool,
    /// Objects that had too few elements.
    pub elements: bool,
    /// Strings that were too short.
    pub strings: bool,
    /// State that only further calls reach.
    pub calls: bool,
}

/// The limits of one unit's inputs.
#[derive(Clone, Debug)]
pub struct Epochs {
    most: Bounds,
    now: ShapeLimits,
    /// The effort up to the run that covered something last, or up to the epoch.
    last_news: u64,
}

impl Epochs {
    /// The first epoch. `most` is what the user allows; a unit without state is called once.
    pub fn new(most: Bounds, sizes: BTreeMap<String, u64>) -> Epochs {
        let now = ShapeLimits {
            depth: FIRST.depth.min(most.depth),
            elements: FIRST.elements.min(most.elements),
            string: FIRST.string.min(most.string),
            // Whoever says how long strings are means it.
            stretch: if most.string == Bounds::default().string { STRETCH } else { most.string },
            calls: FIRST.calls.min(most.calls),
            sizes,
        };
        Epochs { most, now, last_news: 0 }
    }

    /// The limits of this epoch.
    pub fn limits(&self) -> &ShapeLimits {
        &self.now
    }

    /// Takes note of a run that covered something first.
    pub fn news(&mut self, effort: u64) {
        self.last_news = effort;
    }

    /// True if nothing new has come for so long that larger inputs are worth a try.
    pub fn is_stale(&self, effort: u64) -> bool {
        effort.saturating_sub(self.last_news) >= PATIENCE.max(effort / 4)
    }

    /// Begins the next epoch after this effort with the limits raised that were met; false if there is none to raise.
    pub fn grow(&mut self, met: Met, effort: u64) -> bool {
        let figures = |limits: &ShapeLimits| (limits.depth, limits.elements, limits.string, limits.calls);
        let before = self.now.clone();
        if met.depth {
            self.now.depth = raised(before.depth.into(), 2, self.most.depth.into()) as u32;
        }
        if met.elements {
            self.now.elements = raised(before.elements, 4, self.most.elements);
        }
        if met.strings {
            self.now.string = raised(before.string, 4, self.most.string);
        }
        if met.calls {
            self.now.calls = raised(before.calls.into(), 2, self.most.calls.into()) as u32;
        }
        self.last_news = effort;
        figures(&self.now) != figures(&before)
    }
}

fn raised(now: u64, factor: u64, most: u64) -> u64 {
    now.saturating_mul(factor).min(most).max(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Met = Met { depth: true, elements: true, strings: true, calls: true };

    fn figures(epochs: &Epochs) -> (u32, u64, u64, u32) {
        let limits = epochs.limits();
        (limits.depth, limits.elements, limits.string, limits.calls)
    }

    #[test]
    fn limits_grow_step_by_step_up_to_what_the_user_allows() {
        let mut epochs = Epochs::new(Bounds::default(), BTreeMap::new());
        assert_eq!(figures(&epochs), (4, 16, 32, 1));
        let mut seen = Vec::new();
        while epochs.grow(ALL, 0) {
            seen.push(figures(&epochs));
        }
        assert_eq!(seen, [(8, 64, 128, 2), (8, 256, 256, 4)]);
    }

    #[test]
    fn only_what_was_met_grows_and_small_bounds_hold_from_the_start() {
        let most = Bounds { depth: 2, elements: 100, ..Bounds::default() };
        let mut epochs = Epochs::new(most, BTreeMap::new());
        assert_eq!(figures(&epochs), (2, 16, 32, 1));
        assert!(!epochs.grow(Met { depth: true, ..Met::default() }, 0));
        assert!(epochs.grow(Met { elements: true, ..Met::default() }, 0));
        assert_eq!(figures(&epochs), (2, 64, 32, 1));
        assert!(epochs.grow(Met { elements: true, ..Met::default() }, 0));
        assert_eq!(figures(&epochs), (2, 100, 32, 1));
    }

    #[test]
    fn an_epoch_is_stale_after_two_hundred_runs_or_a_quarter_of_all_without_news() {
        let mut epochs = Epochs::new(Bounds::default(), BTreeMap::new());
        epochs.news(100);
        assert_eq!((epochs.is_stale(299), epochs.is_stale(300)), (false, true));
        epochs.news(3000);
        assert_eq!((epochs.is_stale(3998), epochs.is_stale(4000)), (false, true));
        epochs.grow(ALL, 4000);
        assert!(!epochs.is_stale(4001));
    }

    #[test]
    fn hard_questions_make_an_epoch_stale_as_runs_do() {
        let epochs = Epochs::new(Bounds::default(), BTreeMap::new());
        let stale_after = (0..).find(|&questions| epochs.is_stale(effort(20, questions)));
        assert_eq!(stale_after, Some(23));
    }
}
