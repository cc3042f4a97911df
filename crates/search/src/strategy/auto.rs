//! `auto`: a portfolio of strategies that learns during the search which of them pays.
//!
//! All see every run and every answer and choose from the same candidates. [`Expectation`] looks ahead, [`Uncovered`] goes
//! for what is at hand, [`RandomBranch`] gets deep into loops, and [`Counts`] climbs counters and flags. The first and the
//! third know every candidate, so nothing is lost. More members made it dearer and no better.
//!
//! When the solver says again and again that an open branch cannot be taken where runs come by it, it is tried behind
//! another branch than before; and if there is no such place, what decides it was set earlier: a climb is asked for, and
//! goes on before anybody else is asked while it comes further.

use super::portfolio::Portfolio;
use super::uncovered::Uncovered;
use super::{Counts, Expectation, RandomBranch, RunSummary, Strategy, UnitFacts, View};
use crate::paths::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// The places of the members in the portfolio, and their credits, see [`Portfolio`]. Expectation, the best on its own, is
/// asked as often as two others.
const COUNTS: usize = 0;
const UNCOVERED: usize = 1;
const EXPECTATION: usize = 2;
const CREDITS: [f64; 4] = [0.5, 0.5, 1.0, 0.5];

/// Whichever strategy pays.
pub struct Auto {
    counts: Counts,
    uncovered: Uncovered,
    expectation: Expectation,
    random_branch: RandomBranch,
    portfolio: Portfolio,
    /// Candidates that were chosen and are not answered, with the strategy that chose them.
    asked: Vec<(CandidateId, usize)>,
    /// Goals that the last run covered first.
    covered: usize,
    /// True if the solver has just said once more that an open branch cannot be taken where runs come by it.
    is_stuck: bool,
}

impl Default for Auto {
    fn default() -> Auto {
        Auto {
            counts: Counts::default(),
            uncovered: Uncovered::default(),
            expectation: Expectation::default(),
            random_branch: RandomBranch::default(),
            portfolio: Portfolio::new(&CREDITS),
            asked: Vec::new(),
            covered: 0,
            is_stuck: false,
        }
    }
}

impl Auto {
    fn strategy(&mut self, index: usize) -> &mut dyn Strategy {
        match index {
            COUNTS => &mut self.counts,
            UNCOVERED => &mut self.uncovered,
            EXPECTATION => &mut self.expectation,
            _ => &mut self.random_branch,
        }
    }

    fn for_each(&mut self, mut act: impl FnMut(&mut dyn Strategy)) {
        (0..CREDITS.len()).for_each(|index| act(self.strategy(index)));
    }

    /// What was dropped without a try costs nothing.
    fn forget_dropped(&mut self, view: View) {
        let Auto { asked, portfolio, .. } = self;
        asked.retain(|&(candidate, strategy)| {
            let is_running = view.tree.candidate(candidate).state == CandidateState::Running;
            if !is_running {
                portfolio.drop_choice(strategy);
            }
            is_running
        });
    }
}

impl Strategy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        self.for_each(|strategy| strategy.prepare(unit));
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        self.covered = run.new_goals.len();
        self.for_each(|strategy| strategy.absorb(view, new, run));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.forget_dropped(view);
        let mut order = self.portfolio.order();
        let is_stuck = std::mem::take(&mut self.is_stuck);
        if self.uncovered.has_fresh(view, rng) {
            order.retain(|&index| index != COUNTS);
            order.push(COUNTS);
            if is_stuck {
                order.insert(0, UNCOVERED);
            }
        } else if self.counts.goes_on() {
            order.insert(0, COUNTS);
        } else if is_stuck {
            self.counts.insist();
            order.insert(0, COUNTS);
        }
        let (strategy, candidate) = order.into_iter().find_map(|index| {
            let chosen = self.strategy(index).choose(view, rng);
            chosen.map(|candidate| (index, candidate))
        })?;
        self.portfolio.ask(strategy);
        self.asked.push((candidate, strategy));
        Some(candidate)
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        self.for_each(|strategy| strategy.learn(view, candidate, state));
        let Some(at) = self.asked.iter().position(|(asked, _)| *asked == candidate) else { return };
        let (_, strategy) = self.asked.swap_remove(at);
        match state {
            CandidateState::Done => self.portfolio.pay(strategy, std::mem::take(&mut self.covered)),
            CandidateState::Infeasible | CandidateState::Unknown => {
                self.portfolio.without_run(strategy);
                self.is_stuck |= self.uncovered.is_stuck(view, candidate);
            }
            _ => {}
        }
    }

    fn move_on(&mut self) {
        self.for_each(|strategy| strategy.move_on());
    }

    fn restart(&mut self) {
        self.for_each(|strategy| strategy.restart());
        self.asked.clear();
        self.is_stuck = false;
    }
}
