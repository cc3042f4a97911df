//! `auto`: first the candidates whose own branch is still uncovered; then a portfolio of strategies that learns during the
//! search which of them pays.
//!
//! An infeasible branch in a loop owns a candidate for each iteration of each path. A branch that has disappointed
//! [`PATIENCE`] times therefore only gets every second turn, and among uncovered branches those with fewer
//! disappointments go first, then those behind which most is expected, then the shorter paths. A branch that is only
//! wanted again, for a run that ends well, counts as one that has disappointed so often.
//!
//! The portfolio: [`Expectation`] looks ahead, [`ContextGuided`] meets branches in new contexts, [`RandomBranch`] gets deep
//! into loops, [`Fitness`] follows comparisons that come near, [`Counts`] climbs counters and flags. Every one of them but
//! the last knows every candidate, so nothing is lost.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::expectation::Weight;
use super::kinds::{KindFacts, Kinds, Pick};
use super::portfolio::Portfolio;
use super::{
    ContextGuided, Counts, Expectation, Fitness, RandomBranch, RunSummary, Strategy, UnitFacts, View,
};
use crate::candidate::{CandidateId, CandidateState};
use crate::rng::Rng;

/// Failed attempts after which an uncovered branch shares its turns with the rest.
const PATIENCE: u32 = 3;

/// Places in the portfolio.
const EXPECTATION: usize = 0;
const COUNTS: usize = 1;

/// How often a branch has failed.
type Failures = FxHashMap<(u32, u64), u32>;

/// The value of a kind: few failures, then much behind it.
type Value = (Reverse<u32>, Weight);

/// Uncovered branches first, then whichever strategy pays.
pub struct Auto {
    uncovered: Kinds<Value>,
    failed: Failures,
    turn: u64,
    /// The first two of the portfolio.
    expectation: Expectation,
    counts: Counts,
    others: Vec<Box<dyn Strategy>>,
    portfolio: Portfolio,
    /// Candidates that a strategy of the portfolio chose and that are not answered.
    asked: Vec<(CandidateId, usize)>,
    /// Goals that the last run covered first.
    covered: usize,
}

impl Default for Auto {
    fn default() -> Auto {
        let others: Vec<Box<dyn Strategy>> = vec![
            Box::new(ContextGuided::default()),
            Box::new(RandomBranch::default()),
            Box::new(Fitness::default()),
        ];
        Auto {
            uncovered: Kinds::new(Pick::Shortest),
            failed: Failures::default(),
            turn: 0,
            expectation: Expectation::default(),
            counts: Counts::default(),
            portfolio: Portfolio::new(2 + others.len()),
            others,
            asked: Vec::new(),
            covered: 0,
        }
    }
}

/// Nothing if the branch covers nothing that is wanted.
fn value(view: View, failed: &Failures, expectation: &Expectation, kind: KindFacts) -> Option<Value> {
    let handicap = if view.wants_open_goal(kind.sample) {
        0
    } else if view.wants_goal_again(kind.sample) {
        PATIENCE
    } else {
        return None;
    };
    let failures = failed.get(&view.branch(kind.sample)).copied().unwrap_or(0);
    Some((Reverse(handicap + failures), expectation.weight(kind.branch)))
}

fn is_running(view: View, candidate: CandidateId) -> bool {
    view.tree.candidate(candidate).state == CandidateState::Running
}

impl Auto {
    fn strategy(&mut self, index: usize) -> &mut dyn Strategy {
        match index {
            EXPECTATION => &mut self.expectation,
            COUNTS => &mut self.counts,
            other => self.others[other - 2].as_mut(),
        }
    }

    fn ask_portfolio(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        // What was dropped without a try costs nothing.
        for (_, index) in self.asked.extract_if(.., |(asked, _)| !is_running(view, *asked)) {
            self.portfolio.refund(index);
        }
        let mut order = self.portfolio.order();
        if self.counts.goes_on() {
            order.insert(0, COUNTS);
        }
        let (index, candidate) = order.into_iter().find_map(|index| {
            let chosen = self.strategy(index).choose(view, rng);
            chosen.map(|candidate| (index, candidate))
        })?;
        self.portfolio.ask(index);
        self.asked.push((candidate, index));
        Some(candidate)
    }
}

impl Strategy for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn prepare(&mut self, unit: UnitFacts) {
        (0..2 + self.others.len()).for_each(|index| self.strategy(index).prepare(unit));
    }

    fn absorb(&mut self, view: View, new: &[CandidateId], run: RunSummary) {
        self.covered = run.new_goals.len();
        (0..2 + self.others.len()).for_each(|index| self.strategy(index).absorb(view, new, run));
        let Auto { uncovered, failed, expectation, .. } = self;
        uncovered.revalue_decisions(view, |kind| value(view, failed, expectation, kind));
        uncovered.absorb(view, new.iter().copied(), |kind| value(view, failed, expectation, kind));
    }

    fn choose(&mut self, view: View, rng: &mut Rng) -> Option<CandidateId> {
        self.turn += 1;
        let Auto { uncovered, failed, expectation, .. } = self;
        let value = |kind: KindFacts| value(view, failed, expectation, kind);
        let best = uncovered.best(view, rng, value);
        let share = best.is_some_and(|(Reverse(failures), _)| failures >= PATIENCE);
        if best.is_some() && !(share && self.turn.is_multiple_of(2)) {
            return uncovered.choose(view, rng, value);
        }
        self.ask_portfolio(view, rng)
    }

    fn learn(&mut self, view: View, candidate: CandidateId, state: CandidateState) {
        (0..2 + self.others.len()).for_each(|index| self.strategy(index).learn(view, candidate, state));
        let covered = if state == CandidateState::Done { std::mem::take(&mut self.covered) } else { 0 };
        if let Some(at) = self.asked.iter().position(|(asked, _)| *asked == candidate) {
            let (_, index) = self.asked.swap_remove(at);
            self.portfolio.pay(index, covered);
        }
        if !matches!(state, CandidateState::Done | CandidateState::Running | CandidateState::Open) {
            *self.failed.entry(view.branch(candidate)).or_default() += 1;
            let Auto { uncovered, failed, expectation, .. } = self;
            let branch = view.source_branch(candidate);
            uncovered.revalue_branches(branch, |kind| value(view, failed, expectation, kind));
        }
    }

    fn move_on(&mut self) {
        (0..2 + self.others.len()).for_each(|index| self.strategy(index).move_on());
    }

    fn restart(&mut self) {
        (0..2 + self.others.len()).for_each(|index| self.strategy(index).restart());
        self.uncovered.clear();
        self.failed.clear();
        self.asked.clear();
    }
}
